package crawl_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
)

func TestRank(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, search string
		links        []trawl.MapLink
		want         []int
	}{
		{"no words", " -- ", []trawl.MapLink{{URL: "https://a.com/b"}, {URL: "https://a.com/a"}}, []int{0, 1}},
		{"nothing fits", "x", []trawl.MapLink{{URL: "https://a.com/b"}, {URL: "https://a.com/a"}}, []int{0, 1}},
		{"phrase, all, some, none", "getting started", []trawl.MapLink{
			{URL: "https://a.com/about"}, {URL: "https://a.com/getting-help"}, {URL: "https://a.com/started/getting"}, {URL: "https://a.com/docs/Getting_Started"},
		}, []int{3, 2, 1, 0}},
		{"more words before fewer", "red big shoes", []trawl.MapLink{{URL: "https://a.com/red"}, {URL: "https://a.com/red/shoes"}}, []int{1, 0}},
		{"equal ones keep their order", "docs", []trawl.MapLink{{URL: "https://a.com/docs/b"}, {URL: "https://a.com/docs/a"}, {URL: "https://a.com/x"}, {URL: "https://a.com/docs/c"}}, []int{0, 1, 3, 2}},
		{"camel case", "user guide", []trawl.MapLink{{URL: "https://a.com/x"}, {URL: "https://a.com/UserGuide"}}, []int{1, 0}},
		{"words, not parts of words", "art", []trawl.MapLink{{URL: "https://a.com/cart"}, {URL: "https://a.com/artist"}, {URL: "https://a.com/art"}}, []int{2, 1, 0}},
		{"title and description", "pricing", []trawl.MapLink{
			{URL: "https://a.com/1", Description: "All about pricing."}, {URL: "https://a.com/2", Title: "Pricing"}, {URL: "https://a.com/pricing", Title: "Pricing", Description: "pricing"}, {URL: "https://a.com/3"},
		}, []int{2, 1, 0, 3}},
		{"accents and case", "UBER resume", []trawl.MapLink{{URL: "https://a.com/x"}, {URL: "https://a.com/%C3%BCber", Title: "Résumé"}}, []int{1, 0}},
		{"hosts", "blog", []trawl.MapLink{{URL: "https://a.com/"}, {URL: "https://blog.a.com/"}}, []int{1, 0}},
		{"scripts without spaces", "价格", []trawl.MapLink{{URL: "https://a.com/1", Title: "关于我们"}, {URL: "https://a.com/2", Title: "查看价格表"}}, []int{1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var want []trawl.MapLink
			for _, i := range c.want {
				want = append(want, c.links[i])
			}
			before := slices.Clone(c.links)
			if got := crawl.Rank(c.links, c.search); !slices.Equal(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if !slices.Equal(c.links, before) {
				t.Error("the list that was passed in has changed")
			}
		})
	}
}

func FuzzRank(f *testing.F) {
	f.Add("https://a.com/getting-started", "Über uns", "价格 list", "getting uber")
	f.Fuzz(func(t *testing.T, address, title, description, search string) {
		links := []trawl.MapLink{{URL: "https://a.com/"}, {URL: address, Title: title, Description: description}, {URL: search}}
		got := crawl.Rank(links, search)
		for _, link := range links {
			if !slices.Contains(got, link) {
				t.Errorf("%+v is missing", link)
			}
		}
		if len(got) != len(links) {
			t.Errorf("%d links", len(got))
		}
	})
}

func BenchmarkRank(b *testing.B) {
	links := make([]trawl.MapLink, 5000)
	for i := range links {
		links[i] = trawl.MapLink{URL: fmt.Sprintf("https://www.example.com/docs/guide-%d/getting-started", i), Title: "Getting started with the guide"}
	}
	b.ReportAllocs()
	for b.Loop() {
		crawl.Rank(links, "started guide")
	}
}
