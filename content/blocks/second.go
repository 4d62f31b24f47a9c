package blocks

import (
	"slices"
	"strconv"
	"sync"
)

// The second forest judges a block by what the first said of the page: of the
// containers around the block, of its like, of its neighbours, of its section. So
// a doubtful block in the middle of a manual is not judged as one in a sidebar.

// chances is what the first forest said of a page.
type chances struct {
	*page
	asked   []int32          // the blocks that it was asked about
	scores  []int32          // log odds of each
	carried []int16          // what the second forest sees of each row of the first
	of      []int16          // by block: its chance, in parts of 1000; -1 if not asked
	weight  []int64          // up to each block: words of those asked
	mass    []int64          // the same, times their chances
	sure    []int64          // the same, of those that are rather content
	groups  []mass           // by path
	ends    []int32          // by block: the first that is not in its section
	above   [parts + 1]int64 // by chance: weight of what is more likely
	title   int32            // block of the title, or -1
	region  int32            // the container that is most worth to be kept
	again   bool             // whether the second forest is asked
	rows    []int16
	figures
}

// parts is what chances are counted in.
const parts = 1000

// mass is a weight and how much of it is main content, in parts.
type mass struct{ weight, main int64 }

func (m mass) mean(otherwise int16) int16 {
	if m.weight == 0 {
		return otherwise
	}
	return int16(m.main / m.weight)
}

// without takes a block's own part out.
func (m mass) without(weight, chance int64) mass {
	return mass{m.weight - weight, m.main - weight*chance}
}

var chancePool = sync.Pool{New: func() any { return new(chances) }}

func (c *chances) release() {
	if cap(c.of) > maxReused {
		return
	}
	*c = chances{
		scores: c.scores[:0], carried: c.carried[:0], of: c.of[:0], weight: c.weight[:0], mass: c.mass[:0], sure: c.sure[:0],
		groups: c.groups[:0], ends: c.ends[:0], rows: c.rows[:0],
	}
	chancePool.Put(c)
}

// carriedFeatures are those of the first forest that the second sees as well.
var carriedFeatures = []string{
	"tag", "chars", "words", "stops", "linkShare", "images", "titledShare", "copies", "leadsBefore", "depth", "headingLevel", "proseBefore", "proseAfter",
	"level0alike", "level1alike", "level0linkShare", "level1linkShare", "level0tag", "level1tag", "level1proseShare", "listAlike", "groupPageShare",
	"bestUp", "bestDown", "titleUp", "titleDown", "textShare", "vocab0", "vocab1", "vocab8",
	"topShare", "topLinkShare", "topProseShare", "topTitle", "near" + strconv.Itoa(int(groupSidebar)), "near" + strconv.Itoa(int(groupNav)), "near" + strconv.Itoa(int(groupComment)),
}

// carriedIndex is where they are in a row of the first.
var carriedIndex = func() (index []int) {
	all := features()
	for _, name := range carriedFeatures {
		index = append(index, slices.Index(all, name))
	}
	return index
}()

// carry keeps what the second forest sees of rows of the first.
func (c *chances) carry(rows []int16) {
	for at := 0; at < len(rows); at += featureCount {
		for _, i := range carriedIndex {
			c.carried = append(c.carried, rows[at+i])
		}
	}
}

// prepare sums up what was said.
func (c *chances) prepare() {
	n := len(c.blocks)
	c.of = slices.Grow(c.of, n)[:n]
	for i := range c.of {
		c.of[i] = -1
	}
	for i, b := range c.asked {
		c.of[b] = chanceParts(c.scores[i])
	}
	c.weight, c.mass, c.sure = append(c.weight, 0), append(c.mass, 0), append(c.sure, 0)
	var total mass
	var sure int64
	for i := range c.blocks {
		if p := int64(c.of[i]); p >= 0 {
			b := &c.blocks[i]
			w := blockWeight(b)
			total.weight += w
			total.main += w * p
			if p*2 >= parts {
				sure += w
			}
			c.above[p] += w
			for int(b.group) >= len(c.groups) {
				c.groups = append(c.groups, mass{})
			}
			c.groups[b.group].weight += w
			c.groups[b.group].main += w * p
		}
		c.weight, c.mass, c.sure = append(c.weight, total.weight), append(c.mass, total.main), append(c.sure, sure)
	}
	var above int64
	for p := parts; p >= 0; p-- {
		above, c.above[p] = above+c.above[p], above
	}
	c.findSections()
	c.findTitle()
	c.findRegion()
	c.figure()
}

// blockWeight is how much a block counts in means.
func blockWeight(b *block) int64 { return int64(min(max(b.words, 1), 100)) }

// span returns the mass of the blocks from one to another.
func (c *chances) span(from, to int32) mass {
	from, to = max(from, 0), min(to, int32(len(c.blocks)))
	if from >= to {
		return mass{}
	}
	return mass{c.weight[to] - c.weight[from], c.mass[to] - c.mass[from]}
}

func (c *chances) sureShare(from, to int32) int16 {
	w := c.weight[to] - c.weight[from]
	if w == 0 {
		return -1
	}
	return int16((c.sure[to] - c.sure[from]) * parts / w)
}

const (
	near       = 4 // neighbours on either side
	secondDeep = 7 // levels of containers
)

// secondFeatures returns the names of the features of the second forest.
func secondFeatures() []string {
	names := []string{"own"}
	for i := range 2 * near {
		names = append(names, "near"+strconv.Itoa(i))
	}
	names = append(names, "around5", "around15", "around40", "before10", "after10")
	for l := range secondDeep {
		for _, name := range []string{"mean", "sure", "before", "after"} {
			names = append(names, "level"+strconv.Itoa(l)+name)
		}
	}
	names = append(names, "group", "groupBlocks", "groupRest", "section", "sectionBlocks", "headingChance", "titleChance", "titleHolder",
		"page", "pageSure", "rank", "rankFromCut", "cut", "overCut", "q10", "q25", "q50", "q75", "q90",
		"regionInside", "regionUp", "regionMean", "regionShare",
		"sureBefore", "sureAfter", "besideShare", "cutBlocks")
	for k := range kinds {
		names = append(names, "kind"+strconv.Itoa(k))
	}
	return append(names, carriedFeatures...)
}

var secondCount = len(secondFeatures())

// figures is what the second forest sees of a page as a whole.
type figures struct {
	mean, sure int16 // of all that was asked about
	beside     int16 // share of what was not
	cut        int16 // half of the best measure that a choice can be expected to have
	cutShare   int16 // share of that choice
	quantiles  [len(quantiles)]int16
	overall    int64 // weight of all that was asked about
}

// quantiles are the shares of a page, the most likely first, at which its chances
// are looked at.
var quantiles = [...]float64{.1, .25, .5, .75, .9}

func (c *chances) figure() {
	n := int32(len(c.blocks))
	f := figures{mean: c.span(0, n).mean(0), sure: c.sureShare(0, n), overall: c.weight[n]}
	var words int64
	for i := range c.blocks {
		words += blockWeight(&c.blocks[i])
	}
	f.beside = int16((words - f.overall) * parts / max(words, 1))
	best, right := 0.0, 0.0
	q := 0
	for p := parts; p >= 0; p-- {
		chosen := f.overall // weight of what is at least that likely
		if p > 0 {
			chosen = c.above[p-1]
		}
		if chosen == c.above[p] {
			continue
		}
		right += float64(chosen-c.above[p]) * float64(p)
		if m := 2 * right / (float64(chosen)*parts + float64(c.mass[n])); m > best {
			best, f.cutShare = m, int16(chosen*parts/max(f.overall, 1))
		}
		for ; q < len(quantiles) && float64(f.overall)*quantiles[q] <= float64(chosen); q++ {
			f.quantiles[q] = int16(p)
		}
	}
	f.cut = int16(best / 2 * parts)
	c.figures = f
}

// eachSecond fills the rows of the second forest and hands them on, some at a
// time: those of all blocks that the first was asked about, or of those that it
// left in doubt. It returns which of them the rows are of, in their order.
func (c *chances) eachSecond(all bool, use func(rows []int16)) (of []int32) {
	c.prepare()
	c.rows = slices.Grow(c.rows[:0], batch*secondCount+maxFeatures)[:batch*secondCount]
	sureBefore, sureAfter := c.sureDistances()
	filled := 0
	for i, at := range c.asked {
		if !all && (c.scores[i] <= -certain || certain <= c.scores[i]) {
			continue
		}
		of = append(of, int32(i))
		r := row{values: c.rows[filled : filled+secondCount]}
		c.fillSecond(&r, at)
		r.add(sureBefore[i], sureAfter[i], c.beside, c.cutShare)
		for _, k := range c.kinds {
			r.put(clamp(k))
		}
		r.add(c.carried[i*len(carriedIndex) : (i+1)*len(carriedIndex)]...)
		if filled += secondCount; filled == len(c.rows) {
			use(c.rows)
			filled = 0
		}
	}
	if filled > 0 {
		use(c.rows[:filled])
	}
	return of
}

// sureDistances returns for each block that was asked about how many words are
// between it and the next one that is almost certain, before and behind.
func (c *chances) sureDistances() (before, after []int16) {
	before, after = make([]int16, len(c.asked)), make([]int16, len(c.asked))
	last := int64(-1)
	for i, b := range c.asked {
		before[i] = -1
		if last >= 0 {
			before[i] = clamp(int32(min(c.weight[b]-last, 32000)))
		}
		if c.of[b] >= almostSure {
			last = c.weight[b+1]
		}
	}
	last = -1
	for i := len(c.asked) - 1; i >= 0; i-- {
		b := c.asked[i]
		after[i] = -1
		if last >= 0 {
			after[i] = clamp(int32(min(last-c.weight[b+1], 32000)))
		}
		if c.of[b] >= almostSure {
			last = c.weight[b]
		}
	}
	return before, after
}

const almostSure = 800

func (c *chances) fillSecond(r *row, at int32) {
	b := &c.blocks[at]
	own := int64(c.of[at])
	w := blockWeight(b)
	r.put(int16(own))
	c.fillNeighbours(r, at)
	for _, n := range [...]int32{5, 15, 40} {
		r.put(c.span(at-n, at+n+1).without(w, own).mean(-1))
	}
	r.add(c.span(at-10, at).mean(-1), c.span(at+1, at+11).mean(-1))
	c.fillContainers(r, at, w, own)
	g := c.groups[b.group]
	r.add(g.mean(-1), clamp(int32(min(g.weight, 32000))), g.without(w, own).mean(-1))
	from, to := c.section(at)
	r.add(c.span(from, to).without(w, own).mean(-1), clamp(to-from))
	heading := int16(-2)
	if b.heading >= 0 {
		heading = c.of[b.heading]
	}
	r.add(heading)
	c.fillToTitle(r, at)
	rank := int16(c.above[own] * parts / max(c.overall, 1))
	r.add(c.figures.mean, c.figures.sure, rank, rank-c.cutShare, c.cut, int16(own)-c.cut)
	r.add(c.quantiles[:]...)
	up, down := c.between(b.container, c.region)
	k := &c.containers[c.region]
	m := c.span(k.first, k.after)
	r.add(boolean(down == 0), up, m.mean(-1), int16(m.weight*parts/max(c.overall, 1)))
}

// findRegion finds the container that is most worth to be kept as a whole.
func (c *chances) findRegion() {
	best := int64(-1)
	for i := range c.containers {
		k := &c.containers[i]
		m := c.span(k.first, k.after)
		if value := m.main - m.weight*parts*2/5; value >= best {
			c.region, best = int32(i), value
		}
	}
}

// fillNeighbours gives the chances of the blocks before and behind.
func (c *chances) fillNeighbours(r *row, at int32) {
	for d := int32(-near); d <= near; d++ {
		switch j := at + d; {
		case d == 0:
		case j < 0 || j >= int32(len(c.blocks)):
			r.put(-2)
		default:
			r.put(c.of[j])
		}
	}
}

// fillContainers gives what was said of the containers around a block, each with
// more blocks than the one before.
func (c *chances) fillContainers(r *row, at int32, w, own int64) {
	in := c.blocks[at].container
	size := int64(0)
	for range secondDeep {
		for in > 0 && c.weight[c.containers[in].after]-c.weight[c.containers[in].first] <= size {
			in = c.containers[in].parent
		}
		k := &c.containers[in]
		m := c.span(k.first, k.after)
		if m.weight <= size {
			r.add(-3, -3, -3, -3)
			continue
		}
		size = m.weight
		r.add(m.without(w, own).mean(-1), c.sureShare(k.first, k.after), c.span(k.first, at).mean(-1), c.span(at+1, k.after).mean(-1))
	}
}

// findSections finds where the section of each block ends: with the next heading,
// which is still part of it.
func (c *chances) findSections() {
	n := len(c.blocks)
	c.ends = slices.Grow(c.ends, n)[:n]
	heading := func(i int) bool {
		return c.blocks[i].chars > 0 && c.containers[c.blocks[i].container].tag.isHeading()
	}
	for i := n - 1; i >= 0; i-- {
		h := c.blocks[i].heading
		if heading(i) {
			h = int32(i)
		}
		switch {
		case i+1 == n || c.blocks[i+1].heading != h:
			c.ends[i] = int32(i + 1)
		case heading(i + 1):
			c.ends[i] = int32(i + 2)
		default:
			c.ends[i] = c.ends[i+1]
		}
	}
}

// section returns the blocks under the same heading as a block, or those under it
// if it is a heading: the next of them in long sections.
func (c *chances) section(at int32) (from, to int32) {
	h := c.blocks[at].heading
	if c.containers[c.blocks[at].container].tag.isHeading() {
		h = at
	}
	return max(h, 0, at-maxSection), min(c.ends[at], at+maxSection)
}

const maxSection = 60

// findTitle finds the heading that is most like the title.
func (c *chances) findTitle() {
	c.title = -1
	most := int32(0)
	for i := range c.blocks {
		if score := c.titleScore(&c.blocks[i]); score > most {
			c.title, most = int32(i), score
		}
	}
}

// fillToTitle gives the chance of the title, and what was said of the container
// that holds it and the block.
func (c *chances) fillToTitle(r *row, at int32) {
	if c.title < 0 {
		r.add(-2, -2)
		return
	}
	in := c.blocks[at].container
	for !c.holds(in, c.blocks[c.title].container) {
		in = c.containers[in].parent
	}
	k := &c.containers[in]
	r.add(c.of[c.title], c.span(k.first, k.after).mean(-1))
}

// chanceParts turns a score into a chance in parts.
func chanceParts(score int32) int16 { return int16(chance(score) * parts / 1024) }
