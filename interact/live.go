package interact

import (
	"context"
	"encoding/json"

	protocol "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl"
)

// Live returns the page that is looked at as it is, without loading it again.
func (b *Browser) Live(ctx context.Context, want trawl.LiveOrder) (live trawl.LivePage, err error) {
	if err := b.enter(ctx); err != nil {
		return live, err
	}
	defer func() { <-b.turn }()
	p, err := b.current(ctx)
	if err != nil {
		return live, err
	}
	if p.asks() {
		return live, blocked(string(p.dialog.Type), p.dialog.Message)
	}
	if live.HTML, live.URL, err = p.source(ctx); err != nil {
		return live, err
	}
	var about struct {
		Status   int    `json:"status"`
		Type     string `json:"type"`
		Language string `json:"language"`
	}
	if err := p.ask(ctx, p.main(), "({status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0, type: document.contentType, language: document.documentElement.lang})", &about); err != nil {
		return live, err
	}
	live.Status, live.ContentType, live.Language = about.Status, about.Type, about.Language
	if want.Measure != "" {
		var measured json.RawMessage
		if err := p.ask(ctx, p.main(), want.Measure, &measured); err == nil {
			live.Measured = measured
		}
	}
	if want.Picture {
		err = p.picture(ctx, want, &live)
	}
	return live, err
}

// picture takes a picture of the page.
func (p *page) picture(ctx context.Context, want trawl.LiveOrder, live *trawl.LivePage) error {
	params := cdppage.CaptureScreenshotParams{Format: cdppage.CaptureScreenshotFormatPng}
	live.PictureType = trawl.TypePNG
	if want.Quality > 0 {
		params.Format, params.Quality, live.PictureType = cdppage.CaptureScreenshotFormatJpeg, new(int64(want.Quality)), trawl.TypeJPEG
	}
	if want.FullPage {
		area, err := (&call{page: p}).area(ctx, nil)
		if err != nil {
			return err
		}
		params.Clip, params.CaptureBeyondViewport = area, new(true)
	}
	shot, err := protocol.Call(ctx, p.session, cdppage.CaptureScreenshot, params)
	live.Picture = shot.Data
	return cause(ctx, err)
}
