//go:build linux

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestFullDisk crawls on a small disk that is full for a while. The service says so
// meanwhile, and the crawl goes on afterwards, also in a new process.
func TestFullDisk(t *testing.T) {
	for name, restart := range map[string]bool{"for a while": false, "until a restart": true} {
		t.Run(name, func(t *testing.T) {
			dir := smallDisk(t)
			data := filepath.Join(dir, "data")
			reached, troubled := make(chan struct{}), make(chan struct{})
			goOn := sync.OnceFunc(func() { close(troubled) })
			defer goOn()
			var once sync.Once
			site := newLinkedSite(t, 300, func(_ *http.Request, _, requests int) {
				if requests > 60 {
					once.Do(func() { close(reached) })
					<-troubled
				}
			})
			n := startNode(t, data, "TRAWL_API_KEY="+testKey)
			path := n.order(testKey, "/v2/crawl", map[string]any{"url": site.URL, "limit": 1000})
			<-reached
			fillDisk(t, dir)
			eventually(t, "the service is not ready", func() bool {
				status, _ := n.do(http.MethodGet, "/readyz", "", "")
				return status == http.StatusServiceUnavailable
			})
			goOn()
			eventually(t, "pages could not be stored", func() bool { return strings.Count(n.log.String(), "pages could not be stored") > 6 })
			if status, answer := n.do(http.MethodPost, "/v2/scrape", testKey, fmt.Sprintf(`{"url": %q, "maxAge": 0}`, site.URL)); status != http.StatusServiceUnavailable {
				t.Errorf("a scrape is a %d: %v", status, answer)
			}
			if restart {
				_ = n.stop(syscall.SIGKILL)
			}
			emptyDisk(t, dir)
			if restart {
				n = startNode(t, data, "TRAWL_API_KEY="+testKey)
			}
			n.finished(testKey, path)
			n.wantExact(testKey, path, site.addresses())
			n.wantPaid(testKey, site.size)
		})
	}
}

// smallDisk mounts a file system in memory.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func fillDisk(t *testing.T, dir string) {
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 24<<20), 0o600); err == nil {
		t.Error("the disk is larger than it should be")
	}
}

func emptyDisk(t *testing.T, dir string) {
	if err := os.Remove(filepath.Join(dir, "filler")); err != nil {
		t.Error(err)
	}
}
