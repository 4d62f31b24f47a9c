package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// isPermalink reports whether a link is but a sign with which readers get the
// address of the place where it stands, as headings and terms have them.
func isPermalink(a *dom.Node, heading bool) bool {
	here := strings.Contains(a.Get("href"), "#")
	if !here && !heading {
		return false
	}
	if c := a.FirstChild; c != nil && c.Type == dom.TextNode && !mayBeSign(c.Data) {
		return false
	}
	text := strings.Trim(label(a), " \u200b\ufeff\u00a0\ufe0e\ufe0f")
	switch text {
	case "🔗", "¶":
		return true
	case "#", "§", "⁋", "⚓", "∞", "◆":
		return here
	case "", "link", "Link", "anchor", "Anchor":
		return here && (heading || isPermalinkClass(a)) && !holdsImage(a)
	}
	return here && (saysPermalink(text) || isPermalinkClass(a) && strings.IndexFunc(text, isLetterOrDigit) < 0)
}

// mayBeSign reports whether a text may be that of a permalink, by its length and
// its first letter.
func mayBeSign(text string) bool {
	return len(text) <= 60 && (text == "" || !chars.IsWord(text[0]) || strings.IndexByte("alpdsALPDS", text[0]) >= 0)
}

// saysPermalink reports whether a text is what those who listen to the page hear
// instead of the sign.
func saysPermalink(text string) bool {
	for _, start := range []string{"permalink", "permanent link", "link to this", "direct link to", "section titled"} {
		if chars.HasPrefixFold(text, start) {
			return true
		}
	}
	return false
}

// isPermalinkClass reports whether a link is called what generators call such links.
func isPermalinkClass(a *dom.Node) bool {
	return a.HasClass("headerlink", "header-link", "heading-link", "header-anchor", "heading-anchor", "headeranchor-link", "anchor",
		"anchor-link", "anchorjs-link", "hash-link", "octicon-link", "permalink", "self-link", "sl-anchor-link")
}

// bareLink writes a link without text, which readers see as a picture or not at
// all. Its text is what the page says of it elsewhere, or its address. Anchors go,
// and so do links that stand beside another one to the same place.
func (w *writer) bareLink(a *dom.Node) {
	href := strings.TrimSpace(a.Get("href"))
	if href[0] == '#' || isUnseen(a) || w.hasTwin(a, href) {
		return
	}
	name := nameOfLink(a)
	if name == "" {
		name = shortAddress(string(w.target))
	}
	w.title = newTitle(a.Get("title"), name, w.target)
	w.space = true
	w.marks, w.inLink = append(w.marks, mark{kind: linked}), true
	w.text(name)
	w.closeMarks(len(w.marks) - 1)
	w.marks, w.inLink = w.marks[:len(w.marks)-1], false
	w.space = true
}

// isUnseen reports whether a link is not meant for readers: it names a place, is
// hidden, or counts visits.
func isUnseen(a *dom.Node) bool {
	for i := range a.Attr {
		switch value := a.Attr[i].Val; a.Attr[i].Key {
		case "name", "hidden":
			return true
		case "aria-hidden":
			if value == "true" {
				return true
			}
		case "style":
			if strings.Contains(strings.ReplaceAll(value, " ", ""), "display:none") {
				return true
			}
		}
	}
	img := firstImage(a)
	return img != nil && address.IsPixel(img)
}

// nameOfLink returns what a link without text is called: by its title, for those
// who listen to the page, or by what is in it.
func nameOfLink(a *dom.Node) string {
	if name := nameOn(a); name != "" {
		return name
	}
	steps := 0
	for n := a.FirstChild; n != nil && steps < 50; n = dom.Following(n, a, true) {
		if n.Type == dom.ElementNode {
			if name := nameOn(n); name != "" {
				return name
			}
		}
		steps++
	}
	return ""
}

// nameOn returns what an element says it is called.
func nameOn(n *dom.Node) string {
	for _, key := range []string{"title", "aria-label", "alt"} {
		if name := chars.Collapse(n.Get(key)); name != "" && len(name) <= maxTitle {
			return name
		}
	}
	if n.Space == dom.SVG && n.Data == "title" {
		return chars.Collapse(n.InnerText(maxTitle))
	}
	return ""
}

// shortAddress returns an address as a text to be read.
func shortAddress(target string) string {
	for _, scheme := range []string{"mailto:", "tel:"} {
		target = strings.TrimPrefix(target, scheme)
	}
	if len(target) > 100 {
		target, _, _ = strings.Cut(target, "?")
	}
	return target
}

// maxTwinSteps bounds how many nodes of a page are looked at for links that stand
// beside each other.
const maxTwinSteps = 1 << 20

// hasTwin reports whether another link to the same place is near, as in cards
// that are links all over.
func (w *writer) hasTwin(a *dom.Node, href string) bool {
	for around, up := a.Parent, 0; up < 3 && around != nil && w.twinSteps < maxTwinSteps; around, up = around.Parent, up+1 {
		if w.holdsTwin(around, a, href) {
			return true
		}
	}
	return false
}

// holdsTwin reports whether such a link is in an element: one before a, or one with
// something to read.
func (w *writer) holdsTwin(around, a *dom.Node, href string) bool {
	before := true
	end := w.twinSteps + 200
	for n := around.FirstChild; n != nil && w.twinSteps < end; n = dom.Following(n, around, true) {
		if n == a {
			before = false
		} else if n.Is(atom.A) && strings.TrimSpace(n.Get("href")) == href && (before || label(n) != "" || holdsImage(n)) {
			return true
		}
		w.twinSteps++
	}
	return false
}
