package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// version is a page of the site as it is now.
func (r *rig) version(t testing.TB, team trawl.Team, path, text string) *store.Version {
	t.Helper()
	v := &store.Version{TeamID: team.ID, URL: site + path, ScrapedAt: r.clock.Now(), Size: len(text), Text: must[store.Packed](t)(r.Pack([]byte(text)))}
	copy(v.Digest[:], text)
	return v
}

// track keeps versions as single scrapes do.
func (r *rig) track(t testing.TB, versions ...*store.Version) {
	t.Helper()
	var items []store.Finished
	for _, v := range versions {
		item := scrape(v.TeamID, 1, r.clock.Now())
		item.Version = v
		items = append(items, item)
	}
	finish(t, r.Store, items...)
}

// wantVersion compares what is known of a page; an empty text means nothing.
func (r *rig) wantVersion(t testing.TB, team trawl.Team, path, tag, text string) (v store.Version) {
	t.Helper()
	v, err := r.LastVersion(context.Background(), team.ID, site+path, tag)
	if text == "" {
		wantCode(t, err, trawl.CodeNotFound)
		return v
	}
	if err != nil || v.Markdown != text || v.Size != len(text) || !strings.HasPrefix(text, strings.TrimRight(string(v.Digest[:]), "\x00")) ||
		v.TeamID != team.ID || v.URL != site+path || v.Tag != tag {
		t.Errorf("%s under %q is %.60q of %d bytes, %v; want %.60q", path, tag, v.Markdown, v.Size, err, text)
	}
	return v
}

// known returns the paths that are known of the site of an address.
func (r *rig) known(t testing.TB, team trawl.Team, tag, address string) (paths []string) {
	t.Helper()
	err := r.KnownPages(context.Background(), team.ID, tag, address, func(pages []string) (bool, error) {
		for _, page := range pages {
			paths = append(paths, strings.TrimPrefix(page, site))
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestVersions(t *testing.T) {
	conformCases(t, []jobCase{
		{"each team, page and tag has its own", func(t *testing.T, r *rig) {
			one, two := r.crew(t, 1, 100), r.crew(t, 1, 100)
			tagged := r.version(t, one, "a", "tagged")
			tagged.Tag, tagged.Hidden = strings.Repeat("tag", 3000), true
			r.track(t, r.version(t, one, "a", "one"), r.version(t, one, "b", "other page"), r.version(t, two, "a", "two"), tagged)
			v := r.wantVersion(t, one, "a", "", "one")
			if !v.ScrapedAt.Equal(r.clock.Now()) || v.Gone || v.Hidden {
				t.Errorf("%+v", v)
			}
			if v := r.wantVersion(t, one, "a", tagged.Tag, "tagged"); !v.Hidden {
				t.Error("it is not hidden any more")
			}
			r.wantVersion(t, one, "b", "", "other page")
			r.wantVersion(t, two, "a", "", "two")
			r.wantVersion(t, two, "b", "", "")
			r.wantVersion(t, two, "a", "tag", "")
		}},
		{"the newest counts", func(t *testing.T, r *rig) {
			crew := r.crew(t, 1, 100)
			old := r.version(t, crew, "a", "old")
			r.clock.Advance(time.Minute)
			first, second := r.version(t, crew, "a", "new"), r.version(t, crew, "a", "as new")
			second.ScrapedAt = second.ScrapedAt.Add(time.Second)
			r.track(t, second, first)
			r.wantVersion(t, crew, "a", "", "as new")
			r.track(t, old)
			r.wantVersion(t, crew, "a", "", "as new")
		}},
		{"a page that is gone has no text", func(t *testing.T, r *rig) {
			crew := r.crew(t, 1, 100)
			r.track(t, r.version(t, crew, "a", "text"))
			r.clock.Advance(time.Second)
			r.track(t, &store.Version{TeamID: crew.ID, URL: site + "a", ScrapedAt: r.clock.Now(), Gone: true})
			if v, err := r.LastVersion(context.Background(), crew.ID, site+"a", ""); err != nil || !v.Gone || v.Markdown != "" {
				t.Errorf("%+v, %v", v, err)
			}
			if known := r.known(t, crew, "", site); known != nil {
				t.Errorf("still known: %q", known)
			}
		}},
		{"what is not paid for is not tracked", func(t *testing.T, r *rig) {
			crew := r.crew(t, 1, 0)
			item := scrape(crew.ID, 1, r.clock.Now())
			item.Version = r.version(t, crew, "a", "text")
			errs := must[[]error](t)(r.Finish(context.Background(), []store.Finished{item}))
			wantCode(t, errs[0], trawl.CodePayment)
			r.wantVersion(t, crew, "a", "", "")
			item.Version.TeamID = r.crew(t, 1, 100).ID
			if errs := must[[]error](t)(r.Finish(context.Background(), []store.Finished{item})); errs[0] == nil {
				t.Error("a version of another team was taken")
			}
		}},
		{"it expires", func(t *testing.T, r *rig) {
			crew := r.crew(t, 1, 100)
			r.track(t, r.version(t, crew, "a", "text"))
			r.clock.Advance(90*24*time.Hour - time.Millisecond)
			r.wantVersion(t, crew, "a", "", "text")
			r.clock.Advance(time.Millisecond)
			r.wantVersion(t, crew, "a", "", "")
			if known := r.known(t, crew, "", site); known != nil {
				t.Errorf("still known: %q", known)
			}
		}},
	})
}

func TestKnownPages(t *testing.T) {
	conformCases(t, []jobCase{
		{"of one site", func(t *testing.T, r *rig) {
			crew := r.crew(t, 1, 100)
			var versions []*store.Version
			for i, address := range []string{
				"http://www.site.test/first", "https://site.test/second?x=1", "https://deep.blog.site.test/third", "https://site.test:8443/port",
				"https://other.test/", "http://127.0.0.1:8080/address", "http://127.0.0.1:8081/address",
			} {
				v := r.version(t, crew, "", "text")
				v.URL, v.ScrapedAt = address, v.ScrapedAt.Add(time.Duration(i-10)*time.Second)
				versions = append(versions, v)
			}
			slices.Reverse(versions)
			r.track(t, versions...)
			for address, want := range map[string][]string{
				"https://site.test/":         {"http://www.site.test/first", "second?x=1", "https://deep.blog.site.test/third"},
				"https://www.site.test:8443": {"https://site.test:8443/port"},
				"http://127.0.0.1:8081/x":    {"http://127.0.0.1:8081/address"},
				"https://none.test/":         nil,
			} {
				if got := r.known(t, crew, "", address); !slices.Equal(got, want) {
					t.Errorf("of %s: %q, want %q", address, got, want)
				}
			}
			if got := r.known(t, crew, "tag", site); got != nil {
				t.Errorf("under another tag: %q", got)
			}
		}},
		{"in portions", func(t *testing.T, r *rig) {
			crew := r.crew(t, 1, 10_000)
			const count = 1200
			var versions []*store.Version
			for i := range count {
				versions = append(versions, r.version(t, crew, fmt.Sprint(i), "text")) // all at the same time
			}
			r.track(t, versions...)
			pages := r.known(t, crew, "", site)
			slices.Sort(pages)
			if len(slices.Compact(pages)) != count {
				t.Errorf("%d pages, want %d", len(pages), count)
			}
			calls := 0
			err := r.KnownPages(context.Background(), crew.ID, "", site, func([]string) (bool, error) {
				calls++
				return false, nil
			})
			if err != nil || calls != 1 {
				t.Errorf("%d portions of which one was enough, %v", calls, err)
			}
			err = r.KnownPages(context.Background(), crew.ID, "", site, func([]string) (bool, error) { return true, errBroken })
			if !errors.Is(err, errBroken) {
				t.Errorf("the error is %v", err)
			}
		}},
	})
}

// TestVersionBlobs has versions too large for a row. No blob of one that was
// replaced or forgotten is left, and none is lost.
func TestVersionBlobs(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx, r := context.Background(), newRig(t, s)
		crew := r.crew(t, 1, 100)
		long, longer := longText(1<<20), longText(1<<20+1)
		item := scrape(crew.ID, 1, r.clock.Now())
		item.Version = r.version(t, crew, "a", long)
		broken := r.config
		broken.Blobs = failingBlobs{r.Blobs()}
		if _, err := mustOpen(t, broken).Finish(ctx, []store.Finished{item}); !errors.Is(err, errBroken) {
			t.Errorf("finish: %v", err)
		}
		for range 2 { // the answer to the first call may be lost
			finish(t, r.Store, item)
		}
		r.wantVersion(t, crew, "a", "", long)
		r.clock.Advance(time.Hour)
		r.track(t, r.version(t, crew, "a", longer), r.version(t, crew, "b", long))
		if stats := must[store.SweepStats](t)(r.Sweep(ctx, r.clock.Advance(3*time.Hour), 0)); stats.Versions != 0 || stats.Orphans != 1 {
			t.Errorf("swept %+v, want the blob that was replaced", stats)
		}
		r.wantVersion(t, crew, "a", "", longer)
		r.wantVersion(t, crew, "b", "", long)
		if stats := must[store.SweepStats](t)(r.Sweep(ctx, r.clock.Advance(90*24*time.Hour), 0)); stats.Versions != 2 || stats.Orphans != 2 {
			t.Errorf("swept %+v", stats)
		}
		if left := blobIDs(t, s); len(left) != 0 {
			t.Errorf("blobs %q are left", left)
		}
	})
}

// TestSweepHistory has a team with more pages than it may have, and one without.
func TestSweepHistory(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		const most, extra = 20, 700 // more than a portion
		c := newClock()
		config.Now, config.HistoryPages, config.HistoryAge = c.Now, most, time.Hour
		r := newRig(t, &env{mustOpen(t, config), config, c})
		crew, other := r.crew(t, 1, 10_000), r.crew(t, 1, 10_000)
		var versions []*store.Version
		for i := range most + extra {
			v := r.version(t, crew, fmt.Sprint(i), "text")
			v.ScrapedAt = v.ScrapedAt.Add(time.Duration(i-most-extra) * time.Millisecond)
			versions = append(versions, v)
		}
		for i := range most {
			versions = append(versions, r.version(t, other, fmt.Sprint(i), "text"))
		}
		r.track(t, versions...)
		if stats := must[store.SweepStats](t)(r.Sweep(t.Context(), c.Now(), 0)); stats.Versions != extra {
			t.Errorf("swept %d versions, want %d", stats.Versions, extra)
		}
		if pages := r.known(t, crew, "", site); len(pages) != most || pages[0] != fmt.Sprint(extra) {
			t.Errorf("left are %q", pages)
		}
		if stats := must[store.SweepStats](t)(r.Sweep(t.Context(), c.Advance(time.Hour), 0)); stats.Versions != 2*most {
			t.Errorf("of versions that expired %d were swept", stats.Versions)
		}
	})
}

// tracking is a crawl that tracks changes.
func tracking(team trawl.Team, limit int) store.NewJob {
	job := crawl(team, limit)
	job.Tracks = true
	return job
}

// recall adds pages that are known from before, and compares for how many more there
// is room.
func (r *rig) recall(t testing.TB, job store.NewJob, last bool, room int, paths ...string) {
	t.Helper()
	if got := must[int](t)(r.Recall(context.Background(), job.TeamID, job.ID, links(paths...), last)); got != room {
		t.Errorf("there is room for %d pages, want %d", got, room)
	}
}

// wantRecalls compares how many tasks look for pages that are known from before.
func (r *rig) wantRecalls(t testing.TB, job store.NewJob, want int) {
	t.Helper()
	got := 0
	for _, task := range r.tasks(t, job) {
		if task.kind == (store.ConcludeTask{}).Kind() && task.queue == store.QueueDefault {
			got++
		}
	}
	if got != want {
		t.Errorf("%d tasks recall pages, want %d", got, want)
	}
}

// wantHidden compares which of the running pages are hidden.
func (r *rig) wantHidden(t testing.TB, job store.NewJob, want ...string) {
	t.Helper()
	var got []string
	for _, page := range r.pages(t, job) {
		if page.Hidden {
			got = append(got, strings.TrimPrefix(page.URL, site))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages %q are hidden, want %q", got, want)
	}
}

func TestRecall(t *testing.T) {
	conformCases(t, []jobCase{
		{"once, when all else is done", func(t *testing.T, r *rig) {
			job := r.create(t, tracking(r.crew(t, 9, 100), 10))
			r.recall(t, job, true, 0, "early")
			r.finish(t, done(job, 1, links("a", "b")...))
			r.wantRecalls(t, job, 0)
			r.finish(t, done(job, 2), failed(job, 3))
			r.wantRecalls(t, job, 1)
			r.wantJob(t, job, trawl.StateScraping, 3, 2, 1)
			r.recall(t, job, false, 6, "a", "c")
			r.wantHidden(t, job, "c")
			r.found(t, job, "sitemap") // read again, and too late
			for _, page := range r.pages(t, job) {
				r.finish(t, done(job, page.Number))
			}
			r.wantJob(t, job, trawl.StateScraping, 4, 3, 1)
			r.recall(t, job, true, 5, "c", "d")
			r.recall(t, job, true, 0, "late")
			r.wantHidden(t, job, "d")
			r.finish(t, done(job, r.pages(t, job)[0].Number))
			r.wantJob(t, job, trawl.StateCompleted, 5, 4, 1)
			r.recall(t, job, true, 0, "later")
			r.wantRecalls(t, job, 1)
			r.wantJob(t, job, trawl.StateCompleted, 5, 4, 1)
		}},
		{"with nothing to recall the job ends", func(t *testing.T, r *rig) {
			job := r.create(t, tracking(r.crew(t, 9, 100), 10))
			r.finish(t, done(job, 1))
			r.wantJob(t, job, trawl.StateScraping, 1, 1, 0)
			r.recall(t, job, true, 9)
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
		}},
		{"not for others", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 100)
			plain := r.create(t, crawl(crew, 10))
			r.finish(t, done(plain, 1))
			full := r.create(t, tracking(crew, 1))
			r.finish(t, done(full, 1, links("a")...))
			down := r.create(t, tracking(crew, 10))
			r.finish(t, failed(down, 1))
			cancelled := r.create(t, tracking(crew, 10))
			r.finish(t, done(cancelled, 1, links("a")...))
			if err := r.CancelJob(context.Background(), crew.ID, trawl.KindCrawl, cancelled.ID); err != nil {
				t.Fatal(err)
			}
			for _, job := range []store.NewJob{plain, full, down, cancelled} {
				r.wantRecalls(t, job, 0)
				if view := r.view(t, job); !view.Done() {
					t.Error("a job goes on")
				}
			}
		}},
		{"cancelled meanwhile", func(t *testing.T, r *rig) {
			job := r.create(t, tracking(r.crew(t, 9, 100), 10))
			r.finish(t, done(job, 1))
			if err := r.CancelJob(context.Background(), job.TeamID, trawl.KindCrawl, job.ID); err != nil {
				t.Fatal(err)
			}
			r.recall(t, job, true, 0, "a")
			r.wantJob(t, job, trawl.StateCancelled, 1, 1, 0)
		}},
		{"what the crawl has seen is not hidden", func(t *testing.T, r *rig) {
			job := r.create(t, tracking(r.crew(t, 9, 100), 10))
			r.finish(t, done(job, 1, tooDeep("deep"), left("no", trawl.FateFiltered, "excludePaths"), link("moved")))
			r.finish(t, redirected(job, 2, ""))
			r.recall(t, job, true, 8, "deep", "no", "moved", "forgotten")
			r.wantHidden(t, job, "forgotten")
		}},
		{"up to the limit", func(t *testing.T, r *rig) {
			job := r.create(t, tracking(r.crew(t, 9, 100), 3))
			r.finish(t, done(job, 1))
			r.recall(t, job, true, 0, "a", "b", "c")
			r.wantHidden(t, job, "a", "b")
			r.finish(t, redirected(job, 2, "")) // which makes room
			r.wantHidden(t, job, "b", "c")
			r.finish(t, done(job, 3), done(job, 4))
			r.wantJob(t, job, trawl.StateCompleted, 3, 3, 0)
		}},
		{"with a document, and paid for", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 2)
			job := r.create(t, tracking(crew, 10))
			page := func(n int64, path string) store.FinishedPage {
				item := done(job, n)
				item.Version = r.version(t, crew, path, "text of "+path)
				return item
			}
			first := page(1, "")
			first.Links = links("a", "b", "c")
			r.finish(t, first)
			lost := page(2, "a")
			lost.Document, lost.Failure = nil, &store.Failure{Code: trawl.CodeTimeout, Text: "too slow"}
			r.finish(t, lost)
			for range 2 {
				r.finish(t, page(3, "b"))
			}
			r.finish(t, page(4, "c"))
			r.wantVersion(t, crew, "", "", "text of ")
			r.wantVersion(t, crew, "a", "", "")
			r.wantVersion(t, crew, "b", "", "text of b")
			r.wantVersion(t, crew, "c", "", "")
			r.wantJob(t, job, trawl.StateFailed, 4, 2, 2)
			r.wantRecalls(t, job, 0)
		}},
	})
}

// TestPageBlobAfterFailure stores a large page after the blobs were out of order.
func TestPageBlobAfterFailure(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx, r := context.Background(), newRig(t, s)
		job := r.create(t, batch(r.crew(t, 9, 100), 1))
		item, text := done(job, 1), longText(1<<20)
		item.Document.Head = must[store.Packed](t)(r.Pack([]byte(text)))
		broken := r.config
		broken.Blobs = failingBlobs{r.Blobs()}
		if _, err := mustOpen(t, broken).FinishPages(ctx, []store.FinishedPage{item}); !errors.Is(err, errBroken) {
			t.Errorf("finish: %v", err)
		}
		r.finish(t, item)
		results := must[[]store.Result](t)(r.Results(ctx, job.ID, 0, 10, 10<<20))
		if len(results) != 1 {
			t.Fatalf("%d results", len(results))
		}
		if body := must[[]byte](t)(r.JSON(results[0])); string(body) != text+`{"page":1}` {
			t.Errorf("the document has %d bytes", len(body))
		}
	})
}
