package scrape_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/scrape"
)

// sage is an extractor that repeats what it is asked, and what of.
type sage struct {
	extract.Extractor
	asked atomic.Int64
	err   error
}

func (s *sage) echo(kind string, src *extract.Source, what string) string {
	s.asked.Add(1)
	return fmt.Sprintf("%s %s of %s", kind, what, strings.Fields(src.Markdown)[1])
}

func (s *sage) Do(ctx context.Context, src *extract.Source, task extract.Task) (*extract.Finding, error) {
	switch prompt := task.Want.Prompt; task.Kind {
	case extract.JSON:
		return &extract.Finding{Value: s.echo("json", src, prompt), Warning: "By a model."}, s.err
	case extract.Answer:
		return &extract.Finding{Value: s.echo("answer", src, prompt)}, s.err
	case extract.Highlights:
		return &extract.Finding{Value: s.echo("highlights", src, prompt), Warning: "By words."}, s.err
	case extract.Product:
		return &extract.Finding{Value: map[string]any{"name": s.echo("product", src, "<name>")}}, s.err
	case extract.Menu:
		return &extract.Finding{Warning: "The page has no menu."}, s.err
	}
	return s.Extractor.Do(ctx, src, task)
}

// TestAnswers asks a page in all the ways there are.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const facts = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Pot","offers":{"@type":"Offer","price":"19.90"}}</script>`
	schema := func(required ...any) map[string]any {
		s := kettleSchema()
		if s["required"] = required; required == nil {
			delete(s, "required")
		}
		return s
	}
	colour := schema()
	colour["properties"].(map[string]any)["colour"] = map[string]any{"type": "string"}
	for _, row := range []struct {
		name    string
		html    string
		formats []trawl.Format
		want    string // part of the document
		credits int64
		warns   string
	}{
		{"question", kettle, []trawl.Format{{Type: "question", Question: "why?"}}, `"answer":"answer why? of Kettle"`, 5, ""},
		{"highlights", kettle, []trawl.Format{{Type: "highlights", Query: "heat"}}, `"highlights":"highlights heat of Kettle"`, 5, "By words."},
		{"query", kettle, []trawl.Format{{Type: "query", Prompt: "why?"}}, `"answer":"answer why? of Kettle"`, 5, ""},
		{"free query", kettle, []trawl.Format{{Type: "query", Prompt: "why?", Mode: "freeform"}}, `"answer":"answer why? of Kettle"`, 5, ""},
		{"query for quotes", kettle, []trawl.Format{{Type: "query", Prompt: "heat", Mode: "directQuote"}}, `"highlights":"highlights heat of Kettle"`, 5, "By words."},
		{"question and quotes", kettle, []trawl.Format{{Type: "question", Question: "a"}, {Type: "query", Prompt: "b", Mode: "directQuote"}},
			`"answer":"answer a of Kettle","highlights":"highlights b of Kettle"`, 9, "By words."},
		{"product", kettle, []trawl.Format{{Type: "product"}, {Type: "product"}}, `"product":{"name":"product <name> of Kettle"}`, 1, ""},
		{"no menu", kettle, []trawl.Format{{Type: "menu"}}, `{"metadata":`, 1, "no menu"},
		{"deterministic json by a model", kettle, []trawl.Format{{Type: "deterministicJson", Schema: kettleSchema(), Prompt: "p"}}, `"json":"json p of Kettle"`, 5, "By a model."},
		{"deterministic json by a prompt", kettle + facts, []trawl.Format{{Type: "deterministicJson", Prompt: "p"}}, `"json":"json p of Kettle"`, 5, "By a model."},
		{"deterministic json by facts", kettle + facts, []trawl.Format{{Type: "deterministicJson", Schema: kettleSchema()}}, `"json":{"name":"Pot","price":19.9}`, 5, ""},
		{"deterministic json without a prompt's help", kettle + facts, []trawl.Format{{Type: "deterministicJson", Schema: kettleSchema(), Prompt: "p"}}, `"name":"Pot"`, 5, "prompt was not used"},
		{"all that is required", kettle + facts, []trawl.Format{{Type: "deterministicJson", Schema: schema("name")}}, `"name":"Pot"`, 5, ""},
		{"nothing is required", kettle + facts, []trawl.Format{{Type: "deterministicJson", Schema: schema()}}, `"name":"Pot"`, 5, ""},
		{"nothing is required, and not all is there", kettle + facts, []trawl.Format{{Type: "deterministicJson", Schema: colour}}, `"json":"json  of Kettle"`, 5, "By a model."},
		{"question to nothing", "", []trawl.Format{{Type: "question", Question: "why?"}}, `"answer":""`, 5, "no text"},
		{"quotes of nothing", "", []trawl.Format{{Type: "highlights", Query: "why?"}}, `"highlights":""`, 5, "no text"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := scrape.New(scrape.Config{Fetch: serving("text/html", row.html), Extract: &sage{}, ModelReady: true, Now: time.Now})
			defer s.Close()
			req := request(wanting(row.formats...))
			if issues := req.Validate(); len(issues) > 0 {
				t.Fatalf("%+v", issues)
			}
			if err := s.Check(&req.ScrapeOptions); err != nil {
				t.Fatal(err)
			}
			doc, err := s.Scrape(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := doc.MarshalJSON()
			if !strings.Contains(string(text), row.want) || !json.Valid(text) || doc.Metadata.CreditsUsed != row.credits {
				t.Errorf("%d credits for %s", doc.Metadata.CreditsUsed, text)
			}
			if row.warns == "" && doc.Warning != "" || !strings.Contains(doc.Warning, row.warns) {
				t.Errorf("warning %q", doc.Warning)
			}
		})
	}
}

// TestQuestionsApart asks much of one page in the cache: no question gets the
// answer of another, and none is asked twice.
func TestQuestionsApart(t *testing.T) {
	t.Parallel()
	model, kept, w := &sage{}, &depot{}, serving("text/html", kettle)
	s := scrape.New(scrape.Config{Fetch: w, Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	rows := []struct {
		format trawl.Format
		want   string
	}{
		{trawl.Format{Type: "question", Question: "a"}, "answer a"},
		{trawl.Format{Type: "question", Question: "b"}, "answer b"},
		{trawl.Format{Type: "highlights", Query: "a"}, "highlights a"},
		{trawl.Format{Type: "highlights", Query: "b"}, "highlights b"},
		{trawl.Format{Type: "query", Prompt: "a"}, "answer a"},
		{trawl.Format{Type: "query", Prompt: "a", Mode: "directQuote"}, "highlights a"},
		{trawl.Format{Type: "deterministicJson", Prompt: "a"}, "json a"},
		{trawl.Format{Type: "deterministicJson", Prompt: "b"}, "json b"},
		{trawl.Format{Type: "json", Prompt: "a"}, "json a"},
		{trawl.Format{Type: "product"}, "product <name>"},
	}
	for range 2 {
		for _, row := range rows {
			doc, err := s.Scrape(t.Context(), request(wanting(row.format)))
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := doc.MarshalJSON(); !strings.Contains(string(text), row.want+" of Kettle") {
				t.Errorf("%+v: %s", row.format, text)
			}
		}
	}
	if asked := model.asked.Load(); int(asked) != len(rows) || len(w.asked) != 1 {
		t.Errorf("asked the model %d times and the site %d times", asked, len(w.asked))
	}
}

// TestAnswerFails has a model fail at each format: nothing is charged.
func TestAnswerFails(t *testing.T) {
	t.Parallel()
	kept, model := &depot{}, &sage{err: trawl.Errorf(trawl.CodeModel, "The model is tired.")}
	s := scrape.New(scrape.Config{Fetch: serving("text/html", kettle), Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	for _, kind := range []string{"question", "highlights", "query", "deterministicJson", "product", "menu"} {
		result, err := s.Prepare(t.Context(), request(wanting(trawl.Format{Type: kind}), func(r *scrape.Request) { r.Links = true }))
		if trawl.ErrorCode(err) != trawl.CodeModel || result == nil {
			t.Errorf("%s: %+v, %v", kind, result, err)
		}
		if _, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: kind}))); trawl.ErrorCode(err) != trawl.CodeModel {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if len(kept.charges) != 0 {
		t.Errorf("charged %v", kept.charges)
	}
}

// TestAnswersOfUpload asks files, and asks of them what they do not have.
func TestAnswersOfUpload(t *testing.T) {
	t.Parallel()
	s := scrape.New(scrape.Config{Documents: always(fileOf("# Kettle")), Extract: &sage{}, ModelReady: true, Now: time.Now})
	defer s.Close()
	for kind, want := range map[string]string{
		"question": `"answer":"answer`, "highlights": `"highlights":"highlights`, "query": `"answer":"answer`, "product": `"product":{`,
		"menu": "no menu", "deterministicJson": `"json":"json`,
	} {
		req := scrape.ParseRequest{ParseRequest: trawl.DefaultParseRequest(), Name: "kettle.html", Body: []byte(kettle)}
		req.Formats = []trawl.Format{{Type: kind, Question: "q", Query: "q", Prompt: "q"}}
		if err := errors.Join(req.Unsupported(), s.Check(&req.ScrapeOptions)); err != nil {
			t.Fatal(err)
		}
		doc, err := s.Parse(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := doc.MarshalJSON(); !strings.Contains(string(text), want) {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

// TestCheckFormats says which formats are refused before anything is fetched.
func TestCheckFormats(t *testing.T) {
	t.Parallel()
	recursive := map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"$ref": "#"}}}
	bare := func(*scrape.Config) {}
	model := func(c *scrape.Config) { c.ModelReady = true }
	history := func(c *scrape.Config) { c.History = &depot{} }
	both := func(c *scrape.Config) { model(c); history(c) }
	pictures := func(c *scrape.Config) { c.Browser = &painter{} }
	const none trawl.Code = ""
	for _, row := range []struct {
		name   string
		format trawl.Format
		server func(*scrape.Config)
		code   trawl.Code
		path   string
	}{
		{"question without a model", trawl.Format{Type: "question", Question: "q"}, bare, trawl.CodeNoModel, "formats.1"},
		{"question", trawl.Format{Type: "question", Question: "q"}, model, none, ""},
		{"query without a model", trawl.Format{Type: "query", Prompt: "q"}, bare, trawl.CodeNoModel, "formats.1"},
		{"free query without a model", trawl.Format{Type: "query", Prompt: "q", Mode: "freeform"}, bare, trawl.CodeNoModel, "formats.1"},
		{"quotes without a model", trawl.Format{Type: "query", Prompt: "q", Mode: "directQuote"}, bare, none, ""},
		{"highlights without a model", trawl.Format{Type: "highlights", Query: "q"}, bare, none, ""},
		{"product without a model", trawl.Format{Type: "product"}, bare, none, ""},
		{"menu without a model", trawl.Format{Type: "menu"}, bare, none, ""},
		{"deterministic json without a model", trawl.Format{Type: "deterministicJson", Prompt: "p"}, bare, trawl.CodeNoModel, "formats.1"},
		{"deterministic json by a schema", trawl.Format{Type: "deterministicJson", Schema: kettleSchema()}, bare, none, ""},
		{"deterministic json by a bad schema", trawl.Format{Type: "deterministicJson", Schema: recursive}, model, trawl.CodeBadRequest, "formats.1.schema"},
		{"tracking without a history", trawl.Format{Type: "changeTracking"}, bare, trawl.CodeFormatUnsupported, "formats.1"},
		{"tracking", trawl.Format{Type: "changeTracking", Modes: []string{"git-diff"}}, history, none, ""},
		{"tracking by json without a model", trawl.Format{Type: "changeTracking", Modes: []string{"git-diff", "json"}}, history, trawl.CodeNoModel, "formats.1"},
		{"tracking by json", trawl.Format{Type: "changeTracking", Modes: []string{"json"}}, both, none, ""},
		{"tracking by a bad schema", trawl.Format{Type: "changeTracking", Modes: []string{"json"}, Schema: recursive}, both, trawl.CodeBadRequest, "formats.1.schema"},
		{"branding without a browser", trawl.Format{Type: "branding"}, bare, trawl.CodeBranding, "formats.1"},
		{"branding", trawl.Format{Type: "branding"}, pictures, none, ""},
		{"audio", trawl.Format{Type: "audio"}, both, trawl.CodeFormatUnsupported, "formats.1"},
		{"video", trawl.Format{Type: "video"}, both, trawl.CodeFormatUnsupported, "formats.1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			config := scrape.Config{Now: time.Now}
			row.server(&config)
			s := scrape.New(config)
			defer s.Close()
			o := trawl.DefaultScrapeOptions()
			o.Formats = append(o.Formats, row.format)
			err := s.Check(&o)
			if row.code == none {
				if err != nil {
					t.Error(err)
				}
				return
			}
			known, ok := errors.AsType[*trawl.Error](err)
			if !ok || known.Code != row.code || len(known.Issues) != 1 || !strings.HasPrefix(trawl.DottedPath(known.Issues[0].Path), row.path) {
				t.Errorf("%+v", err)
			}
		})
	}
}

// TestBranding measures pages in a browser that a test plays.
func TestBranding(t *testing.T) {
	t.Parallel()
	const html = "<h1>Kettle</h1>"
	for _, row := range []struct {
		name   string
		result browser.Result
		err    error
		code   trawl.Code
	}{
		{name: "page", result: browser.Result{Status: 200, ContentType: "text/html", HTML: html, Measured: json.RawMessage(`{}`)}},
		{name: "error page", result: browser.Result{Status: 404, ContentType: "text/html", HTML: html, Measured: json.RawMessage(`{}`)}},
		{name: "file", err: browser.ErrNotPage, code: trawl.CodeBranding},
		{name: "disguised file", result: browser.Result{Status: 200, ContentType: "text/html", HTML: "<html><head></head><body>%PDF-1.4"}, code: trawl.CodeBranding},
		{name: "data", result: browser.Result{Status: 200, ContentType: "application/json", HTML: `{"a":1}`}, code: trawl.CodeBranding},
	} {
		kept, p := &depot{}, &painter{result: row.result, err: row.err}
		s := scrape.New(scrape.Config{
			Fetch: serving("application/pdf", "%PDF-1.4"), Browser: p, Documents: always(fileOf("a file")), Store: kept, Blobs: kept, Now: time.Now,
		})
		_, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: "branding"})))
		s.Close()
		if trawl.ErrorCode(err) != row.code && (err != nil || row.code != "") {
			t.Errorf("%s: %v", row.name, err)
		}
		if len(p.orders) != 1 || p.orders[0].Measure != brand.Script() || (len(kept.pages) != 0) != (row.name == "page") || len(kept.charges) != 0 != (row.code == "") {
			t.Errorf("%s: orders %+v, %d charges", row.name, p.orders, len(kept.charges))
		}
	}
}

// TestBrandingUnmeasured renders a page that does not let itself be measured: it is
// scraped all the same, and the document says what it lacks.
func TestBrandingUnmeasured(t *testing.T) {
	t.Parallel()
	p := &painter{result: browser.Result{Status: 200, ContentType: "text/html", HTML: kettle}}
	s := scrape.New(scrape.Config{Fetch: &web{}, Browser: p, Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: "markdown"}, trawl.Format{Type: "branding"})))
	if err != nil {
		t.Fatal(err)
	}
	if doc.Branding != nil || !strings.Contains(*doc.Markdown, "Kettle") || !strings.Contains(doc.Warning, "branding of the page could not be measured") {
		t.Errorf("%+v, warning %q", doc.Branding, doc.Warning)
	}
}

// TestBrandingInBrowser measures a page in a real browser, which a plain request
// would have been enough for.
func TestBrandingInBrowser(t *testing.T) {
	t.Parallel()
	s, browsers := newBrowsing(t)
	base := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		write(w, `<!doctype html><title>Kettles</title><style>body { background: #101820; color: #f0f0f0; font-family: Georgia, serif }
			button { background: #ff6600; color: #ffffff; border: 0; border-radius: 8px; padding: 12px 24px }</style>
			<h1>Kettles</h1>`+prose+`<button>Buy a kettle</button>`)
	})
	req := request(wanting(trawl.Format{Type: "branding"}, trawl.Format{Type: "markdown"}), func(r *scrape.Request) { r.URL = base })
	var doc *trawl.Document
	rendered := 0
	testtime.Until(t, "the page is measured in time", func() bool {
		var err error
		if doc, err = s.Scrape(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		rendered++
		return !strings.Contains(doc.Warning, "ran out")
	})
	b := doc.Branding
	if b == nil || b.ColorScheme != "dark" || !strings.EqualFold(b.Colors["background"], "#101820") || b.Components.ButtonPrimary == nil ||
		!strings.EqualFold(b.Components.ButtonPrimary.Background, "#ff6600") {
		t.Errorf("%+v", b)
	}
	if doc.Warning != "" || !strings.Contains(*doc.Markdown, "hauled at dawn") || browsers.count(base+"/") != rendered {
		t.Errorf("rendered %d times, warning %q", browsers.count(base+"/"), doc.Warning)
	}
}

// TestBehindEnhancedProxy has an enhanced proxy bring a check for robots, without a
// browser to look at it.
func TestBehindEnhancedProxy(t *testing.T) {
	t.Parallel()
	const robots = `<title>Just a moment...</title><div id="challenge-error-text">Enable JavaScript and cookies to continue</div>
		<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=1"></script>`
	w := &web{enhanced: true, answer: func(req fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Status: 200, ContentType: "text/html", Body: []byte(robots)}, nil
	}}
	o := observe(t, func(c *scrape.Config) { c.Fetch = w })
	doc := o.visit(t, 200, "", func(r *scrape.Request) { r.Proxy = trawl.ProxyEnhanced })
	if doc.ChangeTracking != nil || len(o.versions) != 0 || !strings.Contains(doc.Warning, "not tracked") {
		t.Errorf("%+v, warning %q", doc.ChangeTracking, doc.Warning)
	}
}

// TestBytesBesideRendering asks for the bytes of a page that a script makes, and for
// its text: neither gets what is in the cache for the other.
func TestBytesBesideRendering(t *testing.T) {
	t.Parallel()
	const shell = `<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/a.js"></script>`
	raw := wanting(trawl.Format{Type: trawl.FormatRawBase64})
	text := wanting(trawl.Format{Type: trawl.FormatMarkdown})
	for name, order := range map[string][]func(*scrape.Request){"bytes first": {raw, text, raw}, "text first": {text, raw, text}} {
		kept, p := &depot{}, &painter{result: browser.Result{Status: 200, ContentType: "text/html", HTML: "<h1>Kettle</h1>" + prose}}
		s := scrape.New(scrape.Config{Fetch: serving("text/html", shell), Browser: p, Store: kept, Blobs: kept, Now: time.Now})
		for i, formats := range order {
			doc, err := s.Scrape(t.Context(), request(formats))
			if err != nil {
				t.Fatal(err)
			}
			if doc.Markdown != nil && !strings.Contains(*doc.Markdown, "Kettle") || doc.RawBase64 != nil && *doc.RawBase64 != base64.StdEncoding.EncodeToString([]byte(shell)) {
				t.Errorf("%s, %d: %+v", name, i, doc)
			}
		}
		s.Close()
	}
}
