package content

import (
	"strings"

	"github.com/trawlhq/trawl/content/dom"
)

// Query asks for an attribute of all elements that match a CSS selector.
type Query struct{ Selector, Attribute string }

// Attributes answers queries: for each the values of the attribute, in the order
// of the page and as the page has them. Elements that lack it are left out. If all
// values together are too large, the rest is cut off. The only error is
// [ErrTooCostly]; selectors that are none match nothing.
func (p *Page) Attributes(queries []Query) (answers [][]string, cut bool, err error) {
	answers = make([][]string, len(queries))
	work, room := matchBudget, maxOutput
	last := &matcher{}
	for i, q := range queries {
		answers[i] = []string{}
		if p.tree == nil {
			continue
		}
		m := newMatcher([]string{q.Selector})
		m.work, m.twins = work, last.twins // one tree and one budget for all of them
		if !m.prepare(p.tree) || m.work < 0 {
			return nil, false, ErrTooCostly
		}
		work, last = m.work-p.tree.Size, m
		for n := p.tree.Root; n != nil && !cut; n = dom.Following(n, p.tree.Root, true) {
			if n.Type != dom.ElementNode || !m.match(n) {
				continue
			}
			value, ok := attributeOf(n, q.Attribute)
			if !ok {
				continue
			}
			if room -= len(value) + 16; room < 0 {
				cut = true
				break
			}
			answers[i] = append(answers[i], value)
		}
	}
	return answers, cut, nil
}

// attributeOf returns an attribute by its name, which has no case in HTML.
func attributeOf(n *dom.Node, name string) (value string, ok bool) {
	if value, ok = n.Lookup(name); !ok {
		value, ok = n.Lookup(strings.ToLower(name))
	}
	return value, ok
}
