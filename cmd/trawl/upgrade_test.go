package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What testdata/upgrade has: the data folder of a server with schema version 6, which was
// killed while a crawl had 30 of 60 pages and a batch 18 of 30.
const (
	upgradeSite  = "127.77.0.1:8077"
	upgradeKey   = "fc-00000000000000000000000000000077"
	upgradeCrawl = "/v2/crawl/01a1e4ed-83fb-72b1-a0ec-c0ca9b293904"
	upgradeBatch = "/v2/batch/scrape/01a1e4ed-8b2d-7020-b55a-7cd99fad74ce"
)

// TestUpgradeWithJobs starts the program on the data of an older one that was killed in
// the middle of jobs: they go on, and every page is there once and paid for once.
func TestUpgradeWithJobs(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", upgradeSite)
	if err != nil {
		t.Skipf("the site of the jobs cannot be where it was: %v", err)
	}
	site := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(servePage)}}
	site.Start()
	t.Cleanup(site.Close)
	dir := t.TempDir()
	for _, name := range []string{"trawl.db", "blobs.db"} {
		unpack(t, filepath.Join("testdata", "upgrade", name+".gz"), filepath.Join(dir, name))
	}
	n := startNode(t, dir, "TRAWL_ALLOW_PRIVATE=127.77.0.1/32")
	var crawled, listed []string
	for page := range 60 {
		address := strings.TrimSuffix(fmt.Sprintf("http://%s/pages/%d", upgradeSite, page), "/pages/0")
		crawled = append(crawled, address)
		if page >= 10 && page < 40 {
			listed = append(listed, address)
		}
	}
	for job, want := range map[string][]string{upgradeCrawl: crawled, upgradeBatch: listed} {
		n.finished(upgradeKey, job)
		n.wantExact(upgradeKey, job, want)
	}
	n.wantPaid(upgradeKey, len(crawled)+len(listed))
}

// servePage is the site of the jobs: each page links to three others.
func servePage(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/pages/"))
	if r.URL.Path != "/" && err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><main><h1>Page %[1]d</h1><p>Some words about the number %[1]d.</p>", page)
	for below := 3*page + 1; below < min(3*page+4, 60); below++ {
		fmt.Fprintf(w, `<a href="/pages/%d">below</a> `, below)
	}
}

// unpack writes a file that was packed.
func unpack(t *testing.T, from, to string) {
	t.Helper()
	packed, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	body, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(file, body); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
