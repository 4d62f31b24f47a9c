package mathml

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Sign returns how TeX writes a character: by a command if it has one. One that is
// not seen, as before the argument of a function, is nothing.
func Sign(r rune) string {
	if name, ok := signs[r]; ok {
		return name
	}
	switch {
	case strings.ContainsRune(`#$%&_{}`, r):
		return `\` + string(r)
	case r >= 0x1d400 && r <= 0x1d7ff: // letters of mathematical alphabets, in which formulas are set anyway
		for _, plain := range norm.NFKC.String(string(r)) {
			if plain != r {
				return Sign(plain)
			}
		}
	case r >= 0x2061 && r <= 0x2064 || r == 0xfeff:
		return ""
	}
	return string(r)
}

// IsCommand tells whether TeX would take letters behind a piece for a part of its name.
func IsCommand(tex string) bool {
	return len(tex) > 1 && tex[0] == '\\' && IsLetter(tex[1]) && IsLetter(tex[len(tex)-1])
}

// IsLetter tells whether a byte is a letter that commands are written with.
func IsLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// Delimiter returns a parenthesis of any kind, as it stands behind \left and \right.
func Delimiter(char string) string {
	switch char {
	case "":
		return "."
	case "∥":
		return `\|`
	}
	var b strings.Builder
	for _, r := range char {
		s := Sign(r)
		b.WriteString(s)
		if IsCommand(s) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// IsFunction tells whether TeX has a name for a function.
func IsFunction(name string) bool {
	switch name {
	case "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd",
		"hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh":
		return true
	}
	return false
}

// Text returns words that stand in a formula.
func Text(words string) string { return `\text{` + textEscaper.Replace(words) + "}" }

// textEscaper escapes what would not be text in TeX.
var textEscaper = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`)
