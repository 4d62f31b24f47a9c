package doc

import (
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/symbolfont"
	"github.com/trawlhq/trawl/document/tree"
)

// Characters that are marks.
const (
	markPicture   = 0x01
	markNote      = 0x02
	markCell      = 0x07
	markDrawing   = 0x08
	markLine      = 0x0B
	markPage      = 0x0C
	markParagraph = 0x0D
	markColumn    = 0x0E
	markField     = 0x13
	markResult    = 0x14
	markFieldEnd  = 0x15
	markHyphen    = 0x1E
)

// charKey is on what the properties of characters depend.
type charKey struct {
	at         uint32
	prm, style int
}

// maxCache bounds how many different properties of characters are kept.
const maxCache = 1 << 16

// charAt returns the properties of the character at cp, and up to where they apply.
func (r *reader) charAt(cp, style int, base char) (char, int) {
	piece := r.piece(cp)
	if piece == nil {
		return base, cp + 1
	}
	fc, end := piece.at(cp), piece.end
	run := r.chars.find(fc)
	n := int(run.to) - fc
	if piece.wide {
		n = (n + 1) / 2
	}
	end = min(end, cp+n)
	key := charKey{at: run.at, prm: piece.prm, style: style}
	if c, ok := r.cache[key]; ok {
		return c, end
	}
	c := base
	r.applyChar(&c, base, r.fib.chars(run))
	r.applyChar(&c, base, r.changed(piece.prm, r.old))
	if len(r.cache) < maxCache {
		r.cache[key] = c
	}
	return c, end
}

// line collects the spans of a paragraph.
type line struct {
	r      *reader
	fields *fieldStack
	style  int
	base   char
	text   tree.Line
	mono   bool // all of it is
	boxes  []tree.Block
}

// add reads the characters from cp that are set alike, and returns where the next are.
func (l *line) add(cp, to int) int {
	c, end := l.r.charAt(cp, l.style, l.base)
	end = min(max(end, cp+1), to)
	start := cp
	for ; cp < end; cp++ {
		u := l.r.units[cp]
		if u >= 0x20 && !c.isSymbol {
			continue
		}
		l.write(l.r.units[start:cp], &c)
		start = cp + 1
		l.mark(cp, u, &c)
	}
	l.write(l.r.units[start:end], &c)
	return end
}

// write adds plain text.
func (l *line) write(units []uint16, c *char) {
	switch {
	case len(units) == 0:
	case l.fields.inCode():
		l.fields.code(string(utf16.Decode(units)))
	case c.hidden || c.deleted:
	case l.r.old && l.r.fonts.isSymbolic(c.font):
		for _, u := range units {
			l.put(l.r.symbolText(c.font, rune(u)), c)
		}
	case l.r.old && !l.r.wide:
		l.put(l.r.decode(units, c.font), c)
	default:
		l.put(l.r.plain(string(utf16.Decode(units)), c.font), c)
	}
}

// symbolText returns a character of a font of symbols as text.
func (r *reader) symbolText(font int, c rune) string {
	if c = r.fonts.symbol(font, c); c == 0 {
		return ""
	}
	return string(c)
}

// plain replaces characters of fonts of symbols.
func (r *reader) plain(s string, font int) string {
	if !symbolfont.HasPrivate(s) {
		return s
	}
	return strings.Map(func(c rune) rune {
		if _, private := symbolfont.Private(c); !private {
			return c
		}
		if c = r.fonts.symbol(font, c); c == 0 {
			return -1
		}
		return c
	}, s)
}

// put adds text in a style.
func (l *line) put(s string, c *char) {
	if s == "" {
		return
	}
	next := tree.Span{Style: c.style, Link: l.fields.link()}
	if l.r.fonts.isMono(c.font) && !l.r.mono {
		next.Style |= tree.Mono
	} else if l.mono && strings.TrimSpace(s) != "" {
		l.mono = false
	}
	if next.Link != "" {
		next.Style &^= tree.Underline // as links are anyway
	}
	if l.r.spanCount >= maxSpans {
		next = tree.Span{} // all that follows is one
	}
	if l.text.Write(s, next.Style, next.Link) {
		l.r.spanCount++
	}
}

// mark adds what a character stands for that is no text.
func (l *line) mark(cp int, u uint16, c *char) {
	switch {
	case u == markField:
		l.fields.begin()
		return
	case u == markResult:
		l.fields.result()
		return
	case u == markFieldEnd:
		l.put(l.fields.end(), c)
		return
	case u == markPicture && c.data:
		l.fields.setData(l.r.data.from(c.picture))
		return
	case c.hidden || c.deleted || l.fields.inCode():
		return
	}
	switch u {
	case '\t':
		l.put("\t", c)
	case markLine, markColumn:
		l.put("\n", c)
	case markHyphen:
		l.put("\u2011", c)
	case markNote:
		if n := l.r.notes[cp]; n > 0 {
			l.span(tree.Span{Note: noteName(n)})
		}
	case markPicture:
		if m := l.r.inlinePicture(c); m != nil {
			l.span(tree.Span{Image: m, Link: l.fields.link()})
		}
	case markDrawing:
		l.boxes = append(l.boxes, l.r.boxes[cp]...)
		delete(l.r.boxes, cp)
	default:
		if c.symbol != 0 && u >= ' ' {
			l.put(string(c.symbol), c)
		}
	}
}

func (l *line) span(s tree.Span) {
	if l.r.spanCount++; l.r.spanCount < maxSpans {
		l.text.Add(s)
	} else {
		l.r.more = true
	}
}
