package docs_test

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/docs"
)

const here = "https://trawl.example"

func open() *docs.Book { return docs.Open("/docs") }

func pages(b *docs.Book) (list []*docs.Page) {
	for _, group := range b.Groups {
		list = append(list, group.Pages...)
	}
	return list
}

// TestContents looks for every file in the table of contents, once.
func TestContents(t *testing.T) {
	t.Parallel()
	var listed, files []string
	titles := map[string]bool{}
	for _, page := range pages(open()) {
		listed = append(listed, page.Path)
		if page.Title == "" || titles[page.Title] {
			t.Errorf("%s has the title %q, which is empty or another page's", page.Path, page.Title)
		}
		titles[page.Title] = true
	}
	for _, pattern := range []string{"*.md", "api/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name := strings.TrimSuffix(filepath.ToSlash(file), ".md")
			files = append(files, strings.TrimSuffix(name, "/README"))
		}
	}
	slices.Sort(listed)
	slices.Sort(files)
	if !slices.Equal(listed, files) {
		t.Errorf("listed: %q\nfiles:  %q", listed, files)
	}
}

var (
	hrefs = regexp.MustCompile(`href="([^"]*)"`)
	ids   = regexp.MustCompile(`id="([^"]*)"`)
)

// TestLinks follows every link of every page: to a page and an anchor that are there,
// to a file that is in the repository, or elsewhere with a scheme.
func TestLinks(t *testing.T) {
	t.Parallel()
	book := open()
	anchors := map[string][]string{}
	for _, page := range pages(book) {
		for _, id := range ids.FindAllStringSubmatch(page.HTML(here), -1) {
			anchors[page.Path] = append(anchors[page.Path], id[1])
		}
	}
	for _, page := range pages(book) {
		for _, href := range hrefs.FindAllStringSubmatch(page.HTML(here), -1) {
			link := html.UnescapeString(href[1])
			target, anchor, named := strings.Cut(link, "#")
			path, inside := strings.CutPrefix(target, "/docs/")
			switch {
			case target == "":
				path, inside = page.Path, true
			case strings.HasPrefix(target, docs.Repository):
				if _, err := os.Stat(filepath.Join("..", strings.TrimPrefix(target, docs.Repository))); err != nil {
					t.Errorf("%s: %s: %v", page.Path, link, err)
				}
				continue
			case strings.HasPrefix(target, "https://"), strings.HasPrefix(target, "http://"):
				continue
			}
			if !inside || book.Page(path) == nil || named && !slices.Contains(anchors[path], anchor) {
				t.Errorf("%s: %s leads nowhere", page.Path, link)
			}
		}
	}
}

// TestHTML makes sure that pages load and run nothing, and that no style is in an
// attribute, which the policy of the server would forbid.
func TestHTML(t *testing.T) {
	t.Parallel()
	for _, page := range pages(open()) {
		text := page.HTML(here)
		if found := regexp.MustCompile(`(?i)<(script|link|img|iframe|style|form)|style="| on[a-z]+="|javascript:`).FindAllString(regexp.MustCompile(`(?s)<pre>.*?</pre>`).ReplaceAllString(text, ""), -1); found != nil {
			t.Errorf("%s has %q", page.Path, found)
		}
		if !strings.HasPrefix(text, "<h1") && !strings.Contains(text[:min(len(text), 200)], "<h1") {
			t.Errorf("%s does not begin with a heading", page.Path)
		}
		if strings.Contains(text, "reader.invalid") {
			t.Errorf("%s has a mark in it", page.Path)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, page, address string
		want, never         []string
	}{
		{"examples", "api/scrape", here, []string{`curl &quot;https://trawl.example/v2/scrape`}, []string{"$BASE_URL", docs.Address}},
		{"sockets of a secure server", "api/sessions", here, []string{"wss://trawl.example/devtools/browser/"}, []string{"ws://127.0.0.1"}},
		{"sockets", "api/sessions", "http://[::1]:80", []string{"ws://[::1]:80/devtools/browser/"}, nil},
		{"what a reader exports", "api", here, []string{"export BASE_URL=https://trawl.example"}, nil},
		{"a proxy's own server", "operations", here, []string{"proxy_pass http://127.0.0.1:3002;"}, nil},
		{"where it listens", "configuration", here, []string{"<code>127.0.0.1:3002</code>"}, nil},
		{"escaped", "api", `http://"><script>`, []string{"http://&#34;&gt;&lt;script&gt;"}, []string{"<script>"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			text := open().Page(row.page).HTML(row.address)
			for _, want := range row.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %s", row.page, want)
				}
			}
			for _, never := range row.never {
				if strings.Contains(text, never) {
					t.Errorf("%s has %s", row.page, never)
				}
			}
		})
	}
}

func TestRoot(t *testing.T) {
	t.Parallel()
	book := docs.Open("/base/docs")
	if text := book.Page("api").HTML(here); !strings.Contains(text, `href="/base/docs/api/scrape#options"`) {
		t.Error("links do not begin with the root")
	}
	if hits := book.Search("idempotency"); len(hits) == 0 || !strings.HasPrefix(hits[0].Link, "/base/docs/") {
		t.Errorf("%+v", hits)
	}
	for _, path := range []string{"", "README", "api/README", "api/", "../README", "api/scrape.md", "nothing"} {
		if book.Page(path) != nil {
			t.Errorf("there is a page %q", path)
		}
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	book := open()
	for _, row := range []struct{ name, query, first string }{
		{"an option", "skipTlsVerification", "/docs/"},
		{"a heading", "server-sent events", "/docs/api/jobs#server-sent-events"},
		{"a code", "SCRAPE_SITEMAP_ERROR", "/docs/api/errors"},
		{"capitals do not count", "sErVer-SENT", "/docs/api/jobs#server-sent-events"},
		{"quotes around it", "`TRAWL_LISTEN`", "/docs/"},
		{"nothing", "", ""},
		{"blanks", " \t ", ""},
		{"marks alone", "?!()", ""},
		{"no such word", "zzyzx", ""},
		{"all words, not some", "idempotency zzyzx", ""},
		{"bytes that are no text", "\xff\xfe", ""},
		{"markup", "<script>alert(1)</script>", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			hits := book.Search(row.query)
			if row.first == "" {
				if len(hits) > 0 {
					t.Errorf("%+v", hits)
				}
				return
			}
			if len(hits) == 0 || len(hits) > 30 || !strings.HasPrefix(hits[0].Link, row.first) {
				t.Fatalf("%d hits: %+v", len(hits), hits)
			}
			if !slices.ContainsFunc(hits, func(h docs.Hit) bool {
				return slices.ContainsFunc(h.Snippet, func(p docs.Piece) bool { return p.Found })
			}) {
				t.Errorf("nothing is marked: %+v", hits)
			}
		})
	}
}

// FuzzSearch looks for a query that breaks the search or returns what is no page.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"cache", "İ", "ſ maxAge", "é\xff", strings.Repeat("a ", 200)} {
		f.Add(seed)
	}
	book := open()
	f.Fuzz(func(t *testing.T, query string) {
		for _, hit := range book.Search(query) {
			path, _, _ := strings.Cut(strings.TrimPrefix(hit.Link, "/docs/"), "#")
			if book.Page(path) == nil {
				t.Errorf("%q: %+v", query, hit)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	book := open()
	book.Search("x")
	for b.Loop() {
		book.Search("cache timeout")
	}
}
