package main

import (
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trawlhq/trawl/adblock"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/consent"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape/source"
)

// browser returns what renders pages, or nil on a machine without a browser. No
// browser is started yet.
func (o *options) browser(p *program, guard *egress.Guard, client *fetch.Client, log *slog.Logger) (*browser.Pool, error) {
	programs, err := o.programs(p.machine)
	if err != nil && !errors.Is(err, chromium.ErrNoBrowser) {
		return nil, usageError{err}
	}
	ads, err := o.ads()
	if err != nil {
		return nil, usageError{err}
	}
	kit, err := o.consent(p, log)
	if err != nil {
		return nil, usageError{err}
	}
	if !programs.Any() {
		log.Info("no browser found: pages are not rendered, and screenshots and actions are refused")
		return nil, nil
	}
	if !o.sandboxed() {
		log.Warn("the browser runs without its sandbox: nothing holds back a page that takes it over")
	}
	return browser.New(browser.Config{
		Guard: guard, Log: log, Programs: programs, Pages: o.BrowserPages, NoSandbox: !o.sandboxed(),
		UserAgent: o.UserAgent, Ads: ads, Consent: kit, Proxy: client.Proxy,
		Local: localSites(), Patience: p.machine.patience, Authorities: authorities(p.env, log),
	}), nil
}

// localSites are the sites that browsers reach without a network.
func localSites() map[string]http.Handler {
	return map[string]http.Handler{sampleHost: http.HandlerFunc(sampleHandler)}
}

// programs finds the browsers, and says which setting names one that is none.
func (o *options) programs(m machine) (chromium.Programs, error) {
	programs, err := m.browsers(o.Chromium, o.ChromiumShell)
	if err == nil || errors.Is(err, chromium.ErrNoBrowser) {
		return programs, err
	}
	name := "chromium-shell"
	if o.Chromium != "" {
		if _, own := m.browsers(o.Chromium, ""); own != nil {
			name = "chromium"
		}
	}
	return programs, refuse(name, "%v", err)
}

func (o *options) sandboxed() bool { return o.BrowserSandbox != "off" }

// ads returns the filter lists in use.
func (o *options) ads() (*adblock.Engine, error) {
	if o.AdblockLists == "" {
		return adblock.Builtin(), nil
	}
	engine, err := adblock.Load(o.AdblockLists)
	if err != nil {
		return nil, refuse("adblock-lists", "%v", err)
	}
	return engine, nil
}

// consent returns what answers cookie dialogs: the library that is named, the one
// that set-up installed, or the built-in rules. Only the first must be usable.
func (o *options) consent(p *program, log *slog.Logger) (*consent.Kit, error) {
	if o.Autoconsent != "" {
		kit, err := consent.Load(o.Autoconsent)
		if err != nil {
			return nil, refuse("autoconsent", "%v", err)
		}
		return kit, nil
	}
	if folder := consent.Find(consentPlaces(p.env)...); folder != "" {
		kit, err := consent.Load(folder)
		if err == nil {
			return kit, nil
		}
		log.Warn("cookie dialogs are left to the built-in rules", "err", err)
	}
	return consent.Builtin(), nil
}

// consentPlaces are the folders in which set-up, or a package, puts the library:
// beside the sources, beside the program, and where data of programs is.
func consentPlaces(env map[string]string) []string {
	const folder = "autoconsent"
	places := []string{filepath.Join(".deps", folder)}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		beside := filepath.Dir(self)
		places = append(places, filepath.Join(beside, ".deps", folder), filepath.Join(filepath.Dir(beside), ".deps", folder))
	}
	if data := dataDir(env); data != "" {
		places = append(places, filepath.Join(data, folder))
	}
	return append(places, filepath.Join("/usr/local/share/trawl", folder), filepath.Join("/usr/share/trawl", folder))
}

// renderer returns the pool as what a scraper asks for; no pool, no browser.
func renderer(pool *browser.Pool) source.Browser {
	if pool == nil {
		return nil
	}
	return pool
}

// The states of the browser, as /readyz tells them.
const (
	browserReady     = "ready"
	browserMissing   = "missing"
	browserUnguarded = "ready, without sandbox"
	browserBroken    = "does not start"
)

// browserState says what the service can do with a browser.
func (s *server) browserState() string {
	switch {
	case s.pool == nil:
		return browserMissing
	case s.pool.Broken() != nil:
		return browserBroken
	case !s.options.sandboxed():
		return browserUnguarded
	}
	return browserReady
}

// browserMetrics are the figures of a pool.
func browserMetrics(pool *browser.Pool) []prometheus.Collector {
	if pool == nil {
		return nil
	}
	gauge := func(name, help string, value func(browser.Stats) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "trawl_browser_" + name, Help: help},
			func() float64 { return float64(value(pool.Stats())) })
	}
	counter := func(name, help string, value func(browser.Stats) int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "trawl_browser_" + name + "_total", Help: help},
			func() float64 { return float64(value(pool.Stats())) })
	}
	return []prometheus.Collector{
		gauge("processes", "Browsers that run.", func(s browser.Stats) int { return s.Browsers }),
		gauge("pages", "Pages that are open in browsers.", func(s browser.Stats) int { return s.Pages }),
		counter("started", "Browsers that were started.", func(s browser.Stats) int64 { return s.Started }),
		counter("rendered", "Pages that were rendered.", func(s browser.Stats) int64 { return s.Rendered }),
		counter("crashed", "Pages that crashed.", func(s browser.Stats) int64 { return s.Crashed }),
		counter("recycled", "Browsers that were replaced because of their age or size.", func(s browser.Stats) int64 { return s.Recycled }),
	}
}
