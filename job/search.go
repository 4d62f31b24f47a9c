package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/store"
)

// SearchAnswer is what a web search found.
type SearchAnswer struct {
	ID      string
	Groups  map[string][]trawl.SearchResult // by source; only those that were asked for
	Credits int64                           // of the search and of what was scraped
	Warning string
}

// scrapesAside is how many results of a search are scraped side by side. The
// slots of the team may allow fewer.
const scrapesAside = 20

// Search searches the web, and has the pages that were found scraped by the given
// function if the request asks for it. The search is charged by the number of its
// results, before anything is scraped. A page that cannot be scraped stays among
// the results as it was found.
func (e *Engine) Search(ctx context.Context, o Order, req trawl.SearchRequest, scrape func(context.Context, trawl.ScrapeRequest) (*trawl.Document, error)) (*SearchAnswer, error) {
	if e.Config.Search == nil {
		return nil, NoSearch()
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(req.Timeout)*time.Millisecond)
	defer cancel()
	began := e.Now()
	answer := &SearchAnswer{ID: newID(), Groups: map[string][]trawl.SearchResult{}, Warning: join(trawl.WithoutEffect(req.Ignored()), ineffective(&req))}
	if err := e.searchGroups(ctx, &req, answer); err != nil {
		err = searchFailed(ctx, err)
		e.recordFailure(ctx, o, "search", req.Query, answer.ID, err, began)
		return nil, err
	}
	total := 0
	for _, results := range answer.Groups {
		total += len(results)
	}
	answer.Credits = trawl.SearchPrice(total)
	if err := e.charge(ctx, o, "search", req.Query, answer.ID, answer.Credits, began); err != nil {
		return nil, err
	}
	if req.ScrapeOptions != nil {
		scrapeResults(ctx, &req, answer, scrape)
	}
	return answer, nil
}

// Find searches the web like Search, but for free: whoever asks has paid. The results
// are those of the web.
func (e *Engine) Find(ctx context.Context, req trawl.SearchRequest) ([]trawl.SearchResult, error) {
	if e.Config.Search == nil {
		return nil, NoSearch()
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(req.Timeout)*time.Millisecond)
	defer cancel()
	answer := &SearchAnswer{Groups: map[string][]trawl.SearchResult{}}
	if err := e.searchGroups(ctx, &req, answer); err != nil {
		return nil, searchFailed(ctx, err)
	}
	return answer.Groups[trawl.SourceWeb], nil
}

// NoSearch is the error of a service that cannot search the web.
func NoSearch() *trawl.Error {
	return trawl.Errorf(trawl.CodeNoSearch, "Web search is not configured on this server: its operator can set TRAWL_SEARCH_URL.")
}

// searchGroups asks for all sources at the same time.
func (e *Engine) searchGroups(ctx context.Context, req *trawl.SearchRequest, answer *SearchAnswer) error {
	groups := req.Groups()
	found := make([][]trawl.SearchResult, len(groups))
	parallel, ctx := errgroup.WithContext(ctx)
	for i, source := range groups {
		parallel.Go(func() (err error) {
			q := queryOf(req)
			q.Source = source
			found[i], err = e.Config.Search.Search(ctx, q)
			return err
		})
	}
	if err := parallel.Wait(); err != nil {
		return err
	}
	for i, source := range groups {
		answer.Groups[source] = found[i]
	}
	return nil
}

func queryOf(req *trawl.SearchRequest) search.Query {
	span, _ := search.Range(req.TBS)
	q := search.Query{
		Text: req.Query, Language: req.Lang, Country: req.Country, Range: span, Limit: req.Limit,
		Include: req.IncludeDomains, Exclude: req.ExcludeDomains,
	}
	for _, category := range req.Categories {
		q.Categories = append(q.Categories, category.Type)
	}
	return q
}

// ineffective names the options whose values this search cannot use.
func ineffective(req *trawl.SearchRequest) string {
	var names []string
	locale := search.Locale(req.Lang, req.Country)
	span, exact := search.Range(req.TBS)
	for _, option := range []struct {
		name string
		idle bool
	}{
		{"lang", req.Lang != "" && locale == ""},
		{"country", req.Country != "" && !strings.HasSuffix(locale, "-"+strings.ToUpper(req.Country))},
		{"location", req.Location != ""},
		{"tbs", req.TBS != "" && span == ""},
	} {
		if option.idle {
			names = append(names, option.name)
		}
	}
	var idle, wider string
	if len(names) > 0 {
		idle = "The search has no use for what was given as " + strings.Join(names, ", ") + "."
	}
	if span != "" && !exact {
		wider = "The time range was widened to the last " + span + "."
	}
	return join(idle, wider)
}

// searchFailed is what callers see of a search that failed.
func searchFailed(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return trawl.Wrap(trawl.CodeSearchTimeout, "Search timed out", err)
	}
	return err
}

// charge takes the price of what was answered at once, and records it.
func (e *Engine) charge(ctx context.Context, o Order, kind, target, id string, credits int64, began time.Time) error {
	now := e.Now()
	team, key := o.Caller.Team.ID, o.Caller.Key.ID
	errs, err := e.Store.Finish(context.WithoutCancel(ctx), []store.Finished{{
		Charge: trawl.Charge{ID: id, TeamID: team, KeyID: key, Kind: kind, Credits: credits, At: now},
		Record: &store.Record{
			ID: id, TeamID: team, KeyID: key, Endpoint: kind, Target: target, Credits: credits, Duration: now.Sub(began),
			CreatedAt: now, ExpiresAt: now.Add(e.Store.Retention()),
		},
	}})
	if err != nil {
		return err
	}
	return errs[0]
}

// recordFailure notes that something that is answered at once failed. The caller hears
// of its failure, and not of that of the note. What was refused before it began is not
// worth one.
func (e *Engine) recordFailure(ctx context.Context, o Order, kind, target, id string, failure error, began time.Time) {
	code := trawl.ErrorCode(failure)
	if errors.Is(failure, context.Canceled) || code == trawl.CodeBadRequest || code == trawl.CodePayment {
		return
	}
	now, team := e.Now(), o.Caller.Team.ID
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failurePatience)
	defer cancel()
	_, err := e.Store.Finish(ctx, []store.Finished{{Charge: trawl.Charge{TeamID: team}, Record: &store.Record{
		ID: id, TeamID: team, KeyID: o.Caller.Key.ID, Endpoint: kind, Target: target, Duration: now.Sub(began), Code: code,
		CreatedAt: now, ExpiresAt: now.Add(e.Store.Retention()),
	}}})
	if err != nil {
		e.Log.Warn("a failure could not be recorded", "kind", kind, "err", err)
	}
}

// failurePatience is how long a caller waits until its failure is recorded.
const failurePatience = 5 * time.Second

// scrapeResults puts documents to the results of the web, and their price to that
// of the search.
func scrapeResults(ctx context.Context, req *trawl.SearchRequest, answer *SearchAnswer, scrape func(context.Context, trawl.ScrapeRequest) (*trawl.Document, error)) {
	results := answer.Groups[trawl.SourceWeb]
	failures := make([]error, len(results))
	withheld := false
	var parallel errgroup.Group
	parallel.SetLimit(scrapesAside)
	chosen := trust{subdomains: true}
	for _, domain := range req.IncludeDomains {
		chosen.named = append(chosen.named, "http://"+domain)
	}
	for i := range results {
		withheld = withheld || len(req.ScrapeOptions.Headers) > 0 && !chosen.covers(results[i].URL)
		parallel.Go(func() error {
			page := trawl.DefaultScrapeRequest()
			page.URL, page.ScrapeOptions = results[i].URL, *req.ScrapeOptions
			if !chosen.covers(page.URL) {
				page.Headers = nil
			}
			results[i].Document, failures[i] = scrape(ctx, page)
			return nil
		})
	}
	_ = parallel.Wait() // what failed is among the failures
	failed, reason := 0, ""
	if withheld {
		answer.Warning = join(answer.Warning, "The headers in scrapeOptions were sent only to hosts in includeDomains.")
	}
	for i, err := range failures {
		if err == nil {
			answer.Credits += results[i].Document.Metadata.CreditsUsed
			continue
		}
		if failed++; failed == 1 {
			reason = failureOf(err).Text
		}
	}
	if failed > 0 {
		answer.Warning = join(answer.Warning, fmt.Sprintf("%d of the %d pages could not be scraped and are listed as they were found: %s", failed, len(results), reason))
	}
}
