package session

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// What is done in a view, and what the browser is told, on a page of 1001 × 501.
func TestGestures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ gesture, method, params string }{
		{`{"type":"mouse","kind":"move","x":0.5,"y":0.25}`, "Input.dispatchMouseEvent", `{"type":"mouseMoved","x":500,"y":125,"button":"none"}`},
		{`{"type":"mouse","kind":"move","x":0.5,"y":0.25,"buttons":1}`, "Input.dispatchMouseEvent", `{"type":"mouseMoved","x":500,"y":125,"button":"left","buttons":1}`},
		{`{"type":"mouse","kind":"down","x":-7,"y":1e300,"button":0,"buttons":1,"clicks":2,"modifiers":8}`, "Input.dispatchMouseEvent",
			`{"type":"mousePressed","x":0,"y":500,"modifiers":8,"button":"left","buttons":1,"clickCount":2}`},
		{`{"type":"mouse","kind":"up","x":1,"y":1,"button":2,"clicks":-5,"modifiers":4096,"buttons":4096}`, "Input.dispatchMouseEvent",
			`{"type":"mouseReleased","x":1000,"y":500,"button":"right","clickCount":1}`},
		{`{"type":"mouse","kind":"down","button":9}`, "", ""},
		{`{"type":"mouse","kind":"down","button":-1}`, "", ""},
		{`{"type":"mouse","kind":"explode"}`, "", ""},
		{`{"type":"wheel","x":0,"y":0,"dx":0,"dy":120}`, "Input.dispatchMouseEvent", `{"type":"mouseWheel","x":0,"y":0,"button":"none","deltaX":0,"deltaY":120}`},
		{`{"type":"wheel","x":0,"y":0,"dx":-1e9,"dy":0}`, "Input.dispatchMouseEvent", `{"type":"mouseWheel","x":0,"y":0,"button":"none","deltaX":-10000,"deltaY":0}`},
		{`{"type":"key","kind":"down","key":"a","code":"KeyA","keyCode":65,"text":"a"}`, "Input.dispatchKeyEvent",
			`{"type":"keyDown","text":"a","unmodifiedText":"a","code":"KeyA","key":"a","windowsVirtualKeyCode":65,"autoRepeat":false}`},
		{`{"type":"key","kind":"down","key":"a","code":"KeyA","keyCode":65,"modifiers":2}`, "Input.dispatchKeyEvent",
			`{"type":"rawKeyDown","modifiers":2,"code":"KeyA","key":"a","windowsVirtualKeyCode":65,"autoRepeat":false}`},
		{`{"type":"key","kind":"down","key":"Shift","code":"ShiftRight","keyCode":16,"location":2,"repeat":true}`, "Input.dispatchKeyEvent",
			`{"type":"rawKeyDown","code":"ShiftRight","key":"Shift","windowsVirtualKeyCode":16,"autoRepeat":true,"location":2}`},
		{`{"type":"key","kind":"up","key":"5","code":"Numpad5","keyCode":101,"location":3,"text":"5"}`, "Input.dispatchKeyEvent",
			`{"type":"keyUp","code":"Numpad5","key":"5","windowsVirtualKeyCode":101,"autoRepeat":false,"isKeypad":true}`},
		{`{"type":"key","kind":"down","key":"` + strings.Repeat("a", 33) + `"}`, "", ""},
		{`{"type":"key","kind":"down","key":""}`, "", ""},
		{`{"type":"key","kind":"press","key":"a"}`, "", ""},
		{`{"type":"text","text":"日本"}`, "Input.insertText", `{"text":"日本"}`},
		{`{"type":"text","text":""}`, "", ""},
		{`{"type":"go"}`, "", ""},
	} {
		var g gesture
		if err := json.Unmarshal([]byte(test.gesture), &g); err != nil {
			t.Fatal(err)
		}
		method, params := g.event(1001, 501)
		var text []byte
		if method != "" {
			text, _ = jsonv2.Marshal(params)
		}
		if method != test.method || !sameJSON(string(text), test.params) {
			t.Errorf("%s:\n got %s %s\nwant %s %s", test.gesture, method, text, test.method, test.params)
		}
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	first, _ := json.Marshal(x)
	second, _ := json.Marshal(y)
	return string(first) == string(second)
}

// Whatever a view sends, the browser is told something that is within the page.
func FuzzGesture(f *testing.F) {
	f.Add(`{"type":"mouse","kind":"down","x":0.5,"y":0.25,"button":1,"clicks":2}`)
	f.Add(`{"type":"wheel","x":-1,"y":2,"dx":1e308,"dy":-1e308}`)
	f.Add(`{"type":"key","kind":"down","key":"\ud800","text":"\u0000","keyCode":-1}`)
	f.Add(`{"type":"text","text":"\ud800"}`)
	f.Fuzz(func(t *testing.T, data string) {
		var g gesture
		if json.Unmarshal([]byte(data), &g) != nil {
			return
		}
		method, params := g.event(800, 600)
		if method == "" {
			return
		}
		text, err := jsonv2.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		var told struct {
			X, Y, DeltaX, DeltaY  float64
			Modifiers, ClickCount int64
			Key                   string
		}
		if err := json.Unmarshal(text, &told); err != nil {
			t.Fatal(err)
		}
		if told.X < 0 || told.X > 799 || told.Y < 0 || told.Y > 599 || math.Abs(told.DeltaX) > mostWheel || math.Abs(told.DeltaY) > mostWheel ||
			told.Modifiers < 0 || told.Modifiers > 15 || told.ClickCount < 0 || told.ClickCount > 3 || len(told.Key) > mostKey {
			t.Errorf("%s: %s", data, text)
		}
	})
}

func TestGoal(t *testing.T) {
	t.Parallel()
	const scheme, address = "Only http and https addresses can be opened.", "That is not the address of a page."
	for _, test := range []struct{ typed, address, wrong string }{
		{"example.com", "https://example.com/", ""},
		{"example.com/a:80", "https://example.com/a:80", ""},
		{" example.com:8080/a b?c#d ", "http://example.com:8080/a%20b?c#d", ""},
		{"192.0.2.1/x", "http://192.0.2.1/x", ""},
		{"[2001:db8::1]", "http://[2001:db8::1]/", ""},
		{"//example.com/x", "https://example.com/x", ""},
		{"http://127.0.0.1:3000/", "http://127.0.0.1:3000/", ""},
		{"HTTPS://EXAMPLE.com", "https://example.com/", ""},
		{"localhost:3000", "http://localhost:3000/", ""},
		{"javascript:alert(1)", "", scheme},
		{" JavaScript:alert(1)", "", scheme},
		{"java\nscript:alert(1)", "", address},
		{"file:///etc/passwd", "", scheme},
		{"chrome://settings", "", scheme},
		{"view-source:https://example.com", "", scheme},
		{"data:text/html,x", "", scheme},
		{"about:blank", "", scheme},
		{"mailto:a@example.com", "", scheme},
		{"", "", address},
		{"hello world", "", address},
		{"https://", "", address},
		{"example.com/" + strings.Repeat("a", 10_000), "", "That address is too long."},
	} {
		if got, wrong := goal(test.typed); got != test.address || wrong != test.wrong {
			t.Errorf("%.40q: %q, %q", test.typed, got, wrong)
		}
	}
}

// No text leads anywhere but to the web.
func FuzzGoal(f *testing.F) {
	f.Add("example.com")
	f.Add("java\tscript:alert(1)")
	f.Add("\x01file:///etc/passwd")
	f.Fuzz(func(t *testing.T, typed string) {
		if got, wrong := goal(typed); wrong == "" && !strings.HasPrefix(got, "https://") && !strings.HasPrefix(got, "http://") {
			t.Errorf("%q leads to %q", typed, got)
		}
	})
}
