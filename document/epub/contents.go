package epub

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// title is how the table of contents calls a file, and how deep it stands there.
type title struct {
	text  string
	level int
}

const (
	maxLevel  = 6
	maxTitles = 20_000
	maxTitle  = 1000 // bytes
)

// readContents reads the table of contents: of version 3 if there is one, else of
// version 2.
func (r *reader) readContents(toc string, items map[string]item, order []string) {
	r.titles = map[string]title{}
	ncx := items[toc].name
	for _, id := range order {
		i := items[id]
		for word := range strings.FieldsSeq(i.properties) {
			if word == "nav" {
				r.skipped[i.name] = true
				r.readNavigation(i.name)
			}
		}
		if ncx == "" && i.media == "application/x-dtbncx+xml" {
			ncx = i.name
		}
	}
	if len(r.titles) == 0 && ncx != "" {
		root, _ := r.xml(ncx)
		r.points(ncx, child(root, "navMap"), 1)
	}
}

// call notes the title of a file, the first time that it is listed. A part of it
// is no title of all.
func (r *reader) call(base, href, text string, level int) {
	name, _ := resolve(base, href)
	text = strings.Join(strings.Fields(text), " ")
	if _, known := r.titles[name]; !known && text != "" && len(text) <= maxTitle && len(r.titles) < maxTitles {
		r.titles[name] = title{text, level}
	}
}

// readNavigation reads the table of contents of version 3, lists in lists of links.
func (r *reader) readNavigation(name string) {
	body, err := r.archive.Read(name)
	if err != nil || len(body) > maxChapter {
		return
	}
	page := dom.ParseXHTML(markup.CutDoctype(markup.Decode(body, "")))
	for n := page.Root.FirstChild; n != nil; n = dom.Following(n, page.Root, true) {
		if n.Is(atom.Nav) && (has(n, "toc") || !has(n, "landmarks", "page-list")) {
			level := 0
			for c := n.FirstChild; c != nil; c = dom.Following(c, n, true) {
				if c.Is(atom.A) {
					level = depth(c, n)
					r.call(name, c.Get("href"), c.InnerText(maxTitle), level)
				}
			}
			return
		}
	}
}

// depth counts the lists around an entry.
func depth(n, top *dom.Node) int {
	count := 0
	for ; n != nil && n != top; n = n.Parent {
		if n.Is(atom.Ol) || n.Is(atom.Ul) {
			count++
		}
	}
	return min(max(count, 1), maxLevel)
}

// points reads the table of contents of version 2.
func (r *reader) points(base string, n *zipped.Node, level int) {
	for c := range n.All() {
		if local(c) == "navPoint" {
			r.call(base, child(c, "content").Get("src"), child(c, "navLabel").Content(), min(level, maxLevel))
			r.points(base, c, level+1)
		}
	}
}

// entitle gives a chapter without a heading the title that the table of contents has
// for it: often a paragraph is that.
func (r *reader) entitle(t title, blocks []tree.Block) []tree.Block {
	if t.text == "" || hasHeading(blocks) {
		return blocks
	}
	letters, near := 0, 5
	for i, b := range blocks {
		p, ok := b.(*tree.Paragraph)
		if !ok {
			near--
			continue
		}
		text := plainText(p.Text)
		if near--; near >= 0 && alike(text, t.text) {
			tree.PlainHeading(p.Text)
			blocks[i] = &tree.Heading{Level: t.level, Text: p.Text}
			return blocks
		}
		letters += len(text)
		if near >= 0 && strings.Contains(strings.ToLower(text), strings.ToLower(t.text)) {
			return blocks
		}
	}
	if letters < enough {
		return blocks // a plate, a motto
	}
	return append([]tree.Block{&tree.Heading{Level: t.level, Text: []tree.Span{{Text: t.text}}}}, blocks...)
}

// enough is how many bytes of text a chapter has that should have a title.
const enough = 500

func hasHeading(blocks []tree.Block) bool {
	for _, b := range blocks {
		switch b := b.(type) {
		case *tree.Heading:
			return true
		case *tree.Quote:
			if hasHeading(b.Body) {
				return true
			}
		}
	}
	return false
}

func plainText(text []tree.Span) string {
	var b strings.Builder
	for i := range text {
		b.WriteString(text[i].Text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// alike tells whether two titles are the same but for case and a full stop.
func alike(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, ". "), strings.TrimRight(b, ". "))
}
