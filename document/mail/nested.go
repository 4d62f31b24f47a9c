package mail

import "github.com/trawlhq/trawl/document/tree"

// lower puts the headings of an attachment below its name.
func lower(blocks []tree.Block, level int) {
	walk(blocks, func(b tree.Block) {
		if h, ok := b.(*tree.Heading); ok {
			h.Level = min(max(h.Level, 1)+level, 6)
		}
	})
}

// rename gives the notes that spans refer to other names.
func rename(blocks []tree.Block, prefix string) {
	walk(blocks, func(b tree.Block) {
		var text []tree.Span
		switch b := b.(type) {
		case *tree.Heading:
			text = b.Text
		case *tree.Paragraph:
			text = b.Text
		}
		for i := range text {
			if text[i].Note != "" {
				text[i].Note = prefix + text[i].Note
			}
		}
	})
}

// walk visits all blocks, also those in others.
func walk(blocks []tree.Block, visit func(tree.Block)) {
	for _, b := range blocks {
		visit(b)
		switch b := b.(type) {
		case *tree.Quote:
			walk(b.Body, visit)
		case *tree.Group:
			walk(b.Body, visit)
		case *tree.List:
			for i := range b.Items {
				walk(b.Items[i].Body, visit)
			}
		case *tree.Table:
			for i := range b.Rows {
				for j := range b.Rows[i].Cells {
					walk(b.Rows[i].Cells[j].Body, visit)
				}
			}
		}
	}
}
