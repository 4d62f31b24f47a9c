package job_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// event is a delivery as a receiver gets it.
type event struct {
	Success         bool
	Type, ID, Error string
	WebhookID       string
	Data            []page
	Metadata        map[string]any
	header          http.Header
	body            []byte
}

// short is the type of an event and the page it is about.
func (e event) short(s *site) string {
	if len(e.Data) == 0 {
		return e.Type
	}
	return e.Type + " " + s.short(e.Data[0].Metadata.SourceURL)
}

// receiver takes the events of a job.
type receiver struct {
	*httptest.Server
	events chan event
}

// newReceiver runs a receiver; answer says what it answers to an event.
func newReceiver(t testing.TB, answer func(event, *http.Request) int) *receiver {
	r := &receiver{events: make(chan event, 1000)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		e := event{header: req.Header, body: body}
		if err := json.Unmarshal(body, &e); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		r.events <- e
		w.WriteHeader(answer(e, req))
	}))
	t.Cleanup(r.Close)
	return r
}

func always(status int) func(event, *http.Request) int {
	return func(event, *http.Request) int { return status }
}

// until returns the events up to the last one of a job.
func (r *receiver) until(t testing.TB, last string) (list []event) {
	t.Helper()
	for {
		e := receive(t, r.events)
		if list = append(list, e); e.Type == last {
			return list
		}
	}
}

// log returns the deliveries of a job.
func (s *service) log(id string) []trawl.Delivery {
	s.t.Helper()
	var list []trawl.Delivery
	for {
		after := 0
		if len(list) > 0 {
			after = list[len(list)-1].Number
		}
		more, err := s.Deliveries(s.t.Context(), id, after, 2)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(more) == 0 {
			return list
		}
		list = append(list, more...)
	}
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, always(http.StatusAccepted))
	s := start(t, func(c *job.Config) { c.WebhookSecret = "shared" })
	s.site.page("/", append(numbered("/p", 9), "/circle", "/forbidden")...)
	for _, path := range numbered("/p", 9) {
		s.site.page(path)
	}
	s.site.redirect("/circle", "/circle")
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /forbidden\n")
	j := s.crawl("/", func(req *trawl.CrawlRequest) {
		req.Webhook = &trawl.Webhook{URL: r.URL + "/hook", Headers: map[string]string{"X-Token": "abc"}, Metadata: map[string]any{"order": "17"}}
	})
	events := r.until(t, "crawl.completed")
	if events[0].Type != "crawl.started" || len(events) != 13 {
		t.Errorf("%d events, first %s", len(events), events[0].Type)
	}
	ids, scrapes := map[string]bool{}, map[string]bool{}
	var pages []string
	for _, e := range events {
		ids[e.WebhookID] = true
		mac := hmac.New(sha256.New, []byte("shared"))
		mac.Write(e.body)
		if got := e.header.Get("X-Firecrawl-Signature"); got != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
			t.Errorf("signature %q", got)
		}
		if e.ID != j.ID || e.Metadata["order"] != "17" || e.header.Get("X-Token") != "abc" || e.header.Get("Content-Type") != "application/json" ||
			e.header.Get("Webhook-Id") != e.WebhookID || e.header.Get("Webhook-Signature") == "" || e.Data == nil {
			t.Errorf("%s %v", e.body, e.header)
		}
		switch {
		case e.Type != "crawl.page":
			if !e.Success || len(e.Data) != 0 || e.Error != "" {
				t.Errorf("%s", e.body)
			}
		case e.Success:
			pages = append(pages, s.site.short(e.Data[0].Metadata.SourceURL))
			scrapes[e.Data[0].Metadata.ScrapeID] = true
			if !strings.Contains(e.Data[0].Markdown, "Words of the page.") || e.Error != "" {
				t.Errorf("%s", e.body)
			}
		default:
			if e.short(s.site) != "crawl.page /circle" || e.Error == "" || e.Data[0].Metadata.Error != e.Error {
				t.Errorf("%s", e.body)
			}
		}
	}
	docs := s.documents(j)
	for _, doc := range docs {
		if !scrapes[doc.Metadata.ScrapeID] {
			t.Errorf("no event has the document of %s", doc.Metadata.SourceURL)
		}
	}
	if len(pages) != len(docs) || len(docs) != 10 || len(ids) != 13 {
		t.Errorf("events for %q, %d documents, %d ids", pages, len(docs), len(ids))
	}
	eventually(t, func() bool {
		return !slices.ContainsFunc(s.log(j.ID), func(d trawl.Delivery) bool { return d.State != trawl.DeliveryDelivered })
	})
	for i, d := range s.log(j.ID) {
		if d.Number != i+1 || !ids[d.ID] || d.Attempts != 1 || d.Status != http.StatusAccepted || d.Error != "" || d.LastAt.IsZero() || (d.Type == "crawl.page") != (d.URL != "") {
			t.Errorf("%+v", d)
		}
	}
}

// TestWebhookSecret gives every team a secret of its own, for good.
func TestWebhookSecret(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, always(200))
	s := start(t)
	s.site.page("/")
	for range 2 {
		req := s.batchRequest("/")
		req.Webhook = &trawl.Webhook{URL: r.URL}
		s.batch(req)
		events := r.until(t, "batch_scrape.completed")
		secret, err := s.store.SetWebhookSecret(t.Context(), s.order.Caller.Team.ID, "another")
		if err != nil || secret == "another" {
			t.Fatal(secret, err)
		}
		for _, e := range events {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write(e.body)
			if e.header.Get("X-Firecrawl-Signature") != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
				t.Errorf("%s is signed by somebody else", e.Type)
			}
		}
	}
}

func TestWebhookEvents(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/a")
	s.site.page("/a")
	for name, c := range map[string]struct {
		events []string
		want   string
	}{
		"all":       {nil, "crawl.completed crawl.page crawl.page crawl.started"},
		"completed": {[]string{"completed"}, "crawl.completed"},
		"full name": {[]string{"crawl.page", "completed"}, "crawl.completed crawl.page crawl.page"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, r := s.on(t), newReceiver(t, always(200))
			s.crawl("/", func(req *trawl.CrawlRequest) { req.Webhook = &trawl.Webhook{URL: r.URL, Events: c.events} })
			var types []string
			for _, e := range r.until(t, "crawl.completed") {
				types = append(types, e.Type)
			}
			if slices.Sort(types); strings.Join(types, " ") != c.want {
				t.Errorf("%q, want %s", types, c.want)
			}
		})
	}
}

// TestWebhookEnds reports the other ends of a job, while the receiver is busy
// with the first event and when it is not.
func TestWebhookEnds(t *testing.T) {
	t.Parallel()
	service := start(t)
	for _, busy := range []bool{false, true} {
		s, g, pages := service.apart(t), newGate(), newGate()
		if !busy {
			g.open()
		}
		r := newReceiver(t, func(e event, req *http.Request) int {
			if e.Type == "crawl.started" {
				g.hold(req)
			}
			return 200
		})
		hook := func(req *trawl.CrawlRequest) { req.Webhook = &trawl.Webhook{URL: r.URL} }
		s.site.page("/", "/slow")
		s.site.gated(pages, "/slow")
		failed := s.crawl("/", hook, func(req *trawl.CrawlRequest) { req.Sitemap = trawl.SitemapOnly })
		if receive(t, g.entered); busy {
			g.opened <- struct{}{}
		}
		events := r.until(t, "crawl.failed")
		if last := events[len(events)-1]; last.Success || last.Error == "" || last.Error != failed.Error || last.ID != failed.ID || len(last.Data) != 0 {
			t.Errorf("busy %v: %s", busy, last.body)
		}

		id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", hook))).ID
		receive(t, pages.entered)
		if err := s.Cancel(t.Context(), s.order.Caller.Team.ID, trawl.KindCrawl, id); err != nil {
			t.Fatal(err)
		}
		if receive(t, g.entered); busy {
			g.opened <- struct{}{}
		}
		events = r.until(t, "crawl.cancelled")
		if last := events[len(events)-1]; last.ID != id || len(last.Data) != 0 {
			t.Errorf("busy %v: %s", busy, last.body)
		}
	}
}

// TestSlowReceiver crawls while the receiver of the first event hangs.
func TestSlowReceiver(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	r := newReceiver(t, func(_ event, req *http.Request) int { g.hold(req); return 200 })
	s.site.page("/", numbered("/p", 70)...)
	for _, path := range numbered("/p", 70) {
		s.site.page(path)
	}
	j := s.crawl("/", func(req *trawl.CrawlRequest) { req.Webhook = &trawl.Webhook{URL: r.URL} })
	if j.Completed != 71 {
		t.Errorf("%+v", j)
	}
	receive(t, g.entered)
	if len(r.events) != 1 {
		t.Errorf("%d events at once", len(r.events))
	}
	other := s.as(trawl.Team{}) // whose receiver is quick
	quick := newReceiver(t, always(200))
	req := other.batchRequest("/p1")
	req.Webhook = &trawl.Webhook{URL: quick.URL}
	other.batch(req)
	quick.until(t, "batch_scrape.completed")
	g.open()
	if events := r.until(t, "crawl.completed"); len(events) != 73 || events[0].Type != "crawl.started" {
		t.Errorf("%d events", len(events))
	}
}

// TestFailedDelivery has a receiver that is out of order, for good or for a while.
func TestFailedDelivery(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + l.Addr().String() + "/"
	_ = l.Close()
	broken := newReceiver(t, always(500))
	for address, status := range map[string]int{refused: 0, broken.URL: 500, "http://nowhere.example/": 0} {
		began := time.Now()
		j := s.crawl("/", func(req *trawl.CrawlRequest) { req.Webhook = &trawl.Webhook{URL: address} })
		s.expect(j, trawl.StateCompleted, "/")
		eventually(t, func() bool { return s.log(j.ID)[0].Attempts == 1 })
		d := s.log(j.ID)[0]
		if d.State != trawl.DeliveryPending || d.Status != status || d.Error == "" || d.NextAt.Before(began.Add(55*time.Second)) || d.NextAt.After(time.Now().Add(80*time.Second)) {
			t.Errorf("%s: %+v", address, d)
		}
	}
	inside := s.crawl("/", func(req *trawl.CrawlRequest) { req.Webhook = &trawl.Webhook{URL: "http://10.1.2.3/"} })
	s.expect(inside, trawl.StateCompleted, "/")
	eventually(t, func() bool { d := s.log(inside.ID)[0]; return d.Attempts == 1 && d.Error != "" })
}

// TestNewsBehindAFailure has events that come up while another waits for its next
// attempt. They need not wait with it.
func TestNewsBehindAFailure(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	r := newReceiver(t, func(e event, _ *http.Request) int {
		if e.Type == "crawl.started" {
			return 500
		}
		return 200
	})
	s.site.gated(g, "/")
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(req *trawl.CrawlRequest) { req.Webhook = &trawl.Webhook{URL: r.URL} }))).ID
	eventually(t, func() bool { return s.log(id)[0].Attempts == 1 })
	receive(t, r.events)
	g.open()
	s.finished(trawl.KindCrawl, id)
	if e := receive(t, r.events); e.Type != "crawl.page" {
		t.Errorf("%s", e.body)
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	status := make(chan int, 100)
	r := newReceiver(t, func(event, *http.Request) int { return <-status })
	s := start(t)
	s.site.page("/")
	req := s.batchRequest("/")
	req.Webhook = &trawl.Webhook{URL: r.URL}
	for range 3 {
		status <- http.StatusGone // final
	}
	j := s.batch(req)
	events := r.until(t, "batch_scrape.completed")
	failed := func(count int) func() bool {
		return func() bool {
			n := 0
			for _, d := range s.log(j.ID) {
				if d.State == trawl.DeliveryFailed {
					n++
				}
			}
			return n == count
		}
	}
	eventually(t, failed(3))
	team := s.order.Caller.Team.ID
	if n, err := s.Replay(t.Context(), s.as(trawl.Team{}).order.Caller.Team.ID, j.ID, ""); n != 0 {
		t.Errorf("another team replayed %d: %v", n, err)
	}

	status <- 200
	if n, err := s.Replay(t.Context(), team, j.ID, events[1].WebhookID); n != 1 || err != nil {
		t.Error(n, err)
	}
	if again := receive(t, r.events); again.WebhookID != events[1].WebhookID || string(again.body) != string(events[1].body) {
		t.Errorf("%s, not %s", again.body, events[1].body)
	}
	eventually(t, failed(2))
	for range 2 {
		status <- 200
	}
	if n, err := s.Replay(t.Context(), team, j.ID, ""); n != 2 || err != nil {
		t.Error(n, err)
	}
	if first, last := receive(t, r.events), receive(t, r.events); first.WebhookID != events[0].WebhookID || last.WebhookID != events[2].WebhookID {
		t.Errorf("%s, %s", first.body, last.body)
	}
	eventually(t, failed(0))
	if n, err := s.Replay(t.Context(), team, j.ID, ""); n != 0 || err != nil {
		t.Error(n, err)
	}
	status <- 200 // one that was delivered, too
	if n, err := s.Replay(t.Context(), team, j.ID, events[0].WebhookID); n != 1 || err != nil {
		t.Error(n, err)
	}
	receive(t, r.events)
	eventually(t, func() bool {
		return !slices.ContainsFunc(s.log(j.ID), func(d trawl.Delivery) bool { return d.State != trawl.DeliveryDelivered })
	})
}
