package job

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/store"
)

// spec is what this node remembers of a job.
type spec struct {
	store.Spec
	crawl   *trawl.CrawlRequest // nil unless it is one
	extract *extracting         // likewise

	mu      sync.Mutex
	base    string
	rules   *crawl.Rules                   // for base
	options map[int64]*trawl.ScrapeOptions // by number
	known   map[uint64]struct{}            // addresses that the store has seen
	cancels map[int64]context.CancelFunc   // of pages that run, and of what has no page
	ended   bool                           // the job was cancelled here
	used    time.Time
}

// Bounds of what is remembered.
const (
	specFor   = time.Minute // after a job was last worked on
	mostKnown = 1 << 18
)

// specs are the jobs that this node works on or worked on lately.
type specs struct {
	mu   sync.Mutex
	byID map[string]*spec
}

// spec returns a job, from memory if it is there.
func (e *Engine) spec(ctx context.Context, jobID string) (*spec, error) {
	if s := e.specs.find(jobID, e.Now()); s != nil {
		return s, nil
	}
	read, err := e.Store.Spec(ctx, jobID)
	if err != nil {
		return nil, err
	}
	s := &spec{Spec: read, used: e.Now(), options: map[int64]*trawl.ScrapeOptions{}, known: map[uint64]struct{}{}, cancels: map[int64]context.CancelFunc{}}
	switch read.Kind {
	case trawl.KindCrawl:
		type stored trawl.CrawlRequest // as it was, without defaults for what is false
		s.crawl = &trawl.CrawlRequest{}
		if err := json.Unmarshal(read.Request, (*stored)(s.crawl)); err != nil {
			return nil, fmt.Errorf("read crawl: %w", err)
		}
	case trawl.KindExtract:
		if s.extract, err = e.extracting(ctx, &read); err != nil {
			return nil, err
		}
	}
	return e.specs.keep(s), nil
}

func (m *specs) find(jobID string, now time.Time) *spec {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.byID[jobID]
	if s != nil {
		s.used = now
	}
	return s
}

// keep remembers a job, and forgets those that nothing has been done for lately.
func (m *specs) keep(s *spec) *spec {
	m.mu.Lock()
	defer m.mu.Unlock()
	if other := m.byID[s.ID]; other != nil {
		return other
	}
	if m.byID == nil {
		m.byID = map[string]*spec{}
	}
	for id, old := range m.byID {
		if s.used.Sub(old.used) > specFor && old.idle() {
			delete(m.byID, id)
		}
	}
	m.byID[s.ID] = s
	return s
}

// cancel drops a job that is over, and ends what runs of it on this node.
func (m *specs) cancel(jobID string) {
	m.mu.Lock()
	s := m.byID[jobID]
	delete(m.byID, jobID)
	m.mu.Unlock()
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for _, cancel := range s.cancels {
		cancel()
	}
}

func (s *spec) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.cancels) == 0
}

// Numbers of work that is not on a page.
const (
	discovering = 0
	concluding  = -1
)

// begin returns the context of a page, which ends when the job is cancelled, and
// what to call when the page is done.
func (s *spec) begin(ctx context.Context, page int64) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		cancel()
	}
	s.cancels[page] = cancel
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancels, page)
	}
}

// rulesFor returns the rules of a crawl that starts at base.
func (s *spec) rulesFor(base string) (*crawl.Rules, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rules == nil || s.base != base {
		rules, err := crawl.NewRules(s.crawl, base)
		if err != nil {
			return nil, err
		}
		s.rules, s.base = rules, base
	}
	return s.rules, nil
}

// optionsOf returns a set of options of the job.
func (e *Engine) optionsOf(ctx context.Context, s *spec, n int64) (*trawl.ScrapeOptions, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.options[n]; o != nil {
		return o, nil
	}
	body, err := e.Store.PageOptions(ctx, s.ID, n)
	if err != nil {
		return nil, err
	}
	o := &trawl.ScrapeOptions{}
	if err := json.Unmarshal(body, o); err != nil {
		return nil, fmt.Errorf("read options: %w", err)
	}
	s.options[n] = o
	return o, nil
}

// unknown returns those links that the store may not have seen yet.
func (s *spec) unknown(seed maphash.Seed, links []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var fresh []string
	for _, link := range links {
		if _, ok := s.known[maphash.String(seed, link)]; !ok {
			fresh = append(fresh, link)
		}
	}
	return fresh
}

// learn remembers addresses that the store has seen.
func (s *spec) learn(seed maphash.Seed, links []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, link := range links {
		if len(s.known) >= mostKnown {
			return
		}
		s.known[maphash.String(seed, link)] = struct{}{}
	}
}
