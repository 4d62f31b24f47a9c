package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// How many pages are compared and stored at a time.
const (
	mostCompared = 64
	mostBytes    = 8 << 20
	judgedAside  = 8
)

// step is a portion of pages that were compared.
type step struct {
	pages  []store.CheckedPage
	judged int   // of them, by a language model
	next   place // where the next portion begins
}

// compareAll compares the pages of a check with what is known of them, from where it
// was left, and reports whether all are.
func (s *Service) compareAll(ctx context.Context, w *store.CheckWork, jobs map[string]trawl.Job) (done bool, err error) {
	for at := parsePlace(w.Progress); at.target < len(w.Targets); {
		t := &w.Targets[at.target]
		var next step
		if t.Type == trawl.TargetSearch {
			next, err = s.searched(ctx, w, t, at)
		} else {
			next, err = s.compared(ctx, w, t, jobs[t.Job], at)
		}
		if err != nil {
			return false, err
		}
		stored, err := s.Store.AddPages(ctx, w, next.next.String(), next.pages, next.judged, w.Targets)
		if err != nil || !stored {
			return false, err // another compares them
		}
		at, w.Progress = next.next, next.next.String()
	}
	return true, nil
}

// compared returns the next portion of a target that jobs scrape.
func (s *Service) compared(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget, j trawl.Job, at place) (step, error) {
	switch at.part {
	case partDocuments:
		return s.documents(ctx, w, t, at)
	case partFailures:
		return s.failures(ctx, t, at)
	case partMissing:
		return s.missing(ctx, w, t, j, at)
	}
	return s.removed(ctx, w, t, j, at)
}

// part is the beginning of another part of the same target.
func (p place) to(part string) place { return place{target: p.target, part: part} }

// page is what a check needs of a document.
type page struct {
	Markdown *string         `json:"markdown"`
	JSON     json.RawMessage `json:"json"`
	Metadata struct {
		Title       any    `json:"title"`
		ScrapeID    string `json:"scrapeId"`
		SourceURL   string `json:"sourceURL"`
		StatusCode  int    `json:"statusCode"`
		ContentType string `json:"contentType"`
		NumPages    int    `json:"numPages"`
		ProxyUsed   string `json:"proxyUsed"`
		CreditsUsed int64  `json:"creditsUsed"`
	} `json:"metadata"`
}

// details is what a page of a check says of its document.
func (p *page) details() json.RawMessage {
	m := &p.Metadata
	details := map[string]any{"creditsUsed": m.CreditsUsed}
	if m.Title != nil {
		details["title"] = m.Title
	}
	for name, value := range map[string]string{"contentType": m.ContentType, "proxyUsed": m.ProxyUsed} {
		if value != "" {
			details[name] = value
		}
	}
	if m.NumPages > 0 {
		details["numPages"] = m.NumPages
	}
	encoded, _ := json.Marshal(details) // which came from JSON
	return encoded
}

// documents compares documents of a target with what is known of their pages.
func (s *Service) documents(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget, at place) (step, error) {
	results, err := s.Store.Results(ctx, t.Job, at.done, mostCompared, mostBytes)
	if err != nil {
		return step{}, err
	}
	if len(results) == 0 {
		return step{next: at.to(partFailures)}, nil
	}
	pages, urls := make([]page, len(results)), make([]string, len(results))
	for i, r := range results {
		body, err := s.Store.JSON(r)
		if err == nil {
			err = json.Unmarshal(body, &pages[i])
		}
		if err != nil {
			return step{}, fmt.Errorf("read document: %w", err)
		}
		urls[i] = pages[i].Metadata.SourceURL
	}
	known, err := s.Store.WatchedPages(ctx, w.MonitorID, t.ID, urls)
	if err != nil {
		return step{}, err
	}
	mode := modeOf(&t.MonitorTarget)
	checked := make([]store.CheckedPage, len(pages))
	judged := make([]bool, len(pages))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(judgedAside)
	for i := range pages {
		group.Go(func() (err error) {
			checked[i], judged[i], err = s.checkPage(groupCtx, w, t.ID, mode, &pages[i], known[urls[i]])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return step{}, err
	}
	next := step{pages: checked, next: at}
	next.next.done += len(results)
	for _, yes := range judged {
		if yes {
			next.judged++
		}
	}
	return next, nil
}

// modeOf returns by what versions of the pages of a target are compared.
func modeOf(t *trawl.MonitorTarget) (mode Mode) {
	if t.Type == trawl.TargetCrawl {
		_, mode, _ = crawlOf(t) // it was started with it
	} else {
		_, mode, _ = batchOf(t)
	}
	return mode
}

// checkPage compares a page with what is known of it, and judges what changed.
func (s *Service) checkPage(ctx context.Context, w *store.CheckWork, target string, mode Mode, p *page, known *store.WatchedPage) (c store.CheckedPage, judged bool, err error) {
	m := &p.Metadata
	c.CheckPage = trawl.CheckPage{
		TargetID: target, URL: m.SourceURL, CurrentScrape: m.ScrapeID, StatusCode: m.StatusCode, Metadata: p.details(),
	}
	if known != nil {
		c.PreviousScrape = known.ScrapeID
	}
	if m.StatusCode >= 400 {
		c.Status, c.Error = trawl.ChangeError, fmt.Sprintf("The site answered with status %d.", m.StatusCode)
		return c, false, nil
	}
	if mode.JSON && isEmpty(p.JSON) {
		c.Status, c.Error = trawl.ChangeError, "JSON extraction produced no result for this check."
		return c, false, nil
	}
	before, habits, err := recall(known)
	if err != nil {
		return c, false, err
	}
	now := Version{Markdown: p.Markdown, JSON: p.JSON}
	v := Compare(before, &now, mode)
	c.Status, c.Diff, c.Snapshot = v.Status, v.diff(), v.snapshot(&now, mode)
	if v.Status == trawl.ChangeChanged && w.Definition.Judges() {
		c.Judgment, judged, err = s.judge(ctx, w, p, v, habits)
		if err != nil {
			return c, false, err
		}
	}
	c.Known, err = remember(m.ScrapeID, v, &now, habits)
	return c, judged, err
}

// failures are the pages of a target that could not be scraped.
func (s *Service) failures(ctx context.Context, t *trawl.CheckTarget, at place) (step, error) {
	next := step{next: at.to(partMissing)}
	if t.Error != "" {
		for _, address := range t.Addresses() {
			next.pages = append(next.pages, failed(t.ID, address, t.Error))
		}
		return next, nil
	}
	failures, _, err := s.Store.PageErrors(ctx, t.Job)
	if err != nil {
		return step{}, err
	}
	failures = failures[min(at.done, len(failures)):]
	if len(failures) > mostCompared {
		failures = failures[:mostCompared]
		next.next = place{at.target, at.part, at.done + mostCompared}
	}
	for _, f := range failures {
		next.pages = append(next.pages, failed(t.ID, f.URL, f.Text))
	}
	return next, nil
}

// failed is a page of which nothing is known but why. What is known from before stays.
func failed(target, url, why string) store.CheckedPage {
	return store.CheckedPage{CheckPage: trawl.CheckPage{TargetID: target, URL: url, Status: trawl.ChangeError, Error: why}}
}

// missing are the pages of a target whose job ended before it got to them.
func (s *Service) missing(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget, j trawl.Job, at place) (step, error) {
	next := step{next: at.to(partRemoved)}
	if t.Error != "" || j.State == trawl.StateCompleted {
		return next, nil
	}
	done, err := s.Store.CheckedURLs(ctx, w.ID, t.ID)
	if err != nil {
		return step{}, err
	}
	why := notScraped
	if j.Error != "" {
		why = j.Error
	}
	for _, address := range t.Addresses() {
		if !slices.Contains(done, address) {
			next.pages = append(next.pages, failed(t.ID, address, why))
		}
	}
	return next, nil
}

// removed are the pages of a site that a finished crawl did not find any more. One whose
// start failed says nothing of others, nor does one that found nothing at all: the site
// may be down.
func (s *Service) removed(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget, j trawl.Job, at place) (step, error) {
	next := step{next: place{target: at.target + 1, part: partDocuments}}
	if t.Type != trawl.TargetCrawl || t.Error != "" || j.State != trawl.StateCompleted {
		return next, nil
	}
	if found, err := s.Store.FoundAny(ctx, w.ID, t.ID, t.URL); err != nil || !found {
		return next, err
	}
	gone, err := s.Store.UnseenPages(ctx, &w.Check, t.ID, mostCompared)
	if err != nil {
		return step{}, err
	}
	for i := range gone {
		k := &gone[i]
		k.Removed = true
		next.pages = append(next.pages, store.CheckedPage{
			CheckPage: trawl.CheckPage{TargetID: t.ID, URL: k.URL, Status: trawl.ChangeRemoved, PreviousScrape: k.ScrapeID}, Known: k,
		})
	}
	if len(gone) == mostCompared {
		next.next = place{at.target, partRemoved, at.done + mostCompared}
	}
	return next, nil
}
