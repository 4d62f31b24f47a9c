package layout

// Browsers print tables that they take for a means of layout without saying that they
// are tables: rows and cells are elements that mean nothing. What stands in rows and
// columns is a table all the same.

const (
	gridSlack   = 2.0 // points by which the cells of a column may be out of line
	gridLetters = 200 // that cells have on average at most; else they are columns of prose
)

// grid returns an element as a table, or nil if its children do not stand like rows.
func (r *tagReader) grid(e *Element) *Element {
	if e.Type != "NonStruct" || len(e.Children) < 2 {
		return nil
	}
	table := &Element{Type: "Table"}
	columns, letters, cells := 0, 0, 0
	var above Box
	var places [][]Box
	for _, child := range e.Children {
		all := r.line()
		all.element(child)
		if all.letters == 0 { // borders, and white space between rows
			continue
		}
		row := &Element{Type: "TR"}
		var boxes []Box
		for _, cell := range child.Children {
			if cell.Type != "NonStruct" || len(cell.Marks) > 0 {
				return nil
			}
			row.Children = append(row.Children, &Element{Type: "TD", Children: cell.Children})
			boxes = append(boxes, r.extent(cell))
		}
		if child.Type != "NonStruct" || len(boxes) == 0 || all.box.Top < above.Bottom-gridSlack && above != (Box{}) || !beside(boxes) {
			return nil
		}
		above = all.box
		letters += all.letters
		cells += len(boxes)
		columns = max(columns, len(boxes))
		places = append(places, boxes)
		table.Children = append(table.Children, row)
	}
	if len(places) < 2 || columns < 2 || letters > gridLetters*cells || !inLine(places, columns) {
		return nil
	}
	return table
}

// beside reports whether boxes follow each other on a line. Those of empty cells do not count.
func beside(boxes []Box) bool {
	var last Box
	for _, b := range boxes {
		if b == (Box{}) {
			continue
		}
		if last != (Box{}) && (b.Left < last.Right-gridSlack || b.Top > last.Bottom || b.Bottom < last.Top) {
			return false
		}
		last = b
	}
	return true
}

// inLine reports whether the cells of rows that have all columns begin, end or have
// their middle at the same place. Most rows must have all.
func inLine(rows [][]Box, columns int) bool {
	full := 0
	var first []Box
	for _, row := range rows {
		if len(row) < columns {
			continue
		}
		full++
		if first == nil {
			first = append(first, row...)
			continue
		}
		for i, b := range row {
			f := &first[i]
			switch {
			case b == Box{}:
			case *f == Box{}:
				*f = b
			case abs(b.Left-f.Left) > gridSlack && abs(b.Right-f.Right) > gridSlack && abs(b.centerX()-f.centerX()) > gridSlack:
				return false
			}
		}
	}
	return full >= 2 && full*2 > len(rows)
}
