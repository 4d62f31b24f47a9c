package layout

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/trawlhq/trawl/document/tree"
)

// visual is a character of a run, from left to right.
type visual struct {
	rune  rune
	entry int32
	space bool // stands before it
}

// hyphenMark is what some readers put for a hyphen at the end of a line.
const hyphenMark = 2

// write writes the text of the sorted entries as pieces. It reports whether there is any.
func (r *reader) write(n *run, out *page) bool {
	r.spell()
	if len(r.visual) == 0 {
		return false
	}
	if len(r.visual) > 2 && r.visual[0].rune == 'o' && r.visual[1].space && r.faceAt(0).name != r.faceAt(1).name {
		r.visual[0].rune = '◦' // what some word processors draw as a bullet
	}
	if slices.ContainsFunc(r.visual, func(v visual) bool { return isRTL(v.rune) }) {
		n.rtl = reorder(r.visual)
	}
	n.from = int32(len(out.pieces))
	open := piece{from: int32(len(out.text))}
	links := r.near(n)
	var votes tally
	for i := range r.visual {
		v := &r.visual[i]
		e := r.sorted[v.entry]
		g := &r.glyphs[e.glyph]
		face := r.face(g)
		style, link := e.style|face.style, r.linkAt(g, links)
		if r.listing {
			style |= tree.Mono
		}
		if v.space {
			between := link // of what both sides have in common
			if open.link != link {
				between = 0
			}
			open = out.turnTo(open, open.style&style&^(tree.Super|tree.Sub), between)
			if before := &r.glyphs[r.sorted[r.visual[i-1].entry].glyph]; !n.rtl && n.turn == 0 && g.Left-before.Right > 0.45*n.size {
				out.gaps = append(out.gaps, gap{int32(len(out.runs)), int32(len(out.text)), before.Right, g.Left})
			}
			out.text = append(out.text, ' ')
		}
		open = out.turnTo(open, style, link)
		out.text = appendRune(out.text, v.rune)
		votes.add(face.name, style)
	}
	out.turnTo(open, 0, -1)
	n.to, n.font, n.chars, n.style = int32(len(out.pieces)), votes.font, votes.n, votes.style()
	n.label = n.to > n.from && (bulletOrNumber(out.runText(n)) || out.noteMark(n) != "")
	return n.to > n.from
}

// tally counts the fonts and styles of characters.
type tally struct {
	n                  int32
	bold, italic, mono int32
	font               uint32 // that leads
	lead               int
}

func (t *tally) add(font uint32, style tree.Style) {
	t.n++
	for _, s := range [...]struct {
		of    tree.Style
		count *int32
	}{{tree.Bold, &t.bold}, {tree.Italic, &t.italic}, {tree.Mono, &t.mono}} {
		if style&s.of != 0 {
			*s.count++
		}
	}
	if t.lead == 0 {
		t.font = font
	}
	if t.font == font {
		t.lead++
	} else {
		t.lead--
	}
}

// style returns the styles that nearly all characters have.
func (t *tally) style() tree.Style {
	var style tree.Style
	if t.bold*10 >= t.n*8 {
		style |= tree.Bold
	}
	if t.italic*10 >= t.n*8 {
		style |= tree.Italic
	}
	if t.mono*10 >= t.n*8 {
		style |= tree.Mono
	}
	return style
}

// linkAt returns the index of the link that a glyph is in, plus one.
func (r *reader) linkAt(g *Glyph, links []int32) int32 {
	for _, i := range links {
		if r.links[i].holds(g.centerX(), g.centerY()) {
			return i + 1
		}
	}
	return 0
}

// turnTo ends a piece, unless what follows is of the same style and link.
func (p *page) turnTo(open piece, style tree.Style, link int32) piece {
	if style == open.style && link == open.link {
		return open
	}
	open.to = int32(len(p.text))
	if open.to > open.from {
		p.pieces = append(p.pieces, open)
	}
	return piece{from: int32(len(p.text)), style: style, link: link}
}

// face is what is known of a font.
type face struct {
	style   tree.Style
	name    uint32
	symbols bool // its characters are pictures, whatever their codes say
}

// faces returns what is known of the fonts of a page.
func faces(p *Page, families map[uint32]string) []face {
	list := make([]face, len(p.Fonts))
	shapes := nameless(p)
	for i := range p.Fonts {
		f := &p.Fonts[i]
		if f.Bold {
			list[i].style |= tree.Bold
		}
		if f.Italic {
			list[i].style |= tree.Italic
		}
		if f.Mono {
			list[i].style |= tree.Mono
		}
		name := strings.ToLower(f.Name)
		if len(name) > 7 && name[6] == '+' {
			name = name[7:]
		}
		if list[i].symbols = strings.Contains(name, "dings") || strings.Contains(name, "dingbat"); list[i].symbols {
			list[i].style = 0
		}
		of := family(name)
		if name == "" {
			name, of = shapes[i], shapes[i]
		}
		h := fnv.New32a()
		h.Write([]byte(name))
		list[i].name = h.Sum32()
		families[list[i].name] = of
	}
	monospaced(p, list)
	return list
}

// nameless returns names for the fonts that have none, by how wide their letters are.
// Whoever prints fonts as drawings leaves their names out.
func nameless(p *Page) []string {
	names := make([]string, len(p.Fonts))
	if !slices.ContainsFunc(p.Fonts, func(f Font) bool { return f.Name == "" }) {
		return names
	}
	const letters = "enatoirs" // the first of these that a font has gives it its name
	widths := make([][len(letters)]float32, len(p.Fonts))
	for i := range p.Glyphs {
		g := &p.Glyphs[i]
		if int(g.Font) >= len(p.Fonts) || p.Fonts[g.Font].Name != "" || g.Turn != 0 {
			continue
		}
		if at := strings.IndexRune(letters, g.Rune); at >= 0 {
			widths[g.Font][at] = g.width() / g.Size
		}
	}
	for i := range widths {
		if at := slices.IndexFunc(widths[i][:], func(w float32) bool { return w > 0 }); at >= 0 {
			names[i] = letters[at:at+1] + strconv.Itoa(int(widths[i][at]*100+0.5))
		}
	}
	return names
}

// family returns the name of a font without what tells the fonts of a family apart.
func family(name string) string {
	for _, prefix := range []string{"cmss", "cm", "sfss", "sf"} { // Computer Modern
		if strings.HasPrefix(name, prefix) {
			return prefix
		}
	}
	if i := strings.IndexAny(name, "-,"); i > 0 {
		name = name[:i]
	}
	for _, suffix := range []string{"mt", "ps", "italic", "oblique", "bold", "regular"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return strings.TrimRight(name, "0123456789")
}

// monospaced marks the fonts whose narrow and wide letters are equally wide.
func monospaced(p *Page, list []face) {
	type widths struct{ least, most, narrow, wide float32 }
	sums := make([]widths, len(list))
	for i := range p.Glyphs {
		g := &p.Glyphs[i]
		if int(g.Font) >= len(list) || g.Rune <= ' ' || g.Rune > '~' || g.Turn != 0 || p.Recognised {
			continue
		}
		s, w := &sums[g.Font], g.width()/g.Size
		if s.most == 0 {
			s.least = w
		}
		s.least, s.most = min(s.least, w), max(s.most, w)
		switch g.Rune {
		case 'i', 'l', 'I', '.', ',', ':', ';', '\'', '(', ')', 't', 'f':
			s.narrow++
		case 'm', 'w', 'M', 'W', 'A', 'D', 'G', 'H', 'N', 'O', 'Q':
			s.wide++
		}
	}
	for i := range sums {
		if s := &sums[i]; s.narrow > 3 && s.wide > 1 && s.most-s.least < 0.02 && s.least > 0.3 {
			list[i].style |= tree.Mono
		}
	}
}

// face returns the font of a glyph.
func (r *reader) face(g *Glyph) face {
	if int(g.Font) < len(r.faces) {
		return r.faces[g.Font]
	}
	return face{}
}

// faceAt returns the font of a character of the run.
func (r *reader) faceAt(i int) face { return r.face(&r.glyphs[r.sorted[r.visual[i].entry].glyph]) }

// near returns the links that touch a run.
func (r *reader) near(n *run) []int32 {
	var list []int32
	box := turned(n.Box, n.turn)
	if r.budget -= len(r.links); r.budget < 0 {
		return nil
	}
	for i := range r.links {
		l := &r.links[i]
		if l.Left < box.Right && l.Right > box.Left && l.Top < box.Bottom && l.Bottom > box.Top {
			list = append(list, int32(i))
		}
	}
	return list
}

// spell fills in the characters of the sorted entries, and where there are spaces
// between them.
func (r *reader) spell() {
	r.visual = r.visual[:0]
	limit := r.tracking()
	var right, size float32
	drawn, generated := false, false
	var blank float32 // where the last space is drawn
	for i := range r.sorted {
		g := &r.glyphs[r.sorted[i].glyph]
		if isSpace(g.Rune) {
			drawn = drawn || !g.Generated
			blank = g.X
			generated = generated || g.Generated
			continue
		}
		c := clean(g.Rune)
		if r.face(g).symbols && c < 0x2000 {
			c = symbol(0xf000 + g.Rune&0xff)
		}
		if c == 0 {
			if len(r.visual) > 0 || isBracketPiece(g.Rune) {
				continue
			}
			c = '•' // what is not known and stands first is most likely one
		}
		if r.again(c, g) {
			continue
		}
		space := false
		if gap := (g.Left - right) / max(size, g.Size); len(r.visual) > 0 {
			switch {
			case drawn:
				space = gap > 0.05 || g.X > blank+0.1*size // slanted letters reach over their space
			case unicode.IsMark(c):
			case isIdeograph(c) && isIdeograph(r.visual[len(r.visual)-1].rune):
				space = gap > 2*limit
			case generated:
				space = gap > limit*0.7
			default:
				space = gap > limit
			}
		}
		if r.compose(c, g, int32(i)) {
			continue
		}
		r.visual = append(r.visual, visual{c, int32(i), space})
		right, size = max(right, g.Right), g.Size
		if len(r.visual) == 1 {
			right = g.Right
		}
		drawn, generated = false, false
	}
}

// again reports whether a glyph is drawn over the last one, which makes that bold.
func (r *reader) again(c rune, g *Glyph) bool {
	n := len(r.visual)
	if n == 0 || r.visual[n-1].rune != c || isRTL(c) {
		return false
	}
	e := &r.sorted[r.visual[n-1].entry]
	o := &r.glyphs[e.glyph]
	if abs(o.X-g.X) > 0.12*g.Size || abs(o.X-g.X) > 0.4*g.width() || abs(o.Y-g.Y) > 0.12*g.Size {
		return false
	}
	e.style |= tree.Bold
	return true
}

// compose joins an accent that is drawn on its own with its letter. It reports
// whether it was one, so that there is nothing more to add.
func (r *reader) compose(c rune, g *Glyph, i int32) bool {
	n := len(r.visual)
	if n == 0 {
		return false
	}
	last := &r.visual[n-1]
	other := &r.glyphs[r.sorted[last.entry].glyph]
	mark, letter := combining(c), last.rune
	accent := g
	if mark == 0 {
		mark, letter, accent = combining(last.rune), c, other
		other = g
	}
	if mark == 0 || !unicode.IsLetter(letter) || accent.centerX() < other.Left || accent.centerX() > other.Right {
		return false
	}
	switch letter { // below an accent they have no dot
	case 'ı':
		letter = 'i'
	case 'ȷ':
		letter = 'j'
	}
	composed, size := utf8.DecodeRuneInString(norm.NFC.String(string([]rune{letter, mark})))
	if size == 0 || composed == letter {
		return false
	}
	last.rune = composed
	if accent != g {
		last.entry = i
	}
	return true
}

// combining returns the mark that an accent is above or below a letter; 0 for other characters.
func combining(c rune) rune {
	switch c {
	case '´':
		return 0x301
	case '`':
		return 0x300
	case 'ˆ', '^':
		return 0x302
	case 'ˇ':
		return 0x30c
	case '¨':
		return 0x308
	case '˜', '~':
		return 0x303
	case '˚':
		return 0x30a
	case '¸':
		return 0x327
	case '˘':
		return 0x306
	case '˙':
		return 0x307
	case '˝':
		return 0x30b
	case '¯':
		return 0x304
	case '˛':
		return 0x328
	}
	return 0
}

// clean returns the character that a glyph stands for; 0 for none.
func clean(c rune) rune {
	switch {
	case c == hyphenMark, c == 0x2010, c == 0x2011, c == 0xad:
		return '-'
	case c < ' ', c >= 0x7f && c < 0xa0, c == 0xfffd, c == 0xfffe, c == 0xffff, c >= 0x200c && c <= 0x200f, c >= 0x202a && c <= 0x202e, c > utf8.MaxRune:
		return 0
	case c >= 0xf000 && c < 0xf100:
		return symbol(c)
	case isBracketPiece(c):
		return 0
	case c >= 0xe000 && c < 0xf900, c >= 0xf0000:
		return '•'
	}
	return c
}

// isBracketPiece reports whether a glyph is a part of a bracket or of another sign that
// is as high as the formula that it stands in.
func isBracketPiece(c rune) bool { return c >= 0xf8e6 && c <= 0xf8fe }

// symbol maps the codes of symbol fonts, of which some are common.
func symbol(c rune) rune {
	switch c - 0xf000 {
	case 0x6f, 0xa8, 0x71, 0x72:
		return '☐'
	case 0xfe, 0x78, 0x54, 0x53:
		return '☒'
	case 0xfc:
		return '✓'
	case 0xe0, 0xe8:
		return '→'
	case 0x2d:
		return '-'
	}
	return '•'
}

// appendRune appends a character as it is written in running text.
func appendRune(b []byte, c rune) []byte {
	if c >= 0xfb00 && c <= 0xfb06 || c >= 0xfb13 && c < 0xfe00 || c >= 0xfe70 && c < 0xff00 || c >= 0x2f00 && c < 0x2fe0 {
		var buf [utf8.UTFMax]byte
		return norm.NFKC.Append(b, buf[:utf8.EncodeRune(buf[:], c)]...)
	}
	return utf8.AppendRune(b, c)
}

// isIdeograph reports whether words of the script are not set apart by spaces.
func isIdeograph(c rune) bool {
	return c >= 0x2e80 && (c < 0xa4d0 || c >= 0xf900 && c < 0xfb00 || c >= 0xfe30 && c < 0xfe50 || c >= 0xff00 && c < 0xff66 || c >= 0x20000 && c < 0x32000)
}

// reorder puts the characters of a line from the order in which they stand into the
// one in which they are read. It reports whether the line is read from right to left.
func reorder(line []visual) bool {
	rtl, ltr := 0, 0
	for i := range line {
		switch c := line[i].rune; {
		case isRTL(c):
			rtl++
		case unicode.IsLetter(c):
			ltr++
		}
	}
	if rtl*2 < ltr {
		eachRun(line, isRTL, nil, func(part []visual) { reverse(part) })
		return false
	}
	reverse(line)
	eachRun(line, isLTR, isNumeric, func(part []visual) { reverse(part) })
	return true
}

func isLTR(c rune) bool {
	return unicode.IsLetter(c) && !isRTL(c) || unicode.IsDigit(c)
}

// isNumeric reports whether a character goes with the number beside it.
func isNumeric(c rune) bool { return c == '%' || c == '$' || c == '€' || c == '+' }

// eachRun calls f for each stretch of characters of a direction, with what stands
// between them.
func eachRun(line []visual, of, beside func(rune) bool, f func([]visual)) {
	for i := 0; i < len(line); i++ {
		if !of(line[i].rune) {
			continue
		}
		end := i + 1
		for j := i + 1; j < len(line); j++ {
			c := line[j].rune
			if of(c) {
				end = j + 1
			} else if isRTL(c) || isLTR(c) {
				break
			}
		}
		from := i
		for beside != nil && end < len(line) && beside(line[end].rune) && !line[end].space {
			end++
		}
		f(line[from:end])
		i = end
	}
}

// reverse turns characters around, with the spaces between them. Brackets open the
// other way then.
func reverse(part []visual) {
	first := part[0].space
	for i := range part {
		part[i].space = i+1 < len(part) && part[i+1].space
	}
	slices.Reverse(part)
	part[0].space = first
	for i := range part {
		part[i].rune = mirror(part[i].rune)
	}
}

// mirror returns the bracket that looks like c in text that runs the other way.
func mirror(c rune) rune {
	switch c {
	case '(':
		return ')'
	case ')':
		return '('
	case '[':
		return ']'
	case ']':
		return '['
	case '{':
		return '}'
	case '}':
		return '{'
	case '<':
		return '>'
	case '>':
		return '<'
	case '«':
		return '»'
	case '»':
		return '«'
	}
	return c
}
