package docx

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// margins reads the headers and footers of all sections, each once.
func (r *reader) margins(content *zipped.Node) (headers, footers []tree.Block) {
	m := marginReader{reader: r, seen: map[string]bool{}}
	settings, _ := r.related("settings")
	even := settings.Child("w:evenAndOddHeaders")
	m.even = even != nil && toggleOf(even) == on
	m.sections(content)
	return m.headers, m.footers
}

type marginReader struct {
	*reader
	headers, footers []tree.Block
	seen             map[string]bool // parts and texts
	even             bool            // pages with even numbers have their own
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
				m.headers = m.read(m.headers, "header", c.Get("r:id"))
			case "w:footerReference":
				m.footers = m.read(m.footers, "footer", c.Get("r:id"))
			}
		}
	}
}

// read adds a header or footer, unless it is known or says nothing.
func (m *marginReader) read(list []tree.Block, name, id string) []tree.Block {
	part := m.relations[id].target
	if part == "" || m.seen[part] {
		return list
	}
	m.seen[part] = true
	root, _ := m.archive.XML(part)
	var body []tree.Block
	m.within(part, func() {
		m.margin = true
		body = m.blocks(root)
	})
	text := marginText(body)
	if text == "" || m.seen[name+text] {
		return list
	}
	m.seen[name+text] = true
	return append(list, &tree.Group{Name: name, Body: body})
}

// marginText returns the words of a header or footer. They are none if it is only
// there for the number of the page.
func marginText(body []tree.Block) string {
	var b strings.Builder
	appendText(&b, body)
	text := strings.ToLower(strings.Join(strings.Fields(b.String()), " "))
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" .,:/|-–—[]()0123456789", r) }) {
		switch word {
		case "page", "of", "seite", "von", "página", "pagina", "de", "di", "sur", "van", "p", "pg", "sida", "av", "strona", "z", "стр", "из", "第", "页", "頁", "共":
		default:
			return text
		}
	}
	return ""
}

// appendText writes the text of blocks. A picture alone, as a logo is, says nothing.
func appendText(b *strings.Builder, blocks []tree.Block) {
	for _, block := range blocks {
		switch block := block.(type) {
		case *tree.Paragraph:
			for i := range block.Text {
				s := &block.Text[i]
				b.WriteString(s.Text + s.TeX)
			}
			b.WriteString(" ")
		case *tree.List:
			for i := range block.Items {
				appendText(b, block.Items[i].Body)
			}
		case *tree.Table:
			for i := range block.Rows {
				for j := range block.Rows[i].Cells {
					c := &block.Rows[i].Cells[j]
					b.WriteString(c.Text + " ")
					appendText(b, c.Body)
				}
			}
		}
	}
}
