package pdfium

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/layout"
)

const (
	maxGlyphs = 2_000_000 // of a page
	batch     = 1024      // characters whose places are read together
	slotSize  = 64        // bytes for the places of a character: loose box, origin, tight box
)

// textReader reads the characters of a page.
type textReader struct {
	*module
	page  *layout.Page
	text  uint64 // handle of the page's text
	to    matrix // from the page's coordinates to upright ones
	fonts fonts

	runs   map[uint64]*run // by text object
	object uint64
	run    *run // of object, or the last one before if that is 0

	units [batch]uint32 // UTF-16 or code points; the library gives either
	owner [batch]*run   // nil for characters that are not drawn

	group  int // index of the first of the glyphs that stand in the same place
	at     int // character of the library that the last glyph is
	groups []group
	last   *run // of the glyph that was added last
	high   rune // first half of a surrogate pair
}

// group are letters that stand in the same place, as those of a ligature do.
type group struct {
	from, to int // glyphs
	at       int // a character of the library
	run      *run
}

// run is what the characters of a text object share.
type run struct {
	font     int
	size     float32
	turn     uint8
	mark     int32
	hidden   bool
	place    place
	chars    int        // that were added
	baseline float32    // for place == level, in the page's coordinates
	along    [2]float32 // step on the upright page for each unit of a character's width
	up, down [2]float32 // from the baseline to the top and bottom of a line
}

// place is how the place of a run's characters is found.
type place uint8

const (
	level    place = iota // on a horizontal baseline: the loose box says all
	slanted               // the loose box has the width
	sideways              // the loose box has no width
)

// glyphs reads the characters of a page.
func (m *module) glyphs(p *layout.Page, page uint64, to matrix) {
	text := m.call(textLoad, page)
	if text == 0 {
		return
	}
	r := &textReader{module: m, page: p, text: text, to: to, runs: map[uint64]*run{}}
	r.fonts.index = map[uint64]int{}
	n := max(m.number(textCount, text), 0)
	if n > maxGlyphs {
		n, p.Cut = maxGlyphs, true
	}
	p.Glyphs = make([]layout.Glyph, 0, n)
	for from := 0; from < n && m.err == nil; from += batch {
		count := min(batch, n-from)
		r.ask(from, count)
		r.take(from, count)
	}
	r.close()
	r.share()
	p.Fonts = r.fonts.list
	r.rescale()
	r.bitmaps()
	m.call(textClose, text)
}

// ask has the library write the places of characters into the slots.
func (r *textReader) ask(from, count int) {
	slot := uint64(r.slots)
	for i := range count {
		at := uint64(from + i)
		r.units[i] = uint32(r.call(textUnicode, r.text, at))
		object := r.call(textObject, r.text, at)
		if object != r.object {
			r.object = object
			if object != 0 {
				r.enter(object, at)
			}
		}
		r.owner[i] = nil
		r.call(textBox, r.text, at, slot)
		if object != 0 {
			r.owner[i] = r.run
			if r.run.place != level {
				r.call(textOrigin, r.text, at, slot+16, slot+24)
			}
			if r.run.place == sideways {
				r.call(textTightBox, r.text, at, slot+32, slot+40, slot+48, slot+56)
			}
			if r.fonts.doubtful(r.run.font) {
				r.check(i, at)
			}
		}
		slot += slotSize
	}
}

// check marks characters of which the file does not say what they mean: the library
// gives the numbers of their shapes instead.
func (r *textReader) check(i int, at uint64) {
	unmapped := r.number(textUnmapped, r.text, at) == 1
	r.fonts.checked(r.run.font, unmapped)
	if unmapped && r.fonts.list[r.run.font].Name == "" && r.units[i] < 256 {
		r.units[i] += bitmapCode
	} else if unmapped {
		r.units[i] = '\uFFFD'
	}
}

// enter makes object the one that characters belong to; at is its first character.
func (r *textReader) enter(object, at uint64) {
	if known := r.runs[object]; known != nil {
		r.run = known
		return
	}
	r.run = r.describe(object, at)
	r.runs[object] = r.run
}

// describe asks for what the characters of a text object share.
func (r *textReader) describe(object, at uint64) *run {
	var v [6]float32
	scratch := uint64(r.scratch)
	r.call(textMatrix, r.text, at, scratch)
	r.call(textObjectSize, object, scratch+24)
	r.call(textOrigin, r.text, at, scratch+32, scratch+40)
	r.call(textBox, r.text, at, scratch+48)
	r.floats(r.scratch, v[:])
	b := r.read(r.scratch, 64)
	size, left, y := float(b[24:]), float(b[48:]), double(b[40:])
	x := double(b[32:])
	font := r.fonts.find(r.module, r.call(textObjectFont, object))

	m := matrix{a: v[0], b: v[1], c: v[2], d: v[3]}
	if !finite(m.a, m.b, m.c, m.d, size) {
		m, size = matrix{a: 1, d: 1}, 0
	}
	if r.fonts.list[font].Name == "" && m.a*m.d-m.b*m.c < 0 {
		m.c, m.d = -m.c, -m.d // mirrored again by the font, which is a drawing
	}
	o := &run{font: font, mark: int32(r.number(objectMark, object)), hidden: r.number(textObjectMode, object) == 3, baseline: y}
	o.size = abs(size) * hypot(m.c, m.d)
	switch {
	case abs(m.a) < 0.01*abs(m.b):
		o.place = sideways
	case abs(m.b) > 0.001*abs(m.a) || abs(x-left) > 0.01*o.size+0.01:
		o.place = slanted
	}
	o.direct(m, size, r.to, &r.fonts.metrics[font])
	return o
}

// direct finds in which directions on the upright page the characters go and stand.
func (o *run) direct(m matrix, size float32, to matrix, metric *metric) {
	ux, uy := to.vector(m.c*size, m.d*size)
	o.up = [2]float32{ux * metric.ascent, uy * metric.ascent}
	o.down = [2]float32{ux * metric.descent, uy * metric.descent}
	ax, ay := to.vector(m.a*size, m.b*size)
	o.turn = turn(ax, ay)
	if m.a*m.d-m.b*m.c < 0 { // mirrored: what is above the line says how it is turned
		o.turn = turn(-uy, ux)
	}
	if o.place == sideways {
		if length := hypot(ax, ay); length > 0 {
			o.along = [2]float32{ax / length, ay / length}
		}
		return
	}
	// The loose box is as wide as the advance times m.a, with its sign.
	if x, y := to.vector(m.a, m.b); m.a != 0 {
		o.along = [2]float32{x / m.a, y / m.a}
	}
}

// take makes glyphs of characters whose places were asked for.
func (r *textReader) take(from, count int) {
	places := r.read(r.slots, count*slotSize)
	for i := range count {
		b := places[i*slotSize : (i+1)*slotSize]
		if r.owner[i] == nil {
			r.generated(r.units[i], b)
			continue
		}
		r.drawn(r.units[i], from+i, r.owner[i], b)
	}
}

// generated adds a character that is not drawn.
func (r *textReader) generated(unit uint32, b []byte) {
	g := layout.Glyph{Rune: meaning(unit), Generated: true, Mark: -1}
	left, top, right, bottom := float(b), float(b[4:]), float(b[8:]), float(b[12:])
	if !finite(left, top, right, bottom) {
		return
	}
	g.Box = r.to.box(left, bottom, right, top)
	g.X, g.Y = r.to.point(left, bottom)
	if o := r.last; o != nil {
		g.Size, g.Font, g.Turn, g.Mark, g.Hidden = o.size, uint16(o.font), o.turn, o.mark, o.hidden
	}
	r.close()
	r.page.Glyphs = append(r.page.Glyphs, g)
	r.group, r.high = len(r.page.Glyphs), 0
}

// drawn adds a character of a run; at is its number.
func (r *textReader) drawn(unit uint32, at int, o *run, b []byte) {
	if r.pair(unit) {
		return
	}
	left, right := float(b), float(b[8:])
	x, y := left, o.baseline
	if o.place != level {
		x, y = double(b[16:]), double(b[24:])
	}
	if !finite(left, right, x, y) {
		return
	}
	g := layout.Glyph{Rune: meaning(unit), Size: o.size, Font: uint16(o.font), Turn: o.turn, Mark: o.mark, Hidden: o.hidden}
	g.X, g.Y = r.to.point(x, y)
	advance := right - left
	if o.place == sideways {
		advance = o.extent(r.to, &g, b)
	}
	g.Box = o.box(&g, advance)
	g.Generated = unit == ' ' && advance == 0
	if n := len(r.page.Glyphs); o != r.last || r.group == n || g.Generated || !together(&r.page.Glyphs[n-1], &g) {
		r.close()
		r.group = n
	}
	r.page.Glyphs = append(r.page.Glyphs, g)
	o.chars++
	r.last, r.at = o, at
}

// pair joins the second half of a surrogate pair to its first.
func (r *textReader) pair(unit uint32) bool {
	high := r.high
	r.high = 0
	if unit >= 0xD800 && unit < 0xDC00 {
		r.high = rune(unit)
		return false
	}
	n := len(r.page.Glyphs)
	if high == 0 || unit < 0xDC00 || unit >= 0xE000 || n == 0 {
		return false
	}
	r.page.Glyphs[n-1].Rune = utf16.DecodeRune(high, rune(unit))
	return true
}

// box is where a character stands that begins at g's origin.
func (o *run) box(g *layout.Glyph, advance float32) layout.Box {
	x1, y1 := g.X, g.Y
	x2, y2 := x1+o.along[0]*advance, y1+o.along[1]*advance
	return layout.Box{
		Left:   min(x1, x2) + min(o.up[0], o.down[0]),
		Top:    min(y1, y2) + min(o.up[1], o.down[1]),
		Right:  max(x1, x2) + max(o.up[0], o.down[0]),
		Bottom: max(y1, y2) + max(o.up[1], o.down[1]),
	}
}

// extent returns how far the shape of a character reaches along its baseline.
func (o *run) extent(to matrix, g *layout.Glyph, b []byte) float32 {
	left, right, bottom, top := double(b[32:]), double(b[40:]), double(b[48:]), double(b[56:])
	if !finite(left, right, bottom, top) {
		return 0
	}
	shape := to.box(left, bottom, right, top)
	return max(0, (shape.Left-g.X)*o.along[0]+(shape.Top-g.Y)*o.along[1], (shape.Right-g.X)*o.along[0]+(shape.Bottom-g.Y)*o.along[1])
}

// together reports whether two letters stand in the same place. An accent that stands
// where its letter does is drawn by itself.
func together(a, b *layout.Glyph) bool {
	return a.X == b.X && a.Y == b.Y && !a.Generated && !strings.ContainsRune(accents, a.Rune) && !strings.ContainsRune(accents, b.Rune)
}

// accents are those that fonts have as characters of their own.
const accents = "´`ˆˇ¨˜˚¸˘˙˝¯˛"

// close ends a group of glyphs that stand in the same place.
func (r *textReader) close() {
	if n := len(r.page.Glyphs); n-r.group > 1 {
		r.groups = append(r.groups, group{r.group, n, r.at, r.last})
	}
}

// share divides the places of ligatures between the letters that they stand for, which
// the library puts all in the same place.
func (r *textReader) share() {
	for i := range r.groups {
		g := &r.groups[i]
		letters := r.page.Glyphs[g.from:g.to]
		if len(letters) == g.run.chars {
			r.fit(&letters[0], g)
		}
		divide(letters)
	}
}

// fit gives a letter the width of the text object that it is all of with others of its
// group. If the file spells out what a shape stands for, the library gives the letters
// the widths that they have in the font, and not that of the shape.
func (r *textReader) fit(letter *layout.Glyph, of *group) {
	at, o := uint64(r.slots), of.run
	step := o.along[0]*o.along[0] + o.along[1]*o.along[1]
	if step > 0 && r.call(textTightBox, r.text, uint64(of.at), at+32, at+40, at+48, at+56) != 0 {
		letter.Box = o.box(letter, o.extent(r.to, letter, r.read(r.slots, slotSize))/step)
	}
}

// divide gives each letter of a ligature its part of the place.
func divide(letters []layout.Glyph) {
	whole := letters[0]
	part := 1 / float32(len(letters))
	for i := range letters {
		g, at := &letters[i], float32(i)*part
		width, height := whole.Right-whole.Left, whole.Bottom-whole.Top
		switch whole.Turn {
		case 0:
			g.Left, g.Right = whole.Left+at*width, whole.Left+(at+part)*width
			g.X = g.Left
		case 1:
			g.Top, g.Bottom = whole.Top+at*height, whole.Top+(at+part)*height
			g.Y = g.Top
		case 2:
			g.Left, g.Right = whole.Right-(at+part)*width, whole.Right-at*width
			g.X = g.Right
		case 3:
			g.Top, g.Bottom = whole.Bottom-(at+part)*height, whole.Bottom-at*height
			g.Y = g.Bottom
		}
	}
	if rightToLeft(whole.Rune) {
		slices.Reverse(letters) // as the characters around them, from the right
	}
}

func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00
}

// meaning returns the character that the library means by a unit.
func meaning(unit uint32) rune {
	switch {
	case unit == 2 || unit == 0xFFFE: // a hyphen at the end of a line
		return '-'
	case unit == '\n' || unit == '\r' || unit == '\t':
		return rune(unit)
	case unit < ' ' || unit == 0x7F || unit > 0x10FFFF || unit >= 0xD800 && unit < 0xE000:
		return '\uFFFD'
	}
	return rune(unit)
}

func double(b []byte) float32 {
	return float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
}
