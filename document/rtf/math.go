package rtf

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
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
	if tex := strings.TrimSpace(f.tex()); tex != "" {
		r.state.flow.add(tree.Span{TeX: tex})
	}
}

// part returns what a part of that name holds as TeX.
func (f *formula) part(name string) string {
	for _, p := range f.parts {
		if p.name == name {
			return p.tex()
		}
	}
	return ""
}

// property returns what is said in {\mxPr{\mname value}}.
func (f *formula) property(name, otherwise string) string {
	for _, p := range f.parts {
		if p.name != f.name+"Pr" {
			continue
		}
		for _, v := range p.parts {
			if v.name == name {
				return strings.TrimSpace(v.text.String())
			}
		}
	}
	return otherwise
}

// tex writes a part as TeX.
func (f *formula) tex() string {
	switch f.name {
	case "f":
		return `\frac{` + f.part("num") + "}{" + f.part("den") + "}"
	case "sSup", "sSub", "sSubSup":
		return base(f.part("e")) + below(f.part("sub")) + above(f.part("sup"))
	case "sPre":
		return "{}" + below(f.part("sub")) + above(f.part("sup")) + f.part("e")
	case "rad":
		if degree := f.part("deg"); degree != "" {
			return `\sqrt[` + degree + "]{" + f.part("e") + "}"
		}
		return `\sqrt{` + f.part("e") + "}"
	case "nary":
		return escaper.Replace(f.property("chr", "∫")) + below(f.part("sub")) + above(f.part("sup")) + base(f.part("e"))
	case "limLow":
		return base(f.part("e")) + below(f.part("lim"))
	case "limUpp":
		return base(f.part("e")) + above(f.part("lim"))
	case "func":
		return function(f.part("fName")) + base(f.part("e"))
	case "bar":
		if f.property("pos", "bot") == "top" {
			return `\overline{` + f.part("e") + "}"
		}
		return `\underline{` + f.part("e") + "}"
	case "acc", "groupChr":
		return f.accent()
	case "d":
		return bracket(`\left`, f.property("begChr", "(")) + f.join(f.property("sepChr", "|")) + bracket(`\right`, f.property("endChr", ")"))
	case "m", "eqArr":
		return `\begin{matrix} ` + f.join(` \\ `) + ` \end{matrix}`
	case "mr":
		return f.join(" & ")
	}
	return f.plain()
}

// plain writes text, and parts one after the other.
func (f *formula) plain() string {
	if strings.HasSuffix(f.name, "Pr") {
		return ""
	}
	var b strings.Builder
	b.WriteString(escaper.Replace(f.text.String()))
	for _, p := range f.parts {
		b.WriteString(p.tex())
	}
	return b.String()
}

// escaper writes characters that mean something to TeX, and signs that it has
// commands for. Others are fine as they are.
var escaper = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`, "_", `\_`,
	"∑", `\sum `, "∏", `\prod `, "∫", `\int `, "∬", `\iint `, "∮", `\oint `, "∞", `\infty `, "∂", `\partial `, "∇", `\nabla `, "±", `\pm `,
	"×", `\times `, "÷", `\div `, "⋅", `\cdot `, "≤", `\le `, "≥", `\ge `, "≠", `\ne `, "≈", `\approx `, "≡", `\equiv `, "∈", `\in `,
	"∪", `\cup `, "∩", `\cap `, "⊂", `\subset `, "→", `\to `, "⇒", `\Rightarrow `, "…", `\ldots `, "−", "-", "α", `\alpha `, "β", `\beta `,
	"γ", `\gamma `, "δ", `\delta `, "ε", `\varepsilon `, "ϵ", `\epsilon `, "θ", `\theta `, "λ", `\lambda `, "μ", `\mu `, "π", `\pi `, "ρ", `\rho `,
	"σ", `\sigma `, "τ", `\tau `, "φ", `\varphi `, "ϕ", `\phi `, "ψ", `\psi `, "ω", `\omega `, "Γ", `\Gamma `, "Δ", `\Delta `, "Σ", `\Sigma `, "Ω", `\Omega `)

// join writes the parts that hold something, with a sign between them.
func (f *formula) join(sign string) string {
	var out []string
	for _, p := range f.parts {
		if p.name == "e" || p.name == "mr" {
			out = append(out, p.tex())
		}
	}
	return strings.Join(out, sign)
}

func (f *formula) accent() string {
	e := f.part("e")
	switch f.property("chr", map[string]string{"acc": "\u0302", "groupChr": "⏟"}[f.name]) {
	case "\u0302", "^":
		return `\hat{` + e + "}"
	case "\u0303", "~":
		return `\tilde{` + e + "}"
	case "\u0304", "\u0305", "¯":
		return `\overline{` + e + "}"
	case "\u0307", "˙":
		return `\dot{` + e + "}"
	case "\u0308", "¨":
		return `\ddot{` + e + "}"
	case "\u20d7", "→":
		return `\vec{` + e + "}"
	case "⏞":
		return `\overbrace{` + e + "}"
	case "⏟":
		return `\underbrace{` + e + "}"
	}
	return e
}

// base puts braces around what is more than one character.
func base(tex string) string {
	if len([]rune(tex)) == 1 {
		return tex
	}
	return "{" + tex + "}"
}

func above(tex string) string {
	if tex == "" {
		return ""
	}
	return "^{" + tex + "}"
}

func below(tex string) string {
	if tex == "" {
		return ""
	}
	return "_{" + tex + "}"
}

func bracket(side, sign string) string {
	switch sign {
	case "":
		sign = "."
	case "{", "}":
		sign = `\` + sign
	}
	return side + sign
}

// function writes the name of a function.
func function(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return `\operatorname{` + name + "}"
	}
	return name
}
