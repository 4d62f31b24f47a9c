package pdfium_test

import (
	"errors"
	"testing"

	"github.com/trawlhq/trawl/document/pdfium/pdftest"
	"github.com/trawlhq/trawl/document/tree"
)

// Whatever a file has, it is read or refused with one of the errors that say why.
func FuzzOpen(f *testing.F) {
	started(f) // a single input has ten seconds, and the library may take longer to compile
	rich := pdftest.File{Pages: []pdftest.Page{{
		Content: pdftest.Marked(0, pdftest.Text("F2", 16, 72, 720, "A heading")) + pdftest.Text("F3", 11, 72, 690, "Some (text).") + pdftest.Box(72, 700, 468, 0.5),
		Tags:    []*pdftest.Tag{{Type: "P", Marks: []int{0}}},
		Links:   []pdftest.Link{{Right: 50, Top: 50, URI: "https://example.com/"}},
	}}}
	f.Add(rich.Bytes())
	turned := pdftest.File{Pages: []pdftest.Page{{Rotate: 90, Content: "q 2 0 0 2 0 0 cm /Fm1 Do Q", Form: "BT /F1 9 Tf 0 1 -1 0 9 9 Tm (a) Tj ET 1 w 0 0 m 9 0 l S"}}}
	f.Add(turned.Bytes())
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := started(t).Open(t.Context(), body)
		if err != nil {
			check(t, err)
			return
		}
		defer d.Close()
		for i := range min(d.Pages(), 3) {
			p, err := d.Page(i)
			if err != nil {
				check(t, err)
				continue
			}
			for _, g := range p.Glyphs {
				if int(g.Font) >= len(p.Fonts) && !g.Generated || !(g.Right >= g.Left) || !(g.Bottom >= g.Top) || g.Turn > 3 {
					t.Fatalf("glyph %+v", g)
				}
			}
		}
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, tree.ErrDamaged) && !errors.Is(err, tree.ErrEncrypted) && !errors.Is(err, tree.ErrTooComplex) {
		t.Errorf("error %v", err)
	}
}
