package doc

import "github.com/trawlhq/trawl/document/tree"

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
			out = append(out, items(list[i:i+n]))
		case p.mayBeCode():
			for i+n < len(list) && list[i+n].depth <= depth && list[i+n].mayBeCode() {
				n++
			}
			if block := code(list[i : i+n]); block != nil {
				out = append(out, block)
				break
			}
			out = append(out, texts(list[i:i+n], depth)...)
		case p.role.Quote && p.heading == 0:
			for i+n < len(list) && list[i+n].depth <= depth && list[i+n].role.Quote && list[i+n].heading == 0 && !list[i+n].isItem {
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

func (p *paragraph) isBlank() bool { return len(p.spans) == 0 && len(p.boxes) == 0 }

// block returns a paragraph, or a heading outside of tables, and its text boxes.
func (p *paragraph) block(depth int) []tree.Block {
	if p.isBlank() {
		return nil
	}
	spans := tree.Trim(p.spans)
	var first tree.Block = &tree.Paragraph{Text: spans}
	if p.heading != 0 && depth == 0 {
		tree.PlainHeading(spans)
		if p.label != "" {
			spans = append([]tree.Span{{Text: p.label + " "}}, spans...)
		}
		first = &tree.Heading{Level: p.heading, Text: spans}
	}
	return append([]tree.Block{first}, p.boxes...)
}

// items makes a list of paragraphs.
func items(list []paragraph) *tree.List {
	var out []tree.LevelItem
	for i := range list {
		if p := &list[i]; !p.isBlank() {
			body := append([]tree.Block{&tree.Paragraph{Text: tree.Trim(p.spans)}}, p.boxes...)
			out = append(out, tree.LevelItem{Level: p.level, Item: tree.Item{Label: p.label, Check: p.check, Body: body}})
		}
	}
	return tree.Nest(out)
}
