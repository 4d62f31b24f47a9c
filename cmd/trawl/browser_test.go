package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

// browserMachine is a bare machine with real browsers.
func browserMachine(t *testing.T) machine {
	t.Helper()
	if _, err := chromium.Find("", ""); err != nil {
		t.Fatalf("%v: run make test, which brings it", err)
	}
	m := bareMachine()
	m.browsers, m.version, m.render = chromium.Find, chromium.Version, tryBrowser
	return m
}

// render runs a command line on a machine with a browser that may reach servers
// of the test. It has all the time that a scrape can have.
func render(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := &program{
		env:   map[string]string{"HOME": t.TempDir(), "TRAWL_ALLOW_PRIVATE": "127.0.0.0/8"},
		stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr, now: time.Now, machine: browserMachine(t),
	}
	code := p.run(t.Context(), append([]string{args[0], "--timeout", "5m"}, args[1:]...))
	return result{code, stdout.String(), stderr.String()}
}

// scriptedSite serves a page that a script makes, with a button and 3000 pixels
// tall; what is under /wait/ never comes.
func scriptedSite(t *testing.T, waits chan<- struct{}) string {
	t.Helper()
	const page = `<!doctype html><title>Scripted</title><body style="margin:0;height:3000px"><p id="p"></p>
<button onclick="p.textContent = 'clicked'">press</button><script>p.textContent = "made by script " + 6 * 7 + " on " + navigator.maxTouchPoints</script>`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/wait/") {
			waits <- struct{}{}
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(site.Close)
	return site.URL
}

func TestScrapeScreenshot(t *testing.T) {
	t.Parallel()
	site := scriptedSite(t, nil)
	dir := t.TempDir()
	for _, tt := range []struct {
		name, file string
		flags      []string
		kind       string
		tall       bool
		touch      string
	}{
		{"window", "a.png", nil, "png", false, "on 0"},
		{"page", "b.png", []string{"--full-page"}, "png", true, "on 0"},
		{"jpeg", "c.JPG", []string{"--quality", "30"}, "jpeg", false, "on 0"},
		{"phone", "d.jpeg", []string{"--mobile", "--wait-for", "10ms"}, "jpeg", false, "on 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(dir, tt.file)
			got := render(t, "", append([]string{"scrape", "--screenshot", path, site}, tt.flags...)...)
			if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, "made by script 42 "+tt.touch) {
				t.Fatalf("%+v", got)
			}
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			config, kind, err := image.DecodeConfig(file)
			if err != nil || kind != tt.kind || config.Width < 300 || (config.Height >= 3000) != tt.tall {
				t.Errorf("%s of %d × %d, %v", kind, config.Width, config.Height, err)
			}
		})
	}
}

func TestScrapeActions(t *testing.T) {
	t.Parallel()
	site := scriptedSite(t, nil)
	const actions = `[{"type": "screenshot"}, {"type": "click", "selector": "button"}, {"type": "screenshot", "quality": 50},
		{"type": "pdf"}, {"type": "executeJavascript", "script": "return 6 * 7"}]`
	type document struct {
		Markdown string
		Actions  struct {
			Screenshots, PDFs []string
			JavascriptReturns []struct{ Value any }
		}
	}
	scrape := func(t *testing.T, flags ...string) (doc document) {
		t.Helper()
		got := render(t, actions, append([]string{"scrape", "--json", "--actions", "-", site}, flags...)...)
		if err := json.Unmarshal([]byte(got.stdout), &doc); got.code != 0 || err != nil {
			t.Fatalf("%v: %+v", err, got)
		}
		if !strings.Contains(doc.Markdown, "clicked") || len(doc.Actions.JavascriptReturns) != 1 || doc.Actions.JavascriptReturns[0].Value != 42.0 {
			t.Errorf("%+v", doc)
		}
		return doc
	}
	t.Run("in the document", func(t *testing.T) {
		t.Parallel()
		doc := scrape(t)
		files := slices.Concat(doc.Actions.Screenshots, doc.Actions.PDFs)
		if len(files) != 3 {
			t.Fatalf("%d files", len(files))
		}
		for i, kind := range []string{"image/png", "image/jpeg", "application/pdf"} {
			data, ok := strings.CutPrefix(files[i], "data:"+kind+";base64,")
			if raw, err := base64.StdEncoding.DecodeString(data); !ok || err != nil || len(raw) == 0 {
				t.Errorf("%.50s is no %s", files[i], kind)
			}
		}
	})
	t.Run("in a folder", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "new")
		doc := scrape(t, "--out-dir", dir)
		for i, name := range []string{"action-0.png", "action-2.jpg", "action-3.pdf"} {
			path := filepath.Join(dir, name)
			if shown := slices.Concat(doc.Actions.Screenshots, doc.Actions.PDFs); len(shown) != 3 || shown[i] != path {
				t.Errorf("the document names %q", shown)
			}
			data, err := os.ReadFile(path)
			if start := []string{"\x89PNG", "\xff\xd8", "%PDF"}[i]; err != nil || !strings.HasPrefix(string(data), start) {
				t.Errorf("%s: %.10q, %v", name, data, err)
			}
		}
	})
}

// TestScrapeRefusals asks for what cannot be had. Nothing is fetched.
func TestScrapeRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	click := file("click.json", `[{"type": "click", "selector": "button"}]`)
	picture := file("picture.json", `[{"type": "screenshot"}]`)
	out := filepath.Join(dir, "out.png")
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"ending", []string{"--screenshot", "x.gif"}, 2, "--screenshot: the name must end in .png, .jpg or .jpeg"},
		{"quality of a png", []string{"--screenshot", out, "--quality", "5"}, 2, "--quality: a PNG has none"},
		{"too good", []string{"--screenshot", "x.jpg", "--quality", "101"}, 2, "--quality: must be from 1 to 100 but is 101"},
		{"worse than nothing", []string{"--screenshot", "x.jpg", "--quality", "-1"}, 2, "--quality"},
		{"no picture", []string{"--full-page"}, 2, "go with --screenshot"},
		{"wait", []string{"--wait-for", "-1s"}, 2, "--wait-for"},
		{"long wait", []string{"--wait-for", "20s"}, 2, "waitFor"},
		{"no file", []string{"--actions", filepath.Join(dir, "none")}, 2, "--actions: open "},
		{"no JSON", []string{"--actions", file("a", "[")}, 2, "malformed JSON"},
		{"no list", []string{"--actions", file("b", `{"type": "scrape"}`)}, 2, "--actions: actions: expected array"},
		{"no action", []string{"--actions", file("c", `[{"type": "scrape"}, {"type": "sing"}]`)}, 2, "actions.1.type: unknown type"},
		{"lacking", []string{"--actions", file("d", `[{"type": "click"}]`)}, 2, "actions.0.selector: is required"},
		{"too much", []string{"--actions", file("e", `[{"type": "click", "selector": "a", "key": "b"}]`)}, 2, "actions.0.key: unexpected property"},
		{"out of bounds", []string{"--actions", file("f", `[{"type": "wait", "milliseconds": 0}]`)}, 2, "actions.0.milliseconds"},
		{"half an action", []string{"--actions", file("g", `[{"type": "wait"}]`)}, 2, "Either 'milliseconds' or 'selector'"},
		{"nowhere to put it", []string{"--actions", picture}, 2, "--out-dir"},
		{"screenshot without a browser", []string{"--screenshot", out}, 1, "SCRAPE_FORMAT_NOT_SUPPORTED"},
		{"actions without a browser", []string{"--actions", click}, 1, "SCRAPE_ACTIONS_NOT_SUPPORTED"},
		{"no program", []string{"--chromium", dir}, 2, "TRAWL_CHROMIUM: " + dir + " is not a program"},
		{"no shell", []string{"--chromium-shell", click}, 2, "TRAWL_CHROMIUM_SHELL: " + click + " is not a program"},
		{"no lists", []string{"--adblock-lists", filepath.Join(dir, "none")}, 2, "TRAWL_ADBLOCK_LISTS: "},
		{"no library", []string{"--autoconsent", dir}, 2, "TRAWL_AUTOCONSENT: "},
		{"half a sandbox", []string{"--browser-sandbox", "half"}, 2, "must be one of"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := execute(t, nil, append([]string{"scrape", "http://127.0.0.1:2/"}, tt.args...)...)
			if got.code != tt.code || !strings.Contains(got.stderr, tt.want) || got.stdout != "" {
				t.Errorf("%+v", got)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a picture was written")
			}
		})
	}
}

// TestSampleInBrowser renders pages of the sample site, which no connection leads
// to.
func TestSampleInBrowser(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.png")
	got := render(t, "", "scrape", "--screenshot", file, sampleURL)
	if got.code != 0 || !strings.HasPrefix(got.stdout, "# A page to start with") {
		t.Errorf("%+v", got)
	}
	if picture, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(picture), "\x89PNG") {
		t.Errorf("picture: %d bytes, %v", len(picture), err)
	}
	if got = render(t, "", "scrape", "--mobile", sampleURL+"nowhere"); got.code != 0 || !strings.Contains(got.stdout, "no such page") {
		t.Errorf("%+v", got)
	}
}

// TestConsentFallsBack has a library that set-up left in an unusable state.
func TestConsentFallsBack(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	folder := filepath.Join(home, ".local", "share", "trawl", "autoconsent")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := execute(t, map[string]string{"HOME": home}, "scrape", sampleURL)
	if got.code != 0 || !strings.Contains(got.stderr, "left to the built-in rules") {
		t.Errorf("%+v", got)
	}
}

// TestDoctorStartsBrowsers lets the doctor start what is really there, and what
// only looks as if it were.
func TestDoctorStartsBrowsers(t *testing.T) {
	t.Parallel()
	m := browserMachine(t)
	programs, _ := chromium.Find("", "")
	parts, code := diagnose(t, m, nil)
	for part, program := range map[string]string{"chromium": programs.Chromium, "headless shell": programs.Shell} {
		if got := parts[part]; program != "" && (got.State != stateOK || !strings.HasPrefix(got.Detail, program+", ")) {
			t.Errorf("code %d, %+v", code, got)
		}
	}
	folder, err := os.MkdirTemp("", "fake-") // the browser's user must get there, which it does not where tests have their folders
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	fake := filepath.Join(folder, "chromium")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho Chromium 140.0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	parts, code = diagnose(t, m, map[string]string{"TRAWL_CHROMIUM": fake})
	if got := parts["chromium"]; code != 0 || got.State != stateFailed || !strings.HasPrefix(got.Detail, fake+", 140.0: ") {
		t.Errorf("code %d, %+v", code, got)
	}
}

func TestDoctorBrowserSettings(t *testing.T) {
	t.Parallel()
	lists := t.TempDir()
	if err := os.WriteFile(filepath.Join(lists, "a.txt"), []byte("||ads.example^\n||more.example^\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		variable, value string
		part            string
		state           string
		detail          string
		code            int
	}{
		{"TRAWL_CHROMIUM", "/nowhere/chromium", "chromium", stateFailed, "TRAWL_CHROMIUM: /nowhere/chromium is not a program", 1},
		{"TRAWL_BROWSER_SANDBOX", "off", "sandbox", stateMissing, "switched off by TRAWL_BROWSER_SANDBOX", 0},
		{"TRAWL_ADBLOCK_LISTS", lists, "ad lists", stateOK, lists + ", 1 files, 2 rules for hosts", 0},
		{"TRAWL_ADBLOCK_LISTS", "/nowhere", "ad lists", stateFailed, "TRAWL_ADBLOCK_LISTS: ", 1},
		{"TRAWL_AUTOCONSENT", "/nowhere", "cookie dialogs", stateFailed, "TRAWL_AUTOCONSENT: ", 1},
	} {
		t.Run(tt.variable+" "+tt.state, func(t *testing.T) {
			t.Parallel()
			parts, code := diagnose(t, bareMachine(), map[string]string{tt.variable: tt.value})
			if got := parts[tt.part]; code != tt.code || got.State != tt.state || !strings.HasPrefix(got.Detail, tt.detail) {
				t.Errorf("code %d, %+v", code, got)
			}
		})
	}
}

// TestReadyTellsOfBrowser asks servers with a browser, with one without sandbox,
// and without.
func TestReadyTellsOfBrowser(t *testing.T) {
	t.Parallel()
	browserMachine(t)
	sandboxed, bare := startNode(t, t.TempDir()), startNode(t, t.TempDir(), "TRAWL_BROWSER_SANDBOX=off")
	const warning = "without its sandbox"
	if strings.Contains(sandboxed.log.String(), warning) || !strings.Contains(bare.log.String(), warning) {
		t.Errorf("logs: %s%s", sandboxed.log, bare.log)
	}
	for want, base := range map[string]string{
		"ready": sandboxed.base, "ready, without sandbox": bare.base, "missing": serveOn(t, bareMachine()),
	} {
		status, answer := (&node{t: t, base: base}).do(http.MethodGet, "/readyz", "", "")
		if status != http.StatusOK || answer["browser"] != want || answer["status"] != "ready" {
			t.Errorf("want %q: %d %v", want, status, answer)
		}
	}
}

// TestNoBrowserStays ends servers in two ways and looks for what is left of their
// browsers.
func TestNoBrowserStays(t *testing.T) {
	t.Parallel()
	browserMachine(t)
	waits := make(chan struct{}, 10)
	site := scriptedSite(t, waits)
	scrape := func(n *node, path string) (int, map[string]any) {
		return n.do(http.MethodPost, "/v2/scrape", testKey, fmt.Sprintf(`{"url": %q, "formats": ["screenshot"], "timeout": %d}`, site+path, longest))
	}
	t.Run("SIGTERM", func(t *testing.T) {
		t.Parallel()
		n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
		if status, answer := scrape(n, "/"); status != http.StatusOK {
			t.Fatalf("%d %v", status, answer)
		}
		metrics := n.metrics()
		for _, line := range []string{"trawl_browser_processes 1", "trawl_browser_rendered_total 1", "trawl_browser_started_total 1"} {
			if !strings.Contains(metrics, "\n"+line+"\n") {
				t.Errorf("metrics lack %s", line)
			}
		}
		processes := below(n.cmd.Process.Pid)
		if err := n.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if left := alive(processes); len(processes) < 2 || len(left) > 0 {
			t.Errorf("of %d processes stay %v", len(processes), left)
		}
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("trawl-browser-%d-*", n.cmd.Process.Pid))); len(left) > 0 {
			t.Errorf("folders stay: %v", left)
		}
	})
	t.Run("SIGKILL", func(t *testing.T) { // while a page is open
		t.Parallel()
		n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
		n.order(testKey, "/v2/batch/scrape", map[string]any{"urls": []string{site + "/wait/"}, "waitFor": 1})
		receive(t, waits, "a browser asks for the page")
		processes := below(n.cmd.Process.Pid)
		_ = n.stop(syscall.SIGKILL)
		eventually(t, "the browser is gone", func() bool { return len(alive(processes)) == 0 })
		if len(processes) < 2 {
			t.Errorf("only %d processes were found", len(processes))
		}
	})
}

// metrics returns what a server tells of itself.
func (n *node) metrics() string {
	n.t.Helper()
	client := &http.Client{Transport: egress.Infrastructure()}
	defer client.CloseIdleConnections()
	resp, err := client.Get(n.base + "/metrics")
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	return string(text)
}

// below returns the processes that descend from another.
func below(pid int) (all []int) {
	for next := []int{pid}; len(next) > 0; next = next[1:] {
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", next[0]))
		for _, list := range lists {
			data, _ := os.ReadFile(list) // which may have ended
			for field := range strings.FieldsSeq(string(data)) {
				if child, err := strconv.Atoi(field); err == nil {
					all, next = append(all, child), append(next, child)
				}
			}
		}
	}
	return all
}

// alive returns which of the processes still run. One that has ended, but that
// nobody has asked after, has no command line.
func alive(processes []int) (running []int) {
	for _, pid := range processes {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && len(line) > 0 {
			running = append(running, pid)
		}
	}
	return running
}
