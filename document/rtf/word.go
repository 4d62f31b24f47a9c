package rtf

import "github.com/trawlhq/trawl/document/tree"

// command does what a control word asks.
func (r *reader) command(t *token) {
	if r.skip > 0 {
		r.skip--
		if characters[string(t.name)] != "" {
			return // it is part of the fallback
		}
		r.skip = 0
	}
	r.flush()
	ignore := r.ignore
	r.ignore = false
	if r.state.into == intoNothing {
		r.upright(t)
		return
	}
	if r.destination(t) {
		return
	}
	if ignore {
		r.state.into = intoNothing
		return
	}
	switch r.state.into {
	case intoFonts:
		r.fontWord(t)
	case intoStyles:
		r.styleWord(t)
	case intoLists:
		r.lists.word(t)
	case intoInfo:
		r.when.word(t)
	case intoPicture:
		r.state.picture.word(t)
	case intoShape:
		r.formWord(t)
	case intoMath:
		r.state.math.word(t)
	}
	r.textWord(t)
}

// upright looks for the part of \upr that is in Unicode.
func (r *reader) upright(t *token) {
	if n := len(r.stack); string(t.name) == "ud" && n > 0 && r.stack[n-1].into == intoUpright {
		r.state.into = r.state.outer
	}
}

// textWord handles the words that matter in text and in what is captured.
func (r *reader) textWord(t *token) {
	if s := characters[string(t.name)]; s != "" {
		r.put(s)
		return
	}
	if r.unicodeWord(t) || r.characterWord(t) || r.state.into != intoText {
		return
	}
	if !r.paragraphWord(t) {
		r.tableWord(t)
	}
}

// characters are words that stand for text.
var characters = map[string]string{
	"tab": "\t", "line": "\n", "lbr": "\n", "softline": "\n",
	"emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
	"bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}

// symbol handles \ with a character that is no letter. \* says that the group is to be
// left out by who does not know its next word, but only where the group begins:
// elsewhere it says nothing.
func (r *reader) symbol(c byte, first bool) {
	if r.skip > 0 {
		r.skip--
		return
	}
	switch c {
	case '*':
		r.ignore = first
	case '\r', '\n':
		if r.state.into == intoText {
			r.state.flow.end(&r.state)
		}
	case '\t':
		r.put("\t")
	case '~':
		r.put("\u00a0")
	case '_':
		r.put("\u2011")
	case '\\', '{', '}':
		r.plain([]byte{c})
	}
}

// unicodeWord handles characters by number, and what the file says of its text.
func (r *reader) unicodeWord(t *token) bool {
	switch string(t.name) {
	case "u":
		r.unicode(t.value)
		r.skip = r.state.unicode
	case "uc":
		r.state.unicode = min(max(t.value, 0), 64)
	case "ansi":
		r.codepage = 1252
	case "ansicpg":
		if t.value > 0 {
			r.codepage = t.value
		}
	case "mac":
		r.codepage = 10000
	case "pc":
		r.codepage = 437
	case "pca":
		r.codepage = 850
	case "deff":
		r.state.font = t.value
	case "deflang":
		r.defLang = t.value
		r.state.language = t.value
	default:
		return false
	}
	return true
}

// characterWord handles properties of characters.
func (r *reader) characterWord(t *token) bool {
	s := &r.state
	on := !t.given || t.value != 0
	switch string(t.name) {
	case "plain":
		s.style, s.hidden, s.deleted = 0, false, false
	case "b":
		s.set(tree.Bold, on)
	case "i":
		s.set(tree.Italic, on)
	case "strike", "striked":
		s.set(tree.Strike, on)
	case "ul", "uld", "uldash", "uldashd", "uldashdd", "uldb", "ulth", "ulw", "ulwave":
		s.set(tree.Underline, on)
	case "ulnone":
		s.set(tree.Underline, false)
	case "super":
		s.raise(tree.Super, on)
	case "sub":
		s.raise(tree.Sub, on)
	case "up":
		s.raise(tree.Super, t.value >= 4)
	case "dn":
		s.raise(tree.Sub, t.value >= 4)
	case "nosupersub":
		s.raise(0, false)
	case "v":
		s.hidden = on
	case "deleted", "mvf":
		s.deleted = on
	case "f":
		s.font = t.value
	case "lang":
		s.language = t.value & 0xFFFF
	default:
		return false
	}
	return true
}

func (s *state) set(style tree.Style, on bool) {
	s.style &^= style
	if on {
		s.style |= style
	}
}

func (s *state) raise(style tree.Style, on bool) {
	s.set(tree.Super|tree.Sub, false)
	s.set(style, on)
}

// paragraphWord handles ends and properties of paragraphs.
func (r *reader) paragraphWord(t *token) bool {
	p := &r.state.paragraph
	switch string(t.name) {
	case "par", "sect", "page", "column":
		r.state.flow.end(&r.state)
	case "pard":
		p.reset()
		r.state.flow.level, r.state.flow.bullets = 0, false
	case "pnlvlblt":
		r.state.flow.bullets = true
	case "pnlvl": // the list levels of Word 6, from 1 on
		r.state.flow.level = min(max(t.value-1, 0), 8)
	case "s":
		p.style = t.value
	case "outlinelevel":
		p.outline = t.value
	case "intbl":
		p.inTable = true
	case "itap":
		p.depth = t.value
	case "ls":
		p.list = t.value
	case "ilvl":
		p.level = min(max(t.value, 0), 8)
	default:
		return false
	}
	return true
}
