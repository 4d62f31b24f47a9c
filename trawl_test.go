package trawl_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl"
)

func TestParseTarget(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"example.com":                     "http://example.com/",
		"  https://Example.COM/A?b#c  ":   "https://example.com/A?b#c",
		"//example.com/x":                 "http://example.com/x",
		"example.com:8080/x":              "http://example.com:8080/x",
		"http://0x7f.1/":                  "http://127.0.0.1/",
		"http://[::1]:80/":                "http://[::1]/",
		"https://bücher.example/ü":        "https://xn--bcher-kva.example/%C3%BC",
		"localhost:3000":                  "http://localhost:3000/",
		"http://a.localhost/":             "http://a.localhost/",
		"HTTP://example.com":              "http://example.com/",
		"http://user:pw@example.com/a/..": "http://user:pw@example.com/",
	} {
		if got, err := trawl.ParseTarget(typed); err != nil || got != want {
			t.Errorf("%q becomes %q, %v, want %q", typed, got, err, want)
		}
	}
	for typed, want := range map[string]error{
		"": trawl.ErrURLInvalid, "http://": trawl.ErrURLInvalid, "http://a b.com": trawl.ErrURLInvalid,
		"ftp://example.com": trawl.ErrURLProtocol, "mailto:a@b.c": trawl.ErrURLProtocol, "data:text/html,x": trawl.ErrURLProtocol,
		"nodots": trawl.ErrURLHost, "http://nodots/": trawl.ErrURLHost, "http://example.123/": trawl.ErrURLInvalid,
		"http://" + strings.Repeat("a.", 200) + "com": trawl.ErrURLHost,
	} {
		if _, err := trawl.ParseTarget(typed); !errors.Is(err, want) {
			t.Errorf("%.40q: %v, want %v", typed, err, want)
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, seed := range []string{"example.com", "http://[::1]/", "https://ü.example/?#", "http://%41.com", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		once, err := trawl.ParseTarget(typed)
		if err != nil {
			return
		}
		if twice, err := trawl.ParseTarget(once); err != nil || twice != once {
			t.Errorf("%q becomes %q, which becomes %q, %v", typed, once, twice, err)
		}
	})
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"http://user:pw@a.b/c@d": "http://a.b/c@d", "https://a.b/?q=x@y": "https://a.b/?q=x@y", "a.b/c@d": "a.b/c@d",
		" http://u@a.b": "http://a.b", "http:u:p@a.b/": "http://a.b/", "https://a.b#x@y": "https://a.b#x@y",
	} {
		if got := trawl.WithoutPassword(typed); got != want || trawl.CarriesPassword(typed) != (got != typed) {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]string{"": "en-US", "de": "de-DE", "UK": "en-GB", "AQ": "en-AQ", "BR": "pt-BR"} {
		o := trawl.ScrapeOptions{Location: &trawl.Location{Country: country}}
		if got := o.Languages(); len(got) != 1 || got[0] != want {
			t.Errorf("%s speaks %v, want %s", country, got, want)
		}
	}
}

func TestPageIdentity(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://a.b/c#part": "http://a.b/c", "http://a.b/c#": "http://a.b/c", "http://a.b/#/": "http://a.b/",
		"http://a.b/#/route": "http://a.b/#/route", "http://a.b/#!x/y": "http://a.b/#!x/y",
	} {
		if got := trawl.PageIdentity(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestDecodedDefaults(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"url":"a.b"}`, `{"url":"a.b","formats":null,"parsers":null,"timeout":null,"onlyMainContent":null,"proxy":null}`} {
		var req trawl.ScrapeRequest
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Fatal(err)
		}
		if len(req.Formats) != 1 || req.Formats[0].Type != "markdown" || !req.OnlyMainContent || req.Timeout != 30_000 ||
			!req.ParsesPDF() || !req.RemoveBase64Images || !req.BlockAds || req.Proxy != "auto" || !req.StoreInCache ||
			!req.SkipTLS() || req.Mobile || req.ZeroDataRetention || req.Country() != "US" || req.Origin != "api" {
			t.Errorf("%s: %+v", body, req)
		}
	}
	var req trawl.ScrapeRequest
	if err := json.Unmarshal([]byte(`{"url":"a.b","formats":[],"parsers":[],"onlyMainContent":false,"headers":{"a":"b"}}`), &req); err != nil {
		t.Fatal(err)
	}
	if len(req.Formats) != 0 || req.ParsesPDF() || req.OnlyMainContent || req.SkipTLS() {
		t.Errorf("%+v", req)
	}
}

func TestCacheWindow(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	number := func(n int64) *int64 { return &n }
	for _, row := range []struct {
		name             string
		options          trawl.ScrapeOptions
		youngest, oldest time.Duration
	}{
		{"default", trawl.ScrapeOptions{}, 0, 2 * day},
		{"maxAge", trawl.ScrapeOptions{MaxAge: number(1000)}, 0, time.Second},
		{"fresh", trawl.ScrapeOptions{MaxAge: number(0)}, 0, 0},
		{"minAge", trawl.ScrapeOptions{MinAge: number(1)}, time.Millisecond, 730 * day},
		{"both", trawl.ScrapeOptions{MinAge: number(1), MaxAge: number(5)}, time.Millisecond, 730 * day},
		{"lockdown", trawl.ScrapeOptions{Lockdown: true}, 0, 730 * day},
		{"no overflow", trawl.ScrapeOptions{MaxAge: number(1 << 53)}, 0, 730 * day},
	} {
		if youngest, oldest := row.options.CacheWindow(); youngest != row.youngest || oldest != row.oldest {
			t.Errorf("%s: %v to %v", row.name, youngest, oldest)
		}
	}
}

func TestDocumentJSON(t *testing.T) {
	t.Parallel()
	markdown := "a\nb \xff<"
	doc := trawl.Document{Markdown: &markdown, Links: &[]string{}, Warning: "w", Metadata: trawl.Metadata{
		Tags:              map[string]string{"title": "T", "b": "2", "a": "1", "url": "forged", "ogLocaleAlternate": "x", "indexId": "y"},
		OGLocaleAlternate: []string{"de"}, SourceURL: "s", URL: "u", StatusCode: 200,
		QueueDuration: 1500 * time.Millisecond, CachedAt: time.UnixMilli(1).In(time.FixedZone("", 3600)),
	}}
	const want = `{"markdown":"a\nb \ufffd<","links":[],"metadata":{"a":"1","b":"2","title":"T","ogLocaleAlternate":["de"],` +
		`"sourceURL":"s","url":"u","statusCode":200,"cachedAt":"1970-01-01T00:00:00.001Z","creditsUsed":0,` +
		`"concurrencyQueueDurationMs":1500,"concurrencyLimited":true},"warning":"w"}`
	got, err := doc.MarshalJSON()
	if err != nil || strings.ReplaceAll(string(got), "\ufffd", `\ufffd`) != want || !json.Valid(got) {
		t.Errorf("%s, %v", got, err)
	}
	other := doc
	other.Warning, other.Metadata = "", trawl.Metadata{ScrapeID: "id"}
	if got, _ := json.Marshal(&other); !strings.Contains(string(got), `"title":"T","ogLocaleAlternate":["de"],"scrapeId":"id","statusCode":0`) || !json.Valid(got) {
		t.Errorf("a copy: %s", got)
	}
	if got, _ := json.Marshal(&trawl.Document{}); string(got) != `{"metadata":{"statusCode":0,"creditsUsed":0,"concurrencyLimited":false}}` {
		t.Errorf("an empty one: %s", got)
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	a, b := trawl.NewSecret(), trawl.NewSecret()
	if a == b || len(a) != 35 || !strings.HasPrefix(a, "fc-") || trawl.HashSecret(a) == trawl.HashSecret(b) || strings.Contains(trawl.HashSecret(a), a[3:]) {
		t.Errorf("%s %s", a, b)
	}
}

// FuzzCanonical holds the short way of ParseTarget against the long one.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"http://example.com/", "https://a.b/c/../d", "http://a.b/%41", "http://a.b:80/", "http://1.2/", "http://a-.b/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		short, err := trawl.ParseTarget(typed)
		if err != nil {
			return
		}
		u, err := whatwg.Parse(short)
		if err != nil || u.Href(false) != short {
			t.Errorf("%q becomes %q, by the rules %v, %v", typed, short, u, err)
		}
	})
}
