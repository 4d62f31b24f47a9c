package document

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/limit"
)

// WorkerArgument is the first argument of a program that is to be a worker.
const WorkerArgument = "document-worker"

const (
	warmTime  = 5 * time.Minute  // how long a worker waits for its next file
	lastTime  = 30 * time.Minute // the same for the only one, so that the next file finds one
	startTime = 3 * time.Minute  // how long a worker may take to be ready; without a cache it compiles
	maxFiles  = 500              // that a worker reads before a new one takes its place
	maxBusy   = 20 * time.Minute // in which it read them

	startTries = 5                     // how often a worker is started for a file, if it dies before it has it
	startPause = 20 * time.Millisecond // before the second try, doubling
)

// Config says how a Pool starts its workers.
type Config struct {
	// Program is run with Arguments and what the worker is to know. The default is
	// this program with WorkerArgument.
	Program   string
	Arguments []string

	Workers   int      // 0 means one for each core; others may run for owners that have none
	Cache     string   // folder for compiled code, made if it is missing; without one it is compiled anew by each worker
	Tesseract string   // program that recognises text, by its whole path; empty means none
	Languages []string // that it recognises
	Log       *slog.Logger
}

// Pool reads files in workers. It is safe for concurrent use.
type Pool struct {
	config  Config
	memory  int64 // that a worker may take while it reads
	warm    time.Duration
	turns   *limit.Turns    // one for each worker that may run
	closing context.Context // its end is that of all workers
	close   context.CancelFunc
	mu      sync.Mutex
	closed  bool
	idle    []*worker      // the one that was used last is at the end
	busy    sync.WaitGroup // readings, and what they left behind
	warned  sync.Once

	started, broken atomic.Int64 // workers
}

// Stats is what a Pool has done and holds.
type Stats struct {
	Reading, Waiting int // files
	Idle, Most       int // workers
	Started, Broken  int64
}

// Stats returns what the Pool has done and holds at the moment.
func (p *Pool) Stats() Stats {
	reading, waiting := p.turns.Use()
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{Reading: reading, Waiting: waiting, Idle: len(p.idle), Most: p.config.Workers, Started: p.started.Load(), Broken: p.broken.Load()}
}

// NewPool returns a Pool. Workers are started when there is something to read.
func NewPool(config Config) *Pool {
	if config.Workers <= 0 {
		config.Workers = runtime.GOMAXPROCS(0)
	}
	if config.Program == "" {
		config.Program = thisProgram()
	}
	if len(config.Arguments) == 0 {
		config.Arguments = []string{WorkerArgument}
	}
	if config.Cache != "" {
		config.Cache, _ = filepath.Abs(config.Cache) // workers are in another folder; without one, each compiles
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	p := &Pool{config: config, memory: maxMemory, warm: warmTime, turns: limit.NewTurns(config.Workers, config.Workers)}
	p.closing, p.close = context.WithCancel(context.Background())
	return p
}

// Close ends all workers, those that read too, and waits until they are gone.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	p.close()
	for _, w := range idle {
		w.end()
	}
	p.busy.Wait()
}

// Read reads a file in a worker, which is killed when ctx ends. The errors are
// *trawl.Error that say what is wrong with the file (CodeFileEncrypted,
// CodeFileDamaged, CodeFileTooComplex, CodeFileType for kinds without a reader), with
// its pages (CodeOCRRequired, CodePDFTime), that time ran out (CodeTimeout) or that no
// worker can be started (CodeUnavailable), and what Options.Admit returned.
func (p *Pool) Read(ctx context.Context, kind Kind, body []byte, o Options) (*Result, error) {
	if _, ok := readers[kind]; !ok {
		return nil, trawl.Errorf(trawl.CodeFileType, "Files of this type cannot be read.")
	}
	if kind == Image && p.config.Tesseract == "" {
		return nil, trawl.Errorf(trawl.CodeFileType, "Pictures are read by text recognition, which is not installed on this server.")
	}
	if len(body) > maxBody {
		return nil, failedComplex.explain(nil)
	}
	if !p.enter() {
		return nil, trawl.Errorf(trawl.CodeUnavailable, "The service is shutting down.")
	}
	defer p.busy.Done()
	result, err := p.persist(ctx, kind, body, o)
	return result, p.explain(ctx, kind, err)
}

// persist reads a file with another worker as long as one is gone before it has the
// file, which did nothing to it. Those that had read others before do not count.
func (p *Pool) persist(ctx context.Context, kind Kind, body []byte, o Options) (*Result, error) {
	pause := startPause
	for tries := 0; ; {
		result, err := p.read(ctx, kind, body, o)
		if errors.Is(err, errStart) {
			tries++
		}
		if !errors.Is(err, errUntaken) && !errors.Is(err, errStart) || tries == startTries || ctx.Err() != nil {
			return result, err
		}
		if tries == 0 {
			continue
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return nil, err
		case <-p.closing.Done():
			return nil, err
		}
	}
}

// enter counts a reading, unless the Pool is closed.
func (p *Pool) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.busy.Add(1)
	}
	return !p.closed
}

func (p *Pool) read(ctx context.Context, kind Kind, body []byte, o Options) (*Result, error) {
	w, err := p.take(ctx, o.Owner, kind.HasPages() || o.Attachments && isMail(kind))
	if err != nil {
		return nil, err
	}
	fresh := w.files == 0
	result, err := w.read(ctx, p.memory, kind, body, o)
	p.give(w)
	if fresh && errors.Is(err, errUntaken) {
		err = errors.Join(errStart, err)
	}
	return result, err
}

// explain makes of an error what callers are to see, and logs what they are not.
func (p *Pool) explain(ctx context.Context, kind Kind, err error) error {
	if err == nil {
		return nil
	}
	if p.closing.Err() != nil {
		return trawl.Wrap(trawl.CodeUnavailable, "The service is shutting down.", err)
	}
	if errors.Is(err, errPanic) {
		p.config.Log.Error("a reader panicked", "kind", string(kind), "err", err)
	}
	if _, ok := errors.AsType[*trawl.Error](err); ok {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	if _, ok := errors.AsType[*deathError](err); ok && !errors.Is(err, errUntaken) {
		p.config.Log.Warn("a worker ended while it read a file", "kind", string(kind), "err", err)
		return failedComplex.explain(err)
	}
	p.config.Log.Error("a file could not be given to a worker", "kind", string(kind), "err", err)
	return trawl.Wrap(trawl.CodeUnavailable, "The server cannot read files at the moment. Try again later.", err)
}

// take returns a worker that is ready, and is the caller's until it is given back.
func (p *Pool) take(ctx context.Context, owner string, pdf bool) (*worker, error) {
	if err := p.turns.Wait(ctx, owner); err != nil {
		return nil, err
	}
	for {
		w, spare := p.pick(pdf)
		if spare != nil {
			spare.end()
		}
		if w == nil {
			return p.start(ctx, owner, pdf)
		}
		if resident(w.pid()) < p.memory/restPart {
			w.owner = owner
			return w, nil
		}
		w.end() // it had time enough to give its memory back
	}
}

// pick takes the worker that was used last, of those that can read such files. If
// none can, another one has to make room for it.
func (p *Pool) pick(pdf bool) (w, spare *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, candidate := range slices.Backward(p.idle) {
		if candidate.pdf || !pdf {
			p.idle = slices.Delete(p.idle, i, i+1)
			candidate.expiry.Stop()
			return candidate, nil
		}
	}
	if len(p.idle) > 0 {
		spare = p.idle[0]
		p.idle = p.idle[1:]
		spare.expiry.Stop()
	}
	return nil, spare
}

// start starts a worker and waits until it is ready. Who cannot wait so long leaves
// it to the next: starting anew each time would never come to an end.
func (p *Pool) start(ctx context.Context, owner string, pdf bool) (*worker, error) {
	w, err := launch(p.closing, p.config, pdf)
	if err != nil {
		p.turns.End(owner)
		return nil, errors.Join(errStart, err)
	}
	w.owner = owner
	p.started.Add(1)
	ready := make(chan error, 1)
	p.busy.Go(func() { ready <- p.prepare(w) })
	select {
	case err := <-ready:
		if err != nil {
			w.broken = true
			p.give(w)
			return nil, errors.Join(errStart, err)
		}
		return w, nil
	case <-ctx.Done():
		p.busy.Go(func() {
			w.broken = <-ready != nil
			p.give(w)
		})
		return nil, ctx.Err()
	}
}

// prepare waits until a worker is ready.
func (p *Pool) prepare(w *worker) error {
	slow := time.AfterFunc(startTime, w.kill)
	defer slow.Stop()
	var n notice
	if err := w.stream.readJSON(frameReady, maxSmall, &n); err != nil {
		return w.death(errors.Join(errUntaken, err))
	}
	if n.Unguarded != "" {
		p.warned.Do(func() {
			p.config.Log.Warn("workers that read files keep rights that they should not have", "err", n.Unguarded)
		})
	}
	return nil
}

// give takes a worker back. It is ended if it is broken or has done enough.
func (p *Pool) give(w *worker) {
	defer p.turns.End(w.owner)
	if w.broken {
		p.broken.Add(1)
	}
	if w.broken || w.files >= maxFiles || w.busy >= maxBusy || !p.keep(w) {
		w.end()
	}
}

// keep puts a worker among the idle ones, unless there are enough or the Pool is
// closed.
func (p *Pool) keep(w *worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= p.config.Workers {
		return false
	}
	w.since = time.Now()
	p.idle = append(p.idle, w)
	w.expiry = time.AfterFunc(p.warm, func() { p.expire(w) })
	return true
}

// expire ends a worker that nobody had a use for. The last one stays longer.
func (p *Pool) expire(w *worker) {
	p.mu.Lock()
	i := slices.Index(p.idle, w)
	unused := i >= 0 && (len(p.idle) > 1 || time.Since(w.since) >= lastTime)
	switch {
	case unused:
		p.idle = slices.Delete(p.idle, i, i+1)
		p.busy.Add(1)
	case i >= 0:
		w.expiry.Reset(p.warm)
	}
	p.mu.Unlock()
	if unused {
		w.end()
		p.busy.Done()
	}
}
