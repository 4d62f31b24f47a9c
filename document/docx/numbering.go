package docx

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/numeral"
	"github.com/trawlhq/trawl/document/zipped"
)

const (
	maxLevels    = 9      // that a numbering has
	maxInstances = 50_000 // that are read of a document
)

// numbering is what numbers and bullets look like, and how far they were counted.
type numbering struct {
	instances map[string]*instance
}

// instance is a numbering that paragraphs refer to. Several may be of one series
// and then count on where the others stopped.
type instance struct {
	*series
	levels [maxLevels]level
	starts [maxLevels]bool // it begins anew when the level is first met
}

// series is an abstract numbering.
type series struct {
	defined [maxLevels]level
	counts  [maxLevels]int
	begun   [maxLevels]bool
}

// level is a level of a numbering.
type level struct {
	format  string
	text    string // with %1 to %9 for the numbers of the levels
	start   int
	restart int // after which level (from 1) it begins again; 0 never, -1 after every one above
	legal   bool
	style   string // that belongs to it
	indent  int
}

// readNumbering reads the part with the numberings.
func (r *reader) readNumbering() {
	root, _ := r.related("numbering")
	abstracts := map[string]*zipped.Node{}
	linked := map[string]string{} // abstract numberings by the style that defines them
	for n := range root.All() {
		if n.Name == "w:abstractNum" {
			id := n.Get("w:abstractNumId")
			abstracts[id] = n
			if style := n.Child("w:styleLink").Get("w:val"); style != "" {
				linked[style] = id
			}
		}
	}
	r.numbering.instances = map[string]*instance{}
	all := map[string]*series{}
	for n := range root.All() {
		if n.Name != "w:num" || len(r.numbering.instances) == maxInstances {
			continue
		}
		id := n.Child("w:abstractNumId").Get("w:val")
		if link := abstracts[id].Child("w:numStyleLink").Get("w:val"); link != "" && linked[link] != "" {
			id = linked[link]
		}
		if all[id] == nil {
			all[id] = newSeries(abstracts[id])
		}
		in := &instance{series: all[id], levels: all[id].defined}
		in.override(n)
		r.numbering.instances[n.Get("w:numId")] = in
	}
}

// newSeries reads the levels of an abstract numbering.
func newSeries(abstract *zipped.Node) *series {
	s := &series{}
	for n := range abstract.All() {
		if n.Name == "w:lvl" {
			s.defined[levelOf(n.Get("w:ilvl"))] = readLevel(n)
		}
	}
	return s
}

// override reads what an instance has of its own.
func (in *instance) override(num *zipped.Node) {
	for n := range num.All() {
		if n.Name != "w:lvlOverride" {
			continue
		}
		i := levelOf(n.Get("w:ilvl"))
		if lvl := n.Child("w:lvl"); lvl != nil {
			in.levels[i] = readLevel(lvl)
		}
		if s, ok := n.Child("w:startOverride").Lookup("w:val"); ok {
			in.levels[i].start, _ = strconv.Atoi(s)
			in.starts[i] = true
		}
	}
}

func readLevel(n *zipped.Node) level {
	l := level{format: "decimal", restart: -1}
	for c := range n.All() {
		value := c.Get("w:val")
		switch c.Name {
		case "w:start":
			l.start, _ = strconv.Atoi(value)
		case "w:numFmt":
			l.format = value
		case "w:lvlText":
			l.text = value
		case "w:lvlRestart":
			l.restart, _ = strconv.Atoi(value)
		case "w:isLgl":
			l.legal = toggleOf(c) == on
		case "w:pStyle":
			l.style = value
		case "w:pPr":
			l.indent, _ = indentOf(c.Child("w:ind"))
		}
	}
	return l
}

// levelOfStyle returns the level that belongs to a style, if one does.
func (in *instance) levelOfStyle(id string) (int, bool) {
	for i := range in.levels {
		if id != "" && in.levels[i].style == id {
			return i, true
		}
	}
	return 0, false
}

// counter is the numbering of a paragraph; it has no instance if there is none.
type counter struct {
	*instance
	numRef
}

// shown tells whether the paragraph is an item of a list. A level without a number of
// its own may show those above it, or a word.
func (c counter) shown() bool {
	return c.instance != nil && (c.levels[c.level].format != "none" || strings.TrimSpace(c.levels[c.level].text) != "")
}

// next counts the paragraph and returns its label, which is empty for bullets.
func (c counter) next() string {
	if c.instance == nil {
		return ""
	}
	return c.count(c.level)
}

// indent returns how far the paragraph is indented: what is nearest to it counts.
func (c counter) indent(set layout, st *style) int {
	switch {
	case set.inset:
		return set.indent
	case set.number.id == "" && st.inset:
		return st.indent
	}
	return c.levels[c.level].indent
}

// count counts a paragraph of a level and returns its label.
func (in *instance) count(at int) string {
	l := &in.levels[at]
	switch {
	case in.starts[at]:
		in.starts[at] = false
		in.counts[at] = l.start
	case !in.begun[at]:
		in.counts[at] = l.start
	default:
		in.counts[at]++
	}
	in.begun[at] = true
	for i := range at { // a level that was skipped counts as if it had been there
		if !in.begun[i] {
			in.begun[i], in.counts[i] = true, in.levels[i].start
		}
	}
	for i := at + 1; i < maxLevels; i++ {
		if r := in.levels[i].restart; r < 0 || r > at {
			in.begun[i] = false
		}
	}
	return in.label(at)
}

// label writes the number of a level as the document shows it.
func (in *instance) label(at int) string {
	l := &in.levels[at]
	if l.format == "bullet" {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(l.text); i++ {
		if l.text[i] == '%' && i+1 < len(l.text) && l.text[i+1] >= '1' && l.text[i+1] <= '9' {
			i++
			b.WriteString(in.number(int(l.text[i]-'1'), l.legal))
			continue
		}
		b.WriteByte(l.text[i])
	}
	if !strings.ContainsFunc(b.String(), isWord) {
		return "" // a bullet after all
	}
	return strings.TrimSpace(b.String())
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// number writes the number of a level within a label.
func (in *instance) number(at int, legal bool) string {
	l, n := &in.levels[at], in.counts[at]
	switch {
	case l.format == "bullet" || l.format == "none":
		return ""
	case legal:
		return strconv.Itoa(n)
	}
	return form(l.format).Text(n)
}

// form returns one of Word's formats by its name.
func form(name string) numeral.Form {
	switch name {
	case "decimalZero":
		return numeral.Padded
	case "lowerLetter":
		return numeral.LowerLetter
	case "upperLetter":
		return numeral.UpperLetter
	case "lowerRoman":
		return numeral.LowerRoman
	case "upperRoman":
		return numeral.UpperRoman
	case "ordinal":
		return numeral.Ordinal
	}
	return numeral.Arabic
}
