package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// maxFrameDepth is how deep in a tree frames are still opened, so that frames
// within frames do not make it ever deeper.
const maxFrameDepth = 128

// frameReader puts the content of frames in their place that the page declares
// itself, in srcdoc attributes. What it parses is never more than the page.
type frameReader struct {
	tree *dom.Tree
	left int  // bytes that may still be parsed
	lost bool // a frame was not opened because of the limits
}

// replace puts the content of an iframe in its place and returns it, or nil if
// the iframe declares none.
func (r *frameReader) replace(iframe *dom.Node) *dom.Node {
	text, ok := iframe.Lookup("srcdoc")
	if !ok || iframe.Parent == nil {
		return nil
	}
	if len(text) > r.left || depthOf(iframe) > maxFrameDepth {
		r.lost = true
		return nil
	}
	r.left -= len(text)
	div := r.tree.Element(atom.Div)
	r.tree.Graft(div, dom.Parse(text).Body())
	iframe.Parent.InsertBefore(div, iframe)
	iframe.Parent.RemoveChild(iframe)
	return div
}

func depthOf(n *dom.Node) int {
	depth := 0
	for n = n.Parent; n != nil; n = n.Parent {
		depth++
	}
	return depth
}

// openFrames makes a body for a page of frames: a link for each of them, and
// what the page says to those who see no frames.
func openFrames(t *dom.Tree, frameset *dom.Node) {
	body := t.Element(atom.Body)
	var texts []string
	for n := frameset.FirstChild; n != nil; n = dom.Following(n, frameset, true) {
		switch {
		case n.Is(atom.Frame):
			if src := strings.TrimSpace(n.Get("src")); src != "" {
				body.AppendChild(t.Element(atom.P, frameLink(t, n, src)))
			}
		case n.Is(atom.Noframes):
			texts = append(texts, n.InnerText(maxOutput))
		}
	}
	for n := frameset.NextSibling; n != nil; n = n.NextSibling {
		if n.Is(atom.Noframes) {
			texts = append(texts, n.InnerText(maxOutput))
		}
	}
	for _, text := range texts {
		t.Graft(body, dom.Parse(text).Body())
	}
	frameset.Parent.AppendChild(body)
	frameset.Parent.RemoveChild(frameset)
}

// frameLink is a link to a frame, by its title or name if it has one.
func frameLink(t *dom.Tree, frame *dom.Node, src string) *dom.Node {
	label := src
	for _, key := range []string{"name", "title"} {
		if v := strings.TrimSpace(frame.Get(key)); v != "" {
			label = v
		}
	}
	a := t.Element(atom.A, t.Text(label))
	a.Attr = []dom.Attribute{{Key: "href", Val: src}}
	return a
}
