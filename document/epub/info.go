package epub

import (
	"strings"
	"time"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// maxNames is how many authors or subjects are listed.
const maxNames = 100

// readInfo reads what the book says of itself.
func (r *reader) readInfo(n *zipped.Node) {
	var authors, subjects []string
	info := &r.doc.Info
	r.describe(n, &authors, &subjects)
	for c := range n.All() { // where older books have it
		if name := local(c); name == "dc-metadata" || name == "x-metadata" {
			r.describe(c, &authors, &subjects)
		}
	}
	info.Author, info.Keywords = strings.Join(authors, ", "), strings.Join(subjects, ", ")
}

func (r *reader) describe(n *zipped.Node, authors, subjects *[]string) {
	info := &r.doc.Info
	for c := range n.All() {
		if c.Name == "" {
			continue
		}
		text := strings.Join(strings.Fields(c.Content()), " ")
		switch name := local(c); {
		case name == "meta":
			r.property(c, text)
		case text == "":
		case name == "title" && info.Title == "":
			info.Title = text
		case name == "creator" && len(*authors) < maxNames:
			*authors = append(*authors, text)
		case name == "subject" && len(*subjects) < maxNames:
			*subjects = append(*subjects, text)
		case name == "language" && info.Language == "":
			info.Language = text
		case name == "publisher" && info.Publisher == "":
			info.Publisher = text
		case name == "description" && info.Subject == "":
			info.Subject = plain(text)
		case name == "date":
			r.date(c, text)
		}
	}
}

// property reads what has no element of its own.
func (r *reader) property(n *zipped.Node, text string) {
	switch {
	case n.Get("property") == "dcterms:modified":
		r.doc.Modified = moment(text)
	case strings.EqualFold(n.Get("name"), "generator"):
		r.doc.Generator = n.Get("content")
	}
}

// date reads when the book was published or changed.
func (r *reader) date(n *zipped.Node, text string) {
	event := ""
	for _, a := range n.Attr {
		if a.Name == "event" || strings.HasSuffix(a.Name, ":event") {
			event = strings.ToLower(a.Value)
		}
	}
	when := moment(text)
	switch {
	case event == "modification":
		r.doc.Modified = when
	case event == "publication" || r.doc.Created.IsZero():
		r.doc.Created = when
	}
}

// moment reads a point in time, of which often there is only the year.
func moment(s string) time.Time {
	if t := tree.Moment(s); !t.IsZero() {
		return t
	}
	for _, layout := range [...]string{"2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// plain returns the text of a description, which may be HTML.
func plain(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	return strings.Join(strings.Fields(dom.Parse(text).Body().InnerText(maxDescription)), " ")
}

const maxDescription = 64 << 10
