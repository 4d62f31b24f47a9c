package session

import (
	"context"
	"errors"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
)

// How long a page may take to be opened again: its waits and a while more.
const (
	resumeTime              = 45 * time.Second
	leastResume, mostResume = 30 * time.Second, 300 * time.Second
)

// Continue starts a session in which a page is opened again as a scrape opened it. One
// that goes on from the same scrape already is returned instead. Errors are those of
// [Manager.Create]; they have CodeConflict if the page does not open.
func (m *Manager) Continue(ctx context.Context, who trawl.Caller, page trawl.Replay, req *trawl.SessionRequest) (trawl.Session, error) {
	started, err, _ := m.continuing.Do(who.Team.ID+" "+page.ScrapeID, func() (any, error) {
		if x, err := m.Store.SessionOfScrape(ctx, who.Team.ID, page.ScrapeID); err == nil && x.Active() {
			return x, nil
		}
		row := m.newRow(who, req)
		row.ScrapeID = page.ScrapeID
		return m.create(ctx, who, row, page)
	})
	x, _ := started.(trawl.Session)
	return x, err
}

// resume opens a page again in a browser that is nobody's yet.
func (r *running) resume(ctx context.Context, page trawl.Replay) error {
	limit := resumeTime + time.Duration(page.WaitFor)*time.Millisecond
	for _, a := range page.Actions {
		limit += time.Duration(min(a.Milliseconds, mostResume.Milliseconds())) * time.Millisecond
	}
	short, cancel := context.WithTimeout(ctx, r.manager.Patience.Limit(min(max(limit, leastResume), mostResume)))
	defer cancel()
	agent := r.manager.UserAgent
	if version, err := r.manager.versions.Of(short, r.manager.Program); err == nil && (agent == "" || page.Mobile) {
		agent = chromium.UserAgent(version, page.Mobile)
	}
	err := r.browser().Replay(short, page, agent)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		why = "It took too long."
	}
	return trawl.Wrap(trawl.CodeConflict, "Failed to initialize browser session from the original scrape context. "+why, err)
}
