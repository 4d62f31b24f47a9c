//go:build clients

package clients_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/trawlhq/trawl/search/searchtest"
)

// namesOfSuites are the sites that the suites of the clients read.
var namesOfSuites = []string{"docs.firecrawl.dev", "firecrawl.dev", "github.com", "example.com", "example.org"}

// pageTime is how long the suites have pages and sitemaps take: they start jobs and
// expect to find them running. What the service has in its cache would take no time.
// So crawls find all but their first page in the sitemap, which is read anew each
// time, and one of the two pages of the batches is none for the cache.
const pageTime = time.Second

const uncached = "firecrawl.dev"

// startNames starts the sites that have the names, by HTTPS, with pages that take
// some time, and returns the file with the certificate to trust. It needs a network
// of its own.
func startNames(t *testing.T, names []string, pageTime time.Duration) string {
	t.Helper()
	certificate := certify(t, names)
	listener, err := tls.Listen("tcp", "127.0.0.1:443", &tls.Config{Certificates: []tls.Certificate{certificate}})
	if err != nil {
		t.Fatal(err)
	}
	paced := func(page http.HandlerFunc) http.HandlerFunc { return slowly(pageTime, page) }
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", paced(frontPage))
	mux.HandleFunc("/docs/{n}", paced(chapter))
	mux.HandleFunc("/blog/{n}", paced(blog))
	mux.HandleFunc("/logo.png", file("image/png", picture()))
	mux.HandleFunc("/sitemap.xml", paced(chapters))
	mux.HandleFunc("POST /hook", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/", missing)
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	trusted := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}), 0o644); err != nil {
		t.Fatal(err)
	}
	return trusted
}

// certify makes a certificate for names that is its own authority.
func certify(t *testing.T, names []string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: names, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}
}

func slowly(pageTime time.Duration, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(pageTime):
			next(w, r)
		case <-r.Context().Done():
		}
	}
}

// chaptersOfSite is how many pages a site has below /docs/.
const chaptersOfSite = 30

func frontPage(w http.ResponseWriter, r *http.Request) {
	if r.Host == uncached {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusGone)
	}
	page(w, "Welcome to "+r.Host, `<article><h2>What this site is for</h2><p>This site stands for another one of the same name. It has chapters
about crawling, scraping and the extraction of data, and a blog with news on all of them.</p>
<p><img src="/logo.png" alt="Logo" width="120" height="40"></p><p>See also <a href="https://example.org/">another one</a>.</p></article>`)
}

func chapter(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > chaptersOfSite {
		missing(w, r)
		return
	}
	page(w, fmt.Sprintf("Chapter %d", n), fmt.Sprintf(`<article><p>This is chapter %d of the docs, which says little and is read often.</p>
<p>Read on in <a href="/docs/%d">the next chapter</a>.</p></article>`, n, n%chaptersOfSite+1))
}

func chapters(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/xml")
	fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for n := range chaptersOfSite {
		fmt.Fprintf(w, "<url><loc>https://%s/docs/%d</loc></url>", r.Host, n+1)
	}
	fmt.Fprint(w, "</urlset>")
}

// startNamedSearch starts a search engine that finds what the suites look for.
func startNamedSearch(t *testing.T) string {
	t.Helper()
	const site = "https://docs.firecrawl.dev"
	web := []searchtest.Result{
		{URL: site + "/docs/1", Title: "Firecrawl", Content: "Paris is the capital of France, says the firecrawl."},
		{URL: site + "/docs/2", Title: "Artificial intelligence", Content: "Machines that learn."},
		{URL: site + "/docs/3", Title: "Programming", Content: "In Python and in Rust."},
	}
	news := []searchtest.Result{{URL: "https://firecrawl.dev/blog/1", Title: "News", Content: "What is new.", PublishedDate: "2026-01-01T00:00:00"}}
	images := []searchtest.Result{{URL: "https://firecrawl.dev/blog/2", Title: "Logo", Image: "https://firecrawl.dev/logo.png", Resolution: "120 x 40"}}
	server := searchtest.New(t)
	server.Handle(func(q url.Values) searchtest.Reply {
		switch q.Get("categories") {
		case "news":
			return searchtest.Pages(10, news...)(q)
		case "images":
			return searchtest.Pages(10, images...)(q)
		}
		return searchtest.Pages(10, web...)(q)
	})
	return server.URL
}
