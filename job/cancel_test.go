package job_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/store/storetest"
)

func TestCancel(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	pages := numbered("/p", 30)
	s.site.page("/", append(pages, "/done")...)
	s.site.page("/done")
	s.site.gated(g, pages...)
	team := s.as(trawl.Team{Concurrency: 5})
	id := team.ordered(team.Crawl(t.Context(), team.order, team.crawlRequest("/"))).ID
	for range 5 {
		receive(t, g.entered)
	}
	if list, err := team.Active(t.Context(), team.order.Caller.Team.ID); err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("active: %+v, %v", list, err)
	}
	wantCode(t, team.Cancel(t.Context(), s.order.Caller.Team.ID, trawl.KindCrawl, id), trawl.CodeNotFound)
	wantCode(t, team.Cancel(t.Context(), team.order.Caller.Team.ID, trawl.KindBatch, id), trawl.CodeNotFound)
	if err := team.Cancel(t.Context(), team.order.Caller.Team.ID, trawl.KindCrawl, id); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		receive(t, g.left)
	}
	g.open()
	before := team.get(trawl.KindCrawl, id)
	team.expect(before, trawl.StateCancelled, "/")
	team.expect(team.batch(team.batchRequest("/done", "/p1")), trawl.StateCompleted, "/done", "/p1") // its slots are free
	after := team.get(trawl.KindCrawl, id)
	team.expect(after, trawl.StateCancelled, "/")
	if fates := team.fates(after); fates["/p1"] != trawl.FateCancelled || fates["/p30"] != trawl.FateCancelled || after.Credits != 1 || after.Total != 1 {
		t.Errorf("%+v, %v", after, fates)
	}
	if err := team.Cancel(t.Context(), team.order.Caller.Team.ID, trawl.KindCrawl, id); err != nil {
		t.Errorf("a second time: %v", err)
	}
	over := team.crawl("/done")
	wantCode(t, team.Cancel(t.Context(), team.order.Caller.Team.ID, trawl.KindCrawl, over.ID), trawl.CodeConflict)
	if list, err := team.Active(t.Context(), team.order.Caller.Team.ID); err != nil || len(list) != 0 {
		t.Errorf("active: %+v, %v", list, err)
	}
}

// TestRestart stops an engine in mid-crawl. Another one on the same database
// goes on as if nothing had happened.
func TestRestart(t *testing.T) {
	t.Parallel()
	db := openStore(t, storetest.Folder(t))
	first, g := startOn(t, db).as(trawl.Team{Concurrency: 10}), newGate()
	pages := numbered("/p", 30)
	first.site.page("/", pages...)
	first.site.gated(g, pages...)
	crawl := first.ordered(first.Crawl(t.Context(), first.order, first.crawlRequest("/"))).ID
	batch := first.ordered(first.Batch(t.Context(), first.order, first.batchRequest(pages[:10]...))).ID
	for range 15 { // some get through
		receive(t, g.entered)
		g.opened <- struct{}{}
	}
	receive(t, g.entered)
	if err := first.Stop(testtime.Context(t)); err != nil {
		t.Fatal(err)
	}
	receive(t, g.left)
	g.open()
	if j := first.get(trawl.KindCrawl, crawl); j.Done() || j.Total != 31 {
		t.Errorf("%+v", j)
	}

	second := startWith(t, db, first.site)
	second.order = first.order
	second.expect(second.finished(trawl.KindCrawl, crawl), trawl.StateCompleted, append([]string{"/"}, pages...)...)
	second.expect(second.finished(trawl.KindBatch, batch), trawl.StateCompleted, slices.Clone(pages[:10])...)
	if _, used := second.balance(); used != 41 {
		t.Errorf("%d credits for 41 pages", used)
	}
}

// TestOrdersWait takes orders that another node works on.
func TestOrdersWait(t *testing.T) {
	t.Parallel()
	db := openStore(t, storetest.Folder(t))
	idle := startOn(t, db, func(c *job.Config) { c.Idle = true })
	idle.site.page("/")
	id := idle.ordered(idle.Crawl(t.Context(), idle.order, idle.crawlRequest("/"))).ID
	if j := idle.get(trawl.KindCrawl, id); j.State != trawl.StateScraping || j.Total != 1 {
		t.Errorf("%+v", j)
	}
	busy := startWith(t, db, idle.site)
	busy.order = idle.order
	busy.expect(busy.finished(trawl.KindCrawl, id), trawl.StateCompleted, "/")
}

func TestWait(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	s.site.page("/", "/a", "/b")
	s.site.gated(g, "/a", "/b")
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/"))).ID
	receive(t, g.entered)
	receive(t, g.entered)
	last := s.get(trawl.KindCrawl, id)

	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if j, err := s.Wait(short, last); err != nil || j.Completed != 1 || j.Done() {
		t.Errorf("%+v, %v", j, err)
	}
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	if _, err := s.Wait(gone, last); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}

	woken := make(chan trawl.Job, 10)
	for range cap(woken) {
		go func() {
			j, err := s.Wait(t.Context(), last)
			if err != nil {
				t.Error(err)
			}
			woken <- j
		}()
	}
	g.opened <- struct{}{}
	for range cap(woken) {
		if j := receive(t, woken); j.Completed < 2 {
			t.Errorf("%+v", j)
		}
	}
	g.open()
	done := s.finished(trawl.KindCrawl, id)
	if j, err := s.Wait(t.Context(), done); err != nil || !j.Done() { // what is over changes no more
		t.Errorf("%+v, %v", j, err)
	}
	_, err := s.Wait(t.Context(), trawl.Job{ID: id, Kind: trawl.KindBatch, TeamID: last.TeamID})
	wantCode(t, err, trawl.CodeNotFound)
}
