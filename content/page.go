// Package content turns the bytes of one page into what callers ask for:
// markdown, cleaned HTML, links, images and metadata.
//
// [Parse] builds one tree and every format is read from it, so asking for five
// formats costs one parse. Whatever the bytes are, Parse returns a page: HTML
// goes through the HTML5 algorithm, feeds, JSON and other XML become small trees
// of their own, and everything else is text. Nothing in this package performs
// I/O, keeps state between calls or fails; the only error is that of
// [CheckSelectors], which looks at the caller's selectors and not at the page.
//
// The work is bounded by the size of the input: trees are at most a few hundred
// elements deep, walks are linear in the number of nodes, and spans of tables,
// repeated meta tags, costly selectors and the outputs themselves are capped.
//
// How a page is read, file by file:
//
//   - sniff.go decides what the bytes are; xhtml.go, feed.go, frame.go and
//     shadow.go help to make the one tree of them, which package dom parses;
//   - collect.go walks the tree once and notes what links, images and metadata
//     are read from;
//   - select.go applies the caller's selectors; package blocks finds the main content;
//   - html.go, link.go, image.go and metadata.go write the formats, package
//     markdown writes markdown;
//   - sign.go tells whether the page has to be rendered by a browser first, and
//     signwords.go has the words and scripts it goes by.
package content

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// maxOutput bounds each output of a page, in bytes. Pages that were made to
// explode, with a long base address and very many links for example, are cut
// off there; others never come near it.
const maxOutput = 64 << 20

// Source is what a page is made from.
type Source struct {
	Body        []byte // text in UTF-8
	ContentType string // as the server declared it, parameters included; may be empty
	URL         string // where the page was found in the end; relative addresses depend on it
	Language    string // as the server declared it (Content-Language); may be empty
}

// Options say which part of a page is written, and how. Exclude applies first,
// then Include, then OnlyMain.
type Options struct {
	// OnlyMain leaves out headers, navigation, footers and the like. A page that
	// has text never comes out empty because of it.
	OnlyMain bool
	// Include keeps only the elements that match one of these CSS selectors, in
	// the order of the document. What the caller names is kept even where
	// OnlyMain would leave it out.
	Include []string
	// Exclude drops the elements that match one of these CSS selectors.
	Exclude []string
	// RemoveBase64 replaces images that are embedded as data by a placeholder.
	RemoveBase64 bool
	// Document says that the page was made from a file by package document. In
	// markdown its tables are always tables, and a cell that spans columns is
	// repeated in each of them.
	Document bool
}

// Page is a parsed page. It never changes after Parse, so any number of
// goroutines may read it at once.
type Page struct {
	text   string        // what a page without a tree consists of
	tree   *dom.Tree     // nil for plain text
	body   *dom.Node     // what the formats are written from
	found  inventory     // what is read from single elements
	base   *address.Base // what relative addresses are relative to
	url    string        // where the page was found
	header string        // the language that the server declared
	size   int           // bytes of the page
	markup bool          // whether it came as HTML
	told   *dom.Node     // text of the linked data, which is not to be seen on the page; may be nil
}

// Parse reads a page. It accepts any bytes.
func Parse(src Source) *Page {
	text := validText(src.Body)
	p := &Page{url: src.URL, header: languageTag(src.Language), size: len(text)}
	switch sniff(text, src.ContentType) {
	case kindHTML:
		p.tree, p.markup = dom.Parse(text), true
	case kindXHTML:
		p.tree, p.markup = dom.ParseXHTML(text), true
	case kindFeed:
		p.tree = parseFeed(text)
	case kindJSON:
		p.tree = parseJSON(text)
	case kindXML:
		p.tree = codeTree(text, "xml")
	default:
		p.text = text
	}
	if p.tree != nil {
		if set := p.tree.Body(); set.Is(atom.Frameset) {
			openFrames(p.tree, set)
		}
		p.found = takeInventory(p.tree, len(text))
		p.body = p.tree.Body()
		p.tellLinkedText()
	}
	p.base = address.NewBase(src.URL, p.found.base)
	return p
}

// Tree returns the tree that all formats are written from, or nil for plain
// text. It is not to be changed.
func (p *Page) Tree() *dom.Tree { return p.tree }

// Partial reports whether the page has frames, or a text in its linked data, that hold
// more than is read of such.
func (p *Page) Partial() bool { return p.found.partial }

// validText returns the body as a string of valid UTF-8 without a byte order mark.
func validText(body []byte) string {
	text := strings.TrimPrefix(string(body), "\ufeff")
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
