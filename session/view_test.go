package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/coder/websocket"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/internal/testtime"
)

// office serves views of sessions as the service does.
type office struct {
	*env
	id      string
	address string
	open    atomic.Int32 // connections

	mu      sync.Mutex
	sockets []*websocket.Conn
}

func newOffice(e *env, id string) *office {
	o := &office{env: e, id: id}
	mux := http.NewServeMux()
	mux.HandleFunc("/live/{key}/socket", func(w http.ResponseWriter, r *http.Request) {
		o.open.Add(1)
		defer o.open.Add(-1)
		running := e.find(id)
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		if running == nil || !running.join() {
			return
		}
		defer running.sockets.Done()
		o.mu.Lock()
		o.sockets = append(o.sockets, conn)
		o.mu.Unlock()
		if r.PathValue("key") == "slow" {
			running.stream(r.Context(), &viewer{conn: conn, patience: 200 * time.Millisecond, wake: make(chan struct{}, 1)})
			return
		}
		running.watch(r.Context(), conn, r.PathValue("key") == "interact")
	})
	mux.HandleFunc("/live/", func(w http.ResponseWriter, r *http.Request) {
		if e.find(id) == nil {
			ViewOver("deleted").ServeHTTP(w, r)
			return
		}
		View().ServeHTTP(w, r)
	})
	server := httptest.NewServer(mux)
	e.t.Cleanup(server.Close)
	o.address = server.URL
	return o
}

// cut ends all connections without a word.
func (o *office) cut() {
	for o.open.Load() > 0 {
		o.mu.Lock()
		for _, conn := range o.sockets {
			_ = conn.CloseNow()
		}
		o.sockets = nil
		o.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
}

// dial opens the socket of a view.
func (o *office) dial(key string) *websocket.Conn {
	o.t.Helper()
	conn, _, err := websocket.Dial(context.Background(), "ws"+strings.TrimPrefix(o.address, "http")+"/live/"+key+"/socket", nil)
	if err != nil {
		o.t.Fatal(err)
	}
	conn.SetReadLimit(10 << 20)
	o.t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// person is somebody with a browser of their own, in which a page is open.
type person struct {
	t    testing.TB
	page *cdp.Session
}

// newPerson opens a page in the browser of a session.
func newPerson(e *env, id, address string) *person {
	e.t.Helper()
	conn := e.find(id).process.Conn()
	ctx, cancel := testtime.Ending(e.t)
	defer cancel()
	made, err := protocol.Call(ctx, conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: address})
	if err != nil {
		e.t.Fatal(err)
	}
	attached, err := protocol.Call(ctx, conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: new(true)})
	if err != nil {
		e.t.Fatal(err)
	}
	return &person{e.t, conn.Session(string(attached.SessionID))}
}

// in is the same person in a part of the test.
func (p *person) in(t testing.TB) *person { return &person{t, p.page} }

func (p *person) do(method string, params any) {
	p.t.Helper()
	ctx, cancel := testtime.Ending(p.t)
	defer cancel()
	if err := p.page.Call(ctx, method, params, nil); err != nil {
		p.t.Fatal(err)
	}
}

// sees returns what a script says of the page.
func (p *person) sees(script string) string {
	p.t.Helper()
	ctx, cancel := testtime.Ending(p.t)
	defer cancel()
	found, err := protocol.Call(ctx, p.page, runtime.Evaluate, runtime.EvaluateParams{Expression: "String(" + script + ")", ReturnByValue: new(true)})
	if err != nil || found.ExceptionDetails != nil {
		p.t.Fatalf("%s: %v, %+v", script, err, found.ExceptionDetails)
	}
	var text string
	_ = json.Unmarshal(found.Result.Value, &text)
	return text
}

// awaits waits until a script says something of the page.
func (p *person) awaits(script, want string) {
	p.t.Helper()
	testtime.Until(p.t, fmt.Sprintf("%s is %q", script, want), func() bool { return p.sees(script) == want })
}

// at returns where a place of the shown page, in its own pixels, is in the view.
func (p *person) at(x, y float64) (float64, float64) {
	p.t.Helper()
	var box struct{ Left, Top, Width, Height, W, H float64 }
	const script = `(() => { const b = canvas.getBoundingClientRect(); return JSON.stringify({ Left: b.left, Top: b.top, Width: b.width, Height: b.height, W: canvas.width, H: canvas.height }) })()`
	if err := json.Unmarshal([]byte(p.sees(script)), &box); err != nil {
		p.t.Fatal(err)
	}
	return box.Left + x*box.Width/box.W, box.Top + y*box.Height/box.H
}

func (p *person) mouse(kind input.DispatchMouseEventType, x, y float64, clicks int64) {
	p.t.Helper()
	event := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if clicks > 0 {
		event.Button, event.ClickCount = input.MouseButtonLeft, clicks
	}
	p.do(input.CommandDispatchMouseEvent, event)
}

// clicks clicks at a place of the shown page.
func (p *person) clicks(x, y float64) {
	p.t.Helper()
	x, y = p.at(x, y)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, 0)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, 1)
}

// types presses keys, whose names are those of the DOM.
func (p *person) types(modifiers int64, names ...string) {
	p.t.Helper()
	for _, name := range names {
		event := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: name, Code: name, Modifiers: modifiers}
		switch {
		case len(name) == 1:
			event.Code, event.WindowsVirtualKeyCode = "Key"+strings.ToUpper(name), int64(strings.ToUpper(name)[0])
			if modifiers&^8 == 0 {
				event.Type, event.Text = input.DispatchKeyEventTypeKeyDown, name
			}
		case name == "Enter":
			event.Type, event.Text, event.WindowsVirtualKeyCode = input.DispatchKeyEventTypeKeyDown, "\r", 13
		case name == "Backspace":
			event.WindowsVirtualKeyCode = 8
		case name == "Escape":
			event.WindowsVirtualKeyCode = 27
		}
		p.do(input.CommandDispatchKeyEvent, event)
		event.Type, event.Text = input.DispatchKeyEventTypeKeyUp, ""
		p.do(input.CommandDispatchKeyEvent, event)
	}
}

// button clicks a control of the view by its id.
func (p *person) button(id string) {
	p.t.Helper()
	p.sees(fmt.Sprintf("document.getElementById(%q).click()", id))
}

// goes types an address into the view's address bar.
func (p *person) goes(address string) {
	p.t.Helper()
	p.sees("address.focus() + address.select()")
	p.do(input.CommandInsertText, input.InsertTextParams{Text: address})
	p.types(0, "Enter")
}

// workshop is a page that shows what is done to it.
const workshop = `<!doctype html><title>Workshop</title><style>body{margin:0;height:3000px;font:16px sans-serif}
#b{position:absolute;left:100px;top:100px;width:200px;height:60px}#i{position:absolute;left:100px;top:200px;width:300px;height:30px}
#s{position:absolute;left:400px;top:200px;width:200px;height:30px}
#a{position:absolute;left:400px;top:100px;width:200px;height:60px}</style>
<button id=b onclick="this.textContent = ++n" ondblclick="twice++">0</button><input id=i>
<select id=s onchange="chose = value"><option>one<option disabled>two<option>three</select>
<button id=a onclick="said = confirm('Shall it be so?')">ask</button><script>let n = 0, twice = 0, said, chose, keys = []
i.onkeydown = e => keys.push(e.key + '/' + e.code + '/' + e.isTrusted)</script>`

func workshopSite(t testing.TB) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, workshop)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// fresh says whether a view shows a picture of the page as it is now.
const fresh = "document.querySelector('.painted:not(.dim)') !== null"

const status = "document.body?.dataset.status"

// One session is watched in the browser of another.
func TestView(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	watched, other := e.create(), e.create()
	o := newOffice(e, watched.ID)
	site := workshopSite(t)
	subject := newPerson(e, watched.ID, site+"/")
	subject.awaits("document.readyState", "complete")

	taker := newPerson(e, other.ID, o.address+"/live/interact")
	taker.awaits(status, "live")
	taker.awaits(fresh, "true")
	t.Run("shows", func(t *testing.T) { shows(t, taker.in(t), site) })
	t.Run("mouse", func(t *testing.T) { mouses(taker.in(t), subject.in(t)) })
	t.Run("keyboard", func(t *testing.T) { keyboards(t, taker.in(t), subject.in(t)) })
	t.Run("dialog", func(t *testing.T) { dialogs(t, taker.in(t), subject.in(t)) })
	t.Run("list", func(t *testing.T) { chooses(t, taker.in(t), subject.in(t)) })
	t.Run("read-only", func(t *testing.T) { readsOnly(t, o, other.ID, subject.in(t)) })
	t.Run("ways", func(t *testing.T) { ways(t, e.find(watched.ID), taker.in(t), subject.in(t), site) })
	t.Run("reconnects", func(t *testing.T) {
		taker, subject := taker.in(t), subject.in(t)
		o.cut()
		taker.awaits(status, "reconnecting")
		taker.awaits(status, "live")
		taker.awaits(fresh, "true")
		taker.clicks(200, 130)
		subject.awaits("n", "1")
	})
	t.Run("ends", func(t *testing.T) {
		taker := taker.in(t)
		if _, err := e.Destroy(t.Context(), watched.ID); err != nil {
			t.Fatal(err)
		}
		taker.awaits(status, "ended")
		const why = "document.getElementById('card-text').textContent"
		taker.awaits(why, "It was ended by its owner.")
		late := newPerson(e, other.ID, o.address+"/live/watch").in(t)
		late.awaits(status, "ended")
		late.awaits(why, "It was ended by its owner.")
	})
}

func shows(t *testing.T, taker *person, site string) {
	taker.awaits("document.querySelector('.tab.active .title').textContent", "Workshop")
	for script, want := range map[string]string{
		"document.querySelectorAll('.tab').length": "2", "address.value": site + "/", "document.title": "Workshop – live view",
		"badge.textContent": "Interactive", "back.disabled": "true", "document.getElementById('card').hidden": "true",
	} {
		if got := taker.sees(script); got != want {
			t.Errorf("%s is %q, not %q", script, got, want)
		}
	}
	if left := taker.sees("time.textContent"); !strings.HasPrefix(left, "9:") || !strings.HasSuffix(left, " left") {
		t.Errorf("time = %q", left)
	}
}

func mouses(taker, subject *person) {
	taker.clicks(200, 130)
	subject.awaits("n", "1")
	x, y := taker.at(110, 110)
	for clicks := range int64(2) {
		taker.mouse(input.DispatchMouseEventTypeMousePressed, x, y, clicks+1)
		taker.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, clicks+1)
	}
	subject.awaits("n + '/' + twice", "3/1")
	wheel := map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 500}
	taker.do(input.CommandDispatchMouseEvent, wheel)
	subject.awaits("scrollY", "500")
	wheel["deltaY"] = -500
	taker.do(input.CommandDispatchMouseEvent, wheel)
	subject.awaits("scrollY", "0")
}

func keyboards(t *testing.T, taker, subject *person) {
	taker.clicks(200, 215)
	subject.awaits("document.activeElement.id", "i")
	taker.types(0, "h", "i")
	taker.types(8, "X")
	subject.awaits("i.value", "hiX")
	if got := subject.sees("keys"); got != "h/KeyH/true,i/KeyI/true,X/KeyX/true" {
		t.Errorf("keys = %s", got)
	}
	taker.types(2, "a")
	taker.types(0, "Backspace")
	subject.awaits("i.value", "")
	// What an input method writes, a dead key, a character of the third level, a
	// keyboard on glass; and what is pasted.
	taker.do(input.CommandImeSetComposition, map[string]any{"text": "に", "selectionStart": 1, "selectionEnd": 1})
	taker.do(input.CommandInsertText, input.InsertTextParams{Text: "日本"})
	subject.awaits("i.value", "日本")
	taker.sees(`document.getElementById('keys').dispatchEvent(new KeyboardEvent('keydown', { key: 'Dead', code: 'Equal' }))`)
	taker.do(input.CommandInsertText, input.InsertTextParams{Text: "é"})
	subject.awaits("i.value", "日本é")
	const third = `{ key: '@', code: 'KeyQ', keyCode: 81, ctrlKey: true, altKey: true, modifierAltGraph: true }`
	taker.sees(`['keydown', 'keyup'].map((kind) => document.getElementById('keys').dispatchEvent(new KeyboardEvent(kind, ` + third + `)))`)
	subject.awaits("i.value", "日本é@")
	taker.sees(`document.getElementById('keys').dispatchEvent(new InputEvent('input', { inputType: 'deleteContentBackward' }))`)
	subject.awaits("i.value", "日本é")
	taker.sees(`(() => { const data = new DataTransfer(); data.setData('text/plain', ' and <b>more</b>');
		document.getElementById('keys').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true })) })()`)
	subject.awaits("i.value", "日本é and <b>more</b>")
	taker.sees("navigator.clipboard.writeText = (text) => { window.kept = text; return Promise.resolve() }")
	taker.types(2, "a")
	taker.types(2, "c")
	taker.awaits("window.kept", "日本é and <b>more</b>")
	taker.types(2, "x")
	subject.awaits("i.value", "")
}

func dialogs(t *testing.T, taker, subject *person) {
	const open = "!document.getElementById('card').hidden"
	taker.clicks(500, 130)
	taker.awaits(open, "true")
	if got := taker.sees("document.getElementById('card-text').textContent"); got != "Shall it be so?" {
		t.Errorf("the question is %q", got)
	}
	taker.button("card-yes")
	subject.awaits("said", "true")
	taker.awaits(open, "false")
	taker.clicks(500, 130)
	taker.awaits(open, "true")
	taker.button("card-no")
	subject.awaits("said", "false")
}

// A list that the page drops down is drawn by the view.
func chooses(t *testing.T, taker, subject *person) {
	const open = "document.getElementById('list').open"
	taker.clicks(500, 215)
	taker.awaits(open, "true")
	if got := taker.sees("[...choices.options].map((o) => [o.text, o.disabled, o.selected])"); got != "one,false,true,two,true,false,three,false,false" {
		t.Errorf("options = %s", got)
	}
	taker.sees("choices.options[2].click()")
	subject.awaits("[chose, s.value, s.matches(':open')]", "three,three,false")
	taker.awaits(open, "false")
	taker.clicks(500, 215)
	taker.awaits(open, "true")
	taker.types(0, "Escape")
	taker.awaits(open, "false")
	subject.awaits("[chose, s.value, s.matches(':open')]", "three,three,false")
}

func readsOnly(t *testing.T, o *office, browser string, subject *person) {
	before := subject.sees("[n, i.value, scrollY, location.href]")
	looker := newPerson(o.env, browser, o.address+"/live/watch").in(t)
	looker.awaits(status, "live")
	looker.awaits(fresh, "true")
	looker.awaits("badge.textContent", "Read-only")
	looker.clicks(200, 130)
	looker.types(0, "x")
	looker.goes("https://example.com/")
	looker.button("reload")

	// And one whose view was tampered with.
	raw := o.dial("watch")
	last := o.find(o.id).lastActivity()
	for _, text := range []string{`{"type":"mouse","kind":"down","x":0.1,"y":0.1,"button":0,"clicks":1}`, `{"type":"reload"}`} {
		_ = raw.Write(t.Context(), websocket.MessageText, []byte(text))
	}
	if code := websocket.CloseStatus(drain(t, raw)); code != websocket.StatusPolicyViolation {
		t.Errorf("input from one who may only look: closed with %d", code)
	}
	if after := subject.sees("[n, i.value, scrollY, location.href]"); after != before {
		t.Errorf("before %s, after %s", before, after)
	}
	if o.find(o.id).lastActivity() != last {
		t.Error("watching counts as use")
	}
	if looker.sees(status) != "live" {
		t.Error("the view itself sent something")
	}
	looker.do("Page.close", nil) // what is behind another page is not painted, and slow to take clicks
}

func ways(t *testing.T, r *running, taker, subject *person, site string) {
	taker.goes("javascript:alert(1)")
	taker.awaits("document.getElementById('notice').textContent", "Only http and https addresses can be opened.")
	taker.goes(site + "/second")
	subject.awaits("location.pathname", "/second")
	taker.awaits("back.disabled", "false")
	taker.awaits("address.value", site+"/second")
	taker.button("back")
	subject.awaits("location.pathname", "/")
	taker.awaits("forward.disabled", "false")
	taker.button("forward")
	subject.awaits("location.pathname", "/second")
	subject.sees("history.replaceState({}, '', '/third')")
	taker.awaits("address.value", site+"/third")
	subject.sees("document.title = '<img src=x onerror=alert(1)>'")
	taker.awaits("document.querySelector('.tab.active .title').textContent", "<img src=x onerror=alert(1)>")
	subject.sees("window.same = true")
	taker.button("reload")
	subject.awaits("window.same", "undefined")

	first, _ := r.tabs.current()
	taker.button("open")
	taker.awaits("document.querySelectorAll('.tab').length", "3")
	taker.awaits("document.querySelector('.tab.active .title').textContent", "New tab")
	taker.goes(site + "/new")
	taker.awaits("document.querySelector('.tab.active .title').textContent", "Workshop")
	if second, _ := r.tabs.current(); second.id == first.id || second.address != site+"/new" {
		t.Errorf("in the new tab: %+v", second)
	}
	taker.sees("document.querySelector('.tab[data-id=\"" + first.id + "\"] .name').click()")
	taker.awaits("address.value", site+"/third")
	taker.sees("[...document.querySelectorAll('.tab:not(.active) .shut')].map((b) => b.click())")
	taker.awaits("document.querySelectorAll('.tab').length", "1")
	taker.awaits("address.value", site+"/third")
}

// drain reads until the connection ends.
func drain(t testing.TB, conn *websocket.Conn) error {
	ctx, cancel := testtime.Ending(t)
	defer cancel()
	for {
		if _, _, err := conn.Read(ctx); err != nil {
			return err
		}
	}
}
