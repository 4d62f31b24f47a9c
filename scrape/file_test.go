package scrape_test

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
)

// readerFunc reads files by a function.
type readerFunc func(ctx context.Context, kind document.Kind, o document.Options) (*document.Result, error)

func (s readerFunc) Read(ctx context.Context, kind document.Kind, _ []byte, o document.Options) (*document.Result, error) {
	return s(ctx, kind, o)
}

// fileOf is a file with a paragraph for each text on pages of their own.
func fileOf(texts ...string) *document.Result {
	r := &document.Result{HTML: []byte("<html><body>"), TotalPages: len(texts)}
	for i, text := range texts {
		p := document.Page{Number: i + 1, Status: "text", From: len(r.HTML)}
		r.HTML = fmt.Appendf(r.HTML, "<p>%s</p>", text)
		p.To = len(r.HTML)
		p.Blocks = []document.Block{{Label: "text", From: p.From, To: p.To}}
		r.Pages = append(r.Pages, p)
	}
	r.HTML = append(r.HTML, "</body></html>"...)
	return r
}

// serving answers every request with the same body.
func serving(contentType, body string) *web {
	return &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Status: 200, ContentType: contentType, Body: []byte(body)}, nil
	}}
}

func always(r *document.Result) readerFunc {
	return func(context.Context, document.Kind, document.Options) (*document.Result, error) { return r, nil }
}

// TestKinds says which addresses serve documents, and of which kind.
func TestKinds(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, url, contentType, body string
		want                         document.Kind // empty for what is read as a page
		fails                        bool
	}{
		{"PDF", "/a.pdf", "application/pdf", "%PDF-1.4\n", document.PDF, false},
		{"PDF as a download", "/get?id=1", "application/octet-stream", "%PDF-1.4\n", document.PDF, false},
		{"PDF as HTML", "/a", "text/html", "%PDF-1.4\n", document.PDF, false},
		{"PDF behind other bytes", "/a", "application/pdf", "HTTP/1.1 200 OK\n\n%PDF-1.4\n", document.PDF, false},
		{"a text about PDF", "/a.txt", "text/plain", "it begins with %PDF-1.4", "", false},
		{"a page about PDF", "/a", "text/html", "<p>it begins with %PDF-1.4", "", false},
		{"RTF", "/a.rtf", "application/rtf", `{\rtf1 text}`, document.RTF, false},
		{"RTF as text", "/a.doc", "text/plain", `{\rtf1 text}`, document.RTF, false},
		{"HTML as a document", "/a.doc", "application/msword", "<html><body>text</body></html>", "", false},
		{"a page under the name of a file", "/a.pdf", "text/html", "<!doctype html><p>not found", "", false},
		{"JSON", "/a.json", "application/json", `{"a":1}`, "", false},
		{"feed", "/feed", "application/rss+xml", `<rss version="2.0"><channel></channel></rss>`, "", false},
		{"text", "/a", "", "plain text", "", false},
		{"picture", "/a.png", "image/png", "\x89PNG\r\n\x1a\n\x00\x00", document.Image, false},
		{"icon", "/a.ico", "image/x-icon", "\x00\x00\x01\x00\x01\x00", "", true},
		{"archive", "/a.zip", "application/zip", "PK\x03\x04\x00\x00", "", true},
		{"bytes", "/a", "application/octet-stream", "\x00\x01\x02\x03", "", true},
		{"nothing", "/a.pdf", "application/pdf", "", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var got document.Kind
			read := readerFunc(func(_ context.Context, kind document.Kind, _ document.Options) (*document.Result, error) {
				got = kind
				return fileOf("read"), nil
			})
			s := scrape.New(scrape.Config{Fetch: serving(row.contentType, row.body), Documents: read, Now: time.Now})
			defer s.Close()
			_, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = "http://a.example" + row.url }))
			if got != row.want || (err != nil) != row.fails {
				t.Errorf("read as %q, %v", got, err)
			}
			if row.fails && trawl.ErrorCode(err) != trawl.CodeUnsupportedFile {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestFileErrors says what callers hear of files that cannot be read.
func TestFileErrors(t *testing.T) {
	t.Parallel()
	for code, want := range map[trawl.Code]trawl.Code{
		trawl.CodeFileEncrypted:  trawl.CodeUnsupportedFile,
		trawl.CodeFileDamaged:    trawl.CodeUnsupportedFile,
		trawl.CodeFileTooComplex: trawl.CodeUnsupportedFile,
		trawl.CodeFileType:       trawl.CodeUnsupportedFile,
		trawl.CodeOCRRequired:    trawl.CodeOCRRequired,
		trawl.CodePDFTime:        trawl.CodePDFTime,
		trawl.CodeTimeout:        trawl.CodeTimeout,
	} {
		l := &ledger{ids: map[string]int{}}
		read := readerFunc(func(context.Context, document.Kind, document.Options) (*document.Result, error) {
			return nil, trawl.Errorf(code, "why")
		})
		s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: read, Store: l, Blobs: noBlobs{}, Now: time.Now})
		_, err := s.Scrape(t.Context(), request())
		if trawl.ErrorCode(err) != want || !strings.Contains(err.Error(), "why") {
			t.Errorf("%s of an address: %v", code, err)
		}
		upload := scrape.ParseRequest{ParseRequest: trawl.DefaultParseRequest(), Name: "a.pdf", Body: []byte("%PDF-1.4")}
		if _, err := s.Parse(t.Context(), upload); trawl.ErrorCode(err) != code {
			t.Errorf("%s of an upload: %v", code, err)
		}
		s.Close()
		if len(l.ids) != 0 {
			t.Errorf("%s is charged for", code)
		}
	}
	s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Now: time.Now})
	defer s.Close()
	if _, err := s.Scrape(t.Context(), request()); trawl.ErrorCode(err) != trawl.CodeUnsupportedFile {
		t.Errorf("without a reader: %v", err)
	}
}

// TestAdmission says how many pages are read, and who has to pay for them first.
func TestAdmission(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name          string
		total, asked  int
		credits       int64
		zeroRetention bool
		admitted      int // 0 for none
	}{
		{name: "all", total: 5, credits: 5, admitted: 5},
		{name: "as many as were asked for", total: 5, asked: 3, credits: 3, admitted: 3},
		{name: "fewer than were asked for", total: 2, asked: 3, credits: 2, admitted: 2},
		{name: "too dear", total: 5, credits: 4},
		{name: "too dear without retention", total: 5, credits: 5, zeroRetention: true},
		{name: "far too many", total: 100_000, asked: 10_000, credits: 9_999},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			admitted := 0
			read := readerFunc(func(_ context.Context, _ document.Kind, o document.Options) (*document.Result, error) {
				n, err := o.Admit(row.total)
				admitted = n
				return fileOf("text"), err
			})
			s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: read, Now: time.Now})
			defer s.Close()
			_, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
				r.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, MaxPages: row.asked}}
				r.Caller.Team.Credits, r.ZeroDataRetention = &row.credits, row.zeroRetention
			}))
			if admitted != row.admitted || (err == nil) != (row.admitted > 0) || err != nil && trawl.ErrorCode(err) != trawl.CodePayment {
				t.Errorf("%d admitted, %v", admitted, err)
			}
		})
	}
}

// TestDocumentOfFile looks at what is made of the HTML of a file.
func TestDocumentOfFile(t *testing.T) {
	t.Parallel()
	file := fileOf("first *one*", "second", "third")
	file.Warnings = []string{"Page 4 is missing."}
	file.TotalPages = 4
	s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(file), Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
		r.Formats = []trawl.Format{{Type: trawl.FormatMarkdown}, {Type: trawl.FormatRawHTML}}
		r.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, PageMarkdown: true, Blocks: true, PageMarkers: true}}
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := "first \\*one\\*\n\n---\n\n<!-- page 2 -->\n\nsecond\n\n---\n\n<!-- page 3 -->\n\nthird"
	if *doc.Markdown != want || *doc.RawHTML != string(file.HTML) {
		t.Errorf("markdown %q, raw %q", *doc.Markdown, *doc.RawHTML)
	}
	if m := doc.Metadata; m.NumPages != 3 || m.TotalPages != 4 || m.CreditsUsed != 3 || doc.Warning != "Page 4 is missing." {
		t.Errorf("%+v, %q", m, doc.Warning)
	}
	if !reflect.DeepEqual(doc.Pages, []trawl.DocumentPage{{Number: 1, Markdown: `first \*one\*`}, {Number: 2, Markdown: "second"}, {Number: 3, Markdown: "third"}}) {
		t.Errorf("pages %+v", doc.Pages)
	}
	for _, page := range doc.Blocks {
		for _, block := range page.Items {
			if span := block.MarkdownSpan; string([]rune(*doc.Markdown)[span[0]:span[1]]) != block.Content || block.Content == "" {
				t.Errorf("%s: %q is not at %v", block.ID, block.Content, span)
			}
		}
	}
	if len(doc.Blocks) != 3 || doc.Blocks[2].Items[0].ID != "p3.b0" {
		t.Errorf("blocks %+v", doc.Blocks)
	}
}

// TestPaidPages counts what is paid for: pages that were read, in whatever way.
func TestPaidPages(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		statuses string
		paid     int
		credits  int64
	}{
		{"text text ocr", 3, 3},
		{"text empty", 2, 2},
		{"text failed failed", 1, 1},
		{"failed text unread text", 2, 2},
		{"unread unread", 0, 1},
		{"text again again text", 2, 2},
	} {
		statuses := strings.Fields(row.statuses)
		file := fileOf(statuses...)
		for i, status := range statuses {
			file.Pages[i].Status, file.Pages[i].Repeated = status, status == "again"
		}
		s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(file), Now: time.Now})
		doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
			r.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, Pages: true}}
		}))
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		m := doc.Metadata
		if m.NumPages != row.paid || m.CreditsUsed != row.credits || m.TotalPages != len(statuses) || len(doc.Pages) != len(statuses) {
			t.Errorf("%s: %d of %d pages for %d credits, %d returned", row.statuses, m.NumPages, m.TotalPages, m.CreditsUsed, len(doc.Pages))
		}
	}
}

// TestTableOfFile holds a table of a file against the same one of a page: that of a
// file holds data, so that every column has what spans it.
func TestTableOfFile(t *testing.T) {
	t.Parallel()
	file := &document.Result{HTML: []byte(`<table><tr><th colspan="2">both</th></tr><tr><td>one</td><td>two</td></tr></table>`)}
	s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(file), Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request())
	if err != nil || !strings.HasPrefix(*doc.Markdown, "| both | both |\n") {
		t.Errorf("%v, %v", doc, err)
	}
}

// TestNotesOfPages writes pages apart whose notes stand behind them all.
func TestNotesOfPages(t *testing.T) {
	t.Parallel()
	ref := func(n string) string { return `<sup><a href="#note-` + n + `" role="doc-noteref">` + n + `</a></sup>` }
	file := fileOf("one"+ref("1"), "two"+ref("1")+" and"+ref("2"), "three"+ref("9"))
	file.HTML = append(bytes.TrimSuffix(file.HTML, []byte("</body></html>")), "<section role=\"doc-endnotes\">\n<ol>\n"+
		"<li id=\"note-1\">\n<p>First</p>\n<ul><li>item</li></ul>\n</li>\n<li id=\"note-2\">\n<p>Second"+ref("1")+"</p>\n</li>\n</ol>\n</section>\n</body>\n</html>\n"...)
	s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(file), Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
		r.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, Pages: true, Blocks: true}}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"one[^1]\n\n[^1]: First\n\n    - item", "two[^1] and[^2]\n\n[^2]: Second[^1]", "three[^9]"} {
		if got := doc.Pages[i].Markdown; got != want {
			t.Errorf("page %d: %q, want %q", i+1, got, want)
		}
	}
	if block := doc.Blocks[1].Items[0]; block.Content != "two[^1] and[^2]" || block.MarkdownSpan[0] == block.MarkdownSpan[1] {
		t.Errorf("%+v in %q", block, *doc.Markdown)
	}
}

// TestForeignPlaces gives the scraper places that are not in the HTML.
func TestForeignPlaces(t *testing.T) {
	t.Parallel()
	file := fileOf("one", "two", "three")
	file.Pages[0].From, file.Pages[0].To = -5, 1<<40
	file.Pages[1].From, file.Pages[1].To = 1<<40, 3
	file.Pages[1].Blocks[0] = document.Block{From: 20, To: 10, Label: "mystery"}
	file.Pages[2].Blocks[0].Label, file.Pages[2].Blocks[0].Confidence = "mystery", 0.5
	s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(file), Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
		r.Formats = nil
		r.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, Pages: true, Blocks: true, PageMarkers: true}}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if doc.Pages[0].Markdown != "" || doc.Pages[2].Markdown != "three" || doc.Markdown != nil {
		t.Errorf("pages %+v", doc.Pages)
	}
	block := doc.Blocks[2].Items[0]
	if block.Content != "three" || block.Type != "text" || block.Source != "ocr" || *block.Confidence.OCR != 0.5 || len(doc.Blocks[1].Items) != 0 {
		t.Errorf("blocks %+v", doc.Blocks)
	}
}

// notPage is a browser for which every address is a download.
type notPage struct{}

func (notPage) Render(context.Context, browser.Request) (*browser.Result, error) {
	return nil, browser.ErrNotPage
}

// mistaken is a browser that shows the bytes of a file as text.
type mistaken string

func (m mistaken) Render(_ context.Context, req browser.Request) (*browser.Result, error) {
	return &browser.Result{URL: req.URL, Status: 200, ContentType: "text/html", HTML: "<html><head></head><body>" + string(m) + "</body></html>"}, nil
}

// TestDisguisedFile renders files that are served as HTML.
func TestDisguisedFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"%PDF-1.4 obj": "text of the file", "PK\x03\x04 word": "text of the file", `{\rtf1 text}`: "text of the file", "ÐÏ\x11à¡±": "text of the file",
		"<p>The PK of %PDF-": "The PK of %PDF-",
	} {
		s := scrape.New(scrape.Config{
			Fetch: serving("text/html", "%PDF-1.4"), Browser: mistaken(text), Documents: always(fileOf("text of the file")), Now: time.Now,
		})
		doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.Mobile = true }))
		if err != nil || *doc.Markdown != want {
			t.Errorf("%q: %v, %v", text, doc, err)
		}
		s.Close()
	}
}

// TestFileInBrowser asks for a file in ways that need a browser, which shows none.
func TestFileInBrowser(t *testing.T) {
	t.Parallel()
	s := scrape.New(scrape.Config{
		Fetch: serving("application/pdf", "%PDF-1.4"), Browser: notPage{}, Documents: always(fileOf("text of the file")), Now: time.Now,
	})
	defer s.Close()
	for name, change := range map[string]func(*scrape.Request){
		"waiting":  func(r *scrape.Request) { r.WaitFor = 1 },
		"mobile":   func(r *scrape.Request) { r.Mobile = true },
		"enhanced": func(r *scrape.Request) { r.Proxy = trawl.ProxyEnhanced },
	} {
		doc, err := s.Scrape(t.Context(), request(change))
		if err != nil || *doc.Markdown != "text of the file" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadingLeavesRoom reads more files at a time than pages can be parsed: who
// waits for a worker must not keep pages from being parsed.
func TestReadingLeavesRoom(t *testing.T) {
	t.Parallel()
	const files = 64
	begun, done := make(chan struct{}, files), make(chan struct{})
	read := readerFunc(func(context.Context, document.Kind, document.Options) (*document.Result, error) {
		begun <- struct{}{}
		<-done
		return fileOf("text"), nil
	})
	w := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		if strings.HasSuffix(req.URL, ".pdf") {
			return &fetch.Response{URL: req.URL, Status: 200, ContentType: "application/pdf", Body: []byte("%PDF-1.4")}, nil
		}
		return page(200)
	}}
	s := scrape.New(scrape.Config{Fetch: w, Documents: read, Now: time.Now})
	defer s.Close()
	ended := make(chan error, files)
	for i := range files {
		go func() {
			_, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = fmt.Sprintf("http://a.example/%d.pdf", i) }))
			ended <- err
		}()
	}
	for range files {
		<-begun
	}
	if _, err := s.Scrape(t.Context(), request()); err != nil {
		t.Error(err)
	}
	close(done)
	for range files {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestLinksOfFile follows the links of a document.
func TestLinksOfFile(t *testing.T) {
	t.Parallel()
	file := fileOf(`<a href="http://a.example/next">next</a> <a href="other">other</a>`)
	s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(file), Now: time.Now})
	defer s.Close()
	result, err := s.Prepare(t.Context(), request(func(r *scrape.Request) { r.URL, r.Links = "http://a.example/dir/a.pdf", true }))
	if err != nil {
		t.Fatal(err)
	}
	defer result.Release()
	if want := []string{"http://a.example/next", "http://a.example/dir/other"}; !reflect.DeepEqual(result.Links, want) {
		t.Errorf("links %v", result.Links)
	}
}
