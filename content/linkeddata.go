package content

import (
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of linked data (JSON-LD), which is only read for what the meta tags
// leave open.
const (
	maxLinkedData      = 10
	maxLinkedDataBytes = 256 << 10
	maxLinkedDepth     = 32
)

func isLinkedData(script *dom.Node) bool {
	kind := strings.TrimSpace(script.Get("type"))
	return len(kind) >= len("application/ld+json") && chars.HasPrefixFold(kind, "application/ld+json")
}

// The parts of a schema.org description that metadata needs.
const (
	linkedHeadline = iota
	linkedName
	linkedDescription
	linkedPublished
	linkedModified
	linkedParts
)

// linkedThing is a description with how much it says of the page: more for an
// article than for a site.
type linkedThing struct {
	parts [linkedParts]string // JSON strings without their quotes
	rank  int
}

// linkedData gathers the best parts of all descriptions on a page.
type linkedData struct {
	parts [linkedParts]string
	ranks [linkedParts]int
}

// addLinkedData fills in title, description and dates that the page gives
// nowhere else.
func (m *metadata) addLinkedData(scripts []*dom.Node) {
	if len(scripts) == 0 || m.complete() {
		return
	}
	var d linkedData
	for _, script := range scripts {
		text := script.InnerText(maxLinkedDataBytes + 1)
		if len(text) > maxLinkedDataBytes {
			continue
		}
		if _, section, found := strings.Cut(text, "<![CDATA["); found {
			text = section
		}
		r := linkedReader{text: text, data: &d}
		r.readAll()
	}
	m.setDefault("title", d.text(linkedHeadline))
	m.setDefault("title", d.text(linkedName))
	m.setDefault("description", d.text(linkedDescription))
	m.setDefault("publishedTime", d.text(linkedPublished))
	m.setDefault("modifiedTime", d.text(linkedModified))
}

func (m *metadata) complete() bool {
	for _, key := range []string{"title", "description", "publishedTime", "modifiedTime"} {
		if _, known := m.tags[key]; !known {
			return false
		}
	}
	return true
}

func (d *linkedData) text(part int) string { return chars.Collapse(chars.UnescapeJSON(d.parts[part])) }

func (d *linkedData) add(t *linkedThing) {
	for i, value := range t.parts {
		if value != "" && t.rank > d.ranks[i] {
			d.parts[i], d.ranks[i] = value, t.rank
		}
	}
}

// linkedReader reads linked data as far as it can be understood: pages break off
// in the middle, put line breaks into strings and commas where none belong.
type linkedReader struct {
	text string
	pos  int
	data *linkedData
}

// readAll reads the things of a script, one or more of them, and leaves out what
// stands around them.
func (r *linkedReader) readAll() {
	for r.pos < len(r.text) {
		i := strings.IndexAny(r.text[r.pos:], "{[")
		if i < 0 {
			return
		}
		r.pos += i
		if !r.things(0) {
			return
		}
	}
}

// things reads a thing or a list of them. It returns false where the text breaks.
func (r *linkedReader) things(depth int) bool {
	switch {
	case depth > maxLinkedDepth:
		return r.skip()
	case r.peek() == '{':
		return r.thing(depth)
	case r.peek() == '[':
		r.pos++
		for {
			switch r.next() {
			case ']':
				r.pos++
				return true
			case '}', 0:
				return false
			}
			if !r.things(depth + 1) {
				return false
			}
		}
	}
	return r.skip()
}

// thing reads an object; what it says counts even if it breaks off.
func (r *linkedReader) thing(depth int) bool {
	t := linkedThing{rank: rankUnknown}
	defer func() { r.data.add(&t) }()
	r.pos++
	for {
		switch r.next() {
		case '}':
			r.pos++
			return true
		case '"':
		default:
			return false
		}
		key, ok := r.string()
		if !ok || r.next() != ':' {
			return false
		}
		r.pos++
		if !r.member(key, &t, depth) {
			return false
		}
	}
}

// member reads what belongs to a key.
func (r *linkedReader) member(key string, t *linkedThing, depth int) bool {
	part := -1
	switch key {
	case "@type":
		return r.types(t)
	case "@graph", "mainEntity":
		r.next()
		return r.things(depth + 1)
	case "headline":
		part = linkedHeadline
	case "name":
		part = linkedName
	case "description":
		part = linkedDescription
	case "datePublished", "uploadDate":
		part = linkedPublished
	case "dateModified":
		part = linkedModified
	}
	if r.next() != '"' || part < 0 {
		return r.skip()
	}
	value, ok := r.string()
	if ok && t.parts[part] == "" {
		t.parts[part] = value
	}
	return ok
}

// types reads the type of a thing, or the best of a list of types.
func (r *linkedReader) types(t *linkedThing) bool {
	if r.next() != '[' {
		return r.kind(t, true)
	}
	r.pos++
	for first := true; ; first = false {
		switch r.next() {
		case ']':
			r.pos++
			return true
		case '}', 0:
			return false
		}
		if !r.kind(t, first) {
			return false
		}
	}
}

// kind reads one type; what is no string says nothing.
func (r *linkedReader) kind(t *linkedThing, first bool) bool {
	if r.peek() != '"' {
		return r.skip()
	}
	name, ok := r.string()
	if rank := rankOf(name); first || rank > t.rank {
		t.rank = rank
	}
	return ok
}

// peek returns the next byte, or 0 at the end.
func (r *linkedReader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// next skips white space and commas and returns the byte behind them.
func (r *linkedReader) next() byte {
	for r.pos < len(r.text) && (chars.IsSpace(r.text[r.pos]) || r.text[r.pos] == ',') {
		r.pos++
	}
	return r.peek()
}

// string reads a string, without its quotes and with its escapes.
func (r *linkedReader) string() (string, bool) {
	start := r.pos + 1
	for i := start; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			i++
		case '"':
			r.pos = i + 1
			return r.text[start:i], true
		}
	}
	r.pos = len(r.text)
	return "", false
}

// skip skips a value.
func (r *linkedReader) skip() bool {
	for depth := 0; r.pos < len(r.text); {
		switch c := r.text[r.pos]; c {
		case '"':
			if _, ok := r.string(); !ok {
				return false
			}
			if depth == 0 {
				return true
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return true
			}
			depth--
			if depth == 0 {
				r.pos++
				return true
			}
		case ',':
			if depth == 0 {
				return true
			}
		}
		r.pos++
	}
	return false
}

// How much the types of things say of the page that they are on.
const (
	rankNothing = iota
	rankPage
	rankUnknown
	rankArticle
)

func rankOf(kind string) int {
	kind = kind[strings.LastIndexAny(kind, "/:")+1:]
	switch kind {
	case "Organization", "NewsMediaOrganization", "Corporation", "EducationalOrganization", "Brand", "WebSite", "Person",
		"BreadcrumbList", "ListItem", "ImageObject", "SearchAction", "SiteNavigationElement", "WPHeader", "WPFooter",
		"WPSideBar", "ContactPoint", "PostalAddress", "AggregateRating", "Rating", "Offer", "Comment", "Answer":
		return rankNothing
	}
	switch {
	case strings.HasSuffix(kind, "Article"), strings.HasSuffix(kind, "Posting"), kind == "Report", kind == "Recipe":
		return rankArticle
	case strings.HasSuffix(kind, "Page"):
		return rankPage
	}
	return rankUnknown
}
