package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/internal/testtime"
)

func wait(selector string) trawl.Action {
	return trawl.Action{Type: trawl.ActionWait, Selector: selector}
}
func click(selector string) trawl.Action {
	return trawl.Action{Type: trawl.ActionClick, Selector: selector}
}
func clickAll(selector string) trawl.Action {
	return trawl.Action{Type: trawl.ActionClick, Selector: selector, All: true}
}
func write(text string) trawl.Action { return trawl.Action{Type: trawl.ActionWrite, Text: text} }
func press(key string) trawl.Action  { return trawl.Action{Type: trawl.ActionPress, Key: key} }
func execute(script string) trawl.Action {
	return trawl.Action{Type: trawl.ActionJavaScript, Script: script}
}
func scroll(direction, selector string) trawl.Action {
	return trawl.Action{Type: trawl.ActionScroll, Direction: direction, Selector: selector}
}

// logging is a page that writes down what it notices, in a list that is easily
// read from its HTML.
const logging = `<!doctype html><meta charset=utf-8><title>Log</title><pre id=log style="height:1em;margin:0;overflow:hidden"></pre>
	<script>const note = text => { log.textContent += '[' + text + ']' }</script>`

// workshop is the site that actions are tried on. The paths below /slow/ answer
// late, and /slow/drip ends late as well.
func workshop(t *testing.T) string {
	t.Helper()
	pages := map[string]string{
		"/buttons": logging + `
			<button id=plain ontouchstart="note('touch')" onclick="note('plain ' + event.isTrusted)">one</button>
			<button class=many onclick="note('m1')">1</button><button class=many onclick="note('m2')">2</button>
			<button class=many onclick="this.nextElementSibling.remove(); note('m3')">3</button><button class=many onclick="note('m4')">4</button>
			<div style="height:3000px"></div>
			<div style="position:relative"><button id=covered onclick="note('covered')">c</button><div style="position:absolute;inset:0;z-index:1"></div></div>
			<button id=hidden style="display:none" onclick="note('hidden')">h</button>
			<svg width=50 height=50><circle id=round cx=25 cy=25 r=20 onclick="note('round ' + event.isTrusted)"></circle></svg>
			<select id=choice onchange="note(this.value)"><option>red<option>green<option>blue</select>
			<button id=remover onclick="this.remove(); note('removed')">r</button>`,
		"/late": logging + `<div id=box></div><script>
			setTimeout(() => { box.innerHTML = '<button id=late onclick="note(\'late\')">late</button><p id=shy hidden>shy</p>' }, 700);
			setTimeout(() => { shy.hidden = false; note('shown') }, 1200)</script>`,
		"/links": `<title>Links</title><a id=here href=/next>next</a><a id=blank href=/next target=_blank>next</a>
			<a id=slow href=/slow/next>slow</a><button id=hesitant onclick="setTimeout(() => location.href = '/slow/drip', 50)">wait</button><form action=/next target=other><button id=submit>go</button></form>`,
		"/next":      `<title>Next</title><p id=arrived>next page</p>`,
		"/slow/next": `<title>Slow</title><p id=arrived>slow page</p>`,
		"/form": logging + `<form onsubmit="event.preventDefault(); note('sent ' + field.value)"><input id=field><input id=mute readonly><button>send</button></form>
			<textarea id=area></textarea><div id=rich contenteditable></div><button id=button>b</button><custom-box></custom-box>
			<script>
				for (const kind of ['keydown', 'keyup']) field.addEventListener(kind, e => note(kind + ' ' + e.key + ' ' + e.code + ' ' + e.keyCode));
				area.addEventListener('input', () => area.dataset.value = area.value);
				field.addEventListener('input', () => field.dataset.value = field.value);
				const root = document.querySelector('custom-box').attachShadow({mode: 'open'});
				root.innerHTML = '<input>';
				root.firstChild.addEventListener('input', e => note('shadow ' + e.target.value));
			</script>`,
		"/keys": logging + `<script>addEventListener('keydown', e => {
				if (['Tab', 'F5'].includes(e.key)) e.preventDefault();
				note([e.ctrlKey && 'C', e.altKey && 'A', e.metaKey && 'M', e.shiftKey && 'S', e.key, e.code, e.keyCode].filter(Boolean).join(' '));
			})</script>`,
		"/tall": logging + `<div style="height:20000px"></div><div id=inner style="height:200px;overflow:auto"><div style="height:5000px"></div></div>
			<p id=bottom>bottom</p><script>
				addEventListener('scroll', () => note('y ' + Math.round(scrollY / innerHeight * 10)));
				inner.addEventListener('scroll', () => note('inner ' + inner.scrollTop));
				new IntersectionObserver(list => list[0].isIntersecting && note('bottom')).observe(bottom);
			</script>`,
		"/pane": logging + `<style>html,body{margin:0;height:100%;overflow:hidden}main{height:100%;overflow-y:auto}</style>
			<main id=main><div style="height:9000px"></div></main><script>main.addEventListener('scroll', () => note('main ' + (main.scrollTop > 0)))</script>`,
		"/strict": `<meta http-equiv=Content-Security-Policy content="script-src 'none'; require-trusted-types-for 'script'"><title>Strict</title>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/slow/") {
			pause(r.Context())
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/slow/drip" {
			_, _ = io.WriteString(w, "<title>Drip</title>"+strings.Repeat("<p>early</p>\n", 500))
			_ = http.NewResponseController(w).Flush()
			pause(r.Context())
			_, _ = io.WriteString(w, "<p>and late</p>")
		}
		_, _ = io.WriteString(w, pages[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// pause is what makes an answer late.
func pause(ctx context.Context) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), workshop(t)
	long := strings.Repeat("long text ", 30)
	for _, c := range []struct {
		name, path string
		actions    []trawl.Action
		want       []string // in the HTML, in this order
		not        []string
		mobile     bool
	}{
		{name: "click", path: "/buttons", actions: []trawl.Action{click("#plain")}, want: []string{"[plain true]"}},
		{name: "first", path: "/buttons", actions: []trawl.Action{click(".many")}, want: []string{"[m1]"}, not: []string{"[m2]"}},
		{name: "all", path: "/buttons", actions: []trawl.Action{clickAll(".many")}, want: []string{"[m1]", "[m2]", "[m3]"}, not: []string{"[m4]"}},
		{name: "covered", path: "/buttons", actions: []trawl.Action{click("#covered")}, want: []string{"[covered]"}},
		{name: "hidden", path: "/buttons", actions: []trawl.Action{click("#hidden")}, want: []string{"[hidden]"}},
		{name: "drawing", path: "/buttons", actions: []trawl.Action{click("#round")}, want: []string{"[round true]"}},
		{name: "option", path: "/buttons", actions: []trawl.Action{click("#choice option:nth-child(3)")}, want: []string{"[blue]"}},
		{name: "select by key", path: "/buttons", actions: []trawl.Action{click("#choice"), press("ArrowDown")}, want: []string{"[green]"}},
		{name: "after a select", path: "/buttons", actions: []trawl.Action{click("#choice"), click("#plain")}, want: []string{"[plain true]"}},
		{name: "vanishing", path: "/buttons", actions: []trawl.Action{click("#remover")}, want: []string{"[removed]"}},
		{name: "finger", path: "/buttons", actions: []trawl.Action{click("#plain"), click("#round")}, want: []string{"[touch][plain true][round true]"}, mobile: true},
		{name: "late element", path: "/late", actions: []trawl.Action{click("#late")}, want: []string{"[late]"}},
		{name: "wait to be seen", path: "/late", actions: []trawl.Action{wait("#shy")}, want: []string{"[shown]"}},
		{name: "wait for what is never seen", path: "/late", actions: []trawl.Action{wait("title")}, want: []string{"<title>Log"}},
		{name: "wait a time", path: "/late", actions: []trawl.Action{{Type: trawl.ActionWait, Milliseconds: 1500}}, want: []string{"[shown]"}},
		{name: "link", path: "/links", actions: []trawl.Action{click("#here")}, want: []string{"next page"}},
		{name: "link to another window", path: "/links", actions: []trawl.Action{click("#blank")}, want: []string{"next page"}},
		{name: "slow link", path: "/links", actions: []trawl.Action{click("#slow")}, want: []string{"slow page"}},
		{name: "link that hesitates", path: "/links", actions: []trawl.Action{click("#hesitant")}, want: []string{"early", "and late"}},
		{name: "form to another window", path: "/links", actions: []trawl.Action{click("#submit")}, want: []string{"next page"}},
		{name: "write", path: "/form", actions: []trawl.Action{click("#field"), write("aZ é\n")},
			want: []string{"[keydown a KeyA 65][keyup a KeyA 65][keydown Z KeyZ 90]", "[keydown   Space 32]", "[keydown é  0]", "[keydown Enter Enter 13]", "[sent aZ é]"}},
		{name: "write signs", path: "/form", actions: []trawl.Action{click("#field"), write(`5%~"日本😀`)},
			want: []string{"[keydown % Digit5 53]", "[keydown ~ Backquote 192]", `data-value="5%~&quot;日本😀"`}},
		{name: "write lines", path: "/form", actions: []trawl.Action{click("#area"), write("one\r\ntwo\nthree")}, want: []string{"data-value=\"one\ntwo\nthree\""}},
		{name: "write much", path: "/form", actions: []trawl.Action{click("#area"), write(long + "\n" + long)}, want: []string{"data-value=\"" + long + "\n" + long + "\""}},
		{name: "write richly", path: "/form", actions: []trawl.Action{click("#rich"), write("rich")}, want: []string{"contenteditable=\"\">rich</div>"}},
		{name: "write into a shadow", path: "/form", actions: []trawl.Action{click("custom-box"), write("dim")}, want: []string{"[shadow dim]"}},
		{name: "replace", path: "/form", actions: []trawl.Action{click("#area"), write("old"), press("Control+A"), write("new")}, want: []string{`data-value="new"`}},
		{name: "erase", path: "/form", actions: []trawl.Action{click("#area"), write("abc"), press("Backspace"), press("Home"), press("Delete")}, want: []string{`data-value="b"`}},
		{name: "tab on", path: "/form", actions: []trawl.Action{click("#mute"), press("Shift+Tab"), write("on")}, want: []string{`data-value="on"`}},
		{name: "keys", path: "/keys", actions: []trawl.Action{press("Escape"), press("tab"), press("ArrowDown"), press("F5"), press("Space"), press("a"), press("+"), press("Control++"), press("Ctrl+Shift+k"), press("Shift+1")},
			want: []string{"[Escape Escape 27][Tab Tab 9][ArrowDown ArrowDown 40][F5 F5 116][  Space 32][a KeyA 65][S + Equal 187]",
				"[C Control ControlLeft 17][C S + Equal 187]", "[C Control ControlLeft 17][C S Shift ShiftLeft 16][C S K KeyK 75]", "[S Shift ShiftLeft 16][S ! Digit1 49]"}},
		{name: "scroll down", path: "/tall", actions: []trawl.Action{scroll("", ""), scroll("down", "")}, want: []string{"[y 10][y 20]"}, not: []string{"[bottom]"}},
		{name: "scroll up", path: "/tall", actions: []trawl.Action{scroll("down", ""), scroll("up", "")}, want: []string{"[y 10][y 0]"}},
		{name: "scroll an element", path: "/tall", actions: []trawl.Action{scroll("down", "#inner"), scroll("down", "#inner"), scroll("up", "#inner")}, want: []string{"[inner 200][inner 400][inner 200]"}},
		{name: "scroll into view", path: "/tall", actions: []trawl.Action{scroll("down", "#bottom")}, want: []string{"[bottom]"}},
		{name: "scroll what fills the page", path: "/pane", actions: []trawl.Action{scroll("down", "")}, want: []string{"[main true]"}},
		{name: "script that leaves", path: "/links", actions: []trawl.Action{execute("location.href = '/slow/next'")}, want: []string{"slow page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			result, err := pool.Render(testtime.Context(t), Request{URL: base + c.path, Actions: c.actions, Mobile: c.mobile})
			if err != nil {
				t.Fatal(err)
			}
			rest := result.HTML
			for _, want := range c.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %q in\n%s", want, result.HTML)
				}
				rest = after
			}
			for _, not := range c.not {
				if strings.Contains(result.HTML, not) {
					t.Errorf("unexpected %q in\n%s", not, result.HTML)
				}
			}
		})
	}
}

// What an action asks the network for is there when it is done, however the
// page is otherwise: an image of this one never comes.
func TestActionsAwaitRequests(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><title>Asks</title><img src=/hang><input id=field><button id=get onclick="get()">get</button><p id=p></p>
		<div style="height:5000px"></div><script>
			const ask = async address => (await fetch(address)).text();
			const get = async () => p.append(await ask('/after' + location.search));
			const chain = async () => { for (let i = 0; i < 3; i++) await ask('/after?200ms'); await new Promise(r => setTimeout(r, 50)); get() };
			addEventListener('scroll', get, {once: true});
			field.addEventListener('change', get);
		</script>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/hang":
			<-r.Context().Done()
		case "/bounce":
			http.Redirect(w, r, "/after?200ms", http.StatusFound)
		case "/after":
			late, _ := time.ParseDuration(r.URL.RawQuery)
			select {
			case <-time.After(late):
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "It is here")
		default:
			_, _ = io.WriteString(w, page)
		}
	}))
	pool := newPool(t, func(c *Config) { c.Pages = 8 })
	pool.patience.settle = slower(t, pool, time.Second) // the image is not waited for
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	for _, c := range []struct {
		name    string
		actions []trawl.Action
	}{
		{"click", []trawl.Action{click("#get")}},
		{"key", []trawl.Action{click("#field"), write("x"), press("Enter")}},
		{"text", []trawl.Action{click("#field"), write("x\n")}},
		{"scroll", []trawl.Action{scroll("down", "")}},
		{"script", []trawl.Action{execute("get(); 1")}},
		{"chain", []trawl.Action{execute("chain(); 1")}},
		{"redirect", []trawl.Action{execute("ask('/bounce').then(text => p.append(text)); 1")}},
	} {
		for _, late := range []string{"200ms", "500ms", "1s"} {
			t.Run(c.name+" "+late, func(t *testing.T) {
				t.Parallel()
				result, err := pool.Render(testtime.Context(t), Request{URL: server.URL + "/?" + late, Actions: c.actions})
				if err != nil || !strings.Contains(result.HTML, ">It is here</p>") {
					t.Errorf("%v: %+v", err, result)
				}
			})
		}
	}
	t.Run("what hangs from before", func(t *testing.T) {
		t.Parallel()
		actions := slices.Repeat([]trawl.Action{execute("1")}, 30) // far more than could each wait for the image
		if _, err := pool.Render(testtime.Context(t), Request{URL: server.URL, Actions: actions}); err != nil {
			t.Error(err)
		}
	})
}

// A form that is sent leads to the page that answers, whichever way it is sent.
func TestActionsSendForms(t *testing.T) {
	t.Parallel()
	base := site(t, map[string]string{
		"/form":   "<title>Form</title><form action=/answer><input name=a value=b><button id=send>Send</button></form>",
		"/script": "<title>Form</title><form action=/answer onsubmit='event.preventDefault(); setTimeout(() => this.submit(), 50)'><input name=a value=b><button id=send>Send</button></form>",
		"/answer": "<title>Answer</title>",
	})
	pool := newPool(t)
	for path, tries := range map[string]int{"/form": 20, "/script": 5} {
		for way, send := range map[string]trawl.Action{"click": click("#send"), "key": press("Enter")} {
			for i := range tries {
				t.Run(fmt.Sprintf("%s %s %d", path, way, i), func(t *testing.T) {
					t.Parallel()
					actions := []trawl.Action{click("input"), send, {Type: trawl.ActionScrape}}
					result, err := pool.Render(testtime.Context(t), Request{URL: base + path, Actions: actions})
					if err != nil {
						t.Fatal(err)
					}
					if got := result.Outcome.Scrapes[0]; got.URL != base+"/answer?a=b" || !strings.Contains(got.HTML, "Answer") {
						t.Errorf("it led to %+v", got)
					}
				})
			}
		}
	}
}

// A page that is busy for ever is told from one that lacks what is looked for.
func TestActionsInSpinningPage(t *testing.T) {
	t.Parallel()
	base := site(t, map[string]string{"/": "<title>Spins</title><h1>Here</h1><script>onload = () => setTimeout(() => { for (;;); })</script>"})
	pool := newPool(t)
	pool.patience.settle = slower(t, pool, time.Second)
	timeout := 8 * pool.patience.settle
	for _, action := range []trawl.Action{click("h1"), wait("h1"), scroll("down", "h1"), scroll("down", ""), press("a"), execute("1")} {
		t.Run(action.Type+action.Selector, func(t *testing.T) {
			t.Parallel()
			_, err := pool.Render(within(t, timeout), Request{URL: base, Actions: []trawl.Action{action}})
			want := "actions.0 (" + action.Type + "): the page does not respond"
			if public, ok := errors.AsType[*trawl.Error](err); !ok || public.Message != want {
				t.Errorf("error = %v, want %s", err, want)
			}
		})
	}
}

func TestFailingActions(t *testing.T) {
	t.Parallel()
	pace := slower(t, newPool(t), time.Second)
	pool, base := newPool(t, func(c *Config) { c.Patience = chromium.Patience(pace.Seconds()) }), workshop(t)
	honest(t, pool) // a browser that is to be started first is no part of a timeout
	for _, c := range []struct {
		name, path string
		actions    []trawl.Action
		timeout    time.Duration // 0 means as long as it takes
		want       string
	}{
		{name: "nothing matches", path: "/next", actions: []trawl.Action{press("a"), press("b"), click("#nope")}, want: `actions.2 (click): no element matches "#nope"`},
		{name: "bad selector", path: "/next", actions: []trawl.Action{click("a[")}, want: `actions.0 (click): "a[" is not a valid selector`},
		{name: "bad selector to wait for", path: "/next", actions: []trawl.Action{wait("::: x")}, want: `actions.0 (wait): "::: x" is not a valid selector`},
		{name: "bad selector to scroll", path: "/next", actions: []trawl.Action{scroll("", "<>")}, want: `actions.0 (scroll): "<>" is not a valid selector`},
		{name: "wait in vain", path: "/next", actions: []trawl.Action{wait("#never")}, timeout: 6 * pace, want: `actions.0 (wait): no visible element matches "#never"`},
		{name: "wait for the hidden", path: "/buttons", actions: []trawl.Action{wait("#hidden")}, timeout: 6 * pace, want: `actions.0 (wait): no visible element matches "#hidden"`},
		{name: "nothing to scroll", path: "/next", actions: []trawl.Action{scroll("down", "#nope")}, want: `actions.0 (scroll): no element matches "#nope"`},
		{name: "no focus", path: "/form", actions: []trawl.Action{write("x")}, want: "actions.0 (write): nothing that can be written into has the focus; a click on it must come first"},
		{name: "focus on a button", path: "/form", actions: []trawl.Action{click("#button"), write("x")}, want: "actions.1 (write): nothing that can be written into has the focus; a click on it must come first"},
		{name: "read only", path: "/form", actions: []trawl.Action{click("#mute"), write("x")}, want: "actions.1 (write): nothing that can be written into has the focus; a click on it must come first"},
		{name: "unknown key", path: "/next", actions: []trawl.Action{press("Enterr")}, want: `actions.0 (press): there is no key "Enterr"`},
		{name: "unknown modifier", path: "/next", actions: []trawl.Action{press("Hyper+A")}, want: `actions.0 (press): there is no key "Hyper+A"`},
		{name: "throws", path: "/next", actions: []trawl.Action{execute("throw new TypeError('mine')")}, want: "actions.0 (executeJavascript): the script failed: TypeError: mine"},
		{name: "throws a string", path: "/next", actions: []trawl.Action{execute("Promise.reject('word')")}, want: "actions.0 (executeJavascript): the script failed: word"},
		{name: "throws what has no text", path: "/next", actions: []trawl.Action{execute("throw Object.create(null)")}, want: "actions.0 (executeJavascript): the script failed: an error without a message"},
		{name: "not a script", path: "/next", actions: []trawl.Action{execute("let = = 1")}, want: "actions.0 (executeJavascript): the script failed: SyntaxError: Unexpected token '='"},
		{name: "large value", path: "/next", actions: []trawl.Action{execute("'x'.repeat(2 ** 20)")}, want: "actions.0 (executeJavascript): the script's value is larger than 1 MiB"},
		{name: "enormous value", path: "/next", actions: []trawl.Action{execute("'x'.repeat(2 ** 29 - 100)")}, want: "actions.0 (executeJavascript): the script's value is larger than 1 MiB"},
		{name: "forged value", path: "/next", actions: []trawl.Action{execute("JSON.stringify = () => 'no JSON'; 'x'")}, want: "actions.0 (executeJavascript): the script's value cannot be read"},
		{name: "endless script", path: "/next", actions: []trawl.Action{execute("for (;;);")}, timeout: 6 * pace, want: "actions.0 (executeJavascript): the script did not end in time"},
		{name: "endless promise", path: "/next", actions: []trawl.Action{execute("new Promise(() => {})")}, timeout: 6 * pace, want: "actions.0 (executeJavascript): the script did not end in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.timeout == 0 {
				c.timeout = testtime.Limit(t)
			}
			_, err := pool.Render(within(t, c.timeout), Request{URL: base + c.path, Actions: c.actions})
			public, ok := errors.AsType[*trawl.Error](err)
			if !ok || public.Code != trawl.CodeAction || public.Message != c.want {
				t.Fatalf("error = %v, want %s", err, c.want)
			}
			path := []any{"actions", len(c.actions) - 1}
			if len(public.Issues) != 1 || public.Issues[0].Code != "action_failed" || !reflect.DeepEqual(public.Issues[0].Path, path) {
				t.Errorf("issues = %+v", public.Issues)
			}
		})
	}
	t.Run("the next works", func(t *testing.T) {
		if _, err := pool.Render(testtime.Context(t), Request{URL: base + "/next"}); err != nil {
			t.Error(err)
		}
	})
}

func TestActionOutOfTime(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), workshop(t)
	_, err := pool.Render(within(t, 6*time.Second), Request{URL: base + "/next", Actions: []trawl.Action{{Type: trawl.ActionWait, Milliseconds: 60_000}}})
	if trawl.ErrorCode(err) != trawl.CodeTimeout || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
}

func TestExecute(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), workshop(t)
	cases := []struct{ script, kind, value string }{
		{"document.title", "string", `"Strict"`},
		{"document.title;\n", "string", `"Strict"`},
		{"document.title // with a comment", "string", `"Strict"`},
		{"return document.title", "string", `"Strict"`},
		{"const a = 1; a + 1", "number", "2"},
		{"const a = 1; a + 2", "number", "3"},
		{"if (true) { 'branch' }", "string", `"branch"`},
		{"const a = 1; return a", "number", "1"},
		{"const a = await (Promise.resolve(5)); return a", "number", "5"},
		{"await (Promise.resolve(6))", "number", "6"},
		{"Promise.resolve([1, 'b'])", "array", `[1,"b"]`},
		{"(async () => { return {a: 1} })()", "object", `{"a":1}`},
		{"async () => 1", "function", "null"},
		{"{a: 1}", "object", `{"a":1}`},
		{"var kept = 7; kept", "number", "7"},
		{"kept + 1", "number", "8"},
		{"null", "null", "null"},
		{"undefined", "undefined", "null"},
		{"const silent = 1", "undefined", "null"},
		{"true", "boolean", "true"},
		{"Symbol('s')", "symbol", "null"},
		{"10n ** 30n", "bigint", `"1000000000000000000000000000000"`},
		{"NaN", "number", `"NaN"`},
		{"-Infinity", "number", `"-Infinity"`},
		{"-0", "number", `"-0"`},
		{"0.1 + 0.2", "number", "0.30000000000000004"},
		{"new Date(0)", "object", `"1970-01-01T00:00:00.000Z"`},
		{"'\\u2028 \\ud800 \"'", "string", "\"\u2028 \\ud800 \\\"\""},
		{"window", "object", `"[object Window]"`},
		{"const o = {}; o.o = o; o", "object", `"[object Object]"`},
		{"typeof trawlFound", "string", `"undefined"`}, // our own world is not the page's
	}
	actions := []trawl.Action{click("html")}
	for _, c := range cases {
		actions = append(actions, execute(c.script))
	}
	result, err := pool.Render(testtime.Context(t), Request{URL: base + "/strict", Actions: actions})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range result.Outcome.Returns {
		if want := cases[i]; got.Type != want.kind || string(got.Value) != want.value {
			t.Errorf("%s = %s %s, want %s %s", want.script, got.Type, got.Value, want.kind, want.value)
		}
	}
	if len(result.Outcome.Returns) != len(cases) {
		t.Errorf("%d values", len(result.Outcome.Returns))
	}
}

func TestScrapeAction(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), workshop(t)
	scrape := trawl.Action{Type: trawl.ActionScrape}
	result, err := pool.Render(testtime.Context(t), Request{URL: base + "/links", Actions: []trawl.Action{scrape, click("#here"), scrape}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ path, text string }{{"/links", "<title>Links"}, {"/next", "next page"}} {
		if i >= len(result.Outcome.Scrapes) {
			t.Fatalf("%d scrapes", len(result.Outcome.Scrapes))
		}
		if got := result.Outcome.Scrapes[i]; got.URL != base+want.path || !strings.Contains(got.HTML, want.text) {
			t.Errorf("scrape %d = %+v", i, got)
		}
	}
}

func TestOutcomeIsBounded(t *testing.T) {
	t.Parallel()
	var out Outcome
	if err := errors.Join(out.weigh(mostFile, nil), out.weigh(mostFile, nil)); err != nil {
		t.Fatal(err)
	}
	if err := out.weigh(1, nil); err == nil {
		t.Error("more than all actions may make")
	}
}

func FuzzReadReturn(f *testing.F) {
	f.Add([]byte(`{"type":"string","value":"\"a\""}`))
	f.Add([]byte(`{"error":"the script failed: x"}`))
	f.Add([]byte(`{"type":"object","value":"{"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if value, err := readReturn(data); err == nil {
			if !json.Valid(value.Value) || len(value.Value) > mostReturned {
				t.Errorf("value of %d bytes", len(value.Value))
			}
		}
	})
}
