package browser

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/internal/testtime"
)

// newHome returns a home for one test.
func newHome(t *testing.T) *chromium.Home {
	t.Helper()
	home, err := chromium.NewHome()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(home.Remove)
	return home
}

// privately is a browser in a home, which quits if it is to be kept.
func privately(home *chromium.Home, keep bool) *Private {
	nothing := func(context.Context, *cdp.Conn) error { return nil }
	p := &Private{Home: func(context.Context) (*chromium.Home, error) { return home, nil }, Begin: nothing}
	if keep {
		p.End = nothing
	}
	return p
}

// What a page keeps in a private browser is there for the next in the same home,
// however the page resists its end.
func TestPrivate(t *testing.T) {
	t.Parallel()
	pool := newPool(t, func(c *Config) {
		c.Pages = 1
		c.Local = map[string]http.Handler{"inside.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			cookie, _ := r.Cookie("visited")
			w.Header().Set("Content-Type", "text/html")
			if cookie == nil {
				http.SetCookie(w, &http.Cookie{Name: "visited", Value: "yes", MaxAge: 1000})
			}
			_, _ = w.Write([]byte("<button>A button</button><p>cookie: " + cookieText(cookie) + `</p><p id=local></p><script>
				local.textContent = 'local: ' + localStorage.getItem('visited')
				localStorage.setItem('visited', 'often')
				addEventListener('beforeunload', e => e.preventDefault())
				addEventListener('pagehide', () => { for (;;); })
			</script>`))
		})}
	})
	home := newHome(t)
	request := Request{
		URL: "http://inside.example/", Private: privately(home, true),
		Actions: []trawl.Action{{Type: trawl.ActionClick, Selector: "button"}}, // so that the page may ask whether to leave
	}
	first, err := pool.Render(testtime.Context(t), request)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first.HTML, "cookie: none") || !strings.Contains(first.HTML, "local: null") {
		t.Errorf("the first sees %s", first.HTML)
	}
	if first.Unkept != nil {
		t.Errorf("it did not quit: %v", first.Unkept)
	}
	request.Private = privately(home, false)
	second, err := pool.Render(testtime.Context(t), request)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(second.HTML, "cookie: yes") || !strings.Contains(second.HTML, "local: often") {
		t.Errorf("the second sees %s", second.HTML)
	}
	if stats := pool.Stats(); stats.Pages != 0 || stats.Browsers != 0 || stats.Started != 2 {
		t.Errorf("afterwards: %+v", stats)
	}
	if _, err := os.Stat(home.UserData()); err != nil {
		t.Errorf("the home is gone: %v", err)
	}
}

func cookieText(c *http.Cookie) string {
	if c == nil {
		return "none"
	}
	return c.Value
}

// A pool that is closed ends private browsers too.
func TestPrivateClosed(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	request := Request{URL: site(t, map[string]string{"/": "hello"}), Private: privately(newHome(t), true), WaitFor: time.Minute}
	begun := make(chan struct{})
	request.Private.Begin = func(context.Context, *cdp.Conn) error {
		close(begun)
		return nil
	}
	done := make(chan error)
	go func() {
		_, err := pool.Render(testtime.Context(t), request)
		done <- err
	}()
	<-begun
	pool.Close()
	if err := <-done; err == nil {
		t.Error("no error")
	}
}

func TestPrivateFails(t *testing.T) {
	t.Parallel()
	none := newPool(t, func(c *Config) { c.Programs.Chromium = "" })
	request := Request{URL: "http://127.0.0.1:1/", Private: privately(nil, false)}
	if _, err := none.Render(testtime.Context(t), request); trawl.ErrorCode(err) != trawl.CodeOptionUnsupported {
		t.Errorf("without the full browser: %v", err)
	}
	pool := newPool(t, func(c *Config) { c.Pages = 1 })
	gone := trawl.Errorf(trawl.CodeUnknown, "gone")
	request.Private.Home = func(context.Context) (*chromium.Home, error) { return nil, gone }
	if _, err := pool.Render(testtime.Context(t), request); !errors.Is(err, gone) {
		t.Errorf("without a home: %v", err)
	}
	request.URL, request.Private = "http://nowhere.example/", privately(newHome(t), true)
	if _, err := pool.Render(testtime.Context(t), request); trawl.ErrorCode(err) != trawl.CodeDNS {
		t.Errorf("nobody there: %v", err)
	}
	if stats := pool.Stats(); stats.Pages != 0 || stats.Browsers != 0 {
		t.Errorf("afterwards: %+v", stats)
	}
}
