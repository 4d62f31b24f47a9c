package scrape

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape/source"
)

// Live makes of a page that is open in a session what [Scraper.Scrape] makes of one
// that it fetches, charged and recorded. read returns the page as it is; nothing is
// fetched or cached. The options must have passed [Scraper.Check].
func (s *Scraper) Live(ctx context.Context, req Request, read func(context.Context, trawl.LiveOrder) (trawl.LivePage, error)) (*trawl.Document, error) {
	s.active.Add(1)
	defer s.active.Add(-1)
	req.live = true
	plan := newPlan(&req, "", s.has())
	plan.Began = s.Now()
	plan.Page.Use, plan.replay = source.CacheUse{}, trawl.Replay{}
	order := trawl.LiveOrder{Measure: plan.Page.Measure}
	if shot := plan.Page.Screenshot; shot != nil {
		order.Picture, order.FullPage, order.Quality = true, shot.FullPage, shot.Quality
	}
	live, err := read(ctx, order)
	if err != nil {
		return nil, err
	}
	plan.URL, plan.Page.URL = live.URL, live.URL
	if live.Status == 0 {
		live.Status = http.StatusOK
	}
	page, err := s.pages.Open(ctx, &plan.Page, live)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	if live.Picture != nil {
		page.Screenshot = &trawl.File{
			ID: uuid.NewString(), TeamID: req.Caller.Team.ID, ContentType: live.PictureType, Data: live.Picture, ExpiresAt: s.Now().Add(s.Retention),
		}
	}
	if shot := plan.Page.Screenshot; shot != nil && shot.Viewport != nil {
		page.Warning = "The screenshot has the size of the session's window: viewport has no effect with sessionId."
	}
	result, err := s.fromPage(ctx, plan, page)
	return s.settled(ctx, plan, result, err)
}
