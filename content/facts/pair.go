package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of pairs, in bytes.
const (
	maxLabel     = 60
	maxPairValue = 1000
	maxParagraph = 160 // of a label and its value
)

// pair notes a pair, if it is one: a label is short and says something.
func (r *reader) pair(name, value string) {
	name = strings.TrimSpace(strings.TrimRight(name, ":： "))
	value = strings.TrimSpace(value)
	if name == "" || value == "" || len(name) > maxLabel || len(value) >= maxPairValue || strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return
	}
	if len(r.facts.Pairs) >= maxPairs {
		r.facts.Cut = true
		return
	}
	r.facts.Pairs = append(r.facts.Pairs, Pair{name, value})
}

// definitions reads a definition list: every dd belongs to the dt before it.
// They may be grouped with div.
func (r *reader) definitions(list *dom.Node) {
	label := ""
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if !c.Is(atom.Div) {
			label = r.definition(c, label)
			continue
		}
		for in := c.FirstChild; in != nil; in = in.NextSibling {
			label = r.definition(in, label)
		}
	}
}

// definition reads a dt or dd, and returns the label for what follows.
func (r *reader) definition(n *dom.Node, label string) string {
	switch {
	case n.Is(atom.Dt):
		return r.text(n, maxLabel+10)
	case n.Is(atom.Dd) && label != "":
		r.pair(label, r.lines(n, maxPairValue))
	}
	return label
}

// labels reads "Label: value" from a list item or paragraph: with bold labels,
// several if there are more; else a plain one.
func (r *reader) labels(n *dom.Node) {
	label, value, bold := "", "", false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Is(atom.Ul) || c.Is(atom.Ol) || c.Is(atom.Table) || c.Is(atom.P) || c.Is(atom.Dl):
			c = n.LastChild // blocks are read for themselves
		case (c.Is(atom.B) || c.Is(atom.Strong)) && r.isLabel(c):
			r.pair(label, value)
			label, value, bold = r.text(c, maxLabel+10), "", true
		case c.Is(atom.Br):
			r.pair(label, value)
			label, value = "", ""
		case label != "" && len(value) < maxPairValue:
			if c.Type == dom.TextNode {
				value += chars.Truncate(c.Data, maxPairValue)
			} else if !unread(c) {
				value += r.text(c, maxPairValue)
			}
			value = strings.TrimLeft(value, ":： \n\t")
		}
	}
	r.pair(label, chars.Collapse(value))
	if !bold {
		r.plainLabel(n)
	}
}

// isLabel reports whether a bold element and what follows have a colon between them.
func (r *reader) isLabel(n *dom.Node) bool {
	if n.NextSibling != nil && n.NextSibling.Type == dom.TextNode {
		if next := strings.TrimSpace(chars.Truncate(n.NextSibling.Data, 100)); strings.HasPrefix(next, ":") || strings.HasPrefix(next, "：") {
			return true
		}
	}
	text := r.text(n, maxLabel+10)
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// plainLabel reads a list item or paragraph that is one pair. One that begins
// with a link is an entry of a menu, and its colon a part of the title. A
// paragraph has to be one short line: others are prose.
func (r *reader) plainLabel(n *dom.Node) {
	most, words := maxLabel+maxPairValue, 5
	if n.Is(atom.P) {
		most, words = maxParagraph, 4
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.Ul) || c.Is(atom.Ol) || c.Is(atom.A) && c.PreviousElement() == nil && blank(c.PrevSibling) {
			return
		}
		if n.Is(atom.P) && (c.Is(atom.B) || c.Is(atom.Strong)) {
			return // it would have been the label
		}
	}
	text := r.lines(n, most+1)
	if n.Is(atom.P) && (strings.Contains(text, "\n") || len(text) > most) {
		return
	}
	text = strings.ReplaceAll(text, "\n", " ")
	at := strings.IndexAny(text, ":：")
	if at <= 0 || at > maxLabel || strings.Count(text[:at], " ") >= words {
		return
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	if value := text[at+size:]; size > 1 || strings.HasPrefix(value, " ") {
		r.pair(text[:at], value)
	}
}

// blank reports whether a node is nothing or white space.
func blank(n *dom.Node) bool {
	return n == nil || n.Type == dom.TextNode && strings.TrimSpace(n.Data) == ""
}
