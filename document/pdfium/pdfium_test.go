package pdfium_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/pdfium"
	"github.com/trawlhq/trawl/document/pdfium/pdftest"
	"github.com/trawlhq/trawl/document/tree"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine is that of all tests.
var engine = sync.OnceValues(func() (*pdfium.Engine, error) {
	return pdfium.Start(context.Background(), pdftest.Cache())
})

func started(t testing.TB) *pdfium.Engine {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func open(t testing.TB, file pdftest.File) *pdfium.Document {
	t.Helper()
	d, err := started(t).Open(t.Context(), file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// page reads the only page of a file.
func page(t testing.TB, p pdftest.Page) *layout.Page {
	t.Helper()
	got, err := open(t, pdftest.File{Pages: []pdftest.Page{p}}).Page(0)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// drawn returns the glyphs of a page that are not generated, and their text.
func drawn(p *layout.Page) (glyphs []layout.Glyph, text string) {
	for _, g := range p.Glyphs {
		if !g.Generated {
			glyphs = append(glyphs, g)
			text += string(g.Rune)
		}
	}
	return glyphs, text
}

// near reports whether numbers are about the same.
func near(a, b float32) bool { return a-b < 0.6 && b-a < 0.6 }

func nearBox(a, b layout.Box) bool {
	return near(a.Left, b.Left) && near(a.Top, b.Top) && near(a.Right, b.Right) && near(a.Bottom, b.Bottom)
}

func TestGlyph(t *testing.T) {
	t.Parallel()
	p := page(t, pdftest.Page{Content: pdftest.Text("F2", 20, 100, 700, "AB")})
	if p.Number != 1 || p.Width != 612 || p.Height != 792 {
		t.Errorf("page %d is %g × %g", p.Number, p.Width, p.Height)
	}
	glyphs, text := drawn(p)
	if text != "AB" {
		t.Fatalf("text %q", text)
	}
	a, b := glyphs[0], glyphs[1]
	if !near(a.X, 100) || !near(a.Y, 92) || a.Size != 20 || a.Turn != 0 || a.Mark != -1 || a.Hidden {
		t.Errorf("A is %+v", a)
	}
	if !near(a.Right, b.Left) || !near(a.Right-a.Left, 0.722*20) || !near(a.Bottom-a.Top, 20) || a.Top > a.Y || a.Bottom < a.Y {
		t.Errorf("A is at %+v, B at %+v", a.Box, b.Box)
	}
	if f := p.Fonts[a.Font]; f.Name != "Helvetica-Bold" || !f.Bold || f.Italic || f.Mono {
		t.Errorf("font %+v", f)
	}
}

// Whatever turns the page or the text, the glyphs are where the reader sees them.
func TestTurned(t *testing.T) {
	t.Parallel()
	const right = "BT /F1 20 Tf 1 0 0 1 100 200 Tm (AB) Tj ET"
	tests := map[string]struct {
		page pdftest.Page
		x, y float32 // of A
		turn uint8
		dx   float32 // direction from A to B
		dy   float32
	}{
		"upright":         {pdftest.Page{Content: right}, 100, 592, 0, 1, 0},
		"page by 90":      {pdftest.Page{Content: right, Rotate: 90}, 200, 100, 1, 0, 1},
		"page by 180":     {pdftest.Page{Content: right, Rotate: 180}, 512, 200, 2, -1, 0},
		"page by 270":     {pdftest.Page{Content: right, Rotate: 270}, 592, 512, 3, 0, -1},
		"cropped":         {pdftest.Page{Content: right, Crop: "50 50 300 400"}, 50, 200, 0, 1, 0},
		"cropped, by 90":  {pdftest.Page{Content: right, Crop: "50 50 300 400", Rotate: 90}, 150, 50, 1, 0, 1},
		"text upwards":    {pdftest.Page{Content: "BT /F1 20 Tf 0 1 -1 0 100 200 Tm (AB) Tj ET"}, 100, 592, 3, 0, -1},
		"text downwards":  {pdftest.Page{Content: "BT /F1 20 Tf 0 -1 1 0 100 200 Tm (AB) Tj ET"}, 100, 592, 1, 0, 1},
		"text upside":     {pdftest.Page{Content: "BT /F1 20 Tf -1 0 0 -1 100 200 Tm (AB) Tj ET"}, 100, 592, 2, -1, 0},
		"both turned":     {pdftest.Page{Content: "BT /F1 20 Tf 0 1 -1 0 100 200 Tm (AB) Tj ET", Rotate: 90}, 200, 100, 0, 1, 0},
		"negative size":   {pdftest.Page{Content: "BT /F1 -20 Tf -1 0 0 -1 100 200 Tm (AB) Tj ET"}, 100, 592, 0, 1, 0},
		"scaled":          {pdftest.Page{Content: "q 2 0 0 2 0 0 cm BT /F1 10 Tf 50 100 Td (AB) Tj ET Q"}, 100, 592, 0, 1, 0},
		"in a form":       {pdftest.Page{Content: "q 2 0 0 2 20 40 cm /Fm1 Do Q", Form: "BT /F1 10 Tf 40 80 Td (AB) Tj ET"}, 100, 592, 0, 1, 0},
		"narrow by scale": {pdftest.Page{Content: "BT /F1 20 Tf 50 Tz 1 0 0 1 100 200 Tm (AB) Tj ET"}, 100, 592, 0, 0.5, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			glyphs, text := drawn(page(t, test.page))
			if text != "AB" {
				t.Fatalf("text %q", text)
			}
			a, b := glyphs[0], glyphs[1]
			if !near(a.X, test.x) || !near(a.Y, test.y) || a.Turn != test.turn || !near(a.Size, 20) {
				t.Errorf("A at %g, %g, turn %d, size %g", a.X, a.Y, a.Turn, a.Size)
			}
			step := float32(0.667 * 20)
			if !near(b.X, test.x+test.dx*step) || !near(b.Y, test.y+test.dy*step) {
				t.Errorf("B at %g, %g", b.X, b.Y)
			}
			along, across := a.Right-a.Left, a.Bottom-a.Top
			if a.Turn%2 == 1 {
				along, across = across, along
			}
			if want := step * max(test.dx, -test.dx, test.dy, -test.dy); along < want-1.5 || along > want+0.6 || !near(across, 20) {
				t.Errorf("box of A is %g along and %g across", along, across)
			}
		})
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	p := page(t, pdftest.Page{Content: pdftest.Text("F1", 10, 72, 700, "a") + pdftest.Text("F4", 10, 72, 680, "b") +
		pdftest.Text("F5", 10, 72, 660, "c") + "BT 3 Tr /F1 10 Tf 72 640 Td (d) Tj ET\n"})
	glyphs, text := drawn(p)
	if text != "abcd" {
		t.Fatalf("text %q", text)
	}
	if f := p.Fonts[glyphs[0].Font]; f.Mono || f.Italic || f.Bold {
		t.Errorf("Helvetica is %+v", f)
	}
	if f := p.Fonts[glyphs[1].Font]; !f.Mono {
		t.Errorf("Courier is %+v", f)
	}
	if f := p.Fonts[glyphs[2].Font]; !f.Italic {
		t.Errorf("Helvetica-Oblique is %+v", f)
	}
	if glyphs[2].Hidden || !glyphs[3].Hidden {
		t.Error("not only the text that is not painted is hidden")
	}
}

// A space that is only a distance is told from one that is drawn.
func TestGenerated(t *testing.T) {
	t.Parallel()
	p := page(t, pdftest.Page{Content: "BT /F1 10 Tf 72 700 Td [(one) -400 (two three)] TJ ET"})
	var generated, drawn int
	for _, g := range p.Glyphs {
		if g.Rune == ' ' && g.Generated {
			generated++
		} else if g.Rune == ' ' {
			drawn++
		}
	}
	if generated != 1 || drawn != 1 {
		t.Errorf("%d generated spaces and %d drawn ones", generated, drawn)
	}
}

func TestDrawings(t *testing.T) {
	t.Parallel()
	picture := image.NewGray(image.Rect(0, 0, 2, 2))
	p := page(t, pdftest.Page{
		Content: "1 w 100 700 m 300 700 l S\n" + // a line
			"2 w 50 100 100 50 re S\n" + // a frame
			"0.8 g 400 400 80 20 re f\n" + // a shaded cell
			pdftest.Box(100, 300, 200, 0.5) + // a line that is filled
			"1 g 10 10 100 100 re f\n" + // white on white
			"100 600 50 50 re n\n" + // nothing
			"1 0 0 1 0 0 cm 0 0 m 200 300 l S\n" + // slanted
			"q 100 0 0 60 200 500 cm /Im1 Do Q\n" +
			"q 2 0 0 2 10 10 cm /Fm1 Do Q\n",
		Form:  "1 w 100 50 m 150 50 l S",
		Image: picture,
	})
	rules := []layout.Box{
		{Left: 100, Top: 91.5, Right: 300, Bottom: 92.5},
		{Left: 50, Top: 691, Right: 150, Bottom: 693}, {Left: 149, Top: 642, Right: 151, Bottom: 692},
		{Left: 50, Top: 641, Right: 150, Bottom: 643}, {Left: 49, Top: 642, Right: 51, Bottom: 692},
		{Left: 100, Top: 491.5, Right: 300, Bottom: 492},
		{Left: 210, Top: 681, Right: 310, Bottom: 683}, // in the form, twice as large
	}
	for _, want := range rules {
		found := false
		for _, rule := range p.Rules {
			found = found || nearBox(rule, want)
		}
		if !found {
			t.Errorf("no rule at %+v", want)
		}
	}
	if len(p.Rules) != len(rules) {
		t.Errorf("rules %+v", p.Rules)
	}
	if want := (layout.Box{Left: 400, Top: 372, Right: 480, Bottom: 392}); len(p.Fills) != 1 || !nearBox(p.Fills[0], want) {
		t.Errorf("fills %+v", p.Fills)
	}
	if want := (layout.Box{Left: 200, Top: 232, Right: 300, Bottom: 292}); len(p.Pictures) != 1 || !nearBox(p.Pictures[0], want) {
		t.Errorf("pictures %+v", p.Pictures)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	p := page(t, pdftest.Page{Links: []pdftest.Link{{Left: 72, Bottom: 690, Right: 172, Top: 710, URI: "https://example.com/a"}}})
	want := layout.Link{Box: layout.Box{Left: 72, Top: 82, Right: 172, Bottom: 102}, URI: "https://example.com/a"}
	if len(p.Links) != 1 || p.Links[0] != want {
		t.Errorf("links %+v", p.Links)
	}
}

// What is filled into a form is read with the page, however often, and links stay.
func TestField(t *testing.T) {
	t.Parallel()
	d := open(t, pdftest.File{Pages: []pdftest.Page{{
		Content: pdftest.Text("F1", 10, 72, 700, "Name:"),
		Field:   pdftest.Text("F1", 10, 2, 5, "Ada"),
		Links:   []pdftest.Link{{Left: 72, Bottom: 690, Right: 172, Top: 710, URI: "https://example.com/a"}},
	}}})
	for range 2 {
		p, err := d.Page(0)
		if err != nil {
			t.Fatal(err)
		}
		glyphs, text := drawn(p)
		if text != "Name:Ada" {
			t.Fatalf("text %q", text)
		}
		if a := glyphs[5]; !near(a.X, 102) || !near(a.Y, 687) {
			t.Errorf("field at %g, %g", a.X, a.Y)
		}
		if len(p.Links) != 1 {
			t.Errorf("links %+v", p.Links)
		}
	}
}

func TestStructure(t *testing.T) {
	t.Parallel()
	p := page(t, pdftest.Page{
		Content: pdftest.Marked(0, pdftest.Text("F1", 10, 72, 700, "one ")) + pdftest.Marked(1, pdftest.Text("F1", 10, 100, 700, "two ")) +
			pdftest.Marked(2, pdftest.Text("F1", 10, 130, 700, "three")),
		Tags: []*pdftest.Tag{
			{Type: "P", Extra: "/Lang (de)", Marks: []int{0}, Children: []*pdftest.Tag{{Type: "Link", Marks: []int{1}}}},
			{Type: "Table", Children: []*pdftest.Tag{{Type: "TR", Children: []*pdftest.Tag{
				{Type: "TH", Extra: "/A<</O/Table/ColSpan 2/RowSpan 3>>", Marks: []int{2}}, {Type: "TD"},
			}}}},
			{Type: "Figure", Extra: "/Alt (a cat)"},
		},
	})
	if p.Root == nil {
		t.Fatal("no structure")
	}
	if got, want := describe(p.Root), "Document(P[de](Span{0} Link{1}) Table(TR(TH2x3{2} TD)))"; got != want {
		t.Errorf("structure\n%s, not\n%s", got, want)
	}
	if glyphs, _ := drawn(p); glyphs[0].Mark != 0 || glyphs[len(glyphs)-1].Mark != 2 {
		t.Errorf("marks %d to %d", glyphs[0].Mark, glyphs[len(glyphs)-1].Mark)
	}
}

func describe(e *layout.Element) string {
	s := e.Type
	if e.Lang != "" {
		s += "[" + e.Lang + "]"
	}
	if e.Columns > 0 {
		s += fmt.Sprintf("%dx%d", e.Columns, e.Rows)
	}
	if len(e.Marks) > 0 {
		s += strings.ReplaceAll(strings.ReplaceAll(fmt.Sprint(e.Marks), "[", "{"), "]", "}")
	}
	var children []string
	for _, child := range e.Children {
		children = append(children, describe(child))
	}
	if len(children) > 0 {
		s += "(" + strings.Join(children, " ") + ")"
	}
	return s
}

func TestInfo(t *testing.T) {
	t.Parallel()
	d := open(t, pdftest.File{Title: "A  title", Created: "D:20240131120000+01'30'", Language: "en-GB", Pages: make([]pdftest.Page, 3)})
	want := tree.Info{Title: "A title", Language: "en-GB", Created: time.Date(2024, 1, 31, 10, 30, 0, 0, time.UTC)}
	if d.Info() != want {
		t.Errorf("info %+v", d.Info())
	}
	if nothing := open(t, pdftest.File{Title: `\(anonymous\)`, Pages: make([]pdftest.Page, 1)}); nothing.Info() != (tree.Info{}) {
		t.Errorf("info %+v of a file that says nothing", nothing.Info())
	}
	if d.Pages() != 3 {
		t.Errorf("%d pages", d.Pages())
	}
}

func TestRender(t *testing.T) {
	t.Parallel()
	d := open(t, pdftest.File{Pages: []pdftest.Page{{Content: pdftest.Box(0, 396, 306, 396)}, {Width: 14400, Height: 14400}}})
	m, err := d.Render(0, 144)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rect.Dx() != 1224 || m.Rect.Dy() != 1584 {
		t.Fatalf("picture of %v", m.Rect)
	}
	for _, test := range []struct {
		x, y int
		grey uint8
	}{{10, 10, 0}, {600, 780, 0}, {630, 10, 255}, {10, 810, 255}} {
		if got := m.GrayAt(test.x, test.y).Y; got != test.grey {
			t.Errorf("grey at %d, %d is %d", test.x, test.y, got)
		}
	}
	if m, err = d.Render(1, 200); err != nil || m.Rect.Dx()*m.Rect.Dy() > 25_000_000 {
		t.Errorf("huge page: %v, %v", m.Rect, err)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	good := pdftest.File{Pages: make([]pdftest.Page, 1)}
	locked := pdftest.File{Pages: make([]pdftest.Page, 1), Locked: true}
	tests := map[string]struct {
		body []byte
		want error
	}{
		"locked":  {locked.Bytes(), tree.ErrEncrypted},
		"empty":   {nil, tree.ErrDamaged},
		"no pdf":  {[]byte("<html>"), tree.ErrDamaged},
		"cut off": {good.Bytes()[:60], tree.ErrDamaged},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := started(t).Open(t.Context(), test.body); !errors.Is(err, test.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A page that uses up the memory costs itself only.
func TestTrap(t *testing.T) {
	t.Parallel()
	const pixels = 1000 * 1000 // of an image, which is kept each time that it is drawn
	bomb := "BI /W 1000 /H 1000 /BPC 8 /CS /G ID " + strings.Repeat("x", pixels) + " EI"
	d := open(t, pdftest.File{Pages: []pdftest.Page{
		{Content: pdftest.Text("F1", 10, 72, 700, "before")},
		{Content: strings.Repeat("/Fm1 Do ", 400), Form: bomb},
		{Content: pdftest.Text("F1", 10, 72, 700, "after")},
	}})
	for i, want := range []string{"before", "", "after"} {
		p, err := d.Page(i)
		if want == "" {
			if !errors.Is(err, tree.ErrTooComplex) && !errors.Is(err, tree.ErrDamaged) {
				t.Errorf("bomb: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("page %d: %v", i+1, err)
		}
		if _, text := drawn(p); text != want {
			t.Errorf("page %d: %q", i+1, text)
		}
	}
}

func TestNoSuchPage(t *testing.T) {
	t.Parallel()
	d := open(t, pdftest.File{Pages: make([]pdftest.Page, 1)})
	for _, i := range []int{-1, 1, 1 << 30} {
		if _, err := d.Page(i); !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("page %d: %v", i, err)
		}
	}
}

// TestStartWithoutFolder: where nothing can be kept, the engine starts all the same.
func TestStartWithoutFolder(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := pdfium.Start(t.Context(), filepath.Join(file, "compiled"))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
