package crawl

import (
	"bytes"
	"strings"

	"github.com/trawlhq/trawl"
)

// Limits of the entries of a sitemap. The protocol allows half as many of them.
const (
	maxEntries = 100_000
	maxLoc     = 2 * maxAddress
)

// ReadSitemap calls visit with the address of every entry of a sitemap, as it
// stands there; index says that it is the address of another sitemap. It stops
// when visit returns false. It reads the XML of the protocol, feeds in RSS and
// Atom, and plain lists of addresses, compressed or not, and forgives what does
// not matter. Memory does not grow with the size of the file, of which at most
// 50 MB and 100,000 entries are read. What is no sitemap at all, or breaks off,
// is an error; what was visited before counts.
func ReadSitemap(body []byte, visit func(loc string, index bool) (more bool)) error {
	w, err := openWindow(body)
	if err != nil {
		return trawl.Wrap(trawl.CodeSitemap, "The sitemap could not be unpacked", err)
	}
	s := sitemapReader{w: w, visit: visit}
	w.trim()
	if w.has("http://") || w.has("https://") {
		s.form = formList
		s.list()
	} else {
		s.elements()
	}
	switch {
	case w.err != nil && !s.done:
		return trawl.Wrap(trawl.CodeSitemap, "The sitemap could not be read to its end", w.err)
	case s.form == formUnknown:
		return trawl.Errorf(trawl.CodeSitemap, "The file is not a sitemap")
	}
	return nil
}

// form is what a sitemap is written in.
type form int

const (
	formUnknown form = iota
	formList
	formSitemap
	formFeed
)

// sitemapReader looks for the few elements that matter and at nothing else.
type sitemapReader struct {
	w       *window
	visit   func(loc string, index bool) bool
	form    form
	prefix  string // namespace prefix of the elements that count
	index   bool   // entries are sitemaps
	inEntry bool   // of a feed
	entries int
	done    bool   // nothing more is wanted
	scratch []byte // for the text of an element
}

// list reads a plain list of addresses.
func (s *sitemapReader) list() {
	for more := true; more && !s.done; {
		var line []byte
		line, more = s.w.until("\n")
		if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("http")) {
			s.entry(string(line))
		}
	}
}

// elements reads XML, more or less.
func (s *sitemapReader) elements() {
	for !s.done && s.w.skip("<") {
		switch {
		case s.w.has("/") && s.form == formSitemap:
			// No end matters, and they are half of all tags.
		case s.w.has("!--"):
			s.w.skip("-->")
		case s.w.has("![CDATA["):
			s.w.skip("]]>")
		default:
			tag, _ := s.w.until(">")
			s.tag(tag)
		}
	}
}

// tag acts on what stands between angle brackets.
func (s *sitemapReader) tag(tag []byte) {
	var b [16]byte
	tag, end := bytes.CutPrefix(tag, []byte("/"))
	prefix, name, attributes := splitTag(tag)
	kind := string(lower(b[:], name))
	if s.form == formUnknown {
		s.root(kind, prefix, attributes)
		return
	}
	if string(prefix) != s.prefix || end && kind != "item" && kind != "entry" {
		return
	}
	switch kind {
	case "url":
		s.index = false
	case "sitemap":
		s.index = true
	case "item", "entry":
		s.inEntry = !end
	case "loc":
		if s.form == formSitemap {
			s.entry(s.text())
		}
	case "link":
		if s.form == formFeed && s.inEntry {
			s.link(attributes)
		}
	}
}

// root recognises the form by the outermost element. Junk before it is skipped,
// but what is in an HTML page is never a sitemap.
func (s *sitemapReader) root(kind string, prefix, attributes []byte) {
	switch kind {
	case "urlset", "sitemapindex":
		s.form, s.prefix, s.index = formSitemap, string(prefix), kind == "sitemapindex"
	case "feed":
		s.form, s.prefix = formFeed, string(prefix)
	case "rss", "rdf":
		s.form = formFeed
	case "html":
		s.done = true
	case "!doctype":
		s.done = len(attributes) >= 4 && strings.EqualFold(string(attributes[:4]), "html")
	}
}

// link is the link of an entry in a feed: Atom has it in an attribute, RSS as text.
func (s *sitemapReader) link(attributes []byte) {
	href := attribute(attributes, "href")
	switch rel := attribute(attributes, "rel"); {
	case href != "" && (rel == "" || rel == "alternate"):
		s.entry(href)
	case href == "" && !bytes.HasSuffix(attributes, []byte("/")):
		s.entry(s.text())
	}
}

// text returns the text of the element whose start was read.
func (s *sitemapReader) text() string {
	text := s.scratch[:0]
	for {
		piece, found := s.w.until("<")
		text = appendUnescaped(text, room(text, piece))
		switch {
		case found && s.w.has("!--"):
			s.w.skip("-->")
		case found && s.w.has("![CDATA["):
			s.w.at += len("![CDATA[")
			piece, _ = s.w.until("]]>")
			text = append(text, room(text, piece)...)
		case !found:
			return "" // it breaks off
		default:
			s.w.skip(">")
			s.scratch = text
			return string(bytes.TrimSpace(text))
		}
	}
}

// room returns as much of a piece as fits behind a text.
func room(text, piece []byte) []byte {
	return piece[:min(len(piece), max(maxLoc-len(text), 0))]
}

// entry passes on an address.
func (s *sitemapReader) entry(loc string) {
	loc = strings.TrimSpace(loc)
	if loc == "" || len(loc) >= maxLoc {
		return
	}
	s.entries++
	s.done = !s.visit(loc, s.index) || s.entries >= maxEntries
}
