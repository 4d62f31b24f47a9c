package cdp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/internal/testtime"
)

// inbox is where the messages to a guest arrive.
type inbox chan string

func (in inbox) deliver(message []byte) error {
	select {
	case in <- string(message):
		return nil
	default:
		return errors.New("full")
	}
}

// admit lets a guest in whose root has the given name.
func admit(t *testing.T, conn *cdp.Conn, browser *fake, root string) (*cdp.Guest, inbox) {
	t.Helper()
	go func() {
		c := browser.next()
		if c.Method != "Target.attachToBrowserTarget" {
			t.Errorf("command = %+v", c)
		}
		browser.say(fmt.Sprintf(`{"id":%d,"result":{"sessionId":%q}}`, c.ID, root))
	}()
	in := make(inbox, 100)
	guest, err := conn.Admit(testtime.Context(t), in.deliver)
	if err != nil {
		t.Fatal(err)
	}
	return guest, in
}

func send(t *testing.T, g *cdp.Guest, m cdp.GuestCommand) {
	t.Helper()
	if err := g.Send(testtime.Context(t), m); err != nil {
		t.Errorf("send %s: %v", m.Method, err)
	}
}

// say fills in a message in the browser's own layout.
func (f *fake) sayf(format string, args ...any) { f.t.Helper(); f.say(fmt.Sprintf(format, args...)) }

func TestGuestsAreAmongThemselves(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	ours := make(chan string, 10)
	conn.Browser().On("Target.targetCreated", func(p jsonv2.Value) { ours <- string(p) })
	a, fromA := admit(t, conn, browser, "ROOTA")
	b, fromB := admit(t, conn, browser, "ROOTB")
	for _, c := range []struct {
		guest   *cdp.Guest
		in      inbox
		root    string
		session string
	}{{a, fromA, "ROOTA", "SA"}, {b, fromB, "ROOTB", "SB"}} {
		send(t, c.guest, cdp.GuestCommand{ID: 1, Method: "Target.attachToTarget", Params: jsonv2.Value(`{"targetId":"T"}`)})
		got := browser.next()
		if got.SessionID != c.root || got.Method != "Target.attachToTarget" || string(got.Params) != `{"targetId":"T"}` {
			t.Errorf("command = %+v", got)
		}
		browser.sayf(`{"method":"Target.attachedToTarget","params":{"sessionId":%q,"targetInfo":{}},"sessionId":%q}`, c.session, c.root)
		browser.sayf(`{"id":%d,"result":{"sessionId":%q},"sessionId":%q}`, got.ID, c.session, c.root)
		want := []string{
			`{"method":"Target.attachedToTarget","params":{"sessionId":"` + c.session + `","targetInfo":{}}}`,
			`{"id":1,"result":{"sessionId":"` + c.session + `"}}`,
		}
		for _, w := range want {
			if m := <-c.in; m != w {
				t.Errorf("message = %s, want %s", m, w)
			}
		}
	}
	// Both use the same id; the answers come back the other way round.
	send(t, a, cdp.GuestCommand{ID: 7, Method: "Page.enable", SessionID: "SA"})
	send(t, b, cdp.GuestCommand{ID: 7, Method: "Page.enable", SessionID: "SB"})
	one, two := browser.next(), browser.next()
	browser.sayf(`{"id":%d,"error":{"code":-1,"message":"b"},"sessionId":"SB"}`, two.ID)
	browser.sayf(`{"id":%d,"result":{},"sessionId":"SA"}`, one.ID)
	if m := <-fromA; m != `{"id":7,"result":{},"sessionId":"SA"}` {
		t.Errorf("message = %s", m)
	}
	if m := <-fromB; m != `{"id":7,"error":{"code":-1,"message":"b"},"sessionId":"SB"}` {
		t.Errorf("message = %s", m)
	}
	// An event of ours goes to nobody else, one of theirs not to us.
	browser.say(`{"method":"Target.targetCreated","params":{"of":"us"}}`)
	browser.say(`{"method":"Target.targetCreated","params":{"of":"a"},"sessionId":"ROOTA"}`)
	if m := <-ours; m != `{"of":"us"}` {
		t.Errorf("our event = %s", m)
	}
	if m := <-fromA; m != `{"method":"Target.targetCreated","params":{"of":"a"}}` {
		t.Errorf("message = %s", m)
	}
	if len(ours)+len(fromA)+len(fromB) != 0 {
		t.Error("somebody heard too much")
	}
}

// Sessions of others, of ours and of nobody all look the same to a guest, and the
// browser never hears of the attempt.
func TestGuestNamesForeignSession(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	conn.Session("OURS")
	_, _ = admit(t, conn, browser, "ROOTA")
	b, in := admit(t, conn, browser, "ROOTB")
	for _, session := range []string{"ROOTA", "OURS", "nobody's"} {
		send(t, b, cdp.GuestCommand{ID: 3, Method: "Page.enable", SessionID: session})
		want := `{"id":3,"error":{"code":-32001,"message":"Session with given id not found.","data":""},"sessionId":"` + session + `"}`
		if m := <-in; !sameJSON(t, m, strings.Replace(want, `,"data":""`, "", 1)) {
			t.Errorf("message = %s", m)
		}
	}
	send(t, b, cdp.GuestCommand{ID: 4, Method: "Some.method"})
	if c := browser.next(); c.Method != "Some.method" || c.SessionID != "ROOTB" {
		t.Errorf("the first command that arrives is %+v", c)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

func TestGuestSessionEnds(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	attach := func(session, parent string) {
		browser.sayf(`{"method":"Target.attachedToTarget","params":{"sessionId":%q},"sessionId":%q}`, session, parent)
		<-in
	}
	attach("PAGE", "ROOT")
	attach("FRAME", "PAGE")
	attach("WORKER", "FRAME")
	attach("OTHER", "ROOT")
	browser.say(`{"method":"Target.detachedFromTarget","params":{"sessionId":"PAGE"},"sessionId":"ROOT"}`)
	if m := <-in; m != `{"method":"Target.detachedFromTarget","params":{"sessionId":"PAGE"}}` {
		t.Errorf("message = %s", m)
	}
	for _, session := range []string{"PAGE", "FRAME", "WORKER"} {
		send(t, guest, cdp.GuestCommand{ID: 1, Method: "Page.enable", SessionID: session})
		if m := <-in; !strings.Contains(m, "-32001") {
			t.Errorf("%s: %s", session, m)
		}
	}
	send(t, guest, cdp.GuestCommand{ID: 2, Method: "Page.enable", SessionID: "OTHER"})
	if c := browser.next(); c.SessionID != "OTHER" {
		t.Errorf("command = %+v", c)
	}
}

// A message in a layout that is not the browser's usual one is understood, too.
func TestGuestGetsAnyLayout(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	browser.say(`{"method":"Target.attachedToTarget","params":{"sessionId":"S"},"sessionId":"ROOT"}`)
	<-in
	for _, c := range []struct{ said, want string }{
		{`{"method":"A.b","sessionId":"S","params":{"x":1}}`, `{"method":"A.b","sessionId":"S","params":{"x":1}}`},
		{`{"method":"A.b","sessionId":"ROOT","params":{"x":1}}`, `{"method":"A.b","params":{"x":1}}`},
		{`{"sessionId":"ROOT","method":"A.b"}`, `{"method":"A.b"}`},
		{`{ "method":"A.b", "params":{}, "sessionId":"S" }`, `{"method":"A.b","params":{},"sessionId":"S"}`},
		{`{"method":"A.b","params":{"text":",\"sessionId\":\"ROOT\"}"},"sessionId":"S"}`, `{"method":"A.b","params":{"text":",\"sessionId\":\"ROOT\"}"},"sessionId":"S"}`},
		{`{"method":"A.b","params":{"a":{"sessionId":"S"}},"sessionId":"ROOT"}`, `{"method":"A.b","params":{"a":{"sessionId":"S"}}}`},
	} {
		browser.say(c.said)
		if m := <-in; !sameJSON(t, m, c.want) {
			t.Errorf("%s: %s", c.said, m)
		}
	}
	for _, layout := range []string{
		`{"id":%d,"sessionId":"ROOT","result":{"x":"ROOT"}}`, `{"result":{"x":"ROOT"},"sessionId":"ROOT","id":%d}`, `{"id": %d ,"result":{"x":"ROOT"},"sessionId":"ROOT"}`,
	} {
		send(t, guest, cdp.GuestCommand{ID: 0, Method: "A.b"})
		browser.sayf(layout, browser.next().ID)
		if m := <-in; !sameJSON(t, m, `{"id":0,"result":{"x":"ROOT"}}`) {
			t.Errorf("%s: %s", layout, m)
		}
	}
	if len(in) != 0 {
		t.Errorf("%d messages too many", len(in))
	}
}

func TestGuestIsPutOut(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	for range cap(in) + 1 {
		browser.say(`{"method":"A.b","params":{},"sessionId":"ROOT"}`)
	}
	<-guest.Done()
	go func() { browser.answer(browser.next(), `{}`) }()
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil); err != nil {
		t.Errorf("our own call: %v", err)
	}
}

func TestRootOfGuestIsDetached(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, _ := admit(t, conn, browser, "ROOT")
	browser.say(`{"method":"Target.detachedFromTarget","params":{"sessionId":"ROOT"}}`)
	<-guest.Done()
}

func TestGuestLeaves(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	send(t, guest, cdp.GuestCommand{ID: 1, Method: "Slow.command"})
	slow := browser.next()
	go func() {
		c := browser.next()
		if c.Method != "Target.detachFromTarget" || c.SessionID != "" || string(c.Params) != `{"sessionId":"ROOT"}` {
			t.Errorf("command = %+v", c)
		}
		browser.sayf(`{"id":%d,"result":{},"sessionId":"ROOT"}`, slow.ID)
		browser.answer(c, `{}`)
	}()
	guest.Leave(testtime.Context(t))
	<-guest.Done()
	if len(in) != 0 {
		t.Errorf("%s after the end", <-in)
	}
	send(t, guest, cdp.GuestCommand{ID: 2, Method: "Some.method"})
	if m := <-in; !strings.Contains(m, "-32001") {
		t.Errorf("message = %s", m)
	}
}

func TestGuestOfBrowserThatEnds(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, _ := admit(t, conn, browser, "ROOT")
	_ = browser.out.Close()
	<-guest.Done()
	if err := guest.Send(testtime.Context(t), cdp.GuestCommand{ID: 1, Method: "Some.method"}); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("error = %v", err)
	}
	guest.Leave(testtime.Context(t))
	if _, err := conn.Admit(testtime.Context(t), nil); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("error = %v", err)
	}
}

func TestGuestIsBounded(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	const most = 10_000
	var reading sync.WaitGroup
	var first command
	reading.Go(func() {
		first = browser.next()
		for range most - 1 {
			browser.next()
		}
	})
	for i := range most {
		send(t, guest, cdp.GuestCommand{ID: int64(i), Method: "Slow.command"})
	}
	reading.Wait()
	send(t, guest, cdp.GuestCommand{ID: most, Method: "Slow.command"})
	if m := <-in; !strings.Contains(m, "Too many commands") {
		t.Errorf("message = %s", m)
	}
	browser.sayf(`{"id":%d,"result":{},"sessionId":"ROOT"}`, first.ID)
	<-in
	send(t, guest, cdp.GuestCommand{ID: most, Method: "Slow.command"}) // there is room again
	if c := browser.next(); c.Method != "Slow.command" {
		t.Errorf("command = %+v", c)
	}
}

func TestGuestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	const most = 10_000 // with the root
	for i := range most {
		browser.sayf(`{"method":"Target.attachedToTarget","params":{"sessionId":"S%d"},"sessionId":"ROOT"}`, i)
		<-in
	}
	send(t, guest, cdp.GuestCommand{ID: 1, Method: "Page.enable", SessionID: fmt.Sprintf("S%d", most-1)})
	if m := <-in; !strings.Contains(m, "-32001") {
		t.Errorf("message = %s", m)
	}
	send(t, guest, cdp.GuestCommand{ID: 2, Method: "Target.attachToTarget"})
	if m := <-in; !strings.Contains(m, "Too many sessions") {
		t.Errorf("message = %s", m)
	}
	send(t, guest, cdp.GuestCommand{ID: 3, Method: "Page.enable", SessionID: fmt.Sprintf("S%d", most-2)})
	if c := browser.next(); c.Method != "Page.enable" {
		t.Errorf("command = %+v", c)
	}
}

func TestGuestSendsNonsense(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	guest, in := admit(t, conn, browser, "ROOT")
	send(t, guest, cdp.GuestCommand{ID: 1, Method: "Some.method", Params: jsonv2.Value("{\"a\":1}\x00{")})
	if m := <-in; !strings.Contains(m, "-32600") {
		t.Errorf("message = %s", m)
	}
	send(t, guest, cdp.GuestCommand{ID: 2, Method: "Some\x00\"method"})
	if c := browser.next(); c.Method != "Some\x00\"method" {
		t.Errorf("command = %+v", c)
	}
}

// FuzzGuest lets a browser say anything to a guest: what arrives is JSON that names
// neither its root nor ids of ours.
func FuzzGuest(f *testing.F) {
	f.Add([]byte(`{"method":"A.b","params":{"x":",\"sessionId\":\"ROOT\"}"},"sessionId":"ROOT"}`))
	f.Add([]byte(`{"id":2,"result":{},"sessionId":"ROOT"}`))
	f.Add([]byte(`{"id":2,"sessionId":"ROOT","result":{"id":1}}`))
	f.Add([]byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S"},"sessionId":"ROOT"}` + "\x00" + `{"method":"A.b","params":{},"sessionId":"S"}`))
	f.Add([]byte(`{"method":"Target.detachedFromTarget","params":{"sessionId":"ROOT"},"sessionId":"ROOT"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		browser := &staged{steps: make(chan string, 2), commands: make(chan struct{}, 2)}
		conn := cdp.New(browser, browser)
		go func() {
			<-browser.commands
			browser.steps <- `{"id":1,"result":{"sessionId":"ROOT"}}` + "\x00"
			<-browser.commands
			browser.steps <- string(data) + "\x00"
			close(browser.steps)
		}()
		ctx := testtime.Context(t)
		guest, err := conn.Admit(ctx, func(message []byte) error {
			var m struct {
				ID        *int64 `json:"id"`
				SessionID string `json:"sessionId"`
			}
			if err := jsonv2.Unmarshal(message, &m, jsonv2.AllowInvalidUTF8(true)); err != nil {
				return nil // a fast path does not look inside
			}
			if m.SessionID == "ROOT" || m.ID != nil && *m.ID != 77 {
				t.Errorf("message to the guest: %s", message)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := guest.Send(ctx, cdp.GuestCommand{ID: 77, Method: "Some.method"}); err != nil {
			t.Fatal(err)
		}
		<-guest.Done()
		_ = conn.Close()
	})
}

// staged is a browser that says one thing after each command.
type staged struct {
	deaf
	steps    chan string
	said     strings.Reader
	commands chan struct{}
}

func (s *staged) Read(p []byte) (int, error) {
	if s.said.Len() == 0 {
		s.said.Reset(<-s.steps)
	}
	return s.said.Read(p)
}

func (s *staged) Write(p []byte) (int, error) {
	s.commands <- struct{}{}
	return len(p), nil
}
