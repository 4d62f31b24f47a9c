package tree

import (
	"slices"
	"strconv"
)

// table writes a table. A row at the top is always a header, as markdown has no
// tables without. Of a table that only arranges things, they are all that is written.
func (w *writer) table(t *Table) {
	if len(t.Rows) == 0 {
		return
	}
	if !t.Sheet && arranges(t) {
		w.unwrap(t)
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

// Extend adds the rows of a table that goes on with this one, without the rows at its
// top that repeat those of this one.
func (t *Table) Extend(more *Table) {
	same := 0
	for same < min(len(t.Rows), len(more.Rows)) && slices.EqualFunc(t.Rows[same].Cells, more.Rows[same].Cells, sameCell) {
		same++
	}
	t.Rows = append(t.Rows, more.Rows[same:]...)
}

// sameCell reports whether two cells have the same place in a row and the same text.
func sameCell(a, b Cell) bool {
	return a.Text == b.Text && max(a.Columns, 1) == max(b.Columns, 1) && len(a.Body) == 0 && len(b.Body) == 0
}

// unwrap writes what is in the cells of a table.
func (w *writer) unwrap(t *Table) {
	w.lines("p", t.Caption)
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			c := &t.Rows[i].Cells[j]
			w.lines("p", []Span{{Text: c.Text}})
			w.blocks(c.Body)
		}
	}
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
	from := len(w.out)
	w.prose(c.Text)
	if isLinear(c.Body) {
		w.flat(c.Body, "", from)
	} else {
		w.blocks(c.Body)
	}
	w.raw("</" + name + ">")
}

// much is how many bytes the paragraphs of a cell have that is there to arrange them.
const much = 300

// arranges tells whether a table is there to put things in a place and not to
// compare them: it has one row or column, and in it whole passages or
// tables.
func arranges(t *Table) bool {
	columns := 0
	for i := range t.Rows {
		columns = max(columns, len(t.Rows[i].Cells))
	}
	if len(t.Rows) == 1 && columns == 1 {
		return true // a frame
	}
	if len(t.Rows) > 1 && columns > 1 {
		return false
	}
	for i := range t.Rows {
		for _, c := range t.Rows[i].Cells {
			if !isLinear(c.Body) || holdsTable(c.Body) || len(c.Body) > 1 && length(c.Body) > much {
				return true
			}
		}
	}
	return false
}

func holdsTable(body []Block) bool {
	return slices.ContainsFunc(body, func(b Block) bool { _, ok := b.(*Table); return ok })
}

// isLinear tells whether blocks can be written as lines of text, which is all that
// the cells of a table in markdown can hold.
func isLinear(body []Block) bool {
	for _, b := range body {
		switch b := b.(type) {
		case *Paragraph, *Image, *Formula:
		case *List:
			for i := range b.Items {
				if !isLinear(b.Items[i].Body) {
					return false
				}
			}
		case *Table:
			for i := range b.Rows {
				for j := range b.Rows[i].Cells {
					if !isLinear(b.Rows[i].Cells[j].Body) {
						return false
					}
				}
			}
		default:
			return false
		}
	}
	return true
}

// length returns how many bytes of text blocks have that are lines.
func length(body []Block) int {
	n := 0
	for _, b := range body {
		switch b := b.(type) {
		case *Paragraph:
			for i := range b.Text {
				n += len(b.Text[i].Text)
			}
		case *List:
			for i := range b.Items {
				n += length(b.Items[i].Body)
			}
		case *Table:
			for i := range b.Rows {
				for j := range b.Rows[i].Cells {
					n += len(b.Rows[i].Cells[j].Text) + length(b.Rows[i].Cells[j].Body)
				}
			}
		}
	}
	return n
}

// flat writes blocks as lines with breaks between them. The first of them begins
// with lead. The lines of the cell begin at from.
func (w *writer) flat(body []Block, lead string, from int) {
	if w.depth >= maxDepth || len(w.out) >= w.most {
		w.cut = w.cut || len(body) > 0
		return
	}
	w.depth++
	for _, b := range body {
		switch b := b.(type) {
		case *Paragraph:
			if isBlank(b.Text) {
				continue
			}
			w.newLine(from, lead)
			w.spans(b.Text)
		case *Image:
			w.newLine(from, lead)
			w.image(b)
		case *Formula:
			w.newLine(from, lead)
			w.formula(b.TeX, false)
		case *List:
			for i := range b.Items {
				w.flat(b.Items[i].Body, lead+w.sign(&b.Items[i]), from)
				lead = ""
			}
		case *Table:
			w.flatTable(b, lead, from)
		}
		lead = ""
	}
	w.depth--
}

// newLine begins a line of a cell.
func (w *writer) newLine(from int, lead string) {
	if len(w.out) > from {
		w.raw("<br>")
	}
	w.raw(lead)
}

// sign returns what an item begins with that is a line of text.
func (w *writer) sign(item *Item) string {
	sign := "- "
	if item.Label != "" {
		sign = string(appendEscaped(nil, item.Label)) + " "
	}
	switch item.Check {
	case Unchecked:
		sign += "[ ] "
	case Checked:
		sign += "[x] "
	}
	return sign
}

// flatTable writes each row of a table within a table as a line.
func (w *writer) flatTable(t *Table, lead string, from int) {
	for i := range t.Rows {
		w.newLine(from, lead)
		lead = ""
		between := ""
		for j := range t.Rows[i].Cells {
			c := &t.Rows[i].Cells[j]
			if c.Text == "" && len(c.Body) == 0 {
				continue
			}
			w.raw(between)
			at := len(w.out)
			w.prose(c.Text)
			w.flat(c.Body, "", at)
			between = ", "
		}
	}
}
