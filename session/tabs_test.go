package session

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/internal/testtime"
)

// script of a browser: events that it sends, and what is known after them.
type telling struct {
	method, params string
	titles         string // of the pages, the one that is looked at in brackets
}

func created(id, kind, address, more string) string {
	return fmt.Sprintf(`{"targetInfo":{"targetId":%q,"type":%q,"title":%q,"url":%q,"attached":false,"canAccessOpener":false%s}}`, id, kind, id, address, more)
}

// newBrowser returns the connection to a browser that answers everything, and a
// function by which it tells something.
func newBrowser(t *testing.T) (*cdp.Conn, func(method, params string)) {
	t.Helper()
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		reader := bufio.NewReader(theirIn)
		for {
			text, err := reader.ReadString(0)
			if err != nil {
				return
			}
			var m struct {
				ID int64 `json:"id"`
			}
			_ = json.Unmarshal([]byte(strings.TrimSuffix(text, "\x00")), &m)
			_, _ = fmt.Fprintf(theirOut, `{"id":%d,"result":{}}`+"\x00", m.ID)
		}
	}()
	conn := cdp.New(ourIn, ourOut)
	t.Cleanup(func() {
		_ = conn.Close()
		<-done
		_, _ = theirIn.Close(), theirOut.Close()
	})
	return conn, func(method, params string) {
		if _, err := fmt.Fprintf(theirOut, `{"method":%q,"params":%s}`+"\x00", method, params); err != nil {
			t.Fatal(err)
		}
		// What was told before an answer is known when the answer is.
		if err := conn.Browser().Call(t.Context(), "Browser.getVersion", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func titles(t *tabs) string {
	pages, active := t.list()
	var names []string
	for _, p := range pages {
		if p.id == active {
			p.title = "[" + p.title + "]"
		}
		names = append(names, p.title)
	}
	return strings.Join(names, " ")
}

func TestTabs(t *testing.T) {
	t.Parallel()
	conn, tell := newBrowser(t)
	followed, err := newTabs(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, open := followed.current(); open || titles(followed) != "" {
		t.Error("something is open")
	}
	const new, changed, gone = "Target.targetCreated", "Target.targetInfoChanged", "Target.targetDestroyed"
	for _, told := range []telling{
		{new, created("a", "page", "http://127.0.0.1/", ""), "[a]"},
		{new, created("b", "page", "about:blank", ""), "a [b]"},
		{new, created("w", "worker", "http://127.0.0.1/w.js", ""), "a [b]"},
		{new, created("p", "page", "http://127.0.0.1/", `,"subtype":"prerender"`), "a [b]"},
		{new, created("u", "browser_ui", "chrome://omnibox-popup.top-chrome/", ""), "a [b]"},
		{new, created("s", "page", "chrome://settings/", ""), "a [b]"},
		{new, created("c", "page", "", `,"browserContextId":"jar"`), "a b [c]"},
		{changed, `{"targetInfo":{"targetId":"a","type":"page","title":"one","url":"https://example.com/"}}`, "one b [c]"},
		{changed, `{"targetInfo":null}`, "one b [c]"},
		{gone, `{"targetId":"b"}`, "one [c]"},
		{gone, `{"targetId":"unknown"}`, "one [c]"},
		{gone, `{"targetId":"c"}`, "[one]"},
		{changed, created("a", "page", "devtools://devtools/", ""), ""},
		{changed, created("a", "page", "https://example.com/", ""), "[a]"},
	} {
		tell(told.method, told.params)
		if got := titles(followed); got != told.titles {
			t.Errorf("after %s %s: %q, want %q", told.method, told.params, got, told.titles)
		}
	}
	for id, want := range map[string]bool{"a": true, "w": true, "p": true, "u": false, "s": false, "b": false, "unknown": false} {
		if got := followed.harmless(id); got != want {
			t.Errorf("harmless(%s) = %v", id, got)
		}
	}
}

// The page that was looked at before takes the place of one that closes.
func TestTabsFront(t *testing.T) {
	t.Parallel()
	conn, tell := newBrowser(t)
	followed, err := newTabs(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		tell("Target.targetCreated", created(id, "page", "https://example.com/"+id, ""))
	}
	changes := followed.changes()
	if !followed.front("b") || !followed.front("a") || followed.front("unknown") {
		t.Error("front is wrong")
	}
	select {
	case <-changes:
	default:
		t.Error("nobody is told")
	}
	for _, step := range [][2]string{{"a", "[b] c d"}, {"b", "c [d]"}, {"c", "[d]"}, {"d", ""}} {
		tell("Target.targetDestroyed", `{"targetId":"`+step[0]+`"}`)
		if got := titles(followed); got != step[1] {
			t.Errorf("after %s closed: %q, want %q", step[0], got, step[1])
		}
	}
}

func TestTabsAreBounded(t *testing.T) {
	t.Parallel()
	conn, tell := newBrowser(t)
	followed, err := newTabs(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		tell("Target.targetCreated", created(fmt.Sprint(i), "page", "https://example.com/"+strings.Repeat("é", 5000), ""))
	}
	followed.front("7")
	pages, active := followed.list()
	if len(pages) != mostTabs || active != "7" || pages[0].id != "7" || pages[1].id != "51" || len(pages[0].address) > mostAddress {
		t.Errorf("%d pages, %s is active, %s, %s, %d", len(pages), active, pages[0].id, pages[1].id, len(pages[0].address))
	}
}

func TestOfTheWeb(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind, address string
		want          bool
	}{
		{"page", "http://example.com/", true}, {"page", "HTTPS://example.com/", true}, {"page", "about:blank", true}, {"tab", "", true},
		{"iframe", "https://example.com/", true}, {"worker", "blob:https://example.com/1", true}, {"shared_worker", "https://example.com/", true},
		{"service_worker", "https://example.com/sw.js", true}, {"webview", "data:text/html,x", true}, {"other", "https://example.com/", false},
		{"page", "chrome-error://chromewebdata/", true}, {"page", "view-source:https://example.com/", true},
		{"page", "chrome://version/", false}, {"page", "chrome-untrusted://print/", false}, {"other", "devtools://devtools/bundled/", false},
		{"service_worker", "chrome-extension://abc/sw.js", false}, {"page", "file:///etc/passwd", false}, {"page", "view-source:https://example.com/", true}, {"page", "view-source:file:///etc/passwd", false},
		{"browser", "", false}, {"browser_ui", "", false}, {"background_page", "https://example.com/", false},
	} {
		if got := kindOf(test.kind, test.address) == ofWeb; got != test.want {
			t.Errorf("%s %s: %v", test.kind, test.address, got)
		}
	}
}

// A real browser tells of pages that open, navigate and close.
func TestTabsOfABrowser(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	row := e.create()
	followed, site := e.find(row.ID).tabs, plainSite(t)
	until := func(want string) {
		t.Helper()
		ctx := testtime.Context(t)
		for {
			changes := followed.changes()
			pages, active := followed.list()
			var got []string
			for _, p := range pages {
				path := strings.TrimPrefix(p.address, site)
				if p.id == active {
					path = "[" + path + "]"
				}
				got = append(got, path)
			}
			if strings.Join(got, " ") == want {
				return
			}
			select {
			case <-changes:
			case <-ctx.Done():
				t.Fatalf("pages are %q, not %q", got, want)
			}
		}
	}
	until("[about:blank]")
	e.visit(row.ID, site+"/one")
	until("[/one]")
	e.evaluate(row.ID, "open('/two') && 1")
	until("/one [/two]")
	call := func(method string, params map[string]any) {
		t.Helper()
		if err := followed.browser.Call(t.Context(), method, params, nil); err != nil {
			t.Fatal(err)
		}
	}
	call("Target.createTarget", map[string]any{"url": "chrome://version/"}) // is closed on sight
	for open := true; open; time.Sleep(10 * time.Millisecond) {
		var all struct{ TargetInfos []struct{ URL string } }
		if err := followed.browser.Call(t.Context(), "Target.getTargets", nil, &all); err != nil {
			t.Fatal(err)
		}
		open = false
		for _, info := range all.TargetInfos {
			open = open || info.URL == "chrome://version/"
		}
	}
	call("Target.createTarget", map[string]any{"url": site + "/three"})
	until("/one /two [/three]")
	pages, _ := followed.list()
	call("Target.closeTarget", map[string]any{"targetId": pages[2].id})
	until("/one [/two]")
	for _, p := range pages[:2] {
		call("Target.closeTarget", map[string]any{"targetId": p.id})
	}
	until("")
}
