package tree

import "strconv"

// table writes a table. A row at the top is always a header: markdown has no
// tables without.
func (w *writer) table(t *Table) {
	if len(t.Rows) == 0 {
		return
	}
	w.raw("<table>\n")
	if !isBlank(t.Caption) {
		w.raw("<caption>")
		w.spans(t.Caption)
		w.raw("</caption>\n")
	}
	for i := range t.Rows {
		if len(w.out) >= w.most {
			w.cut = true
			break
		}
		w.raw("<tr>")
		for j := range t.Rows[i].Cells {
			w.cell(&t.Rows[i].Cells[j], i < max(t.Header, 1))
		}
		w.raw("</tr>\n")
	}
	w.raw("</table>\n")
}

func (w *writer) cell(c *Cell, header bool) {
	name := "td"
	if header || c.Header {
		name = "th"
	}
	w.raw("<" + name)
	if c.Columns > 1 {
		w.attribute("colspan", strconv.Itoa(int(c.Columns)))
	}
	if c.Rows > 1 {
		w.attribute("rowspan", strconv.Itoa(int(c.Rows)))
	}
	w.raw(">")
	w.text(c.Text)
	if len(c.Body) == 1 {
		if p, ok := c.Body[0].(*Paragraph); ok {
			w.spans(p.Text)
			w.raw("</" + name + ">")
			return
		}
	}
	w.blocks(c.Body)
	w.raw("</" + name + ">")
}
