package odf

import (
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/zipped"
)

// info reads what the document says of itself.
func (r *reader) info(meta *zipped.Node) {
	info := &r.doc.Info
	var keywords []string
	for n := range meta.All() {
		value := strings.TrimSpace(n.Content())
		switch n.Name {
		case "dc:title":
			info.Title = value
		case "dc:subject":
			info.Subject = value
		case "dc:description":
			if info.Subject == "" {
				info.Subject = value
			}
		case "meta:initial-creator":
			info.Author = value
		case "dc:creator":
			if info.Author == "" {
				info.Author = value
			}
		case "meta:keyword":
			if value != "" {
				keywords = append(keywords, value)
			}
		case "dc:language":
			info.Language = value
		case "meta:generator":
			info.Generator = value
		case "meta:creation-date":
			info.Created = moment(value)
		case "dc:date":
			info.Modified = moment(value)
		}
	}
	info.Keywords = strings.Join(keywords, ", ")
}

// moment reads a date as OpenDocument writes it, with or without a time and a zone.
func moment(s string) time.Time {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
