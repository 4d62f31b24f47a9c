package markdown

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of titles and of the texts that they are compared with.
const (
	maxTitle    = 500 // bytes; what is longer is no title but a text of its own
	maxLinkText = 1000
)

// newTitle returns the title of a link or an image if it says more than its text
// and is not just its address, else "".
func newTitle(title, text string, address []byte) string {
	if len(title) > maxTitle {
		return ""
	}
	title = chars.Collapse(title)
	if title == "" || !saysMore(title, text) || saysPermalink(title) || isAddress(title, string(address)) {
		return ""
	}
	return title
}

// isAddress reports whether a title is an address: in full, from its path on, or
// the place on the page.
func isAddress(title, address string) bool {
	rest, ends := strings.CutSuffix(address, title)
	return bareAddress(title) == bareAddress(address) || ends && (title[0] == '/' || strings.HasSuffix(rest, "#"))
}

// bareAddress returns an address without what people leave out.
func bareAddress(address string) string {
	_, rest, found := strings.Cut(address, "://")
	if !found {
		rest = address
	}
	return strings.TrimSuffix(rest, "/")
}

// saysMore reports whether a title has a word that is not in the text, or signs
// where it has no words. Case does not count.
func saysMore(title, text string) bool {
	if text = strings.TrimSpace(text); strings.EqualFold(title, text) {
		return false
	}
	word, rest := nextWord(title)
	if word == "" {
		return true
	}
	for ; word != ""; word, rest = nextWord(rest) {
		if !hasWord(text, word) {
			return true
		}
	}
	return false
}

// nextWord returns the first word of s, or "", and what follows it.
func nextWord(s string) (word, rest string) {
	start := strings.IndexFunc(s, chars.IsWordRune)
	if start < 0 {
		return "", ""
	}
	s = s[start:]
	if end := strings.IndexFunc(s, isGap); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

func isGap(r rune) bool { return !chars.IsWordRune(r) }

// hasWord reports whether a word is in a text. In scripts that do not part words
// it may be anywhere.
func hasWord(text, word string) bool {
	if first, _ := utf8.DecodeRuneInString(word); first >= 0x2e80 {
		return strings.Contains(text, word)
	}
	for other, rest := nextWord(text); other != ""; other, rest = nextWord(rest) {
		if strings.EqualFold(other, word) {
			return true
		}
	}
	return false
}

// linkText returns what is to be read in a link, also in its images.
func linkText(a *dom.Node) string {
	if c := a.FirstChild; c != nil && c.NextSibling == nil && c.Type == dom.TextNode {
		return chars.Truncate(c.Data, maxLinkText)
	}
	var b strings.Builder
	steps := 0
	for n := a.FirstChild; n != nil && b.Len() < maxLinkText && steps < 200; n = dom.Following(n, a, true) {
		switch {
		case n.Type == dom.TextNode:
			b.WriteString(chars.Truncate(n.Data, maxLinkText))
		case n.Is(atom.Img):
			b.WriteString(" " + chars.Truncate(n.Get("alt"), maxLinkText) + " ")
		case n.Is(atom.Br) || n.Type == dom.ElementNode && dom.IsBlock(n.Atom):
			b.WriteByte(' ')
		}
		steps++
	}
	return b.String()
}

// writeTitle writes a title behind an address.
func (w *writer) writeTitle(title string) {
	if title == "" {
		return
	}
	w.out = append(w.out, ` "`...)
	for i := range len(title) {
		switch c := title[i]; {
		case c == '"' || c == '\\' || c == '&' && isReference(title[i:]), c == '|' && w.flat == flatCell:
			w.out = append(w.out, '\\', c)
		default:
			w.out = append(w.out, c)
		}
	}
	w.out = append(w.out, '"')
}
