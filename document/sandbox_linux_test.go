package document_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/document/pdfium/pdftest"
)

// TestWorkerRights is about what a worker cannot do, should a file get hold of it.
func TestWorkerRights(t *testing.T) {
	t.Parallel()
	canary, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer canary.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	pool := newPool(t, 1, obedient)
	for _, what := range []string{
		"connect " + canary.Addr().String(),
		"open /etc/passwd",
		"open " + file,
		"create " + file,
		"create " + file + "2",
		"remove " + file,
		"run /bin/true",
		"kill",
		"code",
	} {
		tell(t, pool, "try "+what, "operation not permitted")
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// TestWorkerTesseract is about workers that may run another program: it works, and
// still nothing can be written and nobody reached.
func TestWorkerTesseract(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("there is no tesseract")
	}
	canary, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer canary.Close()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	pool := document.NewPool(document.Config{Workers: 1, Cache: pdftest.Cache(), Arguments: []string{obedient}, Tesseract: program})
	defer pool.Close()
	tell(t, pool, "recognise "+program, "operation not permitted") // which only files that have pages need
	tellAs(t, pool, document.PDF, "recognise "+program, "page_num")
	tellAs(t, pool, document.PDF, "try connect "+canary.Addr().String(), "operation not permitted")
	tellAs(t, pool, document.PDF, "try create "+filepath.Join(folder, "file"), "operation not permitted")
	tellAs(t, pool, document.PDF, "try kill", "operation not permitted")
}

func TestWorkerIdentity(t *testing.T) {
	t.Setenv("TRAWL_SECRET", "secret")
	t.Setenv("TESSDATA_PREFIX", "/data")
	id := process(t, newPool(t, 1, obedient))
	if id.environment != "GOMEMLIMIT=300MiB GOMAXPROCS=2" {
		t.Errorf("the worker's environment is %q", id.environment)
	}
	user := os.Getuid()
	if user == 0 {
		user = 65534
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id.pid))
	if want := fmt.Sprintf("\nUid:\t%d\t%[1]d\t%[1]d\t", user); err != nil || !strings.Contains(string(status), want) {
		t.Errorf("the worker is\n%s, %v, want user %d", status, err, user)
	}
}

// TestWorkerFiles is about a file that the service was started with: it is not marked
// as not to be passed on.
func TestWorkerFiles(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "passed on"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	passed, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(passed)
	folder := fmt.Sprintf("/proc/%d/fd/", process(t, newPool(t, 1, obedient)).pid)
	open, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range open {
		if name, _ := os.Readlink(folder + entry.Name()); name == file.Name() {
			t.Errorf("the worker has %s", name)
		}
	}
}

// TestServiceKilled is about a worker that is busy when the service is killed.
func TestServiceKilled(t *testing.T) {
	t.Parallel()
	service := exec.Command(os.Args[0], serving)
	out, err := service.StdoutPipe()
	if err == nil {
		err = service.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := bufio.NewReader(out).ReadString(0)
	if err := errors.Join(err, service.Process.Kill()); err != nil {
		t.Error(err)
	}
	_ = service.Wait()
	_, rest, _ := strings.Cut(page, "<p>")
	pid, _, _ := strings.Cut(rest, "|")
	if pid == "" {
		t.Fatalf("the service says %q", page)
	}
	for {
		state, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
