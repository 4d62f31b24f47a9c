package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/internal/testtime"
)

// driveServer lets clients reach the sessions of a manager, by their ids.
func driveServer(e *env) (address string) {
	mux := http.NewServeMux()
	mux.HandleFunc("/devtools/browser/{id}", func(w http.ResponseWriter, r *http.Request) { e.Drive(w, r, r.PathValue("id")) })
	server := httptest.NewServer(mux)
	e.t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http") + "/devtools/browser/"
}

// driver is a client that speaks the protocol itself.
type driver struct {
	t    *testing.T
	conn *websocket.Conn
	last int64
}

type answer struct {
	ID        *int64          `json:"id"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	SessionID string          `json:"sessionId"`
	Result    json.RawMessage `json:"result"`
	Error     *cdp.Error      `json:"error"`
}

func newDriver(t *testing.T, address string) *driver {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), address, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(-1)
	return &driver{t: t, conn: conn}
}

func (d *driver) say(text string) {
	d.t.Helper()
	if err := d.conn.Write(d.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		d.t.Fatal(err)
	}
}

// hear returns the next message; the error is how the connection ended.
func (d *driver) hear() (m answer, err error) {
	d.t.Helper()
	_, data, err := d.conn.Read(testtime.Context(d.t))
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	return m, err
}

// await returns the next message that fits.
func (d *driver) await(fits func(answer) bool) answer {
	d.t.Helper()
	for {
		m, err := d.hear()
		if err != nil {
			d.t.Fatal(err)
		}
		if fits(m) {
			return m
		}
	}
}

// send sends a command, whose parameters are pairs of names and values.
func (d *driver) send(session, method string, params any) (id int64) {
	d.t.Helper()
	d.last++
	data, err := json.Marshal(map[string]any{"id": d.last, "method": method, "params": params, "sessionId": session})
	if err != nil {
		d.t.Fatal(err)
	}
	if session == "" {
		data = []byte(strings.Replace(string(data), `,"sessionId":""`, "", 1))
	}
	d.say(string(data))
	return d.last
}

type object = map[string]any

// try runs a command that may be refused.
func (d *driver) try(session, method string, params any) answer {
	d.t.Helper()
	id := d.send(session, method, params)
	return d.await(func(m answer) bool { return m.ID != nil && *m.ID == id })
}

// call runs a command and decodes a value out of its result.
func (d *driver) call(session, method string, params any, result any) {
	d.t.Helper()
	m := d.try(session, method, params)
	if m.Error != nil {
		d.t.Fatalf("%s: %v", method, m.Error)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			d.t.Fatal(err)
		}
	}
}

// page opens a page and returns its target and session.
func (d *driver) page(address string) (target, session string) {
	d.t.Helper()
	var created struct{ TargetID string }
	d.call("", "Target.createTarget", object{"url": address}, &created)
	var attached struct{ SessionID string }
	d.call("", "Target.attachToTarget", object{"targetId": created.TargetID, "flatten": true}, &attached)
	return created.TargetID, attached.SessionID
}

func (d *driver) evaluate(session, script string) string {
	d.t.Helper()
	var result struct{ Result struct{ Value any } }
	d.call(session, "Runtime.evaluate", object{"expression": script, "awaitPromise": true, "returnByValue": true}, &result)
	return fmt.Sprint(result.Result.Value)
}

// until evaluates a script until it gives a value.
func (d *driver) until(session, script, want string) {
	d.t.Helper()
	testtime.Until(d.t, script+" is "+want, func() bool { return d.evaluate(session, script) == want }) // a page tells nobody
}

// clientSite is what clients are driven through.
func clientSite(t *testing.T) string {
	mux := http.NewServeMux()
	page := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, body)
		}
	}
	mux.HandleFunc("/{$}", page(`<title>site</title><button id="go" onclick="this.textContent='gone'">go</button><input id="name"><input id="file" type="file">
		<a id="popup" href="/popup" target="_blank" rel="opener">popup</a><script>document.cookie = "a=b"</script>`))
	mux.HandleFunc("/popup", page(`<title>popup</title><h1>popup</h1>`))
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=a.bin")
		fmt.Fprint(w, "bytes")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// runClient runs a script of testdata/clients.
func runClient(t *testing.T, script, address, site string) {
	t.Helper()
	packages, err := filepath.Abs("../.deps/clients")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"playwright-core", "puppeteer-core"} {
		if _, err := os.Stat(filepath.Join(packages, "node_modules", name)); err != nil {
			t.Fatalf("%v: run scripts/setup", err)
		}
	}
	node, err := exec.LookPath(filepath.Join(packages, "node"))
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	out, err := exec.CommandContext(testtime.Context(t), node, filepath.Join("testdata", "clients", script), packages, address, site).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// TestClients drives one session by all kinds of clients, good and bad ones.
func TestClients(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	row := e.create()
	address := driveServer(e) + row.ID
	site := clientSite(t)
	r := e.find(row.ID)
	for _, c := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"playwright", func(t *testing.T) { runClient(t, "playwright.mjs", address, site) }},
		{"by hand", func(t *testing.T) { drivesByHand(t, address, site) }},
		{"among themselves", func(t *testing.T) { areAmongThemselves(t, address) }},
		{"escapes", func(t *testing.T) { doNotEscape(t, address, site) }},
		{"downloads", func(t *testing.T) { writeNoFiles(t, address, site) }},
		{"activity", func(t *testing.T) { countAsActivity(t, r, address) }},
		{"front", func(t *testing.T) { bringToFront(t, r, address, site) }},
		{"nonsense", func(t *testing.T) { talkNonsense(t, address) }},
		{"flood", func(t *testing.T) { flood(t, address) }},
		{"too large", func(t *testing.T) { sayTooMuch(t, address) }},
		{"never reads", func(t *testing.T) { neverRead(t, r, address) }},
		{"too many", func(t *testing.T) { areTooMany(t, r, address) }},
	} {
		if !t.Run(c.name, c.test) {
			t.Fatalf("the session is in no state to go on after %q", c.name)
		}
	}
	alone(t, r)
	witness := newDriver(t, address)
	runClient(t, "puppeteer.mjs", address, site)
	witness.endsWith(trawl.EndClosed)
	if ended := e.ended(row.ID); ended.Reason != trawl.EndClosed {
		t.Errorf("the session ended because of %q", ended.Reason)
	}
	if _, response, err := websocket.Dial(t.Context(), address, nil); err == nil || response.StatusCode != http.StatusGone {
		t.Errorf("after the end: %v", err)
	}
	second := e.create()
	orphan := newDriver(t, driveServer(e)+second.ID)
	orphan.call("", "Browser.getVersion", object{}, nil)
	e.find(second.ID).process.Kill()
	orphan.endsWith(trawl.EndCrashed)
}

// endsWith waits for the end of the session.
func (d *driver) endsWith(reason string) {
	d.t.Helper()
	for {
		if _, err := d.hear(); err != nil {
			var closed websocket.CloseError
			if !errors.As(err, &closed) || closed.Code != closeEnded || closed.Reason != reason {
				d.t.Errorf("the client ends with %v, want %q", err, reason)
			}
			return
		}
	}
}

// drivesByHand does what the simplest of clients do.
func drivesByHand(t *testing.T, address, site string) {
	d := newDriver(t, address)
	var version struct{ Product string }
	d.call("", "Browser.getVersion", object{}, &version)
	if !strings.Contains(version.Product, "Chrome") {
		t.Errorf("product = %q", version.Product)
	}
	d.call("", "Target.setDiscoverTargets", object{"discover": true}, nil)
	target, session := d.page(site)
	d.call(session, "Page.enable", object{}, nil)
	d.until(session, "document.readyState + document.title", "completesite")
	d.send("", "Target.closeTarget", object{"targetId": target})
	d.await(func(m answer) bool { return m.Method == "Target.detachedFromTarget" })
	m := d.try(session, "Page.enable", object{})
	if m.Error == nil || m.Error.Code != -32001 {
		t.Errorf("the session of a closed page: %+v", m)
	}
}

func areAmongThemselves(t *testing.T, address string) {
	a, b := newDriver(t, address), newDriver(t, address)
	target, session := a.page("about:blank")
	if m := b.try(session, "Runtime.evaluate", object{"expression": "1"}); m.Error == nil || m.Error.Code != -32001 || m.SessionID != session {
		t.Errorf("a session of somebody else: %+v", m)
	}
	// The page itself is the session's, and therefore theirs, too.
	var attached struct{ SessionID string }
	b.call("", "Target.attachToTarget", object{"targetId": target, "flatten": true}, &attached)
	if m := b.try("", "Target.detachFromTarget", object{"sessionId": session}); m.Error == nil {
		t.Error("a client ends the session of another")
	}
	a.evaluate(session, "window.seen = 7")
	b.until(attached.SessionID, "window.seen", "7")
	_ = a.conn.CloseNow()
	b.until(attached.SessionID, "window.seen", "7")
	b.call("", "Target.closeTarget", object{"targetId": target}, nil)
}

// doNotEscape tries the ways to files and to the browser's own pages that lead
// through pages, where the filter sees nothing.
func doNotEscape(t *testing.T, address, site string) {
	d := newDriver(t, address)
	for _, c := range []struct{ from, to string }{
		{"about:blank", "file:///etc/passwd"},
		{site + "/", "file:///etc/passwd"},
		{site + "/", "view-source:file:///etc/passwd"},
		{site + "/", "chrome://version"},
		{site + "/", "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html"},
	} {
		target, session := d.page(c.from)
		d.until(session, "document.readyState", "complete")
		d.evaluate(session, fmt.Sprintf(`{ const f = document.createElement("iframe"); f.src = %[1]q; document.body.append(f); window.open(%[1]q); location.href = %[1]q; 1 }`, c.to))
		redirect(d, session, site+"/", c.to)
		d.call("", "Target.closeTarget", object{"targetId": target}, nil)
	}
	// What shows a PDF file is an extension of the browser's, which opens whatever it likes.
	_, session := d.page("about:blank")
	var shown struct{ ErrorText string }
	d.call(session, "Page.navigate", object{"url": "data:application/pdf,%25PDF-1.4"}, &shown)
	if shown.ErrorText != "net::ERR_ABORTED" {
		t.Errorf("a PDF file is shown: %+v", shown)
	}
	var found struct{ TargetInfos []struct{ URL, Type string } }
	d.call("", "Target.getTargets", object{"filter": []object{{}}}, &found)
	for _, info := range found.TargetInfos {
		if strings.HasPrefix(info.URL, "file:") || strings.HasPrefix(info.URL, "chrome:") || strings.HasPrefix(info.URL, "view-source:file") {
			t.Errorf("there is a page %+v", info)
		}
	}
}

// redirect answers a page's request with another address, in the server's name.
func redirect(d *driver, session, from, to string) {
	d.t.Helper()
	d.call(session, "Fetch.enable", object{}, nil)
	navigation := d.send(session, "Page.navigate", object{"url": from})
	paused := d.await(func(m answer) bool { return m.Method == "Fetch.requestPaused" })
	var event struct{ RequestID string }
	_ = json.Unmarshal(paused.Params, &event)
	d.call(session, "Fetch.fulfillRequest", object{"requestId": event.RequestID, "responseCode": 302, "responseHeaders": []object{{"name": "Location", "value": to}}}, nil)
	d.await(func(m answer) bool { return m.ID != nil && *m.ID == navigation })
	d.call(session, "Fetch.disable", object{}, nil)
	script := "location.href + document.documentElement.innerText"
	if strings.HasPrefix(to, "chrome-extension:") { // pages get there, see an error, and are left alone
		if m := d.try(session, "Runtime.evaluate", object{"expression": script}); m.Error == nil || !strings.Contains(m.Error.Message, "not one of the web") {
			d.t.Errorf("a page at %s can be driven: %+v", to, m)
		}
		return
	}
	if text := d.evaluate(session, script); strings.Contains(text, "root:") || strings.Contains(text, "Command Line") {
		d.t.Errorf("a redirect to %s shows %.200s", to, text)
	}
}

// writeNoFiles: no client chooses where downloads go, and they go nowhere, with or
// without a client that says something about them.
func writeNoFiles(t *testing.T, address, site string) {
	d := newDriver(t, address)
	var made struct{ BrowserContextID string }
	d.call("", "Target.createBrowserContext", object{}, &made)
	// What a session said about downloads is forgotten when it ends.
	var second struct{ SessionID string }
	d.call("", "Target.attachToBrowserTarget", object{}, &second)
	d.call(second.SessionID, "Browser.setDownloadBehavior", object{"behavior": "allow", "downloadPath": "/tmp"}, nil)
	d.call(second.SessionID, "Browser.setDownloadBehavior", object{"behavior": "allow", "downloadPath": "/tmp", "browserContextId": made.BrowserContextID}, nil)
	d.call("", "Target.detachFromTarget", object{"sessionId": second.SessionID}, nil)
	for _, context := range []string{"", made.BrowserContextID} {
		params := object{"url": "about:blank"}
		if context != "" {
			params["browserContextId"] = context
		}
		var page, attached struct{ TargetID, SessionID string }
		d.call("", "Target.createTarget", params, &page)
		d.call("", "Target.attachToTarget", object{"targetId": page.TargetID, "flatten": true}, &attached)
		d.call(attached.SessionID, "Page.enable", object{}, nil)
		d.send(attached.SessionID, "Page.navigate", object{"url": site + "/download"})
		for state := ""; state != "canceled"; {
			m := d.await(func(m answer) bool { return m.Method == "Page.downloadProgress" })
			var progress struct{ State string }
			if err := json.Unmarshal(m.Params, &progress); err != nil || progress.State == "completed" {
				t.Fatalf("in context %q: %s, %v", context, m.Params, err)
			}
			state = progress.State
		}
		d.call("", "Target.closeTarget", object{"targetId": page.TargetID}, nil)
	}
	d.call("", "Target.disposeBrowserContext", object{"browserContextId": made.BrowserContextID}, nil)
}

// countAsActivity: commands are activity, pings are not.
func countAsActivity(t *testing.T, r *running, address string) {
	d := newDriver(t, address)
	d.call("", "Target.setDiscoverTargets", object{"discover": true}, nil)
	r.last.Store(0)
	go func() { _, _, _ = d.conn.Read(t.Context()) }() // pongs are read there
	if err := d.conn.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.last.Load() != 0 {
		t.Error("a ping is activity")
	}
	other := newDriver(t, address)
	other.say("{")
	if m, err := other.hear(); err != nil || m.Error == nil || r.last.Load() != 0 {
		t.Errorf("nonsense is activity: %+v, %v", m, err)
	}
	other.call("", "Browser.getVersion", object{}, nil)
	if r.last.Load() == 0 {
		t.Error("a command is not activity")
	}
}

// bringToFront: views show the page that a client turns to.
func bringToFront(t *testing.T, r *running, address, site string) {
	d := newDriver(t, address)
	one, first := d.page(site)
	two, _ := d.page(site)
	d.call(first, "Page.bringToFront", object{}, nil)
	if current, _ := r.tabs.current(); current.id != one {
		t.Errorf("the page in front is %+v", current)
	}
	d.call("", "Target.activateTarget", object{"targetId": two}, nil)
	if current, _ := r.tabs.current(); current.id != two {
		t.Errorf("the page in front is %+v", current)
	}
	for _, id := range []string{one, two} {
		d.call("", "Target.closeTarget", object{"targetId": id}, nil)
	}
}

// talkNonsense: what is not a command is answered like a browser does.
func talkNonsense(t *testing.T, address string) {
	d := newDriver(t, address)
	for _, c := range []struct {
		said string
		code int64
	}{
		{"nonsense", codeNotJSON}, {`{"id":1,"method":"Browser.getVersion","id":2}`, codeNotJSON}, {`{}`, codeInvalid}, {`{"id":5}`, codeInvalid}, {`{"id":5,"method":"No.such"}`, codeUnknown},
	} {
		d.say(c.said)
		m, err := d.hear()
		if err != nil || m.Error == nil || m.Error.Code != c.code || strings.HasPrefix(c.said, `{"id":5`) && (m.ID == nil || *m.ID != 5) {
			t.Errorf("%s: %+v, %v", c.said, m, err)
		}
	}
	if err := d.conn.Write(t.Context(), websocket.MessageBinary, []byte(`{"id":1,"method":"Browser.close"}`)); err != nil {
		t.Fatal(err)
	}
	if m, err := d.hear(); err != nil || m.Error == nil || m.Error.Code != codeNotJSON {
		t.Errorf("binary: %+v, %v", m, err)
	}
	d.call("", "Browser.getVersion", object{}, nil)
}

func flood(t *testing.T, address string) {
	d := newDriver(t, address)
	for range mostBad + 1 {
		d.say("nonsense")
	}
	for {
		if _, err := d.hear(); err != nil {
			if websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
				t.Errorf("the end = %v", err)
			}
			return
		}
	}
}

func sayTooMuch(t *testing.T, address string) {
	d := newDriver(t, address)
	large := `{"id":1,"method":"Runtime.evaluate","params":{"expression":"` + strings.Repeat("x", mostCommand) + `"}}`
	_ = d.conn.Write(t.Context(), websocket.MessageText, []byte(large)) // it may be cut off before the end
	if _, err := d.hear(); err == nil {
		t.Error("nothing happens")
	}
	newDriver(t, address).call("", "Browser.getVersion", object{}, nil)
}

// neverRead: a client that does not read is cut, and nobody waits for it.
func neverRead(t *testing.T, r *running, address string) {
	alone(t, r)
	d, other := newDriver(t, address), newDriver(t, address)
	target, session := d.page("about:blank")
	ctx := testtime.Context(t)
	for r.clients.Load() == 2 {
		d.last++
		text := fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":{"expression":"'x'.repeat(4<<20)"},"sessionId":%q}`, d.last, session)
		if err := d.conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			break
		}
		other.call("", "Browser.getVersion", object{}, nil)
	}
	if ctx.Err() != nil {
		t.Error("the client may let everything wait")
	}
	other.call("", "Target.closeTarget", object{"targetId": target}, nil)
}

func areTooMany(t *testing.T, r *running, address string) {
	alone(t, r)
	for range mostClients {
		newDriver(t, address).call("", "Browser.getVersion", object{}, nil)
	}
	if _, err := newDriver(t, address).hear(); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("one too many: %v", err)
	}
}

// alone waits until the clients of other tests are gone.
func alone(t *testing.T, r *running) {
	t.Helper()
	testtime.Until(t, "clients that left are gone", func() bool { return r.clients.Load() == 0 })
}
