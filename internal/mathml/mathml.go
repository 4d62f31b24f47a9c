// Package mathml writes MathML as TeX. The names that TeX has for signs, functions and
// accents are here too, for formulas of other kinds.
package mathml

import (
	"strings"
	"unicode/utf8"
)

// Element is an element of MathML, or text if it has no name. Pages and documents
// have trees of their own, of which formulas are a small part.
type Element struct {
	Name     string // without a prefix
	Text     string
	Get      func(attribute string) (value string, given bool)
	Children []Element
}

// TeX writes a formula.
func TeX(formula *Element) string { return strings.Join(strings.Fields(row(formula)), " ") }

func (e *Element) get(attribute string) string {
	value, _ := e.lookup(attribute)
	return value
}

func (e *Element) lookup(attribute string) (string, bool) {
	if e.Get == nil {
		return "", false
	}
	return e.Get(attribute)
}

// content returns all text of an element.
func (e *Element) content() string {
	if e.Name == "" {
		return e.Text
	}
	if len(e.Children) == 1 {
		return e.Children[0].content()
	}
	var b strings.Builder
	for i := range e.Children {
		b.WriteString(e.Children[i].content())
	}
	return b.String()
}

// row writes the children of an element one after the other.
func row(n *Element) string {
	var b []byte
	for i := range n.Children {
		b = glue(b, element(&n.Children[i]))
	}
	return string(b)
}

// glue adds a piece, with a space where a command would else run into a letter.
func glue(b []byte, piece string) []byte {
	if piece == "" {
		return b
	}
	if IsLetter(piece[0]) {
		n := len(b)
		for n > 0 && IsLetter(b[n-1]) {
			n--
		}
		if n < len(b) && n > 0 && b[n-1] == '\\' {
			b = append(b, ' ')
		}
	}
	return append(b, piece...)
}

// parts returns the children of an element, each written on its own; at least n.
func parts(node *Element, n int) []string {
	var out []string
	for i := range node.Children {
		if c := &node.Children[i]; c.Name != "" {
			out = append(out, element(c))
		}
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out
}

func element(n *Element) string {
	switch n.Name {
	case "": // a page may have it outside of tokens
		return symbols(strings.TrimSpace(n.Text))
	case "mi":
		return identifier(strings.TrimSpace(n.content()), n.get("mathvariant"))
	case "mn":
		return strings.TrimSpace(n.content())
	case "mo":
		return operator(n)
	case "mtext", "ms":
		if text := strings.TrimSpace(n.content()); text != "" {
			return Text(text)
		}
		return ""
	case "mspace", "annotation", "annotation-xml", "mphantom", "malignmark", "maligngroup", "script", "style":
		return ""
	case "mfrac", "msqrt", "mroot":
		return fraction(n)
	case "msup", "msub", "msubsup", "munder", "mover", "munderover":
		return script(n)
	case "mfenced":
		return fenced(n)
	case "mtable":
		return matrix(n)
	}
	return row(n)
}

// operator writes a sign; brackets grow with what they hold.
func operator(n *Element) string {
	text := strings.TrimSpace(n.content())
	if n.get("fence") == "true" && n.get("stretchy") == "true" {
		switch n.get("form") {
		case "prefix":
			return `\left` + Delimiter(text)
		case "postfix":
			return `\right` + Delimiter(text)
		}
	}
	return symbols(text)
}

func fraction(n *Element) string {
	if n.Name == "msqrt" {
		return `\sqrt{` + row(n) + "}"
	}
	p := parts(n, 2)
	switch {
	case n.Name == "mfrac":
	case p[0] == "":
		return ""
	case p[1] == "":
		return `\sqrt{` + p[0] + "}"
	default:
		return `\sqrt[` + p[1] + "]{" + p[0] + "}"
	}
	return `\frac{` + p[0] + "}{" + p[1] + "}"
}

// mark returns the second child of an element as it was typed.
func mark(n *Element) string {
	count := 0
	for i := range n.Children {
		if c := &n.Children[i]; c.Name != "" {
			if count++; count == 2 {
				return strings.TrimSpace(c.content())
			}
		}
	}
	return ""
}

func script(n *Element) string {
	p := parts(n, 3)
	switch n.Name {
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
		if accent := Accent(mark(n)); accent != "" {
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

func fenced(n *Element) string {
	open, given := n.lookup("open")
	if !given {
		open = "("
	}
	closing, given := n.lookup("close")
	if !given {
		closing = ")"
	}
	return `\left` + Delimiter(strings.TrimSpace(open)) + strings.Join(parts(n, 0), ",") + `\right` + Delimiter(strings.TrimSpace(closing))
}

func matrix(n *Element) string {
	var rows []string
	for i := range n.Children {
		if r := &n.Children[i]; r.Name == "mtr" || r.Name == "mlabeledtr" {
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
	if IsFunction(s) {
		return `\` + s
	}
	if len(s) < 4 && variant == "italic" || strings.ContainsFunc(s, func(c rune) bool { return c > 0x7F || !IsLetter(byte(c)) }) || len(s) == 1 {
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
			b = glue(b, Sign(c))
		}
	}
	return string(b)
}
