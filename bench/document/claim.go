package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
)

// claim is a test of the olmOCR benchmark: something that holds for the text of a
// page.
type claim struct {
	PDF         string `json:"pdf"`
	Type        string `json:"type"` // present, absent, order, table; math is not judged
	Text        string `json:"text"`
	Before      string `json:"before"`
	After       string `json:"after"`
	MaxDiffs    int    `json:"max_diffs"`
	FirstN      int    `json:"first_n"`
	LastN       int    `json:"last_n"`
	Cell        string `json:"cell"`
	Up          string `json:"up"`
	Down        string `json:"down"`
	Left        string `json:"left"`
	Right       string `json:"right"`
	TopHeading  string `json:"top_heading"`
	LeftHeading string `json:"left_heading"`
}

func readClaims(path string) ([]claim, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []claim
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c claim
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, err
		}
		if c.Type != "math" {
			list = append(list, c)
		}
	}
	return list, lines.Err()
}

// holds reports whether the claim is true of a page's markdown.
func (c *claim) holds(markdown string) bool {
	text := normal(plain(escape.ReplaceAllString(markdown, "$1")))
	switch c.Type {
	case "present", "absent":
		if c.FirstN > 0 {
			text = string([]rune(text)[:min(c.FirstN, len([]rune(text)))])
		}
		if runes := []rune(text); c.LastN > 0 {
			text = string(runes[max(0, len(runes)-c.LastN):])
		}
		_, found := find(text, c.Text, c.MaxDiffs)
		return found == (c.Type == "present")
	case "order":
		before, ok := find(text, c.Before, c.MaxDiffs)
		if !ok {
			return false
		}
		rest := []rune(text)[before:]
		_, ok = find(string(rest), c.After, c.MaxDiffs)
		return ok
	case "table":
		return c.inTable(markdown)
	}
	return false
}

// inTable reports whether a table has the cell with these neighbours.
func (c *claim) inTable(markdown string) bool {
	for _, table := range grids(markdown) {
		for y, row := range table {
			for x, cell := range row {
				if similar(cell, c.Cell, c.MaxDiffs) && c.fits(table, x, y) {
					return true
				}
			}
		}
	}
	return false
}

func (c *claim) fits(table [][]string, x, y int) bool {
	at := func(x, y int, want string) bool {
		return want == "" || y >= 0 && y < len(table) && x >= 0 && x < len(table[y]) && similar(table[y][x], want, c.MaxDiffs)
	}
	if !at(x, y-1, c.Up) || !at(x, y+1, c.Down) || !at(x-1, y, c.Left) || !at(x+1, y, c.Right) {
		return false
	}
	top := c.TopHeading == ""
	for i := 0; i < y; i++ {
		top = top || at(x, i, c.TopHeading)
	}
	left := c.LeftHeading == ""
	for i := 0; i < x; i++ {
		left = left || at(i, y, c.LeftHeading)
	}
	return top && left
}

func similar(cell, want string, most int) bool {
	want = normal(want)
	at, ok := find(cell, want, most)
	return ok && at <= len([]rune(want))+most && len([]rune(cell)) <= len([]rune(want))+most
}

// find looks for a text with at most some differing characters, and returns where
// the first such place ends.
func find(text, want string, most int) (end int, found bool) {
	pattern, runes := []rune(normal(want)), []rune(text)
	column := make([]int, len(pattern)+1)
	for i := range column {
		column[i] = i
	}
	for at, r := range runes {
		diagonal := column[0]
		for i, p := range pattern {
			cost := 1
			if p == r {
				cost = 0
			}
			next := min(diagonal+cost, column[i]+1, column[i+1]+1)
			diagonal, column[i+1] = column[i+1], next
		}
		if column[len(pattern)] <= most {
			return at + 1, true
		}
	}
	return 0, len(pattern) == 0
}
