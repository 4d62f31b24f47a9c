package content

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// img writes an image. Pixels that count visits are left out, and so is an
// image that is yet to be loaded if a noscript element beside it has it.
func (w *markdownWriter) img(n *html.Node) {
	if isPixel(n) {
		return
	}
	src := imageSource(n)
	if src == "" || isPlaceholder(src) && hasNoscriptTwin(n) {
		return
	}
	address := src
	switch {
	case !isData(src):
		if address = w.base.join(src); address == "" && w.base.url == nil && len(src) <= maxAddress {
			address = src
		}
	case w.removeBase64:
		address = removedImage
	}
	if address == "" || isScript(address) {
		return
	}
	w.writeImage(collapse(attr(n, "alt")), address)
}

// writeImage writes an image; a link that waits for text is passed over.
func (w *markdownWriter) writeImage(alt, address string) {
	waiting := -1
	for i := w.open; i < len(w.marks); i++ {
		if w.marks[i].texts && !w.marks[i].spent {
			waiting = i
			w.marks[i].spent = true
		}
	}
	w.raw("![")
	w.imageText(alt)
	w.out = append(w.out, "]("...)
	if address == removedImage {
		w.out = append(w.out, address...)
	} else {
		w.destination(address)
	}
	w.out = append(w.out, ')')
	if waiting >= 0 {
		w.closeMarks(waiting)
		w.marks[waiting].spent = false
	}
}

// imageText writes the text of an image, in which only brackets and escapes count.
func (w *markdownWriter) imageText(alt string) {
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
func hasNoscriptTwin(img *html.Node) bool {
	n := img
	for range 3 {
		for _, sibling := range []*html.Node{nextElement(n), previousElement(n)} {
			if sibling != nil && isElement(sibling, atom.Noscript) && holdsImage(sibling) {
				return true
			}
		}
		n = n.Parent
		if n == nil || n.Type != html.ElementNode {
			return false
		}
	}
	return false
}

// isDispensable reports whether a noscript element says nothing new: it repeats
// the image beside it, asks to turn scripts on, or shows tags as text because
// the page was saved from a browser.
func isDispensable(noscript *html.Node) bool {
	text := shortText(noscript, 400)
	if text != "" {
		return text[0] == '<' || len(text) < 300 && (containsFold(text, "javascript") || containsFold(text, "java script") || containsFold(text, "enable"))
	}
	for _, sibling := range []*html.Node{previousElement(noscript), nextElement(noscript)} {
		if sibling == nil {
			continue
		}
		if img := firstImage(sibling); img != nil {
			if src := imageSource(img); src != "" && !isPlaceholder(src) {
				return true
			}
		}
	}
	return false
}

func holdsImage(n *html.Node) bool { return firstImage(n) != nil }

// firstImage returns the first image of a small element, n included.
func firstImage(n *html.Node) *html.Node {
	steps := 0
	for c := n; c != nil && steps < 50; c = following(c, n, true) {
		if isElement(c, atom.Img) {
			return c
		}
		steps++
	}
	return nil
}
