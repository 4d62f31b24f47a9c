package browser

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

// usualIdle is how long a browser stays when no page needs it.
const usualIdle = time.Minute

// versionTimeout is how long a program may take to tell its version.
const versionTimeout = 20 * time.Second

// lifetime is when a browser is replaced by a fresh one.
type lifetime struct {
	pages int
	age   time.Duration
}

var usualLifetime = lifetime{pages: 500, age: 30 * time.Minute}

// Pool renders pages in browsers that it starts and stops as they are needed.
// It is safe for concurrent use; Close ends it.
type Pool struct {
	config   Config
	patience patience
	memory   memory
	lifetime lifetime
	slots    slots // for pages that are open
	base     context.Context
	cancel   context.CancelFunc
	tasks    sync.WaitGroup // everything that runs, calls of Render among it
	versions chromium.Versions

	mu      sync.Mutex
	closed  bool
	current map[string]*running
	all     map[*running]struct{}
	broken  error // why the last browser did not start; nil if it did

	rendered, crashed, recycled, started int64
}

// running is a browser with what the pool knows of it. Its fields are guarded
// by the pool's lock.
type running struct {
	program string
	version string
	ready   chan struct{}     // closed when the browser answers, or could not be started
	process *chromium.Process // once ready
	err     error             // why it could not be started
	open    int               // pages
	served  int
	retired bool   // takes no new pages
	alone   bool   // is for one page only
	tabs    []*tab // pages that have been opened, in this order
	idle    *time.Timer
	hoarded time.Time // when one of its pages last took too much memory
}

// errCrashed is the failure of a page whose own process died, errLost that of one
// whose browser did.
var (
	errCrashed = errors.New("the page crashed")
	errLost    = errors.New("the browser is gone")
)

// New returns a pool. No browser is started before a page needs one.
func New(config Config) *Pool {
	if config.Pages <= 0 {
		config.Pages = 4
	}
	if config.Idle <= 0 {
		config.Idle = usualIdle
	}
	if config.Log == nil {
		config.Log = slog.Default()
	}
	chromium.SweepHomes()
	p := &Pool{
		config: config, memory: usualMemory, lifetime: usualLifetime, slots: slots{size: config.Pages},
		current: map[string]*running{}, all: map[*running]struct{}{},
	}
	p.patience = patience{settle: p.limit(usualPatience.settle), read: p.limit(usualPatience.read)}
	p.base, p.cancel = context.WithCancel(context.Background())
	return p
}

// Broken returns why the last browser that was to start did not, or nil.
func (p *Pool) Broken() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}

// Stats is what a pool has done and holds.
type Stats struct {
	Browsers int // that run
	Idle     int // those without a page
	Pages    int // that are open
	Waiting  int // pages that wait for a place
	Most     int // pages that may be open

	Started, Rendered, Crashed, Recycled int64
}

// Stats returns what the pool has done and holds at the moment.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := 0
	for r := range p.all {
		if r.open == 0 {
			idle++
		}
	}
	return Stats{
		Browsers: len(p.all), Idle: idle, Pages: p.slots.used(), Waiting: p.slots.queued(), Most: p.config.Pages,
		Started: p.started, Rendered: p.rendered, Crashed: p.crashed, Recycled: p.recycled,
	}
}

// Close ends all browsers and returns when nothing of them is left. Pages that
// are being rendered fail.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.cancel()
	for r := range p.all {
		p.retire(r)
		p.end(r)
	}
	p.mu.Unlock()
	p.tasks.Wait()
}

// How often a page is tried whose browser, or whose own process, died.
const (
	mostLost    = 3
	mostCrashed = 2
)

// Render opens a page and returns what became of it. Errors are *trawl.Error, or
// [ErrNotPage]. A page whose browser dies is tried again, unless something was
// done in it.
func (p *Pool) Render(ctx context.Context, req Request) (*Result, error) {
	if err := req.normalize(); err != nil {
		return nil, err
	}
	if !p.begin() {
		return nil, publicError(ctx, cdp.ErrClosed)
	}
	defer p.tasks.Done()
	place, waited, err := p.enter(ctx, &req)
	if err != nil {
		return nil, err
	}
	if req.Private != nil {
		defer place.give()
		result, err := p.renderAlone(ctx, &req)
		if err != nil {
			return nil, publicError(ctx, err)
		}
		result.Waited = waited
		return result, nil
	}
	for attempt := 1; ; attempt++ {
		result, leave, err := p.once(ctx, &req)
		req.alone = req.alone || errors.Is(err, errSuspect)
		again := errors.Is(err, errLost) && attempt < mostLost || errors.Is(err, errCrashed) && attempt < mostCrashed
		if again && !req.acted && ctx.Err() == nil {
			leave()
			continue
		}
		// Closing takes some milliseconds that the caller need not wait for; the page
		// keeps its place until then.
		p.tasks.Go(func() {
			leave()
			place.give()
		})
		if err != nil {
			return nil, publicError(ctx, err)
		}
		result.Waited = waited
		return result, nil
	}
}

// begin makes Close wait for one more call; it reports false if it is too late.
func (p *Pool) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.tasks.Add(1)
	return true
}

// once renders a page. What it leaves behind is closed by leave.
func (p *Pool) once(ctx context.Context, req *Request) (result *Result, leave func(), err error) {
	r, err := p.acquire(ctx, p.config.Programs.Choose(req.Enhanced), req.alone)
	if err != nil {
		return nil, func() {}, err
	}
	t := p.newTab(r, req)
	leave = func() {
		healthy := t.close()
		p.forget(r, t)
		p.release(r, !healthy)
	}
	result, err = p.show(ctx, r, t, req)
	return result, leave, err
}

// show opens a page in a browser and renders it.
func (p *Pool) show(ctx context.Context, r *running, t *tab, req *Request) (*Result, error) {
	began := time.Now()
	if err := t.open(ctx, r, req); err != nil {
		return nil, t.fate(err)
	}
	p.host(r, t)
	result, err := t.render(ctx, req)
	if err != nil {
		return nil, p.blame(ctx, r, t, began, err)
	}
	return result, nil
}

// enter waits for a place among the pages that may be open, and tells how long it
// had to.
func (p *Pool) enter(ctx context.Context, req *Request) (mine *place, waited time.Duration, err error) {
	open, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.base, cancel)()
	if req.Hold != nil {
		defer req.Hold()()
	}
	began := time.Now()
	mine, queued, err := p.slots.take(open, req.Owner, req.Hold != nil)
	switch {
	case err == nil && queued:
		return mine, time.Since(began), nil
	case err == nil:
		return mine, 0, nil
	case p.base.Err() != nil:
		err = cdp.ErrClosed
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && queued:
		return nil, 0, trawl.Wrap(trawl.CodeQueueTimeout, "The page waited for a browser until its timeout; all that may be open are in use.", err)
	}
	return nil, 0, publicError(ctx, err)
}

// acquire returns a browser for one more page, starting it if need be. A page that
// is to be alone gets one that no other has.
func (p *Pool) acquire(ctx context.Context, program string, alone bool) (*running, error) {
	for {
		r, err := p.choose(program, alone)
		if err != nil {
			return nil, err
		}
		select {
		case <-r.ready:
		case <-ctx.Done():
			p.release(r, false)
			return nil, ctx.Err()
		}
		if r.err != nil {
			p.release(r, false)
			return nil, trawl.Wrap(trawl.CodeEngines, "The browser could not be started.", r.err)
		}
		if r.process.Alive() {
			return r, nil
		}
		p.release(r, true)
	}
}

// choose returns the browser that takes new pages and counts one more for it.
func (p *Pool) choose(program string, alone bool) (*running, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, cdp.ErrClosed
	}
	if program == "" {
		return nil, trawl.Errorf(trawl.CodeEngines, "This server has no browser.")
	}
	r := p.current[program]
	if alone || r == nil {
		r = p.begun(program, alone)
	}
	r.open++
	r.served++
	if r.idle != nil {
		r.idle.Stop()
		r.idle = nil
	}
	if r.served >= p.lifetime.pages || r.process != nil && time.Since(r.process.Born()) > p.lifetime.age {
		p.retire(r)
		p.recycled++
	}
	return r, nil
}

// begun returns a browser that is being started. The lock is held.
func (p *Pool) begun(program string, alone bool) *running {
	r := &running{program: program, ready: make(chan struct{}), alone: alone, retired: alone}
	if p.all[r] = struct{}{}; !alone {
		p.current[program] = r
	}
	p.started++
	p.tasks.Go(func() { p.start(r) })
	return r
}

// start brings a browser up. It belongs to no single request: others may wait
// for it too.
func (p *Pool) start(r *running) {
	version, err := p.version(r.program)
	var started *chromium.Process
	if err == nil {
		started, err = chromium.Start(p.base, p.launch(r.program, version))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r.process, r.version, r.err = started, version, err
	p.broken = err
	close(r.ready)
	if err != nil {
		p.config.Log.Error("browser does not start", "program", r.program, "err", err)
		p.retire(r)
		p.end(r)
		return
	}
	p.config.Log.Info("browser started", "program", r.program, "version", version)
	p.tasks.Go(func() { p.watch(r) })
	if p.closed {
		p.end(r)
	}
}

// launch is how a program is started for pages that have doors of their own: what
// the browser wants on its own account is turned away.
func (p *Pool) launch(program, version string) chromium.Launch {
	return chromium.Launch{
		Program: program, Full: program == p.config.Programs.Chromium, NoSandbox: p.config.NoSandbox, Heap: p.memory.heap,
		UserAgent: chromium.UserAgent(version, false), AcceptLanguage: acceptLanguage(nil), // what workers see
		Guard: p.config.Guard, Door: egress.DoorConfig{Closed: true}, Patience: p.config.Patience, Authorities: p.config.Authorities,
	}
}

func (p *Pool) version(program string) (string, error) {
	ctx, cancel := context.WithTimeout(p.base, p.limit(versionTimeout))
	defer cancel()
	return p.versions.Of(ctx, program)
}

// release gives back a page's share of a browser. One that is sick takes no more
// pages; those that are open in it may be well, and are let finish.
func (p *Pool) release(r *running, sick bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.open--
	if sick && !r.retired {
		p.config.Log.Warn("browser is replaced", "program", r.program)
		p.recycled++
		p.retire(r)
	}
	switch {
	case r.open > 0:
		return
	case r.retired:
		p.end(r)
		return
	}
	r.idle = time.AfterFunc(p.config.Idle, func() { p.rest(r) })
}

// rest stops a browser that had nothing to do for a while.
func (p *Pool) rest(r *running) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.open == 0 {
		p.retire(r)
		p.end(r)
	}
}

// retire keeps new pages from a browser. The lock is held.
func (p *Pool) retire(r *running) {
	r.retired = true
	if p.current[r.program] == r {
		delete(p.current, r.program)
	}
}

// end kills a retired browser, in the background. The lock is held.
func (p *Pool) end(r *running) {
	if _, ok := p.all[r]; !ok {
		return
	}
	if r.idle != nil {
		r.idle.Stop()
	}
	if r.process == nil && r.err == nil { // it is just being started, and will see that the pool is closed
		return
	}
	delete(p.all, r)
	if r.process == nil {
		return
	}
	p.tasks.Go(r.process.Kill)
}
