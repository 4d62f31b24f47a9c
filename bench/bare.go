package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

// bare is the baseline of rendering: a browser of our own, driven by nothing but
// the client of the protocol. It runs as the service's own would: the same
// program and user, its sandbox on, all traffic through a door.
type bare struct {
	conn *cdp.Conn
	cmd  *exec.Cmd
	door *egress.Door
	dir  string
}

// startBare starts the browser of scrapes, or the full one of sessions.
func startBare(ctx context.Context, full bool) (_ *bare, err error) {
	programs, err := chromium.Find("", "")
	if err != nil {
		return nil, err
	}
	program, extra := programs.Shell, []string{}
	if full {
		program, extra = programs.Chromium, []string{"--headless=new", "--remote-debugging-port=0"}
	}
	b := &bare{}
	defer func() {
		if err != nil {
			b.stop()
		}
	}()
	guard := egress.New(egress.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Log: slog.New(slog.DiscardHandler)})
	if b.door, err = guard.Open(ctx, egress.DoorConfig{}); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "trawl-bench-bare-"); err != nil {
		return nil, err
	}
	owner, err := nobody(b.dir)
	if err != nil {
		return nil, err
	}
	if err := b.run(program, owner, extra...); err != nil {
		return nil, err
	}
	return b, b.conn.Browser().Call(ctx, "Browser.getVersion", nil, nil)
}

// nobody gives a folder to the user whom a browser runs as if we are root.
func nobody(dir string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	found, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err1 := strconv.Atoi(found.Uid)
	gid, err2 := strconv.Atoi(found.Gid)
	if err := errors.Join(err1, err2, os.Chown(dir, uid, gid)); err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func (b *bare) run(program string, owner *syscall.Credential, extra ...string) error {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirIn.Close()
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, ourOut.Close())
	}
	defer theirOut.Close()
	b.cmd = exec.Command(program, append(extra,
		"--remote-debugging-pipe", "--user-data-dir="+b.dir+"/profile",
		"--proxy-server="+b.door.Address(), "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-breakpad", "--disable-crash-reporter", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--hide-scrollbars", "--force-color-profile=srgb", "--renderer-process-limit=64", "about:blank")...)
	b.cmd.Dir = b.dir
	b.cmd.Env = []string{"HOME=" + b.dir, "TMPDIR=" + b.dir, "PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: owner}
	if err := b.cmd.Start(); err != nil {
		return errors.Join(err, ourOut.Close(), ourIn.Close())
	}
	b.conn = cdp.New(ourIn, ourOut)
	return nil
}

func (b *bare) stop() {
	if b.conn != nil {
		_ = syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL)
		_ = b.cmd.Wait()
		_ = b.conn.Close()
	}
	if b.door != nil {
		_ = b.door.Close()
	}
	_ = os.RemoveAll(b.dir)
}

// cpu returns what the browser has used so far.
func (b *bare) cpu() (time.Duration, error) {
	pids, err := below(b.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	return spent(append(pids, b.cmd.Process.Pid))
}

// load renders a page in a context of its own and returns its HTML.
func (b *bare) load(ctx context.Context, address string) (html string, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	whole := b.conn.Browser()
	yes := true
	made, err := protocol.Call(ctx, whole, target.CreateBrowserContext, target.CreateBrowserContextParams{DisposeOnDetach: &yes})
	if err != nil {
		return "", err
	}
	defer func() {
		_, disposeErr := protocol.Call(ctx, whole, target.DisposeBrowserContext, target.DisposeBrowserContextParams(made))
		err = errors.Join(err, disposeErr)
	}()
	blank, err := protocol.Call(ctx, whole, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: made.BrowserContextID})
	if err != nil {
		return "", err
	}
	attached, err := protocol.Call(ctx, whole, target.AttachToTarget, target.AttachToTargetParams{TargetID: blank.TargetID, Flatten: &yes})
	if err != nil {
		return "", err
	}
	session := b.conn.Session(string(attached.SessionID))
	if err := settle(ctx, session, address); err != nil {
		return "", err
	}
	return evaluate(ctx, session, "document.documentElement.outerHTML")
}

// treeQuiet waits until the tree has not changed for as long as the service waits.
const treeQuiet = `new Promise(done => {
	let timer;
	const again = () => { clearTimeout(timer); timer = setTimeout(() => { observer.disconnect(); done("") }, 100) };
	const observer = new MutationObserver(again);
	observer.observe(document, {subtree: true, childList: true, characterData: true});
	again();
})`

// settle goes to a page and waits as the service does: for the document to load,
// for the network and then the tree to be quiet.
func settle(ctx context.Context, session *cdp.Session, address string) error {
	events, cancel := session.Subscribe(page.LifecycleEvent.Method)
	defer cancel()
	if err := session.Call(ctx, page.Enable.Method, nil, nil); err != nil {
		return err
	}
	if err := session.Call(ctx, page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{Enabled: true}, nil); err != nil {
		return err
	}
	went, err := protocol.Call(ctx, session, page.Navigate, page.NavigateParams{URL: address})
	if err != nil {
		return err
	}
	if went.ErrorText != "" {
		return fmt.Errorf("load %s: %s", address, went.ErrorText)
	}
	for awaited := map[string]bool{"load": true, "networkIdle": true}; len(awaited) > 0; {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", address, ctx.Err())
		case data := <-events:
			var event page.EventLifecycleEvent
			if err := jsonv2.Unmarshal(data, &event); err != nil {
				return err
			}
			if event.LoaderID == went.LoaderID {
				delete(awaited, event.Name)
			}
		}
	}
	_, err = evaluate(ctx, session, treeQuiet)
	return err
}

func evaluate(ctx context.Context, session *cdp.Session, script string) (text string, err error) {
	yes := true
	answer, err := protocol.Call(ctx, session, runtime.Evaluate, runtime.EvaluateParams{Expression: script, ReturnByValue: &yes, AwaitPromise: &yes})
	if err != nil {
		return "", err
	}
	return text, jsonv2.Unmarshal(answer.Result.Value, &text, jsonv2.AllowInvalidUTF8(true))
}
