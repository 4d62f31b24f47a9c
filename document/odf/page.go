package odf

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// headers returns the headers and footers of the kinds of pages that the text
// uses, each once.
func (r *reader) headers(text *zipped.Node) tree.Margins {
	var out tree.Margins
	styles := r.styles
	r.styles = r.margins
	for _, page := range r.usedPages(text, styles) {
		parts := slices.SortedStableFunc(page.All(), func(a, b *zipped.Node) int { return rank(a.Name) - rank(b.Name) })
		for _, part := range parts {
			if part.Get("style:display") == "false" {
				continue
			}
			switch part.Name {
			case "style:header", "style:header-first", "style:header-left", "loext:header-first":
				out.AddHeader(r.margin(part))
			case "style:footer", "style:footer-first", "style:footer-left", "loext:footer-first":
				out.AddFooter(r.margin(part))
			}
		}
	}
	r.styles = styles
	return out
}

// rank puts what stands on the first page before what stands on the others.
func rank(name string) int {
	if strings.HasSuffix(name, "-first") {
		return 0
	}
	return 1
}

// margin reads a header or footer; newer programs divide it into regions.
func (r *reader) margin(n *zipped.Node) []tree.Block {
	f := &flow{reader: r}
	for c := range n.All() {
		if strings.HasPrefix(c.Name, "style:region-") {
			f.children(c)
		} else {
			f.block(c)
		}
	}
	return f.finish()
}

// maxPages bounds how many kinds of pages are looked at.
const maxPages = 64

// usedPages returns the master pages that the text uses: those that its styles name
// and that follow them, and the first of the document.
func (r *reader) usedPages(text *zipped.Node, styles *sheet) []*zipped.Node {
	used := map[string]bool{}
	for _, st := range styles.styles {
		if st.page != "" {
			used[st.page] = true
		}
	}
	first := ""
	for c := range text.All() {
		if name := c.Get("text:style-name"); c.Name == "text:p" || c.Name == "text:h" {
			first = styles.resolve("paragraph", name).page
			break
		} else if name := c.Get("table:style-name"); c.Name == "table:table" {
			first = styles.resolve("table", name).page
			break
		}
	}
	pages := slices.Collect(r.pages.All())
	if first == "" {
		used[firstPage(pages)] = true
	}
	for range 2 { // the page after the first, and the one after that
		for _, p := range pages {
			if next := p.Get("style:next-style-name"); next != "" && used[p.Get("style:name")] {
				used[next] = true
			}
		}
	}
	pages = slices.DeleteFunc(pages, func(p *zipped.Node) bool { return p.Name != "style:master-page" || !used[p.Get("style:name")] })
	if len(pages) > maxPages {
		r.doc.Warn(warnPages)
	}
	return pages[:min(len(pages), maxPages)]
}

// firstPage returns the name of the page that a text begins with if it names none.
func firstPage(pages []*zipped.Node) string {
	name := ""
	for _, p := range pages {
		switch n := p.Get("style:name"); {
		case n == "Standard":
			return n
		case name == "":
			name = n
		}
	}
	return name
}
