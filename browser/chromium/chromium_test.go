package chromium

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noNames is a resolver that knows nobody, so that no look-up leaves the machine.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// launch is how tests start the full browser.
func launch(t *testing.T) Launch {
	t.Helper()
	programs, err := Find("", "")
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	guard := egress.New(egress.Config{Resolver: noNames{}, Log: slog.New(slog.DiscardHandler)})
	return Launch{
		Program: programs.Chromium, Full: true, Heap: 256, UserAgent: UserAgent("1.2.3", false), AcceptLanguage: "en", Guard: guard,
		Door: egress.DoorConfig{Closed: true}, Patience: testtime.Patience,
	}
}

// What a browser keeps is whole after Quit, and is still there if the home was lent.
func TestQuit(t *testing.T) {
	t.Parallel()
	l := launch(t)
	var err error
	if l.Home, err = NewHome(); err != nil {
		t.Fatal(err)
	}
	defer l.Home.Remove()
	p, err := Start(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if !p.Alive() || p.Memory().Main == 0 || len(Descendants(p.PID())) == 0 {
		t.Error("it does not seem to run")
	}
	if err := p.Quit(t.Context()); err != nil {
		t.Error(err)
	}
	if p.Alive() {
		t.Error("it still runs")
	}
	if size := p.Home().Size(); size < 1000 {
		t.Errorf("it wrote %d bytes", size)
	}
	if _, err := os.Stat(filepath.Join(l.Home.UserData(), "Default")); err != nil {
		t.Errorf("nothing was written: %v", err)
	}
}

// One that was killed did not quit.
func TestQuitAfterKill(t *testing.T) {
	t.Parallel()
	p, err := Start(t.Context(), launch(t))
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if err := p.Quit(t.Context()); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(p.home.dir); err == nil {
		t.Error("its folder is still there")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	if _, err := Find("/etc/passwd", ""); err == nil || !strings.Contains(err.Error(), "not a program") {
		t.Errorf("a file: %v", err)
	}
	found, err := Find("/bin/sh", "")
	if err != nil || found != (Programs{Chromium: "/bin/sh"}) || found.Choose(false) != "/bin/sh" || found.Choose(true) != "/bin/sh" {
		t.Errorf("one browser: %+v, %v", found, err)
	}
	both := Programs{Chromium: "a", Shell: "b"}
	if both.Choose(true) != "a" || both.Choose(false) != "b" || !both.Any() || (Programs{}).Any() {
		t.Error("the wrong browser")
	}
}

func TestSweepHomes(t *testing.T) {
	t.Parallel()
	dead, own := folderPrefix+"1073741824-x", folderPrefix+strconv.Itoa(os.Getpid())+"-sweep"
	for _, name := range []string{dead, own} {
		path := filepath.Join(os.TempDir(), name)
		if err := os.MkdirAll(filepath.Join(path, "profile"), 0o700); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(path)
	}
	SweepHomes()
	if _, err := os.Stat(filepath.Join(os.TempDir(), dead)); err == nil {
		t.Error("what a dead service left is still there")
	}
	if _, err := os.Stat(filepath.Join(os.TempDir(), own)); err != nil {
		t.Error("what is in use was removed")
	}
}

func TestProcessesAreSeen(t *testing.T) {
	t.Parallel()
	if own, _ := resident(os.Getpid()); own < 1<<20 {
		t.Errorf("this process takes %d bytes", own)
	}
	if own, shared := resident(1 << 30); own+shared != 0 || kindOf(os.Getpid()) != "" || kindOf(1<<30) != "" || len(Descendants(1<<30)) != 0 {
		t.Error("processes are seen that do not exist")
	}
}
