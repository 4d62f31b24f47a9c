package main

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

type doctorCmd struct {
	options
	output
}

// The states of a part: it works, it is not there, or it is there and does not
// work.
const (
	stateOK      = "ok"
	stateMissing = "missing"
	stateFailed  = "failed"
)

// finding is what the doctor says of one part of the installation.
type finding struct {
	Part     string `json:"part"`
	State    string `json:"state"`
	Detail   string `json:"detail"`
	Disables string `json:"disables,omitempty"` // what does not work without it
	Vital    bool   `json:"vital,omitempty"`    // the service does not run without it
}

// machine is what the doctor asks of the computer it runs on.
type machine struct {
	resolver  egress.Resolver
	transport http.RoundTripper // to endpoints that the operator configured
	free      func(dir string) (size, error)
	browsers  func(full, shell string) (chromium.Programs, error)
	version   func(ctx context.Context, program string) (string, error)
	render    func(ctx context.Context, config browser.Config) error // a page with the browsers of config
	namespace func(ctx context.Context) error                        // makes a user namespace
	user      func() string                                          // as whom a browser runs
	look      func(program string) (path string, err error)          // where a program is
	languages func(ctx context.Context, program string) ([]string, error)
	patience  chromium.Patience // with what runs on it
}

func thisMachine() machine {
	return machine{
		resolver:  net.DefaultResolver,
		transport: egress.Infrastructure(),
		free:      freeSpace,
		browsers:  chromium.Find,
		version:   chromium.Version,
		render:    tryBrowser,
		namespace: makeNamespace,
		user:      browserUser,
		look:      exec.LookPath,
		languages: tesseractLanguages,
	}
}

// checkTimeout bounds every check.
const checkTimeout = 10 * time.Second

func (c *doctorCmd) Run(ctx context.Context, p *program) error {
	rows := [][]string{{"PART", "STATE", "DETAIL"}}
	broken := false
	findings := c.examine(ctx, p)
	for _, f := range findings {
		broken = broken || f.Vital && f.State != stateOK
		detail := f.Detail
		if f.Disables != "" {
			detail += "; disables " + f.Disables
		}
		rows = append(rows, []string{f.Part, f.State, detail})
	}
	if err := c.print(p.stdout, findings, rows); err != nil {
		return err
	}
	if broken {
		return errReported
	}
	return nil
}

// examine checks all parts.
func (c *doctorCmd) examine(ctx context.Context, p *program) []finding {
	var findings []finding
	for _, check := range []func(context.Context, *program) finding{
		c.checkDataDir, c.checkDatabase, c.checkBlobs, c.checkNames,
		c.checkChromium, c.checkShell, c.checkSandbox, c.checkAds, c.checkConsent,
		c.checkTesseract, c.checkModel, c.checkSearch,
	} {
		findings = append(findings, bounded(ctx, p, check))
	}
	return findings
}

// bounded runs a check within its time. What works disables nothing.
func bounded(ctx context.Context, p *program, check func(context.Context, *program) finding) finding {
	ctx, cancel := context.WithTimeout(ctx, p.machine.patience.Limit(checkTimeout))
	defer cancel()
	f := check(ctx, p)
	if f.State == stateOK {
		f.Disables = ""
	}
	return f
}

func (f finding) ok(detail string) finding {
	f.State, f.Detail = stateOK, detail
	return f
}

func (f finding) missing(detail string) finding {
	f.State, f.Detail = stateMissing, detail
	return f
}

func (f finding) failed(err error) finding {
	f.State, f.Detail = stateFailed, strings.ReplaceAll(err.Error(), "\n", " ")
	return f
}
