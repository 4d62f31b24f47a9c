package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of what a page may say of itself.
const (
	maxMetaTags  = 500
	maxMetaName  = 200
	maxMetaValue = 10 << 10
)

// head is what the page says of itself, as nodes of its tree.
type head struct {
	title    *dom.Node
	language string
	base     string
	icon     string
	metas    []*dom.Node
	linked   []*dom.Node // scripts of linked data
}

// readHead finds the elements of the head wherever they stand: pages that are
// put together by scripts and templates have them in their bodies as well.
func readHead(doc *dom.Node) head {
	var h head
	for n := doc.FirstChild; n != nil; n = dom.Following(n, doc, true) {
		if n.Type == dom.ElementNode && n.Space == dom.HTML {
			h.note(n)
		}
	}
	return h
}

func (h *head) note(n *dom.Node) {
	switch n.Atom {
	case atom.Html:
		h.language = strings.TrimSpace(n.Get("lang"))
		if h.language == "" {
			h.language = strings.TrimSpace(n.Get("xml:lang"))
		}
	case atom.Title:
		if h.title == nil {
			h.title = n
		}
	case atom.Base:
		if h.base == "" {
			h.base = strings.TrimSpace(n.Get("href"))
		}
	case atom.Link:
		if h.icon == "" && isIcon(n) {
			h.icon = strings.TrimSpace(n.Get("href"))
		}
	case atom.Meta:
		if len(h.metas) < maxMetaTags {
			h.metas = append(h.metas, n)
		}
	case atom.Script:
		if len(h.linked) < maxLinkedData && strings.EqualFold(strings.TrimSpace(n.Get("type")), "application/ld+json") {
			h.linked = append(h.linked, n)
		}
	}
}

// derived gives the tags that have a name of their own in the API, by their
// names in the page in lower case.
var derived = map[string]string{
	"description":            "description",
	"keywords":               "keywords",
	"robots":                 "robots",
	"og:title":               "ogTitle",
	"og:description":         "ogDescription",
	"og:url":                 "ogUrl",
	"og:image":               "ogImage",
	"og:audio":               "ogAudio",
	"og:determiner":          "ogDeterminer",
	"og:locale":              "ogLocale",
	"og:site_name":           "ogSiteName",
	"og:video":               "ogVideo",
	"article:published_time": "publishedTime",
	"article:modified_time":  "modifiedTime",
	"article:tag":            "articleTag",
	"article:section":        "articleSection",
	"dcterms.created":        "dcTermsCreated",
	"dc.date.created":        "dcDateCreated",
	"dc.date":                "dcDate",
	"dcterms.type":           "dcTermsType",
	"dc.type":                "dcType",
	"dcterms.audience":       "dcTermsAudience",
	"dcterms.subject":        "dcTermsSubject",
	"dc.subject":             "dcSubject",
	"dc.description":         "dcDescription",
	"dcterms.keywords":       "dcTermsKeywords",
}

// isPlural reports whether a tag with a name of its own keeps all values of a
// repeated tag; the others keep the first.
func isPlural(key string) bool { return key == "articleTag" || strings.HasPrefix(key, "dc") }

// Metadata returns what the page says of itself: title, description, language
// and the other tags that have a name of their own in the API, and every other
// meta tag by its own name. The values of a repeated tag are joined with ", ".
// The alternate locales come as a list beside them.
func (p *Page) Metadata() (tags map[string]string, ogLocaleAlternate []string) {
	m := metadata{tags: make(map[string]string, 2*len(p.head.metas)+4)}
	if p.head.title != nil {
		m.set("title", chars.Collapse(p.head.title.InnerText(maxMetaValue)))
	}
	m.set("language", p.head.language)
	if p.head.icon != "" {
		if icon := p.base.Join(p.head.icon); address.IsWeb(icon) {
			m.set("favicon", icon)
		}
	}
	for _, n := range p.head.metas {
		m.addMeta(n)
	}
	m.setLanguage()
	m.addLinkedData(p.head.linked)
	m.setDefault("title", m.tags["ogTitle"])
	m.merge()
	return m.tags, m.locales
}

// metadata collects tags. The page's own names are kept apart until the end, so
// that they never take the place of a name of the API.
type metadata struct {
	tags    map[string]string
	own     []ownTag
	at      map[string]int // where a name stands in own
	locales []string
}

// ownTag is a meta tag under the name that the page gives it.
type ownTag struct{ name, value string }

func (m *metadata) set(key, value string) {
	if value != "" {
		m.tags[key] = chars.Truncate(value, maxMetaValue)
	}
}

func (m *metadata) setDefault(key, value string) {
	if _, known := m.tags[key]; !known {
		m.set(key, value)
	}
}

// addMeta notes one meta element under its own name and, if it has one, under
// that of the API.
func (m *metadata) addMeta(n *dom.Node) {
	name, value := metaName(n), strings.TrimSpace(n.Get("content"))
	if name == "" || value == "" || len(name) > maxMetaName {
		return
	}
	value = chars.Truncate(value, maxMetaValue)
	lower := strings.ToLower(name)
	if key, ok := derived[lower]; ok {
		if isPlural(key) {
			m.set(key, joinValues(m.tags[key], value))
		} else {
			m.setDefault(key, value)
		}
	}
	if lower == "og:locale:alternate" {
		m.locales = append(m.locales, value)
	}
	m.addOwn(name, value)
}

func (m *metadata) addOwn(name, value string) {
	if i, known := m.at[name]; known {
		m.own[i].value = joinValues(m.own[i].value, value)
		return
	}
	if m.at == nil {
		m.at = make(map[string]int)
	}
	m.at[name] = len(m.own)
	m.own = append(m.own, ownTag{name, value})
}

// merge adds the page's own names where the API has none.
func (m *metadata) merge() {
	for _, tag := range m.own {
		m.setDefault(tag.name, tag.value)
	}
}

// setLanguage falls back on what the meta tags say when the html element says nothing.
func (m *metadata) setLanguage() {
	for _, name := range []string{"content-language", "language"} {
		for _, tag := range m.own {
			if strings.EqualFold(tag.name, name) {
				m.setDefault("language", tag.value)
			}
		}
	}
}

// metaName returns the name under which a meta element gives its content.
func metaName(n *dom.Node) string {
	for _, key := range []string{"property", "name", "itemprop"} {
		if name := strings.TrimSpace(n.Get(key)); name != "" {
			return name
		}
	}
	if strings.EqualFold(n.Get("http-equiv"), "content-language") {
		return "content-language"
	}
	return ""
}

// joinValues appends a value of a repeated tag as far as there is room.
func joinValues(values, value string) string {
	switch {
	case values == "":
		return value
	case len(values) >= maxMetaValue:
		return values
	}
	return chars.Truncate(values+", "+value, maxMetaValue)
}
