package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

// proxyPath is where the proxy of the tests has the service.
const proxyPath = "/deep/below"

// front is a proxy that serves a node below a path, as an operator's might.
type front struct {
	*httptest.Server
	node atomic.Pointer[url.URL] // nil while there is none
}

func newFront(t *testing.T) *front {
	f := &front{}
	transport := egress.Infrastructure()
	proxy := &httputil.ReverseProxy{
		Transport: transport, FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetXForwarded()
			r.SetURL(f.node.Load())
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	f.Server = httptest.NewServer(http.StripPrefix(proxyPath, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.node.Load() == nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		proxy.ServeHTTP(w, r)
	})))
	t.Cleanup(func() {
		f.CloseClientConnections()
		f.Close()
		transport.CloseIdleConnections()
	})
	return f
}

func (f *front) lead(t *testing.T, n *node) {
	address, err := url.Parse(n.base)
	if err != nil {
		t.Fatal(err)
	}
	f.node.Store(address)
}

// driveConsole runs a driver of console/testdata against a console. What it asks for on
// its output is done by orders, whose answers it reads.
func driveConsole(t *testing.T, script, console, key, site string, orders map[string]func() string) {
	t.Helper()
	packages, err := filepath.Abs("../../.deps/clients")
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath(filepath.Join(packages, "node"))
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	binary, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(testtime.Context(t), program, filepath.Join("..", "..", "console", "testdata", script))
	cmd.Env = append(os.Environ(), "CONSOLE_PACKAGES="+packages, "CONSOLE_URL="+console, "TRAWL_API_KEY="+key, "SITE_URL="+site, "TRAWL="+binary, "CHROMIUM=/usr/lib/chromium/chromium")
	stderr := &buffer{}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if order := orders[lines.Text()]; order != nil {
			fmt.Fprintln(stdin, order())
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr)
	}
}

// TestConsoleScreens has a browser visit every screen of a new server behind a proxy.
func TestConsoleScreens(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.lead(t, startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey, "TRAWL_PUBLIC_URL="+f.URL+proxyPath))
	driveConsole(t, "screens.mjs", f.URL+proxyPath+"/console/", testKey, "", nil)
}

func TestConsoleSnippets(t *testing.T) {
	t.Parallel()
	n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
	driveConsole(t, "snippets.mjs", n.base+"/console/", testKey, "", nil)
}

// TestConsoleHostile shows pages that try to run something in the console.
func TestConsoleHostile(t *testing.T) {
	t.Parallel()
	n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
	driveConsole(t, "hostile.mjs", n.base+"/console/", testKey, hostileSite(t), nil)
}

// hostileSite has in every place that the console shows what a browser must not run.
func hostileSite(t *testing.T) string {
	const harm = `"><img src=x onerror="window.top.harmed=1"><script>window.top.harmed=1</script>`
	turned := "\u202e\u2066txt.exe\u200f"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/gone") {
			http.Error(w, harm, http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<title>%s %s %s</title><meta name="description" content="%s"><meta name="%s" content="javascript:top.harmed=1"><base target="_top">
			<style>body { display: none; background: url(http://127.0.0.1:9/style) }</style><meta http-equiv="refresh" content="0;url=javascript:top.harmed=1">
			<main><h1>harmless text</h1><p style="position:fixed;inset:0" onclick="top.harmed=1">`, template(harm), turned, strings.Repeat("W", 1<<20), template(harm), template(harm))
		fmt.Fprintf(w, `<a href="javascript:top.harmed=1">run</a> <a href="data:text/html,<script>top.harmed=1</script>">data</a> <a href="/%s">path</a> <a href="/gone%s">gone</a>
			<a href="/%s">long</a> <a href="/%%E2%%80%%AE/x">turned</a> <img src="http://127.0.0.1:9/picture.png" alt="%s"> <iframe srcdoc="<script>top.harmed=1</script>"></iframe>
			<svg onload="top.harmed=1"></svg><form action="http://127.0.0.1:9/"><input name=a><button>send</button></form>
			<p>[click](javascript:top.harmed=1) ![x](http://127.0.0.1:9/y.png) &lt;img src=x onerror=top.harmed=1&gt;</p><pre>%s</pre></main>%s`,
			url.PathEscape(harm), url.PathEscape(harm), strings.Repeat("w", 1500), template(harm), strings.Repeat("x", 100_000), harm)
	}))
	t.Cleanup(site.Close)
	return site.URL + "/"
}

// template escapes what would otherwise end the attribute that it stands in.
func template(text string) string {
	return strings.NewReplacer(`"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// TestConsoleRecovers takes away the stream, the server and at last the key.
func TestConsoleRecovers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := startNode(t, dir, "TRAWL_API_KEY="+testKey)
	f := newFront(t)
	f.lead(t, n)
	release := make(chan struct{})
	site := newLinkedSite(t, 20, func(r *http.Request, page, _ int) {
		if page < 3 {
			return
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	driveConsole(t, "recover.mjs", f.URL+proxyPath+"/console/", testKey, site.URL+"/", map[string]func() string{
		"drop": func() string { f.CloseClientConnections(); return "" },
		"stop": func() string {
			f.node.Store(nil)
			f.CloseClientConnections()
			_ = n.cmd.Process.Kill()
			<-n.exited
			return ""
		},
		"start": func() string {
			n = startNode(t, dir)
			f.lead(t, n)
			return ""
		},
		"go":     func() string { close(release); return "" },
		"revoke": func() string { return replaceKey(t, n, dir) },
	})
}

// replaceKey makes a new key beside a running server, and revokes all others.
func replaceKey(t *testing.T, n *node, dir string) string {
	run := func(out any, args ...string) {
		cmd := exec.Command(n.cmd.Path, args...)
		cmd.Env = []string{"TRAWL_DATA_DIR=" + dir}
		text, err := cmd.Output()
		if err != nil {
			t.Errorf("trawl %v: %v", args, err)
		}
		if out != nil && json.Unmarshal(text, out) != nil {
			t.Errorf("trawl %v: %s", args, text)
		}
	}
	var keys []struct{ ID string }
	run(&keys, "keys", "list", "--json")
	var created struct{ Secret string }
	run(&created, "keys", "create", "--json")
	for _, key := range keys {
		run(nil, "keys", "revoke", key.ID)
	}
	return created.Secret
}

// TestConsoleOff: an operator may do without.
func TestConsoleOff(t *testing.T) {
	t.Parallel()
	n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey, "TRAWL_CONSOLE=off")
	for _, path := range []string{"/console", "/console/", "/console/app.js"} {
		if status, _ := n.do(http.MethodGet, path, "", ""); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// TestConsoleParts looks at the parts of the console one by one.
func TestConsoleParts(t *testing.T) {
	t.Parallel()
	n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
	driveConsole(t, "parts.mjs", n.base+"/console/", testKey, "", nil)
}
