package job_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

// grant returns the service as a team with so many credits.
func (s *service) grant(credits int64) *service {
	s.t.Helper()
	c := s.as(trawl.Team{})
	team, err := s.store.Grant(s.t.Context(), c.order.Caller.Team.ID, credits)
	if err != nil {
		s.t.Fatal(err)
	}
	c.order.Caller.Team = team
	return c
}

// refresh reads the team again, as every request does.
func (s *service) refresh() {
	s.t.Helper()
	s.order.Caller.Team.Credits, _ = s.balance()
}

// spent checks what a team has left and used.
func (s *service) spent(left, used int64) {
	s.t.Helper()
	if l, u := s.balance(); l == nil || *l != left || u != used {
		s.t.Errorf("%d credits used, want %d; left %v, want %d", u, used, l, left)
	}
}

func TestLimitByCredits(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", numbered("/p", 10)...)
	for _, path := range numbered("/p", 10) {
		s.site.page(path)
	}
	poor := s.grant(4)
	receipt := poor.ordered(poor.Crawl(t.Context(), poor.order, poor.crawlRequest("/")))
	if !strings.Contains(receipt.Warning, "4 pages") {
		t.Errorf("%+v", receipt)
	}
	j := poor.finished(trawl.KindCrawl, receipt.ID)
	if j.State != trawl.StateCompleted || j.Completed != 4 || j.Credits != 4 || j.Warning != receipt.Warning {
		t.Errorf("%+v", j)
	}
	poor.spent(0, 4)

	poor.refresh()
	_, err := poor.Crawl(t.Context(), poor.order, poor.crawlRequest("/"))
	wantCode(t, err, trawl.CodePayment)
	_, err = poor.Batch(t.Context(), poor.order, poor.batchRequest("/"))
	wantCode(t, err, trawl.CodePayment)

	rich := s.grant(100)
	j = rich.crawl("/", func(r *trawl.CrawlRequest) { r.Limit = 5 })
	if j.Completed != 5 || j.Credits != 5 || j.Warning != "" {
		t.Errorf("%+v", j)
	}
	rich.spent(95, 5)
}

func TestRunningOut(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range append(numbered("/p", 10), "/") {
		s.site.page(path, numbered("/p", 10)...)
	}
	batch := s.grant(4)
	receipt := batch.ordered(batch.Batch(t.Context(), batch.order, batch.batchRequest(numbered("/p", 10)...)))
	if !strings.Contains(receipt.Warning, "4 of the 10 pages") {
		t.Errorf("%+v", receipt)
	}
	crawl := s.grant(4)
	ten := int64(10)
	crawl.order.Caller.Team.Credits = &ten // it had ten when it asked
	for _, c := range []struct {
		s *service
		j trawl.Job
	}{{batch, batch.finished(trawl.KindBatch, receipt.ID)}, {crawl, crawl.crawl("/")}} {
		j := c.j
		if j.State != trawl.StateFailed || j.Completed != 4 || j.Credits != 4 || j.Total != j.Completed+j.Failed || j.Error == "" {
			t.Errorf("%+v", j)
		}
		if len(c.s.documents(j)) != 4 {
			t.Errorf("%q", c.s.paths(j))
		}
		c.s.spent(0, 4)
	}
}

// TestFreePages charges nothing for what gives no document.
func TestFreePages(t *testing.T) {
	t.Parallel()
	s := start(t).grant(100)
	s.site.page("/", "/forbidden", "/circle", "/again", "/missing", "/a")
	s.site.page("/a")
	s.site.redirect("/circle", "/circle")
	s.site.redirect("/again", "/a")
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /forbidden\n")
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, "/", "/a", "/missing")
	if j.Credits != 3 {
		t.Errorf("%d credits", j.Credits)
	}
	s.spent(97, 3)
	again := s.crawl("/") // from the cache, which is work too
	if again.Credits != 3 {
		t.Errorf("%d credits", again.Credits)
	}
	s.spent(94, 6)
}
