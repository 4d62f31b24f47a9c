package doc

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// blocks makes blocks of paragraphs that stand in tables of a depth, 0 for none.
func (r *reader) blocks(list []paragraph, depth int) []tree.Block {
	var out []tree.Block
	for i := 0; i < len(list); {
		n := 1
		switch p := &list[i]; {
		case p.depth > depth:
			for i+n < len(list) && list[i+n].depth > depth {
				n++
			}
			out = append(out, r.makeTable(list[i:i+n], depth+1)...)
		case p.isItem && p.heading == 0:
			for i+n < len(list) && list[i+n].depth <= depth && (list[i+n].isItem && list[i+n].heading == 0 || list[i+n].isBlank()) {
				n++
			}
			out = append(out, &tree.List{Items: items(list[i : i+n])})
		case p.mayBeCode():
			for i+n < len(list) && list[i+n].depth <= depth && list[i+n].mayBeCode() {
				n++
			}
			if block := code(list[i : i+n]); block != nil {
				out = append(out, block)
				break
			}
			out = append(out, texts(list[i:i+n], depth)...)
		case p.role.quote && p.heading == 0:
			for i+n < len(list) && list[i+n].depth <= depth && list[i+n].role.quote && list[i+n].heading == 0 && !list[i+n].isItem {
				n++
			}
			out = append(out, &tree.Quote{Body: texts(list[i:i+n], depth)})
		default:
			out = append(out, p.block(depth)...)
		}
		i += n
	}
	return out
}

func texts(list []paragraph, depth int) []tree.Block {
	var out []tree.Block
	for i := range list {
		out = append(out, list[i].block(depth)...)
	}
	return out
}

// text returns the spans of running text, which does not begin with space.
func (p *paragraph) text() []tree.Span {
	if len(p.spans) > 0 {
		p.spans[0].Text = strings.TrimLeft(p.spans[0].Text, " \t")
	}
	return p.spans
}

func (p *paragraph) isBlank() bool { return len(p.spans) == 0 && len(p.boxes) == 0 }

// block returns a paragraph, or a heading outside of tables, and its text boxes.
func (p *paragraph) block(depth int) []tree.Block {
	if p.isBlank() {
		return nil
	}
	var first tree.Block = &tree.Paragraph{Text: p.text()}
	if p.heading > 0 && depth == 0 {
		spans := plainHeading(p.text())
		if p.label != "" {
			spans = append([]tree.Span{{Text: p.label + " "}}, spans...)
		}
		first = &tree.Heading{Level: min(p.heading, 6), Text: spans}
	}
	return append([]tree.Block{first}, p.boxes...)
}

// plainHeading takes away what says no more than that it is a heading: bold letters,
// and other styles that all of it has.
func plainHeading(spans []tree.Span) []tree.Span {
	all := tree.Italic | tree.Underline
	for i := range spans {
		if strings.TrimSpace(spans[i].Text) != "" {
			all &= spans[i].Style
		}
	}
	for i := range spans {
		spans[i].Style &^= all | tree.Bold
	}
	return spans
}

// items makes a list of paragraphs, in which deeper ones belong to the one before.
func items(list []paragraph) []tree.Item {
	var out []tree.Item
	for i := 0; i < len(list); {
		p := &list[i]
		i++
		if p.isBlank() {
			continue
		}
		item := tree.Item{Label: p.label, Check: p.check, Body: []tree.Block{&tree.Paragraph{Text: p.text()}}}
		item.Body = append(item.Body, p.boxes...)
		n := i
		for n < len(list) && (list[n].level > p.level || list[n].isBlank()) {
			n++
		}
		if deeper := items(list[i:n]); len(deeper) > 0 {
			item.Body = append(item.Body, &tree.List{Items: deeper})
		}
		i = n
		out = append(out, item)
	}
	return out
}
