package facts

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// microThings reads microdata: elements with itemscope are things, those with
// itemprop inside them what is said of them.
func (r *reader) microThings(root *dom.Node) []map[string]any {
	m := micro{reader: r}
	m.children(root, nil, 0)
	return m.things
}

type micro struct {
	*reader
	things []map[string]any
}

// children reads the elements beneath n, which belong to a thing or to none. The
// tree is at most a few hundred elements deep.
func (m *micro) children(n *dom.Node, thing map[string]any, depth int) {
	for c := n.FirstChild; c != nil && m.values > 0; c = c.NextSibling {
		if c.Type == dom.ElementNode && !unread(c) {
			m.element(c, thing, depth)
		}
	}
	m.facts.Cut = m.facts.Cut || m.values <= 0
}

func (m *micro) element(n *dom.Node, thing map[string]any, depth int) {
	names := slices.Collect(chars.Words(chars.Truncate(n.Get("itemprop"), 5*maxName)))
	_, scope := n.Lookup("itemscope")
	if !scope || depth >= maxDepth {
		if thing != nil && len(names) > 0 {
			if value := m.value(n, names[0]); value != "" {
				m.add(thing, names, value)
			}
		}
		m.children(n, thing, depth)
		return
	}
	nested := map[string]any{}
	var types []any
	for kind := range chars.Words(chars.Truncate(n.Get("itemtype"), 5*maxName)) {
		types = append(types, shortName(kind))
	}
	if len(types) > 0 {
		nested["@type"] = types
	}
	m.children(n, nested, depth+1)
	switch {
	case thing != nil && len(names) > 0:
		m.add(thing, names, nested)
	case len(nested) > 1 && len(types) > 0:
		m.things = m.append(m.things, nested)
	}
}

// add adds a value to a thing; several under one name become a list.
func (m *micro) add(thing map[string]any, names []string, value any) {
	for i, name := range names {
		if name = shortName(name); m.values <= 0 || name == "" || name[0] == '@' || i == 5 {
			return
		}
		m.values--
		switch known := thing[name].(type) {
		case nil:
			thing[name] = value
		case []any:
			thing[name] = append(known, value)
		default:
			thing[name] = []any{known, value}
		}
	}
}

// value returns what an element says under a name, which depends on its kind.
func (m *micro) value(n *dom.Node, name string) string {
	if content, ok := n.Lookup("content"); ok {
		return chars.Collapse(chars.Truncate(content, maxText))
	}
	switch n.Atom {
	case atom.A, atom.Area, atom.Link:
		// By the letter a link is always its address, but who links the name of an
		// author means the name.
		if text := m.text(n, maxText); text != "" && !isAddress(name) {
			return text
		}
		href := n.Get("href")
		if joined := m.base.Join(href); joined != "" && href != "" {
			return joined
		}
	case atom.Img:
		return m.base.Join(address.ImageSource(n))
	case atom.Audio, atom.Embed, atom.Iframe, atom.Source, atom.Track, atom.Video:
		return m.base.Join(n.Get("src"))
	case atom.Object:
		return m.base.Join(n.Get("data"))
	case atom.Data, atom.Meter:
		return strings.TrimSpace(chars.Truncate(n.Get("value"), maxText))
	case atom.Time:
		if when := strings.TrimSpace(chars.Truncate(n.Get("datetime"), maxName)); when != "" {
			return when
		}
	}
	return m.text(n, maxText)
}

// isAddress reports whether what stands under a name is an address.
func isAddress(name string) bool {
	switch name = shortName(name); name {
	case "url", "sameAs", "image", "logo", "photo", "item", "mainEntityOfPage", "significantLink", "relatedLink", "license":
		return true
	}
	return strings.HasSuffix(name, "Url") || strings.HasSuffix(name, "URL")
}
