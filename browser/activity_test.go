package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl/browser/cdp"
)

// puppet is the browser's end of a page in which nothing happens by itself. It
// says yes to every command.
type puppet struct {
	pipe net.Conn

	mu       sync.Mutex
	commands []string
}

// newPuppet returns a page and its puppet.
func newPuppet(t *testing.T) (*tab, *puppet) {
	t.Helper()
	ours, theirs := net.Pipe()
	conn := cdp.New(ours, ours)
	p := &puppet{pipe: theirs}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.serve()
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		_ = theirs.Close()
		<-done
	})
	page := &tab{Session: conn.Session("page"), browser: conn.Browser(), pool: &Pool{patience: usualPatience}, frame: "main"}
	page.life.changed = make(chan struct{})
	return page, p
}

func (p *puppet) serve() {
	for in := bufio.NewReader(p.pipe); ; {
		data, err := in.ReadBytes(0)
		var command struct {
			ID     int64
			Method string
		}
		if err != nil || json.Unmarshal(data[:len(data)-1], &command) != nil {
			return
		}
		p.mu.Lock()
		p.commands = append(p.commands, command.Method)
		p.mu.Unlock()
		p.say(fmt.Sprintf(`{"id":%d,"sessionId":"page","result":{"executionContextId":1,"result":{"type":"boolean","value":true}}}`, command.ID))
	}
}

func (p *puppet) say(message string) { _, _ = p.pipe.Write(append([]byte(message), 0)) }

// heard returns the commands since it was last called.
func (p *puppet) heard() (commands []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	commands, p.commands = p.commands, nil
	return commands
}

// event is something that the browser tells, a time after the action.
type event struct {
	after          time.Duration
	method, params string
}

func begins(after time.Duration, id, kind string) event {
	return event{after, "Network.requestWillBeSent", fmt.Sprintf(`{"requestId":%q,"loaderId":"L","type":%q,"frameId":"inner"}`, id, kind)}
}

func ends(after time.Duration, id string) event {
	return event{after, "Network.loadingFinished", fmt.Sprintf(`{"requestId":%q}`, id)}
}

func fails(after time.Duration, id, kind string, canceled bool) event {
	return event{after, "Network.loadingFailed", fmt.Sprintf(`{"requestId":%q,"type":%q,"canceled":%v}`, id, kind, canceled)}
}

func leaves(after time.Duration, kind string) event {
	return event{after, "Page.frameStartedNavigating", fmt.Sprintf(`{"frameId":"main","loaderId":"next","navigationType":%q}`, kind)}
}

// What an action sets off is waited for, with a lull after it, and nothing else.
func TestActivity(t *testing.T) {
	t.Parallel()
	const ms, s = time.Millisecond, time.Second
	many := []event{}
	for i := range 2 * mostAwaited {
		many = append(many, begins(0, fmt.Sprint(i), "Fetch"))
	}
	for i := range mostAwaited {
		many = append(many, ends(s, fmt.Sprint(i)))
	}
	for name, c := range map[string]struct {
		events []event
		want   time.Duration
	}{
		"nothing":             {nil, lullTime},
		"fetch":               {[]event{begins(10*ms, "1", "Fetch"), ends(3*s, "1")}, 3*s + lullTime},
		"fetch that fails":    {[]event{begins(10*ms, "1", "Fetch"), fails(3*s, "1", "Fetch", false)}, 3*s + lullTime},
		"late fetch":          {[]event{begins(140*ms, "1", "XHR"), ends(3*s, "1")}, 3*s + lullTime},
		"chain":               {[]event{begins(0, "1", "Fetch"), ends(s, "1"), begins(s+100*ms, "2", "Fetch"), ends(2*s, "2")}, 2*s + lullTime},
		"two at a time":       {[]event{begins(0, "1", "Fetch"), begins(0, "2", "Script"), ends(s, "2"), ends(4*s, "1")}, 4*s + lullTime},
		"fetch that hangs":    {[]event{begins(0, "1", "Fetch")}, calmTime},
		"picture that hangs":  {[]event{begins(0, "1", "Image")}, looksTime + lullTime},
		"kinds without end":   {[]event{begins(0, "1", "WebSocket"), begins(0, "2", "EventSource"), begins(0, "3", "Media"), begins(0, "4", "Ping")}, lullTime},
		"end of earlier ones": {[]event{ends(100*ms, "0"), fails(100*ms, "-1", "Image", true)}, lullTime},
		"redirect of an earlier one": {[]event{{10 * ms, "Network.requestWillBeSent",
			`{"requestId":"0","loaderId":"L","type":"Fetch","redirectResponse":{"url":"http://127.0.0.1/","status":302}}`}}, lullTime},
		"redirect": {[]event{begins(0, "1", "Fetch"), {s, "Network.requestWillBeSent",
			`{"requestId":"1","loaderId":"L","type":"Fetch","redirectResponse":{"url":"http://127.0.0.1/","status":302}}`}, ends(2*s, "1")}, 2*s + lullTime},
		"worker":               {[]event{{0, "Network.requestWillBeSent", `{"requestId":"1","loaderId":"","type":"Script"}`}}, lullTime},
		"frame":                {[]event{begins(0, "1", "Document"), ends(2*s, "1")}, 2*s + lullTime},
		"frame that stops":     {[]event{begins(0, "1", "Document"), {2 * s, "Page.frameStoppedLoading", `{"frameId":"inner"}`}}, 2*s + lullTime},
		"frame of another":     {[]event{begins(0, "1", "Document"), {2 * s, "Page.frameDetached", `{"frameId":"inner","reason":"swap"}`}}, 2*s + lullTime},
		"within the document":  {[]event{leaves(0, "sameDocument")}, lullTime},
		"page that is a file":  {[]event{leaves(0, "differentDocument"), fails(2*s, "next", "Document", true)}, 2*s + lullTime},
		"old page stops":       {[]event{leaves(0, "differentDocument"), {s, "Page.frameStoppedLoading", `{"frameId":"main"}`}, fails(2*s, "next", "Document", true)}, 2*s + lullTime},
		"page asked in vain":   {[]event{{0, "Page.frameRequestedNavigation", `{"frameId":"main","disposition":"currentTab"}`}}, leaveTime + lullTime},
		"page in a new window": {[]event{{0, "Page.frameRequestedNavigation", `{"frameId":"main","disposition":"newTab"}`}}, lullTime},
		"more than is kept":    {many, s + lullTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page, puppet := newPuppet(t)
				began := time.Now()
				err := page.stir(t.Context(), calmTime, func() error {
					go func() {
						for _, e := range c.events {
							time.Sleep(time.Until(began.Add(e.after)))
							puppet.say(fmt.Sprintf(`{"method":%q,"params":%s,"sessionId":"page"}`, e.method, e.params))
						}
					}()
					return nil
				})
				if took := time.Since(began); err != nil || took < c.want || took > c.want+lullTime {
					t.Errorf("it took %v: %v, want %v", took, err, c.want)
				}
			})
		})
	}
}

// An action in a still page asks the browser for little, a further one for less.
func TestStillPageIsAskedLittle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		page, puppet := newPuppet(t)
		for _, want := range [][]string{{"Network.enable", "Page.createIsolatedWorld", "Runtime.evaluate"}, {"Runtime.evaluate"}} {
			if err := page.stir(t.Context(), calmTime, func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			if got := puppet.heard(); !slices.Equal(got, want) {
				t.Errorf("commands = %q, want %q", got, want)
			}
		}
		if err := page.sleep(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
		if got := puppet.heard(); len(got) > 0 {
			t.Errorf("commands of a wait = %q", got)
		}
	})
}

// The end of the page and of the time end the wait.
func TestStirEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		page, puppet := newPuppet(t)
		hang := func() error {
			puppet.say(`{"method":"Network.requestWillBeSent","params":{"requestId":"1","loaderId":"L","type":"Fetch"},"sessionId":"page"}`)
			return nil
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := page.stir(short, calmTime, hang); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at the end of the time: %v", err)
		}
		time.AfterFunc(time.Second, page.End)
		if err := page.stir(t.Context(), calmTime, hang); !errors.Is(err, errCrashed) {
			t.Errorf("at the end of the page: %v", err)
		}
	})
}
