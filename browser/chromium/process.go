// Package chromium is the browser as a program: where it is found, how it is
// started so that it can do no harm, how much memory it takes and how it ends.
// What is done with it, over the connection to it, is the business of others.
//
// A browser leaves the machine only through a door of package egress, runs in its
// sandbox, as a user without rights where the service is root, and ends when the
// service does, however that ends.
package chromium

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/egress"
)

const (
	startTimeout = 30 * time.Second
	stopTimeout  = 2 * time.Second
	quitTimeout  = 5 * time.Second
)

// Launch is how a browser is started.
type Launch struct {
	Program        string
	Full           bool // the full browser, which needs to be told that it has no screen
	NoSandbox      bool
	Heap           int // megabytes for the scripts of a page
	UserAgent      string
	AcceptLanguage string
	Popups         bool // pages may open others
	Guard          *egress.Guard
	Door           egress.DoorConfig // of its way out
	Home           *Home             // nil means a fresh one that ends with the browser
	Patience       Patience          // with its start and its end
	Authorities    *Authorities      // that are trusted besides those the browser knows
}

// Patience is how many times as long as usual a browser and its pages may keep us
// waiting. 0 means once.
type Patience float64

// Limit returns how long to wait for what is usually waited for that long.
func (p Patience) Limit(usual time.Duration) time.Duration {
	if p <= 0 {
		return usual
	}
	return time.Duration(float64(p) * float64(usual))
}

// Process is a running browser.
type Process struct {
	conn    *cdp.Conn
	command *exec.Cmd
	door    *egress.Door
	home    *Home
	lent    bool  // the home is the caller's
	errors  *tail // the last that it complained of
	born    time.Time
	quit    time.Duration // how long that may take
	exited  chan struct{}
}

// Start starts a browser and waits until it answers.
func Start(ctx context.Context, l Launch) (_ *Process, err error) {
	p := &Process{exited: make(chan struct{}), errors: &tail{}, born: time.Now(), quit: l.Patience.Limit(quitTimeout), home: l.Home, lent: l.Home != nil}
	if p.home == nil {
		if p.home, err = NewHome(); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			p.Kill()
		}
	}()
	if err := errors.Join(p.home.prefer(), p.home.trust(l.Authorities)); err != nil {
		return nil, err
	}
	if p.door, err = l.Guard.Open(context.WithoutCancel(ctx), l.Door); err != nil {
		return nil, err
	}
	if err := p.run(l); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.Patience.Limit(startTimeout))
	defer cancel()
	if err := p.conn.Browser().Call(ctx, "Browser.getVersion", nil, nil); err != nil {
		return nil, fmt.Errorf("start browser: %w%s", err, p.errors.text())
	}
	return p, nil
}

// Conn returns the connection to the browser.
func (p *Process) Conn() *cdp.Conn { return p.conn }

// Door returns the browser's way out.
func (p *Process) Door() *egress.Door { return p.door }

// PID returns the id of the main process, which leads the group of all.
func (p *Process) PID() int { return p.command.Process.Pid }

// Home returns where the browser keeps all that it writes.
func (p *Process) Home() *Home { return p.home }

// Born returns when the browser was started.
func (p *Process) Born() time.Time { return p.born }

// Exited is closed when the browser has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// run starts the program with its two pipes: with them, the browser ends when
// the service does, however that ends.
func (p *Process) run(l Launch) error {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirIn.Close()
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		_ = ourOut.Close()
		return err
	}
	defer theirOut.Close()
	command := exec.Command(l.Program, arguments(l, p.home.UserData(), p.door.Address())...)
	dir := p.home.dir
	command.Dir = dir
	command.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
	command.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	command.Stderr = p.errors
	command.WaitDelay = stopTimeout
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: p.home.owner}
	if err := command.Start(); err != nil {
		_, _ = ourOut.Close(), ourIn.Close()
		return fmt.Errorf("start browser: %w", err)
	}
	p.command = command
	p.conn = cdp.New(ourIn, ourOut)
	go func() {
		_ = command.Wait()
		close(p.exited)
		_ = p.conn.Close()
	}()
	return nil
}

// arguments are chosen for behaviour: nothing on its own account, nothing past
// the proxy, nothing that a page could make use of.
func arguments(l Launch, userData, proxy string) []string {
	args := []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + userData,
		"--user-agent=" + l.UserAgent,
		"--lang=en-US", "--accept-lang=" + l.AcceptLanguage, // what workers see
		"--proxy-server=" + proxy,
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--disable-quic",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--no-first-run", "--no-default-browser-check", "--no-pings", "--no-service-autorun",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--disable-default-apps", "--disable-domain-reliability", "--disable-client-side-phishing-detection",
		"--disable-breakpad", "--disable-crash-reporter", "--disable-logging", "--log-level=3",
		"--disable-prompt-on-repost", "--disable-hang-monitor", "--disable-popup-blocking",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--disable-search-engine-choice-screen", "--disable-dev-shm-usage",
		"--disable-gpu", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb", "--password-store=basic", "--use-mock-keychain",
		"--disable-blink-features=AutomationControlled", "--deny-permission-prompts",
		"--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,AutofillServerCommunication,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PrefetchPrivacyChanges",
		"--js-flags=--max-old-space-size=" + strconv.Itoa(l.Heap),
		"--renderer-process-limit=64",
		"--disable-gpu-process-crash-limit", // one that took too much memory is ended, and started again
	}
	if l.Full {
		args = append(args, "--headless=new",
			"--screen-info={1280x800}", "--start-maximized", "--disable-infobars", // a size of windows would be that of all, small ones too
			"--enable-features=CDPScreenshotNewSurface", // a picture of a page in the background would be waited for without end
			"--gaia-url=http://gaia.invalid/")           // it would ask who is signed in
	}
	if !l.Popups {
		args = append(args, "--block-new-web-contents")
	}
	if l.NoSandbox {
		args = append(args, "--no-sandbox")
	}
	return append(args, "about:blank")
}

// Avoids reports whether the full browser is to be kept from a host: it asks it on
// its own account, which pages have no need to, or does not survive it.
func Avoids(host string) bool {
	switch host {
	case "update.googleapis.com", "clients2.google.com", "clients4.google.com", "safebrowsing.googleapis.com", "gaia.invalid",
		"optimizationguide-pa.googleapis.com", "content-autofill.googleapis.com", "edgedl.me.gvt1.com", "redirector.gvt1.com",
		"android.clients.google.com", "mtalk.google.com":
		return true
	case "chromewebstore.google.com", "chrome.google.com": // pages of its store make a browser without extensions crash
		return true
	}
	return false
}

// Kill ends the browser with all its processes and removes what it wrote, unless
// its home was given. It is safe to call more than once.
func (p *Process) Kill() {
	if p.command != nil {
		_ = syscall.Kill(-p.PID(), syscall.SIGKILL)
		<-p.exited
		<-p.conn.Done()
	}
	if p.door != nil {
		_ = p.door.Close()
	}
	if !p.lent {
		p.home.Remove()
	}
}

// Quit lets the browser write down what it has to and ends it. Without an error
// it ended on its own account, and what it wrote is whole.
func (p *Process) Quit(ctx context.Context) error {
	defer p.Kill()
	ctx, cancel := context.WithTimeout(ctx, p.quit)
	defer cancel()
	if err := p.conn.Browser().Call(ctx, "Browser.close", nil, nil); err != nil && !errors.Is(err, cdp.ErrClosed) && !errors.Is(err, cdp.ErrGone) {
		return fmt.Errorf("close browser: %w", err)
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		return fmt.Errorf("close browser: %w", ctx.Err())
	}
	if !p.command.ProcessState.Success() {
		return fmt.Errorf("close browser: it ended with %s", p.command.ProcessState)
	}
	return nil
}

// Alive reports whether the browser still runs.
func (p *Process) Alive() bool {
	select {
	case <-p.exited:
		return false
	case <-p.conn.Done():
		return false
	default:
		return true
	}
}

// tail keeps the last of what is written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

const tailBytes = 2 << 10

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, data...)
	if extra := len(t.last) - tailBytes; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(data), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) == 0 {
		return ""
	}
	return ": " + strings.ToValidUTF8(string(t.last), "")
}
