package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// join joins paragraphs that go on over a page, where this can be told from the
// words alone: pages that are read by their structure tree know nothing of the next.
func join(pages []tree.Page) {
	var open *tree.Paragraph
	for i := range pages {
		if pages[i].Status == tree.PageEmpty {
			continue
		}
		for len(pages[i].Blocks) > 0 {
			next := running(&pages[i].Blocks[0])
			if open == nil || next == nil || !goesOn(open.Text, next.Text) {
				break
			}
			open.Text = concat(open.Text, next.Text)
			pages[i].Blocks = pages[i].Blocks[1:]
		}
		if len(pages[i].Blocks) > 0 || pages[i].Status != tree.PageText {
			open = last(pages[i].Blocks)
		}
	}
}

// running returns a block if it is a paragraph of running text.
func running(b *tree.Placed) *tree.Paragraph {
	if p, ok := b.Block.(*tree.Paragraph); ok && b.Label == "text" && len(p.Text) > 0 {
		return p
	}
	return nil
}

// last returns the last paragraph of a page, apart from what stands below the text;
// nil if another block ends it.
func last(blocks []tree.Placed) *tree.Paragraph {
	for i := len(blocks) - 1; i >= 0; i-- {
		if label := blocks[i].Label; label != "footnote" && label != "caption" && label != "picture" {
			return running(&blocks[i])
		}
	}
	return nil
}

// goesOn reports whether a text goes on with another: in the middle of a sentence.
func goesOn(a, b []tree.Span) bool {
	end, _ := utf8.DecodeLastRuneInString(a[len(a)-1].Text)
	begin, _ := utf8.DecodeRuneInString(b[0].Text)
	return unicode.IsLower(begin) && (unicode.IsLetter(end) || unicode.IsDigit(end) || strings.ContainsRune(",-–)", end))
}

// concat puts two texts together, with the word whole that a hyphen parted.
func concat(a, b []tree.Span) []tree.Span {
	end := &a[len(a)-1]
	if whole, parted := strings.CutSuffix(end.Text, "-"); parted {
		end.Text = whole
	} else {
		end.Text += " "
	}
	if end.Style == b[0].Style && end.Link == b[0].Link {
		end.Text += b[0].Text
		b = b[1:]
	}
	return append(a, b...)
}
