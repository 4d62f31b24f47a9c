package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// removedImage is what stands for an image that was embedded as data.
const removedImage = "<Base64-Image-Removed>"

// htmlWriter writes cleaned HTML.
type htmlWriter struct {
	base         *base
	part         part
	removeBase64 bool
	out          strings.Builder
}

func (w *htmlWriter) write() string {
	for i, root := range w.part.roots {
		if i > 0 {
			w.out.WriteByte('\n')
		}
		w.subtree(root)
	}
	return strings.TrimSpace(w.out.String())
}

// subtree writes a node with all beneath it, without recursion.
func (w *htmlWriter) subtree(root *html.Node) {
	for n := root; n != nil; {
		if w.out.Len() > maxOutput {
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
func (w *htmlWriter) closeAll(n, root *html.Node) {
	for n != root && n.Parent != nil {
		n = n.Parent
		w.close(n)
	}
}

// open writes a start tag or a text and reports whether to go on beneath it.
func (w *htmlWriter) open(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		w.escape(n.Data)
		return false
	case html.DocumentNode:
		return true
	case html.ElementNode:
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
	if c := n.FirstChild; n.DataAtom == atom.Pre && c != nil && c.Type == html.TextNode && strings.HasPrefix(c.Data, "\n") {
		w.out.WriteByte('\n')
	}
	return n.DataAtom != atom.Iframe
}

func (w *htmlWriter) close(n *html.Node) {
	if n.Type != html.ElementNode || isUnwrapped(n) || isVoid(n.DataAtom) || w.skips(n) {
		return
	}
	w.out.WriteString("</")
	w.out.WriteString(tagOf(n))
	w.out.WriteByte('>')
}

// skips reports whether the element is not part of cleaned HTML.
func (w *htmlWriter) skips(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Head, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Noembed, atom.Noframes:
		return true
	case atom.Template:
		return isInvisible(n)
	case atom.Noscript:
		return w.part.dropped(n) || isDispensable(n)
	}
	return w.part.dropped(n) || !isTagName(n.Data)
}

// isUnwrapped reports whether only the content of the element is written.
func isUnwrapped(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body, atom.Noscript, atom.Template:
		return true
	}
	return false
}

// tagOf returns the name to write: elements whose content has no markup become pre.
func tagOf(n *html.Node) string {
	switch n.DataAtom {
	case atom.Xmp, atom.Listing, atom.Plaintext:
		return "pre"
	}
	return n.Data
}

// isTagName reports whether a name survives being written and read again.
func isTagName(name string) bool {
	return name != "" && isLetter(name[0]) && strings.IndexFunc(name, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(`"'<>/=`, r)
	}) < 0
}

func (w *htmlWriter) attribute(n *html.Node, a *html.Attribute) {
	value := a.Val
	switch {
	case hasPrefixFold(a.Key, "on"), a.Key == "srcdoc", a.Key == "nonce", !isTagName(a.Key):
		return
	case a.Key == "style":
		if containsFold(value, "javascript:") || containsFold(value, "expression(") {
			return
		}
	case a.Key == "srcset":
		value = w.srcset(value)
	case a.Key == "src" && n.DataAtom == atom.Img:
		value = w.address(n, imageSource(n))
	case isAddressAttribute(a.Key):
		if value = w.address(n, value); value == "" {
			return
		}
	}
	w.out.WriteByte(' ')
	if a.Namespace != "" {
		w.out.WriteString(a.Namespace)
		w.out.WriteByte(':')
	}
	w.out.WriteString(a.Key)
	w.out.WriteString(`="`)
	w.escape(value)
	w.out.WriteByte('"')
}

func isAddressAttribute(key string) bool {
	switch key {
	case "href", "src", "poster", "action", "formaction", "cite", "data", "background", "longdesc":
		return true
	}
	return false
}

// address returns the absolute form of an address, or "" for one that runs code.
func (w *htmlWriter) address(n *html.Node, ref string) string {
	ref = strings.TrimSpace(ref)
	switch {
	case isScript(ref):
		return ""
	case isData(ref):
		if n.DataAtom != atom.Img && n.DataAtom != atom.Source && n.DataAtom != atom.Image {
			return ""
		}
		if w.removeBase64 {
			return removedImage
		}
		return ref
	}
	if joined := w.base.join(ref); joined != "" {
		return joined
	}
	return ref
}

// srcset makes every address of a srcset absolute.
func (w *htmlWriter) srcset(set string) string {
	var b strings.Builder
	for c := range candidates(set) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w.address(&html.Node{DataAtom: atom.Img}, c.address))
		if c.descriptor != "" {
			b.WriteByte(' ')
			b.WriteString(c.descriptor)
		}
	}
	return b.String()
}

// escape writes text that may stand between tags or in quotes.
func (w *htmlWriter) escape(s string) {
	for {
		i := strings.IndexAny(s, `&<>"`)
		if i < 0 {
			w.out.WriteString(s)
			return
		}
		w.out.WriteString(s[:i])
		switch s[i] {
		case '&':
			w.out.WriteString("&amp;")
		case '<':
			w.out.WriteString("&lt;")
		case '>':
			w.out.WriteString("&gt;")
		case '"':
			w.out.WriteString("&#34;")
		}
		s = s[i+1:]
	}
}
