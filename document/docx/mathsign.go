package docx

import "golang.org/x/text/unicode/norm"

// plainLetter returns a letter of the mathematical alphabets as an ordinary one, in
// which formulas are set anyway.
func plainLetter(r rune) string {
	plain := norm.NFKC.String(string(r))
	if name, ok := commands[plain]; ok {
		return name
	}
	return plain
}

// functions are those that TeX has names for.
var functions = setOf("arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd",
	"hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh")

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

var operators = map[string]string{
	"∑": `\sum`, "∏": `\prod`, "∐": `\coprod`, "∫": `\int`, "∬": `\iint`, "∭": `\iiint`, "∮": `\oint`, "∯": `\oiint`, "∰": `\oiiint`,
	"⋃": `\bigcup`, "⋂": `\bigcap`, "⋁": `\bigvee`, "⋀": `\bigwedge`, "⨁": `\bigoplus`, "⨂": `\bigotimes`, "⨀": `\bigodot`, "⨄": `\biguplus`,
}

var fences = map[string]string{
	"⟨": `\langle`, "⟩": `\rangle`, "〈": `\langle`, "〉": `\rangle`, "⌊": `\lfloor`, "⌋": `\rfloor`, "⌈": `\lceil`, "⌉": `\rceil`, "‖": `\|`,
	"∥": `\|`, "⟦": `\llbracket`, "⟧": `\rrbracket`, "↑": `\uparrow`, "↓": `\downarrow`,
}

var accents = map[string]string{
	"\u0302": `\hat`, "\u0303": `\tilde`, "\u0304": `\bar`, "\u0305": `\overline`, "\u0306": `\breve`, "\u0307": `\dot`, "\u0308": `\ddot`,
	"\u030c": `\check`, "\u0300": `\grave`, "\u0301": `\acute`, "\u20d7": `\vec`, "\u20d6": `\overleftarrow`, "\u20db": `\dddot`,
	"\u0332": `\underline`, "\u033f": `\overline`, "\u20e1": `\overleftrightarrow`, "¯": `\bar`, "→": `\vec`, "^": `\hat`, "~": `\tilde`,
}

var alphabets = map[string]string{
	"double-struck": `\mathbb`, "script": `\mathcal`, "fraktur": `\mathfrak`, "sans-serif": `\mathsf`, "monospace": `\mathtt`,
}

// commands are characters that TeX has names for, with a blank on both sides where
// a letter could follow.
var commands = map[string]string{
	"α": ` \alpha `, "β": ` \beta `, "γ": ` \gamma `, "δ": ` \delta `, "ε": ` \varepsilon `, "ϵ": ` \epsilon `, "ζ": ` \zeta `, "η": ` \eta `,
	"θ": ` \theta `, "ϑ": ` \vartheta `, "ι": ` \iota `, "κ": ` \kappa `, "λ": ` \lambda `, "μ": ` \mu `, "µ": ` \mu `, "ν": ` \nu `, "ξ": ` \xi `,
	"π": ` \pi `, "ϖ": ` \varpi `, "ρ": ` \rho `, "ϱ": ` \varrho `, "σ": ` \sigma `, "ς": ` \varsigma `, "τ": ` \tau `, "υ": ` \upsilon `,
	"φ": ` \varphi `, "ϕ": ` \phi `, "χ": ` \chi `, "ψ": ` \psi `, "ω": ` \omega `, "Γ": ` \Gamma `, "Δ": ` \Delta `, "Θ": ` \Theta `,
	"Λ": ` \Lambda `, "Ξ": ` \Xi `, "Π": ` \Pi `, "Σ": ` \Sigma `, "Υ": ` \Upsilon `, "Φ": ` \Phi `, "Ψ": ` \Psi `, "Ω": ` \Omega `, "∆": ` \Delta `,

	"×": ` \times `, "÷": ` \div `, "±": ` \pm `, "∓": ` \mp `, "⋅": ` \cdot `, "·": ` \cdot `, "∙": ` \cdot `, "∗": "*", "∘": ` \circ `, "∝": ` \propto `,
	"≤": ` \leq `, "≥": ` \geq `, "≠": ` \neq `, "≈": ` \approx `, "≡": ` \equiv `, "≅": ` \cong `, "∼": ` \sim `, "≃": ` \simeq `, "≪": ` \ll `, "≫": ` \gg `,
	"∈": ` \in `, "∉": ` \notin `, "∋": ` \ni `, "⊂": ` \subset `, "⊆": ` \subseteq `, "⊃": ` \supset `, "⊇": ` \supseteq `, "∪": ` \cup `, "∩": ` \cap `,
	"∅": ` \emptyset `, "∀": ` \forall `, "∃": ` \exists `, "∄": ` \nexists `, "¬": ` \neg `, "∧": ` \wedge `, "∨": ` \vee `, "⊕": ` \oplus `, "⊗": ` \otimes `,
	"→": ` \rightarrow `, "←": ` \leftarrow `, "↔": ` \leftrightarrow `, "⇒": ` \Rightarrow `, "⇐": ` \Leftarrow `, "⇔": ` \Leftrightarrow `, "↦": ` \mapsto `,
	"↑": ` \uparrow `, "↓": ` \downarrow `, "⟶": ` \longrightarrow `, "⟹": ` \Longrightarrow `, "⟺": ` \Longleftrightarrow `,
	"∞": ` \infty `, "∂": ` \partial `, "∇": ` \nabla `, "ℏ": ` \hbar `, "ℓ": ` \ell `, "ℜ": ` \Re `, "ℑ": ` \Im `, "ℵ": ` \aleph `, "∠": ` \angle `,
	"⊥": ` \perp `, "∥": ` \parallel `, "∣": ` \mid `, "∴": ` \therefore `, "∵": ` \because `, "°": `^{\circ}`, "′": "'", "″": "''", "√": ` \surd `,
	"…": ` \ldots `, "⋯": ` \cdots `, "⋮": ` \vdots `, "⋱": ` \ddots `, "−": "-", "–": "-", "‐": "-", "\u00a0": " ", "\\": ` \backslash `, "~": ` \sim `,
	"ℝ": `\mathbb{R}`, "ℕ": `\mathbb{N}`, "ℤ": `\mathbb{Z}`, "ℚ": `\mathbb{Q}`, "ℂ": `\mathbb{C}`, "⌊": ` \lfloor `, "⌋": ` \rfloor `, "⌈": ` \lceil `, "⌉": ` \rceil `,
	"⟨": ` \langle `, "⟩": ` \rangle `, "‖": ` \| `, "∑": ` \sum `, "∏": ` \prod `, "∫": ` \int `, "∮": ` \oint `, "⊢": ` \vdash `, "⊨": ` \models `,
}
