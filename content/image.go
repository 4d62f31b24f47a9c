package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// Images returns the web addresses of the page's images: absolute, each once,
// in the order of the document. Beside img and picture elements these are the
// preview images and icons that the head names, posters of videos and
// backgrounds in style attributes.
func (p *Page) Images() []string {
	list := addressList{base: p.base}
	if p.tree == nil {
		return nil
	}
	for n := p.tree.Root; n != nil; n = dom.Following(n, p.tree.Root, true) {
		if n.Type == dom.ElementNode {
			list.addImages(n)
		}
	}
	return list.all
}

func (l *addressList) addImages(n *dom.Node) {
	switch n.Atom {
	case atom.Img:
		l.add(n.Get("src"))
		l.add(address.LazySource(n))
		l.add(address.BestCandidate(n.Get("srcset")))
	case atom.Source:
		if n.Parent != nil && n.Parent.Is(atom.Picture) {
			l.add(address.SetSource(n))
		}
	case atom.Meta:
		if name := metaName(n); isPreviewImage(name) {
			l.add(n.Get("content"))
		}
	case atom.Link:
		if isIcon(n) {
			l.add(n.Get("href"))
		}
	case atom.Video:
		l.add(n.Get("poster"))
	case atom.Input:
		if strings.EqualFold(n.Get("type"), "image") {
			l.add(n.Get("src"))
		}
	}
	if style, ok := n.Lookup("style"); ok {
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
func isIcon(n *dom.Node) bool {
	for word := range strings.FieldsSeq(n.Get("rel")) {
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
