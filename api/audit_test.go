package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/audit"
)

// ledger is an audit log in memory.
type ledger struct {
	mu      sync.Mutex
	entries []audit.Entry
	silent  int
}

func (l *ledger) Write(e audit.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
}

func (l *ledger) Count() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent++
}

// take returns what was written since the last call, once all requests are over.
func (l *ledger) take(s *service) ([]audit.Entry, int) {
	s.rest()
	l.mu.Lock()
	defer l.mu.Unlock()
	entries, silent := l.entries, l.silent
	l.entries, l.silent = nil, 0
	return entries, silent
}

func TestAudit(t *testing.T) {
	t.Parallel()
	log := &ledger{}
	s := start(t, func(c *api.Config) { c.Audit = log })
	one := func() audit.Entry {
		t.Helper()
		entries, silent := log.take(s)
		if len(entries) != 1 || silent != 0 {
			t.Fatalf("%d entries, %d silent: %+v", len(entries), silent, entries)
		}
		return entries[0]
	}
	address := strings.Replace(s.site.URL, "http://", "http://me:secret@", 1)
	r := s.do(call{key: s.key, body: `{"url":"` + address + `/","formats":["markdown"]}`}).want(t, http.StatusOK)
	e := one()
	if e.Team != trawl.DefaultTeam || e.TeamID != s.team.ID || e.Key == 0 || e.KeyName != "test" || e.Action != "POST /v2/scrape" || e.Status != 200 || e.Credits != 1 ||
		e.Job != r.str("data", "metadata", "scrapeId") || e.Request != r.header.Get("X-Request-Id") || e.Time.IsZero() || e.Code != "" {
		t.Errorf("%+v", e)
	}
	if text, _ := json.Marshal(e); strings.Contains(string(text), "secret") || strings.Contains(string(text), "Heading") || !strings.Contains(e.Target, "me@") && !strings.Contains(e.Target, "127.0.0.1") {
		t.Errorf("%s", text)
	}
	id := s.batch("/")
	if e := one(); e.Job != id || e.Target != s.site.URL+"/" || e.Credits != 0 {
		t.Errorf("%+v", e)
	}
	s.do(call{method: http.MethodDelete, path: batchPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	if e := one(); e.Action != "DELETE /v2/batch/scrape/{id}" || !strings.HasSuffix(e.Target, id) {
		t.Errorf("%+v", e)
	}
	s.do(call{key: s.key, body: `{"url":7}`}).want(t, http.StatusBadRequest)
	if e := one(); e.Status != 400 || e.Code != "BAD_REQUEST" {
		t.Errorf("%+v", e)
	}
	restricted := s.newKey(trawl.Key{TeamID: s.team.ID, Name: "narrow", AllowedEndpoints: []string{trawl.GroupMap}})
	s.do(call{key: restricted, body: s.body("/")}).want(t, http.StatusForbidden)
	if e := one(); e.Status != 403 || e.KeyName != "narrow" {
		t.Errorf("%+v", e)
	}
	s.parse(part{"file", "report.pdf", twoPages}).want(t, http.StatusOK)
	if e := one(); e.Action != "POST /v2/parse" || e.Credits != 2 || e.Job == "" {
		t.Errorf("%+v", e)
	}
	s.get("/v2/team")
	s.do(call{key: "fc-wrong", body: s.body("/")}).want(t, http.StatusUnauthorized)
	if entries, silent := log.take(s); len(entries) != 0 || silent != 0 {
		t.Errorf("%+v, %d", entries, silent)
	}
}

// Under zero data retention requests are only counted, those that are refused too.
func TestAuditOfZeroDataRetention(t *testing.T) {
	t.Parallel()
	log := &ledger{}
	s := start(t, func(c *api.Config) { c.Audit = log })
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	zero := `"zeroDataRetention":true`
	s.scrape("/", zero).want(t, http.StatusOK)
	s.do(call{key: stranger, body: s.body("/", zero)}).want(t, http.StatusForbidden)
	s.scrape("/", zero, `"nonsense":1`).want(t, http.StatusBadRequest)
	s.parse(part{"file", "report.pdf", twoPages}, options(zero)).want(t, http.StatusOK)
	id := s.do(call{path: crawlPath, key: s.key, body: s.body("/", zero)}).want(t, http.StatusOK).str("id")
	s.do(call{method: http.MethodDelete, path: crawlPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	if entries, silent := log.take(s); len(entries) != 0 || silent != 6 {
		t.Errorf("%d silent, %+v", silent, entries)
	}
}
