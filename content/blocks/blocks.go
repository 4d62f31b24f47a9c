// Package blocks finds the main content of a page.
//
// A page is taken apart into blocks: runs of text that no element with a line of
// its own interrupts, which are paragraphs, headings, items, cells. Of each
// block one walk over the tree collects some three hundred numbers: the shape of
// its text, what the elements around it are and are called, how much text and
// how many links they hold, what is before and behind, where on the page it is,
// and what kind of page that seems to be. A sum of decision trees, learned from
// pages whose main content people marked, turns them into the chance that a
// reader came for this block. What is worth keeping at these chances is kept.
//
// The model is in model.bin. How it is made is told in docs/content.md; the
// command train and its script train.py make it.
package blocks

import (
	"sync"

	"github.com/trawlhq/trawl/content/dom"
)

// trained is the model that the package carries.
var trained = sync.OnceValues(func() (*Model, error) { return ReadModel(modelFile) })

// Main returns what to leave out of a part of a page so that its main content
// stays: what the part leaves out, and every node that is not main content. A
// page whose blocks are all as doubtful stays whole, and so does a root of the
// part that has no main content.
func Main(t *dom.Tree, part dom.Part) dom.Set {
	m, err := trained()
	if err != nil {
		return part.Drop
	}
	return m.Main(t, part)
}

// Main is the function Main with a model of its own.
func (m *Model) Main(t *dom.Tree, part dom.Part) dom.Set {
	w := walkers.Get().(*walker)
	defer w.release()
	p := w.survey(t, part.Drop)
	var scores []int32
	asked := p.eachBatch(false, func(rows []int16) { scores = m.score(scores, rows) })
	p.decide(asked, scores)
	kept := p.keptNodes(t)
	if kept == nil {
		return part.Drop
	}
	for _, root := range part.Roots {
		if !kept.Has(root) {
			keepAll(kept, root)
		}
	}
	for i := range kept {
		kept[i] = ^kept[i]
		if part.Drop != nil {
			kept[i] |= part.Drop[i]
		}
	}
	return kept
}

// decide marks the blocks to keep. The chances tell which choice can be expected
// to do best, measured as the harmonic mean of how much of the choice is main
// content and how much of the main content is chosen: to keep all blocks whose
// chance is at least half of that best measure.
func (p *page) decide(text []int32, scores []int32) {
	const steps = 1024
	var weights [steps + 1]int64 // of the blocks with such a chance
	var expected int64           // weight of the main content, in steps
	for i, b := range text {
		c := chance(scores[i])
		w := int64(max(p.blocks[b].words, 1))
		weights[c] += w
		expected += w * c
	}
	var chosen, right int64
	best := 0.0
	top := int64(0) // the best chance there is
	for c := int64(steps); c >= 0; c-- {
		if weights[c] == 0 {
			continue
		}
		top = max(top, c)
		chosen += weights[c]
		right += weights[c] * c
		best = max(best, 2*float64(right)/float64(chosen*steps+expected))
	}
	least := int64(max(best/2, leastChance) * steps)
	if top < unsure*steps {
		least = 0
	}
	p.keepFrom(text, scores, least)
	p.keepItems(text)
	p.dropConsent(text)
	p.keepHeadline(text, scores)
	p.dropHidden(text)
	p.dropComments(text)
	p.dropCopies(text)
	p.keepRows()
	p.keepHeads()
	p.keepSilent()
}

const (
	leastChance = 0.2  // that a block must have
	unsure      = 0.25 // if no block has that chance, all are kept
)

// keepFrom marks the blocks with at least such a chance.
func (p *page) keepFrom(text, scores []int32, least int64) {
	for i, at := range text {
		p.blocks[at].kept = chance(scores[i]) >= least
	}
}

// dropConsent drops what asks for consent to cookies.
func (p *page) dropConsent(text []int32) {
	for _, i := range text {
		if b := &p.blocks[i]; p.containers[b.container].above&(1<<groupConsent) != 0 {
			b.kept = false
		}
	}
}

// keepHeadline keeps the title of the page where it stands before the text that
// is kept, on small pages and where it is not very unlikely. References often go
// without titles, so on pages like theirs the model does.
func (p *page) keepHeadline(text, scores []int32) {
	best, titled := -1, false
	for i, at := range text {
		b := &p.blocks[at]
		if b.kept {
			break
		}
		tag := p.containers[b.container].tag
		switch like := b.titled*2 >= b.words; {
		case tag.isHeading() && like:
			best, titled = i, true
		case tag == tagHeading1 && !titled:
			best = i
		}
	}
	if best >= 0 && (len(text) <= smallPage || chance(scores[best]) >= leastHeadline) {
		p.blocks[text[best]].kept = true
	}
}

// Up to how many blocks a page is small, and how likely its title must be on
// others, in parts of 1024.
const (
	smallPage     = 30
	leastHeadline = 200
)

// dropHidden drops what is hidden unless it is more than an eighth of what is
// kept: then a script may show it.
func (p *page) dropHidden(text []int32) {
	hidden := func(b *block) bool { return p.containers[b.container].above&(1<<groupUnseen) != 0 }
	var words, all int32
	for _, i := range text {
		if b := &p.blocks[i]; b.kept {
			all += b.words
			if hidden(b) {
				words += b.words
			}
		}
	}
	if words*8 > all {
		return
	}
	for _, i := range text {
		if b := &p.blocks[i]; hidden(b) {
			b.kept = false
		}
	}
}

// besideArticle are the groups of what comes with articles: comments, and forms to
// subscribe or sign up.
const besideArticle = 1<<groupComment | 1<<groupAccount

// dropComments drops what comes with an article, on pages that say that they are
// one and have a text besides. On forums the comments are the content.
func (p *page) dropComments(text []int32) {
	if p.hints&(hintArticle|hintForum) != hintArticle {
		return
	}
	var other int32 // length of the text besides
	for _, i := range text {
		if b := &p.blocks[i]; b.kept && p.containers[b.container].above&besideArticle == 0 {
			other += b.weight()
		}
	}
	if other < minArticle {
		return
	}
	for _, i := range text {
		if b := &p.blocks[i]; p.containers[b.container].above&besideArticle != 0 {
			b.kept = false
		}
	}
}

// minArticle is how long a text is that can have comments.
const minArticle = 400

// dropCopies drops long texts that were kept before, elsewhere on the page: some
// pages repeat themselves for machines, or in another layout.
func (p *page) dropCopies(text []int32) {
	seen := map[uint32]*block{} // the first that begins like this
	for _, i := range text {
		b := &p.blocks[i]
		if !b.kept || b.words < minCopy {
			continue
		}
		first := seen[b.lead]
		if first == nil {
			seen[b.lead] = b
			continue
		}
		if p.containers[first.container].parent != p.containers[b.container].parent {
			b.kept = false
		}
	}
}

// minCopy is how long a text is that does not begin like another by chance.
const minCopy = 40

// keepRows makes the cells of a row share their fate, lest the others move into
// wrong columns.
func (p *page) keepRows() {
	for i := 0; i < len(p.blocks); {
		row := p.rowOf(p.blocks[i].container)
		if row < 0 {
			i++
			continue
		}
		end := i
		var kept, lost int32
		for end < len(p.blocks) && p.blocks[end].container >= row && p.blocks[end].container < p.containers[row].end {
			if b := &p.blocks[end]; b.kept {
				kept += max(b.words, 1)
			} else if b.chars > 0 {
				lost += max(b.words, 1)
			}
			end++
		}
		for ; i < end; i++ {
			p.blocks[i].kept = kept > 0 && kept >= lost
		}
		p.containers[row].kept = kept > 0 && kept >= lost
	}
}

// keepHeads keeps the first row of a table of which other rows are kept: without
// its head a table has another one for its head.
func (p *page) keepHeads() {
	table, head := int32(-1), int32(-1)
	for i := range p.containers {
		c := &p.containers[i]
		switch {
		case c.tag == tagTable:
			table, head = int32(i), -1
		case c.tag != tagRow || table < 0 || int32(i) >= p.containers[table].end:
		case head < 0:
			head = int32(i)
		case c.kept && p.containers[head].cells > 1:
			p.containers[head].kept = true
		}
	}
}

// rowOf returns the row of a table of data around a container, or -1. Rows of
// layout have fewer cells than blocks.
func (p *page) rowOf(at int32) int32 {
	for up := 0; at >= 0 && up < 8; up++ {
		c := &p.containers[at]
		switch c.tag {
		case tagRow:
			if c.cells > 1 && c.sums.blocks <= c.cells+1 && c.parent >= 0 {
				return at
			}
			return -1
		case tagTable, tagBody:
			return -1
		}
		at = c.parent
	}
	return -1
}

// keepSilent keeps what has no text, images for the most part, where the texts
// before and behind it are kept.
func (p *page) keepSilent() {
	before := false
	for i := 0; i < len(p.blocks); i++ {
		if p.blocks[i].chars > 0 {
			before = p.blocks[i].kept
			continue
		}
		first := i
		for i+1 < len(p.blocks) && p.blocks[i+1].chars == 0 {
			i++
		}
		if before && i+1 < len(p.blocks) && p.blocks[i+1].kept {
			for k := first; k <= i; k++ {
				p.blocks[k].kept = true
			}
		}
	}
}

// keptNodes returns the nodes of the kept blocks and all around them, or nil if
// there are none.
func (p *page) keptNodes(t *dom.Tree) dom.Set {
	var kept dom.Set
	for i := range p.blocks {
		b := &p.blocks[i]
		if !b.kept {
			continue
		}
		if kept == nil {
			kept = t.NewSet()
		}
		for _, n := range p.leaves[b.first:b.end] {
			keepAll(kept, n)
			keepAround(kept, n)
		}
	}
	for i := range p.containers {
		if c := &p.containers[i]; c.kept {
			keepAll(kept, c.node)
			keepAround(kept, c.node)
		}
	}
	return kept
}

// keepAround adds all around a node.
func keepAround(kept dom.Set, n *dom.Node) {
	for up := n.Parent; up != nil && !kept.Has(up); up = up.Parent {
		kept.Add(up)
	}
}

// keepAll adds a node and all beneath it.
func keepAll(kept dom.Set, root *dom.Node) {
	for n := root; n != nil; n = dom.Following(n, root, true) {
		kept.Add(n)
	}
}
