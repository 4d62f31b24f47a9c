package store_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// link is an address that a crawl is to follow.
func link(path string) store.Link {
	return store.Link{URL: site + path, Identity: site + path, Depth: 1}
}

func links(paths ...string) (list []store.Link) {
	for _, path := range paths {
		list = append(list, link(path))
	}
	return list
}

// left is an address that the rules of a crawl leave out.
func left(path, fate, detail string) store.Link {
	l := link(path)
	l.Fate, l.Detail = fate, detail
	return l
}

// tooDeep is an address that is too far away by the way it was found.
func tooDeep(path string) store.Link {
	l := left(path, trawl.FateFiltered, "maxDiscoveryDepth")
	l.Again, l.Depth = true, 9
	return l
}

// forbidden is a page that its robots.txt keeps from being scraped.
func forbidden(job store.NewJob, number int64) store.FinishedPage {
	item := done(job, number)
	item.Document, item.Robots = nil, true
	return item
}

// redirected is a page that ended at the address of another.
func redirected(job store.NewJob, number int64, path string) store.FinishedPage {
	item := done(job, number)
	item.Identity, item.FinalURL = site+path, site+path
	return item
}

// sightings returns what a job has seen, by address.
func (r *rig) sightings(t testing.TB, job store.NewJob) map[string]trawl.Sighting {
	t.Helper()
	list, next, err := r.Sightings(context.Background(), job.ID, "", "", 1000)
	if err != nil || next != "" {
		t.Fatal(next, err)
	}
	seen := map[string]trawl.Sighting{}
	for _, s := range list {
		if had, ok := seen[s.URL]; ok {
			t.Errorf("%s is listed as %s and as %s", s.URL, had.Fate, s.Fate)
		}
		seen[s.URL] = s
	}
	return seen
}

// wantFates compares the fates of the addresses that a job has seen.
func (r *rig) wantFates(t testing.TB, job store.NewJob, want map[string]string) {
	t.Helper()
	got, counts := map[string]string{}, map[string]int{}
	for address, s := range r.sightings(t, job) {
		got[address[len(site):]] = s.Fate
		counts[s.Fate]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("fates %v, want %v", got, want)
	}
	if fates := must[map[string]int](t)(r.Fates(context.Background(), job.ID)); !maps.Equal(fates, counts) {
		t.Errorf("counted %v, listed %v", fates, counts)
	}
}

func TestFinishPages(t *testing.T) {
	conformCases(t, []jobCase{
		{"stores and charges once", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 3, 100)
			job := r.create(t, batch(crew, 4))
			items := []store.FinishedPage{done(job, 3), failed(job, 2), done(job, 1)}
			items[0].Document.Credits = 5
			r.finish(t, items...)
			r.finish(t, items...)
			r.finish(t, items[2])
			again := done(job, 3) // by another node
			r.finish(t, again)
			r.wantJob(t, job, trawl.StateScraping, 4, 2, 1)
			r.wantRunning(t, job, 4)
			r.finish(t, done(job, 4), done(job, 4))
			r.wantJob(t, job, trawl.StateCompleted, 4, 3, 1)

			if got := balance(t, r.Store, crew.Name); got != 93 {
				t.Errorf("balance %d, want 93", got)
			}
			if got := r.number(t, "SELECT CAST(SUM(credits) AS BIGINT) FROM ledger WHERE team_id = $1 AND kind = $2 AND key_id = 'key'", crew.ID, job.Kind); got != 7 {
				t.Errorf("%d credits in the ledger", got)
			}
			usage := must[[]trawl.UsagePeriod](t)(r.Usage(ctx, crew.ID, false))
			if len(usage) != 1 || usage[0].Credits != 7 {
				t.Errorf("usage %+v", usage)
			}
			if got := r.view(t, job).Credits; got != 7 {
				t.Errorf("the job cost %d", got)
			}
			for seq, page := range []int{1, 3, 4} {
				result := must[store.Result](t)(r.Result(ctx, job.ID, int64(seq+1)))
				if want := fmt.Sprintf(`{"page":%d}`, page); string(result.Tail) != want {
					t.Errorf("result %d is %s, want %s", seq+1, result.Tail, want)
				}
			}
			if got := must[[]byte](t)(r.Document(ctx, crew.ID, items[2].ScrapeID)); string(got) != `{"page":1}` {
				t.Errorf("document %s", got)
			}
			_, err := r.Document(ctx, r.crew(t, 0, -1).ID, items[2].ScrapeID)
			wantCode(t, err, trawl.CodeNotFound)
		}},
		{"notes failures", func(t *testing.T, r *rig) {
			crew := r.crew(t, 3, 0)
			job := r.create(t, batch(crew, 3))
			item := failed(job, 2)
			r.finish(t, failed(job, 3), item, failed(job, 1))
			r.wantJob(t, job, trawl.StateCompleted, 3, 0, 3)
			list, robots, err := r.PageErrors(context.Background(), job.ID)
			if err != nil || len(list) != 3 || len(robots) != 0 {
				t.Fatalf("errors %+v, %v, %v", list, robots, err)
			}
			want := trawl.PageError{ID: item.ScrapeID, URL: site + "batch/2", Code: trawl.CodeTimeout, Text: "too slow", At: r.clock.Now()}
			if list[1] != want {
				t.Errorf("got %+v, want %+v", list[1], want)
			}
		}},
		{"pages of others stay as they are", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 3, 5), r.crew(t, 3, 5)
			job := r.create(t, batch(crew, 3))
			item := done(job, 1)
			item.TeamID = other.ID
			r.finish(t, item)
			stranger := done(batch(crew, 1), 1) // of a job that does not exist
			r.finish(t, stranger)
			r.wantJob(t, job, trawl.StateScraping, 3, 0, 0)
			if balance(t, r.Store, crew.Name) != 5 || balance(t, r.Store, other.Name) != 5 {
				t.Error("somebody paid")
			}
		}},
		{"of several teams and jobs", func(t *testing.T, r *rig) {
			one, two := r.crew(t, 2, 9), r.crew(t, 2, 9)
			a, b, c := r.create(t, batch(one, 1)), r.create(t, batch(one, 2)), r.create(t, batch(two, 2))
			r.finish(t, done(c, 1), done(b, 1), done(a, 1), failed(c, 2))
			r.wantJob(t, a, trawl.StateCompleted, 1, 1, 0)
			r.wantJob(t, b, trawl.StateScraping, 2, 1, 0)
			r.wantJob(t, c, trawl.StateCompleted, 2, 1, 1)
			if balance(t, r.Store, one.Name) != 7 || balance(t, r.Store, two.Name) != 8 {
				t.Error("wrong balances")
			}
		}},
		{"puts pages into the cache", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 2, -1)
			job := r.create(t, batch(crew, 1))
			item := done(job, 1)
			item.Cached = cached(crew.ID, "cached", r.clock.Now()).Page
			item.Cached.Body = []byte("body")
			r.finish(t, item)
			page := must[store.CachedPage](t)(r.Cached(ctx, crew.ID, []string{"cached"}, time.Time{}, r.clock.Now()))
			if got := must[[]byte](t)(r.Blobs().Get(ctx, page.BlobID)); string(got) != "body" {
				t.Errorf("body %q", got)
			}
		}},
	})
}

func TestFinishPagesPayment(t *testing.T) {
	conformCases(t, []jobCase{
		{"ends a job that cannot be paid", func(t *testing.T, r *rig) {
			crew := r.crew(t, 4, 2)
			job, other := r.create(t, batch(crew, 9)), r.create(t, batch(crew, 1))
			r.finish(t, done(job, 1), done(job, 2), done(job, 3))
			r.wantJob(t, job, trawl.StateFailed, 3, 2, 1)
			if got := r.view(t, job).Error; got != trawl.InsufficientCredits().Message {
				t.Errorf("error %q", got)
			}
			list, _, err := r.PageErrors(context.Background(), job.ID)
			if err != nil || len(list) != 1 || list[0].URL != site+"batch/3" || list[0].Code != trawl.CodePayment {
				t.Errorf("errors %+v, %v", list, err)
			}
			r.wantRunning(t, job)
			r.wantRunning(t, other, 1)
			r.finish(t, done(job, 4))
			r.wantJob(t, job, trawl.StateFailed, 3, 2, 1)
			if got := balance(t, r.Store, crew.Name); got != 0 {
				t.Errorf("balance %d", got)
			}
			r.finish(t, failed(other, 1))
			r.wantJob(t, other, trawl.StateCompleted, 1, 0, 1)
		}},
		{"follows no link then", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 4, 0), 9))
			r.finish(t, done(job, 1, links("a", "b")...))
			r.wantJob(t, job, trawl.StateFailed, 1, 0, 1)
			r.wantFates(t, job, map[string]string{"": trawl.FateFailed})
		}},
		{"free pages need no credit", func(t *testing.T, r *rig) {
			job := r.create(t, batch(r.crew(t, 4, 0), 1))
			item := done(job, 1)
			item.Document.Credits = 0
			r.finish(t, item)
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
		}},
		// The database fails after the balance was looked at; the caller tries again.
		{"repeats after a failure", func(t *testing.T, r *rig) {
			crew := r.crew(t, 4, 1)
			job := r.create(t, batch(crew, 3))
			items := []store.FinishedPage{done(job, 1), done(job, 2)}
			r.exec(t, "ALTER TABLE results RENAME TO results_away")
			_, err := r.FinishPages(context.Background(), items)
			r.exec(t, "ALTER TABLE results_away RENAME TO results")
			if err == nil {
				t.Fatal("there was no failure")
			}
			r.wantJob(t, job, trawl.StateScraping, 3, 0, 0)
			r.finish(t, items...)
			r.wantJob(t, job, trawl.StateFailed, 2, 1, 1)
			if got := balance(t, r.Store, crew.Name); got != 0 {
				t.Errorf("balance %d", got)
			}
		}},
	})
}

func TestCrawlLinks(t *testing.T) {
	conformCases(t, []jobCase{
		{"an address is one page", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 99))
			r.finish(t, done(job, 1, links("a", "b", "a", "")...))
			r.wantJob(t, job, trawl.StateScraping, 3, 1, 0)
			pages := r.pages(t, job)
			if len(pages) != 2 || pages[0].URL != site+"a" || pages[0].Depth != 1 || pages[1].URL != site+"b" {
				t.Fatalf("pages %+v", pages)
			}
			r.finish(t, done(job, pages[0].Number, links("b", "c")...), done(job, pages[1].Number, links("a", "c")...))
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateScraped, "b": trawl.FateScraped, "c": trawl.FateRunning})
		}},
		{"another way to write it is a duplicate", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 99))
			same := func(path, other string) store.Link {
				l := link(path)
				l.URL = site + other
				return l
			}
			r.finish(t, done(job, 1, link("a"), same("a", "a/index.html"), same("a", "a?"), same("", "index.html")))
			next := r.pages(t, job)[0].Number
			r.finish(t, done(job, next, same("a", "a/index.html"), same("a", "a#top")))
			r.wantFates(t, job, map[string]string{
				"": trawl.FateScraped, "a": trawl.FateScraped, "index.html": trawl.FateDuplicate,
				"a/index.html": trawl.FateDuplicate, "a?": trawl.FateDuplicate, "a#top": trawl.FateDuplicate,
			})
			if got := r.sightings(t, job)[site+"a?"].Detail; got != site+"a" {
				t.Errorf("a duplicate of %q", got)
			}
			for path, want := range map[string]string{"": "", "a": site, "a?": site, "a#top": site + "a"} {
				if got := r.sightings(t, job)[site+path].From; got != want {
					t.Errorf("%q was found on %q, want %q", path, got, want)
				}
			}
			r.wantJob(t, job, trawl.StateCompleted, 2, 2, 0)
		}},
		{"the limit is exact", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 3))
			r.finish(t, done(job, 1, links("a", "b", "c", "d")...))
			r.wantJob(t, job, trawl.StateScraping, 3, 1, 0)
			pages := r.pages(t, job)
			r.finish(t, done(job, pages[0].Number, links("c", "e")...), failed(job, pages[1].Number))
			r.wantJob(t, job, trawl.StateCompleted, 3, 2, 1)
			r.wantFates(t, job, map[string]string{
				"": trawl.FateScraped, "a": trawl.FateScraped, "b": trawl.FateFailed,
				"c": trawl.FateOverLimit, "d": trawl.FateOverLimit, "e": trawl.FateOverLimit,
			})
		}},
		{"filtered addresses keep their rule", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 9))
			r.finish(t, done(job, 1, left("x", trawl.FateFiltered, "excludePaths: x"), left("y", trawl.FateRobots, "")))
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "x": trawl.FateFiltered, "y": trawl.FateRobots})
			if got := r.sightings(t, job)[site+"x"]; got.Detail != "excludePaths: x" || got.Depth != 1 {
				t.Errorf("got %+v", got)
			}
			if got := r.view(t, job).RobotsBlocked; got != 1 {
				t.Errorf("%d addresses blocked", got)
			}
			_, robots, err := r.PageErrors(context.Background(), job.ID)
			if err != nil || len(robots) != 1 || robots[0] != site+"y" {
				t.Errorf("blocked %v, %v", robots, err)
			}
		}},
		{"a shorter way to an address counts", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 9))
			r.finish(t, done(job, 1, tooDeep("far"), link("a")))
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "far": trawl.FateFiltered, "a": trawl.FateRunning})
			r.finish(t, done(job, r.pages(t, job)[0].Number, link("far")))
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "far": trawl.FateRunning, "a": trawl.FateScraped})
			r.finish(t, done(job, r.pages(t, job)[0].Number, tooDeep(""), tooDeep("a")))
			r.wantJob(t, job, trawl.StateCompleted, 3, 3, 0)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "far": trawl.FateScraped, "a": trawl.FateScraped})
		}},
		{"a shorter way at the same time counts", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 9))
			r.finish(t, done(job, 1, tooDeep("a"), link("a"), link("b"), tooDeep("b")))
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateRunning, "b": trawl.FateRunning})
		}},
	})
}

func TestCrawlMakesRoom(t *testing.T) {
	conformCases(t, []jobCase{
		{"when robots.txt forbids a page", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 9)
			job := r.create(t, crawl(crew, 2))
			r.finish(t, done(job, 1, links("a", "b", "c")...))
			r.wantJob(t, job, trawl.StateScraping, 2, 1, 0)
			item := forbidden(job, r.pages(t, job)[0].Number)
			r.finish(t, item)
			r.finish(t, item)
			r.wantJob(t, job, trawl.StateScraping, 2, 1, 0)
			pages := r.pages(t, job)
			if len(pages) != 1 || pages[0].URL != site+"b" || pages[0].Depth != 1 || pages[0].Options != 1 {
				t.Fatalf("pages %+v", pages)
			}
			r.finish(t, done(job, pages[0].Number, links("a", "c")...))
			r.wantJob(t, job, trawl.StateCompleted, 2, 2, 0)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateRobots, "b": trawl.FateScraped, "c": trawl.FateOverLimit})
			if got := r.view(t, job); got.RobotsBlocked != 1 || got.Credits != 2 || balance(t, r.Store, crew.Name) != 7 {
				t.Errorf("got %+v, balance %d", got, balance(t, r.Store, crew.Name))
			}
		}},
		{"when a page leads to another", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 3))
			r.finish(t, done(job, 1, links("a", "b", "c")...))
			item := redirected(job, r.pages(t, job)[0].Number, "b")
			item.Links = links("never")
			r.finish(t, item)
			r.wantJob(t, job, trawl.StateScraping, 3, 1, 0)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateDuplicate, "b": trawl.FateRunning, "c": trawl.FateRunning})
			if got := r.sightings(t, job)[site+"a"].Detail; got != site+"b" {
				t.Errorf("a duplicate of %q", got)
			}
		}},
		{"when the last page does not count", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 9))
			r.finish(t, forbidden(job, 1))
			r.wantJob(t, job, trawl.StateCompleted, 0, 0, 0)
		}},
		{"where a redirect leads is seen", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 9))
			item := redirected(job, 1, "home")
			item.Base, item.Links = site+"home", links("home", "a")
			r.finish(t, item)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateRunning})
			base, _, err := r.RunningPages(context.Background(), job.ID, []int64{r.pages(t, job)[0].Number})
			if err != nil || base != site+"home" {
				t.Errorf("base %q, %v", base, err)
			}
			r.finish(t, redirected(job, r.pages(t, job)[0].Number, "home"))
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
		}},
		{"two pages that lead to one", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 9))
			r.finish(t, done(job, 1, links("a", "b")...))
			pages := r.pages(t, job)
			r.finish(t, redirected(job, pages[1].Number, "z"), redirected(job, pages[0].Number, "z"))
			r.wantJob(t, job, trawl.StateCompleted, 2, 2, 0)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateScraped, "b": trawl.FateDuplicate})
		}},
		// An address that was too far away first, then beyond the limit.
		{"for what was filtered before", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 3))
			r.finish(t, done(job, 1, tooDeep("far"), link("a"), link("b")))
			pages := r.pages(t, job)
			r.finish(t, done(job, pages[0].Number, link("far")))
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "far": trawl.FateOverLimit, "a": trawl.FateScraped, "b": trawl.FateRunning})
			r.finish(t, forbidden(job, pages[1].Number))
			r.wantJob(t, job, trawl.StateScraping, 3, 2, 0)
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "far": trawl.FateRunning, "a": trawl.FateScraped, "b": trawl.FateRobots})
		}},
		// A page leads to an address that the limit kept out.
		{"for where a page leads", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 2))
			r.finish(t, done(job, 1, links("a", "b")...))
			r.finish(t, redirected(job, r.pages(t, job)[0].Number, "b"))
			r.wantFates(t, job, map[string]string{"": trawl.FateScraped, "a": trawl.FateDuplicate, "b": trawl.FateRunning})
			r.wantJob(t, job, trawl.StateScraping, 2, 1, 0)
		}},
	})
}

func TestAddLinks(t *testing.T) {
	conformCases(t, []jobCase{
		{"keeps a crawl going", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := crawl(r.crew(t, 1, -1), 9)
			job.Discover = true
			r.create(t, job)
			add := func(last bool, paths ...string) {
				t.Helper()
				if err := r.AddLinks(ctx, job.TeamID, job.ID, links(paths...), last, nil); err != nil {
					t.Fatal(err)
				}
			}
			r.finish(t, done(job, 1))
			r.wantJob(t, job, trawl.StateScraping, 1, 1, 0)
			add(false, "a", "b", "")
			r.wantJob(t, job, trawl.StateScraping, 3, 1, 0)
			for range 2 {
				r.finish(t, done(job, r.pages(t, job)[0].Number))
			}
			r.wantJob(t, job, trawl.StateScraping, 3, 3, 0)
			add(true)
			r.wantJob(t, job, trawl.StateCompleted, 3, 3, 0)
			add(false, "late")
			r.wantJob(t, job, trawl.StateCompleted, 3, 3, 0)
			if err := r.AddLinks(ctx, job.TeamID, uuid.NewString(), links("a"), true, nil); err != nil {
				t.Errorf("links of a job that is gone: %v", err)
			}
		}},
		{"the last page ends it after discovery", func(t *testing.T, r *rig) {
			job := crawl(r.crew(t, 1, -1), 9)
			job.Discover, job.Pages = true, nil
			r.create(t, job)
			if err := r.AddLinks(context.Background(), job.TeamID, job.ID, links("a"), true, nil); err != nil {
				t.Fatal(err)
			}
			r.wantJob(t, job, trawl.StateScraping, 1, 0, 0)
			r.finish(t, failed(job, r.pages(t, job)[0].Number))
			r.wantJob(t, job, trawl.StateCompleted, 1, 0, 1)
		}},
		{"may fail", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := crawl(r.crew(t, 1, -1), 9)
			job.Discover, job.Pages = true, nil
			r.create(t, job)
			if err := r.AddLinks(ctx, job.TeamID, job.ID, nil, true, &store.Failure{Code: trawl.CodeSitemap, Text: "no sitemap"}); err != nil {
				t.Fatal(err)
			}
			r.wantJob(t, job, trawl.StateFailed, 0, 0, 0)
			if got := r.view(t, job).Error; got != "no sitemap" {
				t.Errorf("error %q", got)
			}
		}},
		{"a delay can grow", func(t *testing.T, r *rig) {
			job := r.create(t, crawl(r.crew(t, 9, -1), 99))
			start := r.clock.Now()
			item := done(job, 1, links("a", "b", "c", "d")...)
			item.Delay = 3 * time.Second
			r.finish(t, item)
			for i, delay := range []time.Duration{3 * time.Second, 6 * time.Second, 9 * time.Second} {
				pages := r.pages(t, job)
				if len(pages) != 1 || !pages[0].StartAt.Equal(start.Add(delay)) {
					t.Fatalf("pages %+v, want one at %v", pages, start.Add(delay))
				}
				item := done(job, pages[0].Number)
				if i == 1 {
					item.Delay = 5 * time.Second
				}
				r.finish(t, item)
			}
			if pages := r.pages(t, job); len(pages) != 1 || !pages[0].StartAt.Equal(start.Add(14*time.Second)) {
				t.Errorf("pages %+v, want one at %v", pages, start.Add(14*time.Second))
			}
		}},
	})
}

// Many finish pages of jobs of two teams at the same time, some of them twice.
// Nothing blocks, no team runs more than it may, and all counts are exact.
func TestFinishPagesAtOnce(t *testing.T) {
	conformCases(t, []jobCase{{"exact", func(t *testing.T, r *rig) {
		const limit = 40
		crews := []trawl.Team{r.crew(t, 5, 10_000), r.crew(t, 3, 10_000)}
		jobs := []store.NewJob{crawl(crews[0], limit), crawl(crews[0], limit), crawl(crews[1], limit)}
		for _, job := range jobs {
			r.create(t, job)
		}
		var group sync.WaitGroup
		for worker := range 8 {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			group.Go(func() { r.work(t, random, crews, jobs) })
		}
		group.Wait()
		spent := map[string]int64{}
		for _, job := range jobs {
			got := r.view(t, job)
			if got.State != trawl.StateCompleted || got.Total != limit || got.Completed+got.Failed != limit || int(got.Credits) != got.Completed {
				t.Errorf("job %+v", got)
			}
			if n := r.number(t, "SELECT COUNT(*) FROM results WHERE job_id = $1 AND seq BETWEEN 1 AND $2", job.ID, got.Completed); n != int64(got.Completed) {
				t.Errorf("%d results of %d", n, got.Completed)
			}
			fates := must[map[string]int](t)(r.Fates(context.Background(), job.ID))
			if fates[trawl.FateScraped] != got.Completed || fates[trawl.FateFailed] != got.Failed || fates[trawl.FateRobots] != got.RobotsBlocked ||
				fates[trawl.FateRunning]+fates[trawl.FateQueued] != 0 {
				t.Errorf("fates %v of %+v", fates, got)
			}
			spent[job.TeamID] += got.Credits
		}
		for _, crew := range crews {
			if got := balance(t, r.Store, crew.Name); got != 10_000-spent[crew.ID] {
				t.Errorf("balance %d after %d credits", got, spent[crew.ID])
			}
			if got := r.number(t, "SELECT CAST(SUM(credits) AS BIGINT) FROM ledger WHERE team_id = $1", crew.ID); got != spent[crew.ID] {
				t.Errorf("ledger %d after %d credits", got, spent[crew.ID])
			}
		}
	}}})
}

// work finishes running pages at random until all jobs are over.
func (r *rig) work(t *testing.T, random *rand.Rand, crews []trawl.Team, jobs []store.NewJob) {
	for {
		var items []store.FinishedPage
		over := 0
		for _, i := range random.Perm(len(jobs)) {
			if job := r.view(t, jobs[i]); job.Done() {
				over++
				continue
			}
			for _, page := range r.pages(t, jobs[i]) {
				if random.IntN(2) == 0 {
					items = append(items, outcome(random, jobs[i], page.Number))
				}
			}
		}
		if over == len(jobs) {
			return
		}
		if _, err := r.FinishPages(context.Background(), items); err != nil {
			t.Error(err)
			return
		}
		for _, crew := range crews {
			running, _, err := r.JobUsage(context.Background(), crew.ID)
			if err != nil || running > crew.Concurrency {
				t.Errorf("%d pages are running, %v", running, err)
			}
		}
	}
}

// outcome is what a page may come to: mostly a document with some links.
func outcome(random *rand.Rand, job store.NewJob, number int64) store.FinishedPage {
	switch dice := random.IntN(8); {
	case number == 1: // or there would be no links
	case dice == 0:
		return failed(job, number)
	case dice == 1:
		return forbidden(job, number)
	}
	item := done(job, number)
	for range 12 {
		item.Links = append(item.Links, link(fmt.Sprint(random.IntN(500))))
	}
	return item
}
