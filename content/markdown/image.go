package markdown

import (
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// img writes an image. Pixels that count visits are left out, and so is an
// image that is yet to be loaded if a noscript element beside it has it.
func (w *writer) img(n *dom.Node) {
	if address.IsPixel(n) || isTypeset(n) {
		return
	}
	if tex := imageTeX(n); tex != "" {
		w.writeTeX(tex, false)
		return
	}
	src := address.ImageSource(n)
	if src == "" || address.IsPlaceholder(src) && hasNoscriptTwin(n) || address.IsScript(src) {
		return
	}
	embedded := address.IsData(src)
	switch {
	case embedded && isSizer(n):
		return
	case !embedded:
		w.scratch = w.base.Append(w.scratch[:0], src)
		if len(w.scratch) == 0 && w.base.Unknown() && len(src) <= address.MaxLength {
			w.scratch = append(w.scratch, src...)
		}
	case !w.removeBase64:
		w.scratch = append(w.scratch[:0], src...)
	}
	if embedded && w.removeBase64 {
		w.writeImage(n, true)
	} else if len(w.scratch) > 0 {
		w.writeImage(n, false)
	}
}

// isSizer reports whether an embedded image only keeps room for another: it has
// no text and is hidden from those who listen to the page.
func isSizer(img *dom.Node) bool {
	return img.Get("alt") == "" && (img.Get("aria-hidden") == "true" || img.Get("role") == "presentation")
}

// writeImage writes an image whose address is in scratch unless it is removed;
// a link that waits for text is passed over.
func (w *writer) writeImage(img *dom.Node, removed bool) {
	waiting := -1
	for i := w.open; i < len(w.marks); i++ {
		if w.marks[i].texts && !w.marks[i].spent {
			waiting = i
			w.marks[i].spent = true
		}
	}
	w.raw("![")
	alt := img.Get("alt")
	w.imageText(chars.Collapse(alt))
	w.out = append(w.out, "]("...)
	if removed {
		w.out = append(w.out, address.Removed...)
	} else {
		w.destination(w.scratch)
	}
	if title, ok := img.Lookup("title"); ok && title != "" {
		w.writeTitle(newTitle(title, alt, w.scratch))
	}
	w.out = append(w.out, ')')
	if waiting >= 0 {
		w.closeMarks(waiting)
		w.marks[waiting].spent = false
	}
}

// imageText writes the text of an image, in which only brackets and escapes count.
func (w *writer) imageText(alt string) {
	for i := range len(alt) {
		switch c := alt[i]; {
		case c == '[' || c == ']' || c == '\\' || c == '`' || c == '<' || c == '&' && isReference(alt[i:]),
			c == '|' && w.flat == flatCell:
			w.out = append(w.out, '\\', c)
		default:
			w.out = append(w.out, c)
		}
	}
}

// hasNoscriptTwin reports whether an image is repeated in a noscript element
// beside it or beside the element that only wraps it.
func hasNoscriptTwin(img *dom.Node) bool {
	n := img
	for range 3 {
		for _, sibling := range []*dom.Node{n.NextElement(), n.PreviousElement()} {
			if sibling != nil && sibling.Is(atom.Noscript) && holdsImage(sibling) {
				return true
			}
		}
		n = n.Parent
		if n == nil || n.Type != dom.ElementNode {
			return false
		}
	}
	return false
}

// IsDispensable reports whether a noscript element says nothing new: it repeats
// the image beside it, asks to turn scripts on, or shows tags as text because
// the page was saved from a browser.
func IsDispensable(noscript *dom.Node) bool {
	text := noscript.ShortText(400)
	if text != "" {
		return text[0] == '<' || len(text) < 300 && (chars.ContainsFold(text, "javascript") || chars.ContainsFold(text, "java script") || chars.ContainsFold(text, "enable"))
	}
	for _, sibling := range []*dom.Node{noscript.PreviousElement(), noscript.NextElement()} {
		if sibling == nil {
			continue
		}
		if img := firstImage(sibling); img != nil {
			if src := address.ImageSource(img); src != "" && !address.IsPlaceholder(src) {
				return true
			}
		}
	}
	return false
}

func holdsImage(n *dom.Node) bool { return firstImage(n) != nil }

// firstImage returns the first image of a small element, n included.
func firstImage(n *dom.Node) *dom.Node {
	steps := 0
	for c := n; c != nil && steps < 50; c = dom.Following(c, n, true) {
		if c.Is(atom.Img) {
			return c
		}
		steps++
	}
	return nil
}
