package docx

import (
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// margins reads the headers and footers of all sections, each once.
func (r *reader) margins(content *zipped.Node) tree.Margins {
	m := marginReader{reader: r, seen: map[string]bool{}}
	settings, _ := r.related("settings")
	even := settings.Child("w:evenAndOddHeaders")
	m.even = even != nil && toggleOf(even) == on
	m.sections(content)
	return m.Margins
}

type marginReader struct {
	*reader
	tree.Margins
	seen map[string]bool // parts
	even bool            // pages with even numbers have their own
}

// sections finds the sections: all but the last are described in the properties of
// a paragraph.
func (m *marginReader) sections(n *zipped.Node) {
	for c := range n.All() {
		switch c.Name {
		case "w:sectPr":
			m.section(c)
		case "w:p":
			m.sections(c.Child("w:pPr"))
		case "w:sdt":
			m.sections(c.Child("w:sdtContent"))
		}
	}
}

func (m *marginReader) section(sectPr *zipped.Node) {
	first := sectPr.Child("w:titlePg")
	for _, kind := range []string{"first", "default", "even"} {
		if kind == "first" && (first == nil || toggleOf(first) != on) || kind == "even" && !m.even {
			continue
		}
		for c := range sectPr.All() {
			if c.Get("w:type") != kind {
				continue
			}
			switch c.Name {
			case "w:headerReference":
				m.read(c.Get("r:id"), m.AddHeader)
			case "w:footerReference":
				m.read(c.Get("r:id"), m.AddFooter)
			}
		}
	}
}

// read reads the part of a header or footer, once.
func (m *marginReader) read(id string, add func([]tree.Block)) {
	part := m.relations[id].Target
	if part == "" || m.seen[part] {
		return
	}
	m.seen[part] = true
	root, _ := m.archive.XML(part)
	m.within(part, func() {
		m.margin = true
		add(m.blocks(root))
	})
}
