package mathml

// Accent returns the command for a mark above a letter, "" if there is none.
func Accent(mark string) string { return accents[mark] }

var accents = map[string]string{
	"\u0302": `\hat`, "\u0303": `\tilde`, "\u0304": `\bar`, "\u0305": `\overline`, "\u0306": `\breve`, "\u0307": `\dot`, "\u0308": `\ddot`,
	"\u030c": `\check`, "\u0300": `\grave`, "\u0301": `\acute`, "\u20d7": `\vec`, "\u20d6": `\overleftarrow`, "\u20db": `\dddot`,
	"\u0332": `\underline`, "\u033f": `\overline`, "\u20e1": `\overleftrightarrow`, "¯": `\overline`, "‾": `\overline`, "→": `\vec`, "^": `\hat`,
	"ˆ": `\hat`, "~": `\tilde`, "˜": `\tilde`, "˙": `\dot`, "¨": `\ddot`, "ˇ": `\check`, "˘": `\breve`, "´": `\acute`, "`": `\grave`, "˚": `\mathring`,
	"⏞": `\overbrace`,
}

// signs are characters that TeX has commands for, or another character.
var signs = map[rune]string{
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`,
	'ϑ': `\vartheta`, 'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'µ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ϖ': `\varpi`,
	'ρ': `\rho`, 'ϱ': `\varrho`, 'σ': `\sigma`, 'ς': `\varsigma`, 'τ': `\tau`, 'υ': `\upsilon`, 'φ': `\varphi`, 'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`,
	'ω': `\omega`, 'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`, 'Π': `\Pi`, 'Σ': `\Sigma`, 'Υ': `\Upsilon`, 'Φ': `\Phi`,
	'Ψ': `\Psi`, 'Ω': `\Omega`, '∆': `\Delta`, '×': `\times`, '÷': `\div`, '±': `\pm`, '∓': `\mp`, '⋅': `\cdot`, '·': `\cdot`, '∙': `\cdot`, '∗': `*`,
	'∘': `\circ`, '∝': `\propto`, '≤': `\leq`, '≥': `\geq`, '≠': `\neq`, '≈': `\approx`, '≡': `\equiv`, '≅': `\cong`, '∼': `\sim`, '≃': `\simeq`,
	'≪': `\ll`, '≫': `\gg`, '∈': `\in`, '∉': `\notin`, '∋': `\ni`, '⊂': `\subset`, '⊆': `\subseteq`, '⊃': `\supset`, '⊇': `\supseteq`, '∪': `\cup`,
	'∩': `\cap`, '∅': `\emptyset`, '∀': `\forall`, '∃': `\exists`, '∄': `\nexists`, '¬': `\neg`, '∧': `\wedge`, '∨': `\vee`, '⊕': `\oplus`,
	'⊗': `\otimes`, '→': `\rightarrow`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⇐': `\Leftarrow`, '⇔': `\Leftrightarrow`,
	'↦': `\mapsto`, '↑': `\uparrow`, '↓': `\downarrow`, '⟶': `\longrightarrow`, '⟹': `\Longrightarrow`, '⟺': `\Longleftrightarrow`, '∞': `\infty`,
	'∂': `\partial`, '∇': `\nabla`, 'ℏ': `\hbar`, 'ℓ': `\ell`, 'ℜ': `\Re`, 'ℑ': `\Im`, 'ℵ': `\aleph`, '∠': `\angle`, '⊥': `\perp`, '∥': `\parallel`,
	'∣': `\mid`, '∴': `\therefore`, '∵': `\because`, '°': `^{\circ}`, '′': `'`, '″': `''`, '√': `\surd`, '…': `\ldots`, '⋯': `\cdots`, '⋮': `\vdots`,
	'⋱': `\ddots`, '−': `-`, '–': `-`, '‐': `-`, '\u00a0': " ", '\\': `\backslash`, '~': `\sim`, 'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`,
	'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, '⌊': `\lfloor`, '⌋': `\rfloor`, '⌈': `\lceil`, '⌉': `\rceil`, '⟨': `\langle`,
	'⟩': `\rangle`, '‖': `\|`, '∑': `\sum`, '∏': `\prod`, '∫': `\int`, '∮': `\oint`, '⊢': `\vdash`, '⊨': `\models`, '∐': `\coprod`, '∬': `\iint`,
	'∭': `\iiint`, '∖': `\setminus`, '∯': `\oiint`, '∰': `\oiiint`, '⋃': `\bigcup`, '⋂': `\bigcap`, '⋁': `\bigvee`, '⋀': `\bigwedge`, '⨁': `\bigoplus`,
	'⨂': `\bigotimes`, '⨀': `\bigodot`, '⨄': `\biguplus`, '〈': `\langle`, '〉': `\rangle`, '⟦': `\llbracket`, '⟧': `\rrbracket`,
}
