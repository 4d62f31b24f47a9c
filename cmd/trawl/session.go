package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/session"
)

// openSessions makes the node ready to hold remote browsers. One that does not
// serve the API holds none, and a machine without the full browser cannot.
func (s *server) openSessions(ctx context.Context, p *program, client *fetch.Client) error {
	o := s.options
	secret, err := s.store.Secret(ctx, "sessions")
	if err != nil {
		return err
	}
	s.sessionSecret = secret
	config := session.Config{
		Store: s.store, Guard: s.guard, Log: s.log, Now: p.now, NoSandbox: !o.sandboxed(), UserAgent: o.UserAgent,
		Sessions: o.BrowserSessions, Warm: o.BrowserWarm, Node: s.node, NodeURL: s.nodeURL(),
		Local: localSites(), Proxy: client.Proxy, Patience: p.machine.patience, Keep: s.keepFile, Markdown: mainMarkdown,
	}
	if s.model.ready() {
		config.Model = s.model.client
	}
	if programs, err := o.programs(p.machine); err == nil && slices.Contains(o.Roles, "api") {
		config.Program, config.Authorities = programs.Chromium, authorities(p.env, s.log)
	}
	s.sessions = session.New(config)
	s.later(s.sessions.Close)
	return nil
}

// fileLife is how long pictures and PDF files of sessions can be fetched.
const fileLife = 24 * time.Hour

// keepFile keeps a picture or a PDF file of a session, and returns its address.
func (s *server) keepFile(ctx context.Context, teamID, base, contentType string, data []byte) (string, error) {
	secret, err := s.store.Secret(ctx, "files")
	if err != nil {
		return "", err
	}
	file := trawl.File{ID: uuid.NewString(), TeamID: teamID, ContentType: contentType, Data: data, ExpiresAt: time.Now().Add(fileLife)}
	if err := s.store.KeepFile(ctx, file); err != nil {
		return "", err
	}
	return file.Address(base, secret), nil
}

// mainMarkdown returns the main content of a page.
func mainMarkdown(_ context.Context, address, html string) (string, error) {
	selection, err := content.Parse(content.Source{Body: []byte(html), ContentType: "text/html; charset=utf-8", URL: address}).
		Select(content.Options{OnlyMain: true, RemoveBase64: true})
	if err != nil {
		return "", err
	}
	return selection.Markdown(), nil
}

// toNodes is the way to other nodes; there are none on a database of our own.
func (s *server) toNodes() http.RoundTripper {
	if s.store.Embedded() {
		return nil
	}
	transport := egress.Infrastructure()
	transport.Proxy = nil // keys are sent that are nobody else's business
	return transport
}

// nodeURL returns where other nodes reach this one: what the operator says, or
// else the address that it listens on, by the name of the machine if that is any.
func (s *server) nodeURL() string {
	if s.options.NodeURL != "" {
		return s.options.NodeURL
	}
	host, port, err := net.SplitHostPort(s.address)
	if err != nil {
		return "http://" + s.address
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return "http://" + net.JoinHostPort(host, port)
}

// sessionMetrics are the figures of a manager of sessions.
func sessionMetrics(manager *session.Manager) []prometheus.Collector {
	gauge := func(name, help string, value func(session.Stats) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "trawl_session_" + name, Help: help},
			func() float64 { return float64(value(manager.Stats())) })
	}
	counter := func(name, help string, value func(session.Stats) int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "trawl_session_" + name + "_total", Help: help},
			func() float64 { return float64(value(manager.Stats())) })
	}
	return []prometheus.Collector{
		gauge("active", "Browser sessions that run on this node.", func(s session.Stats) int { return s.Active }),
		gauge("warm", "Browsers that are kept ready for sessions.", func(s session.Stats) int { return s.Warm }),
		gauge("clients", "Clients that drive browsers of sessions.", func(s session.Stats) int { return s.Clients }),
		gauge("viewers", "Views of sessions that are open.", func(s session.Stats) int { return s.Viewers }),
		counter("created", "Browser sessions that were started on this node.", func(s session.Stats) int64 { return s.Created }),
		counter("crashed", "Browser sessions whose browser died.", func(s session.Stats) int64 { return s.Crashed }),
	}
}
