package content

import (
	"strings"

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

// isReserved reports whether the API gives a name its own meaning.
func isReserved(name string) bool {
	switch name {
	case "title", "description", "language", "keywords", "robots", "favicon", "ogLocaleAlternate", "publishedTime",
		"modifiedTime", "articleTag", "articleSection":
		return true
	}
	if strings.HasPrefix(name, "og") || strings.HasPrefix(name, "dc") {
		for _, key := range derived {
			if name == key {
				return true
			}
		}
	}
	return false
}

// Metadata returns what the page says of itself: title, description, language
// and the other tags that have a name of their own in the API, and every other
// meta tag by its own name. The values of a repeated tag are joined with ", ".
// The alternate locales come as a list beside them. A page that does not say
// what its language is gets the one that its text is written in, if that is clear.
func (p *Page) Metadata() (tags map[string]string, ogLocaleAlternate []string) {
	m := metadata{tags: make(map[string]string, 2*len(p.found.metas)+6)}
	m.kept.room = 128 * (len(p.found.metas) + 4)
	if p.found.title != nil {
		m.set("title", chars.Collapse(p.found.title.InnerText(maxMetaValue)))
	}
	if p.found.icon != nil {
		if icon := p.base.Join(p.found.icon.Get("href")); address.IsWeb(icon) {
			m.set("favicon", icon)
		}
	}
	for _, n := range p.found.metas {
		m.addMeta(n)
	}
	m.setDefault("title", m.tags["ogTitle"])
	m.addLinkedData(p.found.linked)
	m.setDefault("language", p.language(&m))
	for _, tag := range m.reserved {
		m.setDefault(tag.name, tag.value)
	}
	return m.tags, m.locales
}

// metadata collects tags.
type metadata struct {
	tags     map[string]string
	reserved []ownTag // tags under names of the API that stand for something else there
	locales  []string
	language string // as a meta tag says it
	kept     arena
}

// ownTag is a meta tag under the name that the page gives it.
type ownTag struct{ name, value string }

func (m *metadata) set(key, value string) {
	if value != "" {
		m.tags[key] = m.kept.string(chars.Truncate(value, maxMetaValue))
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
	value = m.kept.string(chars.Truncate(value, maxMetaValue))
	lower := strings.ToLower(name)
	if key, ok := derived[lower]; ok {
		if known := m.tags[key]; known == "" {
			m.tags[key] = value
		} else if isPlural(key) {
			m.tags[key] = joinValues(known, value)
		}
	}
	switch lower {
	case "og:locale:alternate":
		m.locales = append(m.locales, value)
	case "content-language", "language", "dc.language", "dcterms.language":
		if m.language == "" {
			m.language = languageTag(value)
		}
	}
	m.addOwn(name, value)
}

// addOwn notes a tag under its own name. Where the API has the same name, the
// page's tag waits until all is known that belongs there.
func (m *metadata) addOwn(name, value string) {
	if isReserved(name) {
		m.reserved = append(m.reserved, ownTag{m.kept.string(name), value})
		return
	}
	known, ok := m.tags[name]
	if !ok {
		name = m.kept.string(name)
	}
	m.tags[name] = joinValues(known, value)
}

// metaName returns the name under which a meta element gives its content.
func metaName(n *dom.Node) string {
	var name, itemprop, equiv string
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "property":
			if v := strings.TrimSpace(a.Val); v != "" {
				return v
			}
		case "name":
			name = strings.TrimSpace(a.Val)
		case "itemprop":
			itemprop = strings.TrimSpace(a.Val)
		case "http-equiv":
			equiv = a.Val
		}
	}
	switch {
	case name != "":
		return name
	case itemprop != "":
		return itemprop
	case strings.EqualFold(equiv, "content-language"):
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
