package crawl_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
)

// rules compiles the rules of a default request after change has had its say.
func rules(t testing.TB, base string, change func(*trawl.CrawlRequest)) *crawl.Rules {
	t.Helper()
	req := trawl.DefaultCrawlRequest()
	req.URL = base
	if change != nil {
		change(&req)
	}
	r, err := crawl.NewRules(&req, base)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkRules fails where addresses do not get the rule they are listed under;
// those under the empty rule are in.
func checkRules(t *testing.T, r *crawl.Rules, want map[string][]string) {
	t.Helper()
	for rule, addresses := range want {
		for _, address := range addresses {
			v := r.Judge(address, 1)
			fate := trawl.FateFiltered
			if rule == "" {
				fate = ""
			}
			if v.Rule != rule || v.Fate != fate {
				t.Errorf("%q is %q by rule %q, want rule %q", address, v.Fate, v.Rule, rule)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	type options = func(*trawl.CrawlRequest)
	for _, c := range []struct {
		name, base string
		options    options
		want       map[string][]string
	}{
		{"protocols", "https://example.com/", nil, map[string][]string{
			"":         {"http://example.com/a", "HTTPS://EXAMPLE.com/a", "//example.com/a", " https://example.com/a\n"},
			"protocol": {"mailto:x@example.com", "javascript:void(0)", "ftp://example.com/a", "data:image/png;base64," + strings.Repeat("A", 1<<20)},
			"invalid":  {"", "https://", "https://exa mple.com/", "https://intranet/", "https://u:p@example.com/a", "https://u@example.com/a"},
		}},
		{"length", "https://example.com/", nil, map[string][]string{
			"":         {"https://example.com/" + strings.Repeat("a", 1980), "https://example.com/#" + strings.Repeat("a", 3000)},
			"too long": {"https://example.com/" + strings.Repeat("a", 1981), "https://example.com/" + strings.Repeat("a", 1<<20)},
		}},
		{"one site", "https://example.com/", nil, map[string][]string{
			"":          {"https://www.example.com/", "http://example.com/", "http://www.example.com:443/x", "https://example.com:80/x", "https://example.com./x"},
			"subdomain": {"https://docs.example.com/", "https://a.b.example.com/"},
			"external":  {"https://example.org/", "https://notexample.com/", "https://example.com.evil.org/", "https://example.com:8443/", "https://docs.example.com:8443/"},
		}},
		{"a start on www", "https://www.example.com/", nil, map[string][]string{
			"":          {"https://example.com/", "https://www.example.com/x"},
			"subdomain": {"https://docs.example.com/"},
		}},
		{"a start on a subdomain", "https://docs.example.co.uk/", nil, map[string][]string{
			"":          {"https://docs.example.co.uk/x", "https://www.docs.example.co.uk/x"},
			"subdomain": {"https://example.co.uk/", "https://blog.example.co.uk/"},
			"external":  {"https://other.co.uk/"},
		}},
		{"a port", "http://127.0.0.1:8080/", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, map[string][]string{
			"":         {"http://127.0.0.1:8080/x", "https://127.0.0.1:8080/x"},
			"external": {"http://127.0.0.1/x", "http://127.0.0.1:8081/x", "http://127.0.0.2:8080/", "http://1.0.0.1:8080/", "http://[::1]:8080/"},
		}},
		{"an address of version 6", "http://[::1]:8080/", nil, map[string][]string{
			"":         {"http://[::1]:8080/x"},
			"external": {"http://[::1]/x", "http://[::2]:8080/x"},
		}},
		{"child paths", "https://example.com/docs/intro", nil, map[string][]string{
			"":     {"https://example.com/docs/intro", "https://example.com/docs/intro/", "https://example.com/docs/intro/a/b", "https://example.com/docs/intro?x=1", "https://example.com/docs/intro;v=1"},
			"path": {"https://example.com/", "https://example.com/docs", "https://example.com/docs/introduction", "https://example.com/docs/intro.html", "https://example.com/blog", "https://example.com/Docs/intro"},
		}},
		{"children of a folder", "https://example.com/docs/", nil, map[string][]string{
			"":     {"https://example.com/docs", "https://example.com/docs/", "https://example.com/docs/a"},
			"path": {"https://example.com/docs2"},
		}},
		{"children of a file", "https://example.com/docs/index.html", nil, map[string][]string{
			"":     {"https://example.com/docs/", "https://example.com/docs/a", "https://example.com/docs/index.html"},
			"path": {"https://example.com/", "https://example.com/index.html"},
		}},
		{"children of a file at the top", "https://example.com/Default.ASPX", nil, map[string][]string{
			"": {"https://example.com/", "https://example.com/docs/a"},
		}},
		{"children of a version", "https://example.com/v1.2", nil, map[string][]string{
			"":     {"https://example.com/v1.2/a"},
			"path": {"https://example.com/v1.3"},
		}},
		{"children of an escaped path", "https://example.com/%c3%bc", nil, map[string][]string{
			"":     {"https://example.com/ü/a", "https://example.com/%C3%BC/a", "https://example.com/%c3%bc"},
			"path": {"https://example.com/u/a"},
		}},
		{"the entire domain", "https://example.com/docs/intro", func(r *trawl.CrawlRequest) { r.CrawlEntireDomain = true }, map[string][]string{
			"":          {"https://example.com/", "https://example.com/docs", "https://www.example.com/blog"},
			"subdomain": {"https://docs.example.com/"},
		}},
		{"subdomains", "https://www.example.com/docs", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, map[string][]string{
			"":         {"https://docs.example.com/", "http://a.b.example.com/x", "https://example.com/docs/a"},
			"path":     {"https://www.example.com/blog"},
			"external": {"https://example.org/", "https://badexample.com/"},
		}},
		{"subdomains of a subdomain", "https://docs.example.com/", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, map[string][]string{
			"": {"https://example.com/", "https://blog.example.com/"},
		}},
		{"subdomains of a public suffix", "https://me.github.io/", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, map[string][]string{
			"":         {"https://a.me.github.io/"},
			"external": {"https://you.github.io/", "https://github.io/"},
		}},
		{"subdomains of localhost", "http://localhost:3000/", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, map[string][]string{
			"":         {"http://x.localhost:3000/", "http://localhost:3000/a"},
			"external": {"http://x.localhost:3001/", "http://example.com/"},
		}},
		{"external links", "https://example.com/docs", func(r *trawl.CrawlRequest) { r.AllowExternalLinks = true }, map[string][]string{
			"":     {"https://example.org/x", "https://docs.example.com/", "http://127.0.0.1:1/", "https://example.com/docs"},
			"path": {"https://example.com/blog"},
		}},
		{"beside a document", "https://example.com/docs/guide.docx", nil, map[string][]string{
			"":     {"https://example.com/docs/guide.docx", "https://example.com/docs/other.odt", "https://example.com/docs/"},
			"path": {"https://example.com/guide.docx"},
		}},
		{"file types", "https://example.com/", nil, map[string][]string{
			"": {"https://example.com/a.pdf", "https://example.com/a.docx", "https://example.com/a.XLSX", "https://example.com/a.html", "https://example.com/a?b=c.png",
				"https://example.com/png", "https://example.com/a.png/b", "https://example.com/a.json", "https://example.com/example.com", "https://example.com/a.pngpngpng"},
			"file type": {"https://example.com/a.png", "https://example.com/a.JPEG?x", "https://example.com/a.css", "https://example.com/a.min.js", "https://example.com/a.woff2",
				"https://example.com/a.mp3", "https://example.com/a.MP4", "https://example.com/a.tar.gz", "https://example.com/a.exe", "https://example.com/a.svg#x"},
		}},
		{"patterns", "https://example.com/", func(r *trawl.CrawlRequest) {
			r.IncludePaths, r.ExcludePaths = []string{`^/blog/.+`, `/ü$`}, []string{`/draft`, `\d{4}`}
		}, map[string][]string{
			"":                     {"https://example.com/blog/a", "https://example.com/x/ü", "https://example.com/x/%c3%bc", "https://example.com/blog/a?y=2024"},
			"includePaths":         {"https://example.com/", "https://example.com/blog", "https://example.com/x?/blog/a"},
			"excludePaths: /draft": {"https://example.com/blog/drafts", "https://example.com/draft/2024"},
			`excludePaths: \d{4}`:  {"https://example.com/blog/2024"},
		}},
		{"patterns are matched as they are requested too", "https://example.com/", func(r *trawl.CrawlRequest) { r.ExcludePaths = []string{`%C3%BC`} }, map[string][]string{
			"excludePaths: %C3%BC": {"https://example.com/ü"},
		}},
		{"patterns on the whole address", "https://example.com/", func(r *trawl.CrawlRequest) {
			r.RegexOnFullURL, r.IncludePaths, r.ExcludePaths = true, []string{`^https://example\.com/`}, []string{`[?&]page=\d`}
		}, map[string][]string{
			"":                          {"https://example.com/a?x=1"},
			"includePaths":              {"http://example.com/a"},
			`excludePaths: [?&]page=\d`: {"https://example.com/a?x=1&page=2"},
		}},
		{"traps", "https://example.com/", nil, map[string][]string{
			"": {"https://example.com/a/b/a/b", "https://example.com/bible/1/1/1", "https://example.com/a/a/b", "https://example.com/2011/11/11/11/x/",
				"https://example.com" + segments(25) + "/", "https://example.com/?" + strings.Repeat("a=1&", 29) + "b"},
			"trap": {"https://example.com/a/b/a/b/a/b", "https://example.com/x/a/b/c/a/b/c/a/b/c/y", "https://example.com/en/en/en", "https://example.com/1/1/1/1/1/1",
				"https://example.com/x/1/x/2/x/3/x/4/x/5/x", "https://example.com" + segments(26), "https://example.com/?" + strings.Repeat("a=1&", 30) + "b"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkRules(t, rules(t, c.base, c.options), c.want)
		})
	}
}

func segments(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "/s%d", i)
	}
	return b.String()
}

// The first rule that is broken is the one that is named.
func TestJudgeOrder(t *testing.T) {
	t.Parallel()
	depth := 1
	r := rules(t, "https://example.com/docs", func(r *trawl.CrawlRequest) {
		r.ExcludePaths, r.IncludePaths, r.MaxDiscoveryDepth = []string{"secret"}, []string{"guide"}, &depth
	})
	trap := "/x/x/x"
	for _, c := range []struct{ address, rule string }{
		{"ftp://example.org/secret.png" + trap, "protocol"},
		{"https://example.org/" + strings.Repeat("a", 3000), "too long"},
		{"https://example.org/secret.png", "external"},
		{"https://example.com/secret.png", "path"},
		{"https://example.com/docs" + trap + "/secret.png", "file type"},
		{"https://example.com/docs/secret" + trap, "excludePaths: secret"},
		{"https://example.com/docs" + trap, "includePaths"},
		{"https://example.com/docs/guide" + trap, "maxDiscoveryDepth"},
	} {
		if v := r.Judge(c.address, 2); v.Rule != c.rule {
			t.Errorf("%q breaks %q, want %q", c.address, v.Rule, c.rule)
		}
	}
	if v := r.Judge("https://example.com/docs/guide"+trap, 1); v.Rule != "trap" {
		t.Errorf("rule %q, want trap", v.Rule)
	}
}

// The root and the pages of the sitemap have depth 0; with a depth of 1 the
// pages linked there are crawled and no others.
func TestDepth(t *testing.T) {
	t.Parallel()
	for limit, want := range [][]string{{"", "maxDiscoveryDepth", "maxDiscoveryDepth"}, {"", "", "maxDiscoveryDepth"}} {
		r := rules(t, "https://example.com/", func(r *trawl.CrawlRequest) { r.MaxDiscoveryDepth = &limit })
		for depth, rule := range want {
			if v := r.Judge("https://example.com/a", depth); v.Rule != rule {
				t.Errorf("limit %d, depth %d: rule %q, want %q", limit, depth, v.Rule, rule)
			}
		}
	}
	if v := rules(t, "https://example.com/", nil).Judge("https://example.com/a", 1<<30); v.Fate != "" {
		t.Errorf("without a limit, rule %q", v.Rule)
	}
}

// A start that the patterns do not let in is filtered as any other page.
func TestStart(t *testing.T) {
	t.Parallel()
	const start = "https://example.com/"
	r := rules(t, start, func(r *trawl.CrawlRequest) { r.IncludePaths = []string{"^/blog"} })
	if v := r.Judge(start, 0); v.Fate != trawl.FateFiltered || v.Rule != "includePaths" {
		t.Errorf("fate %q, rule %q", v.Fate, v.Rule)
	}
	r = rules(t, start, func(r *trawl.CrawlRequest) { r.ExcludePaths = []string{"^/$"} })
	if v := r.Judge(start, 0); v.Rule != "excludePaths: ^/$" {
		t.Errorf("rule %q", v.Rule)
	}
}

func TestVerdictURL(t *testing.T) {
	t.Parallel()
	r := rules(t, "https://example.com/", nil)
	for _, c := range []struct{ address, want string }{
		{"HTTPS://Example.COM:443/a/../b c#d", "https://example.com/b%20c"},
		{"https://example.com/a#b", "https://example.com/a"},
		{"https://example.com/a#!/b", "https://example.com/a#!/b"},
		{"https://example.com/a#/", "https://example.com/a"},
		{"https://example.com/a#/b c", "https://example.com/a#/b%20c"},
		{"https://u:secret@example.com/a", "https://example.com/a"},
		{"mailto:x", "mailto:x"},
		{"\xff\xfe", "\ufffd"},
	} {
		if v := r.Judge(c.address, 0); v.URL != c.want {
			t.Errorf("%q became %q, want %q", c.address, v.URL, c.want)
		}
	}
	if v := r.Judge("https://u:secret@example.com/a", 0); v.Identity == r.Judge("https://example.com/a", 0).Identity {
		t.Error("an address with a password passes for the page")
	}
	if v := r.Judge("data:"+strings.Repeat("é", 1<<20), 0); len(v.URL) > 2010 || !utf8.ValidString(v.URL) {
		t.Errorf("an address of %d bytes is kept", len(v.URL))
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	exact := rules(t, "https://example.com/", func(r *trawl.CrawlRequest) { r.DeduplicateSimilarURLs = false })
	bare := rules(t, "https://example.com/", func(r *trawl.CrawlRequest) { r.DeduplicateSimilarURLs, r.IgnoreQueryParameters = false, true })
	similar := rules(t, "https://example.com/", nil)
	both := rules(t, "https://example.com/", func(r *trawl.CrawlRequest) { r.IgnoreQueryParameters = true })
	for _, c := range []struct {
		name  string
		rules *crawl.Rules
		same  []string // one page
		other []string // pages of their own
	}{
		{"exact", exact, []string{"https://example.com/a", "https://example.com/a#b"},
			[]string{"https://example.com/a/", "http://example.com/a", "https://www.example.com/a", "https://example.com/a?x", "https://example.com/a#/b", "https://example.com/a/index.html", "https://example.com/a?utm_source=x"}},
		{"without query", bare, []string{"https://example.com/a", "https://example.com/a?x=1", "https://example.com/a?", "https://example.com/a?y#z"},
			[]string{"https://example.com/a/", "http://example.com/a", "https://example.com/a#/b", "https://www.example.com/a?x=1"}},
		{"similar", similar, []string{
			"https://example.com/a", "http://example.com/a", "https://www.example.com/a", "http://www.example.com:443/a/", "https://example.com/a/", "https://example.com/a/#b",
			"https://example.com/a/index.html", "https://example.com/a/Index.HTM", "https://example.com/a/index.php", "https://example.com/a/index.asp", "https://example.com/a/index.aspx",
			"https://example.com/a/default.asp", "https://example.com/a/Default.aspx", "https://example.com/a?utm_source=x&UTM_Medium=y", "https://example.com/a/?gclid=1&fbclid=2&msclkid=3",
			"https://example.com/a?mc_cid=1&mc_eid=2", "https://example.com/a?PHPSESSID=1", "https://example.com/a?jsessionid=1&sessionid=2&session_id=3&sid=4",
			"https://example.com/a;jsessionid=AB12", "https://example.com/a;JSESSIONID=AB12?utm_id=1", "https://example.com/a?", "https://example.com./a",
		}, []string{
			"https://example.com/A", "https://example.com/", "https://example.com/a/b", "https://example.com/a?x=1", "https://example.com/a?x=2", "https://example.com/a?X=1",
			"https://docs.example.com/a", "https://example.com:8080/a", "https://example.com/a#/b", "https://example.com/a/index.xml", "https://example.com/aindex.html", "https://example.com/a?utm=1",
		}},
		{"order of the query", similar, []string{"https://example.com/?a=2&a=1&b=3", "https://example.com/?b=3&a=2&a=1", "https://example.com/?a=2&sid=7&b=3&a=1", "http://www.example.com?&b=3&&a=2&a=1&"},
			[]string{"https://example.com/?a=1&a=2&b=3", "https://example.com/?a=2&b=3", "https://example.com/"}},
		{"a port and a session", similar, []string{"http://www.example.com:8080/x;jsessionid=1/y/", "https://example.com:8080/x/y"}, []string{"https://example.com/x/y"}},
		{"the top", similar, []string{"https://example.com/", "http://www.example.com", "https://example.com/index.html"}, nil},
		{"similar without query", both, []string{"https://example.com/a/?x=1", "http://example.com/a", "https://www.example.com/a/index.php?y"}, []string{"https://example.com/b", "https://example.com/a#/b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]string{}
			for i, address := range append(c.same, c.other...) {
				v := c.rules.Judge(address, 0)
				if got := c.rules.Identity(v.URL); got != v.Identity {
					t.Errorf("%q: identity %q, in the verdict %q", address, got, v.Identity)
				}
				known, found := seen[v.Identity]
				if want := i > 0 && i < len(c.same); found != want {
					t.Errorf("%q is %q, as is %q", address, v.Identity, known)
				}
				seen[v.Identity] = address
			}
		})
	}
}

func TestFollowsLinks(t *testing.T) {
	t.Parallel()
	for sitemap, want := range map[string]bool{trawl.SitemapInclude: true, trawl.SitemapSkip: true, trawl.SitemapOnly: false} {
		r := rules(t, "https://example.com/", func(r *trawl.CrawlRequest) { r.Sitemap = sitemap })
		if r.FollowsLinks() != want {
			t.Errorf("sitemap %q: follows links %v", sitemap, !want)
		}
		m, err := crawl.NewMapRules(&trawl.MapRequest{Sitemap: sitemap}, "https://example.com/")
		if err != nil || m.FollowsLinks() != want {
			t.Errorf("map with sitemap %q: %v", sitemap, err)
		}
	}
}

func TestMapRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, base string
		change     func(*trawl.MapRequest)
		want       map[string][]string
	}{
		{"defaults", "https://example.com/", func(*trawl.MapRequest) {}, map[string][]string{
			"":          {"https://www.example.com/a", "https://docs.example.com/a?x=1"},
			"external":  {"https://example.org/"},
			"file type": {"https://example.com/a.png"},
		}},
		{"a path", "https://example.com/docs", func(*trawl.MapRequest) {}, map[string][]string{
			"":     {"https://example.com/docs/a", "https://x.example.com/docs"},
			"path": {"https://example.com/", "https://x.example.com/a"},
		}},
		{"a path that does not matter", "https://example.com/docs", func(r *trawl.MapRequest) { r.FilterByPath = false }, map[string][]string{
			"": {"https://example.com/", "https://x.example.com/a"},
		}},
		{"no subdomains", "https://example.com/", func(r *trawl.MapRequest) { r.IncludeSubdomains = false }, map[string][]string{
			"":          {"https://www.example.com/a"},
			"subdomain": {"https://docs.example.com/"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := trawl.DefaultMapRequest()
			c.change(&req)
			r, err := crawl.NewMapRules(&req, c.base)
			if err != nil {
				t.Fatal(err)
			}
			checkRules(t, r, c.want)
		})
	}
	for ignore, same := range map[bool]bool{true: true, false: false} {
		r, err := crawl.NewMapRules(&trawl.MapRequest{IgnoreQueryParameters: ignore}, "https://example.com/")
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Identity("https://example.com/a?x=1") == r.Identity("http://www.example.com/a/"); got != same {
			t.Errorf("ignoring queries %v: one page %v", ignore, got)
		}
	}
}

func TestNewRulesErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, base       string
		include, exclude []string
		path             string
	}{
		{"no base", "", nil, nil, ""},
		{"a base of another protocol", "ftp://example.com/", nil, nil, ""},
		{"a broken pattern", "https://example.com/", []string{"ok", "("}, nil, "includePaths.1"},
		{"a pattern that Go does not know", "https://example.com/", nil, []string{"(?=x)"}, "excludePaths.0"},
		{"a pattern that grows", "https://example.com/", []string{strings.Repeat(".{1000}", 280)}, nil, "includePaths.0"},
		{"patterns that grow together", "https://example.com/", nil, []string{strings.Repeat(".{1000}", 15), "x", strings.Repeat("(a|b){1000}", 5)}, "excludePaths.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := &trawl.CrawlRequest{IncludePaths: c.include, ExcludePaths: c.exclude}
			r, err := crawl.NewRules(req, c.base)
			if err == nil || r != nil {
				t.Fatal("no error")
			}
			if c.path != "" && !strings.HasPrefix(err.Error(), c.path+": is ") {
				t.Errorf("%q does not name %s", err, c.path)
			}
		})
	}
}

// As many patterns as a request may have are fine, if they are sane.
func TestManyPatterns(t *testing.T) {
	t.Parallel()
	r := rules(t, "https://example.com/", func(r *trawl.CrawlRequest) {
		for i := range 1000 {
			r.ExcludePaths = append(r.ExcludePaths, fmt.Sprintf(`^/some/long/path/to/a/section/of/the/site/that/is/left/out/%d/[^/]+/?$`, i))
		}
	})
	checkRules(t, r, map[string][]string{
		"": {"https://example.com/some/long/path/to/a/section/of/the/site/that/is/left/out/1000/x"},
		`excludePaths: ^/some/long/path/to/a/section/of/the/site/that/is/left/out/999/[^/]+/?$`: {"https://example.com/some/long/path/to/a/section/of/the/site/that/is/left/out/999/x"},
	})
}

func FuzzJudge(f *testing.F) {
	for _, address := range []string{
		"https://example.com/docs/a?b=c&sid=1#d", "HTTP://www.EXAMPLE.com:443/docs/index.html;jsessionid=1/x?&b&a", "//u:p@x.example.com/%c3ü/../a#/b",
		"https://example.com/a/b/a/b/a/b.png", "http://[::1]:80/", "mailto:x", "http://example.com#\t/", "https://example.com/ #/ ", "http://1.2/\\?#",
	} {
		f.Add(address, 1)
	}
	depth := 3
	all := []*crawl.Rules{
		rules(f, "https://example.com/docs", nil),
		rules(f, "https://example.com/", func(r *trawl.CrawlRequest) {
			r.AllowExternalLinks, r.IgnoreQueryParameters, r.DeduplicateSimilarURLs, r.MaxDiscoveryDepth = true, true, false, &depth
		}),
		rules(f, "http://x.example.com:8080/", func(r *trawl.CrawlRequest) {
			r.AllowSubdomains, r.ExcludePaths, r.RegexOnFullURL = true, []string{"a.*b", "ü"}, true
		}),
	}
	password := regexp.MustCompile(`^https?://[^/]*@`)
	f.Fuzz(func(t *testing.T, address string, depth int) {
		for _, r := range all {
			v := r.Judge(address, depth)
			if (v.Fate == "") != (v.Rule == "") || !utf8.ValidString(v.URL) {
				t.Fatalf("%q: %+v", address, v)
			}
			if v.Rule == "invalid" || v.Rule == "protocol" || v.Rule == "too long" {
				continue
			}
			if again := r.Judge(v.URL, depth); again != v {
				t.Errorf("%q: first %+v, then %+v", address, v, again)
			}
			if len(v.URL) > 2000 || password.MatchString(v.URL) || r.Identity(v.URL) != v.Identity {
				t.Errorf("%q: %+v", address, v)
			}
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	many := func(r *trawl.CrawlRequest) {
		for i := range 1000 {
			r.ExcludePaths = append(r.ExcludePaths, fmt.Sprintf("/section%d/.*", i))
		}
	}
	few := func(r *trawl.CrawlRequest) {
		r.IncludePaths, r.ExcludePaths = []string{"^/docs/.*"}, []string{"/draft", `\.old$`}
	}
	for _, c := range []struct {
		name, address string
		change        func(*trawl.CrawlRequest)
	}{
		{"plain", "https://www.example.com/docs/guide/getting-started", nil},
		{"query", "https://www.example.com/docs/list?category=books&page=2", nil},
		{"tracked", "https://www.example.com/docs/list?utm_source=x&page=2&category=books", nil},
		{"fragment", "https://www.example.com/docs/guide#install", nil},
		{"external", "https://social.example.org/share", nil},
		{"escaped", "https://www.example.com/docs/%C3%BCber", nil},
		{"port", "http://localhost:8080/docs/guide", nil},
		{"3 patterns", "https://www.example.com/docs/guide/getting-started", few},
		{"1000 patterns", "https://www.example.com/docs/guide/getting-started", many},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := rules(b, "https://www.example.com/docs/", c.change)
			b.ReportAllocs()
			for b.Loop() {
				r.Judge(c.address, 1)
			}
		})
	}
}

// Patterns that are short to write and costly to match are refused, and soon.
func TestCostlyPatterns(t *testing.T) {
	t.Parallel()
	many := func(pattern string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = pattern
		}
		return list
	}
	for name, patterns := range map[string][]string{
		"repetitions":       many(`(.{100}){100}`, 3),
		"classes":           many(strings.Repeat(`\pL`, 660), 1000),
		"classes that fold": many(strings.Repeat(`(?i)[\p{Greek}\pL\pS\pM\pN\pP\pZ\pC]`, 45), 1000),
		"classes at an end": many(strings.Repeat(`[\pL\pN]`, 200)+"$", 90),
	} {
		req := trawl.DefaultCrawlRequest()
		req.ExcludePaths = patterns
		if _, err := crawl.NewRules(&req, "https://a.com/"); trawl.ErrorCode(err) != trawl.CodeBadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	req := trawl.DefaultCrawlRequest()
	req.IncludePaths = many(`^/(blog|news)/\d{4}/\d{2}/[a-z0-9-]+(\.html?)?$`, 500)
	if _, err := crawl.NewRules(&req, "https://a.com/"); err != nil {
		t.Errorf("patterns as people write them: %v", err)
	}
}
