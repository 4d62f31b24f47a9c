package blocks

import "strings"

// The content of a manual is in one container, and nearly always it is certain in
// which. What is in it stays, what is beside it has to be rather likely: a sidebar
// may be longer than the text.

// How likely a block of a manual must be, in parts of 1024.
const (
	leastInside = 20 // between the first and the last that is rather content
	leastEnd    = 80 // behind it
	leastBeside = 512
)

// keepRegion marks the blocks of a manual to keep by where its content is. least
// is how likely others must be, in parts of 1024.
func (p *page) keepRegion(text []int32, chances []int64, least int64) {
	p.region = p.findRegion(text, chances)
	if p.region < 0 {
		return
	}
	c, around := &p.containers[p.region], &p.containers[p.withHeadings(text, chances)]
	first, last := int32(-1), int32(-1)
	for i, at := range text {
		if c.has(at) && chances[i] >= 512 {
			if first < 0 {
				first = at
			}
			last = at
		}
	}
	for i, at := range text {
		b := &p.blocks[at]
		bar := least
		switch {
		case !around.has(at):
			if b.titled*2 < b.words {
				bar = max(bar, leastBeside)
			}
		case !c.has(at):
		case first <= at && at <= last:
			bar = min(bar, leastInside)
		case at > last && (p.inSection(at, last) || c.depth > 2 && b.linkChars*2 < b.chars):
			bar = min(bar, leastEnd)
		}
		b.kept = chances[i] >= bar
	}
}

// keepFootnotes keeps the footnotes of a manual, which may stand behind its content.
func (p *page) keepFootnotes() {
	if p.region <= 0 {
		return
	}
	for i := p.containers[p.region].end; i < int32(len(p.containers)); i++ {
		c := &p.containers[i]
		if c.beside || !strings.Contains(c.node.Get("class"), "footnote") && c.node.Get("role") != "doc-endnotes" {
			continue
		}
		for at := c.first; at < c.after; at++ {
			b := &p.blocks[at]
			b.kept = b.chars > 0 && !p.containers[b.container].beside
		}
		i = c.end - 1
	}
}

// inSection reports whether a block is a heading behind another block, or in the
// section of one.
func (p *page) inSection(at, behind int32) bool {
	b := &p.blocks[at]
	if p.containers[b.container].tag.isHeading() {
		return true
	}
	if b.heading <= behind {
		return false
	}
	around := p.containers[p.blocks[b.heading].container].parent
	return around >= 0 && p.holds(around, b.container)
}

// keepContents keeps tables of contents of the page itself that are called
// navigation, where they stand between two blocks that are kept, beside one of them.
func (p *page) keepContents() {
	before := int32(-1) // the last block with text that may be content
	for at := int32(0); at < int32(len(p.blocks)); at++ {
		nav := p.blocks[at].container
		if !p.containers[nav].beside {
			if p.blocks[at].chars > 0 {
				before = at
			}
			continue
		}
		for p.containers[p.containers[nav].parent].beside {
			nav = p.containers[nav].parent
		}
		at = p.containers[nav].after - 1
		if p.isContents(&p.containers[nav]) && p.keptBeside(nav, before, p.textBehind(nav)) {
			for i := p.containers[nav].first; i <= at; i++ {
				p.blocks[i].kept = true
			}
		}
	}
}

// isContents reports whether the links of a container lead to places on the page.
func (p *page) isContents(c *container) bool {
	var links, inner int32
	for _, b := range p.blocks[c.first:c.after] {
		links += b.links
		inner += b.inner
	}
	return inner > 1 && inner*5 >= links*4
}

// textBehind returns the first block with text behind a container, or -1.
func (p *page) textBehind(at int32) int32 {
	for i := p.containers[at].after; i < int32(len(p.blocks)); i++ {
		if p.blocks[i].chars > 0 {
			return i
		}
	}
	return -1
}

// keptBeside reports whether two blocks are kept, and one of them is in the
// container around another.
func (p *page) keptBeside(at, a, b int32) bool {
	if a < 0 || b < 0 || !p.blocks[a].kept || !p.blocks[b].kept {
		return false
	}
	around := p.containers[at].parent
	return p.holds(around, p.blocks[a].container) || p.holds(around, p.blocks[b].container)
}

// has reports whether a block is in a container.
func (c *container) has(block int32) bool { return c.first <= block && block < c.after }

// findRegion returns the container that is most worth to be kept as a whole, or -1
// if it is not clear that there is one. What is around it belongs to it as long as
// that may be content: it may be no more than a note above a list of chapters.
func (p *page) findRegion(text []int32, chances []int64) int32 {
	total := make([]mass, len(p.blocks)+1) // up to each block
	for i, at := range text {
		w := int64(max(p.blocks[at].words, 1))
		total[at+1] = mass{w, w * chances[i]}
	}
	for i := range p.blocks {
		total[i+1].weight += total[i].weight
		total[i+1].main += total[i].main
	}
	in := func(c *container) mass {
		return mass{total[c.after].weight - total[c.first].weight, total[c.after].main - total[c.first].main}
	}
	region, most := int32(0), int64(-1)
	var held mass
	for i := range p.containers {
		m := in(&p.containers[i])
		if value := m.main - m.weight*worthKeeping; value >= most {
			region, most, held = int32(i), value, m
		}
	}
	prose := p.containers[region].longChars
	if held.main < held.weight*clearRegion || held.main*2 < total[len(p.blocks)].main && (prose == 0 || prose*2 < p.total.longChars) {
		return -1
	}
	for up := p.containers[region].parent; up > 0 && p.containers[up].tag != tagBody; up = p.containers[up].parent {
		m := in(&p.containers[up])
		if m.main-held.main < (m.weight-held.weight)*growsRegion {
			break
		}
		region, held = up, m
	}
	return region
}

// In parts of 1024: how likely a word must be to be worth keeping, how likely those
// of a clear region are in the mean, those around it that belong to it, and headings
// that do.
const (
	worthKeeping  = 410
	clearRegion   = 614
	growsRegion   = 256
	regionTitle   = 205
	regionHeading = 307
)

// withHeadings returns the container that holds the region, the title of the page
// and its other great headings, as far as they may be content.
func (p *page) withHeadings(text []int32, chances []int64) int32 {
	region := p.region
	title, most := int32(-1), int32(0)
	for i, at := range text {
		if like := p.likeTitle(&p.blocks[at]); like > most && chances[i] >= regionTitle {
			title, most = at, like
		}
	}
	for i, at := range text {
		k := p.blocks[at].container
		great := p.containers[k].tag == tagHeading1 || p.containers[k].tag == tagHeading2
		if at != title && !(great && chances[i] >= regionHeading) {
			continue
		}
		for !p.holds(region, k) {
			region = p.containers[region].parent
		}
	}
	return region
}

// likeTitle is titleScore, also for what is called a title and is no heading.
func (p *page) likeTitle(b *block) int32 {
	if c := &p.containers[b.container]; c.own&(1<<groupTitle) != 0 && b.titled*2 >= b.words {
		return b.titled*8 + b.slugged*2
	}
	return p.titleScore(b)
}
