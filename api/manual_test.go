package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/api"
)

// visitDocs asks for a page of the documentation in a way that no client would: with
// any Host whatsoever.
func (s *service) visitDocs(path, host string, header map[string]string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	address, err := url.Parse(path)
	if err != nil {
		s.t.Fatal(err)
	}
	r.URL, r.Host, r.RemoteAddr = address, host, "127.0.0.1:9"
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	return w
}

var loads = regexp.MustCompile(`(?i)<(script|link|img|iframe)\b|@import|url\(|\bsrc=|style="`)

func TestDocsPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, row := range []struct {
		path   string
		status int
		want   []string
	}{
		{"/docs", 200, []string{"onlyMainContent", `href="/docs/api/scrape"`, `action="/docs/search"`}},
		{"/docs/api", 200, []string{"<h1", `<a href="/docs/api" aria-current="page">`, `href="/docs/api/errors"`, `href="/docs/api/scrape#options"`}},
		{"/docs/api/scrape", 200, []string{`<h2 id="post-v2scrape">`, `href="#post-v2scrape"`, `href="/docs/credits"`, "On this page"}},
		{"/docs/api/sessions", 200, []string{`id="what-clients-may-not-do"`}},
		{"/docs/operations", 200, []string{`id="metrics"`, `href="https://github.com/trawlhq/trawl/blob/main/CHANGELOG.md"`}},
		{"/docs/security", 200, []string{"<h1"}},
		{"/docs/", 404, nil},
		{"/docs/nothing", 404, nil},
		{"/docs/api/", 404, nil},
		{"/docs/api/scrape/", 404, nil},
		{"/docs/api/scrape.md", 404, nil},
		{"/docs/api/README", 404, nil},
		{"/docs/docs.go", 404, nil},
		{"/docs/..%2fdocs", 404, nil},
		{"/docs/api%2fscrape", 200, []string{`<h2 id="post-v2scrape">`}}, // the same segments to a mux
		{"/docs/<script>alert(1)</script>", 404, nil},
	} {
		t.Run(row.path, func(t *testing.T) {
			t.Parallel()
			w := s.visitDocs(row.path, "here.example", nil)
			if w.Code != row.status {
				t.Fatalf("status %d, want %d", w.Code, row.status)
			}
			body := w.Body.String()
			if row.status != http.StatusOK {
				if !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") || strings.Contains(body, "<") {
					t.Errorf("%s: %s", w.Header().Get("Content-Type"), body)
				}
				return
			}
			wantHarmless(t, w)
			for _, want := range row.want {
				if !strings.Contains(body, want) {
					t.Errorf("the page lacks %s", want)
				}
			}
		})
	}
}

// wantHarmless checks that a page loads nothing, and that a browser would not let it.
func wantHarmless(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if kind := w.Header().Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("content type %s", kind)
	}
	policy := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "style-src 'sha256-"} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy lacks %s: %s", want, policy)
		}
	}
	text := regexp.MustCompile(`(?s)<(pre|code)>.*?</(pre|code)>`).ReplaceAllString(w.Body.String(), "")
	if found := loads.FindAllString(text, -1); found != nil {
		t.Errorf("the page loads: %q", found)
	}
}

func TestDocsSearch(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, row := range []struct {
		name, query string
		status      int
		want, never []string
	}{
		{"an option", "maxAge", 200, []string{"<mark>maxAge</mark>", `href="/docs/api/cache"`, `value="maxAge"`}, nil},
		{"nothing yet", "", 200, []string{"Type a word"}, []string{"<mark>"}},
		{"nothing found", "zzyzx", 200, []string{"<q>zzyzx</q>"}, []string{"<mark>"}},
		{"markup", `"><script>alert(1)</script>`, 200, []string{"&lt;script&gt;"}, []string{"<script>", `value=""`}},
		{"a template", "{{ .Style }}", 200, []string{"{{ .Style }}"}, nil},
		{"bytes that are no text", "\xff\xfe<b>", 200, []string{"&lt;b&gt;"}, []string{"<b>"}},
		{"a zero", "a\x00b<i>", 200, nil, []string{"<i>", "\x00"}},
		{"as long as it may be", strings.Repeat("é", 100), 200, []string{"<q>é"}, nil},
		{"too long", strings.Repeat("a", 101), 400, []string{"at most 100 characters"}, []string{"aaa"}},
		{"far too long", strings.Repeat("cache ", 10_000), 400, []string{"at most 100 characters"}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := s.visitDocs("/docs/search?q="+url.QueryEscape(row.query), "here.example", nil)
			if w.Code != row.status {
				t.Fatalf("status %d, want %d", w.Code, row.status)
			}
			if w.Code == http.StatusOK {
				wantHarmless(t, w)
			}
			for _, want := range row.want {
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("the page lacks %s", want)
				}
			}
			for _, never := range row.never {
				if strings.Contains(w.Body.String(), never) {
					t.Errorf("the page has %s", never)
				}
			}
		})
	}
}

// TestDocsAddress shows the examples to readers who came in different ways.
func TestDocsAddress(t *testing.T) {
	t.Parallel()
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	forwarded := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "api.example.com"}
	for _, row := range []struct {
		name, host, public string
		trusted            []netip.Prefix
		header             map[string]string
		want               string
	}{
		{"the host of the request", "here.example:8080", "", nil, nil, "http://here.example:8080"},
		{"an address", "[::1]:3002", "", nil, nil, "http://[::1]:3002"},
		{"strangers' headers do not count", "here.example", "", nil, forwarded, "http://here.example"},
		{"a trusted proxy's do", "here.example", "", loopback, forwarded, "https://api.example.com"},
		{"a proxy that passes on nonsense", "here.example", "", loopback, map[string]string{"X-Forwarded-Host": "$(id)"}, "http://here.example"},
		{"the setting", "here.example", "https://public.example/base/", nil, nil, "https://public.example/base"},
		{"the setting and a hostile host", "$(id)", "https://public.example", nil, nil, "https://public.example"},
		{"no host", "", "", nil, nil, "http://127.0.0.1:3002"},
		{"a command", "$(reboot)", "", nil, nil, "http://127.0.0.1:3002"},
		{"the end of a string", "x';reboot;'", "", nil, nil, "http://127.0.0.1:3002"},
		{"markup", `"><script>alert(1)</script>`, "", nil, nil, "http://127.0.0.1:3002"},
		{"a path", "here.example/evil", "", nil, nil, "http://127.0.0.1:3002"},
		{"a line", "here.example\nevil", "", nil, nil, "http://127.0.0.1:3002"},
		{"too long", strings.Repeat("a", 300), "", nil, nil, "http://127.0.0.1:3002"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, func(c *api.Config) {
				c.TrustedProxies = row.trusted
				if row.public != "" {
					c.PublicURL, _ = url.Parse(row.public)
				}
			})
			for path, before := range map[string]string{"/docs": "curl ", "/docs/api/scrape": "curl &quot;", "/docs/api": "export BASE_URL="} {
				w := s.visitDocs(path, row.host, row.header)
				if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, before+row.want) {
					t.Errorf("%s: status %d, without %s", path, w.Code, before+row.want)
				} else if strings.Contains(body, "reboot") || strings.Contains(body, "$(id)") || strings.Contains(body, "evil") || strings.Contains(body, "alert(1)") {
					t.Errorf("%s shows the host", path)
				}
			}
		})
	}
	t.Run("links below the setting's path", func(t *testing.T) {
		t.Parallel()
		s := start(t, func(c *api.Config) { c.PublicURL, _ = url.Parse("https://public.example/base/") })
		body := s.visitDocs("/docs/api/scrape", "public.example", nil).Body.String()
		for _, link := range []string{`href="/base/docs/api/errors"`, `href="/base/docs/credits"`, `action="/base/docs/search"`} {
			if !strings.Contains(body, link) {
				t.Errorf("the page lacks %s", link)
			}
		}
	})
}
