package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/trawlhq/trawl"
)

const (
	maxMemory  = 800 << 20 // of a worker that reads; a hostile PDF alone can take up nearly as much before it is refused
	restPart   = 3         // the part of it with which a worker is not used again after its rest
	collectAt  = "300MiB"  // where Go's collector begins to work harder
	watchEvery = 20 * time.Millisecond

	maxPages = 5000                 // of a file that are read
	pageTime = 4 * time.Millisecond // the least that a page takes, so that only what cannot be done is refused
)

// errUntaken is that a worker ended before it had the whole file.
var errUntaken = errors.New("it did not begin")

// errStart is that a worker could not be started, or ended before its first file.
var errStart = errors.New("it did not start")

// errLarge is that a worker took more memory than it may.
var errLarge = errors.New("it took more memory than it may")

// deathError is that a worker ended, or had to be.
type deathError struct {
	err  error
	said *tail
}

func (e *deathError) Error() string { return "worker: " + e.err.Error() + e.said.text() }
func (e *deathError) Unwrap() error { return e.err }

// worker is a process that reads one file after the other. It belongs to whoever
// took it from the Pool.
type worker struct {
	command *exec.Cmd
	stream  *stream
	said    *tail
	owner   string // for whom it reads
	pdf     bool   // it can read PDF files
	broken  bool   // it cannot be used again
	files   int
	busy    time.Duration
	since   time.Time // when its rest began
	expiry  *time.Timer
	release func() bool // from the end of the Pool

	mu    sync.Mutex
	ended bool
}

// launch starts a worker. It is killed when closing ends.
func launch(closing context.Context, c Config, pdf bool) (*worker, error) {
	told := setup{PDF: pdf}
	if pdf { // only then it needs more, and gets more rights
		told.Cache, told.Tesseract, told.Languages = c.Cache, c.Tesseract, c.Languages
	}
	argument, err := json.Marshal(told)
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	w := &worker{pdf: pdf, said: &tail{}}
	w.command = exec.Command(c.Program, append(slices.Clone(c.Arguments), string(argument))...)
	w.command.Dir = "/"
	w.command.Env = []string{"GOMEMLIMIT=" + collectAt, "GOMAXPROCS=2"}
	if data := os.Getenv("TESSDATA_PREFIX"); data != "" && told.Tesseract != "" {
		w.command.Env = append(w.command.Env, "TESSDATA_PREFIX="+data)
	}
	w.command.Stderr = w.said
	w.command.WaitDelay = time.Second
	w.command.SysProcAttr = processAttributes()
	in, err1 := w.command.StdinPipe()
	out, err2 := w.command.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	if err := w.command.Start(); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	w.stream = newStream(out, in)
	w.release = context.AfterFunc(closing, w.kill)
	return w, nil
}

func (w *worker) pid() int { return w.command.Process.Pid }

// kill ends the process and all that it started. It may be called at any time.
func (w *worker) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended { // after that the number may be that of another
		_ = syscall.Kill(-w.pid(), syscall.SIGKILL)
	}
}

// end kills the process and waits until it is gone. The owner calls it once.
func (w *worker) end() {
	w.release()
	w.kill()
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	_ = w.command.Wait()
}

// death ends a worker that did not do what it should.
func (w *worker) death(err error) error {
	w.broken = true
	w.kill()
	return &deathError{err: err, said: w.said}
}

// read has the worker read a file.
func (w *worker) read(ctx context.Context, memory int64, kind Kind, body []byte, o Options) (*Result, error) {
	begin := time.Now()
	done := make(chan struct{})
	var watching sync.WaitGroup
	large := false
	watching.Go(func() { large = w.watch(memory, done) })
	stop := context.AfterFunc(ctx, w.kill)
	result, err := w.converse(ctx, kind, body, o)
	close(done)
	watching.Wait()
	if !stop() || large {
		w.broken = true
	}
	if large && err != nil {
		err = w.death(errLarge)
	}
	w.files++
	w.busy += time.Since(begin)
	return result, err
}

// watch kills the worker when it takes more memory than it may, and reports whether
// it did.
func (w *worker) watch(most int64, done <-chan struct{}) bool {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return false
		case <-tick.C:
			if resident(w.pid()) > most {
				w.kill()
				return true
			}
		}
	}
}

// converse is the conversation about one file.
func (w *worker) converse(ctx context.Context, kind Kind, body []byte, o Options) (*Result, error) {
	r := request{Kind: kind, Mode: o.Mode, MaxPages: o.MaxPages, PageByPage: o.PageByPage, Attachments: o.Attachments}
	if deadline, ok := ctx.Deadline(); ok {
		r.Milliseconds = max(1, time.Until(deadline).Milliseconds())
	}
	if err := w.hand(r, body); err != nil {
		return nil, w.death(errors.Join(errUntaken, err))
	}
	var refusal error
	admitted := 0
	for asked := false; ; asked = true {
		kind, length, err := w.stream.next()
		switch {
		case err != nil:
			return nil, w.death(err)
		case kind == frameReply && length <= maxReply:
			return w.receive(length, admitted, refusal)
		case kind != frameQuestion || length > maxSmall || asked:
			return nil, w.death(errProtocol)
		}
		if admitted, refusal, err = w.answer(ctx, length, o); err != nil {
			return nil, w.death(err)
		}
	}
}

// hand gives the worker a file, and waits until it has all of it.
func (w *worker) hand(r request, body []byte) error {
	if err := w.stream.writeJSON(frameRequest, r); err != nil {
		return err
	}
	if err := w.stream.write(frameBody, body); err != nil {
		return err
	}
	if err := w.stream.flush(); err != nil {
		return err
	}
	_, err := w.stream.read(frameTaken, 0)
	return err
}

// answer answers the question how many pages are to be read. A refusal is what the
// caller gets to see.
func (w *worker) answer(ctx context.Context, length int, o Options) (pages int, refusal, err error) {
	payload, err := w.stream.payload(length)
	if err != nil {
		return 0, nil, err
	}
	var q question
	if err := json.Unmarshal(payload, &q); err != nil || q.Pages < 0 {
		return 0, nil, errors.Join(errProtocol, err)
	}
	pages, refusal = admit(ctx, q.Pages, o)
	if err := w.stream.writeJSON(frameAnswer, answer{Pages: pages, Refused: refusal != nil}); err != nil {
		return 0, nil, err
	}
	return pages, refusal, w.stream.flush()
}

// admit tells how many of the pages are to be read: what the caller admits and what
// can be done in time.
func admit(ctx context.Context, total int, o Options) (pages int, err error) {
	total = min(total, maxPages)
	pages = total
	if o.Admit != nil {
		if pages, err = o.Admit(total); err != nil {
			return 0, err
		}
	}
	if o.MaxPages > 0 {
		pages = min(pages, o.MaxPages)
	}
	pages = max(min(pages, total), 0)
	if deadline, ok := ctx.Deadline(); ok && time.Duration(pages)*pageTime > time.Until(deadline) {
		return 0, trawl.Errorf(trawl.CodePDFTime, "Insufficient time to process PDF: its %d pages cannot be read before the timeout. Ask for fewer with maxPages, or for more time.", pages)
	}
	return pages, nil
}

// receive takes what came of the file. Pages that were not admitted are not taken:
// somebody has to pay for them.
func (w *worker) receive(length, admitted int, refusal error) (*Result, error) {
	payload, err := w.stream.payload(length)
	if err != nil {
		return nil, w.death(err)
	}
	var r reply
	if err := json.Unmarshal(payload, &r); err != nil {
		return nil, w.death(err)
	}
	if r.Failure != "" {
		if refusal != nil {
			return nil, refusal
		}
		cause := errors.New(clip(r.Detail, maxDetail))
		if r.Failure == failedPanic {
			cause = errors.Join(errPanic, cause)
		}
		return nil, r.Failure.explain(cause)
	}
	html, err := w.stream.read(framePage, maxPage)
	if err != nil {
		return nil, w.death(err)
	}
	result := &Result{HTML: html, TotalPages: r.TotalPages, Pages: r.Pages, Warnings: r.Warnings}
	if err := result.check(admitted); err != nil {
		return nil, w.death(err)
	}
	return result, nil
}

// check makes sure that a result can be relied upon, whoever made it.
func (r *Result) check(admitted int) error {
	within := func(from, to, first, last int) bool { return first <= from && from <= to && to <= last }
	if len(r.Pages) > min(r.TotalPages, admitted) {
		return fmt.Errorf("%d of %d pages, %d admitted: %w", len(r.Pages), r.TotalPages, admitted, errProtocol)
	}
	for i := range r.Pages {
		page := &r.Pages[i]
		if !within(page.From, page.To, 0, len(r.HTML)) || page.Number < 1 || page.Number > r.TotalPages {
			return fmt.Errorf("page %d: %w", i, errProtocol)
		}
		page.Status = clip(page.Status, maxWord)
		for j := range page.Blocks {
			block := &page.Blocks[j]
			if !within(block.From, block.To, page.From, page.To) {
				return fmt.Errorf("page %d block %d: %w", i, j, errProtocol)
			}
			block.Label = clip(block.Label, maxWord)
		}
	}
	if more := len(r.Warnings) - maxWarnings; more > 0 {
		r.Warnings = append(r.Warnings[:maxWarnings-1], fmt.Sprintf("There are %d more warnings.", more+1))
	}
	for i, warning := range r.Warnings {
		r.Warnings[i] = clip(warning, maxWarning)
	}
	return nil
}

// Bounds of what a result says in words.
const (
	maxDetail   = 2000
	maxWord     = 32
	maxWarnings = 20
	maxWarning  = 1000
)

// clip cuts a text to so many bytes, between characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// tail keeps the last of what is written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

const tailBytes = 2 << 10

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, data[max(0, len(data)-tailBytes):]...)
	if extra := len(t.last) - tailBytes; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(data), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) == 0 {
		return ""
	}
	return ": " + strings.ToValidUTF8(string(t.last), "")
}
