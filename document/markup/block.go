package markup

import (
	"strconv"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/numeral"
	"github.com/trawlhq/trawl/document/tree"
)

// list reads a list with the numbers that it shows.
func (f *flow) list(n *dom.Node, l look) *tree.List {
	f.begin()
	list, number := &tree.List{}, 1
	if start, err := strconv.Atoi(n.Get("start")); err == nil {
		number = start
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == dom.ElementNode && c.Is(atom.Li) {
			if value, err := strconv.Atoi(c.Get("value")); err == nil {
				number = value
			}
			if item, ok := f.item(c, l); ok {
				if n.Atom == atom.Ol && item.Check == tree.NoBox {
					item.Label = form(n.Get("type")).Text(number) + "."
				}
				list.Items = append(list.Items, item)
			}
			number++
			continue
		}
		inner := &flow{Reader: f.Reader, anchor: f.anchor, spaced: true}
		switch c.Type {
		case dom.TextNode:
			inner.text(c.Data, l)
		case dom.ElementNode:
			inner.element(c, l)
		}
		body := inner.finish()
		f.anchor = inner.anchor
		if len(body) == 0 {
			continue
		}
		if len(list.Items) == 0 {
			list.Items = append(list.Items, tree.Item{})
		}
		last := &list.Items[len(list.Items)-1]
		last.Body = append(last.Body, body...)
	}
	return list
}

// item reads an item, if there is something in it.
func (f *flow) item(n *dom.Node, l look) (item tree.Item, ok bool) {
	if f.IsNote != nil {
		if name := f.IsNote(n); name != "" && f.takeNote(name, n) {
			return item, false
		}
	}
	if f.isHidden(n) {
		return item, false
	}
	f.mark(n)
	item.Body = f.within(n, l)
	if len(item.Body) == 0 {
		return item, false
	}
	if p, ok := item.Body[0].(*tree.Paragraph); ok {
		item.Check, p.Text = tree.TakeBox(p.Text)
	}
	return item, true
}

// form is how the items of a list are numbered.
func form(kind string) numeral.Form {
	switch kind {
	case "a":
		return numeral.LowerLetter
	case "A":
		return numeral.UpperLetter
	case "i":
		return numeral.LowerRoman
	case "I":
		return numeral.UpperRoman
	}
	return numeral.Arabic
}

// table reads a table, or what is in it if it only arranges things.
func (f *flow) table(n *dom.Node, l look) {
	f.begin()
	rows := rowsOf(n)
	if f.arranges(n, rows) {
		f.unwrap(n, l)
		return
	}
	t := &tree.Table{}
	for i, row := range rows {
		t.Rows = append(t.Rows, f.row(row, len(rows)-i, l))
		if t.Header == i && isHeader(row) {
			t.Header++
		}
	}
	if caption := f.caption(n, l); len(caption) > 0 {
		t.Caption = caption
	}
	t.PlainHeader()
	f.add(t)
}

// rowsOf returns the rows of a table, without those of tables within it.
func rowsOf(n *dom.Node) []*dom.Node {
	var rows []*dom.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != dom.ElementNode:
		case c.Atom == atom.Tr:
			rows = append(rows, c)
		case c.Atom == atom.Thead, c.Atom == atom.Tbody, c.Atom == atom.Tfoot:
			rows = append(rows, rowsOf(c)...)
		}
	}
	return rows
}

func isCell(n *dom.Node) bool { return n.Is(atom.Td) || n.Is(atom.Th) }

// isHeader tells whether a row is a header: by where it stands, or all its cells are.
func isHeader(row *dom.Node) bool {
	if row.Parent.Is(atom.Thead) {
		return true
	}
	cells := 0
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.Td) {
			return false
		}
		if c.Is(atom.Th) {
			cells++
		}
	}
	return cells > 0
}

// maxSpan is how many columns or rows a cell may span.
const maxSpan = 1000

// row reads a row of which so many are left.
func (f *flow) row(n *dom.Node, left int, l look) tree.Row {
	var row tree.Row
	f.mark(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !isCell(c) {
			continue
		}
		f.mark(c)
		cell := tree.Cell{Body: f.within(c, l), Header: c.Atom == atom.Th, Columns: span(c.Get("colspan"), maxSpan), Rows: span(c.Get("rowspan"), min(left, maxSpan))}
		cell.Simplify()
		row.Cells = append(row.Cells, cell)
	}
	return row
}

func span(value string, most int) int32 {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 1
	}
	return int32(min(max(n, 1), most))
}

// caption reads the caption of a table.
func (f *flow) caption(n *dom.Node, l look) []tree.Span {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !c.Is(atom.Caption) {
			continue
		}
		for _, b := range f.within(c, l) {
			if p, ok := b.(*tree.Paragraph); ok {
				return p.Text
			}
		}
	}
	return nil
}

// unwrap reads the cells of a table one after the other.
func (f *flow) unwrap(n *dom.Node, l look) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == dom.ElementNode && !f.isHidden(c) {
			switch c.Atom {
			case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr:
				f.unwrap(c, l)
			default:
				f.element(c, l)
			}
		}
	}
	f.begin()
}

// arranges tells whether a table is there to put things in a place: it says so, holds
// tables or hardly any cells, or much else than short texts.
func (f *flow) arranges(n *dom.Node, rows []*dom.Node) bool {
	role := n.Get("role")
	if role == "presentation" || role == "none" || len(rows) == 0 {
		return true
	}
	cells, columns, rich := 0, 0, 0
	for _, row := range rows {
		width := 0
		for c := row.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Is(atom.Th) && f.Layout:
				return false
			case !isCell(c):
				continue
			}
			width++
			switch holds(c) {
			case aTable:
				if f.Layout {
					return true
				}
			case blocks:
				rich++
			}
		}
		cells += width
		columns = max(columns, width)
	}
	if !f.Layout {
		return false
	}
	return len(rows) < 2 || columns < 2 || 3*rich > cells
}

// What a cell holds.
const (
	words = iota
	blocks
	aTable
)

// holds tells what is in a cell, from its first elements.
func holds(cell *dom.Node) int {
	found, size, paragraphs := words, 0, 0
	steps := 0
	for c := cell.FirstChild; c != nil && steps < 500; c = dom.Following(c, cell, true) {
		steps++
		switch {
		case c.Type == dom.TextNode:
			size += len(c.Data)
		case c.Is(atom.Table):
			return aTable
		case c.Is(atom.P), c.Is(atom.Div):
			paragraphs++
		case c.Is(atom.Img), c.Is(atom.Ul), c.Is(atom.Ol), c.Is(atom.H1), c.Is(atom.H2), c.Is(atom.H3), c.Is(atom.Hr), c.Is(atom.Blockquote):
			found = blocks
		}
	}
	if size > 400 || paragraphs > 3 {
		return blocks
	}
	return found
}
