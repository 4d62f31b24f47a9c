package tree

import (
	"slices"
	"strings"
	"unicode"
)

// Margins gathers what stands at the top and the bottom of pages: each text once,
// and none that is only there for the number of the page.
type Margins struct {
	Headers, Footers []Block
	seen             map[string]bool
}

// AddHeader adds a header, unless it is known or says nothing.
func (m *Margins) AddHeader(body []Block) { m.Headers = m.add(m.Headers, "header", body) }

// AddFooter adds a footer, unless it is known or says nothing.
func (m *Margins) AddFooter(body []Block) { m.Footers = m.add(m.Footers, "footer", body) }

func (m *Margins) add(list []Block, name string, body []Block) []Block {
	for _, block := range body {
		if p, ok := block.(*Paragraph); ok {
			cutPageNumber(p.Text)
		}
	}
	var b strings.Builder
	appendText(&b, body)
	text := strings.ToLower(strings.Join(strings.Fields(b.String()), " "))
	if isPageNumber(text) || m.seen[name+text] {
		return list
	}
	if m.seen == nil {
		m.seen = map[string]bool{}
	}
	m.seen[name+text] = true
	return append(list, &Group{Name: name, Body: body})
}

// cutPageNumber takes out what stands between tabs for the number of the page, as
// "Page 3 of 7" in the corner of a line.
func cutPageNumber(text []Span) {
	var whole strings.Builder
	for i := range text {
		whole.WriteString(text[i].Text)
	}
	var cut []bool // for each byte
	for part := range strings.SplitAfterSeq(whole.String(), "\t") {
		lower := strings.ToLower(part)
		number := strings.ContainsFunc(lower, unicode.IsLetter) && isPageNumber(lower)
		cut = append(cut, slices.Repeat([]bool{number}, len(part))...)
	}
	for i := range text {
		kept := make([]byte, 0, len(text[i].Text))
		for k := range len(text[i].Text) {
			if !cut[k] {
				kept = append(kept, text[i].Text[k])
			}
		}
		cut = cut[len(text[i].Text):]
		text[i].Text = string(kept)
	}
}

// isPageNumber tells whether a text in lower case has no words but those around the
// number of a page.
func isPageNumber(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return !unicode.IsLetter(c) }) {
		switch word {
		case "page", "of", "p", "pg", "seite", "von", "sur", "página", "pagina", "de", "di", "van", "sida", "av", "strona", "z", "стр", "из", "第", "页", "頁", "共":
		default:
			return false
		}
	}
	return true
}

// appendText writes the text of blocks. A picture alone, as a logo is, says nothing.
func appendText(b *strings.Builder, blocks []Block) {
	for _, block := range blocks {
		switch block := block.(type) {
		case *Heading:
			appendSpans(b, block.Text)
		case *Paragraph:
			appendSpans(b, block.Text)
		case *Code:
			b.WriteString(block.Text + " ")
		case *Formula:
			b.WriteString(block.TeX + " ")
		case *Quote:
			appendText(b, block.Body)
		case *Group:
			appendText(b, block.Body)
		case *List:
			for i := range block.Items {
				appendText(b, block.Items[i].Body)
			}
		case *Table:
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

func appendSpans(b *strings.Builder, text []Span) {
	for i := range text {
		b.WriteString(text[i].Text + text[i].TeX)
	}
	b.WriteString(" ")
}
