package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// crawlSite is a site of pages that link to each other, and the name of its
// folder. Pages that are not in the map are handled by the mux.
func crawlSite(t *testing.T, mux *http.ServeMux, pages map[string][]string) (base, folder string) {
	t.Helper()
	for path, links := range pages {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != strings.TrimSuffix(path, "{$}") {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<html><head><title>Title of %s</title><meta name="URL" content="x"><meta name="StatusCode" content="y"></head>`, r.URL)
			fmt.Fprintf(w, "<body><main><h1>Page %s</h1><p>Words of the page.</p>", r.URL)
			for _, link := range links {
				fmt.Fprintf(w, "<p><a href=%q>a link</a></p>", link)
			}
			_, _ = io.WriteString(w, "</main></body></html>")
		})
	}
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL, strings.ReplaceAll(strings.TrimPrefix(site.URL, "http://"), ":", "_")
}

func loopback() map[string]string { return map[string]string{"TRAWL_ALLOW_PRIVATE": "127.0.0.1/32"} }

// docsSite has a page of every fate.
func docsSite(t *testing.T) (base, folder string) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "User-agent: *\nDisallow: /docs/secret\n")
	})
	mux.Handle("GET /docs/moved", http.RedirectHandler("/elsewhere", http.StatusFound))
	return crawlSite(t, mux, map[string][]string{
		"/docs/{$}": {
			"/docs/a", "/docs/a/b", "/docs/A", "/docs/a?q=1", "/docs/moved", "/docs/secret", "/docs/draft", "/elsewhere", "/elsewhere/too",
			"https://example.com/", "/docs/index.html",
		},
		"/docs/a": nil, "/docs/a/b": nil, "/docs/A": nil, "/docs/secret": nil, "/docs/draft": nil, "/elsewhere": nil,
	})
}

// files lists the files below a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			path, err = filepath.Rel(dir, path)
			list = append(list, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func readText(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCrawlFiles(t *testing.T) {
	t.Parallel()
	base, folder := docsSite(t)
	dir := filepath.Join(t.TempDir(), "new", "out")
	got := execute(t, loopback(), "crawl", base+"/docs/", "--out", dir, "--exclude", "draft", "--format", "markdown,links,metadata,html")
	if got.code != 0 {
		t.Fatalf("code %d, stderr %s", got.code, got.stderr)
	}

	var want []string
	pages := map[string]string{ // address by name
		"index": "/docs/", "a": "/docs/a", "a/b": "/docs/a/b",
		strings.TrimPrefix(pageName(base+"/docs/A"), folder+"/docs/"):     "/docs/A",
		strings.TrimPrefix(pageName(base+"/docs/a?q=1"), folder+"/docs/"): "/docs/a?q=1",
	}
	for name, address := range pages {
		stem := folder + "/docs/" + name
		want = append(want, stem+".md", stem+".links.json", stem+".metadata.json", stem+".html")
		if text := readText(t, dir, stem+".md"); !strings.HasPrefix(text, "# Page "+address+"\n") {
			t.Errorf("%s.md is %q", stem, text)
		}
	}
	want = append(want, "index.jsonl")
	slices.Sort(want)
	if list := slices.Sorted(slices.Values(files(t, dir))); !slices.Equal(list, want) {
		t.Errorf("files %q\nwant %q", list, want)
	}
	var links []string
	if err := json.Unmarshal([]byte(readText(t, dir, folder, "docs/index.links.json")), &links); err != nil || !slices.Contains(links, base+"/docs/a/b") {
		t.Errorf("links %v, error %v", links, err)
	}

	entries := readIndex(t, dir)
	if len(entries) != len(pages) {
		t.Errorf("the index has %d pages, want %d", len(entries), len(pages))
	}
	e := entries[base+"/docs/a/b"]
	if e.Status != 200 || e.Title != "Title of /docs/a/b" || e.Files["markdown"] != folder+"/docs/a/b.md" || len(e.Files) != 4 {
		t.Errorf("the index says %+v", e)
	}

	wantLines := []string{
		"Crawl of " + base + "/docs/ completed after ",
		"  scraped                  5\n",
		"  failed                   1  1 CRAWL_DENIAL\n",
		"  filtered                 4  2 path, 1 excludePaths: draft, 1 external\n",
		"  forbidden by robots.txt  1\n",
		"  duplicate                1\n",
		"Failed:\n  " + base + "/docs/moved  CRAWL_DENIAL\n",
	}
	for _, line := range wantLines {
		if !strings.Contains(got.stdout, line) {
			t.Errorf("summary lacks %q:\n%s", line, got.stdout)
		}
	}
}

// readIndex returns the lines of an index by address.
func readIndex(t *testing.T, dir string) map[string]entry {
	t.Helper()
	entries := map[string]entry{}
	for line := range strings.Lines(readText(t, dir, "index.jsonl")) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		entries[e.URL] = e
	}
	return entries
}

func TestCrawlJSON(t *testing.T) {
	t.Parallel()
	base, _ := docsSite(t)
	got := execute(t, loopback(), "crawl", base+"/docs/", "--json", "--ignore-robots", "--depth", "1", "--include", "^/docs/$", "--include", "secret|(draft){1,2}")
	if got.code != 0 {
		t.Fatalf("code %d, stderr %s", got.code, got.stderr)
	}
	found := map[string]string{}
	for line := range strings.Lines(got.stdout) {
		var doc struct {
			Markdown string
			Metadata map[string]any
		}
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		found[fmt.Sprint(doc.Metadata["url"])], _, _ = strings.Cut(doc.Markdown, "\n")
	}
	want := map[string]string{
		base + "/docs/": "# Page /docs/", base + "/docs/secret": "# Page /docs/secret", base + "/docs/draft": "# Page /docs/draft",
	}
	if !maps.Equal(found, want) {
		t.Errorf("documents %v", found)
	}
	if !strings.Contains(got.stderr, "  scraped   3\n") {
		t.Errorf("stderr lacks the summary: %s", got.stderr)
	}
}

func TestCrawlLimit(t *testing.T) {
	t.Parallel()
	base, _ := docsSite(t)
	got := execute(t, loopback(), "crawl", base+"/docs/", "--limit", "1", "--sitemap", "skip")
	if got.code != 0 || !strings.Contains(got.stdout, "  scraped                  1\n") || !strings.Contains(got.stdout, "  over the limit           ") {
		t.Errorf("code %d, stdout %s, stderr %s", got.code, got.stdout, got.stderr)
	}
	if strings.Contains(got.stdout, "# Page") {
		t.Errorf("documents are printed: %s", got.stdout)
	}
}

// TestCrawlInterrupted stops a crawl while a page is under way.
func TestCrawlInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		<-r.Context().Done()
	})
	base, folder := crawlSite(t, mux, map[string][]string{"/{$}": {"/slow"}})
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	p := &program{env: loopback(), stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, now: time.Now, machine: bareMachine()}
	p.env["HOME"] = t.TempDir()
	code := p.run(ctx, []string{"crawl", base, "--out", dir, "--sitemap", "skip"})
	if code != 1 || !strings.Contains(stdout.String(), " cancelled after ") || !strings.Contains(stdout.String(), "  scraped      1\n  not reached  1\n") {
		t.Errorf("code %d, stdout %s, stderr %s", code, &stdout, &stderr)
	}
	if text := readText(t, dir, folder, "index.md"); !strings.HasPrefix(text, "# Page /") {
		t.Errorf("the first page is %q", text)
	}
}

// brokenPipe is an output that nobody reads.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestCrawlUnread(t *testing.T) {
	t.Parallel()
	base, _ := docsSite(t)
	var stderr bytes.Buffer
	p := &program{env: loopback(), stdin: strings.NewReader(""), stdout: brokenPipe{}, stderr: &stderr, now: time.Now, machine: bareMachine()}
	p.env["HOME"] = t.TempDir()
	if code := p.run(t.Context(), []string{"crawl", base + "/docs/", "--json"}); code != 1 || !strings.HasSuffix(stderr.String(), "trawl: io: read/write on closed pipe\n") {
		t.Errorf("code %d, stderr %s", code, &stderr)
	}
}

func TestCrawlFails(t *testing.T) {
	t.Parallel()
	base, _ := docsSite(t)
	tests := []struct {
		name   string
		args   []string
		code   int
		output string
	}{
		{"nothing to crawl", []string{base + "/docs/", "--exclude", "docs"}, 1, "No page was scraped. The rules of the crawl left URLs out: "},
		{"no sitemap", []string{base + "/docs/", "--sitemap", "only"}, 1, " failed after "},
		{"address", []string{"ftp://example.com/"}, 2, "unsupported protocol"},
		{"pattern", []string{base, "--include", "("}, 2, "includePaths"},
		{"limit", []string{base, "--limit", "0"}, 2, "--limit: must be from 1 to 100000000 but is 0"},
		{"depth", []string{base, "--depth=-1"}, 2, "--depth: must be from 0 to 1000000 but is -1"},
		{"delay", []string{base, "--delay", "2m"}, 2, "--delay: must be from 0 to 1m but is 2m0s"},
		{"sitemap", []string{base, "--sitemap", "some"}, 2, "--sitemap"},
		{"format", []string{base, "--format", "audio"}, 1, "SCRAPE_FORMAT_NOT_SUPPORTED"},
		{"picture", []string{base, "--format", "screenshot"}, 2, "keeps no screenshots"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := execute(t, loopback(), append([]string{"crawl"}, tt.args...)...)
			if got.code != tt.code || !strings.Contains(got.stdout+got.stderr, tt.output) {
				t.Errorf("code %d, stdout %s, stderr %s", got.code, got.stdout, got.stderr)
			}
		})
	}
}

// TestCrawlManyFailures shortens a list of failures.
func TestCrawlManyFailures(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("GET /a/x/", http.RedirectHandler("/b", http.StatusFound))
	var links []string
	for i := range 23 {
		links = append(links, fmt.Sprintf("/a/x/%d", i))
	}
	base, _ := crawlSite(t, mux, map[string][]string{"/a/{$}": links, "/b": nil})
	got := execute(t, loopback(), "crawl", base+"/a/")
	if got.code != 0 || strings.Count(got.stdout, base+"/a/x/") != 20 || !strings.HasSuffix(got.stdout, "\n  and 3 more\n") {
		t.Errorf("code %d, stdout %s, stderr %s", got.code, got.stdout, got.stderr)
	}
}
