package session

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
)

const (
	mostGestures = 400              // that a view may make in a second
	mostPending  = 64               // that a page has not answered yet
	mostTasks    = 16               // of the browser that were not done yet
	gestureTime  = 5 * time.Second  // for a page to take a gesture
	taskTime     = 30 * time.Second // for the browser, which waits for the network
	mostWheel    = 10_000           // pixels
	mostKey      = 32               // bytes of the name of a key
)

// gesture is what somebody did in a view. Places are fractions of the picture, so
// that it does not matter how large the view shows it.
type gesture struct {
	Type string `json:"type"`

	// mouse, wheel and key
	Kind      string  `json:"kind"` // down, up or move
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	DX        float64 `json:"dx"`
	DY        float64 `json:"dy"`
	Button    int     `json:"button"` // as in the DOM
	Buttons   int64   `json:"buttons"`
	Clicks    int64   `json:"clicks"`
	Modifiers int64   `json:"modifiers"` // Alt 1, Control 2, Meta 4, Shift 8

	Key      string `json:"key"`
	Code     string `json:"code"`
	KeyCode  int64  `json:"keyCode"`
	Location int64  `json:"location"`
	Repeat   bool   `json:"repeat"`

	Text    string `json:"text"`    // what a key writes, what is pasted, the answer to a prompt
	Tab     string `json:"tab"`     // to select or close
	Address string `json:"address"` // to go to
	Accept  bool   `json:"accept"`  // how a dialog is answered
	Index   int    `json:"index"`   // what is chosen from a list
}

// read takes what a view sends. One that may only look must not send anything.
func (v *viewer) read(ctx context.Context, r *running) farewell {
	h := hand{viewer: v, session: r, gestures: make(chan struct{}, mostPending), tasks: make(chan struct{}, mostTasks)}
	for {
		kind, data, err := v.conn.Read(ctx)
		if err != nil {
			return farewell{}
		}
		if !v.interact {
			return farewell{websocket.StatusPolicyViolation, "this view is read-only"}
		}
		var g gesture
		if kind != websocket.MessageText || json.Unmarshal(data, &g) != nil {
			return farewell{websocket.StatusUnsupportedData, "not a gesture"}
		}
		if h.pause(ctx) != nil {
			return farewell{}
		}
		r.touch()
		h.do(ctx, &g)
	}
}

// hand does what somebody in a view wants done. Nothing waits for the page: it may
// never answer.
type hand struct {
	*viewer
	session  *running
	gestures chan struct{} // room for those that the page has not answered
	tasks    chan struct{} // and for those that the browser has not
	second   time.Time
	count    int
}

// pause holds up a view that makes more gestures than people can.
func (h *hand) pause(ctx context.Context) error {
	now := time.Now()
	if now.Sub(h.second) >= time.Second {
		h.second, h.count = now, 0
	}
	if h.count++; h.count <= mostGestures {
		return nil
	}
	select {
	case <-time.After(time.Second - now.Sub(h.second)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hand) do(ctx context.Context, g *gesture) {
	r := h.session
	switch g.Type {
	case "mouse", "wheel", "key", "text":
		h.gesture(ctx, g)
	case "select":
		r.tabs.front(g.Tab)
	case "open":
		h.task(ctx, func(ctx context.Context) error {
			current, _ := r.tabs.current()
			_, err := protocol.Call(ctx, r.tabs.browser, target.CreateTarget,
				target.CreateTargetParams{URL: "about:blank", BrowserContextID: protocol.BrowserContextID(current.context)})
			return err
		})
	case "close":
		if r.tabs.harmless(g.Tab) {
			h.task(ctx, func(ctx context.Context) error {
				_, err := protocol.Call(ctx, r.tabs.browser, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(g.Tab)})
				return err
			})
		}
	default:
		h.task(ctx, func(ctx context.Context) error {
			p, err := r.cast.screen(ctx, r)
			if err != nil {
				return err
			}
			return h.steer(ctx, p, g)
		})
	}
}

// task does something that takes a while beside what comes next.
func (h *hand) task(ctx context.Context, do func(context.Context) error) {
	select {
	case h.tasks <- struct{}{}:
	default:
		h.reply(reply{Type: "notice", Text: "The browser is busy."})
		return
	}
	h.session.sockets.Go(func() {
		defer func() { <-h.tasks }()
		ctx, cancel := context.WithTimeout(ctx, taskTime)
		defer cancel()
		if err := do(ctx); err != nil && ctx.Err() == nil {
			h.reply(reply{Type: "notice", Text: "The browser could not do that."})
		}
	})
}

// steer does what concerns the page as a whole.
func (h *hand) steer(ctx context.Context, p *shown, g *gesture) (err error) {
	switch g.Type {
	case "go":
		address, wrong := goal(g.Address)
		if wrong != "" {
			h.reply(reply{Type: "notice", Text: wrong})
			return nil
		}
		went, failed := protocol.Call(ctx, p.session, page.Navigate, page.NavigateParams{URL: address})
		if failed == nil && went.IsDownload {
			h.reply(reply{Type: "notice", Text: "That is a file, and files cannot be downloaded here."})
		}
		return failed
	case "back":
		err = h.travel(ctx, p, -1)
	case "forward":
		err = h.travel(ctx, p, 1)
	case "reload":
		_, err = protocol.Call(ctx, p.session, page.Reload, page.ReloadParams{})
	case "stop":
		_, err = protocol.Call(ctx, p.session, page.StopLoading, protocol.Empty{})
	case "dialog":
		// Somebody else may have been faster.
		_, _ = protocol.Call(ctx, p.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: g.Accept, PromptText: clip(g.Text, mostDialog)})
	case "copy":
		h.reply(reply{Type: "copied", Text: selection(ctx, p)})
	case "choose":
		err = choose(ctx, p, g.Index)
	}
	return err
}

func (h *hand) travel(ctx context.Context, p *shown, steps int64) error {
	history, err := protocol.Call(ctx, p.session, page.GetNavigationHistory, protocol.Empty{})
	if err != nil {
		return err
	}
	if entry, ok := step(history, steps); ok {
		_, err = protocol.Call(ctx, p.session, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry})
	}
	return err
}

// schemed tells "mailto:x" and "https://x" from "host:8080/path".
var schemed = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:(//|[^0-9]|$)`)

// bare is what has no certificate as a rule, and what browsers ask without
// encryption: addresses in numbers, names without dots, and ports.
var bare = regexp.MustCompile(`^([0-9.]+|\[[^\]]*\]|[^./?#]+|[^/?#]*:[0-9]+)([/?#]|$)`)

// goal reads what somebody typed into the address bar. Only addresses of the web
// are taken; wrong says what is wrong with others.
func goal(typed string) (address, wrong string) {
	typed = strings.TrimSpace(typed)
	if len(typed) > 8<<10 {
		return "", "That address is too long."
	}
	if !schemed.MatchString(typed) {
		typed = strings.TrimPrefix(typed, "//")
		scheme := "https://"
		if bare.MatchString(typed) {
			scheme = "http://"
		}
		typed = scheme + typed
	}
	address, err := trawl.ParseTarget(typed)
	switch err {
	case nil:
		return address, ""
	case trawl.ErrURLProtocol:
		return "", "Only http and https addresses can be opened."
	}
	return "", "That is not the address of a page."
}

// gesture passes a gesture to the page. While a dialog is open the page takes none,
// and what it does not take in time is lost.
func (h *hand) gesture(ctx context.Context, g *gesture) {
	c := &h.session.cast
	c.mu.Lock()
	p := c.page
	ready := p != nil && p.picture != nil && p.dialog == nil && !p.stuck && !p.crashed
	var seen *picture
	if ready {
		seen = p.picture
	}
	c.mu.Unlock()
	if !ready {
		return
	}
	method, params := g.event(seen.width, seen.height)
	if method == "" {
		return
	}
	select {
	case h.gestures <- struct{}{}:
	default:
		return
	}
	ctx, cancel := context.WithTimeout(ctx, gestureTime)
	answer := p.session.Send(ctx, method, params) // in order
	h.session.sockets.Go(func() {
		defer cancel()
		err := answer(nil)
		<-h.gestures
		if err == nil && g.opensLists() {
			if options := list(ctx, p); len(options) > 0 {
				h.reply(reply{Type: "list", Options: options})
			}
		}
	})
}

// opensLists reports whether a list may have dropped down.
func (g *gesture) opensLists() bool {
	return g.Kind == "up" && (g.Type == "mouse" && g.Button == 0 || g.Type == "key" && g.Key == " ")
}

// event is a gesture as the browser wants to be told of it, on a page of which
// width and height are seen. The method is empty if it is none.
func (g *gesture) event(width, height float64) (method string, params any) {
	switch g.Type {
	case "mouse", "wheel":
		return g.mouse(width, height)
	case "key":
		return g.stroke()
	case "text":
		if g.Text != "" {
			return input.CommandInsertText, input.InsertTextParams{Text: strings.ToValidUTF8(g.Text, "\uFFFD")}
		}
	}
	return "", nil
}

const allModifiers, allButtons = 1 | 2 | 4 | 8, 1 | 2 | 4 | 8 | 16

func (g *gesture) mouse(width, height float64) (string, any) {
	event := input.DispatchMouseEventParams{
		X: min(max(g.X, 0), 1) * (width - 1), Y: min(max(g.Y, 0), 1) * (height - 1),
		Modifiers: g.Modifiers & allModifiers, Buttons: g.Buttons & allButtons, Button: input.MouseButtonNone,
	}
	switch {
	case g.Type == "wheel":
		event.Type = input.DispatchMouseEventTypeMouseWheel
		return input.CommandDispatchMouseEvent, turn{event, min(max(g.DX, -mostWheel), mostWheel), min(max(g.DY, -mostWheel), mostWheel)}
	case g.Kind == "move":
		event.Type = input.DispatchMouseEventTypeMouseMoved
		event.Button = heldButton(event.Buttons)
		return input.CommandDispatchMouseEvent, event
	case g.Kind == "down":
		event.Type = input.DispatchMouseEventTypeMousePressed
	case g.Kind == "up":
		event.Type = input.DispatchMouseEventTypeMouseReleased
	default:
		return "", nil
	}
	names := []input.MouseButton{input.MouseButtonLeft, input.MouseButtonMiddle, input.MouseButtonRight, input.MouseButtonBack, input.MouseButtonForward}
	if g.Button < 0 || g.Button >= len(names) {
		return "", nil
	}
	event.Button, event.ClickCount = names[g.Button], min(max(g.Clicks, 1), 3)
	return input.CommandDispatchMouseEvent, event
}

// turn is an event of the wheel, which must have both numbers even if they are zero.
type turn struct {
	input.DispatchMouseEventParams
	DeltaX float64 `json:"deltaX"`
	DeltaY float64 `json:"deltaY"`
}

// heldButton names the button with which something is dragged.
func heldButton(buttons int64) input.MouseButton {
	switch {
	case buttons&1 != 0:
		return input.MouseButtonLeft
	case buttons&2 != 0:
		return input.MouseButtonRight
	case buttons&4 != 0:
		return input.MouseButtonMiddle
	}
	return input.MouseButtonNone
}

func (g *gesture) stroke() (string, any) {
	if g.Key == "" || len(g.Key) > mostKey || len(g.Code) > mostKey || len(g.Text) > mostKey || !utf8.ValidString(g.Key+g.Code+g.Text) {
		return "", nil
	}
	event := input.DispatchKeyEventParams{
		Key: g.Key, Code: g.Code, WindowsVirtualKeyCode: min(max(g.KeyCode, 0), 255), Modifiers: g.Modifiers & allModifiers,
		AutoRepeat: &g.Repeat,
	}
	switch g.Location { // the sides of the keyboard, and the pad on its right
	case 1, 2:
		event.Location = g.Location
	case 3:
		event.IsKeypad = new(true)
	}
	switch {
	case g.Kind == "up":
		event.Type = input.DispatchKeyEventTypeKeyUp
	case g.Kind != "down":
		return "", nil
	case g.Text == "":
		event.Type = input.DispatchKeyEventTypeRawKeyDown
	default:
		event.Type = input.DispatchKeyEventTypeKeyDown
		event.Text, event.UnmodifiedText = g.Text, g.Text
	}
	return input.CommandDispatchKeyEvent, event
}
