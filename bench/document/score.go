package main

import (
	"regexp"
	"strings"
	"unicode"
)

// words returns how often each word is in a text; markup, punctuation and case
// do not count.
func words(text string) map[string]int {
	count := map[string]int{}
	for _, word := range strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "<br>", " ")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}) {
		count[word]++
	}
	return count
}

// compare returns which share of the reference was found, and which share of what
// was found is in the reference.
func compare(found, reference map[string]int) (recall, precision float64) {
	both, inFound, inReference := 0, 0, 0
	for key, n := range reference {
		inReference += n
		both += min(n, found[key])
	}
	for _, n := range found {
		inFound += n
	}
	return share(both, inReference), share(both, inFound)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

var (
	address = regexp.MustCompile(`\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)`)
	rule    = regexp.MustCompile(`^\s*:?-+:?\s*$`)
	escape  = regexp.MustCompile(`\\([[:punct:]])`)
)

// plain returns markdown without the addresses of its links.
func plain(markdown string) string { return address.ReplaceAllString(markdown, "]") }

// grids returns the tables of a markdown text, without the rows of dashes.
func grids(markdown string) [][][]string {
	var list [][][]string
	var table [][]string
	for line := range strings.Lines(markdown + "\n\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if table != nil {
				list, table = append(list, table), nil
			}
			continue
		}
		if cells := splitRow(line); !isRule(cells) {
			table = append(table, cells)
		}
	}
	return list
}

func splitRow(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	for i, cell := range cells {
		cells[i] = normal(escape.ReplaceAllString(strings.ReplaceAll(cell, "\x00", "|"), "$1"))
	}
	return cells
}

func isRule(cells []string) bool {
	for _, cell := range cells {
		if !rule.MatchString(cell) {
			return false
		}
	}
	return true
}

// cells returns how often each text is a cell of a table.
func cells(markdown string) map[string]int {
	count := map[string]int{}
	for _, table := range grids(markdown) {
		for _, row := range table {
			for _, cell := range row {
				if cell != "" {
					count[cell]++
				}
			}
		}
	}
	return count
}

var replaced = strings.NewReplacer("**", "", "<br>", " ", "’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "\u00a0", " ", "…", "...", "\u00ad", "")

// normal returns a text as it is compared: without emphasis, with plain quotes
// and dashes and single spaces.
func normal(text string) string {
	return strings.Join(strings.Fields(replaced.Replace(text)), " ")
}
