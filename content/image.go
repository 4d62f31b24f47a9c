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
// backgrounds in style attributes. Of the sizes of an image it is the largest
// beside the plain one, and of an image that loads late not its placeholder.
func (p *Page) Images() []string {
	list := newAddressList(p.base, p.found.images)
	for _, n := range p.found.images {
		list.addImages(n)
	}
	return list.all
}

func (l *addressList) addImages(n *dom.Node) {
	switch n.Atom {
	case atom.Img:
		l.addImage(n)
	case atom.Source:
		if n.Parent != nil && n.Parent.Is(atom.Picture) {
			l.add(address.SetSource(n))
		}
	case atom.Meta:
		l.add(n.Get("content"))
	case atom.Link:
		l.add(n.Get("href"))
	case atom.Video:
		l.add(n.Get("poster"))
	case atom.Input:
		if strings.EqualFold(n.Get("type"), "image") {
			l.add(n.Get("src"))
		}
	case atom.Image:
		l.add(n.Get("href"))
		l.add(n.Get("xlink:href"))
	}
	if style, ok := n.Lookup("style"); ok {
		l.addBackgrounds(style)
	}
}

// addImage takes the addresses of an img.
func (l *addressList) addImage(n *dom.Node) {
	src, lazy, best := n.Get("src"), address.LazySource(n), address.BestCandidate(n.Get("srcset"))
	if lazy == "" && best == "" || !address.IsPlaceholder(src) {
		l.add(src)
	}
	l.add(lazy)
	l.add(best)
}

func isPreviewImage(name string) bool {
	if len(name) < len("og:image") || len(name) > len("og:image:secure_url") {
		return false
	}
	switch strings.ToLower(name) {
	case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
		return true
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
