package content

import (
	"errors"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// matcher matches many selectors at once: tags, classes and ids through maps,
// and all others in one walk over the document, [matcher.prepare].
type matcher struct {
	tags, classes, ids map[string]struct{}
	chains             []chain
	found              dom.Set      // what matches a chain
	twins              []*html.Node // by node, for the compounds
	levels             []level
	work               int               // what is left of matchBudget
	weight             int               // of the element at hand
	children           map[*dom.Node]int // how many an element has, once counted
}

// matchBudget bounds the work of selectors that are more than a name, in steps
// of looking at one node: a few seconds at the very most.
const matchBudget = 50_000_000

// newMatcher compiles selectors; those that are invalid match nothing.
func newMatcher(list []string) *matcher {
	m := &matcher{
		tags: map[string]struct{}{}, classes: map[string]struct{}{}, ids: map[string]struct{}{},
		work: matchBudget, children: map[*dom.Node]int{},
	}
	for _, selector := range list {
		selector = chars.TrimSpace(selector)
		switch {
		case isName(selector):
			m.tags[strings.ToLower(selector)] = struct{}{}
		case selector != "" && selector[0] == '.' && isName(selector[1:]):
			m.classes[selector[1:]] = struct{}{}
		case selector != "" && selector[0] == '#' && isName(selector[1:]):
			m.ids[selector[1:]] = struct{}{}
		default:
			if chains, err := parseChains(selector); err == nil {
				m.chains = append(m.chains, chains...)
			}
		}
	}
	return m
}

// isName reports whether s is a name that needs no parsing.
func isName(s string) bool {
	if s == "" || !chars.IsLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if !chars.IsWord(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return true
}

// match reports whether an element matches one of the selectors. It must have
// been in the document that the matcher was prepared for.
func (m *matcher) match(n *dom.Node) bool {
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
	return m.found.Has(n)
}

func (m *matcher) matchClass(class string) bool {
	if len(m.classes) == 0 {
		return false
	}
	for word := range chars.Words(class) {
		if _, ok := m.classes[word]; ok {
			return true
		}
	}
	return false
}

// chain is a selector taken apart at its combinators. An element matches the
// first i+1 compounds if it matches compound i and stands to an element that
// matches the first i as the combinator says. Knowing that of the elements before
// it, one look at each compound is enough: there is no going back and forth, as
// there would be in asking the selector as a whole.
type chain struct {
	compounds []compound
	joins     []byte // what is between compounds i and i+1: space, >, + or ~
}

// compound is a selector for one element, and what else it looks at.
type compound struct {
	cascadia.Sel
	conditions            int // how much it asks, and of patterns as of many
	siblings, descendants bool
	nested                bool // it asks selectors with combinators in turn
}

// maxCompounds is how many compounds a chain can have: one bit each.
const maxCompounds = 64

var errTooLong = errors.New("more than 64 parts")

// parseChains reads a selector, or several with commas between them.
func parseChains(selector string) ([]chain, error) {
	if _, err := cascadia.ParseGroup(selector); err != nil {
		return nil, err
	}
	var chains []chain
	for _, text := range splitOutside(selector, ",") {
		c, err := parseChain(text)
		if err != nil {
			return nil, err
		}
		chains = append(chains, c)
	}
	return chains, nil
}

func parseChain(text string) (chain, error) {
	var c chain
	join := byte(' ')
	for _, part := range splitOutside(spaceCombinators(text), " ") {
		switch part {
		case "":
			continue
		case ">", "+", "~":
			join = part[0]
			continue
		}
		selector, err := cascadia.Parse(part)
		if err != nil {
			return chain{}, err
		}
		if len(c.compounds) > 0 {
			c.joins = append(c.joins, join)
		}
		join = ' '
		c.compounds = append(c.compounds, newCompound(part, selector))
	}
	if len(c.compounds) > maxCompounds {
		return chain{}, errTooLong
	}
	return c, nil
}

// newCompound finds out what besides an element itself its selector looks at.
func newCompound(text string, selector cascadia.Sel) compound {
	text = strings.ToLower(text)
	has := func(marks ...string) bool {
		return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
	}
	_, inner, _ := strings.Cut(text, "(")
	conditions := 1
	for _, mark := range []string{".", "#", "[", ":"} {
		conditions += strings.Count(text, mark)
	}
	return compound{
		Sel:         selector,
		conditions:  conditions + 32*(strings.Count(text, ":matches")+strings.Count(text, "#=")),
		siblings:    has(":nth-", "-of-type", ":only-", "abled"),
		descendants: has(":has", ":contains", ":matches"),
		nested:      has(":not(", ":has") && strings.ContainsAny(inner, " >+~") || strings.Count(text, ":has") > 1,
	}
}

// spaceCombinators puts spaces around the combinators of a selector, and makes
// all white space outside of brackets and quotes spaces.
func spaceCombinators(text string) string {
	var b strings.Builder
	outside(text, func(i int, free bool) {
		switch c := text[i]; {
		case free && (c == '>' || c == '+' || c == '~'):
			b.WriteByte(' ')
			b.WriteByte(c)
			b.WriteByte(' ')
		case free && chars.IsSpace(c):
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	})
	return b.String()
}

// splitOutside splits a selector at a character outside of brackets and quotes.
func splitOutside(text, at string) []string {
	var parts []string
	start := 0
	outside(text, func(i int, free bool) {
		if free && text[i] == at[0] {
			parts = append(parts, text[start:i])
			start = i + 1
		}
	})
	return append(parts, text[start:])
}

// outside visits the bytes of a selector and says of each whether it is free:
// not escaped and outside of brackets and quotes.
func outside(text string, visit func(i int, free bool)) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			visit(i, false)
			i++
			visit(i, false)
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
			visit(i, false)
			continue
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		}
		visit(i, depth == 0 && quote == 0)
	}
}

// level is what is known, on the way down, of an element and those around it: for
// each chain a bit for every number of compounds that is matched.
type level struct {
	own       []uint64 // by the element
	ancestors []uint64 // by any element above it
	previous  []uint64 // by the element before it
	siblings  []uint64 // by any element before it with the same parent
}

// prepare finds the elements of a document that match a chain. It reports
// whether that could be done within the budget.
func (m *matcher) prepare(t *dom.Tree) bool {
	if len(m.chains) == 0 {
		return true
	}
	m.found = t.NewSet()
	if m.twins == nil {
		m.twins = mirror(t)
	}
	m.visit(t.Root, 0)
	return m.work >= 0
}

// visit looks at the children of an element that is depth levels down. Trees are
// no deeper than a few hundred levels.
func (m *matcher) visit(parent *dom.Node, depth int) {
	above := m.level(depth)
	below := m.level(depth + 1)
	clear(below.previous)
	clear(below.siblings)
	for k := range m.chains {
		below.ancestors[k] = above.ancestors[k] | above.own[k]
	}
	for n := parent.FirstChild; n != nil && m.work >= 0; n = n.NextSibling {
		if n.Type != dom.ElementNode {
			continue
		}
		m.weight = weigh(n)
		for k := range m.chains {
			below.own[k] = m.matched(n, k, above, below)
		}
		m.visit(n, depth+1)
		copy(below.previous, below.own)
		for k := range m.chains {
			below.siblings[k] |= below.own[k]
		}
	}
}

func (m *matcher) level(depth int) *level {
	for len(m.levels) <= depth {
		n := len(m.chains)
		bits := make([]uint64, 4*n)
		m.levels = append(m.levels, level{bits[:n], bits[n : 2*n], bits[2*n : 3*n], bits[3*n:]})
	}
	return &m.levels[depth]
}

// matched returns how many compounds of a chain an element matches, as bits.
func (m *matcher) matched(n *dom.Node, k int, above, below *level) (bits uint64) {
	c := &m.chains[k]
	m.work--
	for i := range c.compounds {
		if i > 0 {
			var before uint64
			switch c.joins[i-1] {
			case ' ':
				before = below.ancestors[k]
			case '>':
				before = above.own[k]
			case '+':
				before = below.previous[k]
			case '~':
				before = below.siblings[k]
			}
			if before&(1<<(i-1)) == 0 {
				continue
			}
		}
		if m.afford(n, &c.compounds[i]) && c.compounds[i].Match(m.twins[n.ID]) {
			bits |= 1 << i
		}
	}
	if bits&(1<<(len(c.compounds)-1)) != 0 {
		m.found.Add(n)
	}
	return bits
}

// afford takes what looking at an element costs from the budget, and reports
// whether that is enough.
func (m *matcher) afford(n *dom.Node, c *compound) bool {
	cost := m.weight
	if c.siblings {
		cost += m.countChildren(n.Parent)
	}
	if c.descendants {
		cost += m.countBeneath(n)
	}
	if c.nested {
		cost *= cost + len(m.levels)
	}
	m.work -= cost * c.conditions
	return m.work >= 0
}

// countChildren returns how many children an element has.
func (m *matcher) countChildren(parent *dom.Node) int {
	count, known := m.children[parent]
	if !known {
		for c := parent.FirstChild; c != nil; c = c.NextSibling {
			count++
		}
		m.children[parent] = count
	}
	return count
}

// weigh returns what it takes to look at a node: one step, and more for long
// attributes or a long text.
func weigh(n *dom.Node) int {
	size := len(n.Data)
	for i := range n.Attr {
		size += len(n.Attr[i].Val)
	}
	return 1 + max(0, size-512)/16
}

// countBeneath returns what the nodes beneath an element weigh, or a number that
// exceeds the budget.
func (m *matcher) countBeneath(n *dom.Node) int {
	count := 0
	for c := dom.Following(n, n, true); c != nil && count <= m.work; c = dom.Following(c, n, true) {
		count += weigh(c)
	}
	return count
}

// mirror copies a tree for the selectors of cascadia, which read trees of
// another make. It returns the copies by the IDs of the nodes.
func mirror(t *dom.Tree) []*html.Node {
	copies := make([]html.Node, t.Size)
	twins := make([]*html.Node, t.Size)
	var attributes []html.Attribute
	for n := t.Root; n != nil; n = dom.Following(n, t.Root, true) {
		c := &copies[n.ID]
		twins[n.ID] = c
		c.Type, c.DataAtom, c.Data = nodeTypes[n.Type], n.Atom, n.Data
		if cap(attributes)-len(attributes) < len(n.Attr) {
			attributes = make([]html.Attribute, 0, 256+len(n.Attr))
		}
		start := len(attributes)
		for _, a := range n.Attr {
			attributes = append(attributes, html.Attribute{Key: a.Key, Val: a.Val})
		}
		c.Attr = attributes[start:len(attributes):len(attributes)]
		if n.Parent != nil && n != t.Root {
			twins[n.Parent.ID].AppendChild(c)
		}
	}
	return twins
}

var nodeTypes = [...]html.NodeType{
	dom.DocumentNode: html.DocumentNode, dom.DoctypeNode: html.DoctypeNode, dom.ElementNode: html.ElementNode,
	dom.TextNode: html.TextNode, dom.CommentNode: html.CommentNode,
}
