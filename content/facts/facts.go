// Package facts reads what a page says of itself in forms that were made for
// machines: linked data (JSON-LD), microdata and meta tags; and what it says to
// people in forms that leave little to interpretation: definition lists, lines
// such as "Label: value", and tables.
//
// Nothing here guesses. A fact stands in the page as it stands in [Facts], but
// for white space, escapes, relative addresses and the long names of types.
// Foreign bytes are read as far as they can be understood, and all of it is
// bounded: how many things, pairs, tables and tags there are, how deep they are
// nested, how long they are, and how much of the tree is looked at for them.
//
//   - linked.go reads JSON-LD, loose.go the JSON that pages really have;
//   - micro.go reads microdata;
//   - main.go puts the things in order: what the page is about comes first;
//   - pair.go and table.go read what is laid out in pairs and rows.
package facts

import (
	"bytes"
	"encoding/json"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of what is read from a page.
const (
	maxScripts     = 20
	maxScriptBytes = 4 << 20 // of all scripts together
	maxDepth       = 32
	maxValues      = 100_000 // of all things together
	maxThings      = 5000
	maxTags        = 500
	maxTagBytes    = 10 << 10
	maxPairs       = 10_000
	maxTables      = 50
	maxRows        = 10_000 // of one table
	maxColumns     = 50
	maxCells       = 100_000 // of all tables together
	maxText        = 20 << 10
	maxName        = 200
)

// Facts are what a page says of itself.
type Facts struct {
	Title       string // of the title element, else of OpenGraph
	Description string // of the meta tag, else of OpenGraph

	// Things are linked data and microdata, what the page is about first. "@type"
	// is a list of short names (Product). Other values are string, json.Number,
	// bool, map[string]any or []any of them; addresses are absolute.
	Things []map[string]any

	// Tags are the meta tags by their names in lower case, such as og:title. Of a
	// tag that is repeated the first counts, but article:tag and the like are
	// joined with ", ".
	Tags map[string]string

	Pairs  []Pair  // in the order of the page
	Tables []Table // those with a header row

	Cut bool // the page has more things, pairs or rows than were read

	page    string // the address of the page
	heading string // its first h1
}

// Pair is a name with what the page says about it. A value that the page has on
// several lines, or as a list, has line breaks in it.
type Pair struct{ Name, Value string }

// Table is a table with a header row. Every row has as many cells as the header.
type Table struct {
	Caption string
	Header  []string
	Rows    [][]string
}

// Read reads the facts of the page that was found at base.
func Read(tree *dom.Tree, base string) *Facts {
	f := &Facts{Tags: map[string]string{}, page: base}
	if tree == nil || tree.Root == nil {
		return f
	}
	r := &reader{facts: f, work: 1_000_000 + 4*tree.Size, values: maxValues}
	r.base = address.NewBase(base, baseHref(tree))
	for n := tree.Root; n != nil; {
		n = dom.Following(n, tree.Root, n.Type != dom.ElementNode || r.element(n))
	}
	if f.Title == "" {
		f.Title = f.Tags["og:title"]
	}
	if f.Description = f.Tags["description"]; f.Description == "" {
		f.Description = f.Tags["og:description"]
	}
	f.Things = r.linkedThings()
	f.join(r.microThings(tree.Root))
	f.order()
	return f
}

// reader reads one page.
type reader struct {
	facts   *Facts
	base    *address.Base
	scripts []*dom.Node
	work    int // nodes that may still be looked at for texts
	values  int // values that things may still have
	cells   int // cells of tables so far
}

func baseHref(tree *dom.Tree) string {
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.Is(atom.Body) {
			break
		}
		if n.Is(atom.Base) {
			return n.Get("href")
		}
	}
	return ""
}

// element notes what an element says, and reports whether to look beneath it.
func (r *reader) element(n *dom.Node) bool {
	f := r.facts
	if n.Space != dom.HTML {
		return false
	}
	switch n.Atom {
	case atom.Title:
		if f.Title == "" {
			f.Title = chars.Collapse(n.InnerText(maxTagBytes))
		}
	case atom.H1:
		if f.heading == "" {
			f.heading = r.text(n, maxTagBytes)
		}
	case atom.Meta:
		r.tag(n)
	case atom.Script:
		if chars.HasPrefixFold(strings.TrimSpace(n.Get("type")), "application/ld+json") {
			r.script(n)
		}
	case atom.Template:
		return false
	case atom.Dl:
		r.definitions(n)
	case atom.Li, atom.P:
		r.labels(n)
	case atom.Table:
		r.table(n)
	}
	return true
}

// script notes a script of linked data.
func (r *reader) script(n *dom.Node) {
	if len(r.scripts) < maxScripts {
		r.scripts = append(r.scripts, n)
	} else {
		r.facts.Cut = true
	}
}

// tag notes a meta element.
func (r *reader) tag(n *dom.Node) {
	name := n.Get("property")
	if name == "" {
		name = n.Get("name")
	}
	name = strings.ToLower(strings.TrimSpace(name))
	value := chars.Collapse(chars.Truncate(n.Get("content"), maxTagBytes))
	tags := r.facts.Tags
	if name == "" || value == "" || len(name) > maxName {
		return
	}
	switch name {
	case "og:image", "og:url", "og:image:url", "og:image:secure_url", "og:video", "og:audio", "twitter:image":
		if value = r.base.Join(value); value == "" {
			return
		}
	}
	known, ok := tags[name]
	switch {
	case !ok && len(tags) < maxTags:
		tags[name] = value
	case ok && strings.HasSuffix(name, ":tag") && len(known)+len(value) < maxTagBytes:
		tags[name] = known + ", " + value
	}
}

// text returns the text beneath an element as a reader sees it: collapsed, with
// a space where blocks meet, and without scripts. It is cut off at most bytes.
func (r *reader) text(n *dom.Node, most int) string {
	return strings.ReplaceAll(r.lines(n, most), "\n", " ")
}

// lines is as text, but with line breaks where blocks meet.
func (r *reader) lines(n *dom.Node, most int) string {
	var lines []string
	var b strings.Builder // the last line
	size := 0             // bytes of all lines
	flush := func() {
		if line := chars.Collapse(b.String()); line != "" {
			lines = append(lines, line)
		}
		b.Reset()
	}
	for c := n.FirstChild; c != nil && size < most && r.work > 0; r.work-- {
		descend := true
		switch {
		case c.Type == dom.TextNode:
			text := chars.Truncate(c.Data, most-size)
			size += len(text)
			b.WriteString(text)
		case unread(c):
			descend = false
		case breaks(c):
			flush()
		}
		c = dom.Following(c, n, descend)
	}
	flush()
	return strings.Join(lines, "\n")
}

// unread reports whether an element has text that nobody reads: scripts, and the
// numbers of footnotes.
func unread(n *dom.Node) bool {
	switch n.Atom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript:
		return n.Type == dom.ElementNode
	case atom.Sup:
		return n.HasClass("reference", "footnote", "footnote-ref")
	}
	return false
}

// breaks reports whether an element starts a new line or cell.
func breaks(n *dom.Node) bool {
	if n.Type != dom.ElementNode {
		return false
	}
	switch n.Atom {
	case atom.A, atom.B, atom.Strong, atom.I, atom.Em, atom.Span, atom.Sup, atom.Sub, atom.Small, atom.Abbr, atom.Mark,
		atom.Time, atom.Code, atom.U, atom.S, atom.Wbr, atom.Font, atom.Bdi, atom.Data, atom.Del, atom.Ins, atom.Label:
		return false
	}
	return true
}

// Text returns the things as lines of JSON for a model to read beside the text
// of the page, at most so many bytes. A thing that is too long for the room that
// is left comes shortened, or not at all.
func (f *Facts) Text(most int) string {
	var b strings.Builder
	for _, thing := range f.Things {
		line := compact(thing)
		if b.Len()+len(line) > most {
			line = compact(shorten(thing, 0))
		}
		if len(line) > 0 && b.Len()+len(line) <= most {
			b.Write(line)
		}
	}
	return b.String()
}

func compact(v any) []byte {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if w.Encode(v) != nil {
		return nil
	}
	return b.Bytes()
}

// shorten returns a value with long texts cut, long lists ended and what is
// nested far inside left out.
func shorten(v any, depth int) any {
	switch v := v.(type) {
	case string:
		if len(v) > 300 {
			return chars.Truncate(v, 300) + "…"
		}
	case map[string]any:
		short := make(map[string]any, len(v))
		for key, value := range v {
			if depth < 3 {
				short[key] = shorten(value, depth+1)
			}
		}
		return short
	case []any:
		short := make([]any, 0, min(len(v), 10))
		for _, value := range v[:min(len(v), 10)] {
			short = append(short, shorten(value, depth+1))
		}
		return short
	}
	return v
}
