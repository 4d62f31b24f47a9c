package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/internal/testtime"
)

// builtProgram is where the tests that kill the program build it; TestMain
// removes it.
var builtProgram = filepath.Join(os.TempDir(), fmt.Sprintf("trawl-test-%d", os.Getpid()))

var buildOnce = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "build", "-o", builtProgram, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return builtProgram, nil
})

// node is a server in a process of its own.
type node struct {
	t      *testing.T
	cmd    *exec.Cmd
	base   string
	stdout *buffer
	log    *buffer
	exited chan error
}

// buffer is a bytes.Buffer that may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

const testKey = "fc-0123456789abcdef0123456789abcdef"

// startNode runs "trawl serve" with settings and waits until it is ready.
func startNode(t *testing.T, dir string, settings ...string) *node {
	t.Helper()
	n, err := tryNode(t, dir, settings...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func tryNode(t *testing.T, dir string, settings ...string) (*node, error) {
	t.Helper()
	binary, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return launch(t, dir, exec.Command(binary, "serve"), settings...)
}

// launch runs a command that is a server.
func launch(t *testing.T, dir string, command *exec.Cmd, settings ...string) (*node, error) {
	t.Helper()
	n := &node{t: t, cmd: command, stdout: &buffer{}, log: &buffer{}, exited: make(chan error, 1)}
	n.cmd.Env = append([]string{
		"HOME=" + dir, "TRAWL_DATA_DIR=" + dir, "TRAWL_LISTEN=127.0.0.1:0", "TRAWL_LOG_FORMAT=json", "TRAWL_BROWSER_WARM=0", "TRAWL_ALLOW_PRIVATE=127.0.0.1/32",
	}, settings...)
	n.cmd.Stdout = n.stdout
	stderr, err := n.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.cmd.Process.Kill(); <-n.exited })
	ready := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			fmt.Fprintln(n.log, lines.Text())
			var line struct{ Msg, Listen string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
				ready <- line.Listen
			}
		}
		err := n.cmd.Wait()
		close(ready)
		n.exited <- err
		close(n.exited)
	}()
	listen, ok := <-ready
	if !ok {
		return nil, fmt.Errorf("not ready: %s", n.log)
	}
	n.base = "http://" + listen
	return n, nil
}

// printedKey returns the key that a first start prints. It comes by another pipe
// than the word that the server is ready.
func (n *node) printedKey() string {
	n.t.Helper()
	var line string
	testtime.Until(n.t, "a line is printed", func() (complete bool) {
		line, _, complete = strings.Cut(n.stdout.String(), "\n")
		return complete
	})
	_, key, found := strings.Cut(line, "shown only now: ")
	if !found || !strings.HasPrefix(key, "fc-") {
		n.t.Fatalf("no key in %q", n.stdout)
	}
	return key
}

// do sends a request and returns the status and the decoded answer.
func (n *node) do(method, path, key, body string) (int, map[string]any) {
	n.t.Helper()
	req, err := http.NewRequestWithContext(n.t.Context(), method, n.base+path, strings.NewReader(body))
	if err != nil {
		n.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	req.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: egress.Infrastructure(), Timeout: testtime.Limit(n.t)}
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		n.t.Fatalf("%s: %v", raw, err)
	}
	return resp.StatusCode, answer
}

// scrape scrapes an address and returns its document and metadata.
func (n *node) scrape(key, target string) (doc, metadata map[string]any) {
	n.t.Helper()
	status, answer := n.do(http.MethodPost, "/v2/scrape", key, fmt.Sprintf(`{"url":%q,"timeout":%d}`, target, longest))
	if status != http.StatusOK {
		n.t.Fatalf("scrape %s: %d %v", target, status, answer)
	}
	doc = answer["data"].(map[string]any)
	return doc, doc["metadata"].(map[string]any)
}

// stop ends the server with a signal and returns how it exited.
func (n *node) stop(signal os.Signal) error {
	n.t.Helper()
	if err := n.cmd.Process.Signal(signal); err != nil {
		n.t.Fatal(err)
	}
	return testtime.Receive(n.t, fmt.Sprintf("the server ends after %v", signal), n.exited)
}

func testSite(t *testing.T) *httptest.Server {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Local</title><main><h1>Local page</h1><p>Some words.</p></main>")
	}))
	t.Cleanup(site.Close)
	return site
}

// TestServeKeepsEverything kills a server and finds everything in the next one.
func TestServeKeepsEverything(t *testing.T) {
	t.Parallel()
	dir, site := t.TempDir(), testSite(t)
	first := startNode(t, dir)
	key := first.printedKey()
	if strings.Contains(first.log.String(), key) {
		t.Error("the key is in the log")
	}
	doc, metadata := first.scrape(key, site.URL)
	if !strings.Contains(doc["markdown"].(string), "# Local page") {
		t.Errorf("%v", doc)
	}
	if _, err := tryNode(t, dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a second server on the same data folder: %v", err)
	}
	_ = first.stop(syscall.SIGKILL)

	second := startNode(t, dir)
	if second.stdout.String() != "" {
		t.Errorf("a second start prints %q", second.stdout)
	}
	status, past := second.do(http.MethodGet, "/v2/scrape/"+metadata["scrapeId"].(string), key, "")
	if status != http.StatusOK || past["data"].(map[string]any)["markdown"] != doc["markdown"] {
		t.Errorf("past scrape: %d %v", status, past)
	}
	if _, metadata := second.scrape(key, site.URL); metadata["cacheState"] != "hit" {
		t.Errorf("the cache is empty: %v", metadata)
	}
	_, history := second.do(http.MethodGet, "/v2/team/credit-usage/historical", key, "")
	if used := history["periods"].([]any)[0].(map[string]any)["creditsUsed"]; used != 2.0 {
		t.Errorf("%v credits used, want 2", used)
	}
	if err := second.stop(syscall.SIGTERM); err != nil {
		t.Errorf("exit after SIGTERM: %v: %s", err, second.log)
	}
}

// TestServeFinishesWhatItBegan stops a server in the middle of a scrape.
func TestServeFinishesWhatItBegan(t *testing.T) {
	t.Parallel()
	arrived, proceed := make(chan struct{}), make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-proceed
		fmt.Fprint(w, "<p>worth the wait</p>")
	}))
	defer site.Close()
	n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
	var wg sync.WaitGroup
	wg.Go(func() {
		if doc, _ := n.scrape(testKey, site.URL); doc["markdown"] != "worth the wait" {
			t.Errorf("%v", doc)
		}
	})
	<-arrived
	if status, _ := n.do(http.MethodGet, "/readyz", "", ""); status != http.StatusOK {
		t.Errorf("readyz before: %d", status)
	}
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	testtime.Until(t, "readyz says that the server ends", func() bool {
		status, _ := n.do(http.MethodGet, "/readyz", "", "")
		return status == http.StatusServiceUnavailable
	})
	close(proceed)
	wg.Wait()
	if err := <-n.exited; err != nil {
		t.Errorf("exit: %v: %s", err, n.log)
	}
}

// TestServeDoesNotWaitForStrangers stops a server while requests without a key
// are not complete.
func TestServeDoesNotWaitForStrangers(t *testing.T) {
	t.Parallel()
	n := startNode(t, t.TempDir(), "TRAWL_API_KEY="+testKey)
	body := " HTTP/1.1\r\nHost: x\r\nContent-Length: 65000\r\nExpect: 100-continue\r\n\r\n{"
	for _, text := range []string{"POST /v2/scrape" + body, "POST /nowhere" + body, "GET /healthz" + body, "POST /v2/scr", ""} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(n.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, text)
		if strings.HasSuffix(text, body) { // it has been read, and is answered or waited for
			_, _ = conn.Read(make([]byte, 1))
		}
	}
	begin := time.Now()
	if err := n.stop(syscall.SIGTERM); err != nil {
		t.Errorf("exit: %v: %s", err, n.log)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the stop took %s", took)
	}
	if strings.Contains(n.log.String(), "cut off") {
		t.Errorf("%s", n.log)
	}
}

// newBucket starts an object store and returns the setting that names it.
func newBucket(t *testing.T) (backend gofakes3.Backend, blobURL string) {
	t.Helper()
	backend = s3mem.New()
	if err := backend.CreateBucket("pages"); err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(bucket.Close)
	endpoint, err := url.Parse(bucket.URL)
	if err != nil {
		t.Fatal(err)
	}
	return backend, "s3://key:secret@pages?endpoint=" + endpoint.Host + "&insecure=true&region=here"
}

// TestServeOnPostgresAndS3 runs two servers on one database and one bucket.
func TestServeOnPostgresAndS3(t *testing.T) {
	t.Parallel()
	backend, blobs := newBucket(t)
	settings := []string{
		"TRAWL_DATABASE_URL=" + testpg.URL(t), "TRAWL_API_KEY=" + testKey,
		"TRAWL_BLOB_URL=" + blobs,
	}
	site := testSite(t)
	one, two := startNode(t, t.TempDir(), settings...), startNode(t, t.TempDir(), settings...)
	doc, metadata := one.scrape(testKey, site.URL)
	again, other := two.scrape(testKey, site.URL)
	if metadata["cacheState"] != "miss" || other["cacheState"] != "hit" || doc["markdown"] != again["markdown"] {
		t.Errorf("first %v, then %v", metadata, other)
	}
	if status, _ := two.do(http.MethodGet, "/v2/scrape/"+metadata["scrapeId"].(string), testKey, ""); status != http.StatusOK {
		t.Errorf("the other node does not know the scrape: %d", status)
	}
	objects, err := backend.ListBucket("pages", nil, gofakes3.ListBucketPage{})
	if err != nil || len(objects.Contents) != 1 {
		t.Errorf("%d objects in the bucket: %v", len(objects.Contents), err)
	}
	for _, n := range []*node{one, two} {
		if err := n.stop(syscall.SIGTERM); err != nil {
			t.Errorf("exit: %v: %s", err, n.log)
		}
	}
}

// TestServeSeesTheCommandLine manages keys and credits beside a running server.
func TestServeSeesTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := startNode(t, dir, "TRAWL_API_KEY="+testKey)
	trawl := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(n.cmd.Path, args...)
		cmd.Env = []string{"TRAWL_DATA_DIR=" + dir}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("trawl %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	trawl("teams", "create", "crew", "--credits", "1")
	var created struct{ ID, Secret string }
	if err := json.Unmarshal([]byte(trawl("keys", "create", "--team", "crew", "--json")), &created); err != nil {
		t.Fatal(err)
	}
	n.scrape(created.Secret, sampleURL)
	if status, _ := n.do(http.MethodPost, "/v2/scrape", created.Secret, `{"url":"`+sampleURL+`"}`); status != http.StatusPaymentRequired {
		t.Errorf("without credits: %d", status)
	}
	trawl("credits", "grant", "crew", "5")
	n.scrape(created.Secret, sampleURL)
	trawl("keys", "revoke", created.ID)
	if status, _ := n.do(http.MethodPost, "/v2/scrape", created.Secret, `{"url":"`+sampleURL+`"}`); status != http.StatusUnauthorized {
		t.Errorf("with a revoked key: %d", status)
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, want := range [][]string{
		{"API key of team default, shown only now: fc-", "/console#key=fc-", "# A page to start with", "| `markdown` | the content, clean |", "/v2/scrape -H 'Authorization: Bearer fc-"},
		{"/console\n", "# A page to start with", "Bearer YOUR_KEY", "trawl keys create"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		stdout := &notifier{after: "Ctrl-C", notify: cancel}
		p := &program{
			env:   map[string]string{"TRAWL_DATA_DIR": dir, "TRAWL_LISTEN": "127.0.0.1:0", "TRAWL_LOG_FORMAT": "text", "GOGC": "100"},
			stdin: strings.NewReader(""), stdout: stdout, stderr: io.Discard, now: time.Now, machine: bareMachine(),
		}
		if code := p.run(ctx, []string{"serve", "--demo"}); code != 0 {
			t.Fatalf("exit %d: %s", code, stdout.text.String())
		}
		for _, text := range want {
			if !strings.Contains(stdout.text.String(), text) {
				t.Errorf("no %q in %s", text, stdout.text.String())
			}
		}
	}
}

// notifier keeps what is written and calls notify when a text appears in it.
type notifier struct {
	text   strings.Builder
	after  string
	notify func()
}

func (n *notifier) Write(b []byte) (int, error) {
	n.text.Write(b)
	if strings.Contains(n.text.String(), n.after) {
		n.notify()
	}
	return len(b), nil
}

// TestServeLanguages: an operator hears of languages that Tesseract lacks.
func TestServeLanguages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "tesseract")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho 'List of languages:'\necho eng\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for languages, lacks := range map[string]bool{"eng": false, "eng,deu": true} {
		n := startNode(t, t.TempDir(), "TRAWL_TESSERACT="+program, "TRAWL_OCR_LANGUAGES="+languages)
		if strings.Contains(n.log.String(), "lacks the language deu") != lacks {
			t.Errorf("%s: %s", languages, n.log.String())
		}
	}
}
