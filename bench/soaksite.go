package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
)

// sitePages is how many pages the site of the soak has.
const sitePages = 400

// soakSite is what a service under load talks to: a site that changes, takes events
// and has a sitemap, a stand-in for a language model and one for a search engine.
type soakSite struct {
	*httptest.Server
	model, search *httptest.Server
	served        atomic.Int64
}

func startSoakSite() *soakSite {
	s := &soakSite{}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { s.page(w, 0) })
	mux.HandleFunc("/pages/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("n"))
		s.page(w, n)
	})
	mux.HandleFunc("/hook", func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	mux.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "<urlset>")
		for n := range sitePages {
			fmt.Fprintf(w, "<url><loc>http://%s/pages/%d</loc></url>", r.Host, n)
		}
		_, _ = io.WriteString(w, "</urlset>")
	})
	s.Server = httptest.NewServer(mux)
	s.model = httptest.NewServer(http.HandlerFunc(complete))
	s.search = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var results []map[string]string
		for n := range 5 {
			results = append(results, map[string]string{"url": fmt.Sprintf("%s/pages/%d", s.URL, n), "title": fmt.Sprint("Page ", n), "content": "Boats"})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
	}))
	return s
}

func (s *soakSite) close() {
	s.Close()
	s.model.Close()
	s.search.Close()
}

// page is about 8 KB, with a line that is another one every time, links and a script.
func (s *soakSite) page(w http.ResponseWriter, n int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>Page %d</title><main><h1>Page %[1]d</h1><p>Ship's log number %d.</p>", n, s.served.Add(1))
	_, _ = w.Write(article(6 << 10))
	for i := range 10 {
		fmt.Fprintf(w, `<a href="/pages/%d">More</a> `, (n*7+i*13+1)%sitePages)
	}
	_, _ = io.WriteString(w, `<p id=made></p></main><script>made.textContent = "Made by a script"</script>`)
}

// complete answers as a language model would that knows one thing.
func complete(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	const answer = `{"title":"Page","summary":"The boats came home.","text":"The boats came home."}`
	message := map[string]any{"role": "assistant", "content": answer}
	if len(asked.Tools) > 0 {
		message = map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
			"id": "1", "type": "function", "function": map[string]any{"name": asked.Tools[0].Function.Name, "arguments": answer},
		}}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": message}},
		"usage":   map[string]int{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
	})
}
