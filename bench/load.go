package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/egress"
)

// client keeps a connection per parallel request.
var client = &http.Client{Transport: transport(), Timeout: 30 * time.Second}

func transport() *http.Transport {
	t := egress.Infrastructure()
	t.MaxIdleConnsPerHost = 1000
	return t
}

// load is how much is asked and how much of it at a time.
type load struct{ requests, parallel int }

type request struct{ method, path, body string }

// run calls f once for each request and returns the first error.
func (l load) run(f func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make(chan error, l.parallel)
	for range l.parallel {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(l.requests); i = next.Add(1) {
				if err := f(int(i)); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// send makes one request of the API, which must succeed.
func (s *server) send(ctx context.Context, r request) error {
	req, err := http.NewRequestWithContext(ctx, r.method, s.base+r.path, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return exchange(client, req)
}

func exchange(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %d %.300s", req.Method, req.URL, resp.StatusCode, body)
	}
	return err
}

// startSite serves a page of 20 KB like that of an ordinary article.
func startSite() (*httptest.Server, error) {
	page := article(20 << 10)
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	})
	return httptest.NewServer(mux), nil
}

// article makes a page of about the given size: navigation, paragraphs with
// links and emphasis, a list, a table, a footer.
func article(size int) []byte {
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html lang="en"><head><title>An article</title><meta name="description" content="To measure with">` +
		`<meta property="og:title" content="An article"><link rel="stylesheet" href="/style.css"><script>var a = 1;</script></head><body><header><nav><ul>`)
	for i := range 20 {
		fmt.Fprintf(&b, `<li><a class="nav-link" href="/section/%d">Section %d</a></li>`, i, i)
	}
	b.WriteString(`</ul></nav></header><main><article><h1>An article</h1>`)
	for i := 0; b.Len() < size-1500; i++ {
		fmt.Fprintf(&b, `<h2 id="part-%d">Part %d</h2><p>The <strong>fishing</strong> fleet left at dawn, and <a href="/boats/%d">boat %d</a> `+
			`was first out of the harbour. Nobody had <em>expected</em> the wind to turn so soon &amp; so hard.</p>`+
			`<ul><li>Nets: %d</li><li>Crew: <code>%d</code></li></ul>`, i, i, i, i, i*3, i*2)
	}
	b.WriteString(`<table><tr><th>Day</th><th>Catch</th></tr><tr><td>Monday</td><td>12</td></tr><tr><td>Tuesday</td><td>7</td></tr></table>` +
		`</article></main><footer><p>All rights reserved.</p></footer></body></html>`)
	return b.Bytes()
}

// getAndParse is the baseline: what nobody who scrapes can do without.
func getAndParse(site string, load load) error {
	return load.run(func(i int) error {
		resp, err := client.Get(fmt.Sprintf("%s/page?bare-%d", site, i))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		_, err = html.Parse(bytes.NewReader(body))
		return err
	})
}

// baselineCost runs the baseline in a process of its own and returns its CPU
// time for each request.
func baselineCost(ctx context.Context, site string, load load) (time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, "-baseline", site,
		"-requests", fmt.Sprint(load.requests), "-parallel", fmt.Sprint(load.parallel))
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, errors.Join(err, errors.New(string(out)))
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return used / time.Duration(load.requests), nil
}
