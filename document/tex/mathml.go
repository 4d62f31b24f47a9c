package tex

import (
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/zipped"
)

// MathML writes a formula in MathML, which is the element math:math. If that gives
// nothing, what the author typed is taken.
func MathML(n *zipped.Node) string {
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
			return `\text{` + textEscaper.Replace(text) + "}"
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
	text := strings.TrimSpace(n.Content())
	if n.Get("fence") == "true" && n.Get("stretchy") == "true" {
		switch n.Get("form") {
		case "prefix":
			return `\left` + delimiter(text)
		case "postfix":
			return `\right` + delimiter(text)
		}
	}
	return symbols(text)
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

// mark returns the second child of an element as it was typed.
func mark(n *zipped.Node) string {
	count := 0
	for c := range n.All() {
		if c.Name != "" {
			if count++; count == 2 {
				return strings.TrimSpace(c.Content())
			}
		}
	}
	return ""
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
		if accent := accents[mark(n)]; accent != "" {
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
	return `\left` + delimiter(strings.TrimSpace(open)) + strings.Join(parts(n, 0), ",") + `\right` + delimiter(strings.TrimSpace(closing))
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
	if isFunction(s) {
		return `\` + s
	}
	if len(s) < 4 && variant == "italic" || strings.ContainsFunc(s, func(c rune) bool { return c > 0x7F || !isLetter(byte(c)) }) || len(s) == 1 {
		return symbols(s)
	}
	return `\mathrm{` + s + "}"
}

// symbols writes signs with the commands that TeX has for them, but none for a place
// that was left empty.
func symbols(s string) string {
	var b []byte
	for _, c := range s {
		if c != '❑' {
			b = glue(b, sign(c))
		}
	}
	return string(b)
}
