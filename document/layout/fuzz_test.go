package layout_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/tree"
)

// soup makes a page of random bytes: glyphs, rules, fills, pictures and links
// anywhere.
func soup(data []byte) *layout.Page {
	s := newSheet(1)
	for len(data) >= 8 {
		kind, c := data[0], data[1]
		x := float32(int16(binary.LittleEndian.Uint16(data[2:]))) / 40
		y := float32(int16(binary.LittleEndian.Uint16(data[4:]))) / 40
		w, h := float32(data[6])/2, float32(data[7])/4
		box := layout.Box{Left: x, Top: y, Right: x + w, Bottom: y + h}
		switch kind % 16 {
		case 0:
			s.Rules = append(s.Rules, box)
		case 1:
			s.Fills = append(s.Fills, box)
		case 2:
			s.Pictures = append(s.Pictures, box)
		case 3:
			s.Links = append(s.Links, layout.Link{Box: box, URI: "https://example.com/"})
		case 4:
			s.Glyphs = append(s.Glyphs, layout.Glyph{Box: box, X: x, Y: float32(math.NaN()), Size: h, Rune: 'n'})
		case 5:
			s.put(x, y, h, int(c%5), "1. Some text with words")
		default:
			runes := []rune("aeiouAB •-.12(שم漢́ \u0002\ufffd")
			s.Glyphs = append(s.Glyphs, layout.Glyph{
				Box: box, X: x, Y: y + h, Size: h, Rune: runes[int(c)%len(runes)], Font: uint16(kind % 7), Turn: kind / 64 * (c % 2), Mark: -1,
				Generated: kind%32 == 31, Hidden: kind%32 == 30, Confidence: c,
			})
		}
		data = data[8:]
	}
	return &s.Page
}

func FuzzBuilder(f *testing.F) {
	f.Add([]byte("some bytes that are enough for a glyph"))
	f.Add([]byte{5, 0, 0, 10, 0, 20, 1, 40, 5, 1, 0, 10, 0, 22, 1, 40, 0, 0, 0, 8, 0, 19, 200, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		page := soup(data)
		layout.Readable(page)
		b := layout.NewBuilder()
		b.Add(page)
		b.Add(page)
		pages, notes := b.Finish()
		if len(pages) != 2 {
			t.Fatalf("%d pages", len(pages))
		}
		for _, placed := range pages[0].Blocks {
			for _, at := range placed.Box {
				if !(at >= 0 && at <= 1) {
					t.Fatalf("box %v", placed.Box)
				}
			}
		}
		tree.Write(&tree.Document{Pages: pages, Notes: notes}, 1<<20)
	})
}

// paper is a page as papers have them: a title, two columns, a table.
func paper(number int) *sheet {
	s := newSheet(number)
	s.put(50, 60, 18, bold, fmt.Sprintf("Heading of page %d", number))
	s.prose(50, 90, 9, 240, "a", 60)
	s.prose(310, 90, 9, 240, "b", 40)
	xs := []float32{315, 400, 470}
	for i := range 12 {
		y := 540 + float32(i)*14
		s.rule(310, y+4, 550, y+4.5)
		s.cells(xs, y, 14, "Name|12.5|red")
	}
	return s
}

func BenchmarkBuilder(b *testing.B) {
	s := paper(1)
	b.ReportMetric(float64(len(s.Glyphs)), "glyphs/page")
	for b.Loop() {
		l := layout.NewBuilder()
		for range 20 {
			l.Add(&s.Page)
		}
		l.Finish()
	}
	b.ReportMetric(float64(b.N*20)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkCrowded reads a page with as many glyphs as a page may have.
func BenchmarkCrowded(b *testing.B) {
	s := newSheet(1)
	for i := range 2_000_000 {
		x, y := float32(i*7919%60000)/100, float32(i*104729%80000)/100
		s.Glyphs = append(s.Glyphs, layout.Glyph{Box: layout.Box{Left: x, Top: y - 4, Right: x + 2, Bottom: y + 1}, X: x, Y: y, Size: 5, Rune: 'a' + rune(i%26), Mark: -1})
	}
	for b.Loop() {
		l := layout.NewBuilder()
		l.Add(&s.Page)
		l.Finish()
	}
}
