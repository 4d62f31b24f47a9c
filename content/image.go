package content

import (
	"iter"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lazyAttributes are where pages keep the address of an image that a script
// loads later, the most telling first.
var lazyAttributes = []string{
	"data-src", "data-lazy-src", "data-original", "data-lazy", "data-actualsrc", "data-original-src",
	"data-hi-res-src", "data-full-src", "data-image-src",
}

var lazySets = []string{"data-srcset", "data-lazy-srcset"}

// Images returns the web addresses of the page's images: absolute, each once,
// in the order of the document. Beside img and picture elements these are the
// preview images and icons that the head names, posters of videos and
// backgrounds in style attributes.
func (p *Page) Images() []string {
	list := addressList{base: p.base}
	if p.doc == nil {
		return nil
	}
	for n := p.doc; n != nil; n = following(n, p.doc, true) {
		if n.Type == html.ElementNode {
			list.addImages(n)
		}
	}
	return list.all
}

func (l *addressList) addImages(n *html.Node) {
	switch n.DataAtom {
	case atom.Img:
		l.add(attr(n, "src"))
		l.add(lazySource(n))
		l.add(bestCandidate(attr(n, "srcset")))
	case atom.Source:
		if n.Parent != nil && isElement(n.Parent, atom.Picture) {
			l.add(setSource(n))
		}
	case atom.Meta:
		if name := metaName(n); isPreviewImage(name) {
			l.add(attr(n, "content"))
		}
	case atom.Link:
		if isIcon(n) {
			l.add(attr(n, "href"))
		}
	case atom.Video:
		l.add(attr(n, "poster"))
	case atom.Input:
		if strings.EqualFold(attr(n, "type"), "image") {
			l.add(attr(n, "src"))
		}
	}
	if style, ok := lookup(n, "style"); ok {
		l.addBackgrounds(style)
	}
}

func isPreviewImage(name string) bool {
	switch strings.ToLower(name) {
	case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
		return true
	}
	return false
}

// isIcon reports whether a link element names an icon of the page.
func isIcon(n *html.Node) bool {
	for word := range strings.FieldsSeq(attr(n, "rel")) {
		if strings.EqualFold(word, "icon") || strings.EqualFold(word, "apple-touch-icon") {
			return true
		}
	}
	return false
}

// addBackgrounds takes the addresses of a style attribute.
func (l *addressList) addBackgrounds(style string) {
	for {
		i := strings.Index(style, "url(")
		if i < 0 {
			return
		}
		style = strings.TrimLeft(style[i+len("url("):], " \t\r\n\f")
		end := ")"
		if style != "" && (style[0] == '"' || style[0] == '\'') {
			end, style = style[:1], style[1:]
		}
		ref, rest, found := strings.Cut(style, end)
		if !found {
			return
		}
		l.add(ref)
		style = rest
	}
}

// imageSource returns the address of an img as it stands in the page: the one
// that a reader would see once all scripts have run. It may be a data URI, and
// is empty when the element has none.
func imageSource(img *html.Node) string {
	if lazy := lazySource(img); lazy != "" {
		return lazy
	}
	src := strings.TrimSpace(attr(img, "src"))
	if src != "" && !isPlaceholder(src) {
		return src
	}
	if best := bestCandidate(attr(img, "srcset")); best != "" && !isPlaceholder(best) {
		return best
	}
	if picture := img.Parent; picture != nil && isElement(picture, atom.Picture) {
		for c := picture.FirstChild; c != nil; c = c.NextSibling {
			if isElement(c, atom.Source) {
				if best := setSource(c); best != "" && !isPlaceholder(best) {
					return best
				}
			}
		}
	}
	return src
}

// lazySource returns the address that a script would put in, or "".
func lazySource(n *html.Node) string {
	if len(n.Attr) < 2 {
		return ""
	}
	for _, key := range lazyAttributes {
		if v := strings.TrimSpace(attr(n, key)); looksLikeAddress(v) && !isData(v) {
			return v
		}
	}
	for _, key := range lazySets {
		if v := bestCandidate(attr(n, key)); v != "" && !isData(v) {
			return v
		}
	}
	return ""
}

// setSource returns the best address of a source element of a picture.
func setSource(source *html.Node) string {
	for _, key := range lazySets {
		if best := bestCandidate(attr(source, key)); best != "" {
			return best
		}
	}
	return bestCandidate(attr(source, "srcset"))
}

// looksLikeAddress tells an address from the other things that data attributes hold.
func looksLikeAddress(v string) bool {
	return v != "" && v[0] != '{' && v[0] != '[' && strings.ContainsAny(v, "/.") && !strings.ContainsAny(v, " \n")
}

// isPlaceholder reports whether an address stands for an image that is yet to come.
func isPlaceholder(src string) bool {
	if isData(src) || hasPrefixFold(src, "about:") {
		return true
	}
	name, _, _ := strings.Cut(src, "?")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if len(name) > 40 {
		return false
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch stem {
	case "blank", "spacer", "placeholder", "pixel", "transparent", "loading", "lazy", "lazyload", "1x1", "clear",
		"grey", "gray", "loader", "empty", "img-placeholder", "image-placeholder", "dot", "trans":
		return true
	}
	return false
}

// setCandidate is an entry of a srcset: an address and how large its image is.
type setCandidate struct {
	address    string
	descriptor string // "640w", "2x" or ""
}

// size returns the width or density of the candidate.
func (c setCandidate) size() float64 {
	for word := range strings.FieldsSeq(c.descriptor) {
		switch word[len(word)-1] {
		case 'w', 'x':
			if size, err := strconv.ParseFloat(word[:len(word)-1], 64); err == nil {
				return size
			}
		}
	}
	return 1
}

// bestCandidate returns the address of a srcset that stands for the largest image.
func bestCandidate(srcset string) string {
	if srcset == "" {
		return ""
	}
	best, most := "", -1.0
	for c := range candidates(srcset) {
		if size := c.size(); size > most {
			best, most = c.address, size
		}
	}
	return best
}

// candidates yields the entries of a srcset. A comma ends an address only with
// white space behind it, for addresses may contain commas.
func candidates(srcset string) iter.Seq[setCandidate] {
	return func(yield func(setCandidate) bool) {
		for rest := srcset; ; {
			rest = strings.TrimLeft(rest, " \t\r\n\f,")
			if rest == "" {
				return
			}
			end := strings.IndexAny(rest, " \t\r\n\f")
			if end < 0 {
				end = len(rest)
			}
			c := setCandidate{address: strings.TrimRight(rest[:end], ",")}
			ended := len(c.address) < end
			rest = rest[end:]
			if !ended {
				c.descriptor, rest, _ = strings.Cut(rest, ",")
				c.descriptor = strings.TrimSpace(c.descriptor)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// isPixel reports whether an image is there to count visits and not to be seen.
func isPixel(img *html.Node) bool {
	width, height := attr(img, "width"), attr(img, "height")
	return isTiny(width) && isTiny(height)
}

func isTiny(length string) bool {
	length = strings.TrimSuffix(strings.TrimSpace(length), "px")
	return length == "0" || length == "1"
}
