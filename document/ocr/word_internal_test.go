package ocr

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const wordTable = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
	"1\t1\t0\t0\t0\t0\t0\t0\t1700\t2200\t-1\t\n" +
	"5\t1\t1\t1\t1\t1\t100\t100\t80\t30\t96.5\tAn\n" +
	"5\t1\t1\t1\t1\t2\t200\t108\t90\t30\t90\tapp\n" +
	"5\t1\t1\t1\t2\t1\t100\t160\t60\t28\t91\tÉté\n"

func TestGlyphs(t *testing.T) {
	t.Parallel()
	words, _ := parse([]byte(wordTable))
	list := glyphs(words, 0.36)
	var text strings.Builder
	for _, g := range list {
		text.WriteRune(g.Rune)
	}
	if text.String() != "AnappÉté" {
		t.Fatalf("text %q", text.String())
	}
	if list[0].X != 36 || list[0].Y != list[4].Y || list[0].Size != list[7].Size || list[0].Confidence != 96 {
		t.Errorf("first %+v, fifth %+v", list[0], list[4])
	}
	if list[0].Top > 36 || list[0].Bottom < 46 || list[1].Left != list[0].Right {
		t.Errorf("first at %+v, second at %+v", list[0].Box, list[1].Box)
	}
}

func FuzzWords(f *testing.F) {
	f.Add([]byte(wordTable))
	f.Add([]byte("5\t1\t1\t1\t1\t1\t-1\t1e9\t0\t30\tNaN\tx\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		words, _ := parse(table)
		for _, g := range glyphs(words, 0.36) {
			if !utf8.ValidRune(g.Rune) || !(g.Right >= g.Left) || !(g.Bottom >= g.Top) || !(g.Size > 0) {
				t.Fatalf("glyph %+v", g)
			}
		}
	})
}
