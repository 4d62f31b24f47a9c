package odf

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
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
			info.Created = tree.Moment(value)
		case "dc:date":
			info.Modified = tree.Moment(value)
		}
	}
	info.Keywords = strings.Join(keywords, ", ")
}
