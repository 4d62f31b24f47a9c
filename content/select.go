package content

import (
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// SelectorError says which of a list of selectors is not one.
type SelectorError struct {
	Index    int    // place in the list
	Selector string // as the caller wrote it
	Err      error  // what is wrong with it
}

// Error names the selector and what is wrong with it.
func (e *SelectorError) Error() string {
	return fmt.Sprintf("invalid selector %q: %v", truncate(e.Selector, 100), e.Err)
}

// Unwrap returns what is wrong with the selector.
func (e *SelectorError) Unwrap() error { return e.Err }

// CheckSelectors returns a *SelectorError for the first entry of the list that
// is not a CSS selector, or nil.
func CheckSelectors(list []string) error {
	for i, selector := range list {
		if _, err := cascadia.ParseGroup(selector); err != nil {
			return &SelectorError{Index: i, Selector: selector, Err: err}
		}
	}
	return nil
}

// part is the part of a page that is to be written: the subtrees of roots in
// the order of the document, without the subtrees of drop.
type part struct {
	roots []*html.Node
	drop  map[*html.Node]struct{}
}

func (p *part) dropped(n *html.Node) bool {
	_, ok := p.drop[n]
	return ok
}

// choose applies the options in their order.
func (p *Page) choose(o Options) part {
	chosen := part{roots: []*html.Node{p.body}, drop: make(map[*html.Node]struct{})}
	if len(o.Exclude) > 0 {
		m := newMatcher(o.Exclude)
		chosen.walk(p.body, func(n *html.Node) bool {
			if m.match(n) {
				chosen.drop[n] = struct{}{}
				return false
			}
			return true
		})
	}
	if len(o.Include) > 0 {
		m := newMatcher(o.Include)
		chosen.roots = nil
		chosen.walk(p.body, func(n *html.Node) bool {
			if m.match(n) {
				chosen.roots = append(chosen.roots, n)
				return false
			}
			return true
		})
	}
	if o.OnlyMain {
		for _, root := range chosen.roots {
			if root == p.body || !isBoilerplate(root) {
				dropBoilerplate(root, chosen.drop)
			}
		}
	}
	return chosen
}

// walk calls visit for root and every element beneath it that is not dropped,
// in document order; visit says whether to go on beneath the element.
func (p *part) walk(root *html.Node, visit func(*html.Node) bool) {
	for n := root; n != nil; {
		descend := true
		if n.Type == html.ElementNode {
			descend = !p.dropped(n) && visit(n)
		}
		n = following(n, root, descend)
	}
}

// matchBudget bounds the work of selectors that are more than a name, in steps
// of looking at one node. It is used up only by hundreds of selectors, or by
// those that count siblings, on pages with very many elements; what comes after
// it does not match.
const matchBudget = 300_000_000

// matcher matches many selectors in one walk: tags, classes and ids through
// maps, all others one by one.
type matcher struct {
	tags, classes, ids map[string]struct{}
	others             []cascadia.SelectorGroup
	counts             bool // whether one of the others may look at siblings
	budget             int
	children           map[*html.Node]int // how many an element has, for those that count
}

// newMatcher compiles selectors; those that are invalid match nothing.
func newMatcher(list []string) *matcher {
	m := &matcher{
		tags: map[string]struct{}{}, classes: map[string]struct{}{}, ids: map[string]struct{}{},
		budget: matchBudget, children: map[*html.Node]int{},
	}
	for _, selector := range list {
		selector = strings.TrimSpace(selector)
		switch {
		case isName(selector):
			m.tags[strings.ToLower(selector)] = struct{}{}
		case selector != "" && selector[0] == '.' && isName(selector[1:]):
			m.classes[selector[1:]] = struct{}{}
		case selector != "" && selector[0] == '#' && isName(selector[1:]):
			m.ids[selector[1:]] = struct{}{}
		default:
			if group, err := cascadia.ParseGroup(selector); err == nil {
				m.others = append(m.others, group)
				m.counts = m.counts || strings.ContainsAny(selector, ":~+")
			}
		}
	}
	return m
}

// isName reports whether s is a name that needs no parsing.
func isName(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isWord(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return true
}

func (m *matcher) match(n *html.Node) bool {
	if _, ok := m.tags[n.Data]; ok {
		return true
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "id":
			if _, ok := m.ids[a.Val]; ok {
				return true
			}
		case "class":
			if m.matchClass(a.Val) {
				return true
			}
		}
	}
	return len(m.others) > 0 && m.matchOthers(n)
}

func (m *matcher) matchClass(class string) bool {
	if len(m.classes) == 0 {
		return false
	}
	for word := range strings.FieldsSeq(class) {
		if _, ok := m.classes[word]; ok {
			return true
		}
	}
	return false
}

func (m *matcher) matchOthers(n *html.Node) bool {
	cost := 1
	if m.counts {
		cost = m.countSiblings(n.Parent)
	}
	for _, group := range m.others {
		if m.budget -= cost; m.budget < 0 {
			return false
		}
		if group.Match(n) {
			return true
		}
	}
	return false
}

// countSiblings returns how many children an element has: a selector such as
// :nth-child looks at all of them for each of them.
func (m *matcher) countSiblings(parent *html.Node) int {
	if parent == nil {
		return 1
	}
	count, known := m.children[parent]
	if !known {
		for c := parent.FirstChild; c != nil; c = c.NextSibling {
			count++
		}
		m.children[parent] = count
	}
	return count
}
