package steer_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/extract/steer"
)

const site = "https://example.com/"

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct{ prompt, want, left string }{
		{"Crawl the first 50 pages", `{"limit":50}`, ""},
		{"at most 20", `{"limit":20}`, ""},
		{"Get up to 1,000 pages of the site.", `{"limit":1000}`, ""},
		{"no more than ten pages please", `{"limit":10}`, ""},
		{"limit: 10k", `{"limit":10000}`, ""},
		{"100 pages max", `{"limit":100}`, ""},
		{"Limit the crawl to 5 pages and go 2 levels deep", `{"maxDiscoveryDepth":2,"limit":5}`, ""},
		{"up to 3 levels deep", `{"maxDiscoveryDepth":3}`, ""},
		{"depth 2", `{"maxDiscoveryDepth":2}`, ""},
		{"with a maximum depth of four", `{"maxDiscoveryDepth":4}`, ""},
		{"only the start page", `{"maxDiscoveryDepth":0,"limit":1}`, ""},
		{"Only the pages linked from the home page", `{"maxDiscoveryDepth":1}`, ""},
		{"everything without the changelog, and be gentle", `{"excludePaths":["(^|/)changelogs?(/|$)"],"crawlEntireDomain":true}`, "be gentle"},
		{"only the blog, and be kind", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, "be kind"},
		{"only the blog", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, ""},
		{"Only pages under /docs", `{"includePaths":["^/docs(/|$)","^/$"]}`, ""},
		{"everything under /docs/api", `{"includePaths":["^/docs/api(/|$)","^/$"]}`, ""},
		{"blog posts and docs", `{"includePaths":["(^|/)blogs?(/|$)","(^|/)(docs?|documentation)(/|$)","^/$"]}`, ""},
		{"Crawl the blog, news and case studies", `{"includePaths":["(^|/)blogs?(/|$)","(^|/)news(/|$)","(^|/)case[-_]?stud(y|ies)(/|$)","^/$"]}`, ""},
		{"crawl https://example.com/shop", `{"includePaths":["^/shop(/|$)","^/$"]}`, ""},
		{"crawl https://other.example/shop", `{}`, "crawl https://other.example/shop"},
		{"only product pages", `{"includePaths":["(^|/)products?(/|$)","^/$"]}`, ""},
		{"only about us", `{"includePaths":["(^|/)about([-_]?us)?(/|$)","^/$"]}`, ""},
		{"only /a.html", `{"includePaths":["^/a\\.html$","^/$"]}`, ""},
		{"include only ^/guide/.*$", `{"includePaths":["^/guide(/|$)","^/$"]}`, ""},
		{"exclude the careers pages", `{"excludePaths":["(^|/)careers?(/|$)"]}`, ""},
		{"Everything except the blog and the forum", `{"excludePaths":["(^|/)blogs?(/|$)","(^|/)forums?(/|$)"],"crawlEntireDomain":true}`, ""},
		{"the docs, but not /tag/*", `{"includePaths":["(^|/)(docs?|documentation)(/|$)","^/$"],"excludePaths":["^/tag(/|$)"]}`, ""},
		{"skip /admin, /login and /cart", `{"excludePaths":["^/admin(/|$)","^/login(/|$)","^/cart(/|$)"]}`, ""},
		{"without legal pages or the press section", `{"excludePaths":["(^|/)legals?(/|$)","(^|/)press(/|$)"]}`, ""},
		{"Don't crawl pdfs", `{"excludePaths":["\\.[pP][dD][fF]$"]}`, ""},
		{"not /archive-*", `{"excludePaths":["^/archive-"]}`, ""},
		{"include subdomains", `{"allowSubdomains":true}`, ""},
		{"the entire site including all subdomains", `{"crawlEntireDomain":true,"allowSubdomains":true}`, ""},
		{"do not include subdomains", `{"allowSubdomains":false}`, ""},
		{"Crawl the whole site", `{"crawlEntireDomain":true}`, ""},
		{"Only follow links within the blog section", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, ""},
		{"crawl only urls in the docs section", `{"includePaths":["(^|/)(docs?|documentation)(/|$)","^/$"]}`, ""},
		{"only the pages and links of the help section", `{"includePaths":["(^|/)helps?(/|$)","^/$"]}`, ""},
		{"follow external links", `{"allowExternalLinks":true}`, ""},
		{"Never follow external links!", `{"allowExternalLinks":false}`, ""},
		{"stay on this domain", `{"allowExternalLinks":false}`, ""},
		{"use only the sitemap", `{"sitemap":"only"}`, ""},
		{"only pages in the sitemap", `{"sitemap":"only"}`, ""},
		{"ignore the sitemap", `{"sitemap":"skip"}`, ""},
		{"Use the sitemap", `{"sitemap":"include"}`, ""},
		{"wait 2 seconds between pages", `{"delay":2}`, ""},
		{"500 ms delay", `{"delay":0.5}`, ""},
		{"with a 1.5 second pause between requests, slowly", `{"delay":1.5}`, ""},
		{"crawl slowly", `{"delay":1}`, ""},
		{"ignore query parameters", `{"ignoreQueryParameters":true}`, ""},
		{
			"Crawl the first 50 blog posts, skip /tag/*, wait 3 seconds between requests and don't follow external links.",
			`{"includePaths":["(^|/)blogs?(/|$)","^/$"],"excludePaths":["^/tag(/|$)"],"allowExternalLinks":false,"delay":3,"limit":50}`, "",
		},
		{"Nur der Blog, höchstens 20 Seiten", `{"includePaths":["(^|/)blogs?(/|$)","^/$"],"limit":20}`, ""},
		{"solo el blog, sin subdominios", `{"includePaths":["(^|/)blogs?(/|$)","^/$"],"allowSubdomains":false}`, ""},
		{"tout le site sauf /presse", `{"excludePaths":["^/presse(/|$)"],"crawlEntireDomain":true}`, ""},
		{"Find everything about kettles that was written in 2024", `{"crawlEntireDomain":true}`, "about kettles that was written in 2024"},
		{"only English pages", `{}`, "English pages"},
		{"pages that mention tea", `{}`, "pages that mention tea"},
		{"skip anything older than two years", `{}`, "skip anything older than two years"},
		{"at most 0 pages", `{}`, "at most 0 pages"},
		{"at most 99999999999999999999999999 pages", `{}`, "at most 99999999999999999999999999 pages"},
		{"wait 5000 seconds between pages", `{}`, "wait 5000 seconds between pages"},
		{"depth -3", `{}`, "depth -3"},
		{"first 10 pages, first 20 pages", `{"limit":10}`, "first 20 pages"},
		{"Crawl everything but the forum", `{"excludePaths":["(^|/)forums?(/|$)"],"crawlEntireDomain":true}`, ""},
		{"I don't want the blog", `{"excludePaths":["(^|/)blogs?(/|$)"]}`, ""},
		{"Crawl only the first page", `{"maxDiscoveryDepth":0,"limit":1}`, ""},
		{"pages one click away from the homepage", `{"maxDiscoveryDepth":1}`, ""},
		{"Extract all blog posts from last year", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, "from last year"},
		{"skip blog posts about tea", `{}`, "skip blog posts about tea"},
		{"exclude any URL containing /admin or /login", `{"excludePaths":["/admin(/|$)","/login(/|$)"]}`, ""},
		{"only docs and guides, no blog", `{"includePaths":["(^|/)(docs?|documentation)(/|$)","(^|/)guides?(/|$)","^/$"],"excludePaths":["(^|/)blogs?(/|$)"]}`, ""},
		{"We need all of the recipes. At most 40. No comments please.", `{"includePaths":["(^|/)recipes?(/|$)","^/$"],"excludePaths":["(^|/)comments?(/|$)"],"limit":40}`, ""},
		{"ignore robots.txt", `{}`, "ignore robots.txt"},
		{"don't crawl the whole site", `{}`, "don't crawl the whole site"},
		{"do not crawl more than 30 pages", `{"limit":30}`, ""},
		{"more than 30 pages", `{}`, "more than 30 pages"},
		{"don't go deeper than 3 levels", `{"maxDiscoveryDepth":3}`, ""},
		{"only the good stuff", `{}`, "the good stuff"},
		{"only user stories about kettles", `{}`, "user stories about kettles"},
		{"not too many pages", `{}`, "not too many pages"},
		{"exclude /", `{}`, "exclude /"},
		{"only /a(b[c*d", `{"includePaths":["^/a\\(b\\[c.*d(/|$)","^/$"]}`, ""},
		{"only blog(.*)+[", `{}`, "blog(.*)+["},
		{"crawl just this page", `{"maxDiscoveryDepth":0,"limit":1}`, ""},
		{"this page only", `{"maxDiscoveryDepth":0,"limit":1}`, ""},
		{"don't go deeper than 2", `{"maxDiscoveryDepth":2}`, ""},
		{"ignore everything under /archive", `{"excludePaths":["^/archive(/|$)"]}`, ""},
		{"keine Seiten unter /alt", `{"excludePaths":["^/alt(/|$)"]}`, ""},
		{"max 5 Seiten, keine externen Links", `{"allowExternalLinks":false,"limit":5}`, ""},
		{"not more than one request per 5 seconds", `{"delay":5}`, ""},
		{"2 requests per second", `{"delay":0.5}`, ""},
		{"at most 10 pages per minute", `{"delay":6}`, ""},
		{"skip everything except /docs", `{"includePaths":["^/docs(/|$)","^/$"]}`, ""},
		{"nothing but the blog", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, ""},
		{"Don't crawl anything but the blog", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, ""},
		{"Crawl all but the blog", `{"excludePaths":["(^|/)blogs?(/|$)"]}`, ""},
		{"anything but the blog", `{"excludePaths":["(^|/)blogs?(/|$)"]}`, ""},
		{"pages not under /docs", `{"excludePaths":["^/docs(/|$)"]}`, ""},
		{"/docs (but not /docs/old)", `{"includePaths":["^/docs(/|$)","^/$"],"excludePaths":["^/docs/old(/|$)"]}`, ""},
		{"only the widgets section", `{"includePaths":["(^|/)widgets?(/|$)","^/$"]}`, ""},
		{`only the "widgets" pages`, `{"includePaths":["(^|/)widgets?(/|$)","^/$"]}`, ""},
		{"exclude urls starting with /tmp", `{"excludePaths":["^/tmp(/|$)"]}`, ""},
		{"I only want the docs", `{"includePaths":["(^|/)(docs?|documentation)(/|$)","^/$"]}`, ""},
		{"only the blog, nothing else", `{"includePaths":["(^|/)blogs?(/|$)","^/$"]}`, ""},
		{"get the about page", `{"includePaths":["(^|/)about([-_]?us)?(/|$)","^/$"]}`, ""},
		{"not just the blog but everything", `{"crawlEntireDomain":true}`, "not just the blog"},
		{"the whole site but the blog", `{"crawlEntireDomain":true}`, "the blog"},
		{"everything, including the forum", `{"crawlEntireDomain":true}`, "the forum"},
		{"exclude the blog but include /blog/go", `{"excludePaths":["(^|/)blogs?(/|$)"]}`, "/blog/go"},
		{"skip /a and /b and the ugly parts", `{"excludePaths":["^/a(/|$)","^/b(/|$)"]}`, "skip the ugly parts"},
		{"the docs, skip anything older than two years", `{"includePaths":["(^|/)(docs?|documentation)(/|$)","^/$"]}`, "skip anything older than two years"},
		{"Use the sitemap only as a fallback", `{"sitemap":"include"}`, "as a fallback"},
		{"", `{}`, ""},
		{"please", `{}`, ""},
	}
	for _, tc := range tests {
		t.Run(tc.prompt, func(t *testing.T) {
			t.Parallel()
			choices, understood, left := steer.Read(tc.prompt, site)
			got, err := json.Marshal(choices)
			if err != nil {
				t.Fatal(err)
			}
			plain := strings.NewReplacer(`\u0026`, "&").Replace(string(got))
			if plain != tc.want {
				t.Errorf("got  %s\nwant %s", plain, tc.want)
			}
			if left != tc.left {
				t.Errorf("left %q, want %q", left, tc.left)
			}
			if (plain == "{}") != (len(understood) == 0) {
				t.Errorf("understood %q, but chose %s", understood, plain)
			}
			check(t, choices, site)
		})
	}
}

// What a rule could take for the opposite of what it says, or for something else
// altogether, is not understood.
func TestNotUnderstood(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"don't skip the blog", "Avoid skipping /docs", "Stop ignoring /docs", "not only the blog", "not limited to the blog", "don't just crawl the blog",
		"do not restrict it to the blog", "don't limit yourself to the blog", "don't focus on the blog", "don't crawl anything outside /docs", "never leave /docs",
		"Find me the pages about Go", "only about kettles", "what is the blog about", "without following links", "without logging in", "Skip the first page",
		"Skip the first 10 pages", "the last two pages", "the first two and last two pages", "at least 50 pages", "50 pages or more", "10 pages at a time",
		"5 pages per section", "no more than 5 product pages per category", "limit to 20 per hour", "no more than 2 at a time", "posts up to 2023", "one page per product",
		"in one page", "at most 1.5 pages", "2 levels or deeper", "only pages deeper than 2 levels", "unlimited depth", "only the first page of each section",
		"just the home page and the blog", "only this page and its children", "Crawle nur die Produktseiten", "keine Unterseiten von /shop", "nichts außer dem Blog",
		"den Blog nicht crawlen", "stay away from subdomains", "subdomains are not needed", "don't exclude subdomains", "external links are forbidden",
		"with external links excluded", "never skip the sitemap", "don't only use the sitemap", "don't ignore query parameters", "also include the blog",
		"make sure to include the blog", "don't forget to include the blog", "the blog is not needed", "Nothing from the blog", "none of the blog posts", "blog: no",
		"skip the blog except /blog/2024", "no product pages without prices", "I'm not interested in the blog", "the site has no blog", "why is there no blog?",
		"just like the blog", "please help", "I need the features and pricing of each product", "only the blog and the good stuff", "/login is required", "start at /docs",
		"redirects to /a", "what about /docs", "only kettles", "exclude the boring section", "the second section", "no images", "only public docs", "only the docs team",
		"under no circumstances crawl /admin", "neither the blog nor the docs", "don't wait 2 seconds between pages", "wait no more than 5 seconds between pages", "not slowly",
	} {
		if choices, understood, left := steer.Read(prompt, site); len(understood) > 0 || left == "" {
			got, _ := json.Marshal(choices)
			t.Errorf("%q is understood as %q: %s", prompt, understood, got)
		}
	}
}

// check reports choices that a caller could not make, or that leave out the page
// that the crawl starts from.
func check(t *testing.T, c trawl.CrawlChoices, start string) {
	t.Helper()
	req := trawl.DefaultCrawlRequest()
	req.URL = start
	req.IncludePaths, req.ExcludePaths, req.MaxDiscoveryDepth = c.IncludePaths, c.ExcludePaths, c.MaxDiscoveryDepth
	if _, err := crawl.NewRules(&req, start); err != nil {
		t.Errorf("no rules of a crawl: %v", err)
	}
	if c.Limit != nil && (*c.Limit < 1 || *c.Limit > 100_000_000) || c.Delay != nil && (*c.Delay <= 0 || *c.Delay > 60) ||
		c.MaxDiscoveryDepth != nil && (*c.MaxDiscoveryDepth < 0 || *c.MaxDiscoveryDepth > 1_000_000) {
		t.Errorf("out of bounds: %+v", c)
	}
	for _, list := range [][]string{c.IncludePaths, c.ExcludePaths} {
		for _, pattern := range list {
			if len(pattern) > 2000 {
				t.Errorf("a pattern of %d bytes", len(pattern))
			}
		}
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	tests := []struct{ start, prompt, path string }{
		{"https://example.com", "only /docs", "/"},
		{"https://example.com/de/", "only the blog", "/de/"},
		{"https://example.com/de/", "only the blog", "/de"},
		{"https://example.com/a(b", "only the blog", "/a(b"},
		{"https://example.com/" + strings.Repeat("x", 1500), "only the blog", "/" + strings.Repeat("x", 1500)},
		{"https://example.com/blog/", "only the blog", "/blog/"},
		{"https://example.com/%C3%BC", "only the blog", "/%C3%BC"},
	}
	for _, tc := range tests {
		choices, _, _ := steer.Read(tc.prompt, tc.start)
		matched := false
		for _, pattern := range choices.IncludePaths {
			matched = matched || regexp.MustCompile(pattern).MatchString(tc.path)
		}
		if !matched {
			t.Errorf("%.50s is not in %.200q", tc.path, choices.IncludePaths)
		}
		check(t, choices, tc.start)
	}
	if choices, _, _ := steer.Read("only the blog", "https://example.com/blog/x"); len(choices.IncludePaths) != 1 {
		t.Errorf("the start is there already: %q", choices.IncludePaths)
	}
	if choices, _, _ := steer.Read("only /docs", "https://example.com/blog"); choices.CrawlEntireDomain == nil || !*choices.CrawlEntireDomain {
		t.Error("/docs cannot be reached from below /blog")
	}
	if choices, _, _ := steer.Read("only /blog/2024", "https://example.com/blog"); choices.CrawlEntireDomain != nil {
		t.Error("/blog/2024 is below /blog")
	}
}

// What is wanted can be reached from the start, wherever that is, and no more than
// that.
func TestReach(t *testing.T) {
	t.Parallel()
	tests := []struct {
		start, prompt string
		in, out       []string
	}{
		{"/docs/", "only the blog", []string{"/docs/", "/blog/", "/blog/a", "/docs/blog/b"}, []string{"/", "/shop", "/docs/x"}},
		{"/docs/", "only /blog", []string{"/docs/", "/blog/a"}, []string{"/docs/x"}},
		{"/docs", "only /docs-old", []string{"/docs-old/a"}, []string{"/docs/x"}},
		{"/blog/", "only the blog", []string{"/blog/a"}, []string{"/docs", "/"}},
		{"/blog/2024/", "only the blog", []string{"/blog/2024/a", "/blog/2023/a"}, []string{"/docs"}},
		{"/docs/", "without the blog", []string{"/docs/a"}, []string{"/docs/blog/a", "/shop"}},
		{"/docs/", "at most 5 pages", []string{"/docs/a"}, []string{"/blog"}},
	}
	for _, tc := range tests {
		start := "https://example.com" + tc.start
		choices, _, _ := steer.Read(tc.prompt, start)
		req := trawl.DefaultCrawlRequest()
		req.URL = start
		req.Fill(&choices)
		rules, err := crawl.NewRules(&req, start)
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range append(tc.in, tc.out...) {
			if v := rules.Judge("https://example.com"+path, 1); (v.Rule == "") != (i < len(tc.in)) {
				t.Errorf("%q from %s: %s is judged by %q", tc.prompt, tc.start, path, v.Rule)
			}
		}
	}
}

// Sections are found where sites have them, and nowhere else.
func TestSections(t *testing.T) {
	t.Parallel()
	tests := []struct {
		prompt   string
		in, outs []string
	}{
		{"only the blog", []string{"/blog", "/blog/a", "/en/blogs/b"}, []string{"/weblog", "/blogger", "/x"}},
		{"only case studies", []string{"/case-study/a", "/case_studies", "/casestudies/"}, []string{"/case", "/studies"}},
		{"only the docs", []string{"/docs/", "/documentation/x", "/doc"}, []string{"/docsis"}},
		{"only careers", []string{"/career", "/about/careers"}, []string{"/careersy"}},
	}
	for _, tc := range tests {
		choices, _, _ := steer.Read(tc.prompt, site)
		if len(choices.IncludePaths) == 0 {
			t.Errorf("%q is not understood", tc.prompt)
			continue
		}
		re := regexp.MustCompile(choices.IncludePaths[0])
		for _, path := range tc.in {
			if !re.MatchString(path) {
				t.Errorf("%q leaves out %s", tc.prompt, path)
			}
		}
		for _, path := range tc.outs {
			if re.MatchString(path) {
				t.Errorf("%q has %s", tc.prompt, path)
			}
		}
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"only ", "/a, ", "first 9", "(((", "the the ", "1,", "\xff"} {
		prompt := strings.Repeat(part, 10_000/len(part))
		choices, _, left := steer.Read(prompt, site)
		if len(choices.IncludePaths) > 60 || len(choices.ExcludePaths) > 60 || len(left) > 60_000 {
			t.Errorf("%q: %d and %d patterns, %d bytes left", part, len(choices.IncludePaths), len(choices.ExcludePaths), len(left))
		}
		check(t, choices, site)
	}
}

func FuzzRead(f *testing.F) {
	for _, prompt := range []string{"only the blog, at most 20 pages", "skip /tag/* and /a(b, depth 2", "wait 2 s; use only the sitemap", "https://example.com/x?y#z"} {
		f.Add(prompt, site)
	}
	f.Fuzz(func(t *testing.T, prompt, start string) {
		target, err := trawl.ParseTarget(start)
		if err != nil || len(prompt) > 40_000 {
			return
		}
		plain := trawl.DefaultCrawlRequest()
		if _, err := crawl.NewRules(&plain, target); err != nil {
			return // no crawl starts there
		}
		choices, _, _ := steer.Read(prompt, target)
		check(t, choices, target)
	})
}
