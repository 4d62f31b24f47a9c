package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/bench/score"
)

// newSite serves these files; a text that begins with -> is a link.
func newSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, "site", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(target, file)
		} else {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "secret.html"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := openSite(filepath.Join(folder, "site"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

func TestSite(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"a/index.html": "index", "a/b c#d.html": "page", "inside.html": "->a/index.html", "empty/x.txt": "text",
		"outside.html": "->../secret.html", "folder": "->..",
	})
	for path, want := range map[string]string{
		"a/index.html": "200 index", "a/": "200 index", "a": "200 index", "inside.html": "200 index", // the folder after a redirect
		"empty/x.txt": "200 text", "empty/": "404", "": "404", "gone.html": "404",
		"outside.html": "404", "folder/secret.html": "404", "../secret.html": "404", "%2e%2e/secret.html": "404",
	} {
		if got := get(t, s.base+path); got != want {
			t.Errorf("%q answered %q, want %q", path, got, want)
		}
	}
	if got := get(t, s.address("a/b c#d.html")); got != "200 page" {
		t.Errorf("%s answered %q", s.address("a/b c#d.html"), got)
	}
}

// get returns the status of an answer, and its text if it is there.
func get(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return resp.Status[:3]
	}
	if kind := resp.Header.Get("Content-Type"); strings.HasSuffix(address, ".html") && kind != "text/html" {
		t.Errorf("%s has type %q", address, kind)
	}
	return "200 " + string(body)
}

func TestSamePage(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://127.0.0.1:1/a/index.html": "a/", "http://127.0.0.1:1/a/": "a/", "http://127.0.0.1:1/index.html": "",
		"http://127.0.0.1:1/a/genindex.html": "a/genindex.html", "http://127.0.0.1:1/a%20b.html": "a b.html",
	} {
		if got := samePage(address); got != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
}

func TestFindStart(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"index.html":          `<a href="nowhere.html">`,
		"few/index.html":      `<a href='../many/3.html'>`,
		"many/index.html":     `<a class=x href="1.html#top"><A HREF=sub/>`,
		"many/1.html":         `<a href="/many/2.html?a=b"> <a href="https://example.com/many/3.html">`,
		"many/sub/index.html": `<a href="../3.html"><a href="../index.html">`,
		"many/2.html":         "", "many/3.html": "",
	})
	var references []score.Reference
	for _, name := range []string{"1", "2", "3"} {
		references = append(references, score.Reference{Type: "p", URL: "https://docs.example/p/many/" + name + ".html"})
	}
	if got := s.findStart(references); got != "many/index.html" {
		t.Errorf("the start is %q", got)
	}
	references = []score.Reference{{Type: "p", URL: "https://docs.example/p/alone.html"}}
	if got := s.findStart(references); got != "alone.html" {
		t.Errorf("the start of a package without an index is %q", got)
	}
}
