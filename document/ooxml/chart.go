package ooxml

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// Bounds of what is read of a chart.
const (
	maxPoints = 1000
	maxSeries = 100

	maxLabelLevels = 8
)

// Chart returns the numbers behind a chart as a table, or its title alone if there
// are none; nil if the part is no chart. What is left out is a warning of the document.
func Chart(root *zipped.Node, doc *tree.Document) tree.Block {
	c := chartReader{labels: map[int]string{}}
	title := ""
	switch {
	case root.Child("c:chart") != nil:
		chart := root.Child("c:chart")
		title = chart.Child("c:title").Child("c:tx").Content()
		c.find(chart.Child("c:plotArea"))
	case root.Child("cx:chart") != nil:
		title = root.Child("cx:chart").Child("cx:title").Child("cx:tx").Content()
		c.findNew(root)
	}
	rows := c.rows()
	if c.cut {
		doc.Warn("A chart has more series or points than can be read; the rest of its numbers was left out.")
	}
	title = strings.TrimSpace(title)
	switch {
	case len(rows) > 0:
		table := &tree.Table{Header: 1, Rows: rows}
		if title != "" {
			table.Caption = []tree.Span{{Text: title}}
		}
		return table
	case title != "":
		return &tree.Paragraph{Text: []tree.Span{{Text: title}}}
	}
	return nil
}

// chartReader gathers the series of a chart.
type chartReader struct {
	names  []string
	values []map[int]string
	labels map[int]string // of the points
	points int
	cut    bool // there are more series or points
}

// find looks for series among the kinds of charts that may be drawn together.
func (c *chartReader) find(area *zipped.Node) {
	for kind := range area.All() {
		for ser := range kind.All() {
			switch {
			case ser.Name != "c:ser":
			case len(c.names) < maxSeries:
				c.series(ser)
			default:
				c.cut = true
			}
		}
	}
}

func (c *chartReader) series(ser *zipped.Node) {
	c.names = append(c.names, strings.TrimSpace(firstValue(ser.Child("c:tx"))))
	for _, name := range []string{"c:cat", "c:xVal"} {
		if levels := ser.Child(name).Child("c:multiLvlStrRef").Child("c:multiLvlStrCache"); levels != nil {
			c.nested(levels)
		} else {
			c.collect(ser.Child(name), c.labels)
		}
	}
	values := map[int]string{}
	for _, name := range []string{"c:val", "c:yVal"} {
		c.collect(ser.Child(name), values)
	}
	c.values = append(c.values, values)
}

// nested gathers labels of several levels, of which the innermost comes first. An outer
// one goes for all points up to the next.
func (c *chartReader) nested(levels *zipped.Node) {
	clear(c.labels)
	depth := 0
	for level := range levels.All() {
		if level.Name != "c:lvl" {
			continue
		}
		if depth++; depth > maxLabelLevels {
			c.cut = true
			return
		}
		outer := map[int]string{}
		c.collect(level, outer)
		last := ""
		for i := range c.points {
			if outer[i] != "" {
				last = outer[i]
			}
			c.labels[i] = strings.TrimSpace(last + " " + c.labels[i])
		}
	}
}

// firstValue returns the first value beneath a node.
func firstValue(n *zipped.Node) string {
	for c := range n.All() {
		if c.Name == "c:v" {
			return c.Content()
		}
		if v := firstValue(c); v != "" {
			return v
		}
	}
	return ""
}

// collect gathers the points beneath a node by their index.
func (c *chartReader) collect(n *zipped.Node, into map[int]string) {
	for p := range n.All() {
		if p.Name != "c:pt" {
			c.collect(p, into)
			continue
		}
		i, err := strconv.Atoi(p.Get("idx"))
		if err != nil || i < 0 || i >= maxPoints {
			c.cut = c.cut || i >= maxPoints
			continue
		}
		into[i] = strings.TrimSpace(p.Child("c:v").Content())
		c.points = max(c.points, i+1)
	}
}

func (c *chartReader) rows() []tree.Row {
	if len(c.names) == 0 || c.points == 0 {
		return nil
	}
	head := tree.Row{Cells: []tree.Cell{{}}}
	for _, name := range c.names {
		head.Cells = append(head.Cells, tree.Cell{Text: name})
	}
	rows := []tree.Row{head}
	for i := range c.points {
		row := tree.Row{Cells: []tree.Cell{{Text: c.labels[i]}}}
		for _, values := range c.values {
			row.Cells = append(row.Cells, tree.Cell{Text: rounded(values[i]), Numeric: true})
		}
		rows = append(rows, row)
	}
	return rows
}

// rounded writes a number without the noise of its binary form.
func rounded(s string) string {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(n, 'g', 15, 64)
}
