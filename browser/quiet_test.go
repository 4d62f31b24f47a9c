package browser

import (
	"bytes"
	"cmp"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/adblock"
	"github.com/trawlhq/trawl/consent"
	"github.com/trawlhq/trawl/internal/testtime"
)

// adSite is a page with advertisements, of another host and of its own.
func adSite(t *testing.T) (page, ads, own string, seen *log) {
	t.Helper()
	seen = &log{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		if r.URL.Path != "/" {
			return
		}
		_, port, _ := strings.Cut(r.Host, ":")
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<body style="margin:0"><div class=banner style="position:fixed;inset:0;background:#f00"></div>
			<img src="http://ads.test:%s/ad.png"><img src="/banner/own.png"><p>Text</p>`, port)
	}))
	t.Cleanup(server.Close)
	port := portOf(server.URL)
	return "http://site.test:" + port + "/", "ads.test:" + port, "site.test:" + port, seen
}

func TestBlockAds(t *testing.T) {
	t.Parallel()
	engine := adblock.Parse("||ads.test^\n/banner/*\nsite.test##.banner\n")
	pool := newPool(t, named(names{"site.test": "127.0.0.1", "ads.test": "127.0.0.1"}), func(c *Config) { c.Ads = engine })
	for _, c := range []struct {
		name           string
		block, picture bool
		host, path     int // how often an advertisement is asked for
		hidden         bool
	}{
		{name: "let through", picture: true, host: 1, path: 1},
		{name: "hosts", block: true, path: 1},
		{name: "everything", block: true, picture: true, hidden: true},
	} {
		page, ads, own, seen := adSite(t)
		req := Request{URL: page, BlockAds: c.block}
		if c.picture {
			req.Screenshot = &trawl.Format{Type: trawl.FormatScreenshot}
		}
		result, err := pool.Render(testtime.Context(t), req)
		if err != nil || !strings.Contains(result.HTML, `class="banner"`) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if host, path := len(seen.find(ads, "/ad.png")), len(seen.find(own, "/banner/own.png")); host != c.host || path != c.path {
			t.Errorf("%s: advertisements were asked for %d and %d times", c.name, host, path)
		}
		if c.picture && isWhite(t, result.Screenshot.Data) != c.hidden {
			t.Errorf("%s: the banner is hidden: %v", c.name, !c.hidden)
		}
	}
}

// isWhite reports whether the middle of a picture is white.
func isWhite(t *testing.T, data []byte) bool {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	middle := picture.Bounds().Max.Div(2)
	r, g, b, _ := picture.At(middle.X, middle.Y).RGBA()
	return r+g+b == 3*0xffff
}

// The pages of package consent have dialogs, and write down how they were answered.
func TestCookieDialogs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../consent/testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Skip("no dialogs to answer")
	}
	kits := map[string]*consent.Kit{"built in": consent.Builtin()}
	if folder := cmp.Or(os.Getenv("TRAWL_AUTOCONSENT"), consent.Find("../.deps/autoconsent")); folder != "" {
		if kits["autoconsent"], err = consent.Load(folder); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Path)
		if name == "index.html" {
			name = "sourcepoint-frame.html"
		}
		data, err := os.ReadFile(filepath.Join("../consent/testdata", name))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(data)
	}))
	defer server.Close()
	for name, kit := range kits {
		pool := newPool(t, func(c *Config) { c.Consent = kit })
		var pages sync.WaitGroup
		for _, file := range files {
			want := "reject"
			switch file = filepath.Base(file); file {
			case "sourcepoint-frame.html": // part of another
				continue
			case "article.html", "newsletter.html", "wall.html": // no dialog, or none that can be refused
				want = "undefined"
			}
			if name != "built in" && len(file)%3 != 0 { // some will do
				continue
			}
			pages.Go(func() {
				if choice := chosen(t, pool, server.URL+"/"+file, want); choice != want {
					t.Errorf("%s, %s: the choice was %q", name, file, choice)
				}
			})
		}
		pages.Wait()
	}
}

// chosen renders a page and returns what was chosen in its dialog. If a choice is
// wanted, it waits for one as long as a busy machine may need.
func chosen(t *testing.T, pool *Pool, address, want string) string {
	t.Helper()
	script := "String(window.choice)"
	if want != "undefined" {
		script = "new Promise(done => { const start = Date.now(); setInterval(() => { if (window.choice || Date.now() > start + 20000) done(String(window.choice)) }, 50) })"
	}
	result, err := pool.Render(testtime.Context(t), Request{
		URL: address, BlockAds: true, WaitFor: time.Second, Actions: []trawl.Action{{Type: trawl.ActionJavaScript, Script: script}},
	})
	if err != nil {
		t.Errorf("%s: %v", address, err)
		return ""
	}
	return strings.Trim(string(result.Outcome.Returns[0].Value), `"`)
}
