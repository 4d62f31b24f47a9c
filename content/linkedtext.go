package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Pages that scripts put together may have nothing to read in their HTML, and
// yet tell search engines all of it in their linked data.
const (
	littleText    = 250 // bytes of visible text that are no page
	minLinkedText = 200 // bytes of a text that is worth being read
	maxLinkedText = 1 << 20
)

// tellLinkedText adds the texts of the page's linked data to a body that says
// next to nothing itself.
func (p *Page) tellLinkedText() {
	if len(p.found.linked) == 0 || hasText(p.body, littleText) {
		return
	}
	var texts []string
	size := 0
	for _, script := range p.found.linked {
		r := linkedReader{text: script.InnerText(maxLinkedDataBytes + 1)}
		cut := len(r.text) > maxLinkedDataBytes
		for _, text := range r.texts() {
			if text = strings.TrimSpace(chars.UnescapeJSON(text)); text != "" && size < maxLinkedText {
				texts = append(texts, text)
				size += len(text)
			} else {
				cut = cut || text != ""
			}
		}
		p.found.partial = p.found.partial || cut
	}
	if size < minLinkedText {
		return
	}
	article := p.tree.Element(atom.Article)
	for _, text := range texts {
		appendLinkedText(p.tree, article, text)
	}
	p.body.AppendChild(article)
	p.told = article
}

// appendLinkedText appends a text, or the content of one that is HTML.
func appendLinkedText(t *dom.Tree, to *dom.Node, text string) {
	if strings.Contains(text, "</") {
		t.Graft(to, dom.Parse(text).Body())
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			to.AppendChild(t.Element(atom.P, t.Text(line)))
		}
	}
}

// hasText reports whether there are so many bytes of text to see beneath a node.
func hasText(root *dom.Node, bytes int) bool {
	for n := root; n != nil; {
		if n.Type == dom.TextNode {
			if bytes -= len(chars.Collapse(n.Data)); bytes <= 0 {
				return true
			}
		}
		n = dom.Following(n, root, n.Type != dom.ElementNode || !dom.IsInvisible(n))
	}
	return false
}

// texts returns what the things of linked data have to read, as JSON strings
// without their quotes: the headline of an article or a discussion, its text and
// those of the comments on it, in their order.
func (r *linkedReader) texts() []string {
	var found []string
	for r.pos < len(r.text) {
		i := strings.IndexByte(r.text[r.pos:], '"')
		if i < 0 {
			return found
		}
		r.pos += i
		key, ok := r.string()
		if !ok || r.next() != ':' {
			continue
		}
		r.pos++
		switch key {
		case "headline", "articleBody", "text", "reviewBody":
			if r.next() != '"' {
				continue
			}
			if value, ok := r.string(); ok {
				found = append(found, value)
			}
		}
	}
	return found
}
