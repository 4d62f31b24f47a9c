package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/internal/mathml"
)

// maxFormula bounds the formulas that are looked for, in bytes.
const maxFormula = 10 << 10

// formula returns where the formula ends that stands in the text at i between
// the signs of TeX, or 0. Scripts of the page would have typeset it.
func formula(s string, i int) int {
	end := ""
	switch chars.Truncate(s[i:], 2) {
	case `\(`:
		end = `\)`
	case `\[`:
		end = `\]`
	case `$$`:
		end = `$$`
	default:
		return dollarFormula(s, i)
	}
	rest := chars.Truncate(s[i+2:], 1000)
	if n := strings.Index(rest, end); n > 0 && strings.IndexByte(rest[:n], '`') < 0 {
		return i + 2 + n + 2
	}
	return 0
}

// dollarFormula is formula for those between single dollar signs. Since these
// also stand before amounts and names, it takes a command of TeX, or a group
// that is raised or lowered.
func dollarFormula(s string, i int) int {
	rest := chars.Truncate(s[i+1:], 500)
	n := strings.IndexByte(rest, '$')
	if s[i] != '$' || n < 1 || blankAt(rest, 0) || blank(rest[n-1:n]) > 0 || chars.IsWord(byteAt(rest, n+1)) {
		return 0
	}
	tex := rest[:n]
	if !strings.Contains(tex, "_{") && !strings.Contains(tex, "^{") && !hasCommand(tex) || strings.IndexByte(tex, '`') >= 0 {
		return 0
	}
	return i + n + 2
}

func hasCommand(tex string) bool {
	i := strings.IndexByte(tex, '\\')
	return i >= 0 && chars.IsLetter(byteAt(tex, i+1))
}

// copyFormula copies a formula of a text as it is, for escapes would change it.
func (w *writer) copyFormula(s string, i, end int) int {
	w.tex(s[i:end])
	return end
}

// tex writes TeX on one line.
func (w *writer) tex(tex string) {
	first := true
	for word := range strings.FieldsSeq(tex) {
		if !first {
			w.out = append(w.out, ' ')
		}
		first = false
		if w.flat == flatCell {
			word = strings.ReplaceAll(word, "|", `\|`)
		}
		w.out = append(w.out, word...)
	}
}

// writeTeX writes a formula between dollar signs: one for those in a line, two
// for those that stand by themselves.
func (w *writer) writeTeX(tex string, display bool) {
	tex = cleanTeX(tex)
	if tex == "" {
		return
	}
	sign := "$"
	if display {
		sign = "$$"
		w.block(2)
	}
	w.raw(sign)
	w.tex(tex)
	w.out = append(w.out, sign...)
	if display {
		w.block(2)
	}
}

// cleanTeX takes away what encyclopedias put around all their formulas.
func cleanTeX(tex string) string {
	tex = strings.TrimSpace(tex)
	for _, lead := range []string{`{\displaystyle `, `{\textstyle `} {
		if strings.HasPrefix(tex, lead) && strings.HasSuffix(tex, "}") {
			tex = strings.TrimSpace(tex[len(lead) : len(tex)-1])
		}
	}
	return strings.Trim(tex, "$")
}

// math writes a formula in TeX if the page has it that way, else as its parts
// say.
func (w *writer) math(n *dom.Node) {
	tex := w.clipTeX(annotation(n))
	if tex == "" {
		tex = n.Get("alttext")
	}
	if strings.TrimSpace(tex) == "" {
		reader := formulaReader{left: maxFormula}
		formula := reader.element(n, 0)
		tex = w.clipTeX(mathml.TeX(&formula))
		w.loss.Formula = w.loss.Formula || reader.cut
	}
	w.writeTeX(tex, isDisplay(n))
}

// clipTeX cuts a formula that is too long.
func (w *writer) clipTeX(tex string) string {
	if len(tex) <= maxFormula {
		return tex
	}
	w.loss.Formula = true
	return chars.Truncate(tex, maxFormula)
}

// annotation returns the TeX that a formula carries, or "". It is a little longer than
// it may be if it is too long.
func annotation(math *dom.Node) string {
	for c := math.FirstChild; c != nil; c = dom.Following(c, math, true) {
		if c.Type == dom.ElementNode && c.Data == "annotation" && strings.Contains(c.Get("encoding"), "tex") {
			return c.InnerText(maxFormula + 1)
		}
	}
	return ""
}

// isDisplay reports whether a formula stands by itself.
func isDisplay(math *dom.Node) bool {
	if math.Get("display") == "block" || math.Get("mode") == "display" {
		return true
	}
	for n, up := math.Parent, 0; n != nil && up < 4; n, up = n.Parent, up+1 {
		if n.HasClass("katex-display", "MathJax_Display", "mwe-math-mathml-display") {
			return true
		}
	}
	return false
}

// scriptMath writes the TeX that MathJax keeps in a script element.
func (w *writer) scriptMath(n *dom.Node) {
	kind := n.Get("type")
	if chars.HasPrefixFold(kind, "math/tex") {
		w.writeTeX(w.clipTeX(n.InnerText(maxFormula+1)), strings.Contains(kind, "display"))
	}
}

// givenTeX writes the TeX that an element has besides what was typeset from it,
// and reports whether it has some.
func (w *writer) givenTeX(n *dom.Node) bool {
	tex := n.Get("data-math")
	if tex == "" || !strings.Contains(n.Get("class"), "math") {
		return false
	}
	w.writeTeX(tex, n.HasClass("math-block", "math-display"))
	return true
}

// isTypeset reports whether an element is what a script or a server made of a
// formula that is also there in a form that can be read.
func isTypeset(n *dom.Node) bool {
	switch n.Atom {
	case atom.Span, atom.Div:
		class := n.Get("class")
		if !strings.Contains(class, "ath") && !strings.Contains(class, "katex-html") {
			return false
		}
		return n.HasClass("katex-html") && n.PreviousElement() != nil || n.HasClass("MathJax_Preview") ||
			n.HasClass("MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_CHTML") && hasScriptMath(n)
	case atom.Img:
		return n.HasClass("mwe-math-fallback-image-inline", "mwe-math-fallback-image-display") && hasMath(n.Parent)
	}
	return false
}

// hasScriptMath reports whether the TeX of a typeset formula follows it.
func hasScriptMath(n *dom.Node) bool {
	next := n.NextElement()
	return next != nil && next.Is(atom.Script) && chars.HasPrefixFold(next.Get("type"), "math/tex")
}

// hasMath reports whether a small element holds a formula as MathML.
func hasMath(n *dom.Node) bool {
	steps := 0
	for c := n; c != nil && steps < 10; c = dom.Following(c, n, true) {
		if c.Is(atom.Math) {
			return true
		}
		steps++
	}
	return false
}

// imageTeX returns the TeX of an image that shows a formula, or "".
func imageTeX(img *dom.Node) string {
	if img.HasClass("latex", "tex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display") {
		return img.Get("alt")
	}
	return ""
}
