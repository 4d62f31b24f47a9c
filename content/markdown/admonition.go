package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// admonition is a note, warning or tip beside the text.
type admonition struct {
	title *dom.Node // nil if it has none
	name  string    // what its icon says instead
	body  *dom.Node // that the rest is in
}

// aside writes a block that may be an admonition: quoted, with its title bold.
func (w *writer) aside(n *dom.Node) {
	a, ok := admonitionOf(n)
	if !ok {
		w.plainBlock(n)
		return
	}
	w.block(2)
	var f frame
	if w.flat == flowing {
		f = w.push("> ", "> ")
	}
	outer := w.caption
	w.caption = a.title
	switch {
	case a.name != "":
		w.marks = append(w.marks, mark{kind: strong})
		w.text(a.name)
		w.closeMarks(len(w.marks) - 1)
		w.marks = w.marks[:len(w.marks)-1]
		w.block(2)
	case a.body != n && a.title != nil: // a cell beside the other
		w.node(a.title)
	}
	if !w.part.Drop.Has(a.body) {
		w.children(a.body)
	}
	w.caption = outer
	w.block(2)
	if w.flat == flowing {
		w.pop(f)
	}
}

// admonitionOf finds the parts of an admonition. The words that generators have
// for them are also used for other things, so all but the clearest need a title
// that says what they are.
func admonitionOf(n *dom.Node) (a admonition, ok bool) {
	first := firstElement(n)
	if first == nil {
		return a, false
	}
	if first.Is(atom.Table) {
		if a, ok = tableAdmonition(first); ok {
			return a, true
		}
	}
	sure := n.HasClass("admonition", "admonitionblock", "markdown-alert", "theme-admonition", "custom-block", "starlight-aside")
	a.body, a.title = n, admonitionTitle(n, sure)
	return a, sure || a.title != nil && n.ShortText(100) != a.title.ShortText(100)
}

// firstElement returns the first element in n that is seen, if nothing is before it.
func firstElement(n *dom.Node) *dom.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == dom.TextNode && !isWhite(c.Data):
			return nil
		case c.Type == dom.ElementNode && !dom.IsInvisible(c):
			return c
		}
	}
	return nil
}

// admonitionTitle returns the element at the start of n that is its title, or nil.
func admonitionTitle(n *dom.Node, sure bool) *dom.Node {
	steps := 0
	for c := n.FirstChild; c != nil && steps < 12; steps++ {
		switch {
		case c.Type == dom.TextNode && !isWhite(c.Data):
			return nil
		case c.Type == dom.ElementNode && isTitle(c, n, sure):
			return onlyHeading(c)
		}
		c = dom.Following(c, n, !dom.IsInvisible(c))
	}
	return nil
}

// isTitle reports whether the first element of an admonition is its title.
func isTitle(c, n *dom.Node, sure bool) bool {
	text := label(c)
	class := c.Get("class")
	switch {
	case text == "" || len(text) >= 60:
		return false
	case isAdmonitionName(text) || c.HasClass("admonition-title"):
		return true
	case sure:
		return headingLevel(c.Atom) > 0 || chars.ContainsFold(class, "title") || chars.ContainsFold(class, "heading")
	case headingLevel(c.Atom) > 0:
		return n.HasClass("note", "warning", "caution") || c.HasClass("title") && n.HasClass("tip", "important")
	}
	return n.HasClass("callout") && chars.ContainsFold(class, "callout-title")
}

// onlyHeading returns the heading that is all of an element, or else the element.
func onlyHeading(n *dom.Node) *dom.Node {
	if c := firstElement(n); c != nil && headingLevel(c.Atom) > 0 && c.NextElement() == nil {
		return c
	}
	return n
}

// isAdmonitionName reports whether a title says no more than what it is the title of.
func isAdmonitionName(text string) bool {
	switch strings.ToLower(strings.TrimRight(text, " :!")) {
	case "note", "notes", "warning", "tip", "caution", "important", "danger", "hint", "attention", "error", "info", "information",
		"remark", "see also", "notice", "do", "don't", "change", "hinweis", "achtung", "warnung", "tipp", "vorsicht", "wichtig",
		"remarque", "avertissement", "astuce", "conseil", "nota", "aviso", "advertencia", "consejo", "importante", "attenzione",
		"suggerimento", "внимание", "примечание", "замечание", "предупреждение", "совет", "注意", "注記", "備考", "警告", "ヒント", "重要", "提示",
		"备注", "참고", "주의", "경고":
		return true
	}
	return false
}

// tableAdmonition finds the parts of an admonition that a table lays out: an icon,
// maybe a title, and the text, as DocBook and Asciidoctor have them.
func tableAdmonition(table *dom.Node) (a admonition, ok bool) {
	var cells []*dom.Node
	for n := table.FirstChild; n != nil && len(cells) < 4; {
		cell := n.Atom == atom.Td || n.Atom == atom.Th
		if cell {
			cells = append(cells, n)
		}
		n = dom.Following(n, table, !cell)
	}
	if len(cells) < 2 || len(cells) > 3 || cells[0].Atom != atom.Td {
		return a, false
	}
	a.body = cells[len(cells)-1]
	a.name = iconName(cells[0])
	switch {
	case len(cells) == 3 && cells[1].Atom == atom.Th:
		a.title, a.name = cells[1], ""
		return a, holdsImage(cells[0])
	case len(cells) == 2 && cells[0].HasClass("icon") && a.name == "":
		a.title = firstElement(cells[0])
		return a, a.title != nil
	}
	return a, len(cells) == 2 && a.name != ""
}

// iconName returns what the picture in a cell says, if there is nothing else.
func iconName(cell *dom.Node) string {
	if label(cell) != "" {
		return ""
	}
	return strings.Trim(nameOfLink(cell), "[]")
}
