package rtf

import (
	"strings"

	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// formula is a part of a formula. Formulas are groups in groups, each with a word
// that says what it is: {\mf{\mnum{\mr a}}{\mden{\mr b}}} is a fraction.
type formula struct {
	name  string // without the m that all have
	text  strings.Builder
	parts []*formula
}

// startMath begins a formula.
func (r *reader) startMath() {
	s := &r.state
	if s.into != intoText || s.hidden || s.deleted {
		s.into = intoNothing
		return
	}
	s.into, s.math = intoMath, &formula{}
	r.mathLeft = maxFormula
}

// maxFormula bounds the text of a formula, which is copied from part to part.
const maxFormula = 64 << 10

// addMath adds text to the part that is open.
func (r *reader) addMath(s string) {
	if r.mathLeft -= len(s); r.mathLeft >= 0 {
		r.state.math.text.WriteString(s)
	}
}

// openMath begins a part of the formula that is open.
func (r *reader) openMath() {
	part := &formula{}
	r.pieces++
	r.state.math.parts = append(r.state.math.parts, part)
	r.state.math = part
}

// word names the part, by the first word that it has.
func (f *formula) word(t *token) {
	if name, ok := strings.CutPrefix(string(t.name), "m"); ok && f.name == "" {
		f.name = name
	}
}

// endMath puts a formula into the text.
func (r *reader) endMath(f *formula) {
	f.name = "oMath"
	formula := tex.Office(f.node(false))
	r.doc.Formula(len(formula), tex.MaxLength)
	r.doc.Formula(maxFormula-r.mathLeft, maxFormula)
	if formula != "" {
		r.state.flow.add(tree.Span{TeX: formula})
	}
}

// node returns a part as the element that it is in Office's XML, which has the same
// names. There the text is in runs, and that of a property in its value.
func (f *formula) node(property bool) *zipped.Node {
	n := &zipped.Node{Name: "m:" + f.name}
	switch {
	case property:
		n.Attr = []zipped.Attr{{Name: "m:val", Value: strings.TrimSpace(f.text.String())}}
		return n
	case f.name == "r":
		n.First = &zipped.Node{Name: "m:t", First: &zipped.Node{Text: f.words()}}
		return n
	case f.text.Len() > 0:
		text := &zipped.Node{Text: f.text.String()}
		n.First = &zipped.Node{Name: "m:r", First: &zipped.Node{Name: "m:t", First: text}}
	}
	at := &n.First
	for _, p := range f.parts {
		for *at != nil {
			at = &(*at).Next
		}
		*at = p.node(strings.HasSuffix(f.name, "Pr"))
	}
	return n
}

// words returns the text of a run, in which groups only change the look.
func (f *formula) words() string {
	text := f.text.String()
	for _, p := range f.parts {
		if p.name == "" {
			text += p.words()
		}
	}
	return text
}
