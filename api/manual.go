package api

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/docs"
)

//go:embed docs*.html
var docsPages embed.FS

//go:embed docs.css
var docsStyle string

// docsRoot is where the documentation is.
const docsRoot = "/docs"

// manual is the documentation. It is put together when somebody first reads it.
type manual struct {
	prefix    string // path of the public address
	book      func() *docs.Book
	templates func() (*template.Template, error)
}

func newManual(public *url.URL) *manual {
	m := &manual{}
	if public != nil {
		m.prefix = strings.TrimSuffix(public.EscapedPath(), "/")
	}
	m.book = sync.OnceValue(func() *docs.Book { return docs.Open(m.prefix + docsRoot) })
	m.templates = sync.OnceValues(func() (*template.Template, error) { return template.ParseFS(docsPages, "docs*.html") })
	return m
}

// docsFrame is what stands around every page, and Main is the page.
type docsFrame struct {
	Title, Prefix, Current, Query string
	Style                         template.CSS
	Groups                        []docs.Group
	Main                          any
}

// write fills a template. It returns the page and the policy to serve it with: a
// page loads nothing, runs nothing, and sends its form only here.
func (m *manual) write(name string, frame docsFrame) (*bytesOutput, error) {
	templates, err := m.templates()
	if err != nil {
		return nil, fmt.Errorf("parse docs pages: %w", err)
	}
	frame.Prefix, frame.Style, frame.Groups = m.prefix, template.CSS(docsStyle), m.book().Groups
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, frame); err != nil {
		return nil, fmt.Errorf("render docs page: %w", err)
	}
	sum := sha256.Sum256([]byte(docsStyle))
	policy := "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return &bytesOutput{ContentType: "text/html; charset=utf-8", Policy: policy, Body: b.Bytes()}, nil
}

// readerBase returns the address that examples show: the one that the reader used,
// if it is a plain host and not something that only looks like one.
func (s *Server) readerBase(r *http.Request) string {
	base := s.baseURL(r)
	if _, host, _ := strings.Cut(base, "://"); s.PublicURL == nil && !validHostPort(host) {
		return docs.Address
	}
	return base
}

// docsArticle is a page that was written, not generated.
type docsArticle struct {
	Body     template.HTML
	Headings []docs.Heading
}

// docsPage answers GET /docs/{page...}.
func (s *Server) docsPage(w *answer, r *http.Request) {
	page := s.manual.book().Page(r.PathValue("page"))
	if page == nil {
		s.fail(w, r, trawl.Errorf(trawl.CodeNotFound, "There is no such page. The pages are listed at /docs."))
		return
	}
	s.show(w, r, "docs_page.html", docsFrame{
		Title: page.Title, Current: page.Path,
		Main: docsArticle{Body: template.HTML(page.HTML(s.readerBase(r))), Headings: page.Headings()},
	})
}

// docsSearch answers GET /docs/search: sections that have all words of the query.
func (s *Server) docsSearch(w *answer, r *http.Request) {
	query := strings.TrimSpace(strings.ToValidUTF8(r.URL.Query().Get("q"), "\uFFFD"))
	if utf8.RuneCountInString(query) > docs.MostQuery {
		s.fail(w, r, trawl.Errorf(trawl.CodeBadRequest, "A search takes at most %d characters.", docs.MostQuery))
		return
	}
	s.show(w, r, "docs_search.html", docsFrame{Title: "Search", Query: query, Main: s.manual.book().Search(query)})
}

func (s *Server) show(w *answer, r *http.Request, name string, frame docsFrame) {
	out, err := s.manual.write(name, frame)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", out.ContentType)
	w.Header().Set("Content-Security-Policy", out.Policy)
	_, _ = w.Write(out.Body)
}

// addPage puts a page of the documentation, or another name of a route, into the
// table. It is no part of what the OpenAPI document describes.
func addPage(s *Server, path string, handler func(*answer, *http.Request)) {
	r := route{method: http.MethodGet, path: path, tag: tagService}
	s.routes[r.pattern()] = entry{route: r, page: true}
	s.mux.HandleFunc(r.pattern(), func(w http.ResponseWriter, req *http.Request) { handler(w.(*answer), req) })
}
