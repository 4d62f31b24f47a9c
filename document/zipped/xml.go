package zipped

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxDepth = 256
	maxNodes = 5_000_000
	maxAttrs = 5_000_000
)

// Parse reads XML, in whatever encoding it declares. It forgives what office
// programs forgive: end tags that do not match, prefixes that are not declared,
// entities that nobody knows. What is nested too deep is left out, what comes after
// too many nodes as well; then, and if the text ends too early, there is an error
// beside the tree. Document type declarations are refused.
func Parse(body []byte) (*Node, error) { return parse(string(body)) }

func parse(body string) (*Node, error) {
	scanner, err := newScanner(body)
	if err != nil {
		return nil, err
	}
	p := &parser{Scanner: scanner, names: names{elements: map[string]string{}, attrs: map[string]string{}}}
	p.names.bindings = append(p.names.bindings, binding{"xml", "xml"})
	for kind := p.Next(); kind != AtEnd && p.fatal == nil; kind = p.Next() {
		switch kind {
		case AtOpen:
			p.start()
		case AtClose:
			p.end()
		case AtText:
			p.addText()
		}
	}
	switch {
	case p.err != nil:
		return nil, p.err
	case p.fatal != nil:
		return p.root, p.fatal
	case p.root == nil:
		return nil, fmt.Errorf("no element: %w", tree.ErrDamaged)
	case len(p.open) > 0:
		return p.root, fmt.Errorf("unexpected end: %w", tree.ErrDamaged)
	case p.tooDeep:
		return p.root, fmt.Errorf("nested too deep: %w", tree.ErrTooComplex)
	}
	return p.root, nil
}

// parser builds a tree of what a scanner reads.
type parser struct {
	*Scanner
	names   names
	root    *Node
	open    []frame
	skipped int // how many elements are open beyond the greatest depth
	tooDeep bool
	fatal   error // why reading stopped

	count     int
	nodes     []Node // room for more
	attrs     []Attr
	attrCount int
	attrBegin int // where in attrs those of the present element begin
}

// frame is an element that is open.
type frame struct {
	node, last *Node // and its last child
	raw        string
	bindings   int // how many there were before it
}

// addText adds text to the element that is open.
func (p *parser) addText() {
	if p.text == "" || len(p.open) == 0 || p.skipped > 0 {
		return
	}
	if n := p.add(); n != nil {
		n.Text = p.Content()
	}
}

// add adds a node to the element that is open, nil if there are too many.
func (p *parser) add() *Node {
	if p.count == maxNodes {
		p.fatal = fmt.Errorf("more than %d nodes: %w", maxNodes, tree.ErrTooComplex)
		return nil
	}
	p.count++
	if len(p.nodes) == 0 {
		p.nodes = make([]Node, min(max(16, p.count), 1024))
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	if len(p.open) == 0 {
		p.root = n
		return n
	}
	f := &p.open[len(p.open)-1]
	if f.last == nil {
		f.node.First = n
	} else {
		f.last.Next = n
	}
	f.last = n
	return n
}

// end closes an element. A tag that closes nothing is ignored, one that closes an
// outer element closes those within it.
func (p *parser) end() {
	if p.skipped > 0 {
		p.skipped--
		return
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i].raw == p.name {
			p.names.unbind(p.open[i].bindings)
			p.open = p.open[:i]
			return
		}
	}
}

// start opens an element.
func (p *parser) start() {
	bindings := len(p.names.bindings)
	p.attrBegin = len(p.attrs)
	p.attributes()
	switch {
	case p.skipped > 0 || len(p.open) == maxDepth:
		p.tooDeep = true
		p.skipped++
		p.attrs = p.attrs[:p.attrBegin]
		p.names.unbind(bindings)
		return
	case p.name == "" || len(p.open) == 0 && p.root != nil: // no name, or a second root
		p.empty = false
		p.names.unbind(bindings)
		return
	}
	n := p.add()
	if n == nil {
		return
	}
	n.Name = p.names.element(p.name)
	n.Attr = p.takeAttrs()
	if p.empty {
		p.empty = false
		p.names.unbind(bindings)
		return
	}
	p.open = append(p.open, frame{node: n, raw: p.name, bindings: bindings})
}

// takeAttrs gives the attributes that were just read their names, which the
// declarations among them may have changed.
func (p *parser) takeAttrs() []Attr {
	list := p.attrs[p.attrBegin:len(p.attrs):len(p.attrs)]
	for i := range list {
		list[i].Name = p.names.attr(list[i].Name)
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// attributes reads the attributes of a tag.
func (p *parser) attributes() {
	for rest := p.tag; rest != ""; {
		name, value, more, ok := attribute(rest)
		if !ok {
			return
		}
		p.attribute(name, unescape(value))
		rest = more
	}
}

func (p *parser) attribute(raw, value string) {
	if raw == "xmlns" {
		p.names.bind("", value)
		return
	}
	if prefix, ok := strings.CutPrefix(raw, "xmlns:"); ok {
		p.names.bind(prefix, value)
		return
	}
	if p.attrCount++; p.attrCount > maxAttrs {
		p.fatal = fmt.Errorf("more than %d attributes: %w", maxAttrs, tree.ErrTooComplex)
		return
	}
	if len(p.attrs) == cap(p.attrs) { // what was read stays where it is
		more := make([]Attr, 0, min(max(64, 2*cap(p.attrs)), 4096)+2*(len(p.attrs)-p.attrBegin))
		p.attrs = append(more, p.attrs[p.attrBegin:]...)
		p.attrBegin = 0
	}
	p.attrs = append(p.attrs, Attr{raw, value})
}

// unescape puts characters in place of their entities.
func unescape(s string) string {
	next := strings.IndexByte(s, '&')
	if next < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for next >= 0 {
		b.WriteString(s[:next])
		s = s[next:]
		n := strings.IndexByte(s[:min(len(s), 12)], ';')
		if r, ok := entity(s[1:max(n, 1)]); ok {
			b.WriteRune(r)
			s = s[n+1:]
		} else {
			b.WriteByte('&')
			s = s[1:]
		}
		next = strings.IndexByte(s, '&')
	}
	b.WriteString(s)
	return b.String()
}

func entity(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 31)
	if err != nil || n == 0 {
		return 0, false
	}
	return rune(n), true // WriteRune makes U+FFFD of what is no character
}
