// Package docs is the documentation as a server shows it: the pages of this folder,
// as HTML, and a search in them.
//
// The pages are the files that people read in the repository. A Book holds them:
// their order (docs.go), their HTML (render.go) and what a search finds in them
// (search.go). Nothing is rendered before somebody reads it, and then only once.
package docs

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed *.md api/*.md
var files embed.FS

// Address is where examples call the service, unless a reader came another way.
const Address = "http://127.0.0.1:3002"

// Repository is where links lead that leave the documentation.
const Repository = "https://github.com/trawlhq/trawl/blob/main/"

// contents is the order of the pages. Their names are those of their files.
var contents = []struct {
	group string
	names []string
}{
	{"API", []string{
		"api/README", "api/requests", "api/errors", "api/scrape", "api/formats", "api/data", "api/changes", "api/branding",
		"api/rendering", "api/actions", "api/cache", "api/parse", "api/jobs", "api/batch", "api/crawl", "api/map", "api/search",
		"api/extract", "api/monitor", "api/webhooks", "api/sessions", "api/profiles", "api/team", "api/service", "api/v1",
	}},
	{"Guides", []string{"console", "mcp", "content", "documents", "extract", "interact", "monitors", "credits", "compatibility", "integrations"}},
	{"Operation", []string{"operations", "configuration", "security", "benchmarks"}},
	{"Inside", []string{"design", "dependencies"}},
}

// Group is a part of the table of contents.
type Group struct {
	Name  string
	Pages []*Page
}

// Page is a page of the documentation. Its Path is that of its file without the
// extension, and a README goes by the name of its folder: "operations", "api/scrape",
// "api".
type Page struct {
	Path, Title string

	file   string // in the repository's folder of documentation
	render func() rendered
}

// Book is all of the documentation. It may be read by many at once.
type Book struct {
	Groups []Group

	root   string
	pages  map[string]*Page // by path
	search func() []section
}

// Open returns the documentation for a server that shows it below root, such as
// "/docs": links between pages begin with it.
func Open(root string) *Book {
	b := &Book{root: root, pages: map[string]*Page{}}
	for _, part := range contents {
		group := Group{Name: part.group}
		for _, name := range part.names {
			page := b.open(name + ".md")
			group.Pages = append(group.Pages, page)
			b.pages[page.Path] = page
		}
		b.Groups = append(b.Groups, group)
	}
	b.search = sync.OnceValue(b.index)
	return b
}

// open reads a file. Its text stays where the program has it.
func (b *Book) open(file string) *Page {
	page := &Page{Path: pathOf(file), file: file}
	page.Title = titleOf(page.text())
	page.render = sync.OnceValue(func() rendered { return b.renderPage(page) })
	return page
}

// text returns the markdown of a page.
func (p *Page) text() string {
	text, err := fs.ReadFile(files, p.file)
	if err != nil {
		panic(err) // a name in contents that has no file, which a test would have found
	}
	return string(text)
}

// pathOf returns the path of a page whose file is known.
func pathOf(file string) string {
	name := strings.TrimSuffix(file, ".md")
	if path.Base(name) == "README" {
		return path.Dir(name)
	}
	return name
}

// titleOf returns the first heading of a page.
func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// Page returns the page with a path, or nil.
func (b *Book) Page(path string) *Page { return b.pages[path] }
