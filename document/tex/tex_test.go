package tex_test

import (
	"html"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/zipped"
)

// parse reads a formula.
func parse(t testing.TB, xml string) *zipped.Node {
	t.Helper()
	n, err := zipped.Parse([]byte(xml))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// mr makes a run of a formula.
func mr(s string) string { return "<m:r><m:t>" + html.EscapeString(s) + "</m:t></m:r>" }

// m makes an element of a formula with what is in it.
func m(name string, inner ...string) string {
	return "<m:" + name + ">" + strings.Join(inner, "") + "</m:" + name + ">"
}

// val makes a property of a formula.
func val(name, value string) string { return "<m:" + name + ` m:val="` + value + `"/>` }

func TestOffice(t *testing.T) {
	t.Parallel()
	e := func(inner ...string) string { return m("e", inner...) }
	tests := map[string]struct{ omml, want string }{
		"letters":       {mr("A=πr"), `A= \pi r`},
		"fraction":      {m("f", m("num", mr("a")), m("den", mr("b"))), `\frac{a}{b}`},
		"in a line":     {m("f", m("fPr", val("type", "lin")), m("num", mr("a")), m("den", mr("b"))), `a/b`},
		"binomial":      {m("d", e(m("f", m("fPr", val("type", "noBar")), m("num", mr("n")), m("den", mr("k"))))), `\left(\genfrac{}{}{0pt}{}{n}{k}\right)`},
		"root":          {m("rad", m("radPr", val("degHide", "1")), m("deg"), e(mr("x"))), `\sqrt{x}`},
		"cube root":     {m("rad", m("deg", mr("3")), e(mr("x"))), `\sqrt[3]{x}`},
		"scripts":       {m("sSup", e(mr("x")), m("sup", mr("2"))) + m("sSub", e(mr("y")), m("sub", mr("i"))) + m("sSubSup", e(mr("z")), m("sub", mr("j")), m("sup", mr("k"))), `x^{2}y_{i}z_{j}^{k}`},
		"power of much": {m("sSup", e(m("f", m("num", mr("a")), m("den", mr("b")))), m("sup", mr("2"))), `{\frac{a}{b}}^{2}`},
		"before":        {m("sPre", m("sub", mr("1")), m("sup", mr("2")), e(mr("H"))), `{}_{1}^{2}H`},
		"sum":           {m("nary", m("naryPr", val("chr", "∑")), m("sub", mr("n=1")), m("sup", mr("∞")), e(mr("a"))), `\sum_{n=1}^{ \infty }a`},
		"integral":      {m("nary", m("naryPr", val("subHide", "1"), val("supHide", "1")), m("sub"), m("sup"), e(mr("x"))), `\int x`},
		"brackets":      {m("d", m("dPr", val("begChr", "{"), val("endChr", ""), val("sepChr", ",")), e(mr("a")), e(mr("b"))), `\left\{a,b\right.`},
		"matrix":        {m("m", m("mr", e(mr("a")), e(mr("b"))), m("mr", e(mr("c")), e(mr("d")))), `\begin{matrix}a & b \\ c & d\end{matrix}`},
		"equations":     {m("eqArr", e(mr("a&=b")), e(mr("c&=d"))), `\begin{aligned}a & =b \\ c & =d\end{aligned}`},
		"one equation":  {m("eqArr", e(mr("a=b"))), `a=b`},
		"accent":        {m("acc", m("accPr", val("chr", "\u20d7")), e(mr("v"))) + m("acc", e(mr("x"))), `\vec{v}\hat{x}`},
		"bars":          {m("bar", m("barPr", val("pos", "top")), e(mr("x"))) + m("bar", e(mr("y"))), `\overline{x}\underline{y}`},
		"function":      {m("func", m("fName", mr("sin")), e(mr("x"))), `\sin x`},
		"own function":  {m("func", m("fName", mr("rank")), e(m("d", e(mr("A"))))), `\operatorname{rank}\left(A\right)`},
		"limit":         {m("func", m("fName", m("limLow", e(mr("lim")), m("lim", mr("n→∞")))), e(mr("x"))), `\lim_{n \rightarrow \infty }x`},
		"brace":         {m("limLow", e(m("groupChr", e(mr("a+b")))), m("lim", mr("two words"))), `\underbrace{a+b}_{two\ words}`},
		"brace above":   {m("limUpp", e(m("groupChr", m("groupChrPr", val("chr", "⏞"), val("pos", "top")), e(mr("a")))), m("lim", mr("n"))), `\overset{n}{\overbrace{a}}`},
		"arrow":         {m("groupChr", m("groupChrPr", val("chr", "→"), val("pos", "top")), e(mr("AB"))), `\overset{\rightarrow}{AB}`},
		"text":          {`<m:r><m:rPr><m:nor/></m:rPr><m:t>if 50% of</m:t></m:r>`, `\text{if 50\% of}`},
		"alphabets":     {`<m:r><m:rPr><m:scr m:val="double-struck"/></m:rPr><m:t>R</m:t></m:r>` + mr("𝑥𝛼"), `\mathbb{R}x \alpha`},
		"signs":         {mr("50% – x_1 & {y} \u2061"), `50\% - x\_1 \& \{y\}`},
		"box":           {m("borderBox", e(mr("x"))) + m("box", e(mr("y"))), `\boxed{x}y`},
		"unseen":        {m("phant", m("phantPr", val("show", "0")), e(mr("x"))) + mr("y"), `y`},
		"deleted":       {"<w:del>" + mr("x") + "</w:del><w:ins>" + mr("y") + "</w:ins>", `y`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			formula := `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"` +
				` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` + test.omml + "</m:oMath>"
			if got := tex.Office(parse(t, formula)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestMathML(t *testing.T) {
	t.Parallel()
	for formula, want := range map[string]string{
		"<mfrac><mi>a</mi><mi>α</mi></mfrac>":                             `\frac{a}{\alpha}`,
		`<mfenced open="[" close="]"><mi>a</mi></mfenced>`:                `\left[a\right]`,
		"<semantics><mrow/><annotation>a over b</annotation></semantics>": "a over b",
	} {
		if got := tex.MathML(parse(t, `<math xmlns="http://www.w3.org/1998/Math/MathML">`+formula+"</math>")); got != want {
			t.Errorf("%s: got %s, want %s", formula, got, want)
		}
	}
}
