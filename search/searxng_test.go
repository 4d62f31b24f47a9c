package search_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/search/searchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a provider that asks the stand-in.
func open(t testing.TB, address string) *search.SearXNG {
	t.Helper()
	provider, err := search.NewSearXNG(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(provider.Close)
	return provider
}

func numbered(n int) []searchtest.Result {
	list := make([]searchtest.Result, n)
	for i := range list {
		list[i] = searchtest.Result{URL: fmt.Sprintf("https://site%d.example/page", i), Title: fmt.Sprint("Page ", i), Content: "Words."}
	}
	return list
}

func addresses(results []trawl.SearchResult) []string {
	var list []string
	for _, r := range results {
		list = append(list, r.URL)
	}
	return list
}

func TestNewSearXNG(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "search.example", "ftp://search.example", "http://", "http://%zz"} {
		if _, err := search.NewSearXNG(address, nil); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	server := searchtest.New(t)
	server.Handle(searchtest.Pages(10, numbered(1)...))
	for _, ending := range []string{"", "/", "/search", "/search/"} {
		results, err := open(t, server.URL+ending).Search(t.Context(), search.Query{Text: "words"})
		if err != nil || len(results) != 1 {
			t.Errorf("%q: %d results, %v", ending, len(results), err)
		}
	}
}

// What is asked of the engine, parameter by parameter.
func TestQuery(t *testing.T) {
	t.Parallel()
	long := make([]string, 50)
	for i := range long {
		long[i] = strings.Repeat("a", 60) + fmt.Sprint(i) + ".example"
	}
	for name, c := range map[string]struct {
		query search.Query
		want  url.Values
	}{
		"plain": {search.Query{Text: " go crawler "}, url.Values{"q": {"go crawler"}, "categories": {"general"}}},
		"news in German of the last week": {
			search.Query{Text: "x", Source: trawl.SourceNews, Language: "de", Country: "at", Range: "week"},
			url.Values{"q": {"x"}, "categories": {"news"}, "language": {"de-AT"}, "time_range": {"week"}},
		},
		"images":            {search.Query{Text: "x", Source: trawl.SourceImages}, url.Values{"q": {"x"}, "categories": {"images"}}},
		"no language":       {search.Query{Text: "x", Language: "German!", Country: "de"}, url.Values{"q": {"x"}, "categories": {"general"}}},
		"included domains":  {search.Query{Text: "x", Include: []string{"a.example", "https://www.B.example/path"}}, url.Values{"q": {"x site:a.example OR site:b.example"}, "categories": {"general"}}},
		"excluded domains":  {search.Query{Text: "x", Exclude: []string{"a.example", "*.b.example"}}, url.Values{"q": {"x -site:a.example -site:b.example"}, "categories": {"general"}}},
		"a category":        {search.Query{Text: "x", Categories: []string{"github"}}, url.Values{"q": {"x site:github.com"}, "categories": {"general"}}},
		"two categories":    {search.Query{Text: "x", Categories: []string{"github", "pdf"}}, url.Values{"q": {"x site:github.com OR filetype:pdf"}, "categories": {"general"}}},
		"no operators else": {search.Query{Text: "x", Include: []string{"a b) OR site:evil"}}, url.Values{"q": {"x"}, "categories": {"general"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := searchtest.New(t)
			if _, err := open(t, server.URL).Search(t.Context(), c.query); err != nil {
				t.Fatal(err)
			}
			calls := server.Calls()
			if len(calls) != 1 {
				t.Fatalf("%d calls", len(calls))
			}
			c.want.Set("format", "json")
			c.want.Set("pageno", "1")
			if got := calls[0].Encode(); got != c.want.Encode() {
				t.Errorf("asked\n%s, want\n%s", got, c.want.Encode())
			}
		})
	}
	server := searchtest.New(t)
	if _, err := open(t, server.URL).Search(t.Context(), search.Query{Text: "x", Include: long}); err != nil {
		t.Fatal(err)
	}
	if q := server.Calls()[0].Get("q"); len(q) > 1600 || !strings.Contains(q, long[0]) {
		t.Errorf("%d characters are asked for", len(q))
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	page := searchtest.Result{URL: "https://a.example/x", Title: "A \n title", Content: "Some\twords.", PublishedDate: "2026-01-02T03:04:05"}
	image := page
	image.Image, image.Resolution = "//img.example/x.png", "800 x 600"
	for name, c := range map[string]struct {
		source string
		found  []searchtest.Result
		want   []trawl.SearchResult
	}{
		"web": {trawl.SourceWeb, []searchtest.Result{page}, []trawl.SearchResult{
			{URL: page.URL, Title: "A title", Description: "Some words.", Position: 1},
		}},
		"news": {trawl.SourceNews, []searchtest.Result{image}, []trawl.SearchResult{
			{URL: page.URL, Title: "A title", Snippet: "Some words.", Date: "2026-01-02T03:04:05", ImageURL: "https://img.example/x.png", Position: 1},
		}},
		"images, and one without": {trawl.SourceImages, []searchtest.Result{page, image}, []trawl.SearchResult{
			{URL: page.URL, Title: "A title", ImageURL: "https://img.example/x.png", ImageWidth: 800, ImageHeight: 600, Position: 1},
		}},
		"what cannot be scraped, and what came before": {trawl.SourceWeb, []searchtest.Result{
			{URL: "magnet:?xt=1"}, {URL: "ftp://a.example/"}, {URL: ""}, {URL: "https://A.example"}, {URL: "https://a.example/"}, {URL: "https://b.example/"},
		}, []trawl.SearchResult{{URL: "https://a.example/", Position: 1}, {URL: "https://b.example/", Position: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := searchtest.New(t)
			server.Handle(searchtest.Pages(20, c.found...))
			got, err := open(t, server.URL).Search(t.Context(), search.Query{Text: "x", Source: c.source})
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

// An engine that ignores the operators does not get its results through.
func TestFilter(t *testing.T) {
	t.Parallel()
	found := []searchtest.Result{
		{URL: "https://docs.a.example/x"}, {URL: "https://a.example/y.pdf"}, {URL: "https://nota.example/"}, {URL: "https://github.com/a/b"},
	}
	for name, c := range map[string]struct {
		query      search.Query
		want       []string
		categories []string
	}{
		"included":   {search.Query{Include: []string{"a.example"}}, []string{"https://docs.a.example/x", "https://a.example/y.pdf"}, nil},
		"excluded":   {search.Query{Exclude: []string{"a.example"}}, []string{"https://nota.example/", "https://github.com/a/b"}, nil},
		"categories": {search.Query{Categories: []string{"pdf", "github"}}, []string{"https://a.example/y.pdf", "https://github.com/a/b"}, []string{"pdf", "github"}},
		"nothing":    {search.Query{Categories: []string{"research"}}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := searchtest.New(t)
			server.Handle(searchtest.Pages(20, found...))
			got, err := open(t, server.URL).Search(t.Context(), c.query)
			if err != nil || !slices.Equal(addresses(got), c.want) {
				t.Errorf("got %v, %v, want %v", addresses(got), err, c.want)
			}
			for i, category := range c.categories {
				if got[i].Category != category || got[i].Position != i+1 {
					t.Errorf("%+v", got[i])
				}
			}
		})
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		found, perPage, limit int
		results, calls        int
	}{
		"one is enough":        {30, 10, 10, 10, 1},
		"three are needed":     {60, 10, 25, 25, 3},
		"there are no more":    {12, 10, 50, 12, 3},
		"never more than ten":  {500, 5, 100, 50, 10},
		"ten unless it is set": {30, 20, 0, 10, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := searchtest.New(t)
			server.Handle(searchtest.Pages(c.perPage, numbered(c.found)...))
			results, err := open(t, server.URL).Search(t.Context(), search.Query{Text: "x", Limit: c.limit})
			if err != nil || len(results) != c.results || len(server.Calls()) != c.calls {
				t.Errorf("%d results from %d pages, %v", len(results), len(server.Calls()), err)
			}
		})
	}
	t.Run("an engine that repeats itself", func(t *testing.T) {
		t.Parallel()
		server := searchtest.New(t)
		server.Handle(func(url.Values) searchtest.Reply { return searchtest.Reply{Results: numbered(3)} })
		results, err := open(t, server.URL).Search(t.Context(), search.Query{Limit: 10})
		if err != nil || len(results) != 3 || len(server.Calls()) != 2 {
			t.Errorf("%d results from %d pages, %v", len(results), len(server.Calls()), err)
		}
	})
	t.Run("a later page fails", func(t *testing.T) {
		t.Parallel()
		server := searchtest.New(t)
		server.Handle(func(q url.Values) searchtest.Reply {
			if q.Get("pageno") != "1" {
				return searchtest.Reply{Status: http.StatusForbidden}
			}
			return searchtest.Reply{Results: numbered(3)}
		})
		results, err := open(t, server.URL).Search(t.Context(), search.Query{Limit: 10})
		if err != nil || len(results) != 3 {
			t.Errorf("%d results, %v", len(results), err)
		}
	})
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply searchtest.Reply
		code  trawl.Code
		text  string
		calls int
	}{
		"its JSON is off":      {searchtest.Reply{Status: 403}, trawl.CodeSearch, "search.formats", 1},
		"it is asked too much": {searchtest.Reply{Status: 429, Header: http.Header{"Retry-After": {"1"}}}, trawl.CodeSearch, "429", 2},
		"it is broken":         {searchtest.Reply{Status: 502}, trawl.CodeSearch, "502", 2},
		"it is elsewhere":      {searchtest.Reply{Status: 301, Header: http.Header{"Location": {"http://169.254.169.254/"}}}, trawl.CodeSearch, "redirect", 1},
		"no JSON":              {searchtest.Reply{Body: "<html>"}, trawl.CodeSearch, "JSON", 1},
		"other JSON":           {searchtest.Reply{Body: `{"error":"x"}`}, trawl.CodeSearch, "JSON", 1},
		"too much":             {searchtest.Reply{Body: `{"results":[],"x":"` + strings.Repeat("x", 5<<20) + `"}`}, trawl.CodeSearch, "4 MiB", 1},
		"engines are silent":   {searchtest.Reply{Unresponsive: [][2]string{{"google", "timeout"}}}, trawl.CodeSearch, "google: timeout", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := searchtest.New(t)
			server.Handle(func(url.Values) searchtest.Reply { return c.reply })
			_, err := open(t, server.URL).Search(t.Context(), search.Query{Text: "x"})
			known, ok := errors.AsType[*trawl.Error](err)
			if !ok || known.Code != c.code || !strings.Contains(known.Message, c.text) || len(server.Calls()) != c.calls {
				t.Errorf("%v after %d calls", err, len(server.Calls()))
			}
		})
	}
}

// A second attempt helps, and what is odd in an answer costs only itself.
func TestSecondAttempt(t *testing.T) {
	t.Parallel()
	server := searchtest.New(t)
	server.Handle(func(url.Values) searchtest.Reply {
		if len(server.Calls()) == 1 {
			return searchtest.Reply{Status: 500}
		}
		return searchtest.Reply{Body: `{"results":[{"url":7},null,"x",{"url":"https://a.example/","title":null,"content":["x"]}],"unresponsive_engines":"odd"}`}
	})
	results, err := open(t, server.URL).Search(t.Context(), search.Query{Text: "x", Limit: 1})
	if err != nil || len(results) != 1 || results[0].URL != "https://a.example/" || results[0].Description != "" {
		t.Errorf("%+v, %v", results, err)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, err := open(t, gone.URL).Search(t.Context(), search.Query{Text: "x"})
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok || known.Code != trawl.CodeSearch || strings.Contains(known.Message, "127.0.0.1") {
		t.Errorf("%v", err)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	server := searchtest.New(t)
	server.Handle(func(url.Values) searchtest.Reply { return searchtest.Reply{Hang: true} })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := open(t, server.URL).Search(ctx, search.Query{Text: "x"}); trawl.ErrorCode(err) != trawl.CodeSearchTimeout {
		t.Errorf("%v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, server.URL).Search(ctx, search.Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The password of an address is sent as one, and to that address only.
func TestPassword(t *testing.T) {
	t.Parallel()
	given := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		given <- name + " " + password
		fmt.Fprint(w, `{"results":[]}`)
	}))
	t.Cleanup(server.Close)
	if _, err := open(t, strings.Replace(server.URL, "//", "//me:secret@", 1)).Search(t.Context(), search.Query{}); err != nil {
		t.Fatal(err)
	}
	if got := <-given; got != "me secret" {
		t.Errorf("%q", got)
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	for tbs, want := range map[string]string{
		"": "", "qdr:h": "day", "qdr:d": "day", "qdr:d3": "week", "qdr:w": "week", "qdr:m": "month", "qdr:m6": "year", "qdr:y": "year", "qdr:y5": "", "sbd:1,qdr:w": "week", "qdr:x": "", "cdr:1": "",
	} {
		got, exact := search.Range(tbs)
		if wantExact := strings.HasSuffix(tbs, "qdr:"+want[:min(len(want), 1)]) && want != ""; exact != wantExact {
			t.Errorf("%q is exact: %v", tbs, exact)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", tbs, got, want)
		}
	}
}

func TestLocale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, country, want string }{
		{"", "", ""}, {"en", "", "en"}, {"EN", "us", "en-US"}, {"pt-BR", "pt", "pt-BR"}, {"pt_br", "", "pt-BR"}, {"", "de", ""}, {"en", "Germany", "en"}, {"english", "us", ""},
	} {
		if got := search.Locale(c.language, c.country); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.language, c.country, got, c.want)
		}
	}
}

// FuzzAnswer reads answers of all kinds: whatever comes, results are usable.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `{"results":[]}`, `{"results":[{"url":"https://a.example/","title":"x","img_src":"//b.example/x.png","resolution":"1x2"}]}`,
		`{"results":[null,1,{"url":null}],"unresponsive_engines":[["a","b"],[1],null]}`, `{"results":[],"unresponsive_engines":{"a":1}}`,
	} {
		f.Add(body, 0)
	}
	f.Fuzz(func(t *testing.T, body string, source int) {
		sources := []string{trawl.SourceWeb, trawl.SourceNews, trawl.SourceImages}
		provider, err := search.NewSearXNG("http://search.example", canned(body))
		if err != nil {
			t.Fatal(err)
		}
		q := search.Query{Text: "x", Source: sources[uint(source)%3], Limit: 5, Exclude: []string{"b.example"}}
		results, err := provider.Search(t.Context(), q)
		if _, ok := errors.AsType[*trawl.Error](err); err != nil && !ok {
			t.Fatalf("%v", err)
		}
		seen := map[string]bool{}
		for i, r := range results {
			if _, err := trawl.ParseTarget(r.URL); err != nil || r.Position != i+1 || len(results) > 5 || seen[r.URL+" "+r.ImageURL] {
				t.Fatalf("%+v, %v", r, err)
			}
			seen[r.URL+" "+r.ImageURL] = true
			if _, err := r.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// canned answers every request with itself.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	_, _ = w.WriteString(string(c))
	response := w.Result()
	response.Request = r
	return response, nil
}
