package odf

import (
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/zipped"
)

// mathTeX writes a formula in MathML as TeX. If that gives nothing, what the author
// typed is taken.
func mathTeX(n *zipped.Node) string {
	tex := strings.Join(strings.Fields(row(n)), " ")
	if tex != "" {
		return tex
	}
	annotation := n.Child("math:semantics").Child("math:annotation")
	return strings.Join(strings.Fields(annotation.Content()), " ")
}

// row writes the children of an element one after the other.
func row(n *zipped.Node) string {
	var b []byte
	for c := range n.All() {
		if c.Name != "" {
			b = glue(b, element(c))
		}
	}
	return string(b)
}

// glue adds a piece, with a space where a command would else run into a letter.
func glue(b []byte, piece string) []byte {
	if piece == "" {
		return b
	}
	if isLetter(piece[0]) {
		n := len(b)
		for n > 0 && isLetter(b[n-1]) {
			n--
		}
		if n < len(b) && n > 0 && b[n-1] == '\\' {
			b = append(b, ' ')
		}
	}
	return append(b, piece...)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// parts returns the children of an element, each written on its own; at least n.
func parts(node *zipped.Node, n int) []string {
	var out []string
	for c := range node.All() {
		if c.Name != "" {
			out = append(out, element(c))
		}
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out
}

func element(n *zipped.Node) string {
	switch local := strings.TrimPrefix(n.Name, "math:"); local {
	case "mi":
		return identifier(strings.TrimSpace(n.Content()), n.Get("mathvariant"))
	case "mn":
		return strings.TrimSpace(n.Content())
	case "mo":
		return operator(n)
	case "mtext", "ms":
		if text := strings.TrimSpace(n.Content()); text != "" {
			return `\text{` + strings.NewReplacer(`\`, "", "{", "", "}", "").Replace(text) + "}"
		}
		return ""
	case "mspace", "annotation", "annotation-xml", "mphantom", "malignmark", "maligngroup":
		return ""
	case "mfrac", "msqrt", "mroot":
		return fraction(local, n)
	case "msup", "msub", "msubsup", "munder", "mover", "munderover":
		return script(local, n)
	case "mfenced":
		return fenced(n)
	case "mtable":
		return matrix(n)
	}
	return row(n)
}

// operator writes a sign; brackets grow with what they hold.
func operator(n *zipped.Node) string {
	sign := symbols(strings.TrimSpace(n.Content()))
	if sign != "" && n.Get("fence") == "true" && n.Get("stretchy") == "true" {
		switch n.Get("form") {
		case "prefix":
			return `\left` + sign
		case "postfix":
			return `\right` + sign
		}
	}
	return sign
}

func fraction(name string, n *zipped.Node) string {
	if name == "msqrt" {
		return `\sqrt{` + row(n) + "}"
	}
	p := parts(n, 2)
	if name == "mroot" {
		return `\sqrt[` + p[1] + "]{" + p[0] + "}"
	}
	return `\frac{` + p[0] + "}{" + p[1] + "}"
}

// accents are marks above a letter that TeX has commands for.
var accents = map[string]string{
	"¯": `\overline`, "‾": `\overline`, "^": `\hat`, `\hat`: `\hat`, "ˆ": `\hat`, "~": `\tilde`, "˜": `\tilde`, "→": `\vec`, `\to`: `\vec`, "⃗": `\vec`,
	"˙": `\dot`, "¨": `\ddot`, "⏞": `\overbrace`, "ˇ": `\check`, "˘": `\breve`, "´": `\acute`, "`": `\grave`, "˚": `\mathring`,
}

func script(name string, n *zipped.Node) string {
	p := parts(n, 3)
	switch name {
	case "msup":
		return group(p[0]) + "^{" + p[1] + "}"
	case "munder":
		if p[1] == "⏟" {
			return `\underbrace{` + p[0] + "}"
		}
		return group(p[0]) + "_{" + p[1] + "}"
	case "msub":
		return group(p[0]) + "_{" + p[1] + "}"
	case "mover":
		if accent := accents[p[1]]; accent != "" {
			return accent + "{" + p[0] + "}"
		}
		return group(p[0]) + "^{" + p[1] + "}"
	}
	out := group(p[0])
	if p[1] != "" {
		out += "_{" + p[1] + "}"
	}
	if p[2] != "" {
		out += "^{" + p[2] + "}"
	}
	return out
}

// group puts braces around what is more than one sign.
func group(tex string) string {
	if utf8.RuneCountInString(tex) <= 1 && tex != "" || strings.HasPrefix(tex, `\`) && !strings.ContainsAny(tex, " {^_") {
		return tex
	}
	return "{" + tex + "}"
}

func fenced(n *zipped.Node) string {
	open, given := n.Lookup("open")
	if !given {
		open = "("
	}
	closing, given := n.Lookup("close")
	if !given {
		closing = ")"
	}
	return `\left` + fence(open) + strings.Join(parts(n, 0), ",") + `\right` + fence(closing)
}

func fence(s string) string {
	if s = symbols(strings.TrimSpace(s)); s == "" {
		return "."
	}
	return s
}

func matrix(n *zipped.Node) string {
	var rows []string
	for r := range n.All() {
		if r.Name == "math:mtr" || r.Name == "math:mlabeledtr" {
			rows = append(rows, strings.Join(parts(r, 0), " & "))
		}
	}
	if len(rows) == 1 && !strings.Contains(rows[0], " & ") {
		return rows[0]
	}
	return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
}

// identifier writes a name: a letter, a function that TeX knows, or a word.
func identifier(s, variant string) string {
	switch s {
	case "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "exp", "ln", "log", "lg",
		"lim", "max", "min", "sup", "inf", "det", "dim", "ker", "gcd", "arg", "deg", "Pr":
		return `\` + s
	}
	if len(s) < 4 && variant == "italic" || strings.ContainsFunc(s, func(c rune) bool { return c > 0x7F || !isLetter(byte(c)) }) || len(s) == 1 {
		return symbols(s)
	}
	return `\mathrm{` + s + "}"
}

// symbols writes signs with the commands that TeX has for them.
func symbols(s string) string {
	var b []byte
	for _, c := range s {
		command, known := signs[c]
		switch {
		case known:
			b = glue(b, command)
		case c >= 0x2061 && c <= 0x2064 || c == 0xFEFF || c == '❑': // not seen, or a place that was left empty
		default:
			b = glue(b, string(c))
		}
	}
	return string(b)
}

var signs = map[rune]string{
	'{': `\{`, '}': `\}`, '%': `\%`, '#': `\#`, '&': `\&`, '$': `\$`, '_': `\_`, '\\': `\backslash`,
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`, 'η': `\eta`,
	'θ': `\theta`, 'ϑ': `\vartheta`, 'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`,
	'ϖ': `\varpi`, 'ρ': `\rho`, 'ϱ': `\varrho`, 'σ': `\sigma`, 'ς': `\varsigma`, 'τ': `\tau`, 'υ': `\upsilon`, 'φ': `\varphi`,
	'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`, 'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`,
	'Π': `\Pi`, 'Σ': `\Sigma`, 'Υ': `\Upsilon`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`,
	'∑': `\sum`, '∏': `\prod`, '∐': `\coprod`, '∫': `\int`, '∬': `\iint`, '∭': `\iiint`, '∮': `\oint`, '∂': `\partial`, '∇': `\nabla`,
	'∞': `\infty`, '√': `\sqrt`, '±': `\pm`, '∓': `\mp`, '×': `\times`, '÷': `\div`, '⋅': `\cdot`, '·': `\cdot`, '∗': `*`, '−': `-`,
	'≤': `\le`, '≥': `\ge`, '≠': `\ne`, '≈': `\approx`, '≡': `\equiv`, '∼': `\sim`, '≃': `\simeq`, '≅': `\cong`, '∝': `\propto`,
	'≪': `\ll`, '≫': `\gg`, '∈': `\in`, '∉': `\notin`, '∋': `\ni`, '⊂': `\subset`, '⊃': `\supset`, '⊆': `\subseteq`, '⊇': `\supseteq`,
	'∪': `\cup`, '∩': `\cap`, '∅': `\emptyset`, '∖': `\setminus`, '∧': `\wedge`, '∨': `\vee`, '¬': `\neg`, '∀': `\forall`, '∃': `\exists`,
	'→': `\to`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⇐': `\Leftarrow`, '⇔': `\Leftrightarrow`,
	'↑': `\uparrow`, '↓': `\downarrow`, '…': `\ldots`, '⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`, '∥': `\parallel`, '⊥': `\perp`,
	'∠': `\angle`, '°': `^\circ`, '∘': `\circ`, '⊕': `\oplus`, '⊗': `\otimes`, 'ℏ': `\hbar`, 'ℓ': `\ell`, 'ℜ': `\Re`, 'ℑ': `\Im`,
	'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, '⟨': `\langle`, '⟩': `\rangle`,
	'⌈': `\lceil`, '⌉': `\rceil`, '⌊': `\lfloor`, '⌋': `\rfloor`, '′': `'`, '∣': `\mid`, '∴': `\therefore`,
}
