package facts

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

const maxCell = 500 // bytes

// row is a row of a table as it is laid out.
type row struct {
	cells  []string
	heads  int  // cells that are th
	inHead bool // in a thead
	wide   bool // a cell goes over several columns
	lone   bool // one cell is all it has: a title between others
}

// table reads a table: rows under a header, or pairs where there are two columns.
// A table that holds others is there for the layout and says nothing by itself.
func (r *reader) table(n *dom.Node) {
	if holdsTable(n, &r.work) {
		return
	}
	if len(r.facts.Tables) >= maxTables || r.cells >= maxCells {
		r.facts.Cut = true
		return
	}
	rows, caption := r.rows(n)
	rows = slices.DeleteFunc(rows, func(row row) bool { return row.lone })
	if len(rows) == 0 {
		return
	}
	headed := rows[0].heads == len(rows[0].cells) || rows[0].inHead
	if body := rows[1:]; headed && len(rows[0].cells) > 1 && len(body) > 0 {
		r.headed(caption, rows[0].cells, body)
		rows = body
	}
	for _, row := range rows {
		if len(row.cells) != 2 || row.wide {
			return
		}
	}
	for _, row := range rows {
		r.pair(strings.ReplaceAll(row.cells[0], "\n", " "), row.cells[1])
	}
}

// headed notes a table with a header. Rows of another shape are left out.
func (r *reader) headed(caption string, header []string, body []row) {
	t := Table{Caption: caption, Header: oneLine(header)}
	for _, row := range body {
		if len(row.cells) == len(header) && !row.wide && row.heads < len(row.cells) {
			t.Rows = append(t.Rows, oneLine(row.cells))
		}
	}
	if len(t.Rows) > 0 {
		r.facts.Tables = append(r.facts.Tables, t)
	}
}

// oneLine returns cells without their line breaks.
func oneLine(cells []string) []string {
	plain := make([]string, len(cells))
	for i, cell := range cells {
		plain[i] = strings.ReplaceAll(cell, "\n", " ")
	}
	return plain
}

func holdsTable(n *dom.Node, work *int) bool {
	for c := n.FirstChild; c != nil && *work > 0; c = dom.Following(c, n, true) {
		if *work--; c.Is(atom.Table) {
			return true
		}
	}
	return false
}

// rows returns the rows of a table with spans filled in, and its caption.
func (r *reader) rows(table *dom.Node) (rows []row, caption string) {
	var down []span // by column
	for part := table.FirstChild; part != nil; part = part.NextSibling {
		switch part.Atom {
		case atom.Caption:
			caption = r.text(part, maxCell)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			clear(down) // no cell reaches into the next part
			for n := part.FirstChild; n != nil; n = n.NextSibling {
				if !n.Is(atom.Tr) {
					continue
				}
				if len(rows) > maxRows || r.cells >= maxCells { // the header is one more
					r.facts.Cut = true
					return rows, caption
				}
				var next row
				next, down = r.row(n, down)
				next.inHead = part.Is(atom.Thead)
				if len(next.cells) > 0 {
					rows = append(rows, next)
				}
			}
		}
	}
	return rows, caption
}

// span is a cell that reaches down into the next rows.
type span struct {
	text string
	left int
}

// row lays out one row, beneath the cells that reach down into it.
func (r *reader) row(tr *dom.Node, down []span) (row, []span) {
	var out row
	count := 0
	fill := func() {
		for at := len(out.cells); at < len(down) && down[at].left > 0; at++ {
			down[at].left--
			out.cells = append(out.cells, down[at].text)
		}
	}
	fill()
	for n := tr.FirstChild; n != nil && len(out.cells) < maxColumns; n = n.NextSibling {
		if !n.Is(atom.Td) && !n.Is(atom.Th) {
			continue
		}
		text := r.lines(n, maxCell)
		across, deep := spanOf(n, "colspan"), spanOf(n, "rowspan")
		out.wide = out.wide || across > 1
		count++
		for range min(across, maxColumns-len(out.cells)) {
			for len(down) <= len(out.cells) {
				down = append(down, span{})
			}
			down[len(out.cells)] = span{text, deep - 1}
			out.cells = append(out.cells, text)
			if n.Is(atom.Th) {
				out.heads++
			}
		}
		fill()
	}
	out.lone = count == 1 && (out.wide || len(out.cells) == 1)
	r.cells += len(out.cells)
	return out, down
}

func spanOf(n *dom.Node, key string) int {
	v, err := strconv.Atoi(n.Get(key))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, maxRows)
}
