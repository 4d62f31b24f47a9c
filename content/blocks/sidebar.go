package blocks

// A sidebar of a manual may have a hundred times the words of the text beside it.
// Then what is expected of the page is what is expected of its sidebar, and the
// text does not stand out any more.

const (
	minSidebar  = 12  // blocks of a sidebar
	mostSidebar = 154 // how likely they are at most in the mean, in parts of 1024
	minLikely   = 10  // words of a text that has a sidebar beside it
)

// standing is what the first blocks of a page are in sum.
type standing struct {
	blocks, chances int64
	likely          int32 // words of those that are rather content
}

// withoutSidebars returns the blocks of a manual and their scores without those of
// long lists of links of which none is likely, if there is a text besides. Lists
// within the text stay, and so do tables of contents of the page itself.
func (p *page) withoutSidebars(text, scores []int32) (rest, restScores []int32) {
	upTo := make([]standing, len(p.blocks)+1)
	for i, at := range text {
		c := chance(scores[i])
		upTo[at+1] = standing{blocks: 1, chances: c}
		if c >= leastBeside {
			upTo[at+1].likely = max(p.blocks[at].words, 1)
		}
	}
	for i := range p.blocks {
		s, before := &upTo[i+1], &upTo[i]
		s.blocks += before.blocks
		s.chances += before.chances
		s.likely += before.likely
	}
	if upTo[len(p.blocks)].likely < minLikely {
		return text, scores
	}
	sidebars := make([]bool, len(p.blocks))
	for i := 0; i < len(p.containers); i++ {
		c := &p.containers[i]
		if !c.isLinks(upTo) {
			continue
		}
		i = int(c.end) - 1
		around := &p.containers[max(c.parent, 0)]
		within := upTo[around.first].likely < upTo[c.first].likely && upTo[c.after].likely < upTo[around.after].likely
		if within || p.isContents(c) {
			continue
		}
		for at := c.first; at < c.after; at++ {
			sidebars[at] = true
		}
	}
	for i, at := range text {
		if !sidebars[at] {
			rest, restScores = append(rest, at), append(restScores, scores[i])
		}
	}
	return rest, restScores
}

// isLinks reports whether a container is a long list of links of which none is
// likely. Rows of single letters are none.
func (c *container) isLinks(upTo []standing) bool {
	from, to := &upTo[c.first], &upTo[c.after]
	blocks := to.blocks - from.blocks
	return blocks >= minSidebar && c.linkChars*5 >= c.chars*3 && int64(c.chars) >= blocks*4 &&
		to.likely == from.likely && to.chances-from.chances <= blocks*mostSidebar
}
