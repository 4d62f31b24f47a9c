package scrape

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/change"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/store"
)

// History knows pages as they were when they were tracked last. Its error has
// CodeNotFound if there is nothing to know.
type History interface {
	LastVersion(ctx context.Context, teamID, url, tag string) (store.Version, error)
}

// mostCompared is how many pages are compared with their past at a time: large
// ones take many times their size.
const mostCompared = 2

// tracks reports whether a request asks for changes, and may leave behind what the
// next one is compared with.
func tracks(req *Request) bool {
	return req.Wants(trawl.FormatChangeTracking) && !req.ZeroDataRetention
}

// waitFor is how long a page is given beyond the automatic wait. One that is tracked
// gets some time in any case, as far as its timeout allows.
func waitFor(req *Request) time.Duration {
	wait := req.WaitFor
	if tracks(req) {
		wait = max(wait, min(trawl.TrackingWait, req.Timeout/2))
	}
	return time.Duration(wait) * time.Millisecond
}

// reportsJSON reports whether a format is to tell of changes in JSON, which takes a
// model.
func reportsJSON(format *trawl.Format) bool {
	return format.Type == trawl.FormatChangeTracking && slices.Contains(format.Modes, trawl.ModeJSON)
}

// gone reports whether a site says by its status that there is no such page.
func gone(status int) bool { return status == http.StatusNotFound || status == http.StatusGone }

// untracked says why a page is not compared with its past, nor becomes a part of
// it. It is empty for a page that is.
func untracked(req *Request, p *page) string {
	switch {
	case req.ZeroDataRetention:
		return "Changes of the page are not tracked, because zero data retention keeps nothing to compare with."
	case p.sign == content.Challenge:
		return "Changes of the page are not tracked, because it was not the page that the site answered with."
	case gone(p.status):
		return ""
	case p.status < 200 || p.status > 299:
		return fmt.Sprintf("Changes of the page are not tracked, because the site answered with status %d.", p.status)
	case p.partial:
		return "Changes of the page are not tracked, because not all of it is there."
	}
	return ""
}

// track compares a page with how it was when it was tracked last, and makes it what
// the next one is compared with.
func (s *Scraper) track(ctx context.Context, req *Request, p *page, d *derived, format *trawl.Format) (warning string, err error) {
	if why := untracked(req, p); why != "" {
		return why, nil
	}
	now := &store.Version{
		TeamID: req.Caller.Team.ID, URL: trawl.WithoutPassword(trawl.PageIdentity(p.target)), Tag: format.Tag,
		ScrapedAt: p.fetchedAt, Hidden: req.Hidden, Gone: gone(p.status),
	}
	result := &trawl.ChangeTracking{ChangeStatus: trawl.ChangeNew, Visibility: trawl.PageVisible}
	if req.Hidden {
		result.Visibility = trawl.PageHidden
	}
	last, err := s.History.LastVersion(ctx, now.TeamID, now.URL, now.Tag)
	switch {
	case err == nil:
		at := last.ScrapedAt.UTC().Format(trawl.TimeFormat)
		result.PreviousScrapeAt = &at
	case trawl.ErrorCode(err) == trawl.CodeNotFound:
		last.Gone = true
	default:
		return "", fmt.Errorf("look up history: %w", err)
	}
	if warning, err = s.compare(ctx, &last, now, *d.doc.Markdown, format, result); err != nil {
		return "", err
	}
	if result.ChangeStatus == trawl.ChangeChanged && reportsJSON(format) {
		note, err := s.tell(ctx, &last, now.URL, *d.doc.Markdown, format, result)
		if trawl.ErrorCode(err) == trawl.CodeContentTooLarge { // it would be next time, too, and for good
			note, err = "The change is not told in JSON, because one of the versions has too much text for it.", nil
		}
		if err != nil {
			return "", err
		}
		warning = joined(warning, note)
	}
	d.doc.ChangeTracking, d.version = result, now
	return joined(warning, idle(format)), nil
}

// compare says what became of a page since its last version, and completes the
// present one.
func (s *Scraper) compare(ctx context.Context, last, now *store.Version, markdown string, format *trawl.Format, result *trawl.ChangeTracking) (warning string, err error) {
	if now.Gone {
		result.ChangeStatus = trawl.ChangeRemoved
		return "", nil
	}
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	now.Digest, now.Size = change.Digest(markdown), len(markdown)
	if now.Text, err = s.Store.Pack([]byte(markdown)); err != nil {
		return "", fmt.Errorf("pack version: %w", err)
	}
	switch {
	case last.Gone:
		return "", nil
	case last.Digest == now.Digest:
		result.ChangeStatus = trawl.ChangeSame
		return "", nil
	}
	result.ChangeStatus = trawl.ChangeChanged
	if !slices.Contains(format.Modes, trawl.ModeDiff) {
		return "", nil
	}
	var cut bool
	if result.Diff, result.DiffJSON, cut = change.Diff(last.Markdown, markdown, now.URL); cut {
		warning = "The diff is too long: only its beginning is there."
	}
	return warning, nil
}

// pictures are the addresses of those that are within a text.
var pictures = regexp.MustCompile(`\(data:[^)\s]*\)`)

// tell has a model tell what changed. The two versions are shown to it in the same
// way: nothing is to look new only because less is known of the past. Pictures
// within the text say nothing to a model.
func (s *Scraper) tell(ctx context.Context, last *store.Version, url, markdown string, format *trawl.Format, result *trawl.ChangeTracking) (warning string, err error) {
	compiled, err := extract.Compile(format.Schema, "formats", "schema")
	if err != nil {
		return "", err
	}
	before := &extract.Source{URL: url, Markdown: pictures.ReplaceAllString(last.Markdown, "()")}
	now := &extract.Source{URL: url, Markdown: pictures.ReplaceAllString(markdown, "()")}
	value, _, warning, err := s.Extract.Changes(ctx, before, now, extract.Want{Prompt: format.Prompt, Schema: compiled})
	if err != nil {
		return "", err
	}
	result.JSON, err = marshal(value)
	return warning, err
}

// idle names options of change tracking that have nothing to act on.
func idle(format *trawl.Format) string {
	if reportsJSON(format) || format.Prompt == "" && format.Schema == nil {
		return ""
	}
	return "The prompt and the schema of changeTracking have no effect without the mode json."
}
