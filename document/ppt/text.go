package ppt

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
)

// Kinds of texts.
const (
	kindTitle       = 0
	kindBody        = 1
	kindCenterBody  = 5
	kindCenterTitle = 6
	kindCount       = 9
)

// maxText is how many bytes of a text are read.
const maxText = 1 << 21

// text is a text with its looks.
type text struct {
	kind    int
	units   []uint16 // in UTF-16
	style   data
	numbers data // of its lines
	gone    []int
	clicks  []clicked
	used    bool
}

// clicked is a link from one character to another.
type clicked struct {
	from, to int
	address  string
}

// wide decodes UTF-16.
func wide(b data) string { return codepage.Decode(codepage.UTF16, b) }

// readTexts reads texts, each of which is a list of records that begins with its kind, or
// with a reference to a text of the outline.
func readTexts(list data, links map[int]string, outline func(n int) *text) []*text {
	var out []*text
	address := ""
	for rec := range list.records() {
		switch rec.kind {
		case textHeader:
			out = append(out, &text{kind: rec.u32(0)})
			continue
		case outlineRef:
			if t := outline(rec.u32(0)); t != nil {
				out = append(out, t)
			}
			continue
		}
		if len(out) == 0 {
			continue
		}
		t := out[len(out)-1]
		switch rec.kind {
		case textChars:
			t.units = decode(rec.data)
		case textBytes:
			t.units = widen(rec.data)
		case textStyle:
			t.style = rec.data
		case slideNumber, dateMark, genericDate, headerMark, footerText:
			t.gone = append(t.gone, rec.u32(0))
		case click:
			address = links[rec.child(clickAtom).u32(4)]
		case textClick:
			if address != "" && rec.instance == 0 {
				t.clicks = append(t.clicks, clicked{rec.u32(0), rec.u32(4), address})
			}
			address = ""
		}
	}
	return out
}

func decode(b data) []uint16 {
	b = b.cut(0, maxText)
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b.u16(2 * i))
	}
	return units
}

// widen decodes text whose characters have their low bytes only.
func widen(b data) []uint16 {
	b = b.cut(0, maxText/2)
	units := make([]uint16, len(b))
	for i, c := range b {
		units[i] = uint16(c)
	}
	return units
}

// textsOf returns the texts of a shape. Those of placeholders stand where slides are
// listed, and no two shapes have the same.
func (s *page) textsOf(f *figure) []*text {
	texts := readTexts(f.text, s.links, func(n int) *text {
		if n >= len(s.texts) || s.texts[n].used {
			return nil
		}
		t := s.texts[n]
		t.used, t.numbers = true, s.numbers[outlineText{s.id, t.kind}]
		return t
	})
	for _, t := range texts {
		if f.numbers != nil {
			t.numbers = f.numbers
		}
	}
	return texts
}

// look is how a character looks: its style, and its link among those of the text, from 1.
type look struct {
	style  tree.Style
	link   uint16
	gone   bool
	number uint8 // of the numbering of its line
}

// lines returns the lines of a text.
func (t *text) lines(m *master, link string) []deck.Line {
	paragraphs, runs := t.readStyle()
	looks := t.looks(runs)
	var out []deck.Line
	numbers := readNumbers(t.numbers)
	for from := 0; from <= len(t.units); {
		n := slices.Index(t.units[from:], '\r')
		if n < 0 {
			n = len(t.units) - from
		}
		for len(paragraphs) > 1 && paragraphs[0].end <= from {
			paragraphs = paragraphs[1:]
		}
		p := paragraph{}
		if len(paragraphs) > 0 {
			p = paragraphs[0]
		}
		l := deck.Line{Text: t.spans(from, from+n, looks, link), Level: min(p.level, deck.MaxLevel)}
		l.Shown = p.bullet == on || p.bullet == unsaid && m.bullet(t.kind, p.level)
		if l.Shown && from < len(looks) {
			if n := int(looks[from].number); n < len(numbers) {
				l.Number, l.Start = numbers[n].name, numbers[n].start
			}
		}
		out = append(out, l)
		from += n + 1
	}
	return out
}

// spans returns a part of a text.
func (t *text) spans(from, to int, looks []look, link string) []tree.Span {
	var l tree.Line
	for from < to {
		n := from + 1
		for n < to && looks[n] == looks[from] {
			n++
		}
		if at := looks[from]; !at.gone {
			address, style := link, at.style
			if at.link > 0 {
				address = t.clicks[at.link-1].address
			}
			if address != "" {
				style &^= tree.Underline
			}
			l.Write(strings.Map(shown, string(utf16.Decode(t.units[from:n]))), style, address)
		}
		from = n
	}
	return l.Take()
}

// shown returns a character as it is seen.
func shown(c rune) rune {
	if c == '\v' {
		return '\n'
	}
	return c
}

// looks returns how the characters of a text look.
func (t *text) looks(runs []run) []look {
	looks := make([]look, len(t.units))
	at := 0
	for _, run := range runs {
		for end := min(at+run.count, len(looks)); at < end; at++ {
			looks[at] = run.look
		}
	}
	for _, place := range t.gone {
		if place < len(looks) {
			looks[place].gone = true
		}
	}
	work := 4 * len(looks)
	for i, c := range t.clicks[:min(len(t.clicks), 1<<16-1)] {
		for at := c.from; at < min(c.to, len(looks)) && work > 0; at++ {
			looks[at].link = uint16(i + 1)
			work--
		}
	}
	return looks
}
