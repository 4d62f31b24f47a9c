package api_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkCached measures a scrape that the cache serves, with client and
// server in one process; bench measures the server alone.
func BenchmarkCached(b *testing.B) {
	s, body := startLarge(b)
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s.ask(b, http.MethodPost, "/v2/scrape", body)
		}
	})
}

// BenchmarkVersions measures what the translation of the first version costs. The
// versions take turns, and the middle of each one's times counts: what else the
// machine does happens to both.
func BenchmarkVersions(b *testing.B) {
	s, body := startLarge(b)
	s.work()
	batch := s.post(batchPath, s.urls(slices.Repeat([]string{"/large"}, 20)...))
	s.over(batchPath + "/" + batch)
	for _, c := range []struct{ name, method, path, body string }{
		{"scrape", http.MethodPost, "/scrape", body},
		{"status", http.MethodGet, "/batch/scrape/" + batch, ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			var times [2][]time.Duration
			for i := 0; b.Loop(); i++ {
				for turn := range 2 {
					version := (i + turn) % 2
					start := time.Now()
					s.ask(b, c.method, "/v"+strconv.Itoa(version+1)+c.path, c.body)
					times[version] = append(times[version], time.Since(start))
				}
			}
			middle := func(list []time.Duration) float64 {
				slices.Sort(list)
				return float64(list[len(list)/2].Nanoseconds()) / 1e3
			}
			first, second := middle(times[0]), middle(times[1])
			b.ReportMetric(first, "v1-µs")
			b.ReportMetric(second, "v2-µs")
			b.ReportMetric(first/second, "v1/v2")
		})
	}
}

// startLarge runs a service beside a page of some size, and returns the body of a
// scrape of it.
func startLarge(b *testing.B) (*service, string) {
	s := start(b)
	s.site.page("/large", "text/html", "<main>"+strings.Repeat("<p>Some words of a paragraph with a <a href=/x>link</a>.</p>", 300)+"</main>")
	return s, s.body("/large", `"maxAge":3600000`)
}

// ask sends a request and reads its answer.
func (s *service) ask(b *testing.B, method, path, body string) {
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

// BenchmarkCachedByTool is a scrape that the cache serves by a tool, which returns the document twice.
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
