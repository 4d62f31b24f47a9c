package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
)

type parseCmd struct {
	options
	Files       []string      `arg:"" optional:"" name:"file" help:"Files to read; - is standard input, and so is no file at all."`
	Out         string        `type:"path" placeholder:"FOLDER" help:"Write each document to files of its own in this folder, and a list of them to index.jsonl."`
	Format      []string      `default:"markdown" placeholder:"FORMAT" help:"What to make of each file: markdown, html, rawHtml, links, images, summary, product, menu or metadata."`
	JSON        bool          `help:"Print the whole documents, one JSON object a line."`
	Full        bool          `help:"Whole HTML pages instead of their main content."`
	Pages       int           `placeholder:"N" help:"Read at most so many pages of a PDF."`
	Mode        string        `enum:"auto,fast,ocr" default:"auto" placeholder:"auto|fast|ocr" help:"Recognise the text of a PDF's pages where it is needed (auto, the default), nowhere (fast) or everywhere (ocr)."`
	Attachments bool          `help:"Read the attachments of messages as well."`
	Timeout     time.Duration `default:"1m" placeholder:"DURATION" help:"How long one file may take (${default})."`
}

// standardInput is how files and documents name it.
const (
	standardInput = "-"
	inputName     = "stdin"
)

// mostFilePages is what the API allows to ask for.
const mostFilePages = 10_000

// Run reads files without a server, as many at a time as there are workers.
func (c *parseCmd) Run(ctx context.Context, p *program) error {
	req, err := c.request(p)
	if err != nil {
		return usageError{err}
	}
	shown := newProgress(p.stderr, p.now)
	shown.unit = "files"
	defer shown.clear()
	log := newLogger(shown, c.quietLevel(), c.LogFormat)
	pool, err := c.documents(p, c.compiled(), log)
	if err != nil {
		return err
	}
	defer pool.Close()
	model, err := c.model(log)
	if err != nil {
		return err
	}
	defer model.close()
	scraper := scrape.New(scrape.Config{Documents: pool, Now: p.now, Extract: model.extract, ModelReady: model.ready()})
	defer scraper.Close()
	if err := scraper.Check(&req.ScrapeOptions); err != nil {
		return explained(err)
	}
	out, err := c.output(p)
	if err != nil {
		return err
	}
	defer out.close()
	r := &reading{cmd: c, program: p, scraper: scraper, request: req, shown: shown, out: out}
	return r.all(ctx)
}

// request returns what to make of each file, and checks the flags.
func (c *parseCmd) request(p *program) (trawl.ParseRequest, error) {
	req := trawl.DefaultParseRequest()
	if len(c.Files) == 0 {
		if file, ok := p.stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
			return req, errors.New("name the files to read, or - for standard input")
		}
		c.Files = []string{standardInput}
	}
	switch i := slices.Index(c.Files, standardInput); {
	case i >= 0 && slices.Contains(c.Files[i+1:], standardInput):
		return req, errors.New("standard input can be read only once")
	case c.Timeout <= 0:
		return req, fmt.Errorf("--timeout: must be more than 0 but is %s", c.Timeout)
	case c.Pages < 0 || c.Pages > mostFilePages:
		return req, fmt.Errorf("--pages: must be from 1 to %d but is %d", mostFilePages, c.Pages)
	}
	page := scrapeCmd{URL: "http://localhost/", Format: c.Format, Full: c.Full, Timeout: c.Timeout}
	one, err := page.request()
	if err != nil {
		return req, err
	}
	req.ScrapeOptions = one.ScrapeOptions
	req.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, Mode: c.Mode, MaxPages: c.Pages}, {Type: trawl.ParserImage}}
	if c.Attachments {
		req.Parsers = append(req.Parsers, trawl.Parser{Type: trawl.ParserEmail, Attachments: true})
	}
	if err := req.Unsupported(); err != nil {
		return req, explained(err)
	}
	return req, nil
}

// documentSink takes documents in the order of the files.
type documentSink interface {
	add(file string, doc *trawl.Document) error
	close()
}

func (c *parseCmd) output(p *program) (documentSink, error) {
	if c.Out == "" {
		return &printed{cmd: scrapeCmd{Format: c.Format}, w: p.stdout, json: c.JSON}, nil
	}
	f, err := openFolder(c.Out, c.Format)
	if err != nil {
		return nil, err
	}
	out := &filed{folder: f, taken: map[string]bool{indexName: true}}
	if c.JSON {
		out.print = &printed{w: p.stdout, json: true}
	}
	return out, nil
}

// printed prints documents one after the other.
type printed struct {
	cmd   scrapeCmd
	w     io.Writer
	json  bool
	begun bool
}

func (o *printed) add(_ string, doc *trawl.Document) error {
	if o.json {
		_, err := fmt.Fprintf(o.w, "%s%s\n", doc.Seal(), doc.Own())
		return err
	}
	if o.begun {
		fmt.Fprintln(o.w)
	}
	o.begun = true
	return o.cmd.print(o.w, doc)
}

func (o *printed) close() {}

// filed keeps documents in a folder, each under the name of its file.
type filed struct {
	folder *folder
	taken  map[string]bool
	print  *printed // nil if nothing is printed besides
}

func (o *filed) add(file string, doc *trawl.Document) error {
	whole, err := doc.MarshalJSON()
	if err == nil {
		err = o.folder.put(job.Document(whole), func(e *entry) string {
			name := o.name(e.URL)
			e.URL = file // which other files of that name do not have
			return name
		})
	}
	if err == nil {
		err = o.folder.flush()
	}
	if err == nil && o.print != nil {
		err = o.print.add(file, doc)
	}
	return err
}

// name returns a name that no document has yet, on any file system.
func (o *filed) name(file string) string {
	safe, _ := safeSegment(file, false)
	for i := 1; ; i++ {
		name := safe
		if i > 1 {
			name = fmt.Sprintf("%s-%d", safe, i)
		}
		if key := strings.ToLower(name); !o.taken[key] {
			o.taken[key] = true
			return name
		}
	}
}

func (o *filed) close() { o.folder.close() }

// reading reads many files at a time and hands out what they say in their order.
type reading struct {
	cmd     *parseCmd
	program *program
	scraper *scrape.Scraper
	request trawl.ParseRequest
	shown   *progress
	out     documentSink

	mu    sync.Mutex
	state trawl.Job
}

// fileOutcome is what became of a file.
type fileOutcome struct {
	doc *trawl.Document
	err error
}

// all reads the files. One that fails does not keep the others from being read.
func (r *reading) all(ctx context.Context) error {
	r.state = trawl.Job{State: "reading", Total: len(r.cmd.Files)}
	var readers sync.WaitGroup
	defer readers.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ahead := make(chan struct{}, 4*r.cmd.DocumentWorkers) // documents that wait for their turn stay few
	results := r.start(ctx, &readers, ahead)
	failed := false
	for i, file := range r.cmd.Files {
		var result fileOutcome
		select {
		case result = <-results[i]:
			<-ahead
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted after %d of %d files", i, len(results))
		}
		if result.err == nil {
			result.err = r.out.add(file, result.doc)
		}
		failed = r.report(file, result) || failed
	}
	if failed {
		return errReported
	}
	return nil
}

// start begins to read files, each of which puts a token into ahead first. It
// returns where to wait for each of them.
func (r *reading) start(ctx context.Context, readers *sync.WaitGroup, ahead chan<- struct{}) []chan fileOutcome {
	files := r.cmd.Files
	results := make([]chan fileOutcome, len(files))
	for i := range results {
		results[i] = make(chan fileOutcome, 1)
	}
	next := make(chan int)
	readers.Go(func() {
		defer close(next)
		for i := range files {
			select {
			case ahead <- struct{}{}:
				next <- i
			case <-ctx.Done():
				return
			}
		}
	})
	for range r.cmd.DocumentWorkers {
		readers.Go(func() {
			for i := range next {
				doc, err := r.one(ctx, files[i])
				r.count(err)
				results[i] <- fileOutcome{doc, err}
			}
		})
	}
	return results
}

// count tells how far the work is.
func (r *reading) count(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.state.Failed++
	} else {
		r.state.Completed++
	}
	if r.state.Total > 1 {
		r.shown.show(&r.state)
	}
}

// report tells what there is to say about a file, and whether it failed.
func (r *reading) report(file string, result fileOutcome) (failed bool) {
	if result.err != nil {
		fmt.Fprintf(r.shown, "trawl: %s: %v\n", file, explained(result.err))
		return true
	}
	if result.doc.Warning != "" {
		fmt.Fprintf(r.shown, "trawl: %s: %s\n", file, result.doc.Warning)
	}
	return false
}

// one reads a file. It does not wait for one that never comes, as from a pipe, once
// ctx has ended.
func (r *reading) one(ctx context.Context, file string) (*trawl.Document, error) {
	var body []byte
	var name string
	loaded := make(chan error, 1)
	go func() {
		var err error
		body, name, err = r.load(file)
		loaded <- err
	}()
	select {
	case err := <-loaded:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, r.cmd.Timeout)
	defer cancel()
	return r.scraper.Parse(ctx, scrape.ParseRequest{ParseRequest: r.request, Name: name, Body: body})
}

// load reads the bytes of a file, and refuses what the API would.
func (r *reading) load(file string) (body []byte, name string, err error) {
	var in io.Reader = r.program.stdin
	name = inputName
	if file != standardInput {
		opened, err := os.Open(file)
		if err != nil {
			return nil, "", unnamed(err)
		}
		defer opened.Close()
		in, name = opened, trawl.FileName(filepath.Base(file))
	}
	body, err = io.ReadAll(io.LimitReader(in, trawl.MaxUpload+1))
	switch {
	case err != nil:
		return nil, "", unnamed(err)
	case len(body) == 0:
		return nil, "", errors.New("the file is empty")
	case len(body) > trawl.MaxUpload:
		return nil, "", fmt.Errorf("the file is larger than %d MB", trawl.MaxUpload>>20)
	}
	return body, name, nil
}

// unnamed is an error of the file system without the name of the file, which is
// told already.
func unnamed(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
