package blocks

import (
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// page is what one walk over a tree finds: its blocks, and the elements that
// hold them.
type page struct {
	containers  []container
	blocks      []block
	leaves      []*dom.Node // what the blocks consist of, in document order
	total       sums
	hints       hints
	known       known
	bodyGroups  uint64 // of the names of its body
	pathGroups  uint64 // of the names in its address
	pathDepth   int16
	besideChars int32        // characters of prose in what says that it is beside the content
	kinds       [kinds]int32 // log odds that it is of a kind
	region      int32        // the container of the content, above 0 if it is a manual and that is clear
	doubtful    bool         // whether it is in doubt what its main content is
}

// sums is what is counted in blocks and in the elements around them.
type sums struct {
	chars     int32 // characters of text
	linkChars int32 // those in links
	longChars int32 // those in blocks that read like prose
	blocks    int32
	images    int32
	fields    int32 // inputs and buttons
	headings  int32
}

func (s *sums) add(o *sums) {
	s.chars += o.chars
	s.linkChars += o.linkChars
	s.longChars += o.longChars
	s.blocks += o.blocks
	s.images += o.images
	s.fields += o.fields
	s.headings += o.headings
}

// container is an element that begins a line of its own.
type container struct {
	node   *dom.Node
	own    uint64 // its groups, as bits
	above  uint64 // its groups and those of all around it
	parent int32  // -1 for the root
	end    int32  // the first container that is not beneath this one
	before int32  // characters of text before it on the page
	first  int32  // its first block
	after  int32  // the first block behind it
	sums          // what is in it
	score  int32  // how much prose it holds directly, for the best container
	alike  int32  // how many of its parent's children have its make
	nth    int32  // how many of these were before it
	cells  int32  // of a row
	make   uint32
	path   uint32 // its make and those of two above it
	depth  int16
	tag    tag
	kept   bool // as a whole: a row of a table
	beside bool // it or one around it says that it is not the content
}

// block is a run of text and images that no container interrupts.
type block struct {
	container  int32
	first, end int32 // its leaves
	shape
	links, images int32
	turns, inner  int32 // links to the pages before, behind and above, and to places on this one
	linkChars     int32
	boldChars     int32
	before        int32 // characters of text before it on the page
	groups        uint64
	heading       int32 // the block of the heading before it, or -1
	group         int32 // number of its container's path
	input         bool
	silent        bool // counts although it has neither text nor images
	kept          bool
}

// walker makes a page of a tree.
type walker struct {
	page
	drop    dom.Set
	counter counter

	current      int32 // the innermost container
	open         block // the block at hand
	started      bool
	breaks       int
	links, bold  int
	inlineGroups uint64
	chars        int32
	heading      int32
	linkSeen     bool
	linkTo       target   // of the link at hand
	neighbours   []string // addresses of the pages before, behind and above
	counted      sums
	from         []sums // what was counted before each open container
	reader       reader // of the block at hand
	pre          int    // how many pre elements are around
}

// Limits of what is told apart. What a page has beyond them counts as part of
// the container or block before it.
const (
	maxContainers = 100_000
	maxBlocks     = 50_000
)

// walkers keeps walkers with the memory they have, for the next page.
var walkers = sync.Pool{New: func() any { return new(walker) }}

// maxReused is how many blocks or leaves a walker may have had to be used again:
// the memory that very large pages need is not kept.
const maxReused = 20_000

// release gives a walker back. Nothing of its page may be used after that.
func (w *walker) release() {
	if cap(w.containers) > maxReused || cap(w.blocks) > maxReused || cap(w.leaves) > 2*maxReused {
		return
	}
	clear(w.leaves)
	for i := range w.containers {
		w.containers[i].node = nil
	}
	*w = walker{
		page:    page{containers: w.containers[:0], blocks: w.blocks[:0], leaves: w.leaves[:0]},
		counter: w.counter, from: w.from[:0], neighbours: w.neighbours[:0],
	}
	walkers.Put(w)
}

// survey walks a tree and returns what it found. What is in drop is not there.
func (w *walker) survey(t *dom.Tree, drop dom.Set, address string) *page {
	w.drop, w.current, w.heading = drop, -1, -1
	path := pathOf(address)
	w.known.slug.read(slug(path))
	w.pathGroups, w.pathDepth = wordGroups(path), int16(min(strings.Count(path, "/"), 20))
	if t.Size/2 > cap(w.containers) {
		w.containers = make([]container, 0, t.Size/2)
		w.blocks = make([]block, 0, t.Size/2)
		w.leaves = make([]*dom.Node, 0, t.Size/2)
	}
	w.counter.reset(t.Size / 4)
	w.push(t.Root, tagOther)
	w.children(t.Root)
	w.flush()
	w.pop()
	w.total = w.containers[0].sums
	w.countAlike()
	return &w.page
}

func (w *walker) children(n *dom.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case dom.TextNode:
			w.text(c)
		case dom.ElementNode:
			w.element(c)
		}
	}
}

func (w *walker) element(n *dom.Node) {
	if w.drop.Has(n) {
		return
	}
	if dom.IsInvisible(n) {
		w.invisible(n)
		return
	}
	k := tagOf(n.Atom)
	if k == tagInline || w.pre > 0 || len(w.containers) >= maxContainers {
		w.inline(n)
		return
	}
	w.flush()
	w.push(n, k)
	if k == tagPre {
		w.pre++
		w.children(n)
		w.pre--
	} else {
		w.children(n)
	}
	w.flush()
	if n.Atom == atom.Hr {
		w.leaf(n)
		w.open.silent = true
		w.flush()
	}
	w.pop()
}

// invisible reads what the head and scripts say of the page.
func (w *walker) invisible(n *dom.Node) {
	switch n.Atom {
	case atom.Head:
		w.head(n)
	case atom.Script:
		w.script(n)
	case atom.Select, atom.Textarea:
		w.counted.fields++
	case atom.Video, atom.Audio, atom.Iframe:
		w.leaf(n)
		w.open.images++
	case atom.Svg, atom.Canvas:
		if w.started {
			w.leaf(n)
		}
	}
}

func (w *walker) head(head *dom.Node) {
	for n := head.FirstChild; n != nil; n = n.NextSibling {
		if n.Type != dom.ElementNode {
			continue
		}
		switch n.Atom {
		case atom.Title:
			if w.known.title.count == 0 {
				w.known.title.read(n.InnerText(maxTitle))
			}
		case atom.Meta:
			w.meta(n)
		case atom.Link:
			address, relation := n.Get("href"), n.Get("rel")
			switch {
			case relation == "stylesheet":
				w.hints.asset(address)
			case address != "" && len(w.neighbours) < maxNeighbours && turnsPage(relation):
				w.neighbours = append(w.neighbours, address)
			}
		case atom.Script:
			w.script(n)
		}
	}
}

// meta reads what a page says for previews, and what made it.
func (w *walker) meta(n *dom.Node) {
	name := n.Get("property")
	if name == "" {
		name = n.Get("name")
	}
	switch value := n.Get("content"); strings.ToLower(name) {
	case "og:type":
		w.hints.kind(value)
	case "og:title", "og:description", "description":
		w.known.preview.read(chars.Truncate(value, maxTitle))
	case "generator":
		w.hints.generator(value)
	}
}

// script reads linked data, and what made the page.
func (w *walker) script(n *dom.Node) {
	w.hints.asset(n.Get("src"))
	if n.FirstChild == nil || n.Get("type") != "application/ld+json" {
		return
	}
	text := n.FirstChild.Data
	w.hints.linked(text)
	if _, body, found := strings.Cut(text, `"articleBody"`); found && w.known.linked == nil {
		w.known.linked = make(pairs, 1<<pairBits/64)
		w.known.linked.read(firstString(body))
	}
}

// firstString returns the first string of a JSON text without its quotes and
// with its escapes.
func firstString(json string) string {
	_, json, _ = strings.Cut(json, `"`)
	for i := 0; i < len(json); i++ {
		switch json[i] {
		case '\\':
			i++
		case '"':
			return json[:i]
		}
	}
	return json
}

// pathOf returns the path of an address, without what is behind it.
func pathOf(address string) string {
	_, address, _ = strings.Cut(address, "://")
	_, path, _ := strings.Cut(address, "/")
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	return path
}

// slug returns the words of a path that may say what the page is about: those of
// its last parts.
func slug(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	text := strings.Join(parts[max(0, len(parts)-2):], " ")
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == '+' {
			return ' '
		}
		return r
	}, chars.Truncate(text, maxTitle))
}

// maxTitle bounds how much of a title is looked at.
const maxTitle = 400

// inline goes through an element that stands in a line.
func (w *walker) inline(n *dom.Node) {
	switch n.Atom {
	case atom.Br:
		w.breakLine(n)
		return
	case atom.Img:
		w.leaf(n)
		w.open.images++
		return
	case atom.Input:
		w.leaf(n)
		w.open.input, w.open.silent = true, true
		w.counted.fields++
		return
	case atom.Wbr:
		w.leaf(n)
		return
	}
	before := w.inlineGroups
	w.inlineGroups |= inlineGroups(n)
	switch n.Atom {
	case atom.A:
		w.links++
		w.linkSeen = false
		w.linkTo = w.targetOf(n)
		w.children(n)
		w.linkTo = targetOther
		w.links--
	case atom.B, atom.Strong:
		w.bold++
		w.children(n)
		w.bold--
	case atom.Button:
		w.counted.fields++
		w.children(n)
	default:
		w.children(n)
	}
	w.inlineGroups = before
}

// breakLine ends the block at the second line break in a row.
func (w *walker) breakLine(n *dom.Node) {
	w.leaf(n)
	if w.breaks++; w.breaks == 2 && w.reader.chars > 0 {
		w.flush()
	}
}

// leaf adds a node to the block at hand.
func (w *walker) leaf(n *dom.Node) {
	if !w.started {
		w.started = true
		w.open = block{container: w.current, first: int32(len(w.leaves)), heading: w.heading, before: w.chars}
		w.reader = reader{known: &w.known}
	}
	w.leaves = append(w.leaves, n)
	w.open.groups |= w.inlineGroups
	switch w.linkTo {
	case targetNeighbour:
		w.open.turns++
	case targetInner:
		w.open.inner++
	}
	w.linkTo = targetOther
}

func (w *walker) text(n *dom.Node) {
	if w.drop.Has(n) {
		return
	}
	if !w.started && blankText(n.Data) {
		return
	}
	w.leaf(n)
	chars := w.reader.read(n.Data)
	if chars == 0 {
		return
	}
	w.breaks = 0
	if w.links > 0 {
		w.open.linkChars += chars
		if !w.linkSeen {
			w.linkSeen = true
			w.open.links++
		}
	}
	if w.bold > 0 {
		w.open.boldChars += chars
	}
}

// flush ends the block at hand.
func (w *walker) flush() {
	w.breaks = 0
	if !w.started || len(w.blocks) >= maxBlocks && w.current > 0 {
		return
	}
	w.started = false
	b := &w.open
	b.end = int32(len(w.leaves))
	w.reader.close()
	b.shape = w.reader.shape
	w.counted.images += b.images
	if b.chars == 0 && b.images == 0 && !b.silent {
		return // white space and line breaks; they go with what is around them
	}
	w.blocks = append(w.blocks, *b)
	w.chars += b.chars
	s := sums{chars: b.chars, linkChars: b.linkChars}
	if b.chars > 0 {
		s.blocks = 1
	}
	if b.isProse() {
		s.longChars = b.chars
		w.credit(b)
		if w.containers[w.current].beside {
			w.besideChars += b.chars
		}
	}
	heading := w.containers[w.current].tag.isHeading() && b.chars > 0
	if heading {
		s.headings = 1
	}
	w.counted.add(&s)
	if heading {
		w.heading = int32(len(w.blocks) - 1)
	}
}

// isProse reports whether a block is long and not made of links.
func (b *block) isProse() bool {
	return b.weight() >= 80 && b.linkChars*3 < b.chars
}

// passesOver reports whether a block is left out without asking the model: it says
// of itself that it is beside the content, and what says so has little prose.
func (p *page) passesOver(b *block) bool {
	return p.containers[b.container].beside && p.besideChars*4 <= p.total.longChars
}

// weight is the length of a block's text as if all scripts were Latin: what
// takes three characters there takes one in Chinese.
func (b *block) weight() int32 { return b.chars + 2*b.cjk }

// credit counts prose for the container around it and, half, for the next.
func (w *walker) credit(b *block) {
	prose := min(b.weight(), 1000)
	up := max(w.containers[w.current].parent, 0)
	w.containers[up].score += 2 * prose
	if next := w.containers[up].parent; next >= 0 {
		w.containers[next].score += prose
	}
}

// push opens a container.
func (w *walker) push(n *dom.Node, k tag) {
	i := int32(len(w.containers))
	w.containers = append(w.containers, container{parent: w.current, tag: k, node: n, before: w.chars, first: int32(len(w.blocks))})
	w.from = append(w.from, w.counted)
	c := &w.containers[i]
	own, first := ownGroups(n, k)
	if k == tagBody {
		w.bodyGroups |= wordGroups(n.Get("class")) | wordGroups(n.Get("id"))
	}
	c.own, c.above = own, own
	c.make = uint32(k)*hashPrime ^ first
	c.path = c.make
	if c.parent >= 0 {
		p := &w.containers[c.parent]
		c.depth = p.depth + 1
		if k == tagCell || k == tagHeadCell {
			p.cells++
		}
		c.path = (c.make*31+p.make)*31 + p.grandMake(w.containers)
		c.nth = w.counter.add(uint64(uint32(c.parent))<<32 | uint64(c.make))
		c.above |= p.above
		c.beside = p.beside || isBeside(n)
	}
	w.current = i
}

func (c *container) grandMake(all []container) uint32 {
	if c.parent < 0 {
		return 0
	}
	return all[c.parent].make
}

// pop closes the innermost container.
func (w *walker) pop() {
	c := &w.containers[w.current]
	c.end, c.after = int32(len(w.containers)), int32(len(w.blocks))
	now, from := w.counted, w.from[len(w.from)-1]
	w.from = w.from[:len(w.from)-1]
	c.sums = sums{
		chars: now.chars - from.chars, linkChars: now.linkChars - from.linkChars, longChars: now.longChars - from.longChars,
		blocks: now.blocks - from.blocks, images: now.images - from.images,
		fields: now.fields - from.fields, headings: now.headings - from.headings,
	}
	w.current = c.parent
}

// countAlike finds for each container how many of its make its parent has.
func (w *walker) countAlike() {
	for i := range w.containers {
		c := &w.containers[i]
		if c.parent >= 0 {
			c.alike = w.counter.get(uint64(uint32(c.parent))<<32 | uint64(c.make))
		}
	}
}
