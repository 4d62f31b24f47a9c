package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The soak is everything that the service can do, at the same time and for long, and
// what it holds meanwhile. Nothing of that may grow without end.

// duty is something that is asked for again and again.
type duty struct {
	name  string
	every time.Duration
	do    func(ctx context.Context, i int) error

	done, failed atomic.Int64
	last         atomic.Value // the last error
}

// soaking is a service under load.
type soaking struct {
	*server
	site *soakSite
}

// soak loads a service for a while, and prints what it held.
func soak(ctx context.Context, binary string, long time.Duration) error {
	dir, err := os.MkdirTemp("", "trawl-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	site := startSoakSite()
	defer site.close()
	s, err := startServer(ctx, binary, dir, "TRAWL_RETENTION=2m", "TRAWL_HISTORY_RETENTION=2m", "TRAWL_BROWSER_WARM=1", "TRAWL_CACHE_MAX_BYTES=20MiB",
		"TRAWL_LLM_BASE_URL="+site.model.URL+"/v1", "TRAWL_LLM_MODEL=stand-in", "TRAWL_SEARCH_URL="+site.search.URL,
		"TRAWL_RATE_CRAWL=100000000", "TRAWL_RATE_EXTRACT=100000000", "TRAWL_RATE_BROWSER=100000000")
	if err != nil {
		return err
	}
	loaded := &soaking{server: s, site: site}
	duties := loaded.duties()
	samples, err := loaded.run(ctx, dir, long, duties)
	if stopErr := s.stop(); err == nil {
		err = stopErr
	}
	if err != nil {
		return fmt.Errorf("%w; the log ends with %s", err, s.log.Bytes()[max(s.log.Len()-2000, 0):])
	}
	printDuties(duties)
	return printSamples(samples)
}

// run does all duties side by side, and looks at the service sixty times.
func (s *soaking) run(ctx context.Context, dir string, long time.Duration, duties []*duty) (samples []sample, err error) {
	busy, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	for _, d := range duties {
		workers.Go(func() { d.repeat(busy) })
	}
	defer workers.Wait()
	defer cancel()
	for begun, n := time.Now(), 1; n <= looks; n++ {
		if err := pause(ctx, time.Until(begun.Add(long*time.Duration(n)/looks))); err != nil {
			return samples, err
		}
		now, err := s.sample(dir)
		if err != nil {
			return samples, err
		}
		now.at = time.Since(begun)
		samples = append(samples, now)
	}
	return samples, nil
}

func (d *duty) repeat(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		err := d.do(ctx, i)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			d.failed.Add(1)
			d.last.Store(err.Error())
		default:
			d.done.Add(1)
		}
		_ = pause(ctx, d.every)
	}
}

func (s *soaking) duties() []*duty {
	page := func(i int) string { return fmt.Sprintf("%s/pages/%d", s.site.URL, i%sitePages) }
	scrape := func(fields func(int) string) func(context.Context, int) error {
		return func(ctx context.Context, i int) error {
			return s.ask(ctx, request{"POST", "/v2/scrape", fmt.Sprintf(`{"url":%q,%s}`, page(i), fields(i))}, &struct{}{})
		}
	}
	always := func(fields string) func(int) string { return func(int) string { return fields } }
	hook := fmt.Sprintf(`"webhook":{"url":%q}`, s.site.URL+"/hook")
	return []*duty{
		{name: "scrape, fresh", every: 200 * time.Millisecond, do: scrape(always(`"maxAge":0,"formats":["markdown","html","links","images"]`))},
		{name: "scrape, cached", every: 100 * time.Millisecond, do: scrape(always(`"maxAge":3600000,"formats":["markdown"]`))},
		{name: "scrape, rendered", every: 2 * time.Second, do: scrape(always(`"maxAge":0,"waitFor":50,"formats":["markdown","screenshot"]`))},
		{name: "scrape, json", every: time.Second, do: scrape(always(`"formats":["summary",{"type":"json","schema":{"type":"object","properties":{"title":{"type":"string"}}}}]`))},
		{name: "scrape, changes", every: 5 * time.Second, do: scrape(func(i int) string {
			return `"maxAge":0,"formats":["markdown",{"type":"changeTracking","modes":["git-diff"]}]`
		})},
		{name: "batch, with events", every: 3 * time.Second, do: func(ctx context.Context, i int) error {
			var urls []string
			for k := range 20 {
				urls = append(urls, page(20*i+k))
			}
			list, err := json.Marshal(urls)
			return errors.Join(err, s.job(ctx, "/v2/batch/scrape", fmt.Sprintf(`{"urls":%s,"maxAge":0,%s}`, list, hook)))
		}},
		{name: "crawl, with events", every: 3 * time.Second, do: func(ctx context.Context, _ int) error {
			return s.job(ctx, "/v2/crawl", fmt.Sprintf(`{"url":%q,"limit":30,%s}`, s.site.URL, hook))
		}},
		{name: "map", every: 2 * time.Second, do: func(ctx context.Context, _ int) error {
			return s.ask(ctx, request{"POST", "/v2/map", fmt.Sprintf(`{"url":%q}`, s.site.URL)}, &struct{}{})
		}},
		{name: "extract", every: 3 * time.Second, do: func(ctx context.Context, i int) error {
			return s.job(ctx, "/v2/extract", fmt.Sprintf(`{"urls":[%q,%q],"schema":{"type":"object","properties":{"title":{"type":"string"}}}}`, page(i), page(i+1)))
		}},
		{name: "search", every: 2 * time.Second, do: func(ctx context.Context, i int) error {
			return s.ask(ctx, request{"POST", "/v2/search", `{"query":"harbour","limit":3,"scrapeOptions":{"formats":["markdown"]}}`}, &struct{}{})
		}},
		{name: "parse", every: time.Second, do: func(ctx context.Context, i int) error {
			file := soakFiles[i%len(soakFiles)]
			return s.parse(ctx, file.name, file.body)
		}},
		{name: "session", every: 5 * time.Second, do: func(ctx context.Context, i int) error {
			x, err := s.create(ctx, "")
			if err != nil {
				return err
			}
			return errors.Join(x.lead(ctx, page(i)), s.destroy(context.WithoutCancel(ctx), x))
		}},
	}
}

// job orders a job and waits for its end.
func (s *soaking) job(ctx context.Context, path, body string) error {
	var order struct{ ID string }
	if err := s.ask(ctx, request{"POST", path, body}, &order); err != nil {
		return err
	}
	for {
		var job struct{ Status, Error string }
		if err := s.ask(ctx, request{method: "GET", path: path + "/" + order.ID}, &job); err != nil {
			return err
		}
		switch job.Status {
		case "completed":
			return nil
		case "failed", "cancelled":
			return fmt.Errorf("%s: %s: %s", path, job.Status, job.Error)
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// parse uploads a file.
func (s *soaking) parse(ctx context.Context, name, body string) error {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, body)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/v2/parse", &form)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Content-Type", w.FormDataContentType())
	return exchange(patient, req)
}

// soakFiles are documents of several kinds.
var soakFiles = []struct{ name, body string }{
	{"list.csv", "boat,catch\n" + strings.Repeat("Gull,12\nTern,7\n", 200)},
	{"letter.rtf", `{\rtf1\ansi {\b Harbour news}\par ` + strings.Repeat(`The boats came home.\par `, 200) + `}`},
	{"page.html", "<title>Harbour</title><main><h1>Harbour</h1>" + strings.Repeat("<p>The boats came home.</p>", 200) + "</main>"},
	{"note.pdf", "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n" +
		"4 0 obj<</Length 55>>stream\nBT /F 12 Tf 20 200 Td (The boats came home today.) Tj ET   \nendstream endobj\n" +
		"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"},
}

func printDuties(duties []*duty) {
	var figures []figure
	for _, d := range duties {
		trouble, _ := d.last.Load().(string)
		figures = append(figures, figure{d.name, fmt.Sprintf("%d, %d failed", d.done.Load(), d.failed.Load()), trouble})
	}
	slices.SortFunc(figures, func(a, b figure) int { return strings.Compare(a.name, b.name) })
	for _, f := range figures {
		fmt.Println(strings.TrimSpace(fmt.Sprintf("%-20s %s %s", f.name, f.value, f.aim)))
	}
	fmt.Println()
}
