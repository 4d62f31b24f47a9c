package cdp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is the browser's end of a connection.
type fake struct {
	t   *testing.T
	in  *bufio.Reader
	out *os.File
}

type command struct {
	ID        int64           `json:"id"`
	Method    string          `json:"method"`
	SessionID string          `json:"sessionId"`
	Params    json.RawMessage `json:"params"`
}

// connect returns a connection and the browser at its other end.
func connect(t *testing.T) (*cdp.Conn, *fake) { return connectWith(t, cdp.New) }

// limited makes connections whose bounds are small enough for a test.
func limited(in io.ReadCloser, out cdp.Writer) *cdp.Conn {
	return cdp.NewLimited(in, out, 1<<20, 1<<19, 50*time.Millisecond)
}

func connectWith(t *testing.T, dial func(io.ReadCloser, cdp.Writer) *cdp.Conn) (*cdp.Conn, *fake) {
	t.Helper()
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(ourIn, ourOut)
	t.Cleanup(func() {
		_ = conn.Close()
		_ = theirIn.Close()
		_ = theirOut.Close()
	})
	return conn, &fake{t: t, in: bufio.NewReader(theirIn), out: theirOut}
}

// next reads a command.
func (f *fake) next() command {
	f.t.Helper()
	data, err := f.in.ReadBytes(0)
	if err != nil {
		f.t.Errorf("read command: %v", err)
		return command{}
	}
	var c command
	if err := json.Unmarshal(data[:len(data)-1], &c); err != nil {
		f.t.Errorf("command %q: %v", data, err)
	}
	return c
}

// say sends a message.
func (f *fake) say(text string) {
	f.t.Helper()
	if _, err := io.WriteString(f.out, text+"\x00"); err != nil {
		f.t.Errorf("write message: %v", err)
	}
}

func (f *fake) answer(c command, result string) {
	f.t.Helper()
	id, _ := json.Marshal(c.ID)
	f.say(`{"id":` + string(id) + `,"sessionId":"` + c.SessionID + `","result":` + result + `}`)
}

func TestAnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	const calls = 20
	go func() {
		var asked []command
		for range calls {
			asked = append(asked, browser.next())
		}
		browser.say(`{"id":99999,"result":{}}`) // nobody asked
		for i := len(asked) - 1; i >= 0; i-- {
			browser.answer(asked[i], `{"echo":`+string(asked[i].Params)+`}`)
		}
	}()
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			var result struct {
				Echo int `json:"echo"`
			}
			if err := conn.Session("S").Call(testtime.Context(t), "Some.method", i, &result); err != nil || result.Echo != i {
				t.Errorf("call %d: %+v, %v", i, result, err)
			}
		})
	}
	all.Wait()
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	go func() {
		browser.next()
		browser.say(`{"id":1,"error":{"code":-32000,"message":"No such thing","data":"more"}}`)
	}()
	err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil)
	refused, ok := errors.AsType[*cdp.Error](err)
	if !ok || refused.Code != -32000 || err.Error() != "Some.method: No such thing (more)" {
		t.Errorf("error = %v", err)
	}
}

func TestResultOfWrongType(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	go func() { browser.answer(browser.next(), `{"echo":"text"}`) }()
	var result struct {
		Echo int `json:"echo"`
	}
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, &result); err == nil {
		t.Error("no error")
	}
	go func() { browser.answer(browser.next(), `{"echo":7}`) }()
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, &result); err != nil || result.Echo != 7 {
		t.Errorf("the next call: %+v, %v", result, err)
	}
}

// A page can put half a surrogate pair into any string.
func TestHalfOfAPair(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	go func() { browser.answer(browser.next(), `{"text":"a\ud800b`+"\xff"+`c\udc00"}`) }()
	var result struct {
		Text string `json:"text"`
	}
	err := conn.Browser().Call(testtime.Context(t), "Some.method", map[string]string{"text": "\xff"}, &result)
	if err != nil || result.Text != "a�b�c�" {
		t.Errorf("text = %q, %v", result.Text, err)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	names, other := make(chan string, 10), make(chan string, 10)
	note := func(to chan string) func(page.EventLifecycleEvent) {
		return func(e page.EventLifecycleEvent) { to <- e.Name }
	}
	cancel := cdp.On(conn.Session("A"), page.LifecycleEvent, note(names))
	cdp.On(conn.Session("B"), page.LifecycleEvent, note(other))
	raw, stop := conn.Session("A").Subscribe("Page.lifecycleEvent")
	event := func(session, name string) {
		browser.say(`{"method":"Page.lifecycleEvent","sessionId":"` + session + `","params":{"name":"` + name + `","frameId":"F"}}`)
	}
	event("A", "init")
	event("C", "nobody listens")
	browser.say(`{"method":"Page.lifecycleEvent","sessionId":"A","params":{"name":7}}`) // not what was meant
	browser.say(`{"method":"Other.event","sessionId":"A"}`)
	event("A", "load")
	event("B", "init")
	if a, b, c := <-names, <-names, <-other; a != "init" || b != "load" || c != "init" {
		t.Errorf("events = %q, %q, %q", a, b, c)
	}
	cancel()
	stop()
	event("A", "late")
	event("B", "end")
	<-other
	if len(names) != 0 || len(raw) != 3 {
		t.Errorf("%d events after the end, %d of 3 in the channel", len(names), len(raw))
	}
}

func TestSubscribeDrops(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	events, cancel := conn.Browser().Subscribe("Some.event")
	defer cancel()
	for range 1000 {
		browser.say(`{"method":"Some.event","params":{}}`)
	}
	go func() { browser.answer(browser.next(), `{}`) }()
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(events); n == 0 || n == 1000 {
		t.Errorf("%d events were kept", n)
	}
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*cdp.Session, *fake){
		"detached": func(_ *cdp.Session, b *fake) {
			b.say(`{"method":"Target.detachedFromTarget","params":{"sessionId":"unknown"}}`)
			b.say(`{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`)
		},
		"given up": func(s *cdp.Session, _ *fake) { s.End() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, browser := connect(t)
			session := conn.Session("S")
			go func() {
				browser.next()
				end(session, browser)
			}()
			if err := session.Call(testtime.Context(t), "Some.method", nil, nil); !errors.Is(err, cdp.ErrGone) {
				t.Errorf("error = %v", err)
			}
			<-session.Gone()
			if err := session.Call(testtime.Context(t), "Some.method", nil, nil); !errors.Is(err, cdp.ErrGone) {
				t.Errorf("error of a call after the end = %v", err)
			}
			go func() {
				for c := browser.next(); ; c = browser.next() {
					if c.SessionID == "" {
						browser.answer(c, `{}`)
						return
					}
				}
			}()
			if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil); err != nil {
				t.Errorf("the browser's own session: %v", err)
			}
		})
	}
}

func TestConnectionEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*cdp.Conn, *fake){
		"closed":         func(c *cdp.Conn, _ *fake) { go c.Close() },
		"end of file":    func(_ *cdp.Conn, b *fake) { _ = b.out.Close() },
		"half a message": func(_ *cdp.Conn, b *fake) { _, _ = io.WriteString(b.out, `{"id":1,"res`); _ = b.out.Close() },
		"garbage":        func(_ *cdp.Conn, b *fake) { b.say("\x16\x03\x01garbage") },
		"empty":          func(_ *cdp.Conn, b *fake) { b.say("") },
		"not an object":  func(_ *cdp.Conn, b *fake) { b.say("[1,2]") },
		"two in one":     func(_ *cdp.Conn, b *fake) { b.say(`{"id":1,"result":{}}{"id":1}`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, browser := connect(t)
			session := conn.Session("S")
			go func() {
				browser.next()
				end(conn, browser)
			}()
			if err := session.Call(testtime.Context(t), "Some.method", nil, nil); !errors.Is(err, cdp.ErrClosed) {
				t.Errorf("error = %v", err)
			}
			<-conn.Done()
			for _, s := range []*cdp.Session{session, conn.Browser(), conn.Session("new")} {
				<-s.Gone()
				if err := s.Call(testtime.Context(t), "Some.method", nil, nil); !errors.Is(err, cdp.ErrClosed) {
					t.Errorf("error of a call after the end = %v", err)
				}
			}
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCallGivesUp(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	ctx, cancel := context.WithCancel(t.Context())
	late := make(chan command, 1)
	go func() {
		late <- browser.next()
		cancel()
	}()
	if err := conn.Browser().Call(ctx, "Some.method", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	browser.answer(<-late, `{}`) // to nobody
	go func() { browser.answer(browser.next(), `{}`) }()
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

func TestParamsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	conn, browser := connect(t)
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", func() {}, nil); err == nil {
		t.Error("no error")
	}
	go func() { browser.answer(browser.next(), `{}`) }()
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

func TestMessageTooLarge(t *testing.T) {
	t.Parallel()
	conn, browser := connectWith(t, limited)
	go func() {
		defer browser.out.Close()
		browser.answer(browser.next(), `"`+strings.Repeat("x", 1<<19)+`"`)
		browser.next()
		_, _ = io.Copy(browser.out, io.LimitReader(endless{}, 20<<20)) // fails when nobody reads any more
	}()
	var text string
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, &text); err != nil || len(text) != 1<<19 {
		t.Errorf("a large message: %d bytes, %v", len(text), err)
	}
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, nil); !errors.Is(err, cdp.ErrClosed) || !strings.Contains(err.Error(), "no end") {
		t.Errorf("error = %v", err)
	}
}

// What nobody of ours asked for is read over when it is too large; the connection
// goes on.
func TestForeignMessageTooLarge(t *testing.T) {
	t.Parallel()
	conn, browser := connectWith(t, limited)
	go func() { browser.answer(browser.next(), `{"sessionId":"R"}`) }()
	got := make(chan string, 10)
	guest, err := conn.Admit(testtime.Context(t), func(message []byte) error {
		got <- string(message)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", 1<<19+200<<10)
	for _, session := range []string{"", "S"} {
		if session != "" {
			browser.say(`{"method":"Target.attachedToTarget","params":{"sessionId":"S"},"sessionId":"R"}`)
			<-got
		}
		if err := guest.Send(testtime.Context(t), cdp.GuestCommand{ID: 7, Method: "Some.method", SessionID: session}); err != nil {
			t.Fatal(err)
		}
		asked := browser.next()
		browser.say(`{"method":"Some.event","params":{"x":"` + large + `"},"sessionId":"R"}`)
		browser.answer(asked, `"`+large+`"`)
		want := `{"id":7,"error":{"code":-32000,"message":"The answer is larger than 0 MiB."}`
		if session != "" {
			want += `,"sessionId":"S"`
		}
		if message := <-got; message != want+"}" {
			t.Errorf("guest got %.200s, want %s}", message, want)
		}
	}
	var text string
	go func() { browser.answer(browser.next(), `"`+large+`"`) }()
	if err := conn.Browser().Call(testtime.Context(t), "Some.method", nil, &text); err != nil || len(text) != len(large) {
		t.Errorf("our own: %d bytes, %v", len(text), err)
	}
	go func() { browser.answer(browser.next(), `{}`) }()
	guest.Leave(testtime.Context(t))
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A browser that does not read makes calls fail, those that wait for their turn
// too, and not only when their contexts end.
func TestBrowserDoesNotRead(t *testing.T) {
	t.Parallel()
	conn, _ := connectWith(t, limited)
	large := strings.Repeat("x", 1<<20)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := conn.Browser().Call(testtime.Context(t), "Some.method", large, nil); !errors.Is(err, cdp.ErrClosed) {
				t.Errorf("error = %v", err)
			}
		})
	}
	all.Wait()
}

// FuzzMessages lets a browser say anything.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{"a":"\ud800"}}` + "\x00"))
	f.Add([]byte(`{"method":"Page.lifecycleEvent","sessionId":"S","params":{"name":"init"}}` + "\x00" + `{"id":2,"error":{}}` + "\x00"))
	f.Add([]byte(`{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}` + "\x00{}\x00"))
	f.Add([]byte(`{"id":1,"id":2}` + "\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		conn := cdp.New(io.NopCloser(strings.NewReader(string(data))), deaf{})
		session := conn.Session("S")
		session.On("Page.lifecycleEvent", func(jsonv2.Value) {})
		var result any
		ctx := testtime.Context(t)
		_ = session.Call(ctx, "Some.method", nil, &result)
		if ctx.Err() != nil {
			t.Error("the call did not notice the end")
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
}

// deaf takes everything and answers nothing.
type deaf struct{}

func (deaf) Write(p []byte) (int, error)      { return len(p), nil }
func (deaf) Close() error                     { return nil }
func (deaf) SetWriteDeadline(time.Time) error { return nil }
