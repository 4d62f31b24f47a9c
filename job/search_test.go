package job_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/search"
)

// finder is a search engine that answers by itself.
type finder func(context.Context, search.Query) ([]trawl.SearchResult, error)

func (f finder) Search(ctx context.Context, q search.Query) ([]trawl.SearchResult, error) {
	return f(ctx, q)
}

// pagesFound are so many results.
func pagesFound(n int) finder {
	return func(context.Context, search.Query) ([]trawl.SearchResult, error) {
		list := make([]trawl.SearchResult, n)
		for i := range list {
			list[i] = trawl.SearchResult{URL: fmt.Sprintf("https://site%d.example/", i), Position: i + 1}
		}
		return list, nil
	}
}

func startSearching(t *testing.T, engine search.Provider) *service {
	t.Helper()
	return start(t, func(c *job.Config) { c.Search = engine })
}

// searchFor searches, and scrapes what is found with the function.
func (s *service) searchFor(ctx context.Context, scrape func(context.Context, trawl.ScrapeRequest) (*trawl.Document, error), change func(*trawl.SearchRequest)) (*job.SearchAnswer, error) {
	req := trawl.DefaultSearchRequest()
	req.Query = "kettles"
	if scrape != nil {
		options := trawl.DefaultScrapeOptions()
		req.ScrapeOptions = &options
	}
	if change != nil {
		change(&req)
	}
	return s.Search(ctx, s.order, req, scrape)
}

func TestSearchQuery(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []search.Query
	s := startSearching(t, finder(func(_ context.Context, q search.Query) ([]trawl.SearchResult, error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, q)
		return nil, nil
	}))
	answer, err := s.searchFor(t.Context(), nil, func(r *trawl.SearchRequest) {
		r.Sources = []trawl.SearchOption{{Type: trawl.SourceNews}}
		r.Categories = []trawl.SearchOption{{Type: "pdf"}}
		r.Lang, r.Country, r.TBS, r.Limit, r.ExcludeDomains = "de", "at", "qdr:m", 7, []string{"a.example"}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := search.Query{
		Text: "kettles", Source: "news", Language: "de", Country: "at", Range: "month", Limit: 7, Exclude: []string{"a.example"}, Categories: []string{"pdf"},
	}
	if len(asked) != 1 || !reflect.DeepEqual(asked[0], want) {
		t.Errorf("asked %+v, want %+v", asked, want)
	}
	if _, ok := answer.Groups["news"]; !ok || len(answer.Groups) != 1 || answer.Credits != 0 || answer.Warning != "" {
		t.Errorf("%+v", answer)
	}
}

// Pages are scraped side by side; one that fails stays as it was found, and only
// those that did not are paid for.
func TestSearchScrapes(t *testing.T) {
	t.Parallel()
	s := startSearching(t, pagesFound(4))
	var together sync.WaitGroup
	together.Add(4)
	answer, err := s.searchFor(t.Context(), func(_ context.Context, r trawl.ScrapeRequest) (*trawl.Document, error) {
		together.Done()
		together.Wait()
		if strings.Contains(r.URL, "site2") {
			return nil, trawl.Errorf(trawl.CodeSite, "The site is closed.")
		}
		doc := &trawl.Document{}
		doc.Metadata.SourceURL, doc.Metadata.CreditsUsed = r.URL, 5
		return doc, nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range answer.Groups["web"] {
		if doc := result.Document; (doc == nil) != (i == 2) || doc != nil && doc.Metadata.SourceURL != result.URL {
			t.Errorf("%d: %+v", i, result)
		}
	}
	if answer.Credits != 2+3*5 || answer.Warning != "1 of the 4 pages could not be scraped and are listed as they were found: The site is closed." {
		t.Errorf("%d credits, %q", answer.Credits, answer.Warning)
	}
	if _, used := s.balance(); used != 2 { // scrapes are charged by whoever makes them
		t.Errorf("%d credits were charged", used)
	}
}

// A search that cannot be paid for is not followed by scrapes.
func TestSearchBeyondCredits(t *testing.T) {
	t.Parallel()
	three := int64(3)
	s := startSearching(t, pagesFound(11)).as(trawl.Team{Credits: &three})
	_, err := s.searchFor(t.Context(), func(context.Context, trawl.ScrapeRequest) (*trawl.Document, error) {
		t.Error("a page is scraped")
		return nil, errors.New("no")
	}, nil)
	if trawl.ErrorCode(err) != trawl.CodePayment {
		t.Errorf("%v", err)
	}
	if left, used := s.balance(); used != 0 || *left != 3 {
		t.Errorf("%d credits used, %d left", used, *left)
	}
}

func TestSearchFails(t *testing.T) {
	t.Parallel()
	if _, err := start(t).searchFor(t.Context(), nil, nil); trawl.ErrorCode(err) != trawl.CodeNoSearch {
		t.Errorf("%v", err)
	}
	s := startSearching(t, finder(func(ctx context.Context, q search.Query) ([]trawl.SearchResult, error) {
		if q.Source == trawl.SourceNews {
			return nil, trawl.Errorf(trawl.CodeSearch, "The engine is broken.")
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	both := func(r *trawl.SearchRequest) {
		r.Sources = []trawl.SearchOption{{Type: trawl.SourceWeb}, {Type: trawl.SourceNews}}
	}
	if _, err := s.searchFor(t.Context(), nil, both); trawl.ErrorCode(err) != trawl.CodeSearch {
		t.Errorf("one of two sources fails: %v", err)
	}
	if _, err := s.searchFor(t.Context(), nil, func(r *trawl.SearchRequest) { r.Timeout = 1 }); trawl.ErrorCode(err) != trawl.CodeSearchTimeout {
		t.Errorf("time runs out: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.searchFor(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller leaves: %v", err)
	}
	if _, used := s.balance(); used != 0 {
		t.Errorf("%d credits were charged", used)
	}
}
