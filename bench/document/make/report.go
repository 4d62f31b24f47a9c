package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// report is a document that is made up.
type report struct{ blocks []block }

// block is one thing of a report.
type block struct {
	kind  kind
	text  string
	level int
	lines []string // of a list, of code, of a table of contents with tabs before the numbers
	table *grid
	bars  []bar
}

type kind int

const (
	heading kind = iota
	paragraph
	caption
	small
	list
	code
	contents
	gridBlock
	chart
)

// bar is a bar of a chart.
type bar struct {
	label string
	value int
}

// makeReport makes up a report of a page or two.
func makeReport(random *rand.Rand) *report {
	r := &report{}
	r.add(block{kind: heading, level: 1, text: title(random)})
	if random.IntN(8) == 0 {
		r.add(block{kind: heading, level: 2, text: "Contents"})
		r.add(block{kind: contents, lines: entries(random)})
	}
	n := 1 + random.IntN(3)
	for i := range n {
		if random.IntN(2) == 0 {
			r.add(block{kind: heading, level: 2, text: fmt.Sprintf("%d. %s", i+1, pick(random, subjects...))})
		}
		for range random.IntN(3) {
			r.add(block{kind: paragraph, text: passage(random, 2+random.IntN(4))})
		}
		r.aside(random)
		if random.IntN(4) > 0 {
			r.add(block{kind: caption, text: fmt.Sprintf("Table %d: %s", i+1, title(random))})
		}
		t := makeGrid(random)
		r.add(block{kind: gridBlock, table: t})
		if t.noted || random.IntN(3) == 0 {
			r.add(block{kind: small, text: pick(random, "Source: ", "Note: ", "1) ") + phrase(random, 14) + "."})
		}
		for range random.IntN(3) {
			r.add(block{kind: paragraph, text: passage(random, 2+random.IntN(5))})
		}
	}
	return r
}

// aside adds something that is no table and may look like one.
func (r *report) aside(random *rand.Rand) {
	switch random.IntN(10) {
	case 0:
		b := block{kind: chart}
		for range 3 + random.IntN(8) {
			b.bars = append(b.bars, bar{pick(random, places...), 5 + random.IntN(95)})
		}
		r.add(block{kind: caption, text: "Figure 1: " + title(random)})
		r.add(b)
	case 1:
		b := block{kind: code}
		for i := range 4 + random.IntN(8) {
			b.lines = append(b.lines, fmt.Sprintf("%2d  %s%s = %s(%s, %d)", i+1, strings.Repeat("  ", random.IntN(3)), pick(random, words...), pick(random, words...), pick(random, words...), random.IntN(100)))
		}
		r.add(b)
	case 2, 3:
		b := block{kind: list}
		for range 3 + random.IntN(4) {
			b.lines = append(b.lines, phrase(random, 18))
		}
		r.add(b)
	}
}

func (r *report) add(b block) { r.blocks = append(r.blocks, b) }

// entries are the lines of a table of contents.
func entries(random *rand.Rand) []string {
	var lines []string
	page := 1
	for i := range 4 + random.IntN(5) {
		lines = append(lines, fmt.Sprintf("%d %s\t%d", i+1, pick(random, subjects...), page))
		for k := range random.IntN(4) {
			page += random.IntN(4)
			lines = append(lines, fmt.Sprintf("%d.%d %s\t%d", i+1, k+1, phrase(random, 6), page))
		}
		page += 1 + random.IntN(6)
	}
	return lines
}
