package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"strings"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/coder/websocket"

	"github.com/trawlhq/trawl/internal/testtime"
)

// follows reads from a view's socket until the state is as wanted.
func follows(t *testing.T, conn *websocket.Conn, want func(viewState) bool) viewState {
	t.Helper()
	ctx := testtime.Context(t)
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			t.Fatalf("it was not told: %v", err)
		}
		var s viewState
		if kind == websocket.MessageText && json.Unmarshal(data, &s) == nil && s.Type == "state" && want(s) {
			return s
		}
	}
}

// seesPicture reads from a view's socket until there is a picture, and returns it.
func seesPicture(t *testing.T, conn *websocket.Conn) []byte {
	t.Helper()
	ctx := testtime.Context(t)
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			t.Fatalf("there is no picture: %v", err)
		}
		if kind != websocket.MessageBinary {
			continue
		}
		if !bytes.HasPrefix(data, []byte{0, 1}) || !bytes.HasPrefix(data[6:], []byte("\xff\xd8\xff")) {
			t.Fatalf("picture begins with %x", data[:10])
		}
		return data[6:]
	}
}

// looked waits until somebody is attached to a page, or nobody.
func looked(t *testing.T, r *running, id string, want bool) {
	t.Helper()
	testtime.Until(t, fmt.Sprintf("attached is %v", want), func() bool {
		info, err := protocol.Call(t.Context(), r.tabs.browser, target.GetTargetInfo, target.GetTargetInfoParams{TargetID: target.ID(id)})
		if err != nil {
			t.Fatal(err)
		}
		return info.TargetInfo.Attached == want
	})
}

func tells(t *testing.T, conn *websocket.Conn, gesture string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(gesture)); err != nil {
		t.Fatal(err)
	}
}

// opens leads the first page of a session somewhere, without staying attached.
func opens(t *testing.T, e *env, r *running, address string) tab {
	t.Helper()
	e.visit(r.row.ID, address)
	current, _ := r.tabs.current()
	return current
}

func TestCast(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	row := e.create()
	r, o := e.find(row.ID), newOffice(e, row.ID)
	shown := opens(t, e, r, workshopSite(t)+"/")

	t.Run("only while watched", func(t *testing.T) {
		looked(t, r, shown.id, false)
		first := o.dial("watch")
		seesPicture(t, first)
		looked(t, r, shown.id, true)
		second := o.dial("watch")
		seesPicture(t, second) // though the page did not change
		_ = first.CloseNow()
		tells(t, o.dial("interact"), `{"type":"reload"}`)
		seesPicture(t, second)
		o.cut()
		looked(t, r, shown.id, false)
	})
	t.Run("the last picture is of the page as it is", func(t *testing.T) { endsRed(t, r, o, shown) })
	t.Run("one that does not read", func(t *testing.T) {
		o.dial("slow")
		looked(t, r, shown.id, true)
		looked(t, r, shown.id, false)
	})
	t.Run("bounds", func(t *testing.T) { bounded(t, o) })
	t.Run("dialogs wait for those who answer", func(t *testing.T) { waits(t, e, r, o, shown) })
	t.Run("dialogs that nobody saw", func(t *testing.T) { frees(t, r, o, shown) })
	t.Run("crash", func(t *testing.T) { crashes(t, r, o, shown) })
}

// endsRed has a page change with every picture of its screen, and stop.
func endsRed(t *testing.T, r *running, o *office, shown tab) {
	looker := o.dial("watch")
	seesPicture(t, looker)
	script(t, r, shown.id, `let n = 0; const next = () => {
		document.body.style.background = n++ < 30 ? ['blue', 'green'][n % 2] : 'red'; if (n <= 30) requestAnimationFrame(next) }; next()`)
	for {
		seen, err := jpeg.Decode(bytes.NewReader(seesPicture(t, looker)))
		if err != nil {
			t.Fatal(err)
		}
		middle := seen.Bounds().Max.Div(2)
		if red, green, blue, _ := seen.At(middle.X, middle.Y).RGBA(); red > 0xe000 && green < 0x2000 && blue < 0x2000 {
			break
		}
	}
	o.cut()
}

func bounded(t *testing.T, o *office) {
	for message, want := range map[string]websocket.StatusCode{
		"{":                             websocket.StatusUnsupportedData,
		strings.Repeat(" ", mostSent+1): websocket.StatusMessageTooBig,
	} {
		conn := o.dial("interact")
		tells(t, conn, message)
		if err := drain(t, conn); websocket.CloseStatus(err) != want {
			t.Errorf("%.5q: %v, want %d", message, err, want)
		}
	}
	o.cut()
	for range mostViewers {
		seesPicture(t, o.dial("watch"))
	}
	if err := drain(t, o.dial("watch")); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("one too many: %v", err)
	}
	o.cut()
}

// script runs a script that need not end in a page, by a session that goes away.
func script(t *testing.T, r *running, id, text string) {
	t.Helper()
	attached, err := protocol.Call(t.Context(), r.tabs.browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(id), Flatten: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	session := r.process.Conn().Session(string(attached.SessionID))
	if err := session.Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": "setTimeout(() => {" + text + "}); 1"}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := protocol.Call(t.Context(), r.tabs.browser, target.DetachFromTarget, target.DetachFromTargetParams(attached)); err != nil {
		t.Fatal(err)
	}
}

// A dialog that was seen can be answered by those who come later.
func waits(t *testing.T, e *env, r *running, o *office, shown tab) {
	asks := func(s viewState) bool { return s.Dialog != nil }
	looker := o.dial("watch")
	seesPicture(t, looker)
	script(t, r, shown.id, "said = prompt('Which?', 'this')")
	if s := follows(t, looker, asks); *s.Dialog != (viewDialog{"prompt", strings.TrimSuffix(strings.TrimPrefix(shown.address, "http://"), "/"), "Which?", "this"}) || s.Interactive {
		t.Errorf("dialog = %+v", s.Dialog)
	}
	o.cut()
	taker := o.dial("interact")
	follows(t, taker, asks)
	tells(t, taker, `{"type":"dialog","accept":true,"text":"that"}`)
	follows(t, taker, func(s viewState) bool { return s.Dialog == nil })
	if got := e.evaluate(r.row.ID, "said"); got != "that" {
		t.Errorf("said %q", got)
	}
	o.cut()
	looked(t, r, shown.id, false)
}

// One that was opened before anybody watched cannot be seen, but the view says that
// something is wrong and helps.
func frees(t *testing.T, r *running, o *office, shown tab) {
	script(t, r, shown.id, "alert('unseen')")
	taker := o.dial("interact")
	follows(t, taker, func(s viewState) bool { return s.Stuck })
	tells(t, taker, `{"type":"reload"}`)
	follows(t, taker, func(s viewState) bool { return !s.Stuck && !s.Loading })
	o.cut()
}

func crashes(t *testing.T, r *running, o *office, shown tab) {
	taker := o.dial("interact")
	seesPicture(t, taker)
	p, err := r.cast.screen(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	_ = p.session.Send(t.Context(), "Page.crash", nil)
	follows(t, taker, func(s viewState) bool { return s.Crashed })
	tells(t, taker, `{"type":"reload"}`)
	follows(t, taker, func(s viewState) bool { return !s.Crashed && !s.Loading })
	tells(t, taker, `{"type":"close","tab":"`+shown.id+`"}`)
	follows(t, taker, func(s viewState) bool { return len(s.Tabs) == 0 })
	tells(t, taker, `{"type":"open"}`)
	follows(t, taker, func(s viewState) bool {
		return len(s.Tabs) == 1 && s.Tabs[0].Active && s.Tabs[0].Address == "about:blank"
	})
}

// TestPictureOfPhone: gestures are told in the pixels of the page, also of one that a
// phone shows smaller than it is.
func TestPictureOfPhone(t *testing.T) {
	t.Parallel()
	for scale, want := range map[float64]picture{0.5: {width: 780, height: 1688}, 1: {width: 390, height: 844}, 0: {width: 390, height: 844}} {
		c, p := cast{changed: make(chan struct{})}, &shown{}
		c.publish(p, page.EventScreencastFrame{Metadata: &page.ScreencastFrameMetadata{DeviceWidth: 390, DeviceHeight: 844, PageScaleFactor: scale}})
		if p.picture.width != want.width || p.picture.height != want.height {
			t.Errorf("scale %v: %v x %v", scale, p.picture.width, p.picture.height)
		}
	}
}
