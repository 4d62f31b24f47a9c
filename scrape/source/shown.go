package source

import (
	"context"
	"net/url"
	"strings"
)

// Fetch gets the page from the network. In place of a page that shows a file and next
// to nothing else it gets the file, and in place of a document of Google's, which is
// drawn by scripts, what Google exports of it.
func (s *Source) Fetch(ctx context.Context, req *Request) (*Page, error) {
	files := len(req.Actions) == 0 && !req.RawBytes && req.Measure == "" && req.NoPage == nil
	if export := exportOf(req.URL); files && export != "" {
		if p := s.file(ctx, req, export); p != nil {
			return p, nil
		}
	}
	p, err := s.fetch(ctx, req)
	if err != nil || !files || p.shows == "" || !p.OK() {
		return p, err
	}
	file := s.file(ctx, req, p.shows)
	if file == nil {
		p.warn("The page shows a file that could not be fetched: " + p.shows)
		return p, ctx.Err()
	}
	file.Screenshot, file.Warning, file.Waited = p.Screenshot, p.Warning, p.Waited
	file.warn("The page shows nothing but a file, which was read in its place.")
	p.Release()
	return file, nil
}

// file gets a file for a request that asked for another address. Nil means that there
// is none.
func (s *Source) file(ctx context.Context, req *Request, address string) *Page {
	other := *req
	other.URL = address
	if !sameOrigin(req.URL, address) { // what a header lets in is not for others
		other.Headers = nil
	}
	p, err := s.get(ctx, &other, req.Route == Enhanced && s.hasEnhancedProxy(req.Country))
	if err != nil {
		return nil
	}
	if p.Kind != File || !p.OK() {
		p.Release()
		return nil
	}
	p.Target = req.URL
	return p
}

func sameOrigin(a, b string) bool {
	one, err1 := url.Parse(a)
	other, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && one.Scheme == other.Scheme && one.Host == other.Host
}

// exportOf returns where Google exports a document that anyone may read: texts, sheets
// and slides as files of Microsoft's programs, other files as they are.
func exportOf(address string) string {
	if !strings.Contains(address, ".google.com/") { // as hardly any is
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" {
		return ""
	}
	// As in /document/d/ID/edit and /file/d/ID/view.
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) >= 2 && parts[0] == "a" && u.Host == "docs.google.com" { // of an organisation
		parts = parts[2:]
	}
	if len(parts) < 3 || parts[1] != "d" || parts[2] == "" || parts[2] == "e" {
		return ""
	}
	if len(parts) > 3 && parts[3] == "export" {
		return ""
	}
	id := url.PathEscape(parts[2])
	switch u.Host + " " + parts[0] {
	case "docs.google.com document":
		return "https://docs.google.com/document/d/" + id + "/export?format=docx"
	case "docs.google.com spreadsheets":
		return "https://docs.google.com/spreadsheets/d/" + id + "/export?format=xlsx"
	case "docs.google.com presentation":
		return "https://docs.google.com/presentation/d/" + id + "/export/pptx"
	case "drive.google.com file":
		return "https://drive.google.com/uc?export=download&id=" + url.QueryEscape(parts[2])
	}
	return ""
}
