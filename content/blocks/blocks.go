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
	"slices"
	"sync"

	"github.com/trawlhq/trawl/content/dom"
)

// trained is the model that the package carries.
var trained = sync.OnceValues(func() (*Model, error) { return ReadModel(modelFile) })

// Main returns what to leave out of a part of a page so that its main content
// stays: what the part leaves out, and every node that is not main content. A
// page of which it is not sure what its main content is stays whole, and so does a
// root of the part that has no main content. The address of the page may be empty.
func Main(t *dom.Tree, part dom.Part, address string) (drop dom.Set, sure bool) {
	m, err := trained()
	if err != nil {
		return part.Drop, false
	}
	return m.Main(t, part, address)
}

// Main is the function Main with a model of its own.
func (m *Model) Main(t *dom.Tree, part dom.Part, address string) (drop dom.Set, sure bool) {
	w := walkers.Get().(*walker)
	defer w.release()
	p := w.survey(t, part.Drop, address)
	p.decide(m.judge(p))
	kept := p.keptNodes(t)
	if kept == nil {
		return part.Drop, !p.doubtful
	}
	for _, root := range part.Roots {
		if !kept.Has(root) {
			keepTree(kept, root)
		}
	}
	for i := range kept {
		kept[i] = ^kept[i]
		if part.Drop != nil {
			kept[i] |= part.Drop[i]
		}
	}
	return kept, !p.doubtful
}

// judge returns the blocks that the model was asked about, and the log odds of
// each that it is main content. The second forest is asked about what the first
// left in doubt, but on manuals, where the first does better alone.
func (m *Model) judge(p *page) (asked, scores []int32) {
	c := chancePool.Get().(*chances)
	defer c.release()
	m.begin(p, c, false)
	scores = slices.Clone(c.scores)
	if !c.again {
		return c.asked, scores
	}
	var second []int32
	for i, at := range c.eachSecond(false, func(rows []int16) { second = m.second.score(second, rows, certain) }) {
		scores[at] = second[i]
	}
	return c.asked, scores
}

// begin asks what kind of page it is, and the first forest about its blocks. It
// keeps what the second forest sees if that is to be asked too, or in any case.
func (m *Model) begin(p *page, c *chances, always bool) {
	c.page = p
	enough := int32(certain)
	c.asked = p.eachBatch(false, func(kind []int16) {
		p.kinds[kindManual] = m.kinds[kindManual].score(nil, kind, certain)[0]
		manual := p.isManual()
		for i := range m.kinds {
			if i == kindForum || i != kindManual && (always || !manual) {
				p.kinds[i] = m.kinds[i].score(nil, kind, certain)[0]
			}
		}
		c.again = always || len(m.second.trees) > 0 && !manual
		if manual {
			enough = enoughManuals
		}
	}, func(rows []int16) {
		c.scores = m.first.score(c.scores, rows, enough)
		if c.again {
			c.carry(rows)
		}
	})
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
			keepTree(kept, n)
			keepAround(kept, n)
		}
	}
	for i := range p.containers {
		if c := &p.containers[i]; c.kept {
			keepTree(kept, c.node)
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

// keepTree adds a node and all beneath it.
func keepTree(kept dom.Set, root *dom.Node) {
	for n := root; n != nil; n = dom.Following(n, root, true) {
		kept.Add(n)
	}
}
