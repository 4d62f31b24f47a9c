package job_test

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

func TestDelay(t *testing.T) {
	t.Parallel()
	s := start(t)
	asked := s.site.timed(append([]string{"/"}, numbered("/p", 5)...)...)
	j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Delay, r.MaxConcurrency = 0.05, 10 })
	s.expect(j, trawl.StateCompleted, append([]string{"/"}, numbered("/p", 5)...)...)
	gaps := asked.gaps()
	for i, gap := range gaps {
		if gap < 30*time.Millisecond {
			t.Errorf("page %d came %v after the one before: %v", i+2, gap, gaps)
		}
	}
}

// TestOneAtATimeWithDelay holds a page back for longer than the delay.
func TestOneAtATimeWithDelay(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	s.site.page("/", numbered("/p", 3)...)
	s.site.gated(g, numbered("/p", 3)...)
	receipt := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.Delay = 0.01 })))
	for range 3 {
		receive(t, g.entered)
		if running, queued := s.usage(); running != 1 || len(g.entered) != 0 {
			t.Errorf("%d pages run, %d wait", running, queued)
		}
		g.opened <- struct{}{}
	}
	s.expect(s.finished(trawl.KindCrawl, receipt.ID), trawl.StateCompleted, "/", "/p1", "/p2", "/p3")
}

func (s *service) usage() (running, queued int) {
	s.t.Helper()
	running, queued, err := s.Usage(s.t.Context(), s.order.Caller.Team.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return running, queued
}

func TestMaxConcurrency(t *testing.T) {
	t.Parallel()
	service := start(t)
	pages := numbered("/p", 8)
	for _, kind := range []string{trawl.KindCrawl, trawl.KindBatch} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s, g := service.apart(t), newGate()
			s.site.page("/", pages...)
			s.site.gated(g, pages...)
			var id string
			if kind == trawl.KindCrawl {
				id = s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.MaxConcurrency = 3 }))).ID
			} else {
				req := s.batchRequest(pages...)
				req.MaxConcurrency = 3
				id = s.ordered(s.Batch(t.Context(), s.order, req)).ID
			}
			for range 3 {
				receive(t, g.entered)
			}
			for range 5 { // one leaves, one comes
				if running, _ := s.usage(); running != 3 || len(g.entered) != 0 {
					t.Fatalf("%d pages run, %d more at the site", running, len(g.entered))
				}
				g.opened <- struct{}{}
				receive(t, g.entered)
			}
			g.open()
			if j := s.finished(kind, id); j.State != trawl.StateCompleted || j.Completed < 8 {
				t.Errorf("%+v", j)
			}
		})
	}
}

// TestTeamConcurrency runs two jobs of a team that may have four pages at a time,
// and one of another team.
func TestTeamConcurrency(t *testing.T) {
	t.Parallel()
	s, g, other := start(t), newGate(), newGate()
	s.site.gated(g, append(numbered("/a", 6), numbered("/b", 6)...)...)
	s.site.gated(other, numbered("/c", 4)...)
	one := s.as(trawl.Team{Concurrency: 4})
	first := one.ordered(one.Batch(t.Context(), one.order, one.batchRequest(numbered("/a", 6)...)))
	for range 4 {
		receive(t, g.entered)
	}
	second := one.ordered(one.Batch(t.Context(), one.order, one.batchRequest(numbered("/b", 6)...)))
	two := s.as(trawl.Team{Concurrency: 2})
	third := two.ordered(two.Batch(t.Context(), two.order, two.batchRequest(numbered("/c", 4)...)))
	for range 2 {
		receive(t, other.entered)
	}
	for range 8 {
		if running, queued := one.usage(); running != 4 || len(g.entered) != 0 {
			t.Fatalf("%d pages run, %d wait, %d more at the site", running, queued, len(g.entered))
		}
		g.opened <- struct{}{}
		receive(t, g.entered)
	}
	g.open()
	other.open()
	for _, c := range []struct {
		s    *service
		id   string
		want []string
	}{{one, first.ID, numbered("/a", 6)}, {one, second.ID, numbered("/b", 6)}, {two, third.ID, numbered("/c", 4)}} {
		c.s.expect(c.s.finished(trawl.KindBatch, c.id), trawl.StateCompleted, c.want...)
	}
}

// TestFairness has a crawl that takes all that a team may run. What becomes free
// goes to the job that has least, and other teams do not notice.
func TestFairness(t *testing.T) {
	t.Parallel()
	s, stuck := start(t), newGate()
	pages := numbered("/slow", 20)
	s.site.page("/", pages...)
	s.site.gated(stuck, pages...)
	s.site.page("/quick")
	big := s.as(trawl.Team{Concurrency: 4})
	crawl := big.ordered(big.Crawl(t.Context(), big.order, big.crawlRequest("/")))
	for range 4 {
		receive(t, stuck.entered)
	}
	other := s.as(trawl.Team{})
	other.expect(other.batch(other.batchRequest("/quick", "/quick")), trawl.StateCompleted, "/quick", "/quick")

	small := big.ordered(big.Batch(t.Context(), big.order, big.batchRequest("/quick", "/quick", "/quick")))
	if j := big.get(trawl.KindBatch, small.ID); j.Completed != 0 {
		t.Errorf("more than the team may: %+v", j)
	}
	stuck.opened <- struct{}{}
	big.expect(big.finished(trawl.KindBatch, small.ID), trawl.StateCompleted, "/quick", "/quick", "/quick")
	if j := big.get(trawl.KindCrawl, crawl.ID); j.Done() || j.Completed != 2 {
		t.Errorf("%+v", j)
	}
	stuck.open()
	if j := big.finished(trawl.KindCrawl, crawl.ID); j.Completed != 21 {
		t.Errorf("%+v", j)
	}
}

// TestFairDiscovery has a team whose sites keep everybody waiting for their
// sitemaps. The crawl of another team does not wait with them.
func TestFairDiscovery(t *testing.T) {
	t.Parallel()
	s, stuck := start(t), newGate()
	for _, host := range numbered("h", 12) {
		host += ".site.test"
		s.site.page(host + "/")
		s.site.gated(stuck, host+"/sitemap.xml")
		s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("", func(r *trawl.CrawlRequest) { r.URL = s.site.at(host + "/") })))
	}
	for range 8 {
		receive(t, stuck.entered)
	}
	other := s.as(trawl.Team{})
	s.site.page("/")
	id := other.ordered(other.Crawl(t.Context(), other.order, other.crawlRequest("/"))).ID
	eventually(t, func() bool { j := other.get(trawl.KindCrawl, id); return j.Done() })
}

// TestFairWorkers has a team whose slow pages came one by one, so that each is a
// task of its own. The node has room for the page of another team.
func TestFairWorkers(t *testing.T) {
	t.Parallel()
	s, stuck := start(t, func(c *job.Config) { c.Pages = 40 }), newGate()
	s.site.gated(stuck, numbered("/slow", 20)...)
	s.site.page("/quick")
	slow := s.as(trawl.Team{Concurrency: 10})
	slow.ordered(slow.Batch(t.Context(), slow.order, slow.batchRequest(numbered("/slow", 20)...)))
	for range 10 {
		receive(t, stuck.entered)
	}
	for range 10 {
		stuck.opened <- struct{}{}
		receive(t, stuck.entered)
	}
	id := s.ordered(s.Batch(t.Context(), s.order, s.batchRequest("/quick"))).ID
	eventually(t, func() bool { j := s.get(trawl.KindBatch, id); return j.Done() })
}

// TestPages bounds what runs on a node, whatever teams may.
func TestPages(t *testing.T) {
	t.Parallel()
	s, g := start(t, func(c *job.Config) { c.Pages = 2 }), newGate()
	s.site.page("/", numbered("/p", 10)...)
	s.site.gated(g, numbered("/p", 10)...)
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/"))).ID
	receive(t, g.entered)
	receive(t, g.entered)
	for range 8 {
		if len(g.entered) != 0 {
			t.Errorf("%d more at the site", len(g.entered))
		}
		g.opened <- struct{}{}
		receive(t, g.entered)
	}
	g.open()
	s.expect(s.finished(trawl.KindCrawl, id), trawl.StateCompleted, append([]string{"/"}, numbered("/p", 10)...)...)
}
