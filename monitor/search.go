package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/store"
)

// What a check says of a result of a search.
const (
	resultAlert    = "alert"        // it matters, and is told of
	resultSeen     = "already_seen" // it was told of before
	resultWatching = "watching"     // it may matter
	resultIgnored  = "ignored"      // it does not matter
	resultSkipped  = "skipped"      // it could not be judged
)

// sighting is what a monitor knows of a result. A verdict counts as long as goal and
// queries are the same.
type sighting struct {
	Verdict string `json:"verdict"`
	For     string `json:"for"`
}

// searched makes the searches of a target and judges what is new.
func (s *Service) searched(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget, at place) (step, error) {
	next := step{next: place{target: at.target + 1, part: partDocuments}}
	results, outcome, err := s.results(ctx, t)
	if known, ok := errors.AsType[*trawl.Error](err); ok && ctx.Err() == nil {
		t.Error = known.Message
		return next, nil
	}
	if err != nil {
		return step{}, err
	}
	t.Search = outcome
	if w.Definition.Judges() && s.Model == nil {
		outcome.Degraded = "This server has no language model: every result counts that was not told of before."
	}
	urls := make([]string, len(results))
	for i := range results {
		urls[i] = results[i].URL
	}
	known, err := s.Store.WatchedPages(ctx, w.MonitorID, t.ID, urls)
	if err != nil {
		return step{}, err
	}
	key := keyOf(w.Definition.Goal + "\n" + strings.Join(t.Queries, "\n"))
	for i := range results {
		page, judged, err := s.weigh(ctx, w, t, &results[i], known[results[i].URL], key)
		if err != nil {
			return step{}, err
		}
		if judged {
			next.judged++
			outcome.Judged++
		}
		if page.Status == trawl.ChangeNew {
			outcome.Matches++
		}
		next.pages = append(next.pages, page)
	}
	return next, nil
}

// results are those of all queries of a target, each page once.
func (s *Service) results(ctx context.Context, t *trawl.CheckTarget) ([]trawl.SearchResult, *trawl.SearchOutcome, error) {
	outcome := &trawl.SearchOutcome{}
	var merged []trawl.SearchResult
	seen := map[string]bool{}
	for _, query := range t.Queries {
		found, err := s.Jobs.Find(ctx, searchOf(&t.MonitorTarget, query))
		if err != nil {
			return nil, nil, err
		}
		outcome.Credits += trawl.SearchPrice(len(found))
		for _, result := range found {
			address, err := trawl.ParseTarget(result.URL)
			if err != nil || seen[trawl.PageIdentity(address)] {
				continue
			}
			seen[trawl.PageIdentity(address)] = true
			merged = append(merged, result)
		}
	}
	merged = merged[:min(len(merged), t.MaxResults)]
	outcome.Results = len(merged)
	return merged, outcome, nil
}

// weigh says what becomes of a result.
func (s *Service) weigh(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget, r *trawl.SearchResult, known *store.WatchedPage, key string) (page store.CheckedPage, judged bool, err error) {
	page.CheckPage = trawl.CheckPage{TargetID: t.ID, URL: r.URL, Status: trawl.ChangeSame}
	var before sighting
	if known != nil {
		if err := json.Unmarshal(known.Known, &before); err != nil {
			return page, false, fmt.Errorf("read what is known of a result: %w", err)
		}
	}
	verdict := before.Verdict
	switch {
	case known != nil && before.For == key && verdict == resultAlert:
		verdict = resultSeen
	case known != nil && before.For == key:
	case w.Definition.Judges() && s.Model != nil:
		if verdict, page.Judgment, err = s.judgeResult(ctx, w, r); err != nil {
			return page, false, err
		}
		judged = page.Judgment != nil
	default:
		verdict = resultAlert
	}
	switch verdict {
	case resultAlert:
		page.Status = trawl.ChangeNew
	case resultSkipped:
		page.Status, page.Error = trawl.ChangeError, "The result could not be judged."
	}
	details := map[string]any{"title": r.Title, "searchStatus": verdict}
	if page.Metadata, err = json.Marshal(details); err != nil {
		return page, false, fmt.Errorf("describe result: %w", err)
	}
	if verdict == resultSkipped || verdict == resultSeen || known != nil && before.For == key {
		return page, judged, nil
	}
	page.Known = &store.WatchedPage{Body: []byte("{}")}
	if page.Known.Known, err = json.Marshal(sighting{verdict, key}); err != nil {
		return page, false, fmt.Errorf("keep result: %w", err)
	}
	return page, judged, nil
}

// judgeResult asks the model whether a result matters.
func (s *Service) judgeResult(ctx context.Context, w *store.CheckWork, r *trawl.SearchResult) (string, *trawl.Judgment, error) {
	j, err := s.ask(ctx, w, llm.Request{System: resultRules, User: asked(w.Definition.Goal, r.URL, "Title: "+r.Title, "Text: "+r.Description)})
	switch {
	case err != nil:
		return "", nil, err
	case j == nil:
		return resultSkipped, nil, nil
	}
	j.Changes = []trawl.JudgmentChange{} // there is no diff that they could be in
	switch {
	case j.Meaningful:
		return resultAlert, j, nil
	case j.Confidence == "low":
		return resultWatching, j, nil
	}
	return resultIgnored, j, nil
}
