package layout

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// run is text on one baseline without a wide gap: a line of a column, a cell of a
// table, a word that stands alone.
type run struct {
	Box
	base, size float32
	from, to   int32 // pieces
	chars      int32
	style      tree.Style // that nearly all of it has
	turn       uint8
	rtl        bool
	of         int32  // index of the run that it was cut from, plus one
	label      bool   // begins with what may be the label of a list item
	font       uint32 // a number for the name of the font of most of it
}

// piece is text in one style.
type piece struct {
	from, to int32 // in the text of the page
	style    tree.Style
	link     int32 // index in the links of the page plus one
	note     int32 // index in the notes of the document plus one
}

// gap is a wide space within a run.
type gap struct {
	run         int32
	at          int32 // where it is in the text of the page
	left, right float32
}

// entry is a glyph within a fragment.
type entry struct {
	glyph int32
	style tree.Style // beyond that of its font
}

// fragment is a sequence of glyphs that are drawn one after the other on a baseline.
type fragment struct {
	Box
	base, size float32
	from, to   int32 // entries
	next       int32 // that belongs to the same run; -1 for none
	used       bool
}

// Distances in parts of the size of the text.
const (
	wordGap   = 0.16 // from here on there is a space
	breakGap  = 1.15 // from here on a run ends
	jumpGap   = 0.75 // the same if what follows is not drawn next
	ruleGap   = 0.22 // from here on a vertical rule may stand between
	maxLevels = 100  // neighbours looked at to find what a superscript belongs to
)

// reader finds runs. Its slices are used again from page to page.
type reader struct {
	glyphs  []Glyph
	entries []entry
	frags   []fragment
	order   []int32
	sorted  []entry
	upright []Box // vertical rules by their left side
	links   []Link
	budget  int // comparisons of runs with links that are left
	faces   []face
	gaps    []float32
	listing bool // the run is a part of a listing
	listed  look // of the last listing on the page
	// by the numbers of fonts, of the whole document
	families map[uint32]string
	visual   []visual
}

// runs appends the runs of a page to its text, pieces and runs.
func (r *reader) runs(p *Page, out *page) {
	r.faces, r.links, r.budget, r.listed = faces(p, r.families), out.links, maxCompared, look{}
	r.upright = r.upright[:0]
	for _, b := range p.Rules {
		if b.Bottom-b.Top > 4*(b.Right-b.Left) {
			r.upright = append(r.upright, b)
		}
	}
	slices.SortFunc(r.upright, func(a, b Box) int { return cmp.Compare(a.Left, b.Left) })
	var turns [4]int
	for i := range p.Glyphs {
		turns[p.Glyphs[i].Turn&3]++
	}
	for turn := range turns {
		if turns[turn] == 0 {
			continue
		}
		r.glyphs = p.Glyphs
		if turn > 0 || turns[0] < len(p.Glyphs) {
			r.glyphs = pick(p, uint8(turn), turns[turn])
		}
		r.fragments()
		r.connect(uint8(turn), p.Recognised)
		r.raise()
		r.emit(uint8(turn), out)
	}
}

// pick returns the glyphs with a turn, as if it were none.
func pick(p *Page, turn uint8, n int) []Glyph {
	list := make([]Glyph, 0, n)
	for i := range p.Glyphs {
		g := p.Glyphs[i]
		if g.Turn&3 != turn {
			continue
		}
		g.Box = upright(g.Box, turn)
		at := upright(Box{g.X, g.Y, g.X, g.Y}, turn)
		g.X, g.Y = at.Left, at.Top
		list = append(list, g)
	}
	return list
}

// upright turns a box so that text with the turn stands upright; turned is its inverse.
func upright(b Box, turn uint8) Box {
	switch turn {
	case 1:
		return Box{b.Top, -b.Right, b.Bottom, -b.Left}
	case 2:
		return Box{-b.Right, -b.Bottom, -b.Left, -b.Top}
	case 3:
		return Box{-b.Bottom, b.Left, -b.Top, b.Right}
	}
	return b
}

func turned(b Box, turn uint8) Box {
	return upright(b, (4-turn)&3)
}

func isSpace(c rune) bool {
	return c <= ' ' && c != hyphenMark && c != 0 || c == 0xa0 || c == 0x3000 || c >= 0x2000 && c <= 0x200b || c == 0xfeff || c == 0x202f
}

func finite(f float32) bool { return f-f == 0 }

// fragments cuts the glyphs, in the order in which they are drawn, into fragments.
func (r *reader) fragments() {
	r.entries, r.frags = r.entries[:0], r.frags[:0]
	last := int32(-1)
	for i := range r.glyphs {
		g := &r.glyphs[i]
		if !finite(g.Left) || !finite(g.Right) || !finite(g.X) || !finite(g.Y) || !finite(g.Top) || !finite(g.Bottom) || !(g.Size > 0.5) || g.Size > 2000 {
			continue
		}
		if isSpace(g.Rune) || g.Rune == 0xfffe || g.Rune == 0xad && g.Generated {
			if last >= 0 && !r.broken(last, int32(i)) {
				r.extend(int32(i))
			}
			continue
		}
		if last >= 0 && r.doubled(last, int32(i)) {
			r.entries[len(r.entries)-1].style |= tree.Bold
			continue
		}
		if last < 0 || r.broken(last, int32(i)) {
			r.open(int32(i))
		} else {
			r.extend(int32(i))
			r.grow(g)
		}
		last = int32(i)
	}
	if len(r.frags) > 0 {
		r.frags[len(r.frags)-1].to = int32(len(r.entries))
	}
}

func (r *reader) open(i int32) {
	g := &r.glyphs[i]
	if n := len(r.frags); n > 0 {
		r.frags[n-1].to = int32(len(r.entries))
	}
	r.frags = append(r.frags, fragment{Box: g.Box, base: g.Y, size: g.Size, from: int32(len(r.entries)), next: -1})
	r.extend(i)
}

func (r *reader) extend(i int32) { r.entries = append(r.entries, entry{glyph: i}) }

func (r *reader) grow(g *Glyph) {
	f := &r.frags[len(r.frags)-1]
	f.Box = f.union(g.Box)
}

// doubled reports whether a glyph is drawn over the last one to look bold.
func (r *reader) doubled(last, i int32) bool {
	a, b := &r.glyphs[last], &r.glyphs[i]
	return a.Rune == b.Rune && abs(a.X-b.X) < 0.12*a.Size && abs(a.Y-b.Y) < 0.12*a.Size && abs(a.Size-b.Size) < 0.1*a.Size &&
		abs(a.X-b.X) < 0.4*(a.Right-a.Left)
}

// broken reports whether a glyph does not go on where the last one ended.
func (r *reader) broken(last, i int32) bool {
	a, b := &r.glyphs[last], &r.glyphs[i]
	size := max(a.Size, b.Size)
	if abs(a.Y-b.Y) > 0.07*size+0.1 || min(a.Size, b.Size) < 0.5*size {
		return true
	}
	gap := b.Left - a.Right
	if gap >= -0.6*size && gap < breakGap*size {
		return gap > ruleGap*size && r.ruled(a.Right, b.Left, a.Y, size)
	}
	back := a.Left - b.Right // right to left
	return !(back > -0.6*size && back < breakGap*size && (isRTL(a.Rune) || isRTL(b.Rune) || isSpace(b.Rune) || b.Right-b.Left < 0.1*size))
}

// ruled reports whether a vertical rule stands between two glyphs.
func (r *reader) ruled(from, to, base, size float32) bool {
	if len(r.upright) == 0 {
		return false
	}
	i, _ := slices.BinarySearchFunc(r.upright, from-0.1*size, func(b Box, x float32) int { return cmp.Compare(b.Left, x) })
	for n := 0; i < len(r.upright) && r.upright[i].Left < to+0.1*size && n < maxLevels; i, n = i+1, n+1 {
		if b := &r.upright[i]; b.Top < base-0.3*size && b.Bottom > base-0.3*size {
			return true
		}
	}
	return false
}

// connect links the fragments of a line that stand close to each other.
func (r *reader) connect(turn uint8, recognised bool) {
	r.order = r.order[:0]
	for i := range r.frags {
		r.order = append(r.order, int32(i))
	}
	slices.SortFunc(r.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.frags[a].base, r.frags[b].base), cmp.Compare(r.frags[a].Left, r.frags[b].Left))
	})
	slack := float32(0.12)
	if recognised {
		slack = 0.35
	}
	for i := 0; i < len(r.order); {
		first := &r.frags[r.order[i]]
		j := i + 1
		for j < len(r.order) && r.frags[r.order[j]].base-first.base < slack*min(first.size, r.frags[r.order[j]].size)+0.2 {
			j++
		}
		band := r.order[i:j]
		slices.SortStableFunc(band, func(a, b int32) int { return cmp.Compare(r.frags[a].Left, r.frags[b].Left) })
		r.link(band, turn)
		i = j
	}
}

// link joins the fragments of one baseline, from left to right.
func (r *reader) link(band []int32, turn uint8) {
	head, tail := band[0], band[0]
	for _, i := range band[1:] {
		h, t, f := &r.frags[head], &r.frags[tail], &r.frags[i]
		size := max(t.size, f.size)
		gap := f.Left - h.Right
		limit := float32(breakGap)
		if d := i - tail; d != 1 && d != -1 {
			limit = jumpGap
		}
		switch {
		case gap < -0.3*size && r.covered(tail, i):
			f.used = true // drawn twice
			continue
		case gap < -0.6*size && -gap > 0.5*(f.Right-f.Left), gap > limit*size, min(t.size, f.size) < 0.5*size,
			gap > ruleGap*size && turn == 0 && r.ruled(h.Right, f.Left, f.base, size):
			head, tail = i, i
			continue
		}
		t.next = i
		f.used = true
		h.Box = h.union(f.Box)
		if f.Right-f.Left > t.Right-t.Left {
			h.size = f.size
		}
		tail = i
	}
}

// covered reports whether the glyphs of fragment i are all in fragment at already,
// and marks those as bold.
func (r *reader) covered(at, i int32) bool {
	h, f := &r.frags[at], &r.frags[i]
	a, b := h.from, f.from
	for a < h.to && b < f.to {
		x, y := &r.glyphs[r.entries[a].glyph], &r.glyphs[r.entries[b].glyph]
		if x.Rune == y.Rune && abs(x.X-y.X) < 0.15*x.Size {
			r.entries[a].style |= tree.Bold
			b++
		}
		a++
	}
	for b < f.to && isSpace(r.glyphs[r.entries[b].glyph].Rune) {
		b++
	}
	return b == f.to
}

// raise joins superscripts and subscripts to the runs that they stand at.
func (r *reader) raise() {
	heads := r.order[:0]
	for _, i := range r.order {
		if !r.frags[i].used {
			heads = append(heads, i)
		}
	}
	r.order = heads
	for at, i := range heads {
		s := &r.frags[i]
		for _, step := range [2]int{1, -1} {
			for k, n := at+step, 0; k >= 0 && k < len(heads) && n < maxLevels && !s.used; k, n = k+step, n+1 {
				h := &r.frags[heads[k]]
				if abs(h.base-s.base) > 2*s.size {
					break
				}
				if !h.used {
					r.attach(heads[k], i)
				}
			}
		}
	}
}

// attach joins a fragment to a run if it is raised or lowered against it.
func (r *reader) attach(host, i int32) {
	h, s := &r.frags[host], &r.frags[i]
	shift := h.base - s.base // upwards
	if r.accents(s) && host != i && s.centerX() > h.Left && s.centerX() < h.Right && shift < 0.6*h.size && shift > -0.6*h.size {
		r.append(host, i, 0)
		return
	}
	if host != i && abs(shift) < 0.35*h.size && s.size > 0.6*h.size && r.kerned(host, s) {
		r.append(host, i, 0)
		return
	}
	if host == i || s.size > 0.86*h.size || s.size < 0.35*h.size || shift > 0.75*h.size || shift < -0.4*h.size || s.Right-s.Left > 6*h.size {
		return
	}
	after, before := s.Left-h.Right, h.Left-s.Right
	inside := s.Left > h.Left && s.Right < h.Right
	if !inside && (after < -0.2*h.size || after > 0.35*h.size) && (before < -0.1*h.size || before > r.reach(s)*h.size) {
		return
	}
	style := tree.Super
	if shift < 0.08*h.size {
		style = tree.Sub
		if shift > -0.04*h.size {
			style = 0
		}
	}
	r.append(host, i, style)
	h.Left, h.Right = min(h.Left, s.Left), max(h.Right, s.Right)
}

// kerned reports whether a fragment is a letter that is pushed in between two letters of
// a run, as those of a name that is set as a logo are.
func (r *reader) kerned(host int32, s *fragment) bool {
	g := &r.glyphs[r.entries[s.from].glyph]
	if !unicode.IsLetter(g.Rune) || s.next >= 0 || s.Left < r.frags[host].Left || s.Right > r.frags[host].Right {
		return false
	}
	for _, e := range r.entries[s.from+1 : s.to] {
		if !isSpace(r.glyphs[e.glyph].Rune) {
			return false
		}
	}
	var before, after *Glyph
	for at := host; at >= 0; at = r.frags[at].next {
		for _, e := range r.entries[r.frags[at].from:r.frags[at].to] {
			switch o := &r.glyphs[e.glyph]; {
			case isSpace(o.Rune):
			case o.X < g.X && (before == nil || o.X > before.X):
				before = o
			case o.X >= g.X && (after == nil || o.X < after.X):
				after = o
			}
		}
	}
	return before != nil && after != nil && before.Right-g.Left > 0.04*s.size && g.Right-after.Left > 0.04*s.size
}

// reach returns how far a raised fragment may stand in front of its run, in parts of
// the size of the run: the number of a footnote further than others.
func (r *reader) reach(f *fragment) float32 {
	for _, e := range r.entries[f.from:f.to] {
		if c := r.glyphs[e.glyph].Rune; !isSpace(c) && (c < '0' || c > '9') {
			return 0.35
		}
	}
	return 1
}

// accents reports whether a fragment is nothing but an accent.
func (r *reader) accents(f *fragment) bool {
	if f.next >= 0 || combining(r.glyphs[r.entries[f.from].glyph].Rune) == 0 {
		return false
	}
	for _, e := range r.entries[f.from+1 : f.to] {
		if !isSpace(r.glyphs[e.glyph].Rune) {
			return false
		}
	}
	return true
}

// append appends the run that begins with fragment i to that which begins with host.
func (r *reader) append(host, i int32, style tree.Style) {
	for at := i; at >= 0; at = r.frags[at].next {
		f := &r.frags[at]
		for e := f.from; e < f.to; e++ {
			r.entries[e].style |= style
		}
	}
	tail := host
	for r.frags[tail].next >= 0 {
		tail = r.frags[tail].next
	}
	r.frags[tail].next = i
	r.frags[i].used = true
}

// emit writes the runs.
func (r *reader) emit(turn uint8, out *page) {
	for _, i := range r.order {
		if r.frags[i].used {
			continue
		}
		r.sorted = r.sorted[:0]
		rising := true
		for at := i; at >= 0; at = r.frags[at].next {
			for _, e := range r.entries[r.frags[at].from:r.frags[at].to] {
				if n := len(r.sorted); n > 0 && r.glyphs[e.glyph].X < r.glyphs[r.sorted[n-1].glyph].X {
					rising = false
				}
				r.sorted = append(r.sorted, e)
			}
		}
		if !rising {
			slices.SortStableFunc(r.sorted, func(a, b entry) int { return cmp.Compare(r.glyphs[a.glyph].X, r.glyphs[b.glyph].X) })
		}
		f := &r.frags[i]
		gaps := len(out.gaps)
		n := run{Box: f.Box, base: f.base, size: cmp.Or(r.usual(), f.size), turn: turn}
		if r.write(&n, out) && !out.repeats(&n) {
			if turn > 0 {
				n.Box = turned(n.Box, turn)
				n.base = n.Bottom
			}
			out.runs = append(out.runs, n)
		} else {
			out.gaps = out.gaps[:gaps]
		}
	}
}

// repeats reports whether a run is drawn over the last one, which makes that bold.
func (p *page) repeats(n *run) bool {
	if len(p.runs) == 0 {
		return false
	}
	last := &p.runs[len(p.runs)-1]
	if last.turn != 0 || n.turn != 0 || abs(last.Left-n.Left) > 0.15*n.size || abs(last.base-n.base) > 0.15*n.size || !bytes.Equal(p.runText(last), p.runText(n)) {
		return false
	}
	last.style |= tree.Bold
	for i := last.from; i < last.to; i++ {
		p.pieces[i].style |= tree.Bold
	}
	return true
}

// usual returns the size of most of the sorted glyphs.
func (r *reader) usual() float32 {
	var size float32
	votes := 0
	for i := range r.sorted {
		switch g := &r.glyphs[r.sorted[i].glyph]; {
		case isSpace(g.Rune) || r.sorted[i].style&(tree.Super|tree.Sub) != 0:
		case votes == 0:
			size, votes = g.Size, 1
		case similar(size, g.Size):
			votes++
		default:
			votes--
		}
	}
	return size
}

func abs(f float32) float32 { return float32(math.Abs(float64(f))) }

func (b Box) union(c Box) Box {
	return Box{min(b.Left, c.Left), min(b.Top, c.Top), max(b.Right, c.Right), max(b.Bottom, c.Bottom)}
}

func (b Box) width() float32   { return b.Right - b.Left }
func (b Box) height() float32  { return b.Bottom - b.Top }
func (b Box) centerX() float32 { return (b.Left + b.Right) / 2 }
func (b Box) centerY() float32 { return (b.Top + b.Bottom) / 2 }

// holds reports whether a point is within the box.
func (b Box) holds(x, y float32) bool {
	return x >= b.Left && x <= b.Right && y >= b.Top && y <= b.Bottom
}

// overlap returns how much of the narrower of two ranges is within the other.
func overlap(a, b, c, d float32) float32 {
	n := min(b-a, d-c)
	if n <= 0 {
		n = 0.01
	}
	return (min(b, d) - max(a, c)) / n
}

func isRTL(c rune) bool {
	return c >= 0x590 && (c < 0x900 || c >= 0xfb1d && c < 0xfe00 || c >= 0xfe70 && c < 0xff00) && (unicode.IsLetter(c) || unicode.IsMark(c))
}
