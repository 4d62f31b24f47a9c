package document_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestPoolRead(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	result, err := pool.Read(t.Context(), document.RTF, []byte("say hello"), document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(result.HTML, []byte("<p>hello</p>")) || len(result.Warnings) != 1 || result.Warnings[0] != "A warning." {
		t.Errorf("got %s with %q", result.HTML, result.Warnings)
	}
}

func TestPoolReadPages(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	asked := 0
	result, err := pool.Read(t.Context(), document.RTF, []byte("pages 5"), document.Options{Admit: func(total int) (int, error) {
		asked = total
		return 3, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if asked != 5 || result.TotalPages != 5 || len(result.Pages) != 3 {
		t.Fatalf("asked for %d pages, read %d of %d", asked, len(result.Pages), result.TotalPages)
	}
	page := result.Pages[1]
	if got := string(result.HTML[page.From:page.To]); got != "<p>page 2</p>\n" || page.Number != 2 || page.Width != 595.3 || page.Status != "text" {
		t.Errorf("page 2 is %+v with %q", page, got)
	}
	block := page.Blocks[0]
	if got := string(result.HTML[block.From:block.To]); got != "<p>page 2</p>\n" || block.Label != "text" || block.Box != [4]float64{0.1, 0.2, 0.9, 1} {
		t.Errorf("its block is %+v with %q", block, got)
	}
}

// TestPoolReadErrors is about files that cannot be read, and that the next one can
// be, whatever the one before did to its worker.
func TestPoolReadErrors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]trawl.Code{
		"encrypted": trawl.CodeFileEncrypted,
		"complex":   trawl.CodeFileTooComplex,
		"deep text": trawl.CodeFileTooComplex,
		"unknown":   trawl.CodeFileDamaged,
		"panic":     trawl.CodeFileDamaged,
		"recurse":   trawl.CodeFileTooComplex,
		"exit":      trawl.CodeFileTooComplex,
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t, 1, obedient)
			_, err := pool.Read(t.Context(), document.DOC, []byte(body), document.Options{})
			wantError(t, err, want)
			if e, ok := errors.AsType[*trawl.Error](err); ok && strings.Contains(e.Message, "secret") {
				t.Errorf("the message tells what is inside: %q", e.Message)
			}
			say(t, pool, "hello")
		})
	}
}

func TestPoolReadKinds(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	for _, kind := range []document.Kind{document.Unknown, document.HTML, "exe"} {
		_, err := pool.Read(t.Context(), kind, []byte("say hello"), document.Options{})
		wantError(t, err, trawl.CodeFileType)
	}
	if workers := pool.Workers(); len(workers) > 0 {
		t.Error("a worker was started for nothing")
	}
}

func TestPoolAdmit(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	before := process(t, pool).pid
	refusal := trawl.Errorf(trawl.CodePayment, "Too many pages.")
	_, err := pool.Read(t.Context(), document.RTF, []byte("pages 5"), document.Options{Admit: func(int) (int, error) { return 0, refusal }})
	if !errors.Is(err, refusal) {
		t.Errorf("got %v, want what was said", err)
	}

	_, err = pool.Read(testtime.Context(t), document.RTF, []byte("pages 100000"), document.Options{MaxPages: 2})
	if err != nil {
		t.Errorf("two pages are not too many: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	_, err = pool.Read(short, document.RTF, []byte("pages 100000"), document.Options{})
	wantError(t, err, trawl.CodePDFTime)
	if after := process(t, pool).pid; after != before {
		t.Error("a refusal cost a worker")
	}
}

func TestPoolMemory(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("memory is not watched here")
	}
	pool := newPool(t, 1, obedient)
	pool.Bound(128<<20, time.Minute)
	_, err := pool.Read(t.Context(), document.RTF, []byte("hoard"), document.Options{})
	wantError(t, err, trawl.CodeFileTooComplex)
	say(t, pool, "hello")
}

func TestPoolKilledWhileReading(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	pid := process(t, pool).pid
	_, err := pool.Read(t.Context(), document.RTF, []byte("hold"), document.Options{Admit: func(int) (int, error) {
		return 1, syscall.Kill(pid, syscall.SIGKILL)
	}})
	wantError(t, err, trawl.CodeFileTooComplex)
	if after := process(t, pool).pid; after == pid {
		t.Error("it is still the same worker")
	}
}

// TestPoolKilledWhileIdle is about a worker that was gone before it was used: the
// file has nothing to do with that.
func TestPoolKilledWhileIdle(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	pid := process(t, pool).pid
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	say(t, pool, strings.Repeat("hello ", 1<<20))
}

func TestPoolDeadline(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	pid := process(t, pool).pid
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := pool.Read(ctx, document.RTF, []byte("spin"), document.Options{})
	wantError(t, err, trawl.CodeTimeout)
	wantGone(t, pid)
}

func TestPoolCancel(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	pid := process(t, pool).pid
	ctx, cancel := context.WithCancel(t.Context())
	_, err := pool.Read(ctx, document.RTF, []byte("hold"), document.Options{Admit: func(int) (int, error) {
		cancel()
		return 1, nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	wantGone(t, pid)
}

func TestPoolWorkers(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 2, obedient)
	var mu sync.Mutex
	pids := map[int]bool{}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			pid := process(t, pool).pid
			mu.Lock()
			defer mu.Unlock()
			pids[pid] = true
		})
	}
	all.Wait()
	if len(pids) > 2 {
		t.Errorf("%d workers were started, want 2 at most", len(pids))
	}
}

// TestPoolWaiting is about who waits for a worker that others use.
func TestPoolWaiting(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	_, err := pool.Read(t.Context(), document.RTF, []byte("pages 1"), document.Options{Admit: func(int) (int, error) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := pool.Read(ctx, document.RTF, []byte("say hello"), document.Options{})
		wantError(t, err, trawl.CodeTimeout)
		return 1, nil
	}})
	if err != nil {
		t.Error(err)
	}
}

// TestPoolSlowStart is about a worker that takes longer to start than who wanted it
// can wait: the next one gets it.
func TestPoolSlowStart(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "started")
	pool := newPool(t, 1, late, name)
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan string)
	go func() {
		pid := ""
		for pid == "" {
			data, _ := os.ReadFile(name)
			pid = string(data)
		}
		cancel()
		started <- pid
	}()
	if _, err := pool.Read(ctx, document.RTF, []byte("say hello"), document.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want that it was cancelled", err)
	}
	first := <-started
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if got := strconv.Itoa(process(t, pool).pid); got != first {
		t.Errorf("worker %s was started, and %s read the file", first, got)
	}
}

// TestPoolKilledWhileStarting kills workers before they are ready, more than once: the
// file is read by the next.
func TestPoolKilledWhileStarting(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "started")
	pool := newPool(t, 1, late, name)
	killed := make(chan error, 1)
	go func() {
		for range 3 {
			var data []byte
			for len(data) == 0 {
				data, _ = os.ReadFile(name)
			}
			pid, err := strconv.Atoi(string(data))
			if err = errors.Join(err, os.WriteFile(name, nil, 0o600), syscall.Kill(pid, syscall.SIGKILL)); err != nil {
				killed <- err
				return
			}
		}
		for {
			if data, _ := os.ReadFile(name); len(data) > 0 {
				killed <- os.Remove(name)
				return
			}
		}
	}()
	say(t, pool, "hello")
	if err := <-killed; err != nil {
		t.Error(err)
	}
}

// TestPoolAllKilled is about workers that are all gone while they wait.
func TestPoolAllKilled(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 3, obedient)
	nested := func(read func()) func(int) (int, error) {
		return func(int) (int, error) { read(); return 1, nil }
	}
	hold := func(read func()) {
		if _, err := pool.Read(t.Context(), document.RTF, []byte("pages 1"), document.Options{Admit: nested(read)}); err != nil {
			t.Error(err)
		}
	}
	hold(func() { hold(func() { say(t, pool, "hello") }) })
	workers := pool.Workers()
	if len(workers) != 3 {
		t.Fatalf("%d workers wait", len(workers))
	}
	for _, pid := range workers {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	say(t, pool, strings.Repeat("hello ", 1<<20))
}

func TestPoolIdle(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 3, obedient)
	pool.Bound(1<<30, time.Millisecond)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() { say(t, pool, "hello") })
	}
	all.Wait()
	for len(pool.Workers()) != 1 { // one stays for the next file
		time.Sleep(time.Millisecond)
	}
	say(t, pool, "hello")
}

func TestPoolClose(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, obedient)
	pid := process(t, pool).pid
	closed := make(chan struct{})
	_, err := pool.Read(t.Context(), document.RTF, []byte("hold"), document.Options{Admit: func(int) (int, error) {
		go func() {
			pool.Close()
			close(closed)
		}()
		return 1, nil
	}})
	wantError(t, err, trawl.CodeUnavailable)
	<-closed
	wantGone(t, pid)
	_, err = pool.Read(t.Context(), document.RTF, []byte("say hello"), document.Options{})
	wantError(t, err, trawl.CodeUnavailable)
}

// TestPoolLies is about workers that somebody else has got hold of.
func TestPoolLies(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"long", "short", "json", "place", "order", "block", "count", "unasked", "more", "kind", "ask"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			_, err := newPool(t, 1, lying, how).Read(t.Context(), document.RTF, []byte("hello"), document.Options{})
			wantError(t, err, trawl.CodeFileTooComplex)
		})
	}
	for _, how := range []string{"break", "leave"} {
		t.Run(how, func(t *testing.T) { // the file is not to blame
			t.Parallel()
			_, err := newPool(t, 1, lying, how).Read(t.Context(), document.RTF, []byte("hello"), document.Options{})
			wantError(t, err, trawl.CodeUnavailable)
		})
	}
	result, err := newPool(t, 1, lying, "words").Read(t.Context(), document.RTF, []byte("hello"), document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Warnings) != 20 || len(result.Warnings[0]) > 1000 || result.Warnings[19] != "There are 982 more warnings." {
		t.Errorf("%d warnings, the first of %d bytes", len(result.Warnings), len(result.Warnings[0]))
	}
}

func TestPoolWithoutProgram(t *testing.T) {
	t.Parallel()
	pool := document.NewPool(document.Config{Program: filepath.Join(t.TempDir(), "none")})
	defer pool.Close()
	_, err := pool.Read(t.Context(), document.RTF, []byte("hello"), document.Options{})
	wantError(t, err, trawl.CodeUnavailable)
}

// TestWorkEnds is about a worker whose service is gone.
func TestWorkEnds(t *testing.T) {
	t.Parallel()
	worker := exec.Command(os.Args[0], document.WorkerArgument, "{}")
	if out, err := worker.Output(); err != nil || !bytes.HasPrefix(out, []byte("s\x00\x00\x00\x02{}")) {
		t.Errorf("it said %q and ended with %v", out, err)
	}
	if err := exec.Command(os.Args[0], document.WorkerArgument).Run(); err == nil {
		t.Error("it works for nobody")
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("s\x00\x00\x00\x02{}"))
	f.Add([]byte("h\xff\xff\xff\xff"))
	f.Add([]byte("a\x00\x00\x00\x00b\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		payloads, err := document.Frames(bytes.NewReader(data), 1<<20)
		if err == nil {
			t.Fatal("it has no end")
		}
		at := 0
		for _, payload := range payloads {
			if length := int(binary.BigEndian.Uint32(data[at+1:])); length != len(payload) || !bytes.Equal(payload, data[at+5:at+5+length]) {
				t.Fatalf("got %q at %d", payload, at)
			}
			at += 5 + len(payload)
		}
	})
}

func BenchmarkPoolRead(b *testing.B) {
	pool := newPool(b, 1, obedient)
	say(b, pool, "hello")
	for b.Loop() {
		say(b, pool, "hello")
	}
}

// newPool returns a Pool whose workers are this test with those arguments.
func newPool(t testing.TB, workers int, arguments ...string) *document.Pool {
	t.Helper()
	pool := document.NewPool(document.Config{Workers: workers, Arguments: arguments})
	t.Cleanup(pool.Close)
	return pool
}

// say has the worker say something.
func say(t testing.TB, pool *document.Pool, text string) string {
	t.Helper()
	return tell(t, pool, "say "+text, text)
}

// tell has the worker do something, and returns what it said, which must hold want.
func tell(t testing.TB, pool *document.Pool, what, want string) string {
	t.Helper()
	return tellAs(t, pool, document.RTF, what, want)
}

// tellAs does so with a file of some kind.
func tellAs(t testing.TB, pool *document.Pool, kind document.Kind, what, want string) string {
	t.Helper()
	result, err := pool.Read(t.Context(), kind, []byte(what), document.Options{})
	if err != nil {
		t.Errorf("read: %v", err)
		return ""
	}
	text := string(result.HTML)
	text = text[strings.Index(text, "<p>")+3:]
	text = text[:strings.Index(text, "</p>")]
	if !strings.Contains(text, strings.TrimSpace(want)) {
		t.Errorf("the worker says %.200q, want %.200q", text, want)
	}
	return text
}

// identity is what a worker says of itself.
type identity struct {
	pid         int
	environment string
}

func process(t testing.TB, pool *document.Pool) identity {
	t.Helper()
	number, environment, _ := strings.Cut(tell(t, pool, "process", "|"), "|")
	pid, err := strconv.Atoi(number)
	if err != nil {
		t.Error(err)
	}
	return identity{pid, environment}
}

func wantError(t testing.TB, err error, want trawl.Code) {
	t.Helper()
	if got := trawl.ErrorCode(err); err == nil || got != want {
		t.Errorf("got %v (%s), want %s", err, got, want)
	}
}

// wantGone checks that a process is gone. Read waits for that.
func wantGone(t testing.TB, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the worker still runs: %v", err)
	}
}
