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
func newTitle(title, text, address string) string {
	if len(title) > maxTitle {
		return ""
	}
	title = chars.Collapse(title)
	if title == "" || saysPermalink(title) || isAddress(title, address) || !saysMore(title, text) {
		return ""
	}
	return title
}

// isAddress reports whether a title is an address, in full or from its path on.
func isAddress(title, address string) bool {
	return bareAddress(title) == bareAddress(address) || title[0] == '/' && strings.HasSuffix(address, title)
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
// where it has no words.
func saysMore(title, text string) bool {
	title, text = strings.ToLower(title), strings.ToLower(chars.Collapse(text))
	if title == text {
		return false
	}
	words := strings.FieldsFunc(title, isGap)
	for _, word := range words {
		if !hasWord(text, word) {
			return true
		}
	}
	return len(words) == 0
}

func isGap(r rune) bool { return !chars.IsWordRune(r) }

// hasWord reports whether a word is in a text. In scripts that do not part words
// it may be anywhere.
func hasWord(text, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		from += i
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[from+len(word):])
		if first >= 0x2e80 || isEdge(before) && isEdge(after) {
			return true
		}
		from += len(word)
	}
}

// isEdge reports whether a rune beside a word ends it; the error is the end of a text.
func isEdge(r rune) bool { return r == utf8.RuneError || isGap(r) }

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
