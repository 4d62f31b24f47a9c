package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
)

// Texts of the page: one that only its script brings, and one that is there anyway.
const (
	builtByScript = "Boat 59 came home"
	writtenPlain  = "first out of the harbour"
)

// renderSite is what is rendered: a page of 100 KB, hostile pages, and ten sites
// of which seven serve pages that are complete, two pages that a script takes
// over, and one pages that a script makes.
type renderSite struct {
	server *httptest.Server
	mix    []*httptest.Server
	count  atomic.Int64
}

func startRenderSite() *renderSite {
	s := &renderSite{}
	mux := http.NewServeMux()
	serve := func(path, contentType string, body []byte) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write(body)
		})
	}
	page, script, style := richPage()
	serve("/page", "text/html; charset=utf-8", page)
	serve("/app.js", "text/javascript", script)
	serve("/style.css", "text/css", style)
	for i := range 5 {
		serve(fmt.Sprintf("/%d.png", i), "image/png", picture(i))
	}
	serve("/loop", "text/html", []byte(`<!doctype html><title>Loop</title><p>Round and round</p><script>for (;;) {}</script>`))
	serve("/hog", "text/html", []byte(`<!doctype html><title>Hog</title><p>More and more</p>`+
		`<script>const all = []; for (;;) all.push(new Array(100000).fill(Math.random()))</script>`))
	serve("/still", "text/html; charset=utf-8", article(20<<10))
	serve("/moving", "text/html", []byte(movingPage))
	s.server = httptest.NewServer(mux)
	for i := range 10 {
		html := mixedPage(i)
		s.mix = append(s.mix, httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(html)
		})))
	}
	return s
}

func (s *renderSite) close() {
	for _, server := range append(s.mix, s.server) {
		server.Close()
	}
}

// movingPage is painted anew for every picture of the screen.
const movingPage = `<!doctype html><title>Moving</title><h1>Round and round</h1><canvas id="c" width="1200" height="600"></canvas>
<script>
const pen = document.getElementById('c').getContext('2d');
const draw = now => {
	pen.fillStyle = 'hsl(' + now / 20 % 360 + ' 60% 80%)';
	pen.fillRect(0, 0, 1200, 600);
	pen.fillStyle = '#246';
	for (let i = 0; i < 20; i++) pen.fillRect(600 + 500 * Math.cos(now / 900 + i), 280 + 250 * Math.sin(now / 700 + i), 60, 40);
	requestAnimationFrame(draw);
};
requestAnimationFrame(draw);
</script>`

// next returns an address of the page that was not asked for before.
func (s *renderSite) next() string { return fmt.Sprintf("%s/page?%d", s.server.URL, s.count.Add(1)) }

func (s *renderSite) hostile(kind string) string {
	return fmt.Sprintf("%s/%s?%d", s.server.URL, kind, s.count.Add(1))
}

// mixed returns a site of the mix, and a text of its pages.
func (s *renderSite) mixed(i int) (address, want string) {
	return s.mix[i%len(s.mix)].URL, writtenPlain
}

// richPage makes a page of about 100 KB with its script, which builds a part of
// it, and its style sheet.
func richPage() (page, script, style []byte) {
	var pictures, boats, rules strings.Builder
	for i := range 5 {
		fmt.Fprintf(&pictures, `<img src="/%d.png" alt="Boat %d" width="120" height="80">`, i, i)
	}
	for i := range 60 {
		fmt.Fprintf(&boats, "{name: 'Boat %d', catch: %d, port: 'Harbour %d'},\n", i, i*7, i%5)
		fmt.Fprintf(&rules, "main .row-%d > td:nth-child(2n) { color: #%02x4060; padding: %dpx }\n", i, i*4, i%7)
	}
	page = bytes.Replace(article(100<<10), []byte("</article>"),
		[]byte(pictures.String()+`<div id="built"></div><script src="/app.js"></script></article>`), 1)
	script = []byte("const boats = [" + boats.String() + `];
const table = document.createElement('table');
for (const [i, boat] of boats.entries()) {
	const row = table.insertRow();
	row.className = 'row-' + i;
	for (const text of [boat.name + ' came home', boat.catch, boat.port]) row.insertCell().textContent = text;
}
document.getElementById('built').append(table);
`)
	style = []byte("body { font: 16px/1.5 sans-serif; margin: 0 auto; max-width: 60em }\nnav li { display: inline-block; margin: 0 1em }\n" +
		"table { border-collapse: collapse } td { border: 1px solid #ccc }\n" + rules.String())
	return page, script, style
}

// picture makes a small picture of its own.
func picture(seed int) []byte {
	canvas := image.NewRGBA(image.Rect(0, 0, 120, 80))
	for y := range 80 {
		for x := range 120 {
			canvas.Set(x, y, color.RGBA{uint8(x * (seed + 1)), uint8(y * 3), uint8((x ^ y) * 5), 255})
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, canvas) // writing to memory does not fail
	return b.Bytes()
}

// mixedPage makes the page of a site of the mix.
func mixedPage(i int) []byte {
	whole := string(article(20 << 10))
	head, rest, _ := strings.Cut(whole, "<body>")
	body, _, _ := strings.Cut(rest, "</body>")
	switch {
	case i < 7:
	case i < 9:
		body = `<div id="__next">` + body + `</div><script id="__NEXT_DATA__" type="application/json">{"props":{"text":"state"}}</script>` +
			`<script>for (const link of document.links) link.onclick = () => false</script>`
	default:
		body = `<div id="root"></div><script>setTimeout(() => { document.getElementById('root').innerHTML = ` + "`" + body + "`" + ` }, 50)</script>`
	}
	return []byte(head + "<body>" + body + "</body></html>")
}
