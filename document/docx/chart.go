package docx

import "github.com/trawlhq/trawl/document/ooxml"

// chart adds the numbers behind a chart as a table.
func (d *drawn) chart(id string) {
	root, _ := d.archive.XML(d.relations[id].Target)
	if block := ooxml.Chart(root, d.doc); block != nil {
		d.boxed = append(d.boxed, block)
	}
}

// diagram adds the texts of a diagram as a list.
func (d *drawn) diagram(id string) {
	root, _ := d.archive.XML(d.relations[id].Target)
	if list := ooxml.Diagram(root); list != nil {
		d.boxed = append(d.boxed, list)
	}
}
