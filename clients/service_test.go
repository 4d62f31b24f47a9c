//go:build clients

package clients_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/pdfium/pdftest"
)

// builtProgram is where the program is built; TestMain removes it.
var builtProgram = cmp.Or(os.Getenv(privateVariable), filepath.Join(os.TempDir(), fmt.Sprintf("trawl-clients-%d", os.Getpid())))

// buildOnce builds the program, and has it read a PDF: what that takes is compiled
// at the first one, for seconds that no driver should have to wait.
var buildOnce = sync.OnceValue(func() error {
	if os.Getenv(privateVariable) != "" {
		return nil // the test outside of the private network did
	}
	build := exec.Command("go", "build", "-o", builtProgram, "./cmd/trawl")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w: %s", err, out)
	}
	dir, err := os.MkdirTemp("", "trawl-clients")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := shareCompiled(dir); err != nil {
		return err
	}
	read := exec.Command(builtProgram, "parse", "-")
	read.Env = []string{"HOME=" + dir, "TRAWL_DATA_DIR=" + dir}
	read.Stdin = bytes.NewReader(pdf("First", "The first file that is read."))
	if out, err := read.CombinedOutput(); err != nil {
		return fmt.Errorf("read a PDF: %w: %s", err, out)
	}
	return nil
})

const firstKey = "fc-0123456789abcdef0123456789abcdef"

// service is "trawl serve" in a process of its own.
type service struct {
	t   *testing.T
	url string
	env []string
}

// startService starts a service with settings and waits until it is ready. What
// it logged is shown if the test fails.
func startService(t *testing.T, settings ...string) *service {
	t.Helper()
	if err := buildOnce(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := shareCompiled(dir); err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, env: append([]string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TRAWL_DATA_DIR=" + dir, "TRAWL_LISTEN=127.0.0.1:0", "TRAWL_LOG_FORMAT=json",
		"TRAWL_API_KEY=" + firstKey, "TRAWL_ALLOW_PRIVATE=127.0.0.1/32",
	}, settings...)}
	cmd := exec.Command(builtProgram, "serve")
	cmd.Env = s.env
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready, exited := make(chan string, 1), make(chan struct{})
	var log bytes.Buffer
	go func() {
		defer close(exited)
		readLog(stderr, &log, ready)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		end(cmd.Process, exited)
		if t.Failed() {
			t.Logf("the service logged:\n%s", problems(log.String()))
		}
	})
	listen, ok := <-ready
	if !ok {
		t.Fatal("the service does not start")
	}
	s.url = "http://" + listen
	return s
}

// shareCompiled gives a data folder the compiled library for PDF files that all
// tests share.
func shareCompiled(dir string) error {
	shared := pdftest.Cache()
	if err := os.MkdirAll(shared, 0o700); err != nil {
		return err
	}
	return os.Symlink(shared, filepath.Join(dir, "compiled"))
}

// readLog keeps what a service logs and tells when it is ready, and where.
func readLog(from interface{ Read([]byte) (int, error) }, log *bytes.Buffer, ready chan<- string) {
	defer close(ready)
	lines := bufio.NewReader(from)
	for {
		text, err := lines.ReadBytes('\n')
		log.Write(text)
		var line struct{ Msg, Listen string }
		if json.Unmarshal(text, &line) == nil && line.Msg == "ready" {
			ready <- line.Listen
		}
		if err != nil {
			return
		}
	}
}

// end stops a process, by force if it takes its time.
func end(p *os.Process, exited <-chan struct{}) {
	_ = p.Signal(syscall.SIGTERM)
	select {
	case <-exited:
	case <-time.After(20 * time.Second):
		_ = p.Kill()
		<-exited
	}
}

// problems are the lines of a log that say that something is wrong.
func problems(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"level":"INFO"`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// poorKey returns a key of a team that has no credits.
func (s *service) poorKey() string {
	s.t.Helper()
	s.admin("teams", "create", "poor", "--credits", "0")
	return s.admin("keys", "create", "--team", "poor")
}

// admin runs a command of the program beside the service and returns what it
// prints.
func (s *service) admin(args ...string) string {
	s.t.Helper()
	cmd := exec.Command(builtProgram, args...)
	cmd.Env = s.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("trawl %s: %v: %s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out))
}
