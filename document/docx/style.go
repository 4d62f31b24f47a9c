package docx

import (
	"strconv"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/zipped"
)

// toggle is a property that is on, off or not mentioned.
type toggle uint8

const (
	unset toggle = iota
	off
	on
)

// or returns the toggle, or the other one if it is not mentioned.
func (t toggle) or(other toggle) toggle {
	if t != unset {
		return t
	}
	return other
}

// look is how characters are set.
type look struct {
	bold, italic, strike, underline, hidden toggle
	raise                                   string // superscript, subscript, baseline
	font                                    string
}

// over returns the look on top of another one.
func (l look) over(base look) look {
	l.bold = l.bold.or(base.bold)
	l.italic = l.italic.or(base.italic)
	l.strike = l.strike.or(base.strike)
	l.underline = l.underline.or(base.underline)
	l.hidden = l.hidden.or(base.hidden)
	if l.raise == "" {
		l.raise = base.raise
	}
	if l.font == "" {
		l.font = base.font
	}
	return l
}

// lookOf reads run properties.
func lookOf(rPr *zipped.Node) look {
	var l look
	for n := range rPr.All() {
		switch n.Name {
		case "w:b":
			l.bold = toggleOf(n)
		case "w:i":
			l.italic = toggleOf(n)
		case "w:strike", "w:dstrike":
			l.strike = max(l.strike, toggleOf(n))
		case "w:vanish", "w:webHidden":
			l.hidden = max(l.hidden, toggleOf(n))
		case "w:u":
			l.underline = toggleOf(n)
		case "w:vertAlign":
			l.raise = n.Get("w:val")
		case "w:rFonts":
			l.font = n.Get("w:ascii")
			if l.font == "" {
				l.font = n.Get("w:hAnsi")
			}
		}
	}
	return l
}

func toggleOf(n *zipped.Node) toggle {
	switch n.Get("w:val") {
	case "0", "false", "off", "none":
		return off
	}
	return on
}

// layout is how a paragraph is set.
type layout struct {
	outline int    // level from 1; bodyText for none, 0 if not mentioned
	number  numRef // its numbering
	indent  int    // in twentieths of a point
	inset   bool   // the indent is mentioned
	levels  bool   // the level of the numbering is mentioned
}

// bodyText is the outline level of what is no heading.
const bodyText = 10

// numRef is a numbering and the level in it. The numbering "0" takes away one that
// a style gives.
type numRef struct {
	id    string
	level int
}

func (l layout) over(base layout) layout {
	if l.outline == 0 {
		l.outline = base.outline
	}
	if l.number.id == "" {
		l.number.id = base.number.id
	}
	if !l.levels {
		l.number.level, l.levels = base.number.level, base.levels
	}
	if !l.inset {
		l.indent, l.inset = base.indent, base.inset
	}
	return l
}

// layoutOf reads paragraph properties.
func layoutOf(pPr *zipped.Node) layout {
	var l layout
	for n := range pPr.All() {
		switch n.Name {
		case "w:outlineLvl":
			if level, err := strconv.Atoi(n.Get("w:val")); err == nil && level >= 0 {
				l.outline = min(level+1, bodyText)
			}
		case "w:numPr":
			l.number.id = n.Child("w:numId").Get("w:val")
			if s, ok := n.Child("w:ilvl").Lookup("w:val"); ok {
				l.number.level, l.levels = levelOf(s), true
			}
		case "w:ind":
			l.indent, l.inset = indentOf(n)
		}
	}
	return l
}

func levelOf(s string) int {
	level, _ := strconv.Atoi(s)
	return min(max(level, 0), maxLevels-1)
}

// indentOf returns how far the first line is from the left.
func indentOf(ind *zipped.Node) (int, bool) {
	for _, name := range []string{"w:left", "w:start"} {
		if s, ok := ind.Lookup(name); ok {
			n, err := strconv.Atoi(s)
			return n, err == nil
		}
	}
	return 0, false
}

// style is a style with all that it has from those that it is based on.
type style struct {
	id, name string
	look
	layout
	named.Role
}

// styles are the styles of a document.
type styles struct {
	nodes     map[string]*zipped.Node
	known     map[string]*style
	paragraph string // the one of paragraphs that name none
	base      look
	mono      bool // ordinary text is in a font of equal widths
}

// readStyles reads the part with the styles.
func (r *reader) readStyles() {
	s := styles{nodes: map[string]*zipped.Node{}, known: map[string]*style{}}
	root, _ := r.related("styles")
	for n := range root.All() {
		switch n.Name {
		case "w:docDefaults":
			rPr := n.Child("w:rPrDefault").Child("w:rPr")
			s.base = lookOf(rPr)
			if r.doc.Language == "" {
				r.doc.Language = rPr.Child("w:lang").Get("w:val")
			}
		case "w:style":
			id := n.Get("w:styleId")
			s.nodes[id] = n
			if n.Get("w:type") == "paragraph" && isOn(n.Get("w:default")) {
				s.paragraph = id
			}
		}
	}
	r.styles = s
	r.styles.mono = named.IsMono(s.get(s.paragraph).look.over(s.base).font)
}

func isOn(s string) bool { return s == "1" || s == "true" || s == "on" }

// get returns a style. One that the document does not define has its id as name.
func (s *styles) get(id string) *style { return s.find(id, 0) }

// maxBased bounds how many styles are based on each other.
const maxBased = 32

func (s *styles) find(id string, depth int) *style {
	if st, ok := s.known[id]; ok {
		return st
	}
	st := &style{id: id, name: id}
	s.known[id] = st // also against styles that are based on themselves
	n := s.nodes[id]
	if n != nil {
		st.name = n.Child("w:name").Get("w:val")
		st.look = lookOf(n.Child("w:rPr"))
		st.layout = layoutOf(n.Child("w:pPr"))
	}
	own := named.Style(st.name)
	st.Role = own
	if base := n.Child("w:basedOn").Get("w:val"); base != "" && depth < maxBased {
		b := s.find(base, depth+1)
		st.look = st.look.over(b.look)
		st.layout = st.layout.over(b.layout)
		if own == (named.Role{}) {
			st.Role = b.Role
		}
	}
	if st.outline != 0 && !own.Contents {
		st.Level = st.outline % bodyText
	}
	return st
}
