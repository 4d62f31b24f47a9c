// Package tex writes formulas as TeX: those of Office and those in MathML, which are
// what documents hold. Both share the names that TeX has for signs, functions and
// accents.
package tex

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// sign returns how TeX writes a character: by a command if it has one. One that is
// not seen, as before the argument of a function, is nothing.
func sign(r rune) string {
	if name, ok := signs[r]; ok {
		return name
	}
	switch {
	case strings.ContainsRune(`#$%&_{}`, r):
		return `\` + string(r)
	case r >= 0x1d400 && r <= 0x1d7ff: // letters of mathematical alphabets, in which formulas are set anyway
		for _, plain := range norm.NFKC.String(string(r)) {
			if plain != r {
				return sign(plain)
			}
		}
	case r >= 0x2061 && r <= 0x2064 || r == 0xfeff:
		return ""
	}
	return string(r)
}

// isCommand tells whether TeX would take letters behind a piece for a part of its name.
func isCommand(tex string) bool {
	return len(tex) > 1 && tex[0] == '\\' && isLetter(tex[1]) && isLetter(tex[len(tex)-1])
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// delimiter returns a parenthesis of any kind, as it stands behind \left and \right.
func delimiter(char string) string {
	switch char {
	case "":
		return "."
	case "∥":
		return `\|`
	}
	var b strings.Builder
	for _, r := range char {
		s := sign(r)
		b.WriteString(s)
		if isCommand(s) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// isFunction tells whether TeX has a name for a function.
func isFunction(name string) bool {
	switch name {
	case "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd",
		"hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh":
		return true
	}
	return false
}

// textEscaper escapes what would not be text in TeX.
var textEscaper = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`)
