package scrape_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// web answers requests by a function and knows what it was asked.
type web struct {
	enhanced bool
	answer   func(fetch.Request) (*fetch.Response, error)

	mu    sync.Mutex
	asked []fetch.Request
}

func (w *web) HasEnhanced(string) bool { return w.enhanced }

func (w *web) Fetch(_ context.Context, req fetch.Request) (*fetch.Response, error) {
	w.mu.Lock()
	w.asked = append(w.asked, req)
	w.mu.Unlock()
	return w.answer(req)
}

func page(status int) (*fetch.Response, error) {
	return &fetch.Response{URL: "http://a.example/", Status: status, ContentType: "text/html", Body: []byte("<p>hello</p>")}, nil
}

func request(change ...func(*scrape.Request)) scrape.Request {
	req := scrape.Request{ScrapeRequest: trawl.DefaultScrapeRequest()}
	req.URL = "http://a.example/"
	for _, f := range change {
		f(&req)
	}
	return req
}

// TestProxyPolicy says which proxies a request goes through, and what it costs.
func TestProxyPolicy(t *testing.T) {
	t.Parallel()
	refused := trawl.Errorf(trawl.CodeSite, "refused")
	missing := trawl.Errorf(trawl.CodeDNS, "no such host")
	for _, row := range []struct {
		name, proxy     string
		enhanced        bool // a pool is configured
		basic, stealthy any  // status or error of each way
		used            string
		credits         int64
		ways            string // b and e, in order
		code            trawl.Code
	}{
		{name: "auto, all well", proxy: "auto", enhanced: true, basic: 200, used: "basic", credits: 1, ways: "b"},
		{name: "auto, target's own error", proxy: "auto", enhanced: true, basic: 404, used: "basic", credits: 1, ways: "b"},
		{name: "auto, blocked", proxy: "auto", enhanced: true, basic: 403, stealthy: 200, used: "stealth", credits: 5, ways: "be"},
		{name: "auto, failed", proxy: "auto", enhanced: true, basic: refused, stealthy: 200, used: "stealth", credits: 5, ways: "be"},
		{name: "auto, blocked both ways", proxy: "auto", enhanced: true, basic: 429, stealthy: 503, used: "basic", credits: 1, ways: "be"},
		{name: "auto, failed both ways", proxy: "auto", enhanced: true, basic: refused, stealthy: refused, ways: "be", code: trawl.CodeSite},
		{name: "auto, no such name", proxy: "auto", enhanced: true, basic: missing, ways: "b", code: trawl.CodeDNS},
		{name: "auto without a pool", proxy: "auto", basic: 403, used: "basic", credits: 1, ways: "b"},
		{name: "basic", proxy: "basic", enhanced: true, basic: 403, used: "basic", credits: 1, ways: "b"},
		{name: "enhanced", proxy: "enhanced", enhanced: true, stealthy: 200, used: "stealth", credits: 5, ways: "e"},
		{name: "stealth", proxy: "stealth", enhanced: true, stealthy: 200, used: "stealth", credits: 5, ways: "e"},
		{name: "enhanced without a pool", proxy: "enhanced", basic: 200, used: "basic", credits: 1, ways: "b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := &web{enhanced: row.enhanced, answer: func(req fetch.Request) (*fetch.Response, error) {
				result := row.basic
				if req.Enhanced {
					result = row.stealthy
				}
				if err, ok := result.(error); ok {
					return nil, err
				}
				return page(result.(int))
			}}
			s := scrape.New(scrape.Config{Fetch: w, Now: time.Now})
			defer s.Close()
			doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.Proxy = row.proxy }))
			var ways strings.Builder
			for _, req := range w.asked {
				ways.WriteByte(map[bool]byte{false: 'b', true: 'e'}[req.Enhanced])
			}
			if ways.String() != row.ways {
				t.Errorf("went %s, want %s", ways.String(), row.ways)
			}
			if row.code != "" {
				if trawl.ErrorCode(err) != row.code {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if doc.Metadata.ProxyUsed != row.used || doc.Metadata.CreditsUsed != row.credits {
				t.Errorf("%s for %d credits", doc.Metadata.ProxyUsed, doc.Metadata.CreditsUsed)
			}
			if warned := strings.Contains(doc.Warning, "enhanced"); warned != (row.proxy == "enhanced" && !row.enhanced) {
				t.Errorf("warning %q", doc.Warning)
			}
		})
	}
}

// TestCachedPrice takes a page from the cache that came by the enhanced way: it costs
// what the request itself asks for.
func TestCachedPrice(t *testing.T) {
	t.Parallel()
	kept := &depot{}
	s := scrape.New(scrape.Config{Fetch: &web{enhanced: true, answer: func(req fetch.Request) (*fetch.Response, error) {
		if !req.Enhanced {
			return page(403)
		}
		return page(200)
	}}, Store: kept, Blobs: kept, Now: time.Now})
	defer s.Close()
	for _, row := range []struct {
		proxy, state string
		credits      int64
	}{{"auto", trawl.CacheMiss, 5}, {"auto", trawl.CacheHit, 1}, {"enhanced", trawl.CacheHit, 5}} {
		doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.Proxy = row.proxy }))
		if err != nil {
			t.Fatal(err)
		}
		if m := doc.Metadata; m.CacheState != row.state || m.CreditsUsed != row.credits || m.ProxyUsed != "stealth" {
			t.Errorf("%s: %s by %s for %d credits", row.proxy, m.CacheState, m.ProxyUsed, m.CreditsUsed)
		}
	}
}

func TestAutoSharesTheTime(t *testing.T) {
	t.Parallel()
	w := &web{enhanced: true}
	var first time.Duration
	w.answer = func(req fetch.Request) (*fetch.Response, error) { return page(200) }
	s := scrape.New(scrape.Config{Fetch: deadlines{w, &first}, Now: time.Now})
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if _, err := s.Scrape(ctx, request()); err != nil {
		t.Fatal(err)
	}
	if first > 31*time.Minute || first < 29*time.Minute {
		t.Errorf("the first attempt has %v of an hour", first)
	}
}

// deadlines notes how long a fetch may take.
type deadlines struct {
	*web
	left *time.Duration
}

func (d deadlines) Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	deadline, _ := ctx.Deadline()
	*d.left = time.Until(deadline)
	return d.web.Fetch(ctx, req)
}

func TestTimeoutIsOneError(t *testing.T) {
	t.Parallel()
	w := &web{answer: func(fetch.Request) (*fetch.Response, error) { return nil, errors.New("whatever a deadline causes") }}
	s := scrape.New(scrape.Config{Fetch: w, Now: time.Now})
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if _, err := s.Scrape(ctx, request()); trawl.ErrorCode(err) != trawl.CodeTimeout {
		t.Errorf("%v", err)
	}
}

func TestLargePageIsCut(t *testing.T) {
	t.Parallel()
	body := []byte("<p>start</p>" + strings.Repeat("ü", 6<<20) + "<p>end</p>")
	w := &web{answer: func(fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: "http://a.example/", Status: 200, ContentType: "text/html", Body: body}, nil
	}}
	s := scrape.New(scrape.Config{Fetch: w, Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(*doc.Markdown, "start") || strings.Contains(*doc.Markdown, "end") || !strings.Contains(doc.Warning, "10 MiB") {
		t.Errorf("warning %q", doc.Warning)
	}
}

// ledger is a store whose transactions a test can hold up or fail.
type ledger struct {
	gate  chan struct{} // a token is taken for each transaction, if not nil
	fail  atomic.Int64  // this many transactions fail first
	mu    sync.Mutex
	sizes []int
	ids   map[string]int
}

func (l *ledger) Cached(context.Context, string, []string, time.Time, time.Time) (store.CachedPage, error) {
	return store.CachedPage{}, trawl.Errorf(trawl.CodeNotFound, "none")
}

func (l *ledger) Pack(data []byte) (store.Packed, error) { return data, nil }

func (l *ledger) Finish(_ context.Context, batch []store.Finished) ([]error, error) {
	if l.gate != nil {
		<-l.gate
	}
	if l.fail.Add(-1) >= 0 {
		return nil, errors.New("database is away")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sizes = append(l.sizes, len(batch))
	for _, item := range batch {
		if item.Record != nil && item.Record.Code != "" {
			continue // nobody pays for a failure
		}
		l.ids[item.Charge.ID]++
	}
	return make([]error, len(batch)), nil
}

type noBlobs struct{}

func (noBlobs) Put(context.Context, string, []byte) error { return nil }
func (noBlobs) Get(context.Context, string) ([]byte, error) {
	return nil, trawl.Errorf(trawl.CodeNotFound, "none")
}

// TestCommitsAreShared finishes many scrapes while one transaction is held up:
// the others share the next one.
func TestCommitsAreShared(t *testing.T) {
	t.Parallel()
	l := &ledger{gate: make(chan struct{}), ids: map[string]int{}}
	arrived := make(chan struct{}, 100)
	w := &web{answer: func(req fetch.Request) (*fetch.Response, error) { arrived <- struct{}{}; return page(200) }}
	s := scrape.New(scrape.Config{Fetch: w, Store: l, Blobs: noBlobs{}, Now: time.Now})
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			_, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = fmt.Sprintf("http://a.example/%d", i) }))
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 50 {
		<-arrived
	}
	close(l.gate)
	wg.Wait()
	s.Close()
	if len(l.ids) != 50 || len(l.sizes) > 25 {
		t.Errorf("%d scrapes in transactions of %v", len(l.ids), l.sizes)
	}
}

func TestCommitIsTriedAgain(t *testing.T) {
	t.Parallel()
	for fails, ok := range map[int64]bool{2: true, 100: false} {
		l := &ledger{ids: map[string]int{}}
		l.fail.Store(fails)
		w := &web{answer: func(fetch.Request) (*fetch.Response, error) { return page(200) }}
		s := scrape.New(scrape.Config{Fetch: w, Store: l, Blobs: noBlobs{}, Now: time.Now})
		_, err := s.Scrape(t.Context(), request())
		if (err == nil) != ok {
			t.Errorf("after %d failures: %v", fails, err)
		}
		s.Close()
	}
}

// TestHangingUpIsTooLate cancels a scrape whose work is done: it is stored all the same.
func TestHangingUpIsTooLate(t *testing.T) {
	t.Parallel()
	l := &ledger{gate: make(chan struct{}), ids: map[string]int{}}
	ctx, cancel := context.WithCancel(t.Context())
	w := &web{answer: func(fetch.Request) (*fetch.Response, error) { return page(200) }}
	s := scrape.New(scrape.Config{Fetch: w, Store: l, Blobs: noBlobs{}, Now: time.Now})
	done := make(chan error)
	go func() {
		_, err := s.Scrape(ctx, request())
		done <- err
	}()
	l.gate <- struct{}{} // the transaction has begun
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	s.Close()
	if len(l.ids) != 1 {
		t.Errorf("stored %v", l.ids)
	}
}
