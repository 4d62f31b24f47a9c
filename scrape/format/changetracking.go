package format

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/change"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/store"
)

// maxCompared is how many pages are compared with their past at a time: large ones
// take many times their size.
const maxCompared = 2

// changeTracking compares the page with how it was when it was tracked last, and
// makes it what the next one is compared with. It goes by the page's markdown, which
// comes with it.
var changeTracking = Format{
	Name:       trawl.FormatChangeTracking,
	HasOptions: true,
	Needs: func(o *trawl.Format) Needs {
		n := Needs{Fresh: true, History: true}
		if reportsJSON(o) {
			n.Text, n.Structured, n.Model = true, true, "The mode json of the format changeTracking"
		}
		return n
	},
	Ask: func(ctx context.Context, t *Task, o *trawl.Format) (string, error) { return t.track(ctx, o) },
}

// reportsJSON reports whether changes are described in JSON, which takes a model.
func reportsJSON(o *trawl.Format) bool { return slices.Contains(o.Modes, trawl.ModeJSON) }

// gone reports whether a site says by its status that there is no such page.
func gone(status int) bool { return status == http.StatusNotFound || status == http.StatusGone }

// untracked says why a page is not compared with its past, nor becomes a part of
// it. It is empty for a page that is.
func (t *Task) untracked() string {
	p := t.Page
	switch {
	case t.Discard:
		return "Changes of the page are not tracked, because zero data retention keeps nothing to compare with."
	case p.Challenged():
		return "Changes of the page are not tracked, because it was not the page that the site answered with."
	case gone(p.Status):
		return ""
	case !p.OK():
		return fmt.Sprintf("Changes of the page are not tracked, because the site answered with status %d.", p.Status)
	case p.Partial:
		return "Changes of the page are not tracked, because not all of it is there."
	}
	return ""
}

// track compares a page with how it was when it was tracked last, and makes it what
// the next one is compared with.
func (t *Task) track(ctx context.Context, format *trawl.Format) (warning string, err error) {
	if why := t.untracked(); why != "" {
		return why, nil
	}
	now := &store.Version{
		TeamID: t.TeamID, URL: trawl.WithoutPassword(trawl.PageIdentity(t.Page.Target)), Tag: format.Tag,
		ScrapedAt: t.Page.FetchedAt, Hidden: t.Hidden, Gone: gone(t.Page.Status),
	}
	result := &trawl.ChangeTracking{ChangeStatus: trawl.ChangeNew, Visibility: trawl.PageVisible}
	if t.Hidden {
		result.Visibility = trawl.PageHidden
	}
	last, err := t.History.LastVersion(ctx, now.TeamID, now.URL, now.Tag)
	switch {
	case err == nil:
		at := last.ScrapedAt.UTC().Format(trawl.TimeFormat)
		result.PreviousScrapeAt = &at
	case trawl.ErrorCode(err) == trawl.CodeNotFound:
		last.Gone = true
	default:
		return "", fmt.Errorf("look up history: %w", err)
	}
	if warning, err = t.compare(ctx, &last, now, *t.Doc.Markdown, format, result); err != nil {
		return "", err
	}
	if result.ChangeStatus == trawl.ChangeChanged && reportsJSON(format) {
		note, err := t.describeChange(ctx, &last, now.URL, *t.Doc.Markdown, format, result)
		if trawl.ErrorCode(err) == trawl.CodeContentTooLarge { // it would be next time, too, and for good
			note, err = "The change is not told in JSON, because one of the versions has too much text for it.", nil
		}
		if err != nil {
			return "", err
		}
		warning = joined(warning, note)
	}
	t.Doc.ChangeTracking, t.Version = result, now
	return joined(warning, idle(format)), nil
}

// compare says what became of a page since its last version, and completes the
// present one.
func (s *Server) compare(ctx context.Context, last, now *store.Version, markdown string, format *trawl.Format, result *trawl.ChangeTracking) (warning string, err error) {
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
	if now.Text, err = s.Pack([]byte(markdown)); err != nil {
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

// describeChange has a model describe what changed. The two versions are shown to it in the same
// way: nothing is to look new only because less is known of the past. Pictures
// within the text say nothing to a model.
func (s *Server) describeChange(ctx context.Context, last *store.Version, url, markdown string, format *trawl.Format, result *trawl.ChangeTracking) (warning string, err error) {
	compiled, err := extract.Compile(format.Schema, "formats", "schema")
	if err != nil {
		return "", err
	}
	before := &extract.Source{URL: url, Markdown: pictures.ReplaceAllString(last.Markdown, "()")}
	now := &extract.Source{URL: url, Markdown: pictures.ReplaceAllString(markdown, "()")}
	found, err := s.Extract.Do(ctx, now, extract.Task{Kind: extract.Changes, Before: before, Want: extract.Want{Prompt: format.Prompt, Schema: compiled}})
	if err != nil {
		return "", err
	}
	result.JSON, err = marshal(found.Value)
	return found.Warning, err
}

// idle names options of change tracking that have nothing to act on.
func idle(format *trawl.Format) string {
	if reportsJSON(format) || format.Prompt == "" && format.Schema == nil {
		return ""
	}
	return "The prompt and the schema of changeTracking have no effect without the mode json."
}

// joined is two notes, of which each may be empty.
func joined(first, second string) string { return strings.TrimSpace(first + " " + second) }
