package scrape_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/scrape"
)

const kettle = `<html><head><title>Kettle</title><meta name="description" content="All about a kettle"></head>
<body><main><h1>Kettle</h1><p>The kettle boils water within a minute. It costs 19.90 euros.</p></main></body></html>`

// kettleSchema is what most tests want to know.
func kettleSchema() map[string]any {
	return map[string]any{
		"type":       "object",
		"properties": map[string]any{"name": map[string]any{"type": "string"}, "price": map[string]any{"type": "number"}},
		"required":   []any{"name", "price"},
	}
}

// wanting asks for formats.
func wanting(formats ...trawl.Format) func(*scrape.Request) {
	return func(r *scrape.Request) { r.Formats = formats }
}

// thinker is an extractor that a test plays.
type thinker struct {
	extract.Extractor // what a test does not play is done without a model

	json    func(ctx context.Context, src *extract.Source, want extract.Want) (*extract.Finding, error)
	summary func(ctx context.Context, src *extract.Source) (string, error)
	asked   atomic.Int64
}

func (t *thinker) Do(ctx context.Context, src *extract.Source, task extract.Task) (*extract.Finding, error) {
	switch task.Kind {
	case extract.JSON:
		t.asked.Add(1)
		return t.json(ctx, src, task.Want)
	case extract.Summary:
		t.asked.Add(1)
		text, err := t.summary(ctx, src)
		return &extract.Finding{Value: text}, err
	}
	return t.Extractor.Do(ctx, src, task)
}

// answering always finds the same.
func answering(value any) *thinker {
	return &thinker{
		json: func(context.Context, *extract.Source, extract.Want) (*extract.Finding, error) {
			return &extract.Finding{Value: value}, nil
		},
		summary: func(context.Context, *extract.Source) (string, error) { return "In short.", nil },
	}
}

// modelled returns an extractor with a model that answers by a function.
func modelled(t *testing.T, answer func(llmtest.Call) llmtest.Reply) (*extract.Extractor, *llmtest.Server) {
	t.Helper()
	server := llmtest.New(t)
	server.Handle(answer)
	client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "small"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &extract.Extractor{Model: client}, server
}

// TestUnderstanding has a model make json and summary beside the markdown.
func TestUnderstanding(t *testing.T) {
	t.Parallel()
	model, server := modelled(t, func(call llmtest.Call) llmtest.Reply {
		if call.Mode == "text" {
			return llmtest.Text("It boils water.")
		}
		return llmtest.Text(`{"name":"Kettle","price":19.90}`)
	})
	w, kept := serving("text/html", kettle), &depot{}
	s := scrape.New(scrape.Config{Fetch: w, Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(wanting(
		trawl.Format{Type: trawl.FormatMarkdown}, trawl.Format{Type: trawl.FormatSummary},
		trawl.Format{Type: trawl.FormatJSON, Schema: kettleSchema(), Prompt: "What does the kettle cost?"},
	)))
	if err != nil {
		t.Fatal(err)
	}
	if string(doc.JSON) != `{"name":"Kettle","price":19.90}` || doc.Summary == nil || *doc.Summary != "It boils water." ||
		doc.Markdown == nil || !strings.Contains(*doc.Markdown, "19.90 euros") {
		t.Errorf("json %s, summary %v, markdown %v", doc.JSON, doc.Summary, doc.Markdown)
	}
	if doc.Warning != "" || doc.Metadata.CreditsUsed != 5 || len(w.asked) != 1 {
		t.Errorf("warning %q, %d credits, %d fetches", doc.Warning, doc.Metadata.CreditsUsed, len(w.asked))
	}
	var wire map[string]json.RawMessage
	if text, err := doc.MarshalJSON(); err != nil || json.Unmarshal(text, &wire) != nil || string(wire["summary"]) != `"It boils water."` {
		t.Errorf("on the wire: %s, %v", text, err)
	}
	calls := server.Calls()
	if len(calls) != 2 {
		t.Fatalf("%d calls of the model", len(calls))
	}
	for _, call := range calls {
		if !strings.Contains(call.User, "within a minute") {
			t.Errorf("the model did not see the page: %s", call.User)
		}
	}
	if !slices.ContainsFunc(calls, func(c llmtest.Call) bool { return strings.Contains(c.User+c.System, "What does the kettle cost?") }) {
		t.Error("the model did not see the prompt")
	}
}

// TestAnswersAreRemembered asks for the same page in several ways: only what was
// not asked before goes to the model.
func TestAnswersAreRemembered(t *testing.T) {
	t.Parallel()
	model, kept, w := answering(map[string]any{"a": json.Number("1.50")}), &depot{}, serving("text/html", kettle)
	s := scrape.New(scrape.Config{Fetch: w, Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	other := kettleSchema()
	other["required"] = []any{"name"}
	for i, row := range []struct {
		formats []trawl.Format
		asked   int64 // so far
	}{
		{[]trawl.Format{{Type: trawl.FormatJSON, Schema: kettleSchema()}}, 1},
		{[]trawl.Format{{Type: trawl.FormatJSON, Schema: kettleSchema()}}, 1},
		{[]trawl.Format{{Type: trawl.FormatJSON, Schema: kettleSchema(), Prompt: "a"}}, 2},
		{[]trawl.Format{{Type: trawl.FormatJSON, Schema: other}}, 3},
		{[]trawl.Format{{Type: trawl.FormatJSON, Schema: other}}, 3},
		{[]trawl.Format{{Type: trawl.FormatJSON, Prompt: "a"}}, 4},
		{[]trawl.Format{{Type: trawl.FormatJSON, Prompt: "a"}, {Type: trawl.FormatSummary}}, 6},
		{[]trawl.Format{{Type: trawl.FormatJSON, Prompt: "a"}, {Type: trawl.FormatSummary}}, 6},
		{[]trawl.Format{{Type: trawl.FormatMarkdown}}, 6},
	} {
		doc, err := s.Scrape(t.Context(), request(wanting(row.formats...)))
		if err != nil {
			t.Fatal(err)
		}
		if asked := model.asked.Load(); asked != row.asked {
			t.Errorf("%d: the model was asked %d times, want %d", i, asked, row.asked)
		}
		if row.formats[0].Type == trawl.FormatJSON && string(doc.JSON) != `{"a":1.50}` {
			t.Errorf("%d: json %s", i, doc.JSON)
		}
	}
	if len(kept.charges) != 9 || len(w.asked) != 1 {
		t.Errorf("%d charges, %d fetches", len(kept.charges), len(w.asked))
	}
}

// TestFailedAnswer says what a model's failure costs: nothing, and it is not
// remembered.
func TestFailedAnswer(t *testing.T) {
	t.Parallel()
	failing := true
	model := answering("found")
	found := model.json
	model.json = func(ctx context.Context, src *extract.Source, want extract.Want) (*extract.Finding, error) {
		if failing {
			return nil, trawl.Errorf(trawl.CodeModel, "The model is out of order.")
		}
		return found(ctx, src, want)
	}
	kept := &depot{}
	s := scrape.New(scrape.Config{Fetch: serving("text/html", kettle+`<a href="/next">next</a>`), Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	req := request(wanting(trawl.Format{Type: trawl.FormatJSON}))
	for range 2 {
		if _, err := s.Scrape(t.Context(), req); trawl.ErrorCode(err) != trawl.CodeModel || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("%v", err)
		}
	}
	if len(kept.charges) != 0 || kept.records != 0 {
		t.Errorf("charged %v, %d records", kept.charges, kept.records)
	}
	crawled := req
	crawled.Links = true
	result, err := s.Prepare(t.Context(), crawled)
	if trawl.ErrorCode(err) != trawl.CodeModel || result == nil || !slices.Equal(result.Links, []string{"http://a.example/next"}) ||
		result.Document.Metadata.URL != "http://a.example/" {
		t.Errorf("a crawl cannot go on: %+v, %v", result, err)
	}
	result.Release()
	failing = false
	doc, err := s.Scrape(t.Context(), req)
	if err != nil || string(doc.JSON) != `"found"` || len(kept.charges) != 1 || kept.charges[0].Credits != 5 {
		t.Errorf("%+v, %v, charged %v", doc, err, kept.charges)
	}
}

// TestPartlyAnswered has a model fail at some formats: the others are returned, and
// only they are paid for. The next request tries again.
func TestPartlyAnswered(t *testing.T) {
	t.Parallel()
	failing := true
	model := answering("found")
	json, summary := model.json, model.summary
	model.json = func(ctx context.Context, src *extract.Source, want extract.Want) (*extract.Finding, error) {
		if failing {
			return nil, trawl.Errorf(trawl.CodeModel, "The model is out of order.")
		}
		return json(ctx, src, want)
	}
	model.summary = func(ctx context.Context, src *extract.Source) (string, error) {
		if failing {
			return "", trawl.Errorf(trawl.CodeModel, "The model is out of words.")
		}
		return summary(ctx, src)
	}
	kept := &depot{}
	s := scrape.New(scrape.Config{Fetch: serving("text/html", kettle), Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	req := request(wanting(trawl.Format{Type: trawl.FormatMarkdown}, trawl.Format{Type: trawl.FormatSummary}, trawl.Format{Type: trawl.FormatJSON}))
	for range 2 {
		doc, err := s.Scrape(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(*doc.Markdown, "boils") || !strings.Contains(*doc.Summary, "The kettle boils water") || doc.JSON != nil || doc.Metadata.CreditsUsed != 1 {
			t.Errorf("%+v for %d credits", doc, doc.Metadata.CreditsUsed)
		}
		for _, words := range []string{"The format json is missing: The model is out of order.", "own sentences, because the language model failed: The model is out of words."} {
			if !strings.Contains(doc.Warning, words) {
				t.Errorf("warning %q", doc.Warning)
			}
		}
	}
	if _, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatSummary}))); trawl.ErrorCode(err) != trawl.CodeModel {
		t.Errorf("a request for the summary alone: %v", err)
	}
	failing = false
	doc, err := s.Scrape(t.Context(), req)
	if err != nil || string(doc.JSON) != `"found"` || *doc.Summary != "In short." || doc.Warning != "" || doc.Metadata.CreditsUsed != 5 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestUnansweredBusyPage has a job hear that a site is busy, also if there is
// nothing to extract from its answer.
func TestUnansweredBusyPage(t *testing.T) {
	t.Parallel()
	w := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Status: 503, ContentType: "text/html", Header: http.Header{"Retry-After": {"7"}}}, nil
	}}
	s := scrape.New(scrape.Config{Fetch: w, Extract: answering(nil), ModelReady: true, Now: time.Now})
	defer s.Close()
	result, err := s.Prepare(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatJSON})))
	if trawl.ErrorCode(err) != trawl.CodeModel || result == nil || result.Document.Metadata.StatusCode != 503 || result.RetryAfter != "7" {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestSlowModel lets the time of a request run out while a model works.
func TestSlowModel(t *testing.T) {
	t.Parallel()
	model, _ := modelled(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Hang: true} })
	for _, kind := range []string{trawl.FormatJSON, trawl.FormatSummary} {
		kept := &depot{}
		s := scrape.New(scrape.Config{Fetch: serving("text/html", kettle), Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if _, err := s.Scrape(ctx, request(wanting(trawl.Format{Type: kind}))); trawl.ErrorCode(err) != trawl.CodeTimeout {
			t.Errorf("%s: %v", kind, err)
		}
		cancel()
		s.Close()
		if len(kept.charges) != 0 {
			t.Errorf("%s is charged for", kind)
		}
	}
}

// TestModelLeavesRoom has a model work on more pages, small and large, than can be
// parsed at a time: others are scraped meanwhile.
func TestModelLeavesRoom(t *testing.T) {
	t.Parallel()
	pages := 4 + 2*runtime.GOMAXPROCS(0) // of each kind
	large := kettle + strings.Repeat("more and more of it ", fetch.LargeBytes/20+1)
	w := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		body := kettle
		if strings.Contains(req.URL, "large") {
			body = large
		}
		return &fetch.Response{URL: req.URL, Status: 200, ContentType: "text/html", Body: []byte(body)}, nil
	}}
	begun, done := make(chan struct{}, 2*pages), make(chan struct{})
	model := answering(nil)
	model.json = func(context.Context, *extract.Source, extract.Want) (*extract.Finding, error) {
		begun <- struct{}{}
		<-done
		return &extract.Finding{}, nil
	}
	kept := &depot{}
	s := scrape.New(scrape.Config{Fetch: spacious{w}, Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	at := func(address string) func(*scrape.Request) { return func(r *scrape.Request) { r.URL = address } }
	ended := make(chan error, 2*pages)
	for i := range pages {
		for _, address := range []string{fmt.Sprintf("http://a.example/%d", i), fmt.Sprintf("http://a.example/%d/large", i)} {
			go func() {
				_, err := s.Scrape(t.Context(), request(at(address), wanting(trawl.Format{Type: trawl.FormatJSON})))
				ended <- err
			}()
		}
	}
	for range 2 * pages {
		<-begun
	}
	for _, address := range []string{"http://b.example/", "http://b.example/large", "http://a.example/0", "http://a.example/0/large"} {
		if _, err := s.Scrape(t.Context(), request(at(address))); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	close(done)
	for range 2 * pages {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestSameQuestionAtOnce asks the same of a page twice at a time.
func TestSameQuestionAtOnce(t *testing.T) {
	t.Parallel()
	begun, done := make(chan struct{}, 2), make(chan struct{})
	model := answering(nil)
	model.json = func(context.Context, *extract.Source, extract.Want) (*extract.Finding, error) {
		begun <- struct{}{}
		<-done
		return &extract.Finding{Value: "found"}, nil
	}
	kept := &depot{}
	s := scrape.New(scrape.Config{Fetch: serving("text/html", kettle), Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	ended := make(chan error, 2)
	ask := func() {
		_, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatJSON})))
		ended <- err
	}
	go ask()
	<-begun
	go ask()
	close(done)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if asked := model.asked.Load(); asked != 1 {
		t.Errorf("the model was asked %d times", asked)
	}
}

// TestOtherPages asks for json and summary of what is hardly a page.
func TestOtherPages(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, contentType, body string
		status                  int
		change                  func(*scrape.Request)
		sees                    string // in the text; empty if the model is not asked
		code                    trawl.Code
		message                 string
	}{
		{name: "text", contentType: "text/plain", body: "Only words.", sees: "Only words."},
		{name: "JSON", contentType: "application/json", body: `{"kettle":19.90}`, sees: "19.90"},
		{name: "feed", contentType: "application/rss+xml", body: `<rss version="2.0"><channel><title>News</title><item><title>Kettle sold out</title></item></channel></rss>`, sees: "Kettle sold out"},
		{name: "PDF", contentType: "application/pdf", body: "%PDF-1.4", sees: "text of the file"},
		{name: "PDF that is not read", contentType: "application/pdf", body: "%PDF-1.4", change: func(r *scrape.Request) { r.Parsers = []trawl.Parser{} },
			code: trawl.CodeUnsupportedFile, message: "parser pdf"},
		{name: "error page", contentType: "text/html", body: "<p>There is no such kettle.</p>", status: 404, sees: "no such kettle"},
		{name: "empty", contentType: "text/html", body: "<html><body> </body></html>", code: trawl.CodeModel, message: "has no text"},
		{name: "empty error", contentType: "text/html", status: 500, code: trawl.CodeModel, message: "has no text to extract from. The site answered with status 500"},
		{name: "nothing is left", contentType: "text/html", body: kettle, change: func(r *scrape.Request) { r.IncludeTags = []string{"#none"} }, code: trawl.CodeModel, message: "has no text"},
		{name: "picture in the text", contentType: "text/html", body: `<p>Here: <img alt="kettle" src="data:image/png;base64,iVBORw0KGgo="></p>`,
			change: func(r *scrape.Request) { r.RemoveBase64Images = false }, sees: "Here:"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var seen string
			model := answering(nil)
			model.json = func(_ context.Context, src *extract.Source, _ extract.Want) (*extract.Finding, error) {
				seen = src.Markdown
				return &extract.Finding{Value: "found", Warning: "Not all of it."}, nil
			}
			w := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: req.URL, Status: max(row.status, 200), ContentType: row.contentType, Body: []byte(row.body)}, nil
			}}
			s := scrape.New(scrape.Config{Fetch: w, Documents: always(fileOf("text of the file")), Extract: model, ModelReady: true, Now: time.Now})
			defer s.Close()
			changes := []func(*scrape.Request){wanting(trawl.Format{Type: trawl.FormatMarkdown}, trawl.Format{Type: trawl.FormatJSON})}
			if row.change != nil {
				changes = append(changes, row.change)
			}
			doc, err := s.Scrape(t.Context(), request(changes...))
			if row.code != "" {
				if row.code == trawl.CodeModel { // the markdown is there
					if err != nil || !strings.Contains(doc.Warning, row.message) || seen != "" || doc.JSON != nil {
						t.Errorf("%+v, %v, the model saw %q", doc, err, seen)
					}
				} else if trawl.ErrorCode(err) != row.code || !strings.Contains(err.Error(), row.message) || seen != "" {
					t.Errorf("%v, the model saw %q", err, seen)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(seen, row.sees) || strings.Contains(seen, "base64,") || string(doc.JSON) != `"found"` || !strings.Contains(doc.Warning, "Not all of it.") {
				t.Errorf("the model saw %q; %s, warning %q", seen, doc.JSON, doc.Warning)
			}
		})
	}
}

// TestSummaryOfNothing sums up a page without text.
func TestSummaryOfNothing(t *testing.T) {
	t.Parallel()
	model := answering(nil)
	s := scrape.New(scrape.Config{Fetch: serving("text/html", ""), Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatSummary})))
	if err != nil || doc.Summary == nil || *doc.Summary != "" || !strings.Contains(doc.Warning, "no text") || model.asked.Load() != 0 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestRead looks at what a job gets to extract from.
func TestRead(t *testing.T) {
	t.Parallel()
	kept, model := &depot{}, answering(nil)
	s := scrape.New(scrape.Config{Fetch: serving("text/html", kettle), Store: kept, Blobs: kept, Extract: model, Now: time.Now})
	defer s.Close()
	if _, err := s.Scrape(t.Context(), request(wanting())); err != nil { // now the cache has it
		t.Fatal(err)
	}
	for name, age := range map[string]int64{"fresh": 0, "cached": 3_600_000, "cached again": 3_600_000} {
		result, err := s.Prepare(t.Context(), request(wanting(), func(r *scrape.Request) { r.Read, r.MaxAge = true, &age }))
		if err != nil {
			t.Fatal(err)
		}
		src := result.Source
		if src == nil || src.Title != "Kettle" || src.Description != "All about a kettle" || src.URL != "http://a.example/" || src.Facts == nil ||
			!strings.HasPrefix(src.Markdown, "# Kettle") || result.Document.Markdown != nil {
			t.Errorf("%s: %+v", name, src)
		}
		result.Release()
	}
	result, err := s.Prepare(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatSummary})))
	if err != nil || result.Source != nil || model.asked.Load() != 1 {
		t.Errorf("unasked: %+v, %v", result, err)
	}
}

// TestUnderstandingUpload asks for json and summary of files.
func TestUnderstandingUpload(t *testing.T) {
	t.Parallel()
	model, _ := modelled(t, func(call llmtest.Call) llmtest.Reply {
		if call.Mode == "text" {
			return llmtest.Text("It boils water.")
		}
		return llmtest.Text(`{"name":"Kettle","price":19.90}`)
	})
	kept := &depot{}
	s := scrape.New(scrape.Config{Documents: always(fileOf("Kettle, 19.90")), Store: kept, Blobs: kept, Extract: model, ModelReady: true, Now: time.Now})
	defer s.Close()
	for name, body := range map[string]string{"kettle.html": kettle, "kettle.pdf": "%PDF-1.4"} {
		req := scrape.ParseRequest{ParseRequest: trawl.DefaultParseRequest(), Name: name, Body: []byte(body)}
		req.Formats = []trawl.Format{{Type: trawl.FormatJSON, Schema: kettleSchema()}, {Type: trawl.FormatSummary}}
		doc, err := s.Parse(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if string(doc.JSON) != `{"name":"Kettle","price":19.90}` || *doc.Summary != "It boils water." || doc.Markdown != nil || doc.Metadata.CreditsUsed != 5 {
			t.Errorf("%s: %s, %v, %d credits", name, doc.JSON, *doc.Summary, doc.Metadata.CreditsUsed)
		}
	}
	req := scrape.ParseRequest{ParseRequest: trawl.DefaultParseRequest(), Name: "kettle.pdf", Body: []byte("%PDF-1.4")}
	req.Formats, req.Parsers = []trawl.Format{{Type: trawl.FormatSummary}}, []trawl.Parser{}
	if _, err := s.Parse(t.Context(), req); trawl.ErrorCode(err) != trawl.CodeParseOptions {
		t.Errorf("a file that is not read: %v", err)
	}
	if len(kept.charges) != 2 {
		t.Errorf("charged %v", kept.charges)
	}
}

// TestWithoutModel asks for json and summary where there is no model.
func TestWithoutModel(t *testing.T) {
	t.Parallel()
	const data = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kettle","offers":{"@type":"Offer","price":"19.90"}}</script>`
	w := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		body := kettle
		if strings.HasSuffix(req.URL, "/empty") {
			body = ""
		}
		if strings.HasSuffix(req.URL, "/data") {
			body = strings.Replace(body, "<body>", "<body>"+data, 1)
		}
		return &fetch.Response{URL: req.URL, Status: 200, ContentType: "text/html", Body: []byte(body)}, nil
	}}
	kept := &depot{}
	s := scrape.New(scrape.Config{Fetch: w, Store: kept, Blobs: kept, Now: time.Now})
	defer s.Close()
	ask := func(address string) (*trawl.Document, error) {
		req := request(wanting(trawl.Format{Type: trawl.FormatJSON, Schema: kettleSchema()}))
		req.URL = address
		if err := s.Check(&req.ScrapeOptions); err != nil {
			t.Fatal(err)
		}
		return s.Scrape(t.Context(), req)
	}
	if _, err := ask("http://a.example/empty"); trawl.ErrorCode(err) != trawl.CodeNoModel || !strings.Contains(err.Error(), "has no text") {
		t.Errorf("a page without anything: %v", err)
	}
	if _, err := ask("http://a.example/"); trawl.ErrorCode(err) != trawl.CodeNoModel || !strings.Contains(err.Error(), "TRAWL_LLM_BASE_URL") {
		t.Errorf("a page without data: %v", err)
	}
	if len(kept.charges) != 0 {
		t.Errorf("charged %v", kept.charges)
	}
	doc, err := ask("http://a.example/data")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name  string
		Price float64
	}
	if json.Unmarshal(doc.JSON, &got) != nil || got.Name != "Kettle" || got.Price != 19.9 || !strings.Contains(doc.Warning, "model") {
		t.Errorf("json %s, warning %q", doc.JSON, doc.Warning)
	}
	doc, err = s.Scrape(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatSummary})))
	if err != nil || !strings.Contains(*doc.Summary, "boils water within a minute") || !strings.Contains(doc.Warning, "model") {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestCheckJSON says which formats json are refused before anything is fetched.
func TestCheckJSON(t *testing.T) {
	t.Parallel()
	object := func(property any) map[string]any {
		return map[string]any{"type": "object", "properties": map[string]any{"a": property}}
	}
	long := map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string", "description": strings.Repeat("x", 1<<20)}}}
	for _, row := range []struct {
		name   string
		format trawl.Format
		model  bool
		code   trawl.Code // empty if it is fine
		path   string     // how it begins
	}{
		{name: "schema", format: trawl.Format{Schema: kettleSchema()}},
		{name: "schema and model", format: trawl.Format{Schema: kettleSchema()}, model: true},
		{name: "prompt", format: trawl.Format{Prompt: "a"}, model: true},
		{name: "nothing", model: true},
		{name: "prompt without a model", format: trawl.Format{Prompt: "a"}, code: trawl.CodeNoModel, path: "formats.1"},
		{name: "unknown reference", format: trawl.Format{Schema: object(map[string]any{"$ref": "#/$defs/none"})}, code: trawl.CodeBadRequest, path: "formats.1.schema.properties.a"},
		{name: "recursive", format: trawl.Format{Schema: object(map[string]any{"$ref": "#"})}, code: trawl.CodeBadRequest, path: "formats.1.schema"},
		{name: "wrong type", format: trawl.Format{Schema: object(map[string]any{"type": "text"})}, model: true, code: trawl.CodeBadRequest, path: "formats.1.schema"},
		{name: "far away", format: trawl.Format{Schema: object(map[string]any{"$ref": "http://a.example/schema"})}, code: trawl.CodeBadRequest, path: "formats.1.schema"},
		{name: "too large", format: trawl.Format{Schema: long}, code: trawl.CodeBadRequest, path: "formats.1.schema"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := scrape.New(scrape.Config{ModelReady: row.model, Now: time.Now})
			defer s.Close()
			o := trawl.DefaultScrapeOptions()
			row.format.Type = trawl.FormatJSON
			o.Formats = []trawl.Format{{Type: trawl.FormatSummary}, row.format}
			err := s.Check(&o)
			if row.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			known, ok := errors.AsType[*trawl.Error](err)
			if !ok || known.Code != row.code || len(known.Issues) != 1 || !strings.HasPrefix(trawl.DottedPath(known.Issues[0].Path), row.path) {
				t.Fatalf("%+v", err)
			}
			if row.code == trawl.CodeBadRequest && !strings.HasPrefix(known.Message, "Invalid JSON schema. ") {
				t.Errorf("message %q", known.Message)
			}
		})
	}
}

// spacious is a web that asks for room for large pages, as the real one does.
type spacious struct{ *web }

func (w spacious) Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	resp, err := w.web.Fetch(ctx, req)
	if err == nil && len(resp.Body) > fetch.LargeBytes {
		err = req.Large(ctx)
	}
	return resp, err
}
