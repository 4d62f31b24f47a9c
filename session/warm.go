package session

import (
	"context"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

const (
	heap     = 1024    // megabytes for the scripts of a page
	mostIn   = 4 << 30 // bytes that a session may bring in from the network
	coolDown = 30 * time.Second

	mostStarts = 4 // browsers that are being started at a time, for each processor
)

// blank is a browser that is nobody's yet.
type blank struct {
	*chromium.Process
	used atomic.Bool // it has become a session's; until then nothing leaves the machine
}

// warm are browsers that are ready.
type warm struct {
	mu      sync.Mutex
	ready   []*blank
	filling bool
	dropped bool
}

// start starts a browser, in a home or in a fresh one, whose way out is through a proxy
// if there is one.
func (m *Manager) start(ctx context.Context, home *chromium.Home, way *url.URL) (*blank, error) {
	select { // so many at once that they wait for the processor would look as if they did not start
	case m.starts <- struct{}{}:
		defer func() { <-m.starts }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	version, err := m.versions.Of(ctx, m.Program)
	if err != nil {
		return nil, err
	}
	b := &blank{}
	door := egress.DoorConfig{
		Local: m.Local, MaxBytes: mostIn,
		Block:    func(host string) bool { return !b.used.Load() || chromium.Avoids(host) },
		Upstream: way,
	}
	agent := m.UserAgent
	if agent == "" {
		agent = chromium.UserAgent(version, false)
	}
	b.Process, err = chromium.Start(ctx, chromium.Launch{
		Program: m.Program, Full: true, NoSandbox: m.NoSandbox, Heap: heap, UserAgent: agent, AcceptLanguage: "en-US,en", Popups: true,
		Guard: m.Guard, Door: door, Home: home, Patience: m.Patience, Authorities: m.Authorities,
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// take returns a browser that is ready, or else starts one. What was taken is
// replaced.
func (m *Manager) take(ctx context.Context) (*blank, error) {
	defer m.fill()
	for b := m.warm.pop(); b != nil; b = m.warm.pop() {
		if b.Alive() {
			return b, nil
		}
		m.tasks.Go(b.Kill)
	}
	return m.startBlank(ctx)
}

// startBlank starts a browser that goes the usual way.
func (m *Manager) startBlank(ctx context.Context) (*blank, error) {
	way, _, err := m.way(trawl.Replay{})
	if err != nil {
		return nil, err
	}
	return m.start(ctx, nil, way)
}

// way returns the proxy that a page is to be reached through, nil for none, and whether
// that is another one than usual.
func (m *Manager) way(page trawl.Replay) (way *url.URL, another bool, err error) {
	if m.Proxy == nil {
		return nil, false, nil
	}
	usual, err := m.Proxy("", false)
	if err != nil || page.URL == "" {
		return usual, false, err
	}
	way, err = m.Proxy(page.Country, page.Enhanced)
	return way, err == nil && (way == nil) != (usual == nil) || way != nil && usual != nil && *way != *usual, err
}

// fill starts browsers until enough are ready, one after the other and in the
// background. If one does not start, the next session will say why; another
// attempt is made after a while.
func (m *Manager) fill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || !m.warm.begin(m.Warm) {
		return
	}
	m.tasks.Go(func() {
		for !m.warm.full(m.Warm) {
			b, err := m.startBlank(m.base)
			if err == nil && !m.warm.push(b) {
				b.Kill()
			}
			if err == nil {
				continue
			}
			if m.base.Err() == nil {
				m.Log.Warn("no browser is kept ready", "err", err)
			}
			select {
			case <-m.base.Done():
			case <-time.After(coolDown):
			}
			if m.base.Err() != nil {
				m.warm.drop()
			}
		}
	})
}

// begin reports whether somebody has to fill up, who is the caller then.
func (w *warm) begin(want int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.filling || w.dropped || len(w.ready) >= want {
		return false
	}
	w.filling = true
	return true
}

// full reports whether enough are ready, which is the end of filling up.
func (w *warm) full(want int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.ready) < want && !w.dropped {
		return false
	}
	w.filling = false
	return true
}

func (w *warm) push(b *blank) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.dropped {
		w.ready = append(w.ready, b)
	}
	return !w.dropped
}

func (w *warm) pop() *blank {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.ready) == 0 {
		return nil
	}
	b := w.ready[0]
	w.ready = w.ready[1:]
	return b
}

func (w *warm) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.ready)
}

// drop ends those that are ready, for good.
func (w *warm) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dropped = true
	for _, b := range w.ready {
		b.Kill()
	}
	w.ready = nil
}
