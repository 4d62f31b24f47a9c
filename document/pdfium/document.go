package pdfium

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/tree"
)

// maxTraps is how often a document is opened again after a page that ended its
// instance. A file with more such pages is given up.
const maxTraps = 16

// Document is an open file. It may be used by one goroutine at a time.
type Document struct {
	engine *Engine
	body   []byte
	pages  int // that are there
	said   int // that the file says are there
	info   tree.Info

	module *module // nil after a trap, until the document is needed again
	handle uint64
	held   uint64 // the page that was read last; fonts that the next one shares need not be loaded again
	read   int    // pages since the instance was made
	traps  int
	mark   [3]float32   // of pages that were read
	links  map[int]kept // of pages from which they were removed
}

// Open opens a file in an instance of its own. The body may not be changed until
// the document is closed. The error wraps tree.ErrEncrypted if the file needs a
// password, else tree.ErrDamaged or tree.ErrTooComplex if it cannot be read.
func (e *Engine) Open(ctx context.Context, body []byte) (*Document, error) {
	d := &Document{engine: e, body: body, mark: newMark(), links: map[int]kept{}}
	if err := d.open(ctx); err != nil {
		return nil, fmt.Errorf("open pdf: %w", err)
	}
	d.info = d.module.info(d.handle)
	if err := d.module.err; err != nil {
		d.Close()
		return nil, fmt.Errorf("open pdf: %w", err)
	}
	d.count()
	if d.recount(ctx); d.module.err != nil { // a page that ends the instance is met again when it is read
		d.traps++
		d.Close()
	}
	return d, nil
}

// errorPassword is the library's number for documents that need a password.
const errorPassword = 4

// open starts an instance and opens the document in it.
func (d *Document) open(ctx context.Context) error {
	m, err := d.engine.instance(ctx)
	if err != nil {
		return err
	}
	d.module, d.read, d.held = m, 0, 0
	address := m.allocate(max(len(d.body), 1))
	if m.err == nil && !m.memory.Write(address, d.body) {
		m.err = errors.New("write to the memory of pdfium")
	}
	d.handle = m.call(loadDocument, uint64(address), uint64(len(d.body)), 0)
	if m.err == nil && d.handle == 0 {
		reason := m.number(lastError)
		m.err = tree.ErrDamaged
		if reason == errorPassword {
			m.err = tree.ErrEncrypted
		}
	}
	if m.err != nil {
		err := m.err
		d.Close()
		return err
	}
	return nil
}

// Close frees the document.
func (d *Document) Close() {
	if d.module != nil {
		// The instance ends with all that it holds; an error would be of no use to anyone.
		_ = d.module.owner.Close()
		d.module = nil
	}
}

// Pages returns how many pages the file has.
func (d *Document) Pages() int { return d.pages }

// Said returns how many pages the file says it has, which may be more.
func (d *Document) Said() int { return d.said }

// Info returns what the file says of itself.
func (d *Document) Info() tree.Info { return d.info }

// Page reads page i, counted from 0. A page that cannot be read does not harm the
// others.
func (d *Document) Page(i int) (*layout.Page, error) {
	var page *layout.Page
	err := d.with(i, func(_ *module, handle uint64) { page = d.page(handle, i) })
	if err != nil {
		return nil, fmt.Errorf("read page %d: %w", i+1, err)
	}
	return page, nil
}

// with calls a function with a page. If that ends the instance, the document is
// opened anew: at once if other pages may have used up the memory, so that this
// one gets a second chance, else when the next page is needed.
func (d *Document) with(i int, use func(m *module, page uint64)) error {
	for {
		if err := d.reopen(); err != nil {
			return err
		}
		m, fresh := d.module, d.read == 0
		d.read++
		page := d.load(i)
		if m.err == nil && page == 0 {
			return fmt.Errorf("%w: page cannot be loaded", tree.ErrDamaged)
		}
		if d.held != 0 {
			m.call(closePage, d.held)
		}
		d.held = page
		use(m, page)
		if m.err == nil {
			return nil
		}
		d.traps++
		d.Close()
		if fresh {
			return m.err
		}
	}
}

func (d *Document) reopen() error {
	if d.module != nil {
		return nil
	}
	if d.traps > maxTraps {
		return fmt.Errorf("%w: too many pages fail", tree.ErrTooComplex)
	}
	return d.open(context.Background())
}

// info reads what a document says of itself.
func (m *module) info(document uint64) tree.Info {
	get := func(tag string) string {
		value := clean(m.text(metaText, document, m.name(tag)))
		switch strings.ToLower(strings.Trim(value, "()")) {
		case "anonymous", "unspecified", "untitled": // what programs write that were told nothing
			return ""
		}
		return value
	}
	return tree.Info{
		Title:     get("Title"),
		Author:    get("Author"),
		Subject:   get("Subject"),
		Keywords:  get("Keywords"),
		Generator: get("Creator"),
		Created:   date(get("CreationDate")),
		Modified:  date(get("ModDate")),
		Language:  clean(m.text(catalogLanguage, document)),
	}
}

// clean makes one line of a text without what cannot be shown.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// date reads a date such as D:20240131235959+01'00', of which any part but the
// year may be missing. One that cannot be read is zero.
func date(s string) time.Time {
	s = strings.ReplaceAll(strings.TrimPrefix(s, "D:"), "'", "")
	digits := 0
	for digits < len(s) && digits < 14 && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	const form = "20060102150405"
	if digits < 4 || digits%2 != 0 {
		return time.Time{}
	}
	value, layout := s[:digits], form[:digits]
	if zone := s[digits:]; len(zone) == 5 && (zone[0] == '+' || zone[0] == '-') {
		value, layout = value+zone, layout+"-0700"
	}
	t, err := time.Parse(layout, value)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
