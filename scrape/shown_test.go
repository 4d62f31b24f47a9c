package scrape_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
)

// TestShownFile says which pages are read as the file that they show.
func TestShownFile(t *testing.T) {
	t.Parallel()
	const viewer = `<!doctype html><title>A viewer</title><h1>The report</h1><embed src="/r.pdf" type="application/pdf">`
	const docx = "https://docs.google.com/document/d/abc/export?format=docx"
	for _, row := range []struct {
		name, url string
		site      map[string]string // what is served where; what begins with "%PDF-" is a PDF
		read      bool
		at        string // where it was in the end
		warning   string
		change    func(*scrape.Request)
	}{
		{name: "shown", url: "http://a.example/", site: map[string]string{"http://a.example/": viewer, "http://a.example/r.pdf": "%PDF-1.4"},
			read: true, at: "http://a.example/r.pdf", warning: "nothing but a file"},
		{name: "gone", url: "http://a.example/", site: map[string]string{"http://a.example/": viewer},
			at: "http://a.example/", warning: "could not be fetched: http://a.example/r.pdf"},
		{name: "a page in place of the file", url: "http://a.example/", site: map[string]string{"http://a.example/": viewer, "http://a.example/r.pdf": "<p>Log in"},
			at: "http://a.example/", warning: "could not be fetched"},
		{name: "bytes are asked for", url: "http://a.example/", site: map[string]string{"http://a.example/": viewer, "http://a.example/r.pdf": "%PDF-1.4"},
			at: "http://a.example/", change: func(r *scrape.Request) { r.Formats = []trawl.Format{{Type: trawl.FormatRawBase64}} }},
		{name: "Google", url: "https://docs.google.com/document/d/abc/edit?usp=sharing", site: map[string]string{docx: "%PDF-1.4"},
			read: true, at: docx},
		{name: "Google, of an organisation", url: "https://docs.google.com/a/b.example/document/d/abc/edit", site: map[string]string{docx: "%PDF-1.4"},
			read: true, at: docx},
		{name: "not for anyone", url: "https://docs.google.com/document/d/abc/edit",
			site: map[string]string{docx: "<p>Sign in", "https://docs.google.com/document/d/abc/edit": "<p>Some text"}, at: "https://docs.google.com/document/d/abc/edit"},
		{name: "sheets", url: "https://docs.google.com/spreadsheets/d/abc/edit#gid=1", site: map[string]string{"https://docs.google.com/spreadsheets/d/abc/export?format=xlsx": "%PDF-1.4"},
			read: true, at: "https://docs.google.com/spreadsheets/d/abc/export?format=xlsx"},
		{name: "slides", url: "https://docs.google.com/presentation/d/abc/edit", site: map[string]string{"https://docs.google.com/presentation/d/abc/export/pptx": "%PDF-1.4"},
			read: true, at: "https://docs.google.com/presentation/d/abc/export/pptx"},
		{name: "a file of Drive", url: "https://drive.google.com/file/d/a-b/view", site: map[string]string{"https://drive.google.com/uc?export=download&id=a-b": "%PDF-1.4"},
			read: true, at: "https://drive.google.com/uc?export=download&id=a-b"},
		{name: "published", url: "https://docs.google.com/document/d/e/2PACX/pub", site: map[string]string{"https://docs.google.com/document/d/e/2PACX/pub": "<p>Text"},
			at: "https://docs.google.com/document/d/e/2PACX/pub"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			client := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
				body, ok := row.site[strings.TrimSuffix(req.URL, "#gid=1")]
				if !ok {
					return nil, errors.New("nothing there")
				}
				return &fetch.Response{URL: req.URL, Status: 200, ContentType: "text/html", Body: []byte(body)}, nil
			}}
			read := false
			s := scrape.New(scrape.Config{Fetch: client, Now: time.Now, Documents: readerFunc(func(context.Context, document.Kind, document.Options) (*document.Result, error) {
				read = true
				return fileOf("read"), nil
			})})
			defer s.Close()
			doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
				r.URL = row.url
				if row.change != nil {
					row.change(r)
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			if read != row.read || doc.Metadata.URL != row.at || doc.Metadata.SourceURL != row.url || !strings.Contains(doc.Warning, row.warning) {
				t.Errorf("read %t at %s for %s: %q", read, doc.Metadata.URL, doc.Metadata.SourceURL, doc.Warning)
			}
		})
	}
}

// What lets a caller in at one site is not sent to another.
func TestShownFileHeaders(t *testing.T) {
	t.Parallel()
	sent := map[string]string{}
	client := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		sent[req.URL] = req.Headers["Authorization"]
		body := "%PDF-1.4"
		switch req.URL {
		case "http://a.example/own":
			body = `<embed src="/r.pdf">`
		case "http://a.example/other":
			body = `<embed src="http://b.example/r.pdf">`
		}
		return &fetch.Response{URL: req.URL, Status: 200, ContentType: "text/html", Body: []byte(body)}, nil
	}}
	s := scrape.New(scrape.Config{Fetch: client, Now: time.Now, Documents: always(fileOf("read"))})
	defer s.Close()
	for _, page := range []string{"own", "other"} {
		if _, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
			r.URL, r.Headers = "http://a.example/"+page, map[string]string{"Authorization": "secret"}
		})); err != nil {
			t.Fatal(err)
		}
	}
	if sent["http://a.example/r.pdf"] != "secret" || sent["http://b.example/r.pdf"] != "" {
		t.Errorf("sent %v", sent)
	}
}
