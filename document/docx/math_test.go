package docx_test

import (
	"html"
	"strings"
	"testing"
)

// mr makes a run of a formula.
func mr(s string) string { return "<m:r><m:t>" + html.EscapeString(s) + "</m:t></m:r>" }

// m makes an element of a formula with what is in it.
func m(name string, inner ...string) string {
	return "<m:" + name + ">" + strings.Join(inner, "") + "</m:" + name + ">"
}

func TestFormulaPlaces(t *testing.T) {
	t.Parallel()
	formula := m("oMath", mr("x"))
	inline, display := `<math alttext="x"><mtext>x</mtext></math>`, `<p><math display="block" alttext="x"><mtext>x</mtext></math></p>`
	check(t, map[string]test{
		"in a line":         {p("", r("", "a ")+formula+r("", " b")), "<p>a " + inline + " b</p>"},
		"alone":             {p("", r("", " ")+formula), display},
		"several":           {p("", formula+formula), display + display},
		"set apart":         {p("", r("", "a")+m("oMathPara", formula, formula)+r("", "b")), "<p>a</p>" + display + display + "<p>b</p>"},
		"after a heading":   {p("H2", r("", "a")+m("oMathPara", formula)), "<h2>a</h2>" + display},
		"among paragraphs":  {m("oMathPara", formula), display},
		"in an instruction": {p("", `<w:r><w:fldChar w:fldCharType="begin"/></w:r>`+formula+`<w:r><w:fldChar w:fldCharType="end"/></w:r>`+r("", "a")), "<p>a</p>"},
	})
}

func TestDeepFormula(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<m:d><m:e>", 100) + mr("x") + strings.Repeat("</m:e></m:d>", 100)
	if got := show(read(t, document(t, p("", m("oMath", deep))))); strings.Count(got, `\left(`) != 200 {
		t.Errorf("got %d parentheses", strings.Count(got, `\left(`))
	}
}
