package session

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// webOnly is a filter in whose browser there are the targets P, of the web, B, the
// browser as a whole, and others.
func webOnly() *filter {
	return &filter{is: func(id string, what kind) bool {
		is, known := map[string]kind{"P": ofWeb, "B": whole, "S": strayed}[id]
		return known && is == what
	}}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	const ui = `{"type":"browser_ui","exclude":true},{"type":"background_page","exclude":true},{"type":"app","exclude":true}`
	const usual = `{"type":"browser","exclude":true},{"type":"tab","exclude":true},{}`
	for _, c := range []struct{ method, params, want string }{
		// What passes as it is.
		{"Page.enable", "", ""},
		{"Runtime.evaluate", `{"expression":"1"}`, `{"expression":"1"}`},
		{"Browser.getVersion", `{}`, `{}`},
		{"Browser.close", `{}`, "ends"},
		{"Target.detachFromTarget", `{"sessionId":"S"}`, `{"sessionId":"S"}`},
		// The browser's own keys, such as that of its settings.
		{"Input.dispatchKeyEvent", `{"type":"rawKeyDown","key":"h","modifiers":2,"windowsVirtualKeyCode":72,"nativeVirtualKeyCode":72}`, `{"key":"h","modifiers":2,"type":"rawKeyDown","windowsVirtualKeyCode":72}`},
		// Whole parts of the protocol, and what nobody knows.
		{"Extensions.loadUnpacked", `{"path":"/"}`, "files of the server"},
		{"PWA.launch", `{}`, "programs on the server"},
		{"Cast.enable", `{}`, "no devices"},
		{"Tethering.bind", `{"port":80}`, "ports of the server"},
		{"SystemInfo.getInfo", `{}`, "tells of the server"},
		{"SystemInfo.getProcessInfo", `{}`, "tells of the server"},
		{"FileSystem.getDirectory", `{}`, "no files"},
		{"DeviceAccess.enable", `{}`, "no devices"},
		{"Nothing.enable", `{}`, "'Nothing.enable' wasn't found"},
		{"enable", `{}`, "'enable' wasn't found"},
		{"", `{}`, "wasn't found"},
		{"page.enable", `{}`, "wasn't found"},
		{"Browser", `{}`, "not available"},
		{"Browser.somethingNew", `{}`, "not available"},
		{"Target.somethingNew", `{}`, "not available"},
		// Commands.
		{"Browser.crash", `{}`, "end the browser"},
		{"Browser.crashGpuProcess", `{}`, "all pages share"},
		{"Browser.getBrowserCommandLine", `{}`, "tells of the server"},
		{"Browser.executeBrowserCommand", `{}`, "not available"},
		{"Page.crash", `{}`, "close the page"},
		{"Page.addCompilationCache", `{"url":"","data":""}`, "machine code"},
		{"Page.startScreenRecording", `{}`, "startScreencast"},
		{"LayerTree.loadSnapshot", `{}`, "no page could have made"},
		{"DOM.setFileInputFiles", `{"files":["/etc/passwd"]}`, "those of the server"},
		{"DOM.getFileInfo", `{}`, "files of the server"},
		{"Memory.simulatePressureNotification", `{}`, "all processes"},
		{"Memory.setPressureNotificationsSuppressed", `{}`, "all processes"},
		{"Memory.getBrowserSamplingProfile", `{}`, "not available"},
		{"Storage.overrideQuotaForOrigin", `{}`, "bounds"},
		{"Target.exposeDevToolsProtocol", `{}`, "must not drive"},
		{"Target.sendMessageToTarget", `{}`, "flatten"},
		{"Target.setRemoteLocations", `{}`, "one browser"},
		{"Target.openDevTools", `{}`, "pages of the browser"},
		// Downloads.
		{"Browser.setDownloadBehavior", `{"behavior":"allowAndName","downloadPath":"/etc","browserContextId":"C","eventsEnabled":true}`, `{"behavior":"deny","browserContextId":"C","eventsEnabled":true}`},
		{"Browser.setDownloadBehavior", `{"behavior":"default"}`, `{"behavior":"deny"}`},
		{"Browser.setDownloadBehavior", "", `{"behavior":"deny"}`},
		{"Page.setDownloadBehavior", `{"behavior":"allow","downloadPath":"/"}`, `{"behavior":"deny"}`},
		{"Page.setDownloadBehavior", `{"behavior":"allow","download\u0050ath":"/"}`, `{"behavior":"deny"}`},
		// Files that are dragged.
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[],"files":["/etc/passwd"]}}`, "files of the server"},
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[],"f\u0069les":["/etc/passwd"]}}`, "files of the server"},
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[],"files":{"0":"/etc/passwd"}}}`, "files of the server"},
		{"Input.dispatchDragEvent", `{"data":[]}`, "Invalid parameters"},
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[],"files":[]}}`, `{"data":{"items":[],"files":[]},"type":"drop"}`},
		{"Input.dispatchDragEvent", `{"type":"dragOver"}`, `{"type":"dragOver"}`},
		// The way to the network.
		{"Target.createBrowserContext", `{"disposeOnDetach":true}`, `{"disposeOnDetach":true}`},
		{"Target.createBrowserContext", `{"proxyServer":"","proxyBypassList":""}`, `{}`},
		{"Target.createBrowserContext", `{"proxyServer":"direct://"}`, "own way to the network"},
		{"Target.createBrowserContext", `{"proxyBypassList":"*"}`, "own way to the network"},
		{"Target.createBrowserContext", `{"originsWithUniversalNetworkAccess":["http://a"]}`, "own way to the network"},
		// Targets.
		{"Target.attachToTarget", `{"targetId":"P","flatten":true}`, `{"flatten":true,"targetId":"P"}`},
		{"Target.attachToTarget", `{"targetId":"B","flatten":true}`, `{"flatten":true,"targetId":"B"}`},
		{"Target.attachToTarget", `{"targetId":"B"}`, "needs flatten"},
		{"Target.attachToTarget", `{"targetId":"P"}`, "needs flatten"},
		{"Target.attachToTarget", `{"targetId":"P","flatten":false}`, "needs flatten"},
		{"Target.attachToTarget", `{"targetId":"UI","flatten":true}`, "No target with given id"},
		{"Target.attachToTarget", `{"targetId":7,"flatten":true}`, "Invalid parameters"},
		{"Target.activateTarget", `{"targetId":"UI"}`, "No target with given id"},
		{"Target.closeTarget", `{"targetId":"P"}`, `{"targetId":"P"}`},
		{"Target.getTargetInfo", `{"targetId":"UI"}`, "No target with given id"},
		{"Target.getTargetInfo", "", `{}`},
		{"Browser.getWindowForTarget", `{"targetId":"UI"}`, "No target with given id"},
		{"Target.autoAttachRelated", `{"targetId":"UI","waitForDebuggerOnStart":true}`, "No target with given id"},
		{"Target.autoAttachRelated", `{"targetId":"P"}`, `{"filter":[` + ui + `,` + usual + `],"targetId":"P"}`},
		{"Target.setAutoAttach", `{"autoAttach":true,"flatten":true}`, `{"autoAttach":true,"filter":[` + ui + `,` + usual + `],"flatten":true}`},
		{"Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"filter":[{"type":"browser_ui"}]}`, `{"autoAttach":true,"filter":[` + ui + `,{"type":"browser_ui"}],"flatten":true}`},
		{"Target.setAutoAttach", `{"autoAttach":true}`, "needs flatten"},
		{"Target.setAutoAttach", `{"autoAttach":false}`, `{"autoAttach":false}`},
		{"Target.setDiscoverTargets", `{"discover":true,"filter":[{}]}`, `{"discover":true,"filter":[` + ui + `,{}]}`},
		{"Target.setDiscoverTargets", `{"discover":false}`, `{"discover":false}`},
		{"Target.setDiscoverTargets", `{"discover":true,"filter":{}}`, "Invalid parameters"},
		{"Target.getTargets", "", `{"filter":[` + ui + `,` + usual + `]}`},
		// Addresses; there are more below.
		{"Page.navigate", `{"url":"http://example.com/"}`, `{"url":"http://example.com/"}`},
		{"Page.navigate", `{"url":"file:///etc/passwd"}`, "begin with file: are not available"},
		{"Page.navigate", `{"\u0075rl":"file:///etc/passwd"}`, "begin with file: are not available"},
		{"Page.navigate", `{"url":["file:///etc/passwd"]}`, "Invalid parameters"},
		{"Page.navigate", `{"url":""}`, "invalid URL"},
		{"Target.createTarget", `{"url":""}`, `{"url":""}`},
		{"Target.createTarget", `{"url":"about:blank","newWindow":false}`, `{"url":"about:blank"}`},
		{"Target.createTarget", `{"url":"about:blank","newWindow":true}`, `{"newWindow":true,"url":"about:blank"}`},
		{"Target.createTarget", `{"url":"chrome://settings"}`, "begin with chrome: are not available"},
		{"Network.loadNetworkResource", `{"url":"file:///etc/passwd"}`, "begin with file: are not available"},
		{"Network.continueInterceptedRequest", `{"url":"file:///etc/passwd"}`, "begin with file: are not available"},
		{"Fetch.continueRequest", `{"requestId":"1","url":"file:///etc/passwd"}`, "begin with file: are not available"},
		{"Fetch.continueRequest", `{"requestId":"1"}`, `{"requestId":"1"}`},
		// Traces.
		{"Tracing.start", `{"transferMode":"ReturnAsStream"}`, `{"tracingBackend":"chrome","transferMode":"ReturnAsStream"}`},
		{"Tracing.start", `{"tracingBackend":"auto"}`, `{"tracingBackend":"chrome"}`},
		{"Tracing.start", `{"tracingBackend":"system"}`, "only the browser"},
		{"Tracing.start", `{"perfettoConfig":"AA=="}`, "only the browser"},
		{"Tracing.start", `{"traceConfig":{"enableSystrace":true}}`, "only the browser"},
		{"Tracing.start", `{"traceConfig":{"traceBufferSizeInKb":1e9}}`, "at most 200 MB"},
	} {
		v := webOnly().check(command{method: c.method, params: jsontext.Value(c.params)}, "P")
		if c.params == "" {
			v = webOnly().check(command{method: c.method}, "P")
		}
		got := string(v.params)
		switch {
		case v.refused != nil:
			if !strings.Contains(v.refused.Message, c.want) || c.want == "" || c.want[0] == '{' {
				t.Errorf("%s %s: refused with %q, want %q", c.method, c.params, v.refused.Message, c.want)
			}
			continue
		case v.ends:
			got = "ends"
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.params, got, c.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<19)
	for address, want := range map[string]string{
		"http://example.com/a b#c":   "http://example.com/a b#c",
		"HTTPS://example.com":        "HTTPS://example.com",
		" \x01http://example.com\t ": "http://example.com",
		"ht\ntp://exa\rmple.com":     "http://example.com",
		"data:text/html,<p>a</p>":    "data:text/html,<p>a</p>",
		"javascript:alert(1)":        "javascript:alert(1)",
		"about:blank":                "about:blank",
		"about:blank#top":            "about:blank#top",
		"about:srcdoc":               "about:srcdoc",
		"data:," + long:              "data:," + long,
		"http://a.b/" + long:         "http://a.b/" + long,
		"blob:http://a.example/1-2":  "blob:http://a.example/1-2",
		"blob:null/1-2":              "blob:null/1-2",
		"view-source:http://a.b/":    "view-source:http://a.b/",
		"View-Source:https://a.b/":   "View-Source:https://a.b/",
	} {
		if got, refused := webAddress(address); refused != nil || got != want {
			t.Errorf("%q: %q, %v", address, got, refused)
		}
	}
	for _, address := range []string{
		"", " ", "example.com", "//example.com", "/etc/passwd", "http://", "http:", "::", ":http://a",
		"file:///etc/passwd", "FILE:///etc/passwd", " file:///etc/passwd", "\x00file:///etc/passwd", "f\tile:///etc/passwd", "fi\nle\r:///etc", "file:/etc/passwd", "file:etc",
		"\u00a0file:///etc", "chrome://version", "Chrome:version", "chrome-untrusted://x", "chrome-extension://x/", "chrome-search://x", "chrome-error://x", "devtools://devtools/x",
		"about:version", "about:blank/..", "about:", "About:Settings", "view-source:file:///etc/passwd", "view-source: file:///etc/passwd", "view-source:view-source:http://a.b",
		"view-source:chrome://version", "view-source:about:blank", "blob:file:///1-2", "blob:chrome://a/1-2", "filesystem:http://a.b/temporary/x", "ftp://example.com/", "ws://example.com/",
		"data:," + strings.Repeat("x", 2<<20), "mailto:a@b.c", "ssh://a", "intent://a", "content://a", "isolated-app://a", "localhost:8080/",
	} {
		if got, refused := webAddress(address); refused == nil {
			t.Errorf("%q is taken for %q", address, got)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data, want string
		code       int64
		hasID      bool
	}{
		{`{"id":1,"method":"A.b"}`, "", 0, true},
		{` { "sessionId" : "S" , "params" : { "a" : [ 1 ] } , "method" : "A.b" , "id" : -7 } `, "", 0, true},
		{`{"id":0,"method":"\ud800"}`, "", 0, true},
		{`{"id":1,"method":"A.b","params":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`, "", 0, true},
		{"", "JSON", codeNotJSON, false},
		{"hello", "JSON", codeNotJSON, false},
		{`{"id":1,"method":"A.b"`, "JSON", codeNotJSON, false},
		{`{"id":1,"method":"A.b"}{}`, "more than one", codeNotJSON, false},
		{`{"id":1,"method":"A.b",}`, "JSON", codeNotJSON, false},
		{`{"id":1,"method":"A.b"} x`, "more than one", codeNotJSON, false},
		{`{"id":1,"method":"A.b","method":"C.d"}`, "duplicate", codeNotJSON, false},
		{`{"id":1,"method":"A.b","m\u0065thod":"C.d"}`, "duplicate", codeNotJSON, false},
		{`{"id":1,"method":"A.b","params":{"a":[{"b":1,"b":2}]}}`, "duplicate", codeNotJSON, false},
		{`{"id":1,"method":"A.b","params":{"a":` + strings.Repeat("[", 250) + strings.Repeat("]", 250) + `}}`, "too deeply", codeNotJSON, false},
		{strings.Repeat("[", 1<<20), "too deeply", codeNotJSON, false},
		{`[]`, "object", codeInvalid, false},
		{`7`, "object", codeInvalid, false},
		{`{}`, "integer 'id'", codeInvalid, false},
		{`{"id":"1","method":"A.b"}`, "integer 'id'", codeInvalid, false},
		{`{"id":null,"method":"A.b"}`, "integer 'id'", codeInvalid, false},
		{`{"id":1.5,"method":"A.b"}`, "integer 'id'", codeInvalid, false},
		{`{"id":99999999999999999999,"method":"A.b"}`, "integer 'id'", codeInvalid, false},
		{`{"id":1}`, "string 'method'", codeInvalid, true},
		{`{"id":1,"method":null}`, "string 'method'", codeInvalid, true},
		{`{"id":1,"method":["A.b"]}`, "string 'method'", codeInvalid, true},
		{`{"id":1,"method":"A.b","params":[]}`, "object 'params'", codeInvalid, true},
		{`{"id":1,"method":"A.b","params":null}`, "object 'params'", codeInvalid, true},
		{`{"id":1,"method":"A.b","sessionId":7}`, "string 'sessionId'", codeInvalid, true},
		{`{"id":1,"method":"A.b","targetId":"T"}`, "other than", codeInvalid, true},
		{`{"id":1,"method":"A.b","Params":{}}`, "other than", codeInvalid, true},
	} {
		m, hasID, refused := parse([]byte(c.data))
		name := c.data[:min(len(c.data), 80)]
		switch {
		case hasID != c.hasID:
			t.Errorf("%s: id = %v", name, hasID)
		case c.code == 0 && (refused != nil || m.method == ""):
			t.Errorf("%s: %+v, %v", name, m.method, refused)
		case c.code != 0 && (refused == nil || refused.Code != c.code || !strings.Contains(refused.Message, c.want)):
			t.Errorf("%s: %+v, want %d %s", name, refused, c.code, c.want)
		}
	}
}

// Nothing can be done in a page that left the web but to leave it, too.
func TestStrayed(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]bool{"Runtime.evaluate": false, "Page.captureScreenshot": false, "DOM.enable": false, "Page.close": true} {
		if v := webOnly().check(command{method: method}, "S"); (v.refused == nil) != want {
			t.Errorf("%s: %+v", method, v)
		}
	}
	if v := webOnly().check(command{method: "Page.navigate", params: jsontext.Value(`{"url":"about:blank"}`)}, "S"); v.refused != nil {
		t.Errorf("%+v", v)
	}
}

// TestEveryCommandIsDecided goes through the whole protocol as far as it is known:
// a new part of it fails here until somebody decided about it.
func TestEveryCommandIsDecided(t *testing.T) {
	t.Parallel()
	commands := protocolCommands(t)
	if len(commands) < 500 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	seen := map[string]bool{}
	for _, method := range commands {
		name, command, _ := strings.Cut(method, ".")
		_, open := domains[name]
		_, closed := closedDomains[name]
		if open == closed {
			t.Errorf("%s: nobody decided about its domain, or twice", method)
		}
		seen[name], seen[method] = true, true
		d := domains[name]
		if slices.Contains(d.only, command) && d.but[command] != "" {
			t.Errorf("%s is both allowed and refused", method)
		}
	}
	// Commands that browsers still know but the list does not.
	for _, old := range []string{"Console", "Schema", "Browser.grantPermissions", "Page.setDownloadBehavior", "Target.sendMessageToTarget", "Network.continueInterceptedRequest"} {
		seen[old] = true
	}
	for name, d := range domains {
		if !seen[name] {
			t.Errorf("there is no domain %s", name)
		}
		for _, command := range d.only {
			if !seen[name+"."+command] {
				t.Errorf("there is no command %s.%s", name, command)
			}
		}
		for command := range d.but {
			if !seen[name+"."+command] {
				t.Errorf("there is no command %s.%s", name, command)
			}
		}
	}
	for method := range rules {
		if !seen[method] || permitted(method) != nil {
			t.Errorf("the rule for %s is never used", method)
		}
	}
}

// protocolCommands returns all commands that cdproto has constants for.
func protocolCommands(t *testing.T) (commands []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-json", "github.com/chromedp/cdproto").Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Command") && len(spec.Values) == 1 {
				if text, ok := spec.Values[0].(*ast.BasicLit); ok {
					if method, err := strconv.Unquote(text.Value); err == nil && strings.Contains(method, ".") {
						commands = append(commands, method)
					}
				}
			}
			return true
		})
	}
	return commands
}

// FuzzFilter lets clients say anything. What passes is sound, is one of the commands
// that may, and says the same when it is read once more.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"method":"Page.navigate","params":{"url":"http://a.b/"}}`,
		`{"id":1,"method":"Page.navigate","params":{"url":"\u0066ile:///etc"},"sessionId":"S"}`,
		`{"id":2,"method":"Target.setAutoAttach","params":{"autoAttach":true,"flatten":true,"filter":[{}]}}`,
		`{"id":3,"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/"}}`,
		`{"id":4,"method":"Input.dispatchDragEvent","params":{"data":{"files":[]}}}`,
		`{"id":5,"method":"Tracing.start","params":{"traceConfig":{}}}`, `{"id":1,"id":2}`, `[[[`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _, refused := parse(data)
		if refused != nil {
			return
		}
		v := webOnly().check(m, "")
		if v.refused != nil || v.ends {
			return
		}
		if v.params != nil && (sound(v.params) != nil || v.params.Kind() != '{') {
			t.Errorf("%s %s", m.method, v.params)
		}
		if permitted(m.method) != nil {
			t.Errorf("%s passed", m.method)
		}
		again := webOnly().check(command{method: m.method, params: v.params}, "")
		if again.refused != nil {
			t.Errorf("%s %s: refused the second time: %v", m.method, v.params, again.refused)
		}
	})
}
