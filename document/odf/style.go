package odf

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// sheet holds styles by their names. Automatic styles, which programs make up for
// what has no style of its own, stand before those that have names.
type sheet struct {
	common   *sheet
	styles   map[key]*style
	lists    map[string]*listStyle
	outline  *listStyle
	fonts    map[string]bool // whether a font is monospaced
	language string
	resolved map[key]style // what was asked for already
}

// key is a name among the styles of paragraphs, of text, of tables.
type key struct{ family, name string }

// style is what a style says. What it is silent about is said by its parent.
type style struct {
	key
	parent   string
	made     bool // by the program, for what has no style of its own
	role     named.Role
	set, off tree.Style // that it switches on and off
	hidden   maybe
	outline  string // default-outline-level
	list     string // name of the style of its list
	hasList  bool
	page     string // master page that begins with it
	shown    bool   // of tables and slides: not hidden
}

// maybe is a property that may be unsaid.
type maybe uint8

const (
	unsaid maybe = iota
	yes
	no
)

// roleOf returns the role of a style by its name, in which a blank may be written in
// another way.
func roleOf(name string) named.Role { return named.Style(strings.ReplaceAll(name, "_20_", " ")) }

func newSheet(common *sheet) *sheet {
	return &sheet{common: common, styles: map[key]*style{}, lists: map[string]*listStyle{}, fonts: map[string]bool{}, resolved: map[key]style{}}
}

// read takes the fonts and the named styles of a part.
func (s *sheet) read(root *zipped.Node) {
	for f := range root.Child("office:font-face-decls").All() {
		s.fonts[f.Get("style:name")] = f.Get("style:font-pitch") == "fixed" || f.Get("style:font-family-generic") == "modern" ||
			named.IsMono(f.Get("svg:font-family"))
	}
	s.add(root.Child("office:styles"))
}

// automatic takes the automatic styles of a part.
func (s *sheet) automatic(root *zipped.Node) { s.add(root.Child("office:automatic-styles")) }

func (s *sheet) add(styles *zipped.Node) {
	for n := range styles.All() {
		switch n.Name {
		case "style:style", "style:default-style":
			st := s.make(n)
			st.made = styles.Name == "office:automatic-styles"
			s.styles[st.key] = st
		case "text:list-style":
			s.lists[n.Get("style:name")] = readListStyle(n)
		case "text:outline-style":
			s.outline = readListStyle(n)
		}
	}
}

func (s *sheet) make(n *zipped.Node) *style {
	st := &style{
		key:    key{n.Get("style:family"), n.Get("style:name")},
		parent: n.Get("style:parent-style-name"), outline: n.Get("style:default-outline-level"),
		page: n.Get("style:master-page-name"), shown: true,
	}
	st.role = roleOf(cmp.Or(n.Get("style:display-name"), st.name))
	if level := st.role.Level; st.outline == "" && st.family == "paragraph" && level > 0 {
		st.outline = strconv.Itoa(level) // programs that bring styles of others along forget to say it otherwise
	}
	st.list, st.hasList = n.Lookup("style:list-style-name")
	st.shown = n.Child("style:table-properties").Get("table:display") != "false" &&
		n.Child("style:drawing-page-properties").Get("presentation:visibility") != "hidden"
	if text := n.Child("style:text-properties"); text != nil {
		s.properties(st, text)
	}
	return st
}

// properties reads how text looks.
func (s *sheet) properties(st *style, n *zipped.Node) {
	for _, a := range n.Attr {
		switch a.Name {
		case "fo:font-weight":
			weight, err := strconv.Atoi(a.Value)
			st.turn(tree.Bold, a.Value == "bold" || err == nil && weight >= 600)
		case "fo:font-style":
			st.turn(tree.Italic, a.Value == "italic" || a.Value == "oblique")
		case "style:text-line-through-style", "style:text-line-through-type":
			st.turn(tree.Strike, a.Value != "none")
		case "style:text-underline-style", "style:text-underline-type":
			st.turn(tree.Underline, a.Value != "none")
		case "style:text-position":
			st.position(a.Value)
		case "style:font-name":
			st.turn(tree.Mono, s.mono(a.Value))
		case "fo:font-family":
			st.turn(tree.Mono, named.IsMono(a.Value))
		case "text:display":
			st.hidden = no
			if a.Value == "none" {
				st.hidden = yes
			}
		case "fo:language":
			if st.name == "" && st.family == "paragraph" && a.Value != "none" && a.Value != "zxx" {
				s.language = a.Value
			}
		}
	}
}

// position reads "super 58%", "sub" or a percentage of the size of the font.
func (st *style) position(value string) {
	first, _, _ := strings.Cut(strings.TrimSpace(value), " ")
	shift, _ := strconv.ParseFloat(strings.TrimSuffix(first, "%"), 64)
	st.turn(tree.Super, first == "super" || shift > 0)
	st.turn(tree.Sub, first == "sub" || shift < 0)
}

func (st *style) turn(what tree.Style, on bool) {
	if on {
		st.set, st.off = st.set|what, st.off&^what
	} else {
		st.off, st.set = st.off|what, st.set&^what
	}
}

func (s *sheet) mono(font string) bool {
	for at := s; at != nil; at = at.common {
		if mono, ok := at.fonts[font]; ok {
			return mono
		}
	}
	return named.IsMono(font)
}

func (s *sheet) find(k key) *style {
	for at := s; at != nil; at = at.common {
		if found := at.styles[k]; found != nil {
			return found
		}
	}
	return nil
}

func (s *sheet) list(name string) *listStyle {
	for at := s; at != nil; at = at.common {
		if found := at.lists[name]; found != nil {
			return found
		}
	}
	return nil
}

func (s *sheet) numbering() *listStyle {
	for at := s; at != nil; at = at.common {
		if at.outline != nil {
			return at.outline
		}
	}
	return nil
}

// maxParents bounds how far styles are followed: they may lead in a circle.
const maxParents = 32

// maxResolved bounds how many styles are remembered as a whole.
const maxResolved = 100_000

// resolve follows a style to its parents and returns what all of them say.
func (s *sheet) resolve(family, name string) style {
	out, known := s.resolved[key{family, name}]
	if known || name == "" {
		return out
	}
	out = style{key: key{family, name}, made: true}
	for range maxParents {
		st := s.find(key{family, name})
		if st == nil {
			break
		}
		if out.made && !st.made && name == "Heading" { // others have it as a parent, headings or not
			out.outline = "1"
		}
		out.made = out.made && st.made
		out.inherit(st)
		if name = st.parent; name == "" {
			break
		}
	}
	if len(s.resolved) < maxResolved {
		s.resolved[out.key] = out
	}
	return out
}

// inherit takes from a parent what was not said yet.
func (st *style) inherit(from *style) {
	said := st.set | st.off
	st.set |= from.set &^ said
	st.off |= from.off &^ said
	if st.hidden == unsaid {
		st.hidden = from.hidden
	}
	if st.role == (named.Role{}) {
		st.role = from.role
	}
	if st.outline == "" {
		st.outline = from.outline
	}
	if !st.hasList {
		st.list, st.hasList = from.list, from.hasList
	}
	if st.page == "" {
		st.page = from.page
	}
}
