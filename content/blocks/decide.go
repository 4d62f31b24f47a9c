package blocks

// decide marks the blocks to keep. The chances tell which choice can be expected
// to do best, measured as the harmonic mean of how much of the choice is main
// content and how much of the main content is chosen: to keep all blocks whose
// chance is at least half of that best measure. Manuals have a lower bar.
func (p *page) decide(text []int32, scores []int32) {
	if p.isManual() {
		text, scores = p.withoutSidebars(text, scores)
	}
	const steps = 1024
	var weights [steps + 1]int64 // of the blocks with such a chance
	var expected int64           // weight of the main content, in steps
	chances := make([]int64, len(text))
	for i, b := range text {
		c := chance(scores[i])
		chances[i] = c
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
	bar := &bars[boolean(p.isManual())]
	least := int64(max(best*bar.share, bar.least) * steps)
	for i, at := range text {
		p.blocks[at].kept = chances[i] >= least
	}
	if p.isManual() {
		p.keepRegion(text, chances, least)
		p.keepFootnotes()
	}
	p.keepBetween(text, chances, bar)
	p.keepItems(text)
	p.keepHeadings(text, chances)
	p.dropConsent(text)
	unclear := best < doubt || top < unsure*steps
	if unclear || p.doubtful {
		p.keepAll(text)
	}
	p.doubtful = p.doubtful || unclear && chosen >= minDoubt
	p.keepHeadline(text, chances)
	p.dropHidden(text)
	p.dropComments(text)
	p.dropCopies(text)
	if p.isManual() {
		p.dropTurns(text)
		p.keepContents()
	}
	p.keepRows()
	p.keepHeads()
	p.keepSilent()
}

// keepAll keeps the page whole.
func (p *page) keepAll(text []int32) {
	for _, i := range text {
		p.blocks[i].kept = true
	}
}

// bar is how likely a block must be.
type bar struct {
	share   float64 // of the best measure that a choice can be expected to have
	least   float64 // in any case
	between float64 // if it stands between two that are kept
	gap     int     // and so many blocks are between them
}

// bars are for pages in general, and for manuals: there a hole is worse than a line
// too many. docs/benchmarks.md has what that costs.
var bars = [...]bar{{share: .5, least: .2, between: .2, gap: 3}, {share: .15, least: .1, between: .05, gap: 100}}

// manual is the log odds above which a page is a manual.
const manual = 0

func (p *page) isManual() bool { return p.kinds[kindManual] > manual }

// A page stays whole if no choice can be expected to do better than doubt, or no
// block has the chance unsure. That is worth a word if it has minDoubt of them.
const (
	doubt    = .3
	unsure   = .25
	minDoubt = 50
)

// keepHeadings keeps the headings of sections that are kept.
func (p *page) keepHeadings(text []int32, chances []int64) {
	for i := len(text) - 2; i >= 0; i-- {
		h, next := &p.blocks[text[i]], &p.blocks[text[i+1]]
		c := &p.containers[h.container]
		if next.kept && c.tag.isHeading() && c.parent >= 0 && p.holds(c.parent, next.container) && chances[i] >= leastHeading {
			h.kept = true
		}
	}
}

// leastHeading is how likely a heading must be, in parts of 1024.
const leastHeading = 30

// keepBetween keeps what stands between two blocks that are kept, side by side with
// them, unless it is rather certain that it is not content.
func (p *page) keepBetween(text []int32, chances []int64, bar *bar) {
	least := int64(bar.between * 1024)
	last := -1 // the block that was kept last
	for i, at := range text {
		if !p.blocks[at].kept {
			continue
		}
		if gap := i - last - 1; last >= 0 && 0 < gap && gap <= bar.gap && p.besideEachOther(text[last], at) {
			for k := last + 1; k < i; k++ {
				if p.besideEachOther(text[k], at) && chances[k] >= least {
					p.blocks[text[k]].kept = true
				}
			}
		}
		last = i
	}
}

// besideEachOther reports whether two blocks are in the same container, or in two
// that are.
func (p *page) besideEachOther(a, b int32) bool {
	one, two := p.blocks[a].container, p.blocks[b].container
	return one == two || p.containers[one].parent == p.containers[two].parent
}

// keepHeadline keeps the title of the page where it stands before the text that
// is kept, on small pages and where it is not very unlikely. References often go
// without titles, so on pages like theirs the model does.
func (p *page) keepHeadline(text []int32, chances []int64) {
	best, titled := -1, false
	for i, at := range text {
		b := &p.blocks[at]
		tag := p.containers[b.container].tag
		like := b.titled*2 >= b.words
		if b.kept {
			if tag == tagHeading1 || tag.isHeading() && like {
				return
			}
			break
		}
		switch {
		case tag.isHeading() && like:
			best, titled = i, true
		case tag == tagHeading1 && !titled:
			best = i
		}
	}
	if best >= 0 && (len(text) <= smallPage || chances[best] >= leastHeadline) {
		p.blocks[text[best]].kept = true
	}
}

// Up to how many blocks a page is small, and how likely its title must be on
// others, in parts of 1024.
const (
	smallPage     = 30
	leastHeadline = 200
)
