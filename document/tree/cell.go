package tree

import "strings"

// Simplify makes a cell with nothing but plain text one of text; most are.
func (c *Cell) Simplify() {
	if len(c.Body) != 1 {
		return
	}
	p, ok := c.Body[0].(*Paragraph)
	if ok && len(p.Text) == 1 && p.Text[0] == (Span{Text: p.Text[0].Text}) && !strings.Contains(p.Text[0].Text, "\n") {
		c.Text, c.Body = p.Text[0].Text, nil
	}
}

// PlainHeader takes away the bold of the rows at the top, if all their text is: it
// only says that they are headers.
func (t *Table) PlainHeader() {
	for i := range t.Rows[:min(max(t.Header, 1), len(t.Rows))] {
		cells := t.Rows[i].Cells
		if !allBold(cells) {
			return
		}
		for j := range cells {
			for _, b := range cells[j].Body {
				if p, ok := b.(*Paragraph); ok {
					unbold(p.Text)
				}
			}
			cells[j].Simplify()
		}
	}
}

// allBold tells whether the text of all cells is bold.
func allBold(cells []Cell) bool {
	for i := range cells {
		if cells[i].Text != "" {
			return false
		}
		for _, b := range cells[i].Body {
			p, ok := b.(*Paragraph)
			if !ok || !isBold(p.Text) {
				return false
			}
		}
	}
	return true
}
