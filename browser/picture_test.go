package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
)

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 128, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// gallery is the site that pictures are taken of.
func gallery(t *testing.T) string {
	t.Helper()
	const style = `<!doctype html><meta name=viewport content="width=device-width"><style>body{margin:0}div{display:block}</style>`
	pages := map[string]string{
		"/bands": style + `<div style="height:1000px;background:red"></div><div style="height:1000px;background:green"></div>
			<div style="height:1000px;background:blue"></div>`,
		"/wide":   style + `<div style="width:9000px;height:100px;background:red"></div>`,
		"/giant":  style + `<div style="height:16380px;background:red"></div><div style="height:300000px;background:blue"></div>`,
		"/screen": style + `<div style="height:100vh;background:red"></div><div style="height:100vh;background:blue"></div>`,
		"/canvas": style + `<canvas id=c width=300 height=200 style="display:block"></canvas><script>
			const g = c.getContext('2d'); g.fillStyle = 'blue'; g.fillRect(0, 0, 300, 200); g.fillStyle = 'red'; g.fillRect(100, 50, 50, 50)</script>`,
		"/lazy":    style + `<div style="height:6000px"></div><img loading=lazy src=/red.png width=100 height=100 style="display:block">`,
		"/desktop": `<!doctype html><style>body{margin:0}</style><div style="width:900px;height:3000px;background:red"></div>`,
		"/zoom": `<!doctype html><meta name=viewport content="width=device-width,initial-scale=2"><style>body{margin:0}</style>
			<div style="height:100px;background:red"></div><div style="height:3000px;background:blue"></div>`,
		"/empty": ``,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/red.png" {
			picture := image.NewRGBA(image.Rect(0, 0, 10, 10))
			for i := range picture.Pix {
				picture.Pix[i] = []byte{255, 0, 0, 255}[i%4]
			}
			w.Header().Set("Content-Type", "image/png")
			_ = png.Encode(w, picture)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func near(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, d := range []float64{float64(ar) - float64(br), float64(ag) - float64(bg), float64(ab) - float64(bb)} {
		if math.Abs(d) > 0x0800 {
			return false
		}
	}
	return true
}

func TestScreenshots(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), gallery(t)
	type pixel struct {
		x, y int
		want color.RGBA
	}
	full := trawl.Action{Type: trawl.ActionScreenshot, FullPage: true}
	plain := trawl.Action{Type: trawl.ActionScreenshot}
	for _, c := range []struct {
		name, path    string
		actions       []trawl.Action
		mobile        bool
		kind          string
		width, height int
		pixels        []pixel
	}{
		{name: "viewport", path: "/bands", actions: []trawl.Action{plain}, kind: "image/png",
			width: 1280, height: 800, pixels: []pixel{{0, 0, red}, {1279, 799, red}}},
		{name: "scrolled", path: "/bands", actions: []trawl.Action{scroll("down", ""), plain}, kind: "image/png",
			width: 1280, height: 800, pixels: []pixel{{0, 199, red}, {0, 200, green}, {600, 799, green}}},
		{name: "full page", path: "/bands", actions: []trawl.Action{full}, kind: "image/png",
			width: 1280, height: 3000, pixels: []pixel{{5, 999, red}, {5, 1000, green}, {1279, 2999, blue}}},
		{name: "full page keeps its place", path: "/bands", actions: []trawl.Action{scroll("down", ""), full, {Type: trawl.ActionScreenshot}}, kind: "image/png",
			width: 1280, height: 800, pixels: []pixel{{0, 199, red}, {0, 200, green}}},
		{name: "jpeg", path: "/bands", actions: []trawl.Action{{Type: trawl.ActionScreenshot, Quality: 90}}, kind: "image/jpeg",
			width: 1280, height: 800, pixels: []pixel{{600, 400, red}}},
		{name: "canvas", path: "/canvas", actions: []trawl.Action{plain}, kind: "image/png",
			width: 1280, height: 800, pixels: []pixel{{99, 50, blue}, {100, 50, red}, {149, 99, red}, {150, 99, blue}, {300, 10, white}}},
		{name: "viewport of its own", path: "/screen", actions: []trawl.Action{{Type: trawl.ActionScreenshot, Viewport: &trawl.Viewport{Width: 500, Height: 300}}}, kind: "image/png",
			width: 500, height: 300, pixels: []pixel{{499, 299, red}}},
		{name: "viewport is given back", path: "/screen",
			actions: []trawl.Action{{Type: trawl.ActionScreenshot, Viewport: &trawl.Viewport{Width: 500, Height: 300}}, full}, kind: "image/png",
			width: 1280, height: 1600, pixels: []pixel{{5, 799, red}, {5, 800, blue}, {5, 1599, blue}}},
		{name: "full page of a viewport", path: "/screen",
			actions: []trawl.Action{{Type: trawl.ActionScreenshot, FullPage: true, Viewport: &trawl.Viewport{Width: 400, Height: 200}}}, kind: "image/png",
			width: 400, height: 400, pixels: []pixel{{5, 199, red}, {5, 200, blue}}},
		{name: "largest viewport", path: "/bands",
			actions: []trawl.Action{{Type: trawl.ActionScreenshot, Viewport: &trawl.Viewport{Width: 7680, Height: 4320}}}, kind: "image/png",
			width: 7680, height: 4320, pixels: []pixel{{7679, 2999, blue}, {7679, 3001, white}}},
		{name: "phone", path: "/bands", actions: []trawl.Action{plain}, mobile: true, kind: "image/png",
			width: 824, height: 1830, pixels: []pixel{{823, 1829, red}}},
		{name: "phone, full page", path: "/bands", actions: []trawl.Action{full}, mobile: true, kind: "image/png",
			width: 824, height: 6000, pixels: []pixel{{823, 1999, red}, {823, 2000, green}, {823, 5999, blue}}},
		{name: "phone, page for desktops", path: "/desktop", actions: []trawl.Action{plain}, mobile: true, kind: "image/png",
			width: 824, height: 1830, pixels: []pixel{{5, 5, red}, {823, 5, white}}},
		{name: "phone, page that zooms", path: "/zoom", actions: []trawl.Action{plain}, mobile: true, kind: "image/png",
			width: 824, height: 1830, pixels: []pixel{{823, 399, red}, {823, 400, blue}}},
		{name: "phone, giant page", path: "/giant", actions: []trawl.Action{full}, mobile: true, kind: "image/png",
			width: 412, height: 16384, pixels: []pixel{{5, 16370, red}, {5, 16383, blue}}},
		{name: "giant page", path: "/giant", actions: []trawl.Action{full}, kind: "image/png",
			width: 1280, height: 16384, pixels: []pixel{{5, 16379, red}, {5, 16383, blue}}},
		{name: "wide page", path: "/wide", actions: []trawl.Action{full}, kind: "image/png",
			width: 7680, height: 800, pixels: []pixel{{7679, 99, red}, {5, 101, white}}},
		{name: "lazy image", path: "/lazy", actions: []trawl.Action{full}, kind: "image/png",
			width: 1280, height: 6100, pixels: []pixel{{50, 6050, red}}},
		{name: "empty page", path: "/empty", actions: []trawl.Action{full}, kind: "image/png",
			width: 1280, height: 800, pixels: []pixel{{50, 50, white}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			result, err := pool.Render(testtime.Context(t), Request{URL: base + c.path, Actions: c.actions, Mobile: c.mobile})
			if err != nil {
				t.Fatal(err)
			}
			picture := result.Outcome.Screenshots[len(result.Outcome.Screenshots)-1]
			decoded, format, err := image.Decode(bytes.NewReader(picture.Data))
			if err != nil {
				t.Fatal(err)
			}
			if picture.ContentType != c.kind || "image/"+format != c.kind {
				t.Errorf("kind = %s, holds %s", picture.ContentType, format)
			}
			if size := decoded.Bounds().Size(); size != image.Pt(c.width, c.height) {
				t.Errorf("size = %v, want %d x %d", size, c.width, c.height)
			}
			for _, p := range c.pixels {
				if got := decoded.At(p.x, p.y); !near(got, p.want) {
					t.Errorf("pixel %d,%d = %v, want %v", p.x, p.y, got, p.want)
				}
			}
		})
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                          string
		width, height, screen         float64
		wantWidth, wantHeight, pixels float64
	}{
		{"small", 1280, 800, 1, 1280, 800, 1},
		{"small on a phone", 412, 915, 2, 412, 915, 2},
		{"long", 1280, 300_000, 1, 1280, 16384, 1},
		{"long on a phone", 412, 300_000, 2, 412, 16384, 1},
		{"rather long on a phone", 412, 10_000, 2, 412, 10_000, 1.6384},
		{"wide", 20_000, 500, 1, 7680, 500, 1},
		{"wide and long", 20_000, 20_000, 1, 7680, 6250, 1},
		{"zoomed out", 1000, 1000, 0.5, 1000, 1000, 0.5},
	} {
		clip := &page.Viewport{Width: c.width, Height: c.height}
		if pixels := fit(clip, c.screen); clip.Width != c.wantWidth || clip.Height != c.wantHeight || pixels != c.pixels {
			t.Errorf("%s: %+v, %v pixels", c.name, clip, pixels)
		}
	}
}

func TestPDF(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), gallery(t)
	pdf := func(format string) trawl.Action { return trawl.Action{Type: trawl.ActionPDF, Format: format} }
	actions := []trawl.Action{
		pdf(""), pdf("A0"), pdf("A1"), pdf("A2"), pdf("A3"), pdf("A4"), pdf("A5"), pdf("A6"), pdf("Legal"), pdf("Tabloid"), pdf("Ledger"),
		{Type: trawl.ActionPDFAlias, Format: "A4", Landscape: true}, {Type: trawl.ActionPDF, Scale: 0.5},
	}
	sizes := [][2]float64{
		{612, 792}, {2384, 3370}, {1684, 2384}, {1191, 1684}, {842, 1191}, {595, 842}, {420, 595}, {298, 420}, {612, 1008}, {792, 1224}, {1224, 792},
		{842, 595}, {612, 792},
	}
	result, err := pool.Render(testtime.Context(t), Request{URL: base + "/bands", Actions: actions})
	if err != nil {
		t.Fatal(err)
	}
	pages := make([]int, len(sizes))
	for i, file := range result.Outcome.PDFs {
		if file.ContentType != "application/pdf" || !bytes.HasPrefix(file.Data, []byte("%PDF-")) {
			t.Fatalf("PDF %d: %s %.20q", i, file.ContentType, file.Data)
		}
		boxes := regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]`).FindAllSubmatch(file.Data, -1)
		pages[i] = len(boxes)
		if len(boxes) == 0 {
			t.Fatalf("PDF %d has no pages", i)
		}
		for side, want := range sizes[i] {
			if got, _ := strconv.ParseFloat(string(boxes[0][side+1]), 64); math.Abs(got-want) > 1.5 {
				t.Errorf("PDF %d: %s, want %v", i, boxes[0][0], sizes[i])
			}
		}
	}
	if len(result.Outcome.PDFs) != len(sizes) || pages[len(pages)-1] >= pages[0] {
		t.Errorf("pages = %v: a smaller scale needs fewer", pages)
	}
}

func TestPDFOfGiant(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), gallery(t)
	result, err := pool.Render(testtime.Context(t), Request{URL: base + "/giant", Actions: []trawl.Action{{Type: trawl.ActionPDF}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(result.Outcome.PDFs[0].Data), "/MediaBox"); n < 200 || n > 1000 {
		t.Errorf("%d pages", n)
	}
}
