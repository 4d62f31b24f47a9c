package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
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

// BenchmarkCachedByTool is the same by a tool, which returns the document twice.
func BenchmarkCachedByTool(b *testing.B) {
	s := start(b, withTools(b))
	s.site.page("/large", "text/html", "<main>"+strings.Repeat("<p>Some words of a paragraph with a <a href=/x>link</a>.</p>", 300)+"</main>")
	session := s.begin()
	var number atomic.Int64
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"firecrawl_scrape","arguments":{"url":%q}}}`, number.Add(1), s.site.URL+"/large")
			if r := s.message(session, body); r.status != http.StatusOK {
				b.Fatalf("%d %.300s", r.status, r.raw)
			}
		}
	})
}
