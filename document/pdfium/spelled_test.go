package pdfium_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/pdfium/pdftest"
)

// Letters that the file gives for a shape share the place of that shape, whatever
// their widths in the font are.
func TestSpelledOut(t *testing.T) {
	t.Parallel()
	content := "BT /F1 20 Tf 100 700 Td (o) Tj /Span <</ActualText (ffi)>> BDC 11.12 0 Td (M) Tj EMC 16.66 0 Td (ce) Tj ET"
	glyphs, text := drawn(page(t, pdftest.Page{Content: content}))
	if text != "office" {
		t.Fatalf("text %q", text)
	}
	for i := 1; i < len(glyphs); i++ {
		if before, g := glyphs[i-1], glyphs[i]; g.Left-before.Right > 0.1*g.Size || before.Right-g.Left > 0.1*g.Size {
			t.Errorf("%c ends at %g, %c begins at %g", before.Rune, before.Right, g.Rune, g.Left)
		}
	}
}

// Fonts that TeX wrote as bitmaps say nothing of what their characters mean, but have
// one of TeX's encodings.
func TestBitmapFont(t *testing.T) {
	t.Parallel()
	prose := pdftest.Text("F6", 10, 72, 700, "The heart of the matter can be shown with a simple example of it\\")
	for _, test := range []struct{ name, content, text string }{
		{"ligatures", prose + pdftest.Text("F6", 10, 72, 680, "e\016cient o\013er"), "e\uFB03cient o\uFB00er"},
		{"quotes", prose + pdftest.Text("F6", 10, 72, 680, "it`s"), "it‘s"},
		{"umlauts", prose + pdftest.Text("F6", 10, 72, 680, "f\374r \034ve"), "für \uFB01ve"},
		{"another order of letters", pdftest.Text("F6", 10, 72, 700, strings.Repeat("xqzv wkrt mnbc ", 6)), "\uFFFD\uFFFD\uFFFD\uFFFD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			for _, g := range page(t, pdftest.Page{Content: test.content}).Glyphs {
				text.WriteRune(g.Rune)
			}
			if !strings.Contains(text.String(), test.text) || strings.Contains(text.String(), "xqzv") {
				t.Errorf("text %q, want %q in it", text.String(), test.text)
			}
		})
	}
}
