package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// grid is a table that is made up.
type grid struct {
	header  int // rows
	columns int
	rows    [][]cell
	widths  []float64 // of the columns, as shares of the whole; 0 is as wide as it needs to be
	noted   bool
	wide    bool // too wide for a column of text
}

// cell is a cell; those that others span are not there.
type cell struct {
	text          string
	columns, rows int  // that it spans, if more than 1
	number        bool // is written to the right
	center        bool
	indent        int
	total         bool // is in a row of sums
}

// makeGrid makes up a table.
func makeGrid(random *rand.Rand) *grid {
	switch random.IntN(12) {
	case 0:
		return textGrid(random)
	case 1:
		return formGrid(random)
	case 2:
		return groupedGrid(random)
	case 3:
		return checkGrid(random)
	case 4:
		return projectGrid(random)
	case 5:
		return statistics(random, 9+random.IntN(6), true)
	}
	return statistics(random, 2+random.IntN(6), false)
}

// statistics is a table of numbers with names before them.
func statistics(random *rand.Rand, columns int, wide bool) *grid {
	g := &grid{columns: columns + 1, wide: wide || columns > 5}
	kinds := make([]number, columns)
	first := number(random.IntN(int(numbers)))
	for i := range kinds {
		kinds[i] = first
		if random.IntN(3) == 0 {
			kinds[i] = number(random.IntN(int(numbers)))
		}
	}
	g.head(random, columns)
	source := stubs
	if random.IntN(2) == 0 {
		source = places
	}
	sections := random.IntN(4) == 0
	indent := 0
	for i := range 3 + random.IntN(pick(random, 6, 12, 30)) {
		if sections && i%5 == 0 {
			if random.IntN(2) == 0 {
				g.rows = append(g.rows, []cell{{text: pick(random, subjects...), columns: columns + 1, total: true}})
			} else {
				g.rows = append(g.rows, append([]cell{{text: pick(random, subjects...), total: true}}, make([]cell, columns)...))
			}
			indent = random.IntN(2)
		} else if random.IntN(4) == 0 {
			indent = random.IntN(3)
		}
		name := pick(random, source...)
		if random.IntN(8) == 0 {
			name += " " + phrase(random, 8)
		}
		if random.IntN(15) == 0 {
			name += " 1)"
			g.noted = true
		}
		row := []cell{{text: name, indent: min(indent, i)}}
		for k := range columns {
			row = append(row, cell{text: kinds[k].write(random), number: true})
		}
		g.rows = append(g.rows, row)
	}
	if random.IntN(3) == 0 {
		row := []cell{{text: pick(random, "Total", "All", "Average", "EU-27"), total: true}}
		for k := range columns {
			row = append(row, cell{text: kinds[k].write(random), number: true, total: true})
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// head adds one, two or three rows of a header.
func (g *grid) head(random *rand.Rand, columns int) {
	year := 1980 + random.IntN(30)
	short := func(i int) string {
		if random.IntN(6) == 0 {
			return pick(random, measures...) + " " + phrase(random, 3)
		}
		return pick(random, measures...)
	}
	label := pick(random, "", "Region", "Country", "Item", "Indicator", "Sector of activity", "Type of "+pick(random, words...))
	if years := random.IntN(3) == 0; years {
		short = func(i int) string { return fmt.Sprint(year + i) }
	}
	levels := 1
	if columns >= 4 && columns%2 == 0 && random.IntN(2) == 0 {
		levels = 2
	}
	if columns >= 6 && levels == 2 && random.IntN(4) == 0 {
		levels = 3
	}
	if levels == 1 {
		row := []cell{{text: label}}
		for i := range columns {
			row = append(row, cell{text: short(i), number: true})
		}
		g.rows, g.header = [][]cell{row}, 1
		return
	}
	if levels == 3 {
		g.rows = append(g.rows, []cell{{text: label, rows: 3}, {text: pick(random, subjects...), columns: columns, center: true}})
		label = ""
	}
	per := 2
	if columns%3 == 0 && random.IntN(2) == 0 {
		per = 3
	}
	var upper, lower []cell
	if levels == 2 {
		upper = append(upper, cell{text: label, rows: 2})
	}
	for i := range columns / per {
		text := pick(random, measures...) + pick(random, "", " of "+strings.ToLower(pick(random, subjects...)))
		if random.IntN(2) == 0 {
			text = fmt.Sprint(year + i)
		}
		upper = append(upper, cell{text: text, columns: per, center: true})
		for k := range per {
			lower = append(lower, cell{text: short(k), number: true})
		}
	}
	g.rows = append(g.rows, upper, lower)
	g.header = levels
}

// textGrid is a table of passages.
func textGrid(random *rand.Rand) *grid {
	columns := 3 + random.IntN(2)
	g := &grid{columns: columns, header: 1, wide: true}
	var head []cell
	for i := range columns {
		head = append(head, cell{text: []string{"Objective", "Action", "Responsible", "Remarks"}[i]})
		g.widths = append(g.widths, []float64{.3, .35, .15, .2}[i])
	}
	g.rows = append(g.rows, head)
	for range 3 + random.IntN(5) {
		row := []cell{{text: pick(random, actions...)}, {text: phrase(random, 24)}, {text: pick(random, names...)}, {text: pick(random, "", phrase(random, 8))}}
		g.rows = append(g.rows, row[:columns])
	}
	return g
}

// formGrid is a table of names and values.
func formGrid(random *rand.Rand) *grid {
	g := &grid{columns: 2, header: 1}
	g.rows = append(g.rows, []cell{{text: "Item"}, {text: pick(random, "Value", "Details", "Description")}})
	for range 3 + random.IntN(7) {
		g.rows = append(g.rows, []cell{{text: pick(random, stubs...)}, {text: pick(random, pick(random, places...), phrase(random, 12), number(random.IntN(int(numbers))).write(random), pick(random, names...))}})
	}
	return g
}

// groupedGrid is a table whose first column spans rows.
func groupedGrid(random *rand.Rand) *grid {
	columns := 2 + random.IntN(4)
	g := &grid{columns: columns + 2, header: 1, wide: columns > 3}
	head := []cell{{text: "Region"}, {text: "Category"}}
	for range columns {
		head = append(head, cell{text: pick(random, measures...), number: true})
	}
	g.rows = append(g.rows, head)
	for range 2 + random.IntN(4) {
		n := 2 + random.IntN(3)
		for k := range n {
			var row []cell
			if k == 0 {
				row = append(row, cell{text: pick(random, places...), rows: n})
			}
			row = append(row, cell{text: pick(random, stubs...)})
			for range columns {
				row = append(row, cell{text: grouped.write(random), number: true})
			}
			g.rows = append(g.rows, row)
		}
	}
	return g
}

// checkGrid is a table of which much is empty.
func checkGrid(random *rand.Rand) *grid {
	columns := 3 + random.IntN(5)
	g := &grid{columns: columns + 1, header: 1, wide: columns > 4}
	head := []cell{{text: "Measure"}}
	for range columns {
		head = append(head, cell{text: pick(random, places[:26]...), center: true})
	}
	g.rows = append(g.rows, head)
	for range 4 + random.IntN(8) {
		row := []cell{{text: pick(random, actions...)}}
		for range columns {
			row = append(row, cell{text: pick(random, "", "", "x", "Yes"), center: true})
		}
		row[1+random.IntN(columns)].text = "x"
		g.rows = append(g.rows, row)
	}
	return g
}

// projectGrid is a list of things with their places, dates and amounts.
func projectGrid(random *rand.Rand) *grid {
	g := &grid{columns: 5, header: 1, wide: true}
	g.rows = append(g.rows, []cell{{text: "No."}, {text: "Project"}, {text: "Location"}, {text: "Date"}, {text: "Amount", number: true}})
	for i := range 4 + random.IntN(12) {
		g.rows = append(g.rows, []cell{
			{text: fmt.Sprint(i + 1)}, {text: phrase(random, 10)}, {text: pick(random, places...)},
			{text: fmt.Sprintf("%02d/%02d/%d", 1+random.IntN(28), 1+random.IntN(12), 1995+random.IntN(25))}, {text: pick(random, grouped, money).write(random), number: true},
		})
	}
	return g
}
