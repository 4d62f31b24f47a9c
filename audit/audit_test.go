package audit_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/audit"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slow is a disk that takes nothing until it is told to.
type slow struct {
	open chan struct{}
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *slow) Write(b []byte) (int, error) {
	<-s.open
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

type line struct {
	Action            string
	Dropped           int64
	ZeroDataRetention int64
}

func lines(t *testing.T, text string) (list []line) {
	t.Helper()
	for one := range strings.Lines(text) {
		var l line
		if err := json.Unmarshal([]byte(one), &l); err != nil {
			t.Fatalf("%v in %q", err, one)
		}
		list = append(list, l)
	}
	return list
}

// Whoever writes never waits for the disk, and what is lost is counted.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	disk := &slow{open: make(chan struct{})}
	log := audit.To(disk, time.Now)
	const sent = 10_000
	for range sent {
		log.Write(audit.Entry{Action: "POST /v2/scrape"})
	}
	close(disk.open)
	log.Close()
	log.Write(audit.Entry{Action: "too late"})
	var written, dropped int64
	for _, l := range lines(t, disk.text.String()) {
		dropped += l.Dropped
		if l.Action != "" {
			written++
		}
	}
	if written+dropped != sent || dropped == 0 || written == 0 {
		t.Errorf("%d written and %d dropped of %d", written, dropped, sent)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	disk := &slow{open: make(chan struct{})}
	close(disk.open)
	log := audit.To(disk, time.Now)
	log.Count()
	log.Count()
	log.Close()
	if list := lines(t, disk.text.String()); len(list) != 1 || list[0].ZeroDataRetention != 2 {
		t.Errorf("%s", disk.text.String())
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.log")
	log, err := audit.Open(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	has := func(path, text string) func() bool {
		return func() bool {
			data, _ := os.ReadFile(path)
			return strings.Contains(string(data), text)
		}
	}
	log.Write(audit.Entry{Action: "first"})
	testtime.Until(t, "the line is there", has(path, "first"))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	log.Reopen()
	testtime.Until(t, "the file is there again", func() bool { _, err := os.Stat(path); return err == nil })
	log.Write(audit.Entry{Action: "second"})
	testtime.Until(t, "the line is in the new file", has(path, "second"))
	if err := os.Rename(path, path+".2"); err != nil { // and nobody says so
		t.Fatal(err)
	}
	testtime.Until(t, "the file is there again", func() bool { _, err := os.Stat(path); return err == nil })
	log.Write(audit.Entry{Action: "third"})
	testtime.Until(t, "the line is in the new file", has(path, "third"))
	if has(path+".1", "second")() || has(path+".2", "third")() {
		t.Error("a line went to a file that was moved away")
	}
	if _, err := audit.Open(filepath.Join(path, "no", "folder"), time.Now); err == nil {
		t.Error("a path that is none was opened")
	}
}
