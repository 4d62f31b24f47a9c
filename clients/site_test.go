//go:build clients

package clients_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// manyPages is how many pages the section /many/ has.
const manyPages = 60

// site is the website that the clients are pointed at. Every page has a title, a
// heading and a paragraph.
type site struct {
	url      string
	changes  atomic.Int64 // of /changing
	switches sync.Map     // names to *toggle, see /switch
}

// startSite starts the website and returns its address, without a slash at the
// end.
func startSite(t *testing.T) string {
	t.Helper()
	s := &site{}
	mux := http.NewServeMux()
	for pattern, handler := range map[string]http.HandlerFunc{
		"/{$}":                     s.home, // links to the pages below
		"/a":                       article("Apples", "Apples are round fruit. They keep all winter in a cool cellar."),
		"/b":                       article("Bread", "Bread is made of flour, water and salt. It takes a day."),
		"/blog/{n}":                blog,       // 1 to 5
		"/product":                 product,    // says for machines what it sells
		"/changing":                s.changing, // another text every time
		"/steady":                  article("Steady", "This page stays as it is. Nothing here ever changes."),
		"/confusing":               article("Confusing", "Nobody understands this page."), // least of all the model
		"/missing":                 missing,                                               // 404
		"/slow":                    slow,                                                  // after ?ms= milliseconds
		"/switch":                  s.turn,                                                // turns ?name= on, for good
		"/gate":                    s.gate,                                                // once the switch ?name= is on
		"/season/{name}/{page...}": s.season,                                              // pages that go when the switch {name} is on
		"/menu":                    menu,                                                  // says for machines what there is to eat
		"/form":                    form,                                                  // a field and a button
		"/brand":                   brand,                                                 // a page with a style
		"/many/":                   many,                                                  // 60 pages, linked to each other
		"/heavy/{n}":               heavy,                                                 // 1 to 4, each with 3 MB of text
		"/logo.png":                file("image/png", picture()),
		"/doc.pdf":                 file("application/pdf", pdf("Annual report", "The year was a good one.")),
		"/doc.docx":                file("application/vnd.openxmlformats-officedocument.wordprocessingml.document", docx("Minutes", "The meeting was short.")),
		"/robots.txt":              s.robots,
		"/sitemap.xml":             s.sitemap,
		"/":                        missing,
	} {
		mux.HandleFunc(pattern, handler)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s.url
}

// page writes a page with a title, a heading and a body.
func page(w http.ResponseWriter, title, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%[1]s</title>
<meta name="description" content="A page on %[1]s."></head>
<body><main><h1>%[1]s</h1>%[2]s</main></body></html>`, html.EscapeString(title), body)
}

func article(title, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		page(w, title, `<p class="lead" data-kind="article">`+text+`</p><p><img src="/logo.png" alt="Logo" width="40" height="40"></p>
<p>There is more <a href="/">at home</a>.</p>`)
	}
}

func file(kind string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(content)
	}
}

func (s *site) home(w http.ResponseWriter, _ *http.Request) {
	var links strings.Builder
	for _, path := range []string{"/a", "/b", "/blog/1", "/blog/2", "/blog/3", "/blog/4", "/blog/5", "/slow", "/missing"} {
		fmt.Fprintf(&links, `<li><a href="%[1]s">%[1]s</a></li>`, path)
	}
	page(w, "Home", "<p>Welcome to a small site that is made for tests.</p><ul>"+links.String()+"</ul>")
}

func blog(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > 5 {
		missing(w, r)
		return
	}
	page(w, fmt.Sprintf("Article %d", n), fmt.Sprintf(`<p>This is article number %d of the blog, and it has two sentences. Here is the second.</p>
<p>Read also <a href="/blog/%d">the next one</a>.</p>`, n, n%5+1))
}

func product(w http.ResponseWriter, _ *http.Request) {
	page(w, "Kettle", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kettle",
"description":"A kettle of steel.","sku":"K-1","brand":{"@type":"Brand","name":"Potters"},"image":"/logo.png",
"offers":{"@type":"Offer","price":"39.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>
<p>A kettle of steel that holds 2 litres.</p><p>Price: <b>39.90 EUR</b>, in stock.</p>`)
}

func menu(w http.ResponseWriter, _ *http.Request) {
	page(w, "Lunch", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Restaurant","name":"The Ladle",
"hasMenu":{"@type":"Menu","hasMenuSection":{"@type":"MenuSection","name":"Soups","hasMenuItem":[{"@type":"MenuItem","name":"Leek soup",
"description":"With bread.","offers":{"@type":"Offer","price":"6.50","priceCurrency":"EUR"}}]}}}</script>
<p>Leek soup, with bread: 6.50 EUR.</p>`)
}

func (s *site) changing(w http.ResponseWriter, _ *http.Request) {
	page(w, "Changing", fmt.Sprintf("<p>The first line stays.</p><p>Version number %d of the second line.</p>", s.changes.Add(1)))
}

func missing(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	page(w, "Not found", "<p>There is no such page.</p>")
}

// maxWait is the longest that /slow takes.
const maxWait = time.Minute

func slow(w http.ResponseWriter, r *http.Request) {
	ms, _ := strconv.Atoi(r.FormValue("ms"))
	select {
	case <-time.After(min(time.Duration(ms)*time.Millisecond, maxWait)):
	case <-r.Context().Done():
		return
	}
	page(w, "Slow", "<p>This page takes its time.</p>")
}

// toggle is a switch that can only be turned on.
type toggle struct {
	once sync.Once
	on   chan struct{} // closed when it is
}

func (s *site) toggle(name string) *toggle {
	known, _ := s.switches.LoadOrStore(name, &toggle{on: make(chan struct{})})
	return known.(*toggle)
}

func (s *site) turn(w http.ResponseWriter, r *http.Request) {
	t := s.toggle(r.FormValue("name"))
	t.once.Do(func() { close(t.on) })
	page(w, "Switch", "<p>The switch is on now.</p>")
}

func (s *site) gate(w http.ResponseWriter, r *http.Request) {
	select {
	case <-s.toggle(r.FormValue("name")).on:
		page(w, "Gate", "<p>The gate is open.</p>")
	case <-time.After(maxWait):
		missing(w, r)
	case <-r.Context().Done():
	}
}

// season has a first page with links to two others, until the switch is on: then it
// has none, and one of the two is not there any more.
func (s *site) season(w http.ResponseWriter, r *http.Request) {
	over := false
	select {
	case <-s.toggle(r.PathValue("name")).on:
		over = true
	default:
	}
	switch which := r.PathValue("page"); {
	case which == "" && !over:
		page(w, "Season", `<p>Read <a href="stays">what stays</a> and <a href="goes">what goes</a>.</p>`)
	case which == "":
		page(w, "Season", "<p>The season is over.</p>")
	case which == "stays", which == "goes" && !over:
		page(w, "What "+which, "<p>This page is one of the season.</p>")
	default:
		missing(w, r)
	}
}

func form(w http.ResponseWriter, _ *http.Request) {
	page(w, "Form", `<p>Say your name.</p><input id="name" aria-label="Name"><button id="greet">Greet</button><p id="greeting"></p>
<script>document.querySelector('#greet').onclick = () => {
	document.querySelector('#greeting').textContent = 'Good day, ' + document.querySelector('#name').value + '.'
}</script>`)
}

func brand(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><html lang="en"><head><title>Potters</title><meta name="theme-color" content="#336699">
<meta property="og:site_name" content="Potters"><meta property="og:image" content="/logo.png"><link rel="icon" href="/logo.png">
<style>:root { --primary: #336699 } body { background: #ffffff; color: #222222; font: 16px/1.5 Georgia, serif; margin: 0 }
header { background: #336699; padding: 16px } h1 { font-size: 40px; color: #336699 } a { color: #cc3300 }
button { background: #336699; color: #ffffff; border: 0; border-radius: 8px; padding: 8px 16px }</style></head>
<body><header><a href="/" class="logo"><img src="/logo.png" alt="Potters logo" width="120" height="40"></a></header>
<main><h1>Potters</h1><p>We make pots of clay. <a href="/a">See more</a>.</p><button>Buy a pot</button></main></body></html>`)
}

func many(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/many/"))
	if n < 0 || n > manyPages {
		missing(w, r)
		return
	}
	var links strings.Builder
	for i := range manyPages {
		fmt.Fprintf(&links, `<li><a href="/many/%[1]d">Page %[1]d</a></li>`, i+1)
	}
	time.Sleep(20 * time.Millisecond) // so that a crawl of all of them can be watched and cancelled
	page(w, fmt.Sprintf("Page %d", n), fmt.Sprintf("<p>This is page %d of many.</p><ul>%s</ul>", n, links.String()))
}

// heavy pages are so long that a job with all of them is told in parts.
func heavy(w http.ResponseWriter, r *http.Request) {
	line := "<p>Page " + html.EscapeString(r.PathValue("n")) + " has a long text, and this is one paragraph of it among very many others.</p>\n"
	page(w, "Heavy "+r.PathValue("n"), strings.Repeat(line, 3<<20/len(line)))
}

func (s *site) robots(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, "User-agent: *\nDisallow: /private/\nSitemap: %s/sitemap.xml\n", s.url)
}

func (s *site) sitemap(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/xml")
	fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, path := range []string{"/", "/a", "/b", "/blog/1", "/blog/2", "/blog/3", "/blog/4", "/blog/5", "/product"} {
		fmt.Fprintf(w, "<url><loc>%s%s</loc></url>", s.url, path)
	}
	fmt.Fprint(w, "</urlset>")
}
