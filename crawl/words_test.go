package crawl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
)

// linksTo are pages of a site by their paths.
func linksTo(site string, paths ...string) []trawl.MapLink {
	var list []trawl.MapLink
	for _, path := range paths {
		list = append(list, trawl.MapLink{URL: site + path})
	}
	return list
}

// many returns paths with numbers from 1.
func many(format string, count int) []string {
	var list []string
	for i := range count {
		list = append(list, fmt.Sprintf(format, i+1))
	}
	return list
}

func TestBest(t *testing.T) {
	t.Parallel()
	blog := linksTo("http://blog.example.com", slices.Concat([]string{"/", "/about", "/contact", "/pricing", "/tag/go", "/tag/rust"},
		many("/blog/post-%d", 30), many("/docs/page-%d", 10), []string{"/blog/", "/docs/"})...)
	shop := linksTo("http://shop.example.com", slices.Concat([]string{"/"}, many("/c/%d", 4), []string{"/about", "/terms", "/returns"}, many("/p/%d", 40))...)
	docs := linksTo("http://docs.example.com", "/", "/guide/", "/api/", "/guide/install/", "/guide/usage/", "/api/v2/", "/api/v2/scrape/", "/guide/install/linux")
	for _, c := range []struct {
		name, words string
		links       []trawl.MapLink
		want        string // the paths of the best
	}{
		{"not the host", "blog posts author date", blog, "/blog/post-1 /blog/post-2 /blog/post-3"},
		{"plural of the page", "return policy", shop, "/returns"},
		{"plural of the words", "abouts", shop, "/about"},
		{"items before lists", "products price", shop, "/p/1 /p/2 /p/3 /p/4 /p/5"},
		{"items below numbered folders", "products", linksTo("http://a.com", slices.Concat([]string{"/"}, many("/cat-%d/", 6), many("/cat-%d/item", 7))...), "/cat-1/item /cat-2/item"},
		{"tags last", "products", linksTo("http://a.com", append(many("/tag/%d", 9), many("/p/%d", 3)...)...), "/p/1 /p/2 /p/3"},
		{"the home page if nothing is known", "founder", shop, "/ /p/1"},
		{"the rarer word", "api reference scrape", docs, "/api/v2/scrape/ /api/ /api/v2/"},
		{"deeper of equals", "install", docs, "/guide/install/linux"},
		{"words that are in all say little", "docs kettle", linksTo("http://a.com", "/docs/docs", "/docs/docs/a", "/docs/kettle", "/docs/b"), "/docs/kettle"},
		{"the order of equals", "x", shop[:3], "/ /c/1 /c/2"},
		{"the beginning of a word", "Preise", linksTo("http://a.com", "/a", "/preisliste", "/preis"), "/preis"},
		{"parts are not words", "art", linksTo("http://a.com", "/a", "/cart", "/art"), "/art"},
		{"titles", "kettle", []trawl.MapLink{{URL: "http://a.com/1"}, {URL: "http://a.com/2", Title: "Kettles"}}, "/2"},
		{"title before description", "kettle", []trawl.MapLink{{URL: "http://a.com/1", Description: "A kettle"}, {URL: "http://a.com/2", Title: "Kettle"}}, "/2 /1"},
		{"hosts, if they differ", "jobs", slices.Concat(linksTo("http://a.com", "/", "/x"), linksTo("http://jobs.a.com", "/y")), "/y"},
		{"scripts without spaces", "价格", []trawl.MapLink{{URL: "http://a.com/1", Title: "关于我们"}, {URL: "http://a.com/2", Title: "查看价格表"}}, "/2"},
		{"no words", "", shop, "/ /p/1"},
		{"no pages", "kettle", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, want := slices.Clone(c.links), strings.Fields(c.want)
			var got []string
			for _, link := range crawl.WordsOf(c.words).Best(c.links, len(want)) {
				_, path, _ := strings.Cut(strings.TrimPrefix(link.URL, "http://"), "/")
				got = append(got, "/"+path)
			}
			if len(got) != len(c.links) || !slices.Equal(got[:len(want)], want) {
				t.Errorf("got %q, want %q first", got, want)
			}
			if !slices.Equal(c.links, before) {
				t.Error("the list that was passed in has changed")
			}
		})
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	words := crawl.WordsOf("Kettles, boxes and companies")
	last := 0
	for _, link := range []trawl.MapLink{ // each fits better than the one before
		{URL: "http://kettle.com/", Description: "a box"}, {URL: "http://a.com/kettle"}, {URL: "http://a.com/kettle", Title: "The company"},
		{URL: "http://a.com/kettles?company=box"},
	} {
		fit := words.Fit(link)
		if fit <= last {
			t.Errorf("%+v fits by %d, not more than %d", link, fit, last)
		}
		last = fit
	}
	if fit := words.Fit(trawl.MapLink{URL: "http://kettle.com/x"}); fit != 0 {
		t.Errorf("a host fits by %d", fit)
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"/p/1", "/p/kettle", true}, {"/p/1", "/c/1", false}, {"/p/1", "/p/1/reviews", false}, {"/cat-1/item", "/cat-22/thing", true},
		{"/show?id=1", "/show?id=2", true}, {"/show?id=1", "/show?page=1", false}, {"/a", "/b/", true}, {"/", "/a", false},
	} {
		if a, b := crawl.Shape("http://a.com"+c.a), crawl.Shape("http://a.com"+c.b); (a == b) != c.same {
			t.Errorf("%s is %q, %s is %q", c.a, a, c.b, b)
		}
	}
}

func FuzzBest(f *testing.F) {
	f.Add("https://a.com/getting-started?a=1&b", "Über uns", "价格 list", "getting uber classes")
	f.Fuzz(func(t *testing.T, address, title, description, search string) {
		links := []trawl.MapLink{{URL: "https://a.com/"}, {URL: address, Title: title, Description: description}, {URL: search}}
		got := crawl.WordsOf(search).Best(links, 2)
		for _, link := range links {
			if !slices.Contains(got, link) {
				t.Errorf("%+v is missing", link)
			}
		}
		if len(got) != len(links) || crawl.WordsOf(search).Fit(links[1]) < 0 {
			t.Errorf("%d links", len(got))
		}
	})
}

func BenchmarkBest(b *testing.B) {
	words := crawl.WordsOf(strings.Join(many("word%d", 38), " ") + " started guide")
	links := linksTo("https://www.example.com", many("/docs/guide-%d/getting-started", 20_000)...)
	b.ReportAllocs()
	for b.Loop() {
		words.Best(links, 1000)
	}
}
