package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// link writes an a element. A link around blocks goes to the heading among
// them, or else to the first of them. Headings that are links to themselves are
// headings.
func (w *writer) link(a *dom.Node) {
	heading := w.flat == flatLine
	switch {
	case isPermalink(a, heading) || w.reference(a):
		return
	case w.inLink || heading && strings.HasPrefix(a.Get("href"), "#") || !w.aim(a):
		w.children(a)
		return
	}
	before := len(w.out)
	w.inLink = true
	content := w.surveyLink(a)
	switch {
	case w.flat != flowing || !content.blocks:
		w.marked(a, mark{kind: linked})
	case content.heading != nil:
		w.focus = content.heading
		w.children(a)
		w.focus = nil
	default:
		w.marked(a, mark{kind: linked, once: true, texts: content.text})
	}
	w.inLink = false
	if len(w.out) == before && !content.text && !content.gone && !heading {
		w.bareLink(a)
	}
}

// aim finds out where a link leads, and reports whether it leads anywhere.
// Links do not contain each other, so there is but one target at a time.
func (w *writer) aim(a *dom.Node) bool {
	w.target = w.base.AppendTarget(w.target[:0], a)
	if len(w.target) == 0 {
		return false
	}
	w.title = ""
	if title, ok := a.Lookup("title"); ok && title != "" {
		w.title = newTitle(title, linkText(a), w.target)
	}
	return true
}

// linkContent is what a link has beneath it.
type linkContent struct {
	blocks, text bool
	gone         bool      // some of it is left out
	heading      *dom.Node // the first with text
}

func (w *writer) surveyLink(a *dom.Node) linkContent {
	var content linkContent
	for n := a.FirstChild; n != nil; {
		descend := false
		switch {
		case w.part.Drop.Has(n):
			content.gone = true
		case n.Type == dom.TextNode:
			if !content.text && skipBlank(n.Data) != "" {
				content.text = true
			}
			if content.text && content.blocks && content.heading == nil {
				content.heading = headingAround(n, a)
			}
		case n.Type == dom.ElementNode && !dom.IsInvisible(n):
			content.blocks = content.blocks || dom.IsBlock(n.Atom) || n.Atom == atom.Br
			descend = true
		}
		n = dom.Following(n, a, descend)
	}
	return content
}

// headingAround returns the heading between n and root, or nil.
func headingAround(n, root *dom.Node) *dom.Node {
	for n = n.Parent; n != root && n != nil; n = n.Parent {
		if headingLevel(n.Atom) > 0 {
			return n
		}
	}
	return nil
}

// label returns the text of a small element.
func label(n *dom.Node) string {
	c := n.FirstChild
	switch {
	case c == nil:
		return ""
	case c.NextSibling == nil && c.Type == dom.TextNode:
		return strings.TrimSpace(chars.Truncate(c.Data, 60))
	}
	return n.ShortText(60)
}

// destination writes the address of a link or an image. Parentheses that do
// not pair up would end it early.
func (w *writer) destination(url []byte) {
	if isPlainTarget(url) {
		w.out = append(w.out, url...)
		return
	}
	escape := !pairsUp(url)
	for i, c := range url {
		switch {
		case c == '\\', escape && (c == '(' || c == ')'):
			w.out = append(w.out, '\\', c)
		case c == '&' && isNamed(url[i+1:]):
			w.out = append(w.out, "&amp;"...)
		case c == '|' && w.flat == flatCell:
			w.out = append(w.out, "%7C"...)
		case c <= ' ':
			w.out = append(w.out, "%20"...)
		case c == '<':
			w.out = append(w.out, "%3C"...)
		case c == '>':
			w.out = append(w.out, "%3E"...)
		default:
			w.out = append(w.out, c)
		}
	}
}

// isNamed reports whether an address goes on like the name of a character
// reference, up to its semicolon.
func isNamed(url []byte) bool {
	for i, c := range url {
		if !chars.IsWord(c) && (c != '#' || i > 0) {
			return c == ';' && i > 0
		}
	}
	return false
}

// isPlainTarget reports whether an address has nothing to escape.
func isPlainTarget(url []byte) bool {
	for _, c := range url {
		if targetBytes[c] {
			return false
		}
	}
	return true
}

// targetBytes are those that may have to be escaped in an address.
var targetBytes = targetTable()

func targetTable() (table [256]bool) {
	for _, c := range []byte("\\()&|<>") {
		table[c] = true
	}
	for c := range byte(' ' + 1) {
		table[c] = true
	}
	return table
}

// pairsUp reports whether every parenthesis has its counterpart, not too deep.
func pairsUp(s []byte) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 || depth > 20 {
			return false
		}
	}
	return depth == 0
}
