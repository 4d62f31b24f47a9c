package blocks

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/dom"
)

// target is where a link leads, as far as its page says it.
type target uint8

const (
	targetOther     target = iota
	targetInner            // a place on the same page
	targetNeighbour        // the page before or behind, or one above
)

// maxNeighbours is how many addresses of such pages are noted.
const maxNeighbours = 16

// targetOf returns where a link leads.
func (w *walker) targetOf(n *dom.Node) target {
	to := targetOther
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "href":
			switch {
			case strings.HasPrefix(a.Val, "#"):
				return targetInner
			case slices.Contains(w.neighbours, a.Val):
				to = targetNeighbour
			}
		case "rel":
			if turnsPage(a.Val) {
				to = targetNeighbour
			}
		case "accesskey":
			if a.Val == "p" || a.Val == "n" || a.Val == "u" || a.Val == "h" {
				to = targetNeighbour
			}
		}
	}
	return to
}

// turnsPage reports whether a relation is that of pages that follow each other, or
// of a page to those above it.
func turnsPage(relation string) bool {
	switch strings.ToLower(relation) {
	case "prev", "previous", "next", "up", "home", "start", "first", "last", "top", "contents", "toc", "index", "parent":
		return true
	}
	return false
}

// dropTurns drops the rows of links by which readers turn the pages of a manual,
// and what they are labelled with: what has little text, and links of which at
// least half lead to such pages.
func (p *page) dropTurns(text []int32) {
	var rows []int32
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.turns == 0 || b.isSentence() || len(rows) > 0 && p.holds(rows[len(rows)-1], b.container) {
			continue
		}
		if row := p.turnRow(b.container); row >= 0 {
			rows = append(rows, row)
		}
	}
	if rows == nil {
		return
	}
	p.dropWhere(text, 2, func(b *block) bool {
		return slices.ContainsFunc(rows, func(row int32) bool { return p.holds(row, b.container) })
	})
}

// turnRow returns the outermost container around another that is such a row, or -1.
func (p *page) turnRow(at int32) int32 {
	row := int32(-1)
	for ; at > 0; at = p.containers[at].parent {
		c := &p.containers[at]
		if c.longChars > 0 || c.sums.headings > 0 || c.after-c.first > maxRow {
			break
		}
		var links, turns, words int32
		for i := c.first; i < c.after; i++ {
			b := &p.blocks[i]
			links += b.links
			turns += b.turns
			words += b.words
		}
		if turns*2 < links || words > maxRow {
			break
		}
		if turns > 1 {
			row = at
		}
	}
	return row
}

// isSentence reports whether a block reads like a sentence: one may name the
// chapters before and behind it too.
func (b *block) isSentence() bool { return b.last == '.' && b.vocab[wordsFunction] > 2 }

// maxRow is how many words and blocks a row of links may have.
const maxRow = 60
