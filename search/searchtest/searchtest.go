// Package searchtest is a stand-in for SearXNG's JSON API, for tests. It answers
// over HTTP like an instance would, and can be told to misbehave.
package searchtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
)

// Result is one result in the words of SearXNG. Empty fields are left out.
type Result struct {
	URL           string `json:"url,omitempty"`
	Title         string `json:"title,omitempty"`
	Content       string `json:"content,omitempty"`
	PublishedDate string `json:"publishedDate,omitempty"`
	Image         string `json:"img_src,omitempty"`
	Thumbnail     string `json:"thumbnail_src,omitempty"`
	Resolution    string `json:"resolution,omitempty"`
}

// Reply is what the stand-in answers.
type Reply struct {
	Results      []Result
	Unresponsive [][2]string // engines that did not answer, and why
	Status       int         // 0 means 200
	Header       http.Header
	Body         string // replaces the whole body
	Hang         bool   // wait until the client leaves
}

// Pages returns a handler that gives every search the same results, so many to a page.
func Pages(perPage int, results ...Result) func(url.Values) Reply {
	return func(q url.Values) Reply {
		number := 1
		_ = json.Unmarshal([]byte(q.Get("pageno")), &number)
		first := min((number-1)*perPage, len(results))
		return Reply{Results: results[first:min(first+perPage, len(results))]}
	}
}

// Server is a running stand-in. Unless told otherwise it finds nothing.
type Server struct {
	URL string // its address, without /search

	mu     sync.Mutex
	handle func(url.Values) Reply
	calls  []url.Values
}

// New starts a stand-in, which the test's cleanup closes.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{handle: func(url.Values) Reply { return Reply{} }}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Handle makes f answer from now on. It may be called concurrently.
func (s *Server) Handle(f func(q url.Values) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handle = f
}

// Calls returns the parameters of the searches so far.
func (s *Server) Calls() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]url.Values(nil), s.calls...)
}

// ServeHTTP answers a search.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/search" || r.URL.Query().Get("format") != "json" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, r.URL.Query())
	handle := s.handle
	s.mu.Unlock()
	reply := handle(r.URL.Query())
	if reply.Hang {
		<-r.Context().Done()
		return
	}
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
	if reply.Body != "" {
		_, _ = w.Write([]byte(reply.Body))
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"query": r.URL.Query().Get("q"), "results": present(reply.Results), "suggestions": []string{},
		"unresponsive_engines": present(reply.Unresponsive),
	})
}

// present is a list that is never null.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
