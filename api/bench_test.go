package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkCached measures a scrape that the cache serves, with client and
// server in one process; bench measures the server alone.
func BenchmarkCached(b *testing.B) {
	s := start(b)
	s.site.page("/large", "text/html", "<main>"+strings.Repeat("<p>Some words of a paragraph with a <a href=/x>link</a>.</p>", 300)+"</main>")
	body := s.body("/large")
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, _ := http.NewRequest(http.MethodPost, s.server.URL+"/v2/scrape", strings.NewReader(body))
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
