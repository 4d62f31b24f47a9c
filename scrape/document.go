package scrape

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/scrape/format"
	"github.com/trawlhq/trawl/scrape/reading"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// draft is the document of a page, sealed, its sealed part as it is stored, and
// what the page gave beside it.
type draft struct {
	doc    trawl.Document
	packed store.Packed
	links  []string        // of the page, if they were asked for
	notes  []string        // what its reader should know of the content
	source *extract.Source // what can be extracted from, if that was asked for

	version *store.Version // what the next page is compared with; of tracked pages, which are not remembered
	read    bool           // the text of the page was read

	failed   []string // formats at which a model failed
	degraded bool     // a model failed at some of it: it is not remembered
}

// size is how much memory a document takes, about.
func (d *draft) size() int {
	size := 2*len(d.doc.Seal()) + 64*len(d.links) + 1024
	if d.source != nil {
		size += 3 * len(d.source.Markdown) // what else is in it comes from the same page
	}
	return size
}

// maker makes documents of pages.
type maker struct {
	reader  *reading.Reader
	formats *format.Server
	memory  *source.Memory
	store   Store  // nil where nothing is stored
	secret  []byte // signs the addresses of files
}

// document makes the document of a page. If a model fails at its part, the links of
// the page are there all the same.
func (m *maker) document(ctx context.Context, plan *Plan, page *source.Page) (*draft, error) {
	d := &draft{}
	task := &format.Task{
		Server: m.formats, Page: page, Doc: &d.doc, TeamID: plan.Page.TeamID, Hidden: plan.Hidden, Discard: plan.Discard, Alone: len(plan.Steps) == 1,
		Address: func(file *trawl.File) string { return m.addressOf(plan, file) },
	}
	if err := m.read(ctx, plan, task, d); err != nil || !plan.NeedsAsk {
		return d, err
	}
	task.Reading = nil
	if err := m.memory.Idle(ctx, page); err != nil {
		return d, err
	}
	notes, failed, err := format.Ask(llm.For(ctx, plan.Page.TeamID, plan.Live), task, plan.Steps)
	if err != nil {
		return d, err
	}
	d.notes, d.failed, d.version = append(d.notes, notes...), failed, task.Version
	d.degraded = task.Degraded || len(failed) > 0
	return d, m.seal(plan, d)
}

// read makes all of the document that can be read from the page, and seals it if
// that is all there is to it.
func (m *maker) read(ctx context.Context, plan *Plan, task *format.Task, d *draft) error {
	options := plan.Reading
	options.Admit = func(pages int) (int, error) { return plan.admit(task.Page, pages) }
	r, release, err := m.reader.Open(ctx, task.Page, options)
	if err != nil {
		return err
	}
	defer release()
	done, err := m.memory.Parse(ctx, r.Size())
	if err != nil {
		return err
	}
	defer done()
	if task.Reading = r; r.Unread() || plan.Reading.Bytes {
		err = m.fromBytes(plan, task, d)
	} else {
		err = m.fromText(ctx, plan, task, d)
	}
	if err != nil {
		return err
	}
	d.doc.Actions = m.actions(plan, task.Page)
	if plan.NeedsAsk {
		return nil
	}
	return m.seal(plan, d)
}

// fromBytes makes the document of a page that is not read, but handed on as it is.
func (m *maker) fromBytes(plan *Plan, task *format.Task, d *draft) error {
	switch kind := task.Page.Kind; {
	case plan.Reading.Bytes && kind == source.Text && plan.Links:
		d.links, d.notes = linksOf(task.Reading), task.Reading.Notes()
	case plan.Reading.Bytes:
	case kind == source.Other:
		return trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a file of a type that cannot be scraped.")
	case task.Page.File == document.Image && plan.Upload:
		return trawl.Errorf(trawl.CodeParseOptions, "Parse requests do not read a picture without the parser image.")
	case task.Page.File == document.Image:
		return trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a picture, which is only read with the parser image.")
	case plan.NeedsText && plan.Upload:
		return trawl.Errorf(trawl.CodeParseOptions, "Parse requests do not extract from a PDF file without the parser pdf.")
	case plan.NeedsText:
		return trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a PDF file, which is only read with the parser pdf: there is no text to extract from.")
	}
	format.FromBytes(task, plan.Steps)
	return nil
}

// fromText makes the document of a page that is read.
func (m *maker) fromText(ctx context.Context, plan *Plan, task *format.Task, d *draft) error {
	r := task.Reading
	tags, locales := r.Tree().Metadata()
	if plan.NeedsText {
		var err error
		if task.Source, err = r.Source(tags); err != nil {
			return err
		}
	}
	notes, err := format.Read(task, plan.Steps)
	if err != nil {
		return err
	}
	d.notes = append(r.Notes(), notes...)
	d.doc.Metadata.Tags, d.doc.Metadata.OGLocaleAlternate = tags, locales
	if r.File != nil {
		d.notes = append(d.notes, r.File.Warnings...)
		if err := r.Describe(ctx, &d.doc); err != nil {
			return err
		}
	}
	if plan.Links {
		d.links = linksOf(r)
	}
	if plan.Source {
		d.source = task.Source
	}
	d.read = true
	return nil
}

// linksOf returns where a page leads, and where it says that it belongs.
func linksOf(r *reading.Reading) []string {
	links := r.Tree().Links()
	if proper := r.Tree().Canonical(); proper != "" {
		links = append(links, proper)
	}
	return links
}

// actions returns what was done in a page.
func (m *maker) actions(plan *Plan, page *source.Page) *trawl.ActionResults {
	if page.Outcome == nil {
		return nil
	}
	addresses := func(files []trawl.File) []string {
		list := []string{}
		for i := range files {
			list = append(list, m.addressOf(plan, &files[i]))
		}
		return list
	}
	out := page.Outcome
	return &trawl.ActionResults{
		Screenshots: addresses(out.Screenshots), PDFs: addresses(out.PDFs), Scrapes: out.Scrapes, JavascriptReturns: out.Returns,
	}
}

// inline reports whether files are part of the document, because there is no
// place where they are, or may be, kept.
func (m *maker) inline(plan *Plan) bool { return m.store == nil || plan.Discard }

// addressOf returns where a caller finds a file.
func (m *maker) addressOf(plan *Plan, file *trawl.File) string {
	if m.inline(plan) {
		return file.DataURI()
	}
	return file.Address(plan.base, m.secret)
}

// seal writes the document, and packs it if it is to be stored.
func (m *maker) seal(plan *Plan, d *draft) (err error) {
	sealed := d.doc.Seal()
	if m.store != nil && !plan.Discard {
		d.packed, err = m.store.Pack(sealed)
	}
	return err
}
