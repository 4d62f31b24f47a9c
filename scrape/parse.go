package scrape

import (
	"context"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
)

// ParseRequest is one file to parse for a caller.
type ParseRequest struct {
	trawl.ParseRequest
	Caller      trawl.Caller
	Waited      time.Duration // for a slot, before the work began
	Name        string        // of the file
	ContentType string        // as the sender has it; may be empty
	Body        []byte
}

// Parse makes of a file what [Scraper.Scrape] makes of a page: the document that
// was asked for, charged and recorded. The options must have passed
// [trawl.ParseRequest.Unsupported] and [Scraper.Check]. Nothing of it is cached.
func (s *Scraper) Parse(ctx context.Context, req ParseRequest) (*trawl.Document, error) {
	s.active.Add(1)
	defer s.active.Add(-1)
	kind := document.Sniff(req.Body, req.Name, req.ContentType)
	if kind == document.Unknown {
		return nil, trawl.Errorf(trawl.CodeFileType, "Unsupported upload type. Files of these types can be read: %s.", strings.Join(FileTypes(), ", "))
	}
	p := &page{
		upload: true, finalURL: req.Name, status: http.StatusOK, contentType: uploadType(kind, req.Name), fetchedAt: s.Now(), body: req.Body,
		format: kind, known: kindFile,
	}
	if kind == document.HTML {
		p.known = kindText
	}
	if len(p.body) > fetch.LargeBytes {
		var err error
		if p.release, err = s.room(ctx); err != nil {
			return nil, timedOut(ctx, err)
		}
		defer p.free()
	}
	options := req.ScrapeOptions
	options.StoreInCache = false
	return s.complete(ctx, &Request{
		ScrapeRequest: trawl.ScrapeRequest{URL: req.Name, ScrapeOptions: options, ZeroDataRetention: req.ZeroDataRetention},
		Caller:        req.Caller, Waited: req.Waited, upload: true,
	}, p)
}

// uploadType is the content type of a file: by what it is, not by what its sender
// calls it. Only XHTML is not told from HTML by its content.
func uploadType(kind document.Kind, name string) string {
	if kind == document.HTML && strings.EqualFold(path.Ext(name), ".xhtml") {
		return "application/xhtml+xml"
	}
	return kind.ContentType()
}

// FileTypes lists the extensions of the files that can be parsed. What a file is
// called does not decide: its content does.
func FileTypes() []string {
	return []string{
		".html", ".htm", ".xhtml", ".pdf", ".docx", ".docm", ".dotx", ".doc", ".odt", ".rtf", ".xlsx", ".xlsm", ".xls", ".ods", ".csv",
	}
}
