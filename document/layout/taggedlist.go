package layout

import (
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// list reads a list. A list within it that is no part of an item belongs to the
// one before.
func (r *tagReader) list(e *Element, sink tagSink) {
	list := &tree.List{}
	var box Box
	for _, child := range e.Children {
		switch child.Type {
		case "LI", "TOCI":
			item, place := r.item(child)
			if item.Label != "" || len(item.Body) > 0 {
				list.Items = append(list.Items, item)
				box = tagUnion(box, place)
			}
		case "Caption":
			r.block(child, sink)
		default:
			var inner tagGroup
			r.blocks(&Element{Children: []*Element{child}}, inner.add)
			if n := len(list.Items); n > 0 {
				list.Items[n-1].Body = append(list.Items[n-1].Body, inner.blocks...)
			} else if len(inner.blocks) > 0 {
				list.Items = append(list.Items, tree.Item{Body: inner.blocks})
			}
			box = tagUnion(box, inner.box)
		}
	}
	if len(list.Items) > 0 {
		sink(tagBlock{Block: list, label: "list", box: box})
	}
}

// item reads an item of a list: its label, and what follows.
func (r *tagReader) item(e *Element) (tree.Item, Box) {
	var item tree.Item
	label := r.line()
	rest := &Element{Marks: e.Marks}
	for _, child := range e.Children {
		if child.Type == "Lbl" {
			label.element(child)
			continue
		}
		rest.Children = append(rest.Children, child)
	}
	for _, s := range label.take() {
		item.Label += s.Text
	}
	if !strings.ContainsFunc(item.Label, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || len(item.Label) > 20 {
		item.Label = "" // a bullet
	}
	var inner tagGroup
	r.blocks(rest, inner.add)
	item.Body = inner.blocks
	if len(item.Body) > 0 {
		trimBullet(item.Body[0])
	}
	return item, tagUnion(label.box, inner.box)
}

// trimBullet removes a bullet from the beginning of an item's text.
func trimBullet(b tree.Block) {
	if p, ok := b.(*tree.Paragraph); ok && len(p.Text) > 0 {
		p.Text[0].Text = strings.TrimLeft(p.Text[0].Text, "•◦▪●○■□–·\uf0b7\uf0a7 ")
	}
}

// tagMaxSpan bounds how many rows and columns a cell may take.
const tagMaxSpan = 1000
