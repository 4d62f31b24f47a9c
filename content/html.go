package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

// htmlWriter writes cleaned HTML.
type htmlWriter struct {
	base         *address.Base
	part         dom.Part
	removeBase64 bool
	out          strings.Builder
	cut          bool // it became too large
}

func (w *htmlWriter) write() string {
	for i, root := range w.part.Roots {
		if i > 0 {
			w.out.WriteByte('\n')
		}
		w.subtree(root)
	}
	return strings.TrimSpace(w.out.String())
}

// subtree writes a node with all beneath it, without recursion.
func (w *htmlWriter) subtree(root *dom.Node) {
	for n := root; n != nil; {
		if w.out.Len() > maxOutput {
			w.cut = true
			w.closeAll(n, root)
			return
		}
		if w.open(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != nil {
			w.close(n)
			if n == root {
				return
			}
			if n.NextSibling != nil {
				n = n.NextSibling
				break
			}
			n = n.Parent
		}
	}
}

// closeAll closes the elements around n.
func (w *htmlWriter) closeAll(n, root *dom.Node) {
	for n != root && n.Parent != nil {
		n = n.Parent
		w.close(n)
	}
}

// open writes a start tag or a text and reports whether to go on beneath it.
func (w *htmlWriter) open(n *dom.Node) bool {
	switch n.Type {
	case dom.TextNode:
		if w.part.Drop.Has(n) {
			return false
		}
		w.escape(n.Data)
		return false
	case dom.DocumentNode:
		return true
	case dom.ElementNode:
	default:
		return false
	}
	if w.skips(n) {
		return false
	}
	if isUnwrapped(n) {
		return true
	}
	w.out.WriteByte('<')
	w.out.WriteString(tagOf(n))
	for i := range n.Attr {
		w.attribute(n, &n.Attr[i])
	}
	w.out.WriteByte('>')
	if c := n.FirstChild; n.Atom == atom.Pre && c != nil && c.Type == dom.TextNode && strings.HasPrefix(c.Data, "\n") {
		w.out.WriteByte('\n')
	}
	return n.Atom != atom.Iframe
}

func (w *htmlWriter) close(n *dom.Node) {
	if n.Type != dom.ElementNode || isUnwrapped(n) || dom.IsVoid(n.Atom) || w.skips(n) {
		return
	}
	w.out.WriteString("</")
	w.out.WriteString(tagOf(n))
	w.out.WriteByte('>')
}

// skips reports whether the element is not part of cleaned HTML.
func (w *htmlWriter) skips(n *dom.Node) bool {
	switch n.Atom {
	case atom.Script, atom.Style, atom.Head, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Noembed, atom.Noframes:
		return true
	case atom.Template:
		return dom.IsInvisible(n)
	case atom.Noscript:
		return w.part.Drop.Has(n) || markdown.IsDispensable(n)
	}
	return w.part.Drop.Has(n) || !isTagName(n.Data)
}

// isUnwrapped reports whether only the content of the element is written.
func isUnwrapped(n *dom.Node) bool {
	switch n.Atom {
	case atom.Html, atom.Body, atom.Noscript, atom.Template:
		return true
	}
	return false
}

// tagOf returns the name to write: elements whose content has no markup become pre.
func tagOf(n *dom.Node) string {
	switch n.Atom {
	case atom.Xmp, atom.Listing, atom.Plaintext:
		return "pre"
	}
	return n.Data
}

// isTagName reports whether a name survives being written and read again.
func isTagName(name string) bool {
	if name == "" || !chars.IsLetter(name[0]) {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c <= ' ', c == '"', c == '\'', c == '<', c == '>', c == '/', c == '=':
			return false
		}
	}
	return true
}

func (w *htmlWriter) attribute(n *dom.Node, a *dom.Attribute) {
	value := a.Val
	switch {
	case len(a.Key) > 2 && a.Key[0]|0x20 == 'o' && a.Key[1]|0x20 == 'n', a.Key == "srcdoc", a.Key == "nonce", !isTagName(a.Key):
		return
	case a.Key == "style":
		if chars.ContainsFold(value, "javascript:") || chars.ContainsFold(value, "expression(") {
			return
		}
	case a.Key == "srcset":
		value = w.srcset(value)
	case a.Key == "src" && n.Atom == atom.Img:
		value = w.address(n, address.ImageSource(n))
	case isAddressAttribute(a.Key):
		if value = w.address(n, value); value == "" {
			return
		}
	}
	w.out.WriteByte(' ')
	w.out.WriteString(a.Key)
	w.out.WriteString(`="`)
	w.escape(value)
	w.out.WriteByte('"')
}

func isAddressAttribute(key string) bool {
	switch key {
	case "href", "xlink:href", "src", "poster", "action", "formaction", "cite", "data", "background", "longdesc":
		return true
	}
	return false
}

// address returns the absolute form of an address, or "" for one that runs code.
func (w *htmlWriter) address(n *dom.Node, ref string) string {
	ref = strings.TrimSpace(ref)
	switch {
	case address.IsScript(ref):
		return ""
	case address.IsData(ref):
		if n.Atom != atom.Img && n.Atom != atom.Source && n.Atom != atom.Image {
			return ""
		}
		if w.removeBase64 {
			return address.Removed
		}
		return ref
	}
	if joined := w.base.Join(ref); joined != "" {
		return joined
	}
	return ref
}

// srcset makes every address of a srcset absolute.
func (w *htmlWriter) srcset(set string) string {
	var b strings.Builder
	for c := range address.Candidates(set) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w.address(&dom.Node{Atom: atom.Img}, c.Address))
		if c.Descriptor != "" {
			b.WriteByte(' ')
			b.WriteString(c.Descriptor)
		}
	}
	return b.String()
}

// escape writes text that may stand between tags or in quotes.
func (w *htmlWriter) escape(s string) { writeEscaped(&w.out, s) }

func writeEscaped(b *strings.Builder, s string) {
	start := 0
	for i := range len(s) {
		escaped := ""
		switch s[i] {
		case '&':
			escaped = "&amp;"
		case '<':
			escaped = "&lt;"
		case '>':
			escaped = "&gt;"
		case '"':
			escaped = "&#34;"
		default:
			continue
		}
		b.WriteString(s[start:i])
		b.WriteString(escaped)
		start = i + 1
	}
	b.WriteString(s[start:])
}
