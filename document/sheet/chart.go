package sheet

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// A chart is read as a table of what it shows, under its title. Charts of many
// points are drawn from cells that are read anyway: of them the title is enough.
const (
	maxCharts = 100 // in a file
	maxPoints = 100 // of a chart that is shown as a table
	maxSeries = 50
)

// chart is a chart while it is read.
type chart struct {
	title  string
	series []series
}

// series are the points of one line of a chart.
type series struct {
	name           string
	labels, values map[int]string
	count          int
}

// drawing reads the charts that lie on a sheet.
func (p *pack) drawing(g *grid, name string) {
	if name == "" {
		return
	}
	s, _ := p.archive.Scan(name)
	if s == nil {
		return
	}
	relations := p.relations(name)
	row := int32(0)
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		if k != zipped.AtOpen {
			continue
		}
		switch s.Name() {
		case "twoCellAnchor", "oneCellAnchor", "absoluteAnchor":
			row = -1
		case "row":
			if row < 0 { // where it begins; it ends in another
				row = int32(parseInt(s.Inner("")))
			}
		case "chart":
			if r := relations[s.Get("id")]; r.kind == "chart" && p.charts < maxCharts {
				p.charts++
				g.charts = append(g.charts, figure{row, p.chart(r.target)})
			} else if r.kind == "chart" {
				p.manyCharts = true
			}
		}
	}
}

// chart reads a chart.
func (p *pack) chart(name string) []tree.Block {
	s, _ := p.archive.Scan(name)
	if s == nil {
		return nil
	}
	var c chart
	for k, inPlot := s.Next(), false; k != zipped.AtEnd; k = s.Next() {
		switch {
		case k == zipped.AtText:
		case s.Name() == "plotArea":
			inPlot = k == zipped.AtOpen
		case k == zipped.AtOpen && s.Name() == "title" && !inPlot && c.title == "":
			c.title = strings.Join(strings.Fields(s.Inner("f")), " ")
		case k == zipped.AtOpen && s.Name() == "ser" && len(c.series) < maxSeries:
			c.series = append(c.series, p.series(s))
			p.manyCharts = p.manyCharts || c.series[len(c.series)-1].count > maxPoints
		case k == zipped.AtOpen && s.Name() == "ser":
			p.manyCharts = true
		}
	}
	return c.blocks()
}

// series reads a series that was opened.
func (p *pack) series(s *zipped.Scanner) series {
	one := series{labels: map[int]string{}, values: map[int]string{}}
	var into map[int]string // where points belong
	inName, code, index := false, "", -1
	for depth := 1; depth > 0; {
		k := s.Next()
		name := s.Name()
		switch k {
		case zipped.AtEnd:
			return one
		case zipped.AtClose:
			depth--
		case zipped.AtOpen:
			depth++
			switch name {
			case "tx":
				inName = true
			case "cat", "xVal":
				into, inName, code = one.labels, false, ""
			case "val", "yVal":
				into, inName, code = one.values, false, ""
			case "bubbleSize", "errBars", "dLbls", "trendline":
				into, inName = nil, false
			case "formatCode":
				code = s.Inner("")
				depth--
			case "pt":
				index = parseInt(s.Raw("idx"))
			case "v":
				text := s.Inner("")
				depth--
				switch {
				case inName:
					one.name = text
				case into != nil && index >= 0 && len(into) <= maxPoints:
					into[index] = p.point(text, code)
					one.count = max(one.count, index+1)
				}
			}
		}
	}
	return one
}

// point shows a value of a chart.
func (p *pack) point(text, code string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return p.styles.parse(code).show(v, p.since1904)
}

// blocks returns the title of a chart and the table of its points.
func (c *chart) blocks() []tree.Block {
	var blocks []tree.Block
	if c.title != "" {
		blocks = append(blocks, &tree.Paragraph{Text: []tree.Span{{Text: c.title}}})
	}
	count := 0
	head := tree.Row{Cells: []tree.Cell{{}}}
	for i := range c.series {
		count = max(count, c.series[i].count)
		head.Cells = append(head.Cells, tree.Cell{Text: c.series[i].name})
	}
	if count == 0 || count > maxPoints {
		return blocks
	}
	t := &tree.Table{Header: 1, Rows: []tree.Row{head}}
	for i := range count {
		row := tree.Row{Cells: []tree.Cell{{Text: c.series[0].labels[i]}}}
		for j := range c.series {
			row.Cells = append(row.Cells, tree.Cell{Text: c.series[j].values[i], Numeric: true})
		}
		t.Rows = append(t.Rows, row)
	}
	return append(blocks, t)
}
