// Package format makes the parts of a document. A format is one [Format] in a file
// of its own: its name, what it takes to make it, how it is made, what it costs, and
// what is said where it cannot be made. The list of all of them is [All].
package format

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/scrape/reading"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// Format is one output format.
type Format struct {
	Name        string
	Unsupported bool // no server of this version makes it
	HasOptions  bool // what is made depends on its options

	// Needs says what it takes, with these options; nil: nothing but the page.
	Needs func(o *trawl.Format) Needs

	// Check refuses options that nobody could act on; at is where the format stands
	// in the request. It may be nil.
	Check func(o *trawl.Format, at int) error

	// NoBrowser is the code of the error where a browser is needed and there is none.
	NoBrowser trawl.Code

	// One of these makes it. They return what the reader of the document should know.
	Bytes func(t *Task)                                                                // where there is no text, only bytes
	Read  func(t *Task, o *trawl.Format) (note string, err error)                      // from the page as it was read
	Ask   func(ctx context.Context, t *Task, o *trawl.Format) (note string, err error) // later: by a model, or by the page's past
}

// Needs is what it takes to make a format.
type Needs struct {
	Browser    bool          // the page rendered
	Screenshot *trawl.Format // a picture of it
	Measure    string        // a script that measures it
	NoPage     error         // what is said of an address that serves no page; nil if it will do
	RawBytes   bool          // its bytes as they came
	Fresh      bool          // a page of the moment, not one from the cache
	Text       bool          // what can be extracted from
	History    bool          // what the page was like before
	Model      string        // what nothing but a model can do; empty if there is no such thing

	Credits    int64 // beyond those of the page
	Structured bool  // data by a schema or a prompt, which is paid once however often it is made
}

// structuredCredits is what structured data costs beyond the page.
const structuredCredits = 4

// Add makes n what it takes for two formats.
func (n *Needs) Add(other Needs) {
	n.Browser = n.Browser || other.Browser
	n.RawBytes = n.RawBytes || other.RawBytes
	n.Fresh = n.Fresh || other.Fresh
	n.Text = n.Text || other.Text
	n.History = n.History || other.History
	n.Structured = n.Structured || other.Structured
	n.Credits += other.Credits
	if other.Screenshot != nil {
		n.Screenshot = other.Screenshot
	}
	if other.Measure != "" {
		n.Measure = other.Measure
	}
	n.NoPage = cmp.Or(n.NoPage, other.NoPage)
}

// Extractor finds things out from pages. Its errors are *trawl.Error, or that of the
// context.
type Extractor interface {
	Do(ctx context.Context, src *extract.Source, task extract.Task) (*extract.Finding, error)
}

// History knows pages as they were when they were tracked last. Its error has
// CodeNotFound if there is nothing to know.
type History interface {
	LastVersion(ctx context.Context, teamID, url, tag string) (store.Version, error)
}

// Server is what formats are made with.
type Server struct {
	Extract    Extractor
	ModelReady bool    // Extract has a model to ask
	History    History // nil where there is none
	Pack       func(data []byte) (store.Packed, error)

	comparing chan struct{} // holds a token for each page that is compared with its past
}

// NewServer completes a server.
func NewServer(s Server) *Server {
	s.comparing = make(chan struct{}, maxCompared)
	return &s
}

// Task is the making of one document.
type Task struct {
	*Server
	Page    *source.Page
	Reading *reading.Reading // until it is read
	Source  *extract.Source  // what can be extracted from, if a format needs it
	Doc     *trawl.Document

	TeamID  string
	Address func(*trawl.File) string // where a caller finds a file
	Hidden  bool                     // no link and no sitemap led to the page
	Discard bool                     // nothing of the page may be kept
	Alone   bool                     // the document has one format

	Version  *store.Version // what the next page is compared with, if it is tracked
	Degraded bool           // a format is not as good as it should be, because a model failed
}

// structured finds data in the page.
func (t *Task) structured(ctx context.Context, task extract.Task) (json.RawMessage, string, error) {
	found, err := t.Extract.Do(ctx, t.Source, task)
	if err != nil {
		return nil, "", err
	}
	if found.Value == nil {
		return nil, found.Warning, nil
	}
	value, err := marshal(found.Value)
	return value, found.Warning, err
}

// words finds a text about the page. A page without text has an empty one, and the
// note says so.
func (t *Task) words(ctx context.Context, task extract.Task, blank string) (*string, string, error) {
	if t.blank() {
		return new(string), blank, nil
	}
	found, err := t.Extract.Do(ctx, t.Source, task)
	if err != nil {
		return nil, "", err
	}
	text, _ := found.Value.(string)
	return &text, found.Warning, nil
}

// blank reports whether the page has no text.
func (t *Task) blank() bool { return strings.TrimSpace(t.Source.Markdown) == "" }
