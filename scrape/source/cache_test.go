package source_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// asked notes the keys that a cache is asked for, and has nothing.
type asked struct{ keys []string }

func (a *asked) Cached(_ context.Context, _ string, keys []string, _, _ time.Time) (store.CachedPage, error) {
	a.keys = keys
	return store.CachedPage{}, trawl.Errorf(trawl.CodeNotFound, "none")
}

// TestCacheKeys says which requests may be served by the same page.
func TestCacheKeys(t *testing.T) {
	t.Parallel()
	cache := &asked{}
	s := source.New(source.Config{Cache: cache, Now: time.Now})
	keys := func(change func(*source.Request)) []string {
		req := &source.Request{URL: "http://a.example/", Languages: []string{"en-US"}, Country: "US", Use: source.CacheUse{Read: true, Oldest: time.Hour}}
		change(req)
		if hit, err := s.Find(t.Context(), req); hit != nil || err != nil {
			t.Fatal(hit, err)
		}
		return cache.keys
	}
	plain := keys(func(*source.Request) {})
	for name, row := range map[string]struct {
		change func(*source.Request)
		same   bool
	}{
		"fragment":          {func(r *source.Request) { r.URL += "#part" }, true},
		"what is read":      {func(r *source.Request) { r.Verified = true }, true},
		"settling":          {func(r *source.Request) { r.Settle, r.Rendered = time.Second, true }, true},
		"age":               {func(r *source.Request) { r.Use.Oldest = time.Minute }, true},
		"another page":      {func(r *source.Request) { r.URL = "http://a.example/b" }, false},
		"mobile":            {func(r *source.Request) { r.Mobile = true }, false},
		"certificates":      {func(r *source.Request) { r.SkipTLS = true }, false},
		"advertisements":    {func(r *source.Request) { r.BlockAds = true }, false},
		"a wait":            {func(r *source.Request) { r.WaitFor = 100 }, false},
		"country":           {func(r *source.Request) { r.Country = "DE" }, false},
		"language":          {func(r *source.Request) { r.Languages = []string{"de"} }, false},
		"screenshot":        {func(r *source.Request) { r.Screenshot = &trawl.Format{} }, false},
		"the enhanced way":  {func(r *source.Request) { r.Route = source.Enhanced }, false},
		"whichever way":     {func(r *source.Request) { r.Route = source.Auto }, false},
		"another team only": {func(r *source.Request) { r.TeamID = "b" }, true}, // the store keeps teams apart
	} {
		if got := slices.Equal(keys(row.change), plain); got != row.same {
			t.Errorf("%s: the same keys %t", name, got)
		}
	}
	either := keys(func(r *source.Request) { r.Route = source.Auto })
	enhanced := keys(func(r *source.Request) { r.Route = source.Enhanced })
	if want := slices.Concat(plain, enhanced); !slices.Equal(either, want) {
		t.Errorf("auto looks for %q, want %q", either, want)
	}
}

// TestUpload makes pages of files.
func TestUpload(t *testing.T) {
	t.Parallel()
	s := source.New(source.Config{Now: time.Now})
	for name, row := range map[string]struct {
		upload source.Upload
		kind   source.Kind
		media  string
		code   trawl.Code
	}{
		"HTML":         {source.Upload{Name: "a.html", ContentType: "text/html; charset=latin1", Body: []byte("<p>a</p>")}, source.Text, "text/html; charset=latin1", ""},
		"XHTML":        {source.Upload{Name: "a.xhtml", Body: []byte("<html><p>a</p></html>")}, source.Text, "application/xhtml+xml", ""},
		"PDF":          {source.Upload{Name: "a.txt", ContentType: "text/plain", Body: []byte("%PDF-1.4")}, source.File, "application/pdf", ""},
		"no such type": {source.Upload{Name: "a.exe", Body: []byte("MZ\x00\x01\x02")}, 0, "", trawl.CodeFileType},
	} {
		p, err := s.Receive(t.Context(), row.upload)
		if row.code != "" {
			if trawl.ErrorCode(err) != row.code {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || p.Kind != row.kind || p.ContentType != row.media || !p.IsUpload() || p.Base() != "" {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	types := map[string]bool{}
	for _, of := range source.FileTypes() {
		for _, extension := range of.Extensions {
			types[extension] = true
		}
	}
	if len(types) < 15 || !slices.Contains(slices.Collect(maps.Keys(types)), ".pdf") {
		t.Errorf("%v", types)
	}
}
