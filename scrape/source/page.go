package source

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
)

// Head is what is known of a page without its bytes.
type Head struct {
	Target      string // canonical address that was asked for; empty for an upload
	URL         string // where it really is; of an upload its name
	Status      int
	ContentType string
	Language    string // that the server declared
	Proxy       string // as metadata reports it
	FetchedAt   time.Time
	RetryAfter  string        // the header
	TimeZone    string        // that was emulated
	Waited      time.Duration // for a browser
	Screenshot  *trawl.File   // of the whole page, if it was asked for
	FromCache   bool
}

// OK reports whether the site answered with the page.
func (h *Head) OK() bool { return h.Status >= 200 && h.Status <= 299 }

// Page is a page that was got. It does not change any more, apart from what it
// keeps in memory.
type Page struct {
	Head
	Body []byte
	Kind Kind
	File document.Kind // which document it is, if Kind is File

	Sign      content.Sign // whether it is what a reader would see
	Partial   bool         // it is not all that a reader would see
	Shareable bool         // others may get it from the cache
	Warning   string       // what its reader should know
	Outcome   *Outcome     // of what was done in the page; nil without actions
	Measured  json.RawMessage

	shows   string // address of the file that is all there is to see on it
	release func() // gives back the room that a large page takes; may be nil
	text    []byte // see Tree
	tree    *content.Page
}

// Outcome is what actions in a page brought.
type Outcome struct {
	Screenshots []trawl.File
	PDFs        []trawl.File
	Scrapes     []trawl.ActionPage
	Returns     []trawl.ActionReturn
}

// Challenged reports whether the site answered with a check for robots in place of
// the page.
func (p *Page) Challenged() bool { return p.Sign == content.Challenge }

// IsUpload reports whether the page came with the request.
func (p *Page) IsUpload() bool { return p.Target == "" }

// Files returns the files that were made with the page.
func (p *Page) Files() []trawl.File {
	var files []trawl.File
	if p.Screenshot != nil && !p.FromCache {
		files = append(files, *p.Screenshot)
	}
	if p.Outcome != nil {
		files = append(append(files, p.Outcome.Screenshots...), p.Outcome.PDFs...)
	}
	return files
}

// Base is what addresses in the page are relative to. An upload only has a name.
func (p *Page) Base() string {
	if p.IsUpload() {
		return ""
	}
	return p.URL
}

// Release gives back the room of a page that is done with.
func (p *Page) Release() {
	if p != nil && p.release != nil {
		p.release()
	}
}

// warn adds what the reader of the page should know.
func (p *Page) warn(text string) { p.Warning = strings.TrimSpace(p.Warning + " " + text) }

// spoil says why the page is not for others.
func (p *Page) spoil(warning string) { p.Warning, p.Shareable = warning, false }

// incomplete says why the page is not all that a reader would see.
func (p *Page) incomplete(warning string) {
	p.spoil(warning)
	p.Partial = true
}

// MaxParsed is how much of a page is parsed: a tree of nothing but tags takes some
// thirty times their memory.
const MaxParsed = 10 << 20

// Tree returns the text of a page and the tree of what is used of it, which are
// made once.
func (p *Page) Tree() (text []byte, tree *content.Page) {
	if p.tree == nil {
		p.text = fetch.Text(p.Body, p.ContentType)
		src := content.Source{Body: p.text, ContentType: p.ContentType, URL: p.Base(), Language: p.Language}
		if len(src.Body) > MaxParsed {
			src.Body = bytes.ToValidUTF8(src.Body[:MaxParsed], nil)
		}
		p.tree = content.Parse(src)
	}
	return p.text, p.tree
}

// Kind is what the bytes of a page are, judged by content before label.
type Kind int

// The kinds of pages.
const (
	Text  Kind = iota // HTML and everything else that is text
	File              // a document
	Other             // what cannot be read
)

// newPage completes a page whose head and body are there.
func newPage(p Page) *Page {
	p.Shareable = true
	if len(p.Body) > 0 {
		p.Kind, p.File = kindOf(&p)
	}
	return &p
}

func kindOf(p *Page) (Kind, document.Kind) {
	label, _, _ := mime.ParseMediaType(p.ContentType)
	sniffed, _, _ := mime.ParseMediaType(http.DetectContentType(p.Body))
	file := document.Sniff(p.Body, fileName(p.URL), p.ContentType)
	switch {
	case file == document.PDF && textual(sniffed) && textual(label): // it only mentions how such files begin
		return Text, file
	case file != document.Unknown && file != document.HTML:
		return File, file
	case textual(sniffed):
		return Text, file
	case sniffed != "application/octet-stream": // which only means that it is not known
		return Other, file
	case textual(label):
		return Text, file
	}
	return Other, file
}

// fileName returns the last part of the path of an address.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// textual reports whether a media type is made of characters.
func textual(mediaType string) bool {
	switch mediaType {
	case "application/json", "application/xml", "application/javascript", "application/x-javascript",
		"application/ecmascript", "application/yaml", "application/toml", "application/x-ndjson":
		return true
	}
	return strings.HasPrefix(mediaType, "text/") ||
		strings.HasSuffix(mediaType, "+json") || strings.HasSuffix(mediaType, "+xml")
}
