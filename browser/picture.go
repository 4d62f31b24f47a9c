package browser

import (
	"context"
	"math"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl"
)

// What a picture may measure, in its own pixels. The browser paints a picture
// in memory, and sends it in one message that must not be too long.
const (
	mostWidth  = 7680
	mostHeight = 16384
	mostArea   = 48_000_000
)

// Picture is a file that the browser made of a page: a picture or a PDF.
type Picture struct {
	ContentType string
	Data        []byte
	Cut         bool // the page was larger than a picture may be
}

// shot says what picture to take.
type shot struct {
	FullPage bool            // all of the page, as far as a picture reaches
	Quality  int             // of a JPEG; 0 means a PNG
	Viewport *trawl.Viewport // size of the window for this picture, if not the page's
}

// shoot takes a picture, without advertisements where they are blocked. The page
// has its window and its place back afterwards.
func (t *tab) shoot(ctx context.Context, s shot) (_ Picture, err error) {
	if s.Viewport != nil && *s.Viewport != t.viewport {
		before := t.viewport
		if err := t.resize(ctx, *s.Viewport); err != nil {
			return Picture{}, err
		}
		defer func() {
			if back := t.resize(ctx, before); err == nil {
				err = back
			}
		}()
	}
	if err := t.hideAds(ctx); err != nil {
		return Picture{}, err
	}
	var place struct{ X, Y float64 }
	if s.FullPage {
		if err := t.ask(ctx, unrollScript, &place, mostHeight); err != nil {
			return Picture{}, err
		}
	}
	if err := t.ask(ctx, readyScript, nil, s.FullPage); err != nil {
		return Picture{}, err
	}
	picture, err := t.capture(ctx, s)
	if err == nil && s.FullPage {
		err = t.ask(ctx, `(x, y) => scrollTo({left: x, top: y, behavior: 'instant'})`, nil, place.X, place.Y)
	}
	return picture, err
}

// capture takes the picture of the page as it is.
func (t *tab) capture(ctx context.Context, s shot) (Picture, error) {
	clip, cut, err := t.frameOf(ctx, s.FullPage)
	if err != nil {
		return Picture{}, err
	}
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, Clip: clip, CaptureBeyondViewport: &s.FullPage}
	if s.Quality > 0 {
		quality := int64(s.Quality)
		params.Format, params.Quality = page.CaptureScreenshotFormatJpeg, &quality
	}
	taken, err := protocol.Call(ctx, t.Session, page.CaptureScreenshot, params)
	if err != nil {
		return Picture{}, err
	}
	if len(taken.Data) > mostFile {
		return Picture{}, failure("the picture is larger than 50 MiB; with a quality it is smaller")
	}
	return Picture{ContentType: "image/" + params.Format.String(), Data: taken.Data, Cut: cut}, nil
}

// frameOf returns which part of the page the picture shows, and how large.
func (t *tab) frameOf(ctx context.Context, full bool) (_ *page.Viewport, cut bool, err error) {
	var screen struct{ Ratio, Zoom float64 }
	if err := t.evaluate(ctx, "({Ratio: devicePixelRatio, Zoom: visualViewport.scale})", &screen); err != nil {
		return nil, false, err
	}
	metrics, err := protocol.Call(ctx, t.Session, page.GetLayoutMetrics, protocol.Empty{})
	if err != nil {
		return nil, false, err
	}
	window, content := metrics.CSSVisualViewport, metrics.CSSContentSize
	if window == nil || content == nil {
		return nil, false, failure("the page has no size")
	}
	clip := &page.Viewport{X: window.PageX, Y: window.PageY, Width: window.ClientWidth, Height: window.ClientHeight}
	if full {
		clip = &page.Viewport{Width: content.Width, Height: content.Height}
		screen.Zoom = min(screen.Zoom, 1)
	}
	whole := *clip
	clip.Scale = fit(clip, screen.Ratio*screen.Zoom) / screen.Ratio
	return clip, clip.Width < whole.Width || clip.Height < whole.Height, nil
}

// fit cuts the part of the page that a picture shows, if it is too large, and
// returns how many pixels it has for one of the page: as many as the screen, but
// a screen that has several gives them up before anything is cut off.
func fit(clip *page.Viewport, screen float64) (pixels float64) {
	clip.Width = min(clip.Width, mostWidth)
	room := min(mostWidth/clip.Width, mostHeight/clip.Height, math.Sqrt(mostArea/(clip.Width*clip.Height)))
	pixels = min(screen, max(room, 1))
	clip.Height = min(clip.Height, mostHeight/pixels, mostArea/(clip.Width*pixels*pixels))
	return pixels
}

// unrollScript scrolls through the page, so that what waits to be seen is
// loaded, and back to its top. It answers where the page was.
const unrollScript = `async most => {
	const before = {X: scrollX, Y: scrollY}, until = performance.now() + 2000;
	const height = () => Math.min((document.scrollingElement ?? document.documentElement).scrollHeight, most);
	const step = Math.max(innerHeight, most / 20);
	for (let y = step; y < height() && performance.now() < until; y += step) {
		scrollTo({top: y, behavior: 'instant'});
		await new Promise(done => { requestAnimationFrame(() => setTimeout(done, 20)); setTimeout(done, 100) });
	}
	scrollTo({left: 0, top: 0, behavior: 'instant'});
	return before;
}`

// readyScript waits for fonts and for the images that will be seen, within
// bounds, and until they are painted.
const readyScript = `async full => {
	const seen = image => {
		const box = image.getBoundingClientRect();
		return box.width > 0 && box.height > 0 && box.top < (full ? 16384 : innerHeight) && box.bottom > 0;
	};
	const images = [...document.images].slice(0, 2000).filter(seen).map(image => image.decode().catch(() => {}));
	await Promise.race([Promise.all([document.fonts.ready, ...images]), new Promise(done => setTimeout(done, 2000))]);
	await new Promise(done => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 200) });
}`
