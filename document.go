package trawl

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Document is what a scrape returns. Only what was asked for is present; the
// metadata always is.
//
// Its JSON is made in two parts. The first, content and tags, depends only on
// the page and the options; [Document.Seal] writes it once for all documents
// that are copies of one another. The second is what only this request knows.
type Document struct {
	Markdown  *string   `json:"markdown,omitempty" doc:"The page as markdown."`
	HTML      *string   `json:"html,omitempty" doc:"Cleaned HTML."`
	RawHTML   *string   `json:"rawHtml,omitempty" doc:"The HTML as it came."`
	RawBase64 *string   `json:"rawBase64,omitempty" doc:"The bytes as they came, in base64."`
	Links     *[]string `json:"links,omitempty" doc:"Absolute links, each once, in order."`
	Images    *[]string `json:"images,omitempty" doc:"Absolute image addresses, each once, in order."`

	Summary *string         `json:"summary,omitempty" doc:"What the page is about, in a few sentences."`
	JSON    json.RawMessage `json:"json,omitempty" doc:"What was extracted from the page."`
	Product json.RawMessage `json:"product,omitempty" doc:"The product that the page sells."`
	Menu    json.RawMessage `json:"menu,omitempty" doc:"The menu that the page shows."`

	Answer     *string `json:"answer,omitempty" doc:"The answer to the question."`
	Highlights *string `json:"highlights,omitempty" doc:"The passages of the page that the query asks for."`

	ChangeTracking *ChangeTracking `json:"changeTracking,omitempty" doc:"How the page differs from before."`
	Branding       *Branding       `json:"branding,omitempty" doc:"How the site looks."`

	Attributes *[]Attribute   `json:"attributes,omitempty" doc:"Attributes of the elements that the selectors match."`
	Pages      []DocumentPage `json:"pages,omitempty" doc:"The pages of a PDF, each on its own."`
	Blocks     []PageBlocks   `json:"blocks,omitempty" doc:"What stands where on the pages of a PDF."`

	Screenshot *string        `json:"screenshot,omitempty" doc:"Address of a picture of the page, which expires; a data URI under zero data retention."`
	Actions    *ActionResults `json:"actions,omitempty" doc:"What the actions made."`

	Metadata Metadata `json:"metadata" doc:"What the page says of itself, and how it was scraped."`
	Warning  string   `json:"warning,omitempty" doc:"What could not be done as asked."`

	sealed []byte
}

// ActionResults is what the actions of a scrape made, of each kind in the order of
// the actions. In JSON every list is there, if only as an empty one.
type ActionResults struct {
	Screenshots       []string       `json:"screenshots" doc:"Addresses of pictures, which expire."`
	Scrapes           []ActionPage   `json:"scrapes" doc:"The page as it was at each scrape."`
	JavascriptReturns []ActionReturn `json:"javascriptReturns" doc:"What each script returned."`
	PDFs              []string       `json:"pdfs" doc:"Addresses of PDF files, which expire."`
}

// ActionPage is the page as it was between two actions.
type ActionPage struct {
	URL  string `json:"url" doc:"Where the browser was."`
	HTML string `json:"html" doc:"The page as HTML."`
}

// ActionReturn is what a script returned.
type ActionReturn struct {
	Type  string          `json:"type" doc:"Type of the value in JavaScript."`
	Value json.RawMessage `json:"value" doc:"The value; null if it is none that JSON knows."`
}

// Metadata is what a page says of itself and what the service says of the
// scrape. In JSON it is one flat object; where a page's own tag bears the name
// of a field of the service, the service's value stands.
type Metadata struct {
	// Tags holds title, description, language and every other meta tag of the page.
	Tags              map[string]string
	OGLocaleAlternate []string

	ScrapeID    string
	SourceURL   string // as the caller typed it
	URL         string // after redirects
	StatusCode  int
	Error       string // reason of a status that is not 2xx
	ContentType string
	NumPages    int
	TotalPages  int
	ProxyUsed   string // basic or stealth
	CacheState  string // hit, miss, or empty when the cache was out of the question
	CachedAt    time.Time
	CreditsUsed int64
	TimeZone    string // that the page saw, if it was rendered

	// QueueDuration is how long the request waited for a slot of its team.
	QueueDuration time.Duration
}

// Cache states.
const (
	CacheHit  = "hit"
	CacheMiss = "miss"
)

// TimeFormat is how times appear in the API: RFC 3339 in UTC with milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the document with its keys always in the same order.
func (d *Document) MarshalJSON() ([]byte, error) {
	return slices.Concat(d.Seal(), d.Own()), nil
}

// MarshalJSON writes the flat object.
func (m Metadata) MarshalJSON() ([]byte, error) {
	return append(m.appendService(m.appendTags([]byte{'{'})), '}'), nil
}

// Seal returns the first part of the document's JSON: content and tags. The
// document and its copies must not change in these from then on.
func (d *Document) Seal() []byte {
	if d.sealed == nil {
		d.sealed = d.appendShared(nil)
	}
	return d.sealed
}

// Unsealed returns a copy of the document that may be changed.
func (d *Document) Unsealed() *Document {
	c := *d
	c.sealed = nil
	return &c
}

// Own returns the second part of the document's JSON, which completes the first:
// the service's metadata and the warning.
func (d *Document) Own() []byte {
	b := d.Metadata.appendService(make([]byte, 0, 768))
	b = append(b, '}')
	if d.Warning != "" {
		b = append(b, `,"warning":`...)
		b = appendString(b, d.Warning)
	}
	return append(b, '}')
}

func (d *Document) appendShared(b []byte) []byte {
	b = append(b, '{')
	for _, field := range []struct {
		name  string
		value *string
	}{{"markdown", d.Markdown}, {"html", d.HTML}, {"rawHtml", d.RawHTML}, {"rawBase64", d.RawBase64}, {"summary", d.Summary}, {"answer", d.Answer}, {"highlights", d.Highlights}} {
		if field.value != nil {
			b = appendString(appendKey(b, field.name), *field.value)
			b = append(b, ',')
		}
	}
	for _, field := range []struct {
		name  string
		value *[]string
	}{{"links", d.Links}, {"images", d.Images}} {
		if field.value != nil {
			b = appendList(appendKey(b, field.name), *field.value)
			b = append(b, ',')
		}
	}
	for _, field := range []struct {
		name  string
		value json.RawMessage
	}{{"json", d.JSON}, {"product", d.Product}, {"menu", d.Menu}} {
		if field.value != nil {
			b = appendValue(appendKey(b, field.name), field.value)
			b = append(b, ',')
		}
	}
	b = d.appendParts(b)
	if d.Screenshot != nil {
		b = appendString(appendKey(b, "screenshot"), *d.Screenshot)
		b = append(b, ',')
	}
	if d.Actions != nil {
		b = d.Actions.append(appendKey(b, "actions"))
		b = append(b, ',')
	}
	return d.Metadata.appendTags(append(b, `"metadata":{`...))
}

func (a *ActionResults) append(b []byte) []byte {
	b = appendList(append(b, `{"screenshots":`...), a.Screenshots)
	b = append(b, `,"scrapes":[`...)
	for i, s := range a.Scrapes {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"url":`...), s.URL)
		b = appendString(append(b, `,"html":`...), s.HTML)
		b = append(b, '}')
	}
	b = append(b, `],"javascriptReturns":[`...)
	for i, r := range a.JavascriptReturns {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"type":`...), r.Type)
		b = appendValue(append(b, `,"value":`...), r.Value)
		b = append(b, '}')
	}
	b = appendList(append(b, `],"pdfs":`...), a.PDFs)
	return append(b, '}')
}

// appendTags appends the page's tags, each followed by a comma.
func (m *Metadata) appendTags(b []byte) []byte {
	for _, name := range slices.Sorted(maps.Keys(m.Tags)) {
		if !ownedByService(name) {
			b = appendString(appendKey(b, name), m.Tags[name])
			b = append(b, ',')
		}
	}
	if len(m.OGLocaleAlternate) > 0 {
		b = appendList(appendKey(b, "ogLocaleAlternate"), m.OGLocaleAlternate)
		b = append(b, ',')
	}
	return b
}

// ownedByService reports whether a page must not use the name for a tag, even
// where the service has nothing to say under it.
func ownedByService(name string) bool {
	switch name {
	case "scrapeId", "sourceURL", "url", "statusCode", "error", "contentType", "numPages", "totalPages", "proxyUsed",
		"cacheState", "cachedAt", "creditsUsed", "concurrencyLimited", "concurrencyQueueDurationMs", "timezone",
		"postprocessorsUsed", "indexId", "ogLocaleAlternate":
		return true
	}
	return false
}

// appendService appends the fields of the service, without a comma at the end.
func (m *Metadata) appendService(b []byte) []byte {
	text := func(name, value string) {
		if value != "" {
			b = append(appendString(appendKey(b, name), value), ',')
		}
	}
	number := func(name string, value int64, always bool) {
		if value != 0 || always {
			b = append(strconv.AppendInt(appendKey(b, name), value, 10), ',')
		}
	}
	text("scrapeId", m.ScrapeID)
	text("sourceURL", m.SourceURL)
	text("url", m.URL)
	number("statusCode", int64(m.StatusCode), true)
	text("error", m.Error)
	text("contentType", m.ContentType)
	number("numPages", int64(m.NumPages), false)
	number("totalPages", int64(m.TotalPages), false)
	text("proxyUsed", m.ProxyUsed)
	text("cacheState", m.CacheState)
	if !m.CachedAt.IsZero() {
		text("cachedAt", m.CachedAt.UTC().Format(TimeFormat))
	}
	number("creditsUsed", m.CreditsUsed, true)
	text("timezone", m.TimeZone)
	number("concurrencyQueueDurationMs", m.QueueDuration.Milliseconds(), false)
	return strconv.AppendBool(appendKey(b, "concurrencyLimited"), m.QueueDuration > 0)
}

func appendKey(b []byte, name string) []byte {
	return append(appendString(b, name), ':')
}

// appendString appends a JSON string; what is not UTF-8 is replaced.
func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// appendValue appends what a page wrote as JSON, or null: the document around it
// must stay readable.
func appendValue(b []byte, value json.RawMessage) []byte {
	if !json.Valid(value) {
		return append(b, "null"...)
	}
	return append(b, value...)
}

func appendList(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}
