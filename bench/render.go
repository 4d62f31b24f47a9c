package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// The figures of the browser: what the service adds to the CPU of a browser that
// renders a page, what is left behind when many were rendered or given up, what a
// hostile page does to others, and what is saved by not rendering every page.

const (
	pageTimeout = 60 * time.Second
	pagesAtOnce = 4
	renderTurns = 10 // how often the ways of getting a page are measured, in turn
	cancelled   = 50
	latest      = 800 * time.Millisecond // at which a caller gives up
)

// renderParts are the figures of the browser by their names on the command line.
var renderParts = []string{"cost", "leaks", "hostile", "adaptive"}

// rendering holds what the parts share.
type rendering struct {
	*server
	site    *renderSite
	pages   int     // of each figure
	idle    float64 // share of a core that the service takes when nothing is asked of it
	figures []figure
}

// measureRendering takes the figures of the browser that are asked for.
func measureRendering(ctx context.Context, binary, parts string, pages int) error {
	chosen := renderParts
	if parts != "all" {
		chosen = strings.Split(parts, ",")
	}
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &rendering{site: startRenderSite(), pages: pages}
	defer r.site.close()
	if r.server, err = startServer(ctx, binary, dir); err != nil {
		return err
	}
	if err = r.rate(); err != nil {
		return errors.Join(err, r.stop())
	}
	for _, part := range chosen {
		if err = r.part(ctx, part); err != nil {
			err = fmt.Errorf("part %s: %w", part, err)
			break
		}
	}
	return errors.Join(err, r.stop(), printFigures(r.figures))
}

// rate finds out what the service takes by itself, which is not the cost of a page:
// most of the time a page is waited for.
func (r *rendering) rate() error {
	const long = 10 * time.Second
	time.Sleep(2 * time.Second) // let the start settle
	before, err1 := r.cpu()
	time.Sleep(long)
	after, err2 := r.cpu()
	r.idle = float64(after-before) / float64(long)
	return errors.Join(err1, err2)
}

func (r *rendering) part(ctx context.Context, name string) error {
	switch name {
	case "cost":
		return r.cost(ctx)
	case "leaks":
		return r.leaks(ctx)
	case "hostile":
		return r.hostile(ctx)
	case "adaptive":
		return r.adaptive(ctx)
	}
	return fmt.Errorf("there is none; there are %s", strings.Join(renderParts, ", "))
}

func (r *rendering) add(name, value, aim string) {
	r.figures = append(r.figures, figure{name, value, aim})
}

// scrape has the service scrape a page, whose markdown must have a text in it.
// Extra fields of the request begin with a comma.
func (r *rendering) scrape(ctx context.Context, address, extra, want string) error {
	var result struct {
		Data struct {
			Markdown string `json:"markdown"`
		} `json:"data"`
	}
	body := fmt.Sprintf(`{"url":%q,"maxAge":0%s}`, address, extra)
	if err := r.ask(ctx, request{"POST", "/v2/scrape", body}, &result); err != nil {
		return fmt.Errorf("scrape %s: %w", address, err)
	}
	if !strings.Contains(result.Data.Markdown, want) {
		return fmt.Errorf("scrape %s: %.300s", address, result.Data.Markdown)
	}
	return nil
}

// patient is a client that waits for pages; their own timeouts bound it.
var patient = &http.Client{Transport: transport()}

// How a page is asked for: as the service sees fit, in the browser, and in the
// browser by somebody who knows that the page will not end.
const (
	fitting  = `,"timeout":60000`
	rendered = `,"timeout":60000,"waitFor":1`
	doubtful = `,"timeout":10000,"waitFor":1`
)

// render gets the page of the site through the service's browser.
func (r *rendering) render(ctx context.Context) error {
	return r.scrape(ctx, r.site.next(), rendered, builtByScript)
}

// browserCPU returns what the service's browser has used, and which one it is:
// what a browser used is lost when it is replaced.
func (r *rendering) browserCPU() (used time.Duration, browser int, err error) {
	pids, err := below(r.cmd.Process.Pid)
	if err != nil || len(pids) == 0 {
		return 0, 0, err
	}
	used, err = spent(pids)
	return used, pids[0], err
}

// used is CPU time of the service, what of it is not for pages, and of its browser.
type used struct{ service, idle, browser time.Duration }

func (u *used) add(other used) {
	u.service, u.idle, u.browser = u.service+other.service, u.idle+other.idle, u.browser+other.browser
}

// pages is what was used for pages by the service.
func (u *used) pages() time.Duration { return u.service - u.idle }

// watch returns what is used while pages are got. It waits for what is done after
// an answer, and begins anew if the browser was replaced meanwhile.
func (r *rendering) watch(ctx context.Context, get func() error) (used, error) {
	for range 3 {
		if err := r.render(ctx); err != nil { // so that there is a browser
			return used{}, err
		}
		r.rest()
		start := time.Now()
		browserBefore, pid, err1 := r.browserCPU()
		serviceBefore, err2 := r.cpu()
		if err := errors.Join(err1, err2, get()); err != nil {
			return used{}, err
		}
		r.rest()
		browserAfter, after, err1 := r.browserCPU()
		serviceAfter, err2 := r.cpu()
		if err := errors.Join(err1, err2); err != nil {
			return used{}, err
		}
		if pid == after {
			idle := time.Duration(r.idle * float64(time.Since(start)))
			return used{serviceAfter - serviceBefore, idle, browserAfter - browserBefore}, nil
		}
	}
	return used{}, errors.New("the browser was replaced again and again")
}

// rest lets pages that were answered be closed.
func (r *rendering) rest() { time.Sleep(time.Second) }

// comparison is what the same pages cost in three ways.
type comparison struct {
	pages          int
	through, plain used          // by the service, in its browser and without it
	alone          time.Duration // by the bare client
}

// cost compares the service with the bare client, turn by turn.
func (r *rendering) cost(ctx context.Context) error {
	b, err := startBare(ctx, false)
	if err != nil {
		return err
	}
	defer b.stop()
	var sum comparison
	each := load{requests: max(r.pages/renderTurns, 1), parallel: pagesAtOnce}
	for turn := range renderTurns + 1 {
		if turn == 1 { // the first was to warm up
			sum = comparison{}
		}
		if err := r.turn(ctx, b, each, &sum); err != nil {
			return err
		}
	}
	parse, err := baselineCost(ctx, r.site.server.URL, load{requests: 1000, parallel: pagesAtOnce})
	show := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", milliseconds(d, sum.pages)) }
	r.add("pages of each", fmt.Sprint(sum.pages), "")
	r.add("bare client, Chromium CPU a page", show(sum.alone), "")
	r.add("service, Chromium CPU a page", show(sum.through.browser), "")
	r.add("service / bare client, Chromium CPU", ratio(sum.through.browser, sum.alone), "≤ 1.15")
	r.add("service, Go CPU a page", show(sum.through.pages()), "≤ 6 ms")
	r.add("the same page without a browser, Go CPU", show(sum.plain.pages()), "")
	r.add("bare GET and one parse of the same page, CPU", fmt.Sprintf("%.1f ms", milliseconds(parse, 1)), "")
	r.add("what the service took idle meanwhile, by page", show(sum.through.idle), "")
	return err
}

// turn gets some pages in each of the ways.
func (r *rendering) turn(ctx context.Context, b *bare, each load, sum *comparison) error {
	through, err := r.watch(ctx, func() error { return each.run(func(int) error { return r.render(ctx) }) })
	if err != nil {
		return err
	}
	plain, err := r.watch(ctx, func() error {
		return each.run(func(int) error { return r.scrape(ctx, r.site.next(), fitting, writtenPlain) })
	})
	if err != nil {
		return err
	}
	alone, err := b.watch(ctx, r.site, each)
	sum.pages += each.requests
	sum.through.add(through)
	sum.plain.add(plain)
	sum.alone += alone
	return err
}

// watch returns what the bare browser uses for pages.
func (b *bare) watch(ctx context.Context, site *renderSite, each load) (time.Duration, error) {
	get := func(int) error {
		html, err := b.load(ctx, site.next())
		if err == nil && !strings.Contains(html, builtByScript) {
			err = errors.New("the bare client did not get the whole page")
		}
		return err
	}
	if err := get(0); err != nil {
		return 0, err
	}
	time.Sleep(time.Second)
	before, err := b.cpu()
	if err != nil {
		return 0, err
	}
	if err := each.run(get); err != nil {
		return 0, err
	}
	time.Sleep(time.Second)
	after, err := b.cpu()
	return after - before, err
}

func milliseconds(sum time.Duration, pages int) float64 {
	return float64(sum.Microseconds()) / 1000 / float64(pages)
}

// leaks looks at what the service and its browser hold before and after many
// pages, and after scrapes that callers gave up.
func (r *rendering) leaks(ctx context.Context) error {
	some := load{requests: 20, parallel: pagesAtOnce}
	render := func(int) error { return r.render(ctx) }
	look := func(name string) error {
		time.Sleep(5 * time.Second)
		browser, err := below(r.cmd.Process.Pid)
		if err != nil {
			return err
		}
		ours, err1 := hold([]int{r.cmd.Process.Pid})
		theirs, err2 := hold(browser)
		r.add("service "+name, ours.String(), "")
		r.add("browser "+name, theirs.String(), "as before")
		return errors.Join(err1, err2)
	}
	if err := errors.Join(some.run(render), look("after 20 pages")); err != nil {
		return err
	}
	some.requests = r.pages / 2
	for half := range 2 { // what grows to a bound has reached it in the first
		if err := errors.Join(some.run(render), look(fmt.Sprintf("after %d more", (half+1)*some.requests))); err != nil {
			return err
		}
	}
	some.requests = cancelled
	random := rand.New(rand.NewPCG(5, 5))
	moments := make([]time.Duration, cancelled+1)
	for i := range moments {
		moments[i] = time.Duration(random.Int64N(int64(latest)))
	}
	err := some.run(func(i int) error {
		ctx, cancel := context.WithTimeout(ctx, moments[i])
		defer cancel()
		if err := r.render(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		return nil
	})
	return errors.Join(err, look(fmt.Sprintf("after %d that were cancelled", cancelled)))
}

// hostile measures how long pages take by themselves, and beside pages that run
// for ever or fill memory.
func (r *rendering) hostile(ctx context.Context) error {
	pages := load{requests: max(r.pages/2/renderTurns, 1), parallel: 2}
	kinds := []string{"", "loop", "hog"}
	times := map[string][]time.Duration{}
	for range renderTurns {
		for _, kind := range kinds {
			took, err := r.beside(ctx, kind, pages)
			if err != nil {
				return err
			}
			times[kind] = append(times[kind], took...)
		}
	}
	r.add("pages beside each", fmt.Sprint(pages.requests*renderTurns), "")
	for _, kind := range kinds {
		slices.Sort(times[kind])
		name := map[string]string{"": "alone", "loop": "beside an endless loop", "hog": "beside a memory hog"}[kind]
		p50, p95 := percentile(times[kind], 50), percentile(times[kind], 95)
		r.add("scrape "+name+", p50 and p95", fmt.Sprintf("%d and %d ms", p50.Milliseconds(), p95.Milliseconds()), "")
	}
	return nil
}

func percentile(sorted []time.Duration, p int) time.Duration { return sorted[(len(sorted)-1)*p/100] }

// beside returns how long pages take while one of a hostile kind is always open.
func (r *rendering) beside(ctx context.Context, kind string, pages load) (took []time.Duration, err error) {
	if err := r.render(ctx); err != nil { // so that there is a browser
		return nil, err
	}
	around, stop := context.WithCancel(ctx)
	var villain sync.WaitGroup
	if kind != "" {
		villain.Go(func() {
			for around.Err() == nil {
				_ = r.scrape(around, r.site.hostile(kind), doubtful, "") // whatever becomes of it
			}
		})
	}
	var mu sync.Mutex
	err = pages.run(func(int) error {
		start := time.Now()
		err := r.render(ctx)
		mu.Lock()
		defer mu.Unlock()
		took = append(took, time.Since(start))
		return err
	})
	stop()
	villain.Wait()
	return took, err
}

// adaptive compares what the service does by itself with rendering every page.
func (r *rendering) adaptive(ctx context.Context) error {
	var chosen, all used
	each := load{requests: max(r.pages/renderTurns/10, 1) * 10, parallel: pagesAtOnce} // the mix is of ten
	for turn := range renderTurns {
		for _, way := range []struct {
			sum   *used
			extra string
		}{{&chosen, fitting}, {&all, rendered}} {
			one, err := r.watch(ctx, func() error {
				return each.run(func(i int) error {
					address, want := r.site.mixed(i)
					return r.scrape(ctx, fmt.Sprintf("%s/%d-%d", address, turn, i), way.extra, want)
				})
			})
			if err != nil {
				return err
			}
			way.sum.add(one)
		}
	}
	pages := each.requests * renderTurns
	cost := func(u used) string {
		return fmt.Sprintf("%.1f + %.1f ms", milliseconds(u.pages(), pages), milliseconds(u.browser, pages))
	}
	r.add("pages of the mix, each way", fmt.Sprint(pages), "")
	r.add("every page rendered, Go + Chromium CPU a page", cost(all), "")
	r.add("as the page needs it, Go + Chromium CPU a page", cost(chosen), "")
	r.add("as the page needs it / every page rendered", ratio(chosen.pages()+chosen.browser, all.pages()+all.browser), "")
	return nil
}
