package markdown

import (
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// term writes what a definition, a section that folds or a note is about.
func (w *writer) term(n *dom.Node) {
	if c := n.FirstChild; c != nil && headingLevel(c.Atom) > 0 {
		w.plainBlock(n)
		return
	}
	w.block(2)
	w.marked(n, mark{kind: strong})
	w.block(2)
}

// definitions writes a list of terms and what they mean. Those that are notes are
// quoted.
func (w *writer) definitions(n *dom.Node) {
	note := w.flat == flowing && roleOf(n.Get("class")) == aside
	var f frame
	w.block(2)
	if note {
		f = w.push("> ", "> ")
	}
	w.children(n)
	w.termAt = -1
	w.block(2)
	if note {
		w.pop(f)
	}
}

// definitionTerm writes a term. If text follows, it is the next line of the same
// paragraph, so that terms stay with what they mean.
func (w *writer) definitionTerm(n *dom.Node) {
	before := len(w.out)
	if isSignature(n) {
		w.signature(n)
	} else {
		w.term(n)
	}
	if w.termAt = -1; len(w.out) > before && w.closedAt == len(w.out) && w.flat == flowing && !standsAlone(n) {
		w.termAt = len(w.out)
	}
}

// standsAlone reports whether a term is the title of a note, or has blocks that
// text cannot go on.
func standsAlone(dt *dom.Node) bool {
	if roleOf(dt.Parent.Get("class")) == aside {
		return true
	}
	steps := 0
	for n := dt.FirstChild; n != nil && steps < 50; n = dom.Following(n, dt, true) {
		switch n.Atom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl, atom.Pre, atom.Table, atom.Blockquote:
			return true
		}
		steps++
	}
	return false
}

// isSignature reports whether a term is that of a function or the like, in
// documentation made by Sphinx.
func isSignature(dt *dom.Node) bool {
	if dt.HasClass("sig") {
		return true
	}
	steps := 0
	for c := dt.FirstChild; c != nil && steps < 10; c = c.NextSibling {
		if c.Type == dom.ElementNode && c.HasClass("descname", "sig-name") {
			return true
		}
		steps++
	}
	return false
}

// signature writes a signature as code, and the link to its source behind it.
func (w *writer) signature(dt *dom.Node) {
	c := codeReader{part: &w.part, out: w.scratch[:0]}
	for n := dt.FirstChild; n != nil; n = n.NextSibling {
		switch {
		case w.part.Drop.Has(n) || isAside(n):
		case n.Type == dom.TextNode:
			c.text(n.Data)
		case n.Type == dom.ElementNode:
			c.element(n, 0)
		}
	}
	w.scratch = c.out
	w.block(2)
	w.marks = append(w.marks, mark{kind: strong})
	w.span(collapse(c.out))
	w.closeMarks(len(w.marks) - 1)
	w.marks = w.marks[:len(w.marks)-1]
	for n := dt.FirstChild; n != nil; n = n.NextSibling {
		if isAside(n) {
			w.space = true
			w.node(n)
		}
	}
	w.block(2)
}

// isAside reports whether a link beside a signature leads to its source or to itself.
func isAside(n *dom.Node) bool {
	if !n.Is(atom.A) {
		return false
	}
	first := n.FirstChild
	return isPermalink(n, true) || n.HasClass("reference") && first != nil && first.Type == dom.ElementNode && first.HasClass("viewcode-link")
}
