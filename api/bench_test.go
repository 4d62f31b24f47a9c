package api_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// BenchmarkCached measures a scrape that the cache serves, with client and
// server in one process; bench measures the server alone.
func BenchmarkCached(b *testing.B) {
	s, body := startLarge(b)
	s.bench(b, http.MethodPost, "/v2/scrape", body)
}

// BenchmarkVersions measures the same under both versions of the API: what the
// translation costs.
func BenchmarkVersions(b *testing.B) {
	s, body := startLarge(b)
	s.work()
	batch := s.post(batchPath, s.urls(slices.Repeat([]string{"/large"}, 20)...))
	s.over(batchPath + "/" + batch)
	for _, version := range []string{"/v2", "/v1"} {
		b.Run("scrape"+version, func(b *testing.B) { s.bench(b, http.MethodPost, version+"/scrape", body) })
	}
	for _, version := range []string{"/v2", "/v1"} {
		b.Run("status"+version, func(b *testing.B) { s.bench(b, http.MethodGet, version+"/batch/scrape/"+batch, "") })
	}
}

// startLarge runs a service beside a page of some size, and returns the body of a
// scrape of it.
func startLarge(b *testing.B) (*service, string) {
	s := start(b)
	s.site.page("/large", "text/html", "<main>"+strings.Repeat("<p>Some words of a paragraph with a <a href=/x>link</a>.</p>", 300)+"</main>")
	return s, s.body("/large", `"maxAge":3600000`)
}

// bench measures a request.
func (s *service) bench(b *testing.B, method, path, body string) {
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, _ := http.NewRequest(method, s.server.URL+path, strings.NewReader(body))
			req.Header.Set("Authorization", "Bearer "+s.key)
			req.Header.Set("Content-Type", "application/json")
			resp, err := s.server.Client().Do(req)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				b.Fatal(resp.Status)
			}
		}
	})
}
