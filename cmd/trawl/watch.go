package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/change"
	"github.com/trawlhq/trawl/monitor"
	"github.com/trawlhq/trawl/scrape"
)

type watchCmd struct {
	options
	URL     string        `arg:"" help:"Address of the page."`
	Every   time.Duration `default:"15m" placeholder:"DURATION" help:"How often to look (${default})."`
	Count   int           `placeholder:"N" help:"End after so many looks; never unless chosen."`
	Full    bool          `help:"The whole page instead of its main content."`
	Timeout time.Duration `default:"30s" placeholder:"DURATION" help:"How long a look may take (${default})."`
}

// leastEvery keeps a page from being looked at all the time.
const leastEvery = time.Second

// Run looks at a page again and again without a server, and prints what changed.
func (c *watchCmd) Run(ctx context.Context, p *program) error {
	if c.Every < leastEvery {
		return usageError{fmt.Errorf("--every: must be at least %s but is %s", leastEvery, c.Every)}
	}
	plain := &scrapeCmd{options: c.options, URL: c.URL, Full: c.Full, Timeout: c.Timeout}
	plain.choose()
	req, err := plain.request()
	if err == nil {
		err = trawl.Invalid(req.Validate())
	}
	if err != nil {
		return usageError{err}
	}
	scraper, stop, err := plain.scraper(p)
	if err != nil {
		return err
	}
	defer stop()
	w := &watching{program: p, paint: newPaint(p), scraper: scraper, request: req, timeout: c.Timeout}
	for look := 1; ; look++ {
		w.look(ctx)
		if look == c.Count || !pause(ctx, c.Every) {
			return nil
		}
	}
}

// pause waits, and reports whether it was not interrupted.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// watching is a page that is looked at again and again.
type watching struct {
	program *program
	paint   paint
	scraper *scrape.Scraper
	request trawl.ScrapeRequest
	timeout time.Duration
	before  *monitor.Version
}

// look scrapes the page and prints what changed since. One that cannot be had keeps its
// last version.
func (w *watching) look(ctx context.Context) {
	p := w.program
	at := p.now().Format("2006-01-02 15:04:05")
	limited, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	doc, err := w.scraper.Scrape(limited, scrape.Request{ScrapeRequest: w.request})
	switch {
	case ctx.Err() != nil:
		return
	case err == nil && doc.Metadata.StatusCode >= 400:
		err = fmt.Errorf("the site answered with status %d", doc.Metadata.StatusCode)
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "%s  %v\n", at, explained(err))
		return
	}
	now := &monitor.Version{Markdown: doc.Markdown}
	v := monitor.Compare(w.before, now, monitor.Mode{Text: true})
	w.before = now
	switch v.Status {
	case trawl.ChangeNew:
		fmt.Fprintf(p.stdout, "%s  watching %s\n", at, w.request.URL)
	case trawl.ChangeSame:
		fmt.Fprintf(p.stderr, "%s  same\n", at)
	default:
		fmt.Fprintf(p.stdout, "%s  changed\n", at)
		w.paint.diff(p.stdout, v.Text)
	}
}

// paint colours what is printed on a terminal.
type paint bool

// newPaint paints unless the output is no terminal, or $NO_COLOR says not to.
func newPaint(p *program) paint {
	file, ok := p.stdout.(*os.File)
	return paint(p.env["FORCE_COLOR"] != "" || ok && p.env["NO_COLOR"] == "" && term.IsTerminal(int(file.Fd())))
}

// diff prints a diff: what came in green, what went in red.
func (c paint) diff(w io.Writer, text string) {
	colours := map[rune]string{change.LinePlace: "\x1b[36m", change.LineAdded: "\x1b[32m", change.LineRemoved: "\x1b[31m"}
	for kind, line := range change.Lines(text) {
		colour := colours[kind]
		if colour == "" || !bool(c) {
			fmt.Fprintln(w, printable(line))
		} else {
			fmt.Fprintln(w, colour+printable(line)+"\x1b[0m")
		}
	}
}

// printable is a line of a page without what a terminal would obey.
func printable(line string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' || c >= 0x7f && c < 0xa0 {
			return -1
		}
		return c
	}, line)
}
