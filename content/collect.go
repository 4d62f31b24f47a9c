package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// inventory is what one walk over a page finds: the elements that say something of
// the page, that link somewhere, and that may name an image. The formats then
// read these few elements and not the whole tree.
type inventory struct {
	title    *dom.Node
	lang     string // of the html or body element
	base     string
	icon     *dom.Node
	iconRank int
	proper   *dom.Node // link to the page's proper address
	metas    []*dom.Node
	linked   []*dom.Node // scripts of linked data
	links    []*dom.Node
	images   []*dom.Node
	partial  bool // a frame holds more than is read
}

// collector walks a tree. On its way it puts the content of frames and shadow
// roots that the page itself declares in their place.
type collector struct {
	inventory
	frame frameReader
}

// takeInventory walks a tree once. It finds the elements of the head wherever they
// stand: pages that are put together by scripts have them in their bodies as well.
func takeInventory(t *dom.Tree, size int) inventory {
	c := collector{frame: frameReader{tree: t, left: size}}
	for n := t.Root.FirstChild; n != nil; {
		descend := true
		if n.Type == dom.ElementNode {
			n, descend = c.note(n)
		}
		if descend && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
		}
		if n != nil {
			n = n.NextSibling
		}
	}
	c.partial = c.frame.lost
	return c.inventory
}

// note looks at an element. It returns the element to go on with, which is
// another one where the element was replaced, and whether to look beneath it.
func (c *collector) note(n *dom.Node) (*dom.Node, bool) {
	switch n.Atom {
	case atom.A, atom.Area:
		if _, ok := n.Lookup("href"); ok {
			c.links = append(c.links, n)
		}
	case atom.Img, atom.Source, atom.Video, atom.Input, atom.Image:
		c.images = append(c.images, n)
		return n, n.Atom == atom.Video
	case atom.Template:
		if dom.IsInvisible(n) {
			return n, false
		}
		fillSlots(n)
	case atom.Iframe:
		if div := c.frame.replace(n); div != nil {
			return div, true
		}
	case atom.Html, atom.Body, atom.Title, atom.Base, atom.Link, atom.Meta, atom.Script:
		if n.Space == dom.HTML {
			c.noteHead(n)
		}
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; len(a.Key) == 5 && a.Key == "style" && strings.Contains(a.Val, "(") {
			c.images = append(c.images, n)
		}
	}
	return n, true
}

func (c *collector) noteHead(n *dom.Node) {
	switch n.Atom {
	case atom.Html, atom.Body:
		if c.lang == "" {
			c.lang = languageTag(n.Get("lang"))
		}
		if c.lang == "" {
			c.lang = languageTag(n.Get("xml:lang"))
		}
	case atom.Title:
		if c.title == nil {
			c.title = n
		}
	case atom.Base:
		if c.base == "" {
			c.base = strings.TrimSpace(n.Get("href"))
		}
	case atom.Link:
		c.noteIcon(n)
		if c.proper == nil && strings.EqualFold(strings.TrimSpace(n.Get("rel")), "canonical") {
			c.proper = n
		}
	case atom.Meta:
		if len(c.metas) < maxMetaTags {
			c.metas = append(c.metas, n)
		}
		if isPreviewImage(metaName(n)) {
			c.images = append(c.images, n)
		}
	case atom.Script:
		if len(c.linked) < maxLinkedData && isLinkedData(n) {
			c.linked = append(c.linked, n)
		}
	}
}

// noteIcon keeps the link to the page's icon; those for the home screens of
// telephones are second best.
func (c *collector) noteIcon(n *dom.Node) {
	rank := iconRank(n)
	if rank > 0 {
		c.images = append(c.images, n)
	}
	if rank > c.iconRank {
		c.icon, c.iconRank = n, rank
	}
}

func iconRank(n *dom.Node) int {
	rank := 0
	for word := range chars.Words(n.Get("rel")) {
		switch {
		case strings.EqualFold(word, "icon"):
			rank = 2
		case strings.EqualFold(word, "apple-touch-icon"), strings.EqualFold(word, "apple-touch-icon-precomposed"):
			rank = max(rank, 1)
		}
	}
	return rank
}
