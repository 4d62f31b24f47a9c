package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isSpace reports whether browsers collapse the byte.
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether the byte is an ASCII letter or digit.
func isWord(c byte) bool { return isLetter(c) || isDigit(c) }

// isPunct reports whether the byte is ASCII punctuation.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// wordRune reports whether markdown counts the rune neither as white space nor
// as punctuation.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isWord(byte(r))
	}
	return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// containsFold reports whether s contains the lower-case ASCII string sub in
// any case.
func containsFold(s, sub string) bool {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i]|0x20 == sub[0]|0x20 && strings.EqualFold(s[i:i+len(sub)], sub) {
			return true
		}
	}
	return false
}

// collapse returns s with every run of white space made one space and none at
// its ends.
func collapse(s string) string {
	if collapsed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

func collapsed(s string) bool {
	space := true
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || (c < ' ' && isSpace(c)) || (c == ' ' && space) {
			return false
		}
		space = c == ' '
	}
	return s == "" || !space
}

// truncate shortens s to at most n bytes without cutting a character.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// innerText returns the text beneath n, at most limit bytes of it.
func innerText(n *html.Node, limit int) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return truncate(c.Data, limit)
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil && b.Len() < limit; c = following(c, n, true) {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return truncate(b.String(), limit)
}

// shortText returns the text beneath an element that is expected to be small,
// collapsed: at most limit bytes from its first nodes.
func shortText(n *html.Node, limit int) string {
	var b strings.Builder
	steps := 0
	for c := n.FirstChild; c != nil && b.Len() < limit && steps < 200; c = following(c, n, true) {
		if c.Type == html.TextNode {
			b.WriteString(truncate(c.Data, limit))
		}
		steps++
	}
	return collapse(truncate(b.String(), limit))
}

// following returns the node after n in document order that is still beneath
// root, or nil. With descend, the children of n come first.
func following(n, root *html.Node, descend bool) *html.Node {
	if descend && n.FirstChild != nil {
		return n.FirstChild
	}
	for n != root && n != nil {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// attr returns the value of an attribute, or "".
func attr(n *html.Node, key string) string {
	value, _ := lookup(n, key)
	return value
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// hasClass reports whether one of the words of the class attribute is one of names.
func hasClass(n *html.Node, names ...string) bool {
	class, ok := lookup(n, "class")
	if !ok {
		return false
	}
	for word := range strings.FieldsSeq(class) {
		for _, name := range names {
			if word == name {
				return true
			}
		}
	}
	return false
}

// isElement reports whether n is an HTML element of the given name.
func isElement(n *html.Node, name atom.Atom) bool {
	return n.Type == html.ElementNode && n.DataAtom == name
}

// inside returns the nearest ancestor of n with one of the names, or nil.
func inside(n *html.Node, names ...atom.Atom) *html.Node {
	for a := n.Parent; a != nil; a = a.Parent {
		for _, name := range names {
			if isElement(a, name) {
				return a
			}
		}
	}
	return nil
}

// previousElement and nextElement return the nearest sibling element.
func previousElement(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}

func nextElement(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
	}
	return n
}
