package scrape

import (
	"context"
	"mime"
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
		return nil, errFileType()
	}
	p := &page{
		upload: true, finalURL: req.Name, status: http.StatusOK, contentType: uploadType(kind, &req), fetchedAt: s.Now(), body: req.Body,
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
		Caller:        req.Caller, Waited: req.Waited, upload: true, live: true,
	}, p)
}

// uploadType is the content type of a file: by what it is, not by what its sender
// calls it. Only XHTML is not told from HTML by its content, nor is the encoding
// of either, if it does not say so itself.
func uploadType(kind document.Kind, req *ParseRequest) string {
	if kind != document.HTML {
		return kind.ContentType()
	}
	media := kind.ContentType()
	if strings.EqualFold(path.Ext(req.Name), ".xhtml") {
		media = "application/xhtml+xml"
	}
	if _, sent, err := mime.ParseMediaType(req.ContentType); err == nil && sent["charset"] != "" {
		return mime.FormatMediaType(media, map[string]string{"charset": sent["charset"]})
	}
	return media
}

// FileType is a kind of files that can be parsed.
type FileType struct {
	Kind       document.Kind
	Extensions []string // how their names end; what decides is their content
}

// FileTypes lists the kinds of files that can be parsed.
func FileTypes() []FileType {
	return []FileType{
		{document.HTML, []string{".html", ".htm", ".xhtml"}}, {document.PDF, []string{".pdf"}},
		{document.DOCX, []string{".docx", ".docm", ".dotx"}}, {document.DOC, []string{".doc"}},
		{document.ODT, []string{".odt"}}, {document.RTF, []string{".rtf"}},
		{document.XLSX, []string{".xlsx", ".xlsm"}}, {document.XLS, []string{".xls"}},
		{document.ODS, []string{".ods"}}, {document.CSV, []string{".csv"}},
	}
}

// errFileType is the error of a file that no reader is for.
func errFileType() error {
	var extensions []string
	for _, of := range FileTypes() {
		extensions = append(extensions, of.Extensions...)
	}
	return trawl.Errorf(trawl.CodeFileType, "Unsupported upload type. Files of these types can be read: %s.", strings.Join(extensions, ", "))
}
