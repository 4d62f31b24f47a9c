package docx

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
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
	info.Created = tree.Moment(root.Child("dcterms:created").Content())
	info.Modified = tree.Moment(root.Child("dcterms:modified").Content())
	root, _ = r.archive.XML(app)
	info.Generator = text("ep:Application")
}
