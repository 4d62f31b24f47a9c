package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape"
)

type scrapeCmd struct {
	options
	URL     string        `arg:"" help:"Address of the page."`
	Format  []string      `placeholder:"FORMAT" help:"What to print: markdown, html, rawHtml, links, images, summary, json, product, menu, branding or metadata; markdown unless chosen, or json with --schema or --prompt."`
	JSON    bool          `help:"Print the whole document as JSON."`
	Full    bool          `help:"The whole page instead of its main content."`
	Timeout time.Duration `default:"30s" placeholder:"DURATION" help:"How long the scrape may take."`
	wanted
	rendering
}

// Run scrapes the page without a server: nothing is cached, recorded or charged.
func (c *scrapeCmd) Run(ctx context.Context, p *program) error {
	err := c.wanted.read(p.stdin)
	c.choose()
	var req trawl.ScrapeRequest
	if err == nil {
		req, err = c.request()
	}
	if err == nil {
		err = c.apply(&req, p.stdin, c.JSON)
	}
	if err == nil {
		err = trawl.Invalid(req.Validate())
	}
	if err != nil {
		return usageError{err}
	}
	scraper, stop, err := c.scraper(p)
	if err != nil {
		return err
	}
	defer stop()
	if err := scraper.Check(&req.ScrapeOptions); err != nil {
		return explained(err)
	}
	doc, err := c.scrape(ctx, p, scraper, req)
	if err != nil {
		return explained(err)
	}
	if doc.Warning != "" {
		fmt.Fprintf(p.stderr, "trawl: %s\n", doc.Warning)
	}
	if doc, err = c.save(doc, req.Actions); err != nil {
		return err
	}
	return c.print(p.stdout, doc)
}

// scraper returns what scrapes without a store, and what ends it.
func (c *scrapeCmd) scraper(p *program) (_ *scrape.Scraper, _ func(), err error) {
	var closers []func()
	stop := func() {
		for _, closer := range slices.Backward(closers) {
			closer()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	log := newLogger(p.stderr, c.quietLevel(), c.LogFormat)
	guard := c.guard(log, nil)
	client, err := c.fetcher(guard)
	if err != nil {
		return nil, nil, err
	}
	closers = append(closers, client.Close)
	pool, err := c.browser(p, guard, client, log)
	if err != nil {
		return nil, nil, err
	}
	if pool != nil {
		closers = append(closers, pool.Close)
	}
	documents, err := c.documents(p, c.compiled(), log)
	if err != nil {
		return nil, nil, err
	}
	closers = append(closers, documents.Close)
	model, err := c.model(log)
	if err != nil {
		return nil, nil, err
	}
	closers = append(closers, model.close)
	scraper := scrape.New(scrape.Config{
		Fetch: sampled{client}, Browser: renderer(pool), Documents: documents, Now: p.now, Extract: model.extract, ModelReady: model.ready(),
	})
	closers = append(closers, scraper.Close)
	return scraper, stop, nil
}

// quietLevel is the log level of a command whose user watches: there, what goes
// as it should is not worth a line.
func (o *options) quietLevel() string {
	if o.LogLevel == "info" {
		return "warn"
	}
	return o.LogLevel
}

func (c *scrapeCmd) scrape(ctx context.Context, p *program, scraper *scrape.Scraper, req trawl.ScrapeRequest) (*trawl.Document, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()

	defer spin(p.stderr, "Scraping "+c.URL)()
	return scraper.Scrape(ctx, scrape.Request{ScrapeRequest: req})
}

// explained shows of an error what a caller of the API would see, and its code.
func explained(err error) error {
	e, ok := errors.AsType[*trawl.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case !ok:
		return err
	}
	shown := fmt.Errorf("%s (%s)", e.Message, e.Code)
	if e.Code == trawl.CodeBadRequest {
		return usageError{shown}
	}
	return shown
}

func (c *scrapeCmd) request() (trawl.ScrapeRequest, error) {
	req := trawl.DefaultScrapeRequest()
	req.URL, req.OnlyMainContent, req.Timeout = c.URL, !c.Full, c.Timeout.Milliseconds()
	req.Formats = nil
	for _, format := range c.Format {
		if format != "metadata" {
			req.Formats = append(req.Formats, c.format(format))
		}
	}
	return req, trawl.Invalid(req.Validate())
}

// print writes the document as JSON, or the formats one after the other.
func (c *scrapeCmd) print(w io.Writer, doc *trawl.Document) error {
	if c.JSON {
		return output{JSON: true}.print(w, doc, nil)
	}
	for i, format := range c.Format {
		if i > 0 {
			fmt.Fprintln(w)
		}
		text, err := textOf(doc, format)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

func textOf(doc *trawl.Document, format string) (string, error) {
	for kind, text := range map[string]*string{
		trawl.FormatMarkdown: doc.Markdown, trawl.FormatHTML: doc.HTML,
		trawl.FormatRawHTML: doc.RawHTML, trawl.FormatRawBase64: doc.RawBase64, trawl.FormatScreenshot: doc.Screenshot,
		trawl.FormatSummary: doc.Summary,
	} {
		if format == kind && text != nil {
			return *text, nil
		}
	}
	for kind, list := range map[string]*[]string{trawl.FormatLinks: doc.Links, trawl.FormatImages: doc.Images} {
		if format == kind && list != nil {
			return strings.Join(*list, "\n"), nil
		}
	}
	for kind, value := range map[string]json.RawMessage{trawl.FormatJSON: doc.JSON, trawl.FormatProduct: doc.Product, trawl.FormatMenu: doc.Menu} {
		if format == kind {
			return indented(value), nil
		}
	}
	var object any
	switch {
	case format == "metadata":
		object = doc.Metadata
	case format == trawl.FormatBranding && doc.Branding != nil:
		object = doc.Branding
	default:
		return "", nil
	}
	text, err := json.MarshalIndent(object, "", "  ")
	return string(text), err
}

// spin shows on a terminal that something is going on, until stop is called.
// Elsewhere it prints nothing.
func spin(w io.Writer, label string) (stop func()) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
		ticker := time.NewTicker(80 * time.Millisecond)
		defer ticker.Stop()
		for i := 0; ; i++ {
			fmt.Fprintf(w, "\r%c %s", frames[i%len(frames)], label)
			select {
			case <-quit:
				fmt.Fprint(w, "\r\x1b[K")
				return
			case <-ticker.C:
			}
		}
	}()
	return func() { close(quit); <-done }
}
