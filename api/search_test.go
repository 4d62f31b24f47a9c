package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/search/searchtest"
)

const searchPath = "/v2/search"

// startSearching runs a service beside a stand-in for a search engine that finds
// the given results, whatever is searched for.
func startSearching(t *testing.T, results func(site string) []searchtest.Result, change ...func(*api.Config)) (*service, *searchtest.Server) {
	t.Helper()
	engine := searchtest.New(t)
	s := startBeside(t, endpoints{search: engine.URL}, change...)
	if results != nil {
		engine.Handle(searchtest.Pages(10, results(s.site.URL)...))
	}
	return s, engine
}

func (s *service) search(body string) reply {
	s.t.Helper()
	return s.do(call{path: searchPath, key: s.key, body: body})
}

// many are so many pages of different sites.
func many(n int) func(string) []searchtest.Result {
	return func(string) []searchtest.Result {
		list := make([]searchtest.Result, n)
		for i := range list {
			list[i] = searchtest.Result{URL: fmt.Sprintf("https://site%d.example/", i), Title: "A page", Content: "Words of it."}
		}
		return list
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body    string
		found   int
		groups  map[string]int // and how many results they have
		credits float64
		warning string
	}{
		"the web unless chosen":    {`{"query":"x"}`, 25, map[string]int{"web": 10}, 2, ""},
		"as many as asked for":     {`{"query":"x","limit":25}`, 25, map[string]int{"web": 25}, 6, ""},
		"nothing is found":         {`{"query":"x"}`, 0, map[string]int{"web": 0}, 0, ""},
		"sources by name":          {`{"query":"x","sources":["news"]}`, 3, map[string]int{"news": 3}, 2, ""},
		"sources as objects":       {`{"query":"x","sources":[{"type":"web"},{"type":"news"}],"limit":6}`, 6, map[string]int{"web": 6, "news": 6}, 4, ""},
		"a source with a range":    {`{"query":"x","sources":[{"type":"web","tbs":"qdr:d"}]}`, 1, map[string]int{"web": 1}, 2, ""},
		"a source with a place":    {`{"query":"x","sources":[{"type":"web","tbs":"qdr:d","location":"Berlin"}]}`, 1, map[string]int{"web": 1}, 2, "location"},
		"sources that differ":      {`{"query":"x","sources":[{"type":"web","tbs":"qdr:d"},{"type":"news"}]}`, 1, map[string]int{"web": 1, "news": 1}, 2, "sources"},
		"blanks around domains":    {`{"query":"x","excludeDomains":[" a.example\t"]}`, 1, map[string]int{"web": 1}, 2, ""},
		"enterprise as a list":     {`{"query":"x","enterprise":["default","anon"]}`, 1, map[string]int{"web": 1}, 2, "enterprise"},
		"sources that give none":   {`{"query":"x","sources":["web","alexandria"],"domainTools":true,"toolDetail":"compact"}`, 1, map[string]int{"web": 1}, 2, ""},
		"images without a picture": {`{"query":"x","sources":["images"]}`, 3, map[string]int{"images": 0}, 0, ""},
		"options without effect":   {`{"query":"x","location":"Berlin","country":"de","highlights":true,"tbs":"sbd:1"}`, 1, map[string]int{"web": 1}, 2, "highlights|country, location, tbs"},
		"options with effect":      {`{"query":"x","lang":"de","country":"de","tbs":"qdr:w"}`, 1, map[string]int{"web": 1}, 2, ""},
		"nulls":                    {`{"query":"x","sources":null,"categories":null,"scrapeOptions":null,"tbs":null,"limit":null}`, 1, map[string]int{"web": 1}, 2, ""},
		"options without formats":  {`{"query":"x","scrapeOptions":{"formats":[]}}`, 1, map[string]int{"web": 1}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := startSearching(t, many(c.found))
			r := s.search(c.body).want(t, http.StatusOK)
			data, _ := r.at("data").(map[string]any)
			if len(data) != len(c.groups) {
				t.Errorf("groups: %v", data)
			}
			for group, n := range c.groups {
				list, ok := data[group].([]any)
				if !ok || len(list) != n {
					t.Errorf("%s: %v", group, data[group])
				}
				for i, one := range list {
					if result := one.(map[string]any); result["position"] != float64(i+1) || result["url"] == "" || result["title"] != "A page" {
						t.Errorf("%v", result)
					}
				}
			}
			if r.at("creditsUsed") != c.credits || len(r.str("id")) != 36 {
				t.Errorf("%v credits, id %q", r.at("creditsUsed"), r.str("id"))
			}
			for part := range strings.SplitSeq(c.warning, "|") {
				if warning := r.str("warning"); !strings.Contains(warning, part) || c.warning == "" && warning != "" {
					t.Errorf("warning %q", warning)
				}
			}
		})
	}
}

// What is searched for goes to the engine, what it costs to the account, and what
// was done to the list of activities.
func TestSearchIsRecorded(t *testing.T) {
	t.Parallel()
	s, engine := startSearching(t, many(12))
	ten := int64(10)
	_, key := s.newTeam(trawl.Team{Name: "paying", Credits: &ten})
	r := s.do(call{path: searchPath, key: key, body: `{"query":"kettles of copper","limit":12,"categories":["github",{"type":"pdf"}]}`}).want(t, http.StatusOK)
	if q := engine.Calls()[0].Get("q"); q != "kettles of copper site:github.com OR filetype:pdf" || r.at("creditsUsed") != 0.0 {
		t.Errorf("%q, %v", q, r.at("creditsUsed"))
	}
	s.do(call{path: searchPath, key: key, body: `{"query":"kettles","limit":12}`}).want(t, http.StatusOK)
	usage := s.do(call{method: http.MethodGet, path: "/v2/team/credit-usage", key: key})
	if left := usage.at("data", "remainingCredits"); left != 6.0 {
		t.Errorf("%v credits left: %s", left, usage.raw)
	}
	activity := s.do(call{method: http.MethodGet, path: "/v2/team/activity?endpoint=search", key: key})
	if list, _ := activity.at("data").([]any); len(list) != 2 || list[0].(map[string]any)["target"] != "kettles" {
		t.Errorf("%s", activity.raw)
	}
	one := int64(1)
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &one})
	s.do(call{path: searchPath, key: poor, body: `{"query":"x"}`}).want(t, http.StatusPaymentRequired)
}

func TestSearchScrapes(t *testing.T) {
	t.Parallel()
	s, _ := startSearching(t, func(site string) []searchtest.Result {
		return []searchtest.Result{
			{URL: site + "/", Title: "One"}, {URL: "http://nobody.example/", Title: "Two"}, {URL: site + "/broken", Title: "Three"},
		}
	})
	s.site.mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.Close()
	})
	r := s.search(`{"query":"x","sources":["web","news"],"scrapeOptions":{"formats":["markdown","links"]}}`).want(t, http.StatusOK)
	web := r.at("data", "web").([]any)
	first := web[0].(map[string]any)
	metadata, _ := first["metadata"].(map[string]any)
	if markdown, _ := first["markdown"].(string); !strings.Contains(markdown, "# Heading") || first["title"] != "One" || first["position"] != 1.0 || metadata["statusCode"] != 200.0 {
		t.Errorf("%v", first)
	}
	for _, plain := range append(web[1:], r.at("data", "news").([]any)...) {
		if result := plain.(map[string]any); result["markdown"] != nil || result["url"] == "" {
			t.Errorf("%v", result)
		}
	}
	if r.at("creditsUsed") != 3.0 || !strings.Contains(r.str("warning"), "2 of the 3 pages") {
		t.Errorf("%v credits, %q", r.at("creditsUsed"), r.str("warning"))
	}
	s.get("/v2/scrape/"+metadata["scrapeId"].(string)).want(t, http.StatusOK)
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	s, engine := startSearching(t, many(1))
	for name, c := range map[string]struct{ body, path string }{
		"no query":           {`{}`, "query"},
		"an empty query":     {`{"query":" "}`, "query"},
		"a long query":       {`{"query":"` + strings.Repeat("x", 2001) + `"}`, "query"},
		"a limit of 0":       {`{"query":"x","limit":0}`, "limit"},
		"a limit of 101":     {`{"query":"x","limit":101}`, "limit"},
		"an unknown source":  {`{"query":"x","sources":["web","maps"]}`, "sources.1"},
		"an unknown range":   {`{"query":"x","sources":[{"type":"web","tbs":1}]}`, "sources.0"},
		"a number as source": {`{"query":"x","sources":[1]}`, "sources.0"},
		"an unknown kind":    {`{"query":"x","categories":[{"type":"poems"}]}`, "categories.0"},
		"both domains":       {`{"query":"x","includeDomains":["a.example"],"excludeDomains":["b.example"]}`, "excludeDomains"},
		"an unknown key":     {`{"query":"x","quary":1}`, "quary"},
		"an unknown format":  {`{"query":"x","scrapeOptions":{"formats":["poem"]}}`, "scrapeOptions.formats.0"},
	} {
		t.Run(name, func(t *testing.T) {
			r := s.in(t).search(c.body).want(t, http.StatusBadRequest)
			details, _ := r.at("details").([]any)
			if r.str("error") != "Invalid request body" || len(details) == 0 {
				t.Fatalf("%s", r.raw)
			}
			path := fmt.Sprint(details[0].(map[string]any)["path"])
			if want := "[" + strings.ReplaceAll(c.path, ".", " ") + "]"; path != want {
				t.Errorf("path %s, want %s", path, want)
			}
		})
	}
	// What no browser means is told as everywhere.
	s.search(`{"query":"x","scrapeOptions":{"formats":["screenshot"]}}`).want(t, http.StatusBadRequest)
	if calls := engine.Calls(); len(calls) != 0 {
		t.Errorf("the engine was asked: %v", calls)
	}
}

func TestSearchFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply  searchtest.Reply
		status int
		code   string
		text   string
	}{
		"its JSON is off": {searchtest.Reply{Status: http.StatusForbidden}, http.StatusInternalServerError, "SEARCH_FAILED", "search.formats"},
		"it hangs":        {searchtest.Reply{Hang: true}, http.StatusRequestTimeout, "SEARCH_TIMEOUT", "Search timed out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, engine := startSearching(t, nil)
			engine.Handle(func(url.Values) searchtest.Reply { return c.reply })
			r := s.search(`{"query":"x","timeout":1000}`).want(t, c.status)
			if r.str("code") != c.code || !strings.Contains(r.str("error"), c.text) {
				t.Errorf("%s", r.raw)
			}
			if usage := s.get("/v2/team/credit-usage/historical"); strings.Contains(string(usage.raw), `"creditsUsed":2`) {
				t.Errorf("it was charged: %s", usage.raw)
			}
		})
	}
	t.Run("there is none", func(t *testing.T) {
		t.Parallel()
		r := start(t).search(`{"query":"x"}`).want(t, http.StatusServiceUnavailable)
		if r.str("code") != "SEARCH_NOT_CONFIGURED" || !strings.Contains(r.str("error"), "TRAWL_SEARCH_URL") {
			t.Errorf("%s", r.raw)
		}
	})
}
