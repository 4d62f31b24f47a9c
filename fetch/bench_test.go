package fetch_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
)

// benchSite serves a page of 20 KB, compressed if the client asks for it under /gzip.
func benchSite(b *testing.B) string {
	b.Helper()
	page := []byte(strings.Repeat("<p>All that is gold does not glitter, nor all who wander lost.</p>\n", 300))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(page)
	_ = z.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
			return
		}
		_, _ = w.Write(page)
	}))
	b.Cleanup(server.Close)
	return server.URL
}

func BenchmarkFetch(b *testing.B) {
	site := benchSite(b)
	client := newClient(b, nil)
	for _, path := range []string{"/plain", "/gzip"} {
		b.Run(path[1:], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := client.Fetch(b.Context(), fetch.Request{URL: site + path, Languages: []string{"de-DE"}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBareGet is what the standard library takes for the same.
func BenchmarkBareGet(b *testing.B) {
	site := benchSite(b)
	transport := egress.Infrastructure()
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	for _, path := range []string{"/plain", "/gzip"} {
		b.Run(path[1:], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				response, err := client.Get(site + path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadAll(response.Body); err != nil {
					b.Fatal(err)
				}
				_ = response.Body.Close()
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	page := []byte(strings.Repeat("<p>Füße, Grüße und 日本語: all that is gold does not glitter.</p>\n", 300))
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		fetch.Text(page, "text/html; charset=utf-8")
	}
}
