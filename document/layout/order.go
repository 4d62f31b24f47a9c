package layout

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// item is what is put in order: a run, or a table that holds many.
type item struct {
	Box
	run   int32 // -1 for a table
	table *table
}

// cutter puts what stands on a page in the order in which it is read, by cutting it
// where white space goes through.
type cutter struct {
	page  *page
	size  float32 // of most of the text
	bins  []float32
	level []stroke // the level lines of the page
	news  bool     // the page has three columns of running text or more
}

// binWidth is how finely the white space is measured.
const binWidth = 2

// maxDepth bounds how often a part is cut again.
const maxDepth = 40

// maxItems bounds what is put in order; a page with more is read from top to bottom.
const maxItems = 8000

// measure finds the size of most text and the direction of reading. It returns how many
// characters there are, and how many of them are in fonts of one width.
func (p *page) measure(c *cutter) (chars, inMono int) {
	var count [256]int32
	var rtl, mono, all int32
	for i := range p.runs {
		r := &p.runs[i]
		if r.style&tree.Mono != 0 {
			mono += r.chars
		}
		count[min(int(r.size*4), 255)] += r.chars
		all += r.chars
		if r.rtl {
			rtl += r.chars
		}
	}
	best := 0
	for i := range count {
		if count[i] > count[best] {
			best = i
		}
	}
	c.size = max(float32(best)/4, 4)
	p.rtl = rtl*2 > all
	return int(all), int(mono)
}

// typewritten takes text in a font of one width for running text.
func (p *page) typewritten() {
	for i := range p.runs {
		p.runs[i].style &^= tree.Mono
	}
	for i := range p.pieces {
		p.pieces[i].style &^= tree.Mono
	}
}

// cut puts items in order, as leaves of text that is read from top to bottom.
func (c *cutter) cut(items []item, depth int) {
	if len(items) < 2 || len(items) > maxItems || depth > maxDepth {
		c.leaf(items)
		return
	}
	if depth == 0 {
		items = c.aligned(items, true)
	}
	if g, ok := c.gutter(items, true); ok {
		c.split(items, g, depth)
		return
	}
	items = c.aligned(items, false)
	if g, ok := c.gutter(items, false); ok {
		c.split(items, g, depth)
		return
	}
	c.stack(items, depth)
}

// gutter is white space between two columns.
type gutter struct{ left, right float32 }

// gutter finds the white space from top to bottom that parts items best. A few
// items may reach over it; they part what stands above them from what is below. A
// sure one has running text on both sides.
func (c *cutter) gutter(items []item, sure bool) (gutter, bool) {
	area := bounds(items)
	const step = binWidth
	n := int(area.width()/step) + 2
	if n < 8 || n > 20000 {
		return gutter{}, false
	}
	c.bins = append(c.bins[:0], make([]float32, n+1)...)
	total := float32(0)
	for i := range items {
		h := items[i].height()
		total += h
		c.bins[int((items[i].Left-area.Left)/step)] += h
		c.bins[min(int((items[i].Right-area.Left)/step)+1, n)] -= h
	}
	for i := 1; i < n; i++ {
		c.bins[i] += c.bins[i-1]
	}
	for _, share := range [...]float32{0.001, 0.12, 0.3, 0.5} {
		if g, ok := c.widest(items, area, n, total, share, sure); ok {
			return g, true
		}
	}
	return gutter{}, false
}

// widest returns the widest valid gutter over which at most a share of the total
// height of all items reaches.
func (c *cutter) widest(items []item, area Box, n int, total, share float32, sure bool) (gutter, bool) {
	limit := share*total + 0.05
	const step = binWidth
	var list []gutter
	for i := 1; i < n; i++ {
		if c.bins[i] > limit {
			continue
		}
		j := i
		for j < n && c.bins[j] <= limit {
			j++
		}
		g := gutter{area.Left + float32(i)*step, area.Left + float32(j)*step}
		if g.right-g.left >= 0.55*c.size && j < n {
			list = append(list, g)
		}
		i = j
	}
	if sure && (c.news || len(list) > 1) {
		if g, ok := c.newspaper(items, list); ok {
			return g, true
		}
	}
	slices.SortFunc(list, func(a, b gutter) int { return cmp.Compare(b.right-b.left, a.right-a.left) })
	for i, g := range list {
		if i == 6 {
			break
		}
		if g = c.narrow(items, g); g.right-g.left >= 0.5*c.size && c.parts(items, g, share < 0.01, sure) {
			return g, true
		}
	}
	return gutter{}, false
}

// newspaper finds a gutter among several, from left to right, that has running text
// in the columns next to it. White space within their lines is that of justified text.
func (c *cutter) newspaper(items []item, list []gutter) (gutter, bool) {
	columns := make([]column, len(list)+1)
	sorted := slices.Clone(items)
	slices.SortFunc(sorted, func(a, b item) int { return cmp.Compare(c.base(&a), c.base(&b)) })
	for i := range sorted {
		at := 0
		for at < len(list) && side(&sorted[i], list[at]) > 0 {
			at++
		}
		if at == len(list) || side(&sorted[i], list[at]) < 0 {
			columns[at].add(c, &sorted[i])
		}
	}
	for i, g := range list {
		l, r := &columns[i], &columns[i+1]
		if l.fills(c.size) && r.fills(c.size) && min(l.width(), r.width()) > 0.8*max(l.width(), r.width()) && min(l.Bottom, r.Bottom)-max(l.Top, r.Top) > 0.5*min(l.height(), r.height()) {
			c.news = true
			return g, true
		}
	}
	return gutter{}, false
}

// narrow sets the sides of a gutter to where the text beside it ends.
func (c *cutter) narrow(items []item, g gutter) gutter {
	left, right := float32(-1e9), float32(1e9)
	for i := range items {
		switch side(&items[i], g) {
		case -1:
			left = max(left, items[i].Right)
		case 1:
			right = min(right, items[i].Left)
		}
	}
	if left < -1e8 || right > 1e8 {
		return gutter{}
	}
	return gutter{left, right}
}

// side returns on which side of a gutter an item is; 0 if it reaches over it.
func side(i *item, g gutter) int {
	middle := (g.left + g.right) / 2
	switch {
	case i.Right <= middle:
		return -1
	case i.Left >= middle:
		return 1
	}
	return 0
}

// column sums up what stands on one side of a gutter.
type column struct {
	Box
	lines, shared int // shared have a neighbour on the other side on the same line
	chars         int32
	widths        float32
	tables        int
	last          Box // the last line
	base          float32
	small         int       // lines that begin with a small letter
	wide          []float32 // how wide the lines are; negative if they have several runs
}

// parts reports whether what stands on both sides of a gutter is two columns, and
// not one line after the other with gaps.
func (c *cutter) parts(items []item, g gutter, clear, sure bool) bool {
	var sides [2]column
	over, beset := 0, 0
	sorted := slices.Clone(items)
	slices.SortFunc(sorted, func(a, b item) int { return cmp.Compare(c.base(&a), c.base(&b)) })
	for i := range sorted {
		s := side(&sorted[i], g)
		if s == 0 {
			over++
			if c.beset(sorted, i, g) {
				beset++
			}
			continue
		}
		at := &sides[(s+1)/2]
		at.add(c, &sorted[i])
		for _, step := range [2]int{1, -1} {
			for k, n := i+step, 0; k >= 0 && k < len(sorted) && n < 8; k, n = k+step, n+1 {
				if abs(c.base(&sorted[k])-c.base(&sorted[i])) > 0.25*c.size {
					break
				}
				if other := side(&sorted[k], g); other == -s {
					at.shared++
					n = 1000
				}
			}
		}
	}
	l, r := &sides[0], &sides[1]
	if l.lines == 0 || r.lines == 0 {
		return false
	}
	if !clear && (l.lines < 3 || r.lines < 3) || beset > 1 && beset*6 > over {
		return false
	}
	if c.evenly(sorted, g, max(l.Top, r.Top), min(l.Bottom, r.Bottom)) < min(2, l.lines, r.lines) {
		return false // one stands below the other
	}
	if sure {
		return l.runs(c.size) && r.runs(c.size)
	}
	return c.columns(l, r, g, clear)
}

// beset reports whether an item that reaches over a gutter has others beside it.
func (c *cutter) beset(sorted []item, i int, g gutter) bool {
	for _, step := range [2]int{1, -1} {
		for k, n := i+step, 0; k >= 0 && k < len(sorted) && n < 6; k, n = k+step, n+1 {
			a, b := &sorted[i], &sorted[k]
			if side(b, g) != 0 && min(a.Bottom, b.Bottom)-max(a.Top, b.Top) > 0.5*min(a.height(), b.height()) {
				return true
			}
		}
	}
	return false
}

// evenly returns how many items both sides of a gutter have at least between two heights.
func (c *cutter) evenly(items []item, g gutter, top, bottom float32) int {
	var n [2]int
	for i := range items {
		if s := side(&items[i], g); s != 0 && items[i].Bottom > top && items[i].Top < bottom {
			n[(s+1)/2]++
		}
	}
	return min(n[0], n[1])
}

func (c *cutter) base(i *item) float32 {
	if i.run >= 0 {
		return c.page.runs[i.run].base
	}
	return i.Top
}

// add adds an item to a column. What stands on the line of the last one widens it.
func (s *column) add(c *cutter, i *item) {
	if s.lines == 0 {
		s.Box = i.Box
	}
	s.Box = s.union(i.Box)
	if i.run < 0 {
		s.lines++
		s.tables++
		return
	}
	r := &c.page.runs[i.run]
	if n := len(s.wide); n > 0 && r.base-s.base < 0.3*r.size {
		s.last = s.last.union(i.Box)
		s.widths += s.last.width() - abs(s.wide[n-1])
		s.wide[n-1] = -s.last.width()
		s.chars += r.chars
		return
	}
	s.lines++
	if first, _ := utf8.DecodeRune(c.page.runText(r)); unicode.IsLower(first) {
		s.small++
	}
	s.chars += r.chars
	s.widths += i.width()
	s.last, s.base = i.Box, r.base
	s.wide = append(s.wide, i.width())
}

// runs reports whether a column surely has running text.
func (s *column) runs(size float32) bool {
	whole, full, sum := 0, 0, float32(0)
	for _, w := range s.wide {
		if w < 0 {
			continue
		}
		whole++
		sum += w
		if w > 0.8*s.width() {
			full++
		}
	}
	return whole >= 6 && whole*3 >= len(s.wide) && (sum > 15*size*float32(whole) || sum > 8*size*float32(whole) && full*10 > whole*6)
}

// fills reports whether running text fills a column: lines are about as wide as it
// is, and many go on with a sentence.
func (s *column) fills(size float32) bool {
	n, full := len(s.wide), 0
	for _, w := range s.wide {
		if abs(w) > 0.5*s.width() {
			full++
		}
	}
	return n >= 6 && s.width() > 6*size && full*10 > n*6 && s.small*3 > n
}

// flows reports whether a column has running text.
func (s *column) flows(size float32) bool {
	return s.tables > 0 || s.lines >= 3 && s.widths >= 8*size*float32(s.lines-s.tables)
}

// names reports whether the lines of a column are names for the text on the other
// side: each on the line of one there, and short.
func (s *column) names(other *column) bool {
	return s.lines > 1 && s.shared*10 >= s.lines*8 && s.width() < 0.6*other.width()
}

// columns judges two columns.
func (c *cutter) columns(l, r *column, g gutter, clear bool) bool {
	if l.tables > 0 && r.tables > 0 || l.flows(c.size) && r.flows(c.size) {
		return true
	}
	wide := g.right-g.left > 2.5*c.size
	apart := l.shared*10 < l.lines*6 || r.shared*10 < r.lines*6 // not line by line
	narrow := min(l.width(), r.width()) < 3*c.size
	switch {
	case narrow:
		return false
	case l.names(r) && !l.flows(c.size) || r.names(l) && !r.flows(c.size):
		return false
	case l.flows(c.size) || r.flows(c.size):
		return apart || wide && min(l.lines, r.lines) >= 3
	case !clear:
		return false
	}
	return apart && min(l.lines, r.lines) >= 2 || wide && apart
}

// split orders items around a gutter: above and below those that reach over it,
// first one column and then the other.
func (c *cutter) split(items []item, g gutter, depth int) {
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.Top, b.Top) })
	var left, right, over []item
	flush := func() {
		if c.page.rtl {
			left, right = right, left
		}
		c.cut(left, depth+1)
		c.cut(right, depth+1)
		left, right = nil, nil
	}
	bottom := float32(-1e9)
	for at, i := range items {
		s := side(&i, g)
		if s == 0 {
			if len(left)+len(right) > 0 {
				flush()
			}
			over = append(over, i)
			bottom = max(bottom, i.Bottom)
			continue
		}
		if len(over) > 0 && (c.base(&i) < bottom-0.2*i.height() || c.follows(items, at, &over[len(over)-1], g)) {
			over = append(over, i) // on the line of what reaches over, or its last line
			bottom = max(bottom, i.Bottom)
			continue
		}
		if len(over) > 0 {
			c.stack(over, depth+1)
			over = nil
		}
		if s < 0 {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	if len(over) > 0 {
		c.stack(over, depth+1)
	}
	flush()
}

// follows reports whether an item goes on with a line above it that reaches over a
// gutter: it is set alike, close below it, and alone.
func (c *cutter) follows(items []item, at int, last *item, g gutter) bool {
	i := &items[at]
	if i.run < 0 || last.run < 0 {
		return false
	}
	a, b := &c.page.runs[last.run], &c.page.runs[i.run]
	if !similar(a.size, b.size) || a.font != b.font || b.base-a.base > 1.5*b.size || abs(i.Left-last.Left) > 2*b.size && abs(i.centerX()-last.centerX()) > 2*b.size {
		return false
	}
	for k := max(at-4, 0); k < min(at+5, len(items)); k++ {
		if o := &items[k]; side(o, g) == -side(i, g) && o.Top < i.Bottom-0.2*i.height() && o.Bottom > i.Top+0.2*i.height() {
			return false
		}
	}
	return true
}

// stack cuts items at the widest white space from left to right, if one of the parts
// has columns of its own.
func (c *cutter) stack(items []item, depth int) {
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.Top, b.Top) })
	from, best, parted := 0, 0, false
	bottom, widest := float32(-1e9), float32(0)
	for i := 0; i <= len(items) && depth < maxDepth; i++ {
		if i == len(items) || i > 0 && items[i].Top > bottom+0.3*c.size {
			if (from > 0 || i < len(items)) && !parted && i-from > 1 {
				_, parted = c.gutter(items[from:i], false)
			}
			if i < len(items) && items[i].Top-bottom > widest {
				best, widest = i, items[i].Top-bottom
			}
			from = i
		}
		if i < len(items) {
			bottom = max(bottom, items[i].Bottom)
		}
	}
	if !parted || best == 0 {
		c.leaf(items)
		return
	}
	c.cut(slices.Clone(items[:best]), depth+1)
	c.cut(slices.Clone(items[best:]), depth+1)
}

func bounds(items []item) Box {
	b := items[0].Box
	for i := range items {
		b = b.union(items[i].Box)
	}
	return b
}
