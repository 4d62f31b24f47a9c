package docx

import (
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/zipped"
)

// readInfo reads what the document says of itself.
func (r *reader) readInfo() {
	core, app := "docProps/core.xml", "docProps/app.xml"
	for _, rel := range r.relationsOf("") {
		switch rel.kind {
		case "core-properties":
			core = rel.target
		case "extended-properties", "extendedProperties":
			app = rel.target
		}
	}
	root, _ := r.archive.XML(core)
	info := &r.doc.Info
	text := func(name string) string { return strings.Join(strings.Fields(root.Child(name).Content()), " ") }
	info.Title = text("dc:title")
	info.Author = text("dc:creator")
	info.Subject = text("dc:subject")
	if info.Subject == "" {
		info.Subject = text("dc:description")
	}
	info.Keywords = text("cp:keywords")
	info.Language = text("dc:language")
	info.Created = moment(root.Child("dcterms:created"))
	info.Modified = moment(root.Child("dcterms:modified"))
	root, _ = r.archive.XML(app)
	info.Generator = text("ep:Application")
}

// moment returns a point in time, the zero one if there is none.
func moment(n *zipped.Node) time.Time {
	s := strings.TrimSpace(n.Content())
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
