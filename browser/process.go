package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/egress"
)

const (
	startTimeout = 20 * time.Second
	stopTimeout  = 2 * time.Second
)

// process is a running browser.
type process struct {
	conn    *cdp.Conn
	command *exec.Cmd
	door    *egress.Door // for what the browser itself wants of the network: closed
	dir     string       // all that it writes
	errors  *tail        // the last that it complained of
	version string
	born    time.Time
	exited  chan struct{}
}

// launch is how a browser is started.
type launch struct {
	program   string
	headless  bool // the full browser needs to be told
	noSandbox bool
	heap      int // megabytes for the scripts of a page
	version   string
	guard     *egress.Guard
	now       func() time.Time
}

// start starts a browser and waits until it answers.
func start(ctx context.Context, l launch) (_ *process, err error) {
	p := &process{exited: make(chan struct{}), errors: &tail{}, version: l.version, born: l.now()}
	owner, err := lowUser()
	if err != nil {
		return nil, err
	}
	if p.dir, err = newFolder(owner); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.kill()
		}
	}()
	if p.door, err = l.guard.Open(context.WithoutCancel(ctx), egress.DoorConfig{Closed: true}); err != nil {
		return nil, err
	}
	if err := p.run(l, owner); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := p.conn.Browser().Call(ctx, "Browser.getVersion", nil, nil); err != nil {
		return nil, fmt.Errorf("start browser: %w%s", err, p.errors.text())
	}
	return p, nil
}

// run starts the program with its two pipes: with them, the browser ends when
// the service does, however that ends.
func (p *process) run(l launch, owner *syscall.Credential) error {
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
	command := exec.Command(l.program, arguments(l, p.dir, p.door.Address())...)
	command.Dir = p.dir
	command.Env = []string{"HOME=" + p.dir, "TMPDIR=" + p.dir, "XDG_CONFIG_HOME=" + p.dir, "XDG_CACHE_HOME=" + p.dir, "PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
	command.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	command.Stderr = p.errors
	command.WaitDelay = stopTimeout
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: owner}
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
func arguments(l launch, dir, proxy string) []string {
	args := []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + filepath.Join(dir, "profile"),
		"--user-agent=" + userAgent(l.version, false),
		"--lang=en-US", "--accept-lang=" + acceptLanguage(nil), // what workers see
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
		"--disable-prompt-on-repost", "--disable-hang-monitor", "--disable-popup-blocking", "--block-new-web-contents",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--disable-search-engine-choice-screen", "--disable-dev-shm-usage",
		"--disable-gpu", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb", "--password-store=basic", "--use-mock-keychain",
		"--disable-blink-features=AutomationControlled", "--deny-permission-prompts",
		"--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,AutofillServerCommunication,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PrefetchPrivacyChanges",
		"--js-flags=--max-old-space-size=" + strconv.Itoa(l.heap),
		"--renderer-process-limit=64",
	}
	if l.headless {
		args = append(args, "--headless=new")
	}
	if l.noSandbox {
		args = append(args, "--no-sandbox")
	}
	return append(args, "about:blank")
}

// kill ends the browser with all its processes and removes what it wrote. It is
// safe to call more than once.
func (p *process) kill() {
	if p.command != nil {
		_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
		<-p.exited
		<-p.conn.Done()
	}
	if p.door != nil {
		_ = p.door.Close()
	}
	_ = os.RemoveAll(p.dir)
}

// alive reports whether the browser still runs.
func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	case <-p.conn.Done():
		return false
	default:
		return true
	}
}

// lowUser returns the user under which the browser runs if the service is root,
// as whom it would not use its sandbox. It is nil otherwise.
func lowUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("find a user for the browser: %w", err)
	}
	uid, err1 := strconv.ParseUint(nobody.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(nobody.Gid, 10, 32)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("find a user for the browser: %w", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: false, Groups: []uint32{}}, nil
}

const folderPrefix = "trawl-browser-"

// newFolder makes a folder that only the browser's user can read. Its name tells
// whose it is.
func newFolder(owner *syscall.Credential) (string, error) {
	dir, err := os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return "", fmt.Errorf("make browser folder: %w", err)
	}
	if owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			_ = os.Remove(dir)
			return "", fmt.Errorf("make browser folder: %w", err)
		}
	}
	return dir, nil
}

// sweepFolders removes what browsers of services that were killed left behind.
func sweepFolders() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	for _, dir := range left {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), folderPrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir)
		}
	}
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+){1,3}`)

// Version asks a browser for its version.
func Version(ctx context.Context, program string) (string, error) {
	owner, err := lowUser()
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, program, "--version")
	command.WaitDelay = stopTimeout
	command.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("ask for the version of %s: %w", filepath.Base(program), err)
	}
	number := versionNumber.FindString(string(out))
	if number == "" {
		return "", fmt.Errorf("%s does not tell its version", filepath.Base(program))
	}
	return number, nil
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
