package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

// checkChromium starts the full browser.
func (c *doctorCmd) checkChromium(ctx context.Context, p *program) finding {
	f := finding{Part: "chromium", Disables: "pages that need scripts, screenshots and actions"}
	programs, err := c.programs(p.machine)
	switch {
	case errors.Is(err, chromium.ErrNoBrowser):
		return f.missing("not found; install it or set TRAWL_CHROMIUM")
	case err != nil:
		f.Vital = true
		return f.failed(err)
	case programs.Chromium == "":
		f.Disables = "the ordinary form of the browser: the headless shell serves enhanced requests too"
		return f.missing("not found; install it or set TRAWL_CHROMIUM")
	case programs.Shell != "":
		f.Disables = "enhanced requests"
	}
	return c.tryProgram(ctx, p, f, programs.Chromium, chromium.Programs{Chromium: programs.Chromium})
}

// checkShell starts the headless shell.
func (c *doctorCmd) checkShell(ctx context.Context, p *program) finding {
	f := finding{Part: "headless shell", Disables: "pages that need scripts, screenshots and actions"}
	programs, err := c.programs(p.machine)
	if err != nil || programs.Shell == "" {
		f.Disables = "the cheaper way to render: Chromium has to do it"
		return f.missing("not found; install it or set TRAWL_CHROMIUM_SHELL")
	}
	return c.tryProgram(ctx, p, f, programs.Shell, chromium.Programs{Shell: programs.Shell})
}

// tryProgram asks a browser for its version and renders a page with it.
func (c *doctorCmd) tryProgram(ctx context.Context, p *program, f finding, path string, programs chromium.Programs) finding {
	version, err := p.machine.version(ctx, path)
	if err != nil {
		return f.failed(fmt.Errorf("%s: %w", path, err))
	}
	started := p.now()
	if err := p.machine.render(ctx, browser.Config{Programs: programs, NoSandbox: !c.sandboxed(), Patience: p.machine.patience}); err != nil {
		return f.failed(fmt.Errorf("%s, %s: %w", path, version, err))
	}
	return f.ok(fmt.Sprintf("%s, %s, rendered a page in %s", path, version, p.now().Sub(started).Round(time.Millisecond)))
}

// The page with which browsers are tried, and what its script makes of it.
const (
	trialPage   = `<!doctype html><title>Trial</title><p id="p"></p><script>document.getElementById("p").textContent = "works " + 6 * 7</script>`
	trialResult = "works 42"
)

// tryBrowser renders a page of its own. Nothing but this machine's loopback
// interface can be reached from it.
func tryBrowser(ctx context.Context, config browser.Config) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{ReadHeaderTimeout: checkTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, trialPage)
	})}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener)
	}()
	defer func() {
		_ = server.Close()
		<-served
	}()
	silent := slog.New(slog.DiscardHandler)
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	config.Log, config.Guard = silent, egress.New(egress.Config{Allow: loopback, Log: silent})
	pool := browser.New(config)
	defer pool.Close()
	result, err := pool.Render(ctx, browser.Request{URL: "http://" + listener.Addr().String() + "/"})
	if err == nil && !strings.Contains(result.HTML, trialResult) {
		err = errors.New("it does not run scripts")
	}
	return err
}

// browserUser returns as whom a browser runs: not as root.
func browserUser() string {
	if os.Geteuid() == 0 {
		return "nobody"
	}
	if self, err := user.Current(); err == nil {
		return self.Username
	}
	return "this one"
}

// setuidHelper is a program beside the browser that sets the sandbox up where
// users may not make namespaces.
const setuidHelper = "chrome-sandbox"

// checkSandbox looks for what the sandbox is made of. That it holds shows in a
// browser that starts.
func (c *doctorCmd) checkSandbox(ctx context.Context, p *program) finding {
	f := finding{Part: "sandbox", Disables: "the isolation of pages from this machine"}
	if !c.sandboxed() {
		return f.missing("switched off by TRAWL_BROWSER_SANDBOX")
	}
	on := "on, the browser runs as the user " + p.machine.user()
	err := p.machine.namespace(ctx)
	if err == nil {
		return f.ok(on + " in namespaces")
	}
	if programs, _ := c.programs(p.machine); hasHelper(programs.Chromium) || hasHelper(programs.Shell) {
		return f.ok(on + ", by means of " + setuidHelper)
	}
	f.Disables = "the browser, unless TRAWL_BROWSER_SANDBOX is off"
	return f.failed(fmt.Errorf("there is no %s beside the browser, and to make a user namespace failed: %w", setuidHelper, err))
}

func hasHelper(program string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(program), setuidHelper))
	return program != "" && err == nil && info.Mode()&os.ModeSetuid != 0
}

// checkAds says which filter lists are in use.
func (c *doctorCmd) checkAds(context.Context, *program) finding {
	f := finding{Part: "ad lists", Vital: true, Disables: "the service"}
	engine, err := c.ads()
	if err != nil {
		return f.failed(err)
	}
	stats := engine.Stats()
	rules := fmt.Sprintf("%d rules for hosts, %d for addresses, %d for elements", stats.Hosts, stats.Patterns, stats.Cosmetic)
	if c.AdblockLists == "" {
		return f.ok("built-in, " + rules)
	}
	detail := fmt.Sprintf("%s, %d files, %s, %d lines not used", c.AdblockLists, stats.Files, rules, stats.Skipped)
	if stats.Oversized > 0 {
		detail += fmt.Sprintf(", %d files too large", stats.Oversized)
	}
	return f.ok(detail)
}

// checkConsent says what answers cookie dialogs.
func (c *doctorCmd) checkConsent(_ context.Context, p *program) finding {
	f := finding{Part: "cookie dialogs", Vital: true, Disables: "the service"}
	kit, err := c.consent(p, newLogger(p.stderr, c.LogLevel, c.LogFormat))
	if err != nil {
		return f.failed(err)
	}
	return f.ok(kit.Name())
}
