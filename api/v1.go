package api

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api/v1"
	"github.com/trawlhq/trawl/job"
)

// registerV1 offers what the first version of the API had, for clients that are not
// going to change: the same handlers behind a translation, which is in package v1.
// Keys, rate limits and prices are those of the routes of /v2.
func (s *Server) registerV1() {
	get, post, del := http.MethodGet, http.MethodPost, http.MethodDelete
	for _, r := range []struct {
		method, path string
		request      func([]byte) (v1.Request, error)
	}{
		{post, "/scrape", v1.Scrape},
		{get, "/scrape/{id}", nil},
		{post, "/batch/scrape", v1.Batch},
		{get, "/batch/scrape/{id}", nil},
		{del, "/batch/scrape/{id}", nil},
		{get, "/batch/scrape/{id}/errors", nil},
		{post, "/crawl", v1.Crawl},
		{get, "/crawl/active", nil},
		{get, "/crawl/ongoing", nil},
		{get, "/crawl/{id}", nil},
		{del, "/crawl/{id}", nil},
		{get, "/crawl/{id}/errors", nil},
		{post, "/map", v1.Map},
		{post, "/search", v1.Search},
		{post, "/extract", v1.Extract},
		{get, "/extract/{id}", nil},
		{get, "/team/credit-usage", nil},
		{get, "/team/credit-usage/historical", nil},
		{get, "/team/token-usage", nil},
		{get, "/team/token-usage/historical", nil},
		{get, "/team/queue-status", nil},
		{get, "/concurrency-check", nil},
	} {
		s.addV1(r.method, r.path, r.method, r.request)
	}
	// The SDK for JavaScript asks for errors like this.
	s.addV1(del, "/batch/scrape/{id}/errors", get, nil)
	s.addV1(del, "/crawl/{id}/errors", get, nil)
}

// addV1 puts a route of the first version into the table that is served by the one
// of the second with the same path and the given method.
func (s *Server) addV1(method, path, as string, request func([]byte) (v1.Request, error)) {
	e := s.routes[as+" /v2"+path]
	e.method, e.path, e.v1, e.page = method, "/v1"+path, true, true
	s.routes[e.pattern()] = e
	s.mux.HandleFunc(e.pattern(), func(w http.ResponseWriter, r *http.Request) {
		r.Method = as
		s.serveV1(w, r, request)
	})
}

// serveV1 has a request of /v1 served as the one of /v2 that it means.
func (s *Server) serveV1(w http.ResponseWriter, r *http.Request, request func([]byte) (v1.Request, error)) {
	v := visitOf(r.Context())
	if request != nil {
		translated, err := request(v.body)
		if err != nil {
			s.fail(w.(*answer), r, err)
			return
		}
		v.v1, v.body = &translated, translated.Body
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(v.body)), int64(len(v.body))
	}
	if once := r.Header.Get("Idempotency-Key"); once != "" && r.Header.Get("X-Idempotency-Key") == "" {
		r.Header.Set("X-Idempotency-Key", once)
	}
	s.mux.ServeHTTP(w, withPath(r, "/v2"+strings.TrimPrefix(r.URL.EscapedPath(), "/v1")))
}

// withPath returns a request for another path, which is escaped.
func withPath(r *http.Request, escaped string) *http.Request {
	moved := *r
	u := *r.URL
	u.RawPath = escaped
	if path, err := url.PathUnescape(escaped); err == nil {
		u.Path = path
	}
	moved.URL = &u
	return &moved
}

// translated returns an answer in the words of the version that was asked.
func (s *Server) translated(ctx huma.Context, _ string, body any) (any, error) {
	v := visitOf(ctx.Context())
	if v.v1 == nil {
		return body, nil
	}
	warning := func(own string) string { return strings.TrimSpace(own + " " + v.v1.Warning) }
	switch a := body.(type) {
	case *ScrapeAnswer:
		return firstScrape(a, v.v1.Changed, warning(a.Data.Warning)), nil
	case *PastScrape:
		a.Data = v1.Document(a.Data)
	case *StartedCrawl:
		a.Warning = warning(a.Warning)
	case *StartedBatch:
		a.Warning = warning(a.Warning)
	case *JobStatus:
		a.Data = firstDocuments(a.Data)
	case *SiteMap:
		return firstMap(a, warning(a.Warning)), nil
	case *SearchBody:
		return firstResults(a, warning(a.Warning))
	case *StartedExtract:
		return v1.StartedExtract{Success: true, ID: a.ID, URLTrace: []string{}, Invalid: a.Invalid, Warning: warning(a.Warning)}, nil
	case *ExtractStatus:
		if a.Status == trawl.StateCancelled { // which there was none of
			a.Status, a.Error = trawl.StateFailed, "The extract was cancelled."
		}
	case *CreditUsage:
		return v1.Usage[v1.Credits]{Success: true, Data: v1.Credits{Remaining: a.Data.Remaining, Plan: a.Data.Plan}}, nil
	case *TokenUsage:
		return v1.Usage[v1.Tokens]{Success: true, Data: v1.Tokens{Remaining: a.Data.Remaining, Plan: a.Data.Plan}}, nil
	}
	return body, nil
}

// scrapeV1 is the answer to POST /v1/scrape.
type scrapeV1 struct {
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data"`
	Warning string          `json:"warning,omitempty"`
}

// firstScrape returns the answer as it is if there is nothing to translate.
func firstScrape(a *ScrapeAnswer, changed bool, warning string) any {
	if !changed && warning == "" {
		return a
	}
	data := slices.Concat(a.Data.Seal(), a.Data.Own())
	if changed {
		data = v1.Document(data)
	}
	return scrapeV1{Success: true, Data: data, Warning: warning}
}

// firstDocuments returns documents of a job in the words of the first version.
func firstDocuments(docs []job.Document) []job.Document {
	translated := make([]job.Document, len(docs))
	for i, doc := range docs {
		translated[i] = v1.Document(doc)
	}
	return translated
}

func firstMap(a *SiteMap, warning string) v1.SiteMap {
	links := make([]string, len(a.Links))
	for i, link := range a.Links {
		links[i] = link.URL
	}
	return v1.SiteMap{Success: true, Links: links, Warning: warning}
}

func firstResults(a *SearchBody, warning string) (any, error) {
	results := v1.Results{Success: true, Data: []json.RawMessage{}, Warning: warning}
	if a.Data.Web == nil {
		return results, nil
	}
	for i := range *a.Data.Web {
		result, err := (*a.Data.Web)[i].MarshalJSON()
		if err != nil {
			return nil, err
		}
		results.Data = append(results.Data, v1.Document(result))
	}
	return results, nil
}
