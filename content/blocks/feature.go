package blocks

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
)

// A row holds the features of one block, small numbers that the trees compare
// with thresholds. Only their order counts, so lengths go in as they are, and
// shares as parts of 200.

// levels is how many of the containers around a block are described: the
// innermost, then each that holds more text than the one before.
const levels = 6

// around is how many blocks on either side are described.
const around = 3

// features returns the names of the features in their order.
func features() []string {
	names := []string{
		"tag", "level", "chars", "words", "wordLength", "commas", "stops", "marks", "money", "others",
		"upper", "digits", "cjk", "capital", "linkShare", "links", "images", "boldShare", "start", "end",
		"startStop", "titled", "titledShare", "slugged", "sluggedShare", "described", "describedShare", "told", "breaksOff", "copies", "leads", "leadsBefore", "depth", "input", "sentence",
	}
	for v := range int(vocabularies) {
		names = append(names, "vocab"+strconv.Itoa(v))
	}
	names = append(names, "firstVocab")
	for g := range int(groups) {
		names = append(names, "near"+strconv.Itoa(g))
	}
	for l := range levels {
		for _, name := range []string{"chars", "blocks", "linkShare", "proseShare", "pageShare", "mean", "place", "up", "alike", "nth", "fields", "images", "tag", "headings", "title"} {
			names = append(names, "level"+strconv.Itoa(l)+name)
		}
	}
	for d := range 2 * around {
		for _, name := range []string{"chars", "linkShare", "tag", "same"} {
			names = append(names, "beside"+strconv.Itoa(d)+name)
		}
	}
	names = append(names,
		"upBefore", "upAfter", "proseBefore", "proseAfter", "proseBeforeChars", "proseAfterChars",
		"index", "indexShare", "textShare", "fromEnd",
		"headingLevel", "headingBlocks", "headingChars", "headingRelated", "headingComment", "headingUI", "firstHeading", "charsSinceFirst",
		"proseSoFar", "quietSoFar", "titleBlocks", "titleUp", "titleDown",
		"listAlike", "listMean", "listLinkShare", "listShare", "listImages", "listUp", "listNth", "listRank", "listPlace",
		"bestUp", "bestDown", "bestShare", "bestInside",
		"groupBlocks", "groupChars", "groupLinkShare", "groupPageShare",
		"topShare", "topBlocks", "topLinkShare", "topProseShare", "topMean", "topHeadings", "topTitle", "topPlace", "topUp", "topDepth",
	)
	return append(names, pageFeatures()...)
}

// featureCount is the length of a row.
var featureCount = len(features())

// clamp makes a number fit into a feature.
func clamp(n int32) int16 { return int16(max(-32000, min(32000, n))) }

// share returns part/whole in parts of 200.
func share(part, whole int32) int16 {
	if whole <= 0 {
		return 0
	}
	return int16(int64(part) * 200 / int64(whole))
}

// extractor fills the rows of a page.
type extractor struct {
	*page
	text     []int32 // the blocks that have text
	best     int32   // the container with the most prose
	copies   counter // how often a text is on the page
	leads    counter // how often a text begins like this
	passed   counter // the same, up to the block at hand
	prose    int32   // characters of prose so far
	quiet    int32   // those that are no comments and the like
	title    int32   // the heading that is most like the title, or the first
	lists    []int32 // containers whose like is repeated, the most text first
	paths    counter // numbers the paths of containers
	groups   []sums  // of the blocks with the same path, by its number
	pageRow  []int16 // what is the same for all blocks
	kindRow  []int16 // what tells the kind of page
	first    int32   // the first heading of the first level, or -1
	nextLong []int32 // per text block, the prose behind it
	rows     []int16 // a batch of rows
}

// extractors keeps extractors with the memory they have, for the next page.
var extractors = sync.Pool{New: func() any { return &extractor{rows: make([]int16, batch*featureCount, batch*featureCount+maxFeatures)} }}

// release gives an extractor back, but not with the memory that very large pages
// need.
func (x *extractor) release() {
	if cap(x.text) > maxReused {
		return
	}
	*x = extractor{
		copies: x.copies, leads: x.leads, passed: x.passed, paths: x.paths, groups: x.groups[:0], lists: x.lists[:0], text: x.text[:0],
		nextLong: x.nextLong[:0], pageRow: x.pageRow[:0], kindRow: x.kindRow[:0], rows: x.rows,
	}
	extractors.Put(x)
}

// batch is how many rows are filled at a time, so few that they stay in the
// processor's nearest memory until they are scored.
const batch = 32

// eachBatch hands on the features that tell the kind of page, then those of blocks
// with text, some rows at a time: of all, or of those that do not say of themselves
// that they are beside the content. It returns the blocks that the rows are of, in
// their order.
func (p *page) eachBatch(all bool, tell func(kind []int16), use func(rows []int16)) (asked []int32) {
	x := extractors.Get().(*extractor)
	defer x.release()
	x.page = p
	x.prepare()
	tell(x.kindRow)
	asked = make([]int32, 0, len(x.text))
	filled := 0
	lastLong := int32(-1)
	for i := range x.text {
		b := &x.blocks[x.text[i]]
		if all || !x.passesOver(b) {
			asked = append(asked, x.text[i])
			x.fill(&row{values: x.rows[filled : filled+featureCount]}, int32(i), lastLong)
			filled += featureCount
		}
		x.passed.add(uint64(b.lead))
		if b.isProse() {
			lastLong = int32(i)
			x.prose += b.chars
			if !x.noisy(b) {
				x.quiet += b.chars
			}
		}
		if filled == len(x.rows) {
			use(x.rows)
			filled = 0
		}
	}
	if filled > 0 {
		use(x.rows[:filled])
	}
	return asked
}

// prepare counts what needs the whole page.
func (x *extractor) prepare() {
	x.text = slices.Grow(x.text, len(x.blocks))
	x.copies.reset(len(x.blocks))
	x.leads.reset(len(x.blocks))
	x.passed.reset(len(x.blocks))
	x.paths.reset(len(x.blocks))
	x.first = -1
	for i := range x.blocks {
		b := &x.blocks[i]
		if b.chars == 0 {
			continue
		}
		c := &x.containers[b.container]
		if c.tag == tagHeading1 && x.first < 0 {
			x.first = int32(len(x.text))
		}
		x.text = append(x.text, int32(i))
		x.copies.add(uint64(b.content))
		x.leads.add(uint64(b.lead))
		g := x.paths.index(uint64(c.path))
		if int(g) == len(x.groups) {
			x.groups = append(x.groups, sums{})
		}
		b.group = g
		x.groups[g].add(&sums{chars: b.chars, linkChars: b.linkChars, blocks: 1})
	}
	for i := range x.containers {
		if x.containers[i].score > x.containers[x.best].score {
			x.best = int32(i)
		}
	}
	x.nextLong = slices.Grow(x.nextLong, len(x.text))[:len(x.text)]
	next := int32(-1)
	for i := len(x.text) - 1; i >= 0; i-- {
		x.nextLong[i] = next
		if x.blocks[x.text[i]].isProse() {
			next = int32(i)
		}
	}
	x.findTitle()
	x.findLists()
	x.fillPage()
	x.fillKind()
}

const noisyGroups = 1<<groupComment | 1<<groupRelated | 1<<groupSide | 1<<groupFooter | 1<<groupNav | 1<<groupOverlay | 1<<groupReview

// noisy reports whether a block stands in something that is not what the page
// is about, on most pages.
func (x *extractor) noisy(b *block) bool {
	return x.containers[b.container].above&noisyGroups != 0
}

// findTitle finds the heading that is most like the page's title, or else the
// first of the first level.
func (x *extractor) findTitle() {
	x.title = x.first
	most := int32(0)
	for i, at := range x.text {
		if score := x.titleScore(&x.blocks[at]); score > most {
			x.title, most = int32(i), score
		}
	}
}

// titleScore says how like the page's title a block is: 0 if it is no heading, or
// has less than half of its words from there.
func (p *page) titleScore(b *block) int32 {
	tag := p.containers[b.container].tag
	if b.chars == 0 || !tag.isHeading() || b.titled*2 < b.words {
		return 0
	}
	return b.titled*8 + b.slugged*2 - int32(tag.level())
}

// minAlike is how often something is there when it is an item of a list.
const minAlike = 3

// findLists sorts the lists of things with more than one block by their text.
func (x *extractor) findLists() {
	for i := range x.containers {
		c := &x.containers[i]
		if c.alike >= minAlike && c.nth == 0 && c.sums.blocks > 1 {
			x.lists = append(x.lists, int32(i))
		}
	}
	slices.SortStableFunc(x.lists, func(a, b int32) int { return cmp.Compare(x.listChars(b), x.listChars(a)) })
}

// listChars is how much text the list that an item is the first of has.
func (x *extractor) listChars(first int32) int32 {
	return x.containers[x.containers[first].parent].chars
}

// fillTitle says how a block stands to the title.
func (x *extractor) fillTitle(r *row, i int32) {
	r.add(clamp(x.prose), clamp(x.quiet))
	if x.title < 0 {
		r.add(-32000, -1, -1)
		return
	}
	own, title := x.blocks[x.text[i]].container, x.blocks[x.text[x.title]].container
	up, down := x.between(own, title)
	r.add(clamp(i-x.title), up, down)
}

// between returns how many containers are between each of two containers and
// the one that holds both.
func (p *page) between(a, b int32) (up, down int16) {
	at := a
	for !p.holds(at, b) {
		at = p.containers[at].parent
		up++
	}
	for ; b != at; b = p.containers[b].parent {
		down++
	}
	return up, down
}

// fillList describes the nearest list whose items are more than a line.
func (x *extractor) fillList(r *row, b *block) {
	up := int16(0)
	for at := b.container; at > 0; at = x.containers[at].parent {
		c := &x.containers[at]
		if c.alike < minAlike || c.sums.blocks < 2 {
			up++
			continue
		}
		list := &x.containers[c.parent]
		rank := 0
		for rank < len(x.lists) && rank < 20 && x.containers[x.lists[rank]].parent != c.parent {
			rank++
		}
		r.add(clamp(c.alike), clamp(list.chars/c.alike), share(list.linkChars, list.chars), share(list.chars, x.total.chars),
			clamp(c.sums.images), up, clamp(c.nth), int16(rank), share(b.before-c.before, c.chars))
		return
	}
	r.add(0, -1, -1, 0, -1, -1, -1, 30, -1)
}

// row is a row that is being filled from left to right.
type row struct {
	values []int16
	at     int
}

func (r *row) add(values ...int16) {
	r.at += copy(r.values[r.at:], values)
}

func (r *row) put(v int16) {
	r.values[r.at] = v
	r.at++
}

func (x *extractor) fill(r *row, i, lastLong int32) {
	b := &x.blocks[x.text[i]]
	x.fillText(r, b)
	x.fillNear(r, b)
	x.fillLevels(r, b)
	x.fillBeside(r, i)
	x.fillPlace(r, i, lastLong)
	r.add(x.pageRow...)
}

// farAway is the distance of what is nowhere above.
const farAway = 30

// fillNear says how far above the block the nearest container of each group is.
func (x *extractor) fillNear(r *row, b *block) {
	near := r.values[r.at : r.at+int(groups)]
	r.at += int(groups)
	for g := range near {
		near[g] = farAway
	}
	left := x.containers[b.container].above | b.groups // groups still to be found
	left = mark(near, b.groups, left, 0)
	distance := int16(0)
	for at := b.container; at >= 0 && left != 0 && distance < farAway; at = x.containers[at].parent {
		left = mark(near, x.containers[at].own, left, distance)
		distance++
	}
}

// mark notes the distance of the groups that are found, and returns those left.
func mark(near []int16, found, left uint64, distance int16) uint64 {
	for found &= left; found != 0; found &= found - 1 {
		near[trailingZeros(found)] = distance
		left &^= found & -found
	}
	return left
}

func (x *extractor) fillText(r *row, b *block) {
	c := &x.containers[b.container]
	copies := x.copies.get(uint64(b.content))
	var letters int32 = max(b.letters, 1)
	r.add(int16(c.tag), c.tag.level(), clamp(b.chars), clamp(b.words), clamp(b.letters*10/max(b.words, 1)), clamp(b.commas), clamp(b.stops),
		clamp(b.marks), clamp(b.money), clamp(b.others), share(b.upper, letters), share(b.digits, b.chars), share(b.cjk, b.chars),
		share(b.capital, max(b.words, 1)), share(b.linkChars, b.chars), clamp(b.links), clamp(b.images), share(b.boldChars, b.chars),
		int16(byteKinds[b.start]), int16(byteKinds[b.last]), boolean(byteKinds[b.last] == kindStop && byteKinds[b.start] == kindUpper),
		clamp(b.titled), share(b.titled, max(b.words, 1)), clamp(b.slugged), share(b.slugged, max(b.words, 1)), clamp(b.described),
		share(b.described, max(b.words, 1)), x.toldShare(b), boolean(b.breaksOff), clamp(copies), clamp(x.leads.get(uint64(b.lead))),
		clamp(x.passed.get(uint64(b.lead))), int16(c.depth), boolean(b.input), clamp(b.chars/max(b.stops, 1)))
	for v := range b.vocab {
		r.put(int16(b.vocab[v]))
	}
	r.put(int16(trailingZeros(uint64(b.first) | 1<<vocabularies)))
}

// toldShare says how much of a block is in the linked data, -1 if that has no text.
func (x *extractor) toldShare(b *block) int16 {
	if x.known.linked == nil {
		return -1
	}
	return share(b.told, max(b.words, 1))
}

func boolean(b bool) int16 {
	if b {
		return 1
	}
	return 0
}

// fillLevels describes the containers around a block.
func (x *extractor) fillLevels(r *row, b *block) {
	at := b.container
	up := int32(0)
	for l := range levels {
		c := &x.containers[at]
		r.add(clamp(c.chars), clamp(c.sums.blocks), share(c.linkChars, c.chars), share(c.longChars, c.chars), share(c.chars, x.total.chars),
			clamp(c.chars/max(c.sums.blocks, 1)), share(b.before-c.before, c.chars), clamp(up), clamp(c.alike), clamp(c.nth), clamp(c.fields),
			clamp(c.sums.images), int16(c.tag), clamp(c.sums.headings), boolean(x.title >= 0 && x.holds(at, x.blocks[x.text[x.title]].container)))
		if l == levels-1 {
			break
		}
		for at > 0 && x.containers[at].chars <= c.chars {
			at = x.containers[at].parent
			up++
		}
	}
}

// fillBeside describes the blocks before and behind.
func (x *extractor) fillBeside(r *row, i int32) {
	own := &x.blocks[x.text[i]]
	path := x.containers[own.container].path
	for _, d := range [2 * around]int32{-3, -2, -1, 1, 2, 3} {
		j := i + d
		if j < 0 || j >= int32(len(x.text)) {
			r.add(-1, -1, -1, -1)
			continue
		}
		b := &x.blocks[x.text[j]]
		c := &x.containers[b.container]
		r.add(clamp(b.chars), share(b.linkChars, b.chars), int16(c.tag), boolean(c.path == path))
	}
	r.add(x.upTo(i, i-1), x.upTo(i, i+1))
}

// upTo returns how many containers are between block i and the one that also
// holds block j.
func (x *extractor) upTo(i, j int32) int16 {
	if j < 0 || j >= int32(len(x.text)) {
		return -1
	}
	up, _ := x.between(x.blocks[x.text[i]].container, x.blocks[x.text[j]].container)
	return up
}

// holds reports whether container a is b or around it.
func (p *page) holds(a, b int32) bool { return a <= b && b < p.containers[a].end }

// fillPlace describes where on the page a block is.
func (x *extractor) fillPlace(r *row, i, lastLong int32) {
	b := &x.blocks[x.text[i]]
	count := int32(len(x.text))
	before, beforeChars, after, afterChars := int16(-1), int16(-1), int16(-1), int16(-1)
	if lastLong >= 0 {
		l := &x.blocks[x.text[lastLong]]
		before, beforeChars = clamp(i-lastLong), clamp(b.before-l.before-l.chars)
	}
	if next := x.nextLong[i]; next >= 0 {
		after, afterChars = clamp(next-i), clamp(x.blocks[x.text[next]].before-b.before-b.chars)
	}
	r.add(before, after, beforeChars, afterChars)
	r.add(clamp(i), share(i, count), share(b.before, x.total.chars), clamp(count-i))
	x.fillHeading(r, i)
	x.fillTitle(r, i)
	x.fillList(r, b)
	x.fillBest(r, b)
	g := &x.groups[b.group]
	r.add(clamp(g.blocks), clamp(g.chars/max(g.blocks, 1)), share(g.linkChars, g.chars), share(g.chars, x.total.chars))
	x.fillTop(r, b)
}

// fillTop describes the part of the page that a block is in: the outermost
// container around it that does not hold nearly all of the page.
func (x *extractor) fillTop(r *row, b *block) {
	at, up := b.container, int16(0)
	for parent := x.containers[at].parent; parent > 0 && x.containers[parent].chars*20 < x.total.chars*19; parent = x.containers[at].parent {
		at = parent
		up++
	}
	c := &x.containers[at]
	r.add(share(c.chars, x.total.chars), clamp(c.sums.blocks), share(c.linkChars, c.chars), share(c.longChars, c.chars), clamp(c.chars/max(c.sums.blocks, 1)),
		clamp(c.sums.headings), boolean(x.title >= 0 && x.holds(at, x.blocks[x.text[x.title]].container)), share(c.before, x.total.chars), up, c.depth)
}

func (x *extractor) fillHeading(r *row, i int32) {
	b := &x.blocks[x.text[i]]
	if b.heading >= 0 {
		h := &x.blocks[b.heading]
		r.add(x.containers[h.container].tag.level(), clamp(x.text[i]-b.heading), clamp(b.before-h.before),
			int16(h.vocab[wordsRelated]), int16(h.vocab[wordsComment]), int16(h.vocab[wordsUI])+int16(h.vocab[wordsShare])+int16(h.vocab[wordsAccount]))
	} else {
		r.add(0, -1, -1, 0, 0, 0)
	}
	if x.first >= 0 {
		r.add(clamp(i-x.first), clamp(b.before-x.blocks[x.text[x.first]].before))
	} else {
		r.add(-32000, -32000)
	}
}

// fillBest says how a block stands to the container with the most prose.
func (x *extractor) fillBest(r *row, b *block) {
	down, up := x.between(x.best, b.container)
	r.add(up, down, share(x.containers[x.best].chars, x.total.chars), boolean(down == 0))
}
