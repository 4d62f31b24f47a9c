package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trawlhq/trawl/internal/testtime"
)

// The audit log can be rotated while the server runs, and is complete when it has
// stopped.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.log")
	n := startNode(t, dir, "TRAWL_API_KEY="+testKey, "TRAWL_AUDIT_LOG="+path)
	read := func(path string) string {
		text, _ := os.ReadFile(path)
		return string(text)
	}
	say := func(name string) {
		t.Helper()
		if status, answer := n.do(http.MethodPost, "/v2/team/api-keys", testKey, `{"name":"`+name+`"}`); status != http.StatusOK {
			t.Fatal(answer)
		}
	}
	say("before")
	testtime.Until(t, "the request is written down", func() bool { return strings.Contains(read(path), `"target":"before"`) })
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := n.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	testtime.Until(t, "the file is there again", func() bool { _, err := os.Stat(path); return err == nil })
	say("after")
	if err := n.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if text := read(path); !strings.Contains(text, `"target":"after"`) || strings.Contains(text, "before") || strings.Contains(text, "fc-") {
		t.Errorf("%s", text)
	}
	if _, err := tryNode(t, dir, "TRAWL_API_KEY="+testKey, "TRAWL_AUDIT_LOG="+filepath.Join(dir, "no", "folder")); err == nil || !strings.Contains(err.Error(), "audit log") {
		t.Errorf("started without its audit log: %v", err)
	}
}
