package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	pageSize = 20 << 10
	children = 8                      // of a page in the tree: 2,000 pages are 4 deep
	slowness = 200 * time.Millisecond // of a page below /slow/
)

// A section is a site in the site: /LABEL-SIZE/ is its root, page 0, and
// /LABEL-SIZE/page/K are the others. The label makes its addresses new.
type section struct {
	label string
	size  int
}

func (s section) path(page int) string {
	if page == 0 {
		return fmt.Sprintf("/%s-%d/", s.label, s.size)
	}
	return fmt.Sprintf("/%s-%d/page/%d", s.label, s.size, page)
}

// parsePath finds the page of a path that section.path made.
func parsePath(path string) (section, int, bool) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	label, size, ok2 := strings.Cut(name, "-")
	n, err := strconv.Atoi(size)
	if !ok || !ok2 || err != nil {
		return section{}, 0, false
	}
	page := 0
	if rest != "" {
		if page, err = strconv.Atoi(strings.TrimPrefix(rest, "page/")); err != nil {
			return section{}, 0, false
		}
	}
	s := section{label, n}
	return s, page, page >= 0 && page < n && s.path(page) == path
}

// links returns the pages that a page links to: five of the navigation, which
// are the same everywhere, then its children in the tree, or some other pages
// if it has none, and two that are mentioned on the way.
func (s section) links(page int) []int {
	links := []int{0}
	for i := 1; i <= 4; i++ {
		links = append(links, i%s.size)
	}
	for i := 1; i <= children; i++ {
		next := page*children + i
		if next >= s.size {
			next = (page*31 + i*977) % s.size
		}
		links = append(links, next)
	}
	return append(links, (page+1)%s.size, page/children)
}

// write makes the page: navigation, paragraphs with links and emphasis, lists, a
// table, a footer.
func (s section) write(b *bytes.Buffer, page int) {
	links := s.links(page)
	start := b.Len()
	fmt.Fprintf(b, `<!doctype html><html lang="en"><head><title>Article %d</title><meta name="description" content="To measure with">`+
		`<meta property="og:title" content="Article %d"><link rel="stylesheet" href="/style.css"><script>var a = 1;</script></head><body><header><nav><ul>`, page, page)
	for i, link := range links[:5] {
		fmt.Fprintf(b, `<li><a class="nav-link" href="%s">Section %d</a></li>`, s.path(link), i)
	}
	fmt.Fprintf(b, `</ul></nav></header><main><article><h1>Article %d</h1>`, page)
	for _, link := range links[5:] {
		fmt.Fprintf(b, `<p>How the <strong>harbour</strong> was built is told in <a href="%s">article %d</a>, with the names of those who built it.</p>`, s.path(link), link)
	}
	b.WriteString(filler[:max(0, (pageSize-(b.Len()-start)-len(ending))/paragraphSize)*paragraphSize])
	b.WriteString(ending)
}

const (
	paragraph = `<h2>Weather and catch</h2><p>The <strong>fishing</strong> fleet left at dawn, and the oldest boat was first out of the ` +
		`harbour. Nobody had <em>expected</em> the wind to turn so soon &amp; so hard.</p><ul><li>Nets: 12</li><li>Crew: <code>7</code></li></ul>`
	paragraphSize = len(paragraph)
	ending        = `<table><tr><th>Day</th><th>Catch</th></tr><tr><td>Monday</td><td>12</td></tr><tr><td>Tuesday</td><td>7</td></tr></table>` +
		`</article></main><footer><p>All rights reserved.</p></footer></body></html>`
)

// filler is written in one piece, because the site shares the machine with
// those that are measured.
var filler = strings.Repeat(paragraph, pageSize/paragraphSize+1)

// siteHandler serves every section, /slow/..., and nothing else: no robots.txt,
// no sitemap.
func siteHandler(w http.ResponseWriter, r *http.Request) {
	s, page, ok := section{"slow", 1}, 0, true
	if strings.HasPrefix(r.URL.Path, "/slow/") {
		select {
		case <-time.After(slowness):
		case <-r.Context().Done():
			return
		}
	} else {
		s, page, ok = parsePath(r.URL.Path)
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	b := bytes.NewBuffer(make([]byte, 0, pageSize+pageSize/4))
	s.write(b, page)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = w.Write(b.Bytes())
}

// serveSite is the role of the site: it prints its address and serves until its
// input ends, which it does also when the program that started it dies.
func serveSite(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(siteHandler)}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		server.Close()
	}()
	fmt.Fprintln(out, "http://"+listener.Addr().String())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// siteProcess is a running site.
type siteProcess struct {
	cmd     *exec.Cmd
	input   io.Closer
	address string
}

func startSite(ctx context.Context) (*siteProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-site")
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start site: %w", err), cmd.Process.Kill())
	}
	return &siteProcess{cmd: cmd, input: input, address: strings.TrimSpace(line)}, nil
}

func (p *siteProcess) stop() error {
	if err := p.input.Close(); err != nil {
		return err
	}
	return p.cmd.Wait()
}
