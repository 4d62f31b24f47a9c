package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/trawlhq/trawl/document/pdfium"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxHTML   = 32 << 20
	maxBlocks = 200_000
	maxStack  = 64 << 20    // readers bound how deep they go; this is for what they missed
	tidyAbove = 64 << 20    // with more memory than that in use, it is given back
	tidyAfter = time.Second // without a file, for that takes as long as a small file
	largeFile = 192 << 20   // with more than that at once, so that the next file finds room
)

// Work is a worker: it reads files that come from in and writes what came of them
// to out, until in ends. Args are those after [WorkerArgument]. The process can do
// little else afterwards.
func Work(ctx context.Context, in io.Reader, out io.Writer, args []string) error {
	return work(ctx, in, out, args, readers)
}

func work(ctx context.Context, in io.Reader, out io.Writer, args []string, readers map[Kind]reader) error {
	if len(args) == 0 {
		return errors.New("a worker is started by a pool, with its argument")
	}
	d := desk{stream: newStream(in, out), readers: readers}
	if err := json.Unmarshal([]byte(args[len(args)-1]), &d.setup); err != nil {
		return fmt.Errorf("read the argument: %w", err)
	}
	debug.SetMaxStack(maxStack)
	if err := d.prepare(ctx); err != nil {
		return err
	}
	for {
		err := d.next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if inUse() > largeFile {
			debug.FreeOSMemory()
		}
	}
}

// desk is where a worker works.
type desk struct {
	setup
	stream  *stream
	readers map[Kind]reader
	engine  *pdfium.Engine
}

// prepare gets all that needs rights, gives up the rights, and says so. Nothing of
// a file has been read before that, so that a file can change nothing that other
// workers rely upon, as the cache of compiled code.
func (d *desk) prepare(ctx context.Context) (err error) {
	if d.PDF {
		if d.engine, err = pdfium.Start(ctx, d.Cache); err != nil {
			return fmt.Errorf("start the PDF engine: %w", err)
		}
		debug.FreeOSMemory()
	}
	var n notice
	if err := giveUp(d.Tesseract != ""); err != nil {
		n.Unguarded = err.Error()
	}
	if err := d.stream.writeJSON(frameReady, n); err != nil {
		return err
	}
	return d.stream.flush()
}

// next reads a file.
func (d *desk) next(ctx context.Context) error {
	var r request
	idle := time.AfterFunc(tidyAfter, tidy)
	err := d.stream.readJSON(frameRequest, maxSmall, &r)
	idle.Stop()
	if err != nil {
		return err
	}
	body, err := d.stream.read(frameBody, maxBody)
	if err != nil {
		return err
	}
	if err := d.stream.write(frameTaken, nil); err != nil {
		return err
	}
	if err := d.stream.flush(); err != nil {
		return err
	}
	answer, page := d.read(ctx, r, body)
	answer.Detail = clip(answer.Detail, maxDetail)
	if err := d.stream.writeJSON(frameReply, answer); err != nil {
		return err
	}
	if answer.Failure == "" {
		if err := d.stream.write(framePage, page); err != nil {
			return err
		}
	}
	return d.stream.flush()
}

// read reads a file into what is said about it and its HTML.
func (d *desk) read(ctx context.Context, r request, body []byte) (answer reply, page []byte) {
	defer func() {
		if p := recover(); p != nil {
			answer = reply{Failure: failedPanic, Detail: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	doc, err := d.open(ctx, r, body)
	if err != nil {
		return reply{Failure: failureOf(err), Detail: err.Error()}, nil
	}
	output := tree.Write(doc, maxHTML)
	if output.Cut && output.Empty {
		return reply{Failure: failedComplex, Detail: "all of it is nested too deeply"}, nil
	}
	answer = reply{TotalPages: doc.TotalPages, Pages: placed(doc, output), Warnings: doc.Warnings}
	if output.Cut {
		answer.Warnings = append(answer.Warnings, "The document is longer than can be returned; the rest of it is missing.")
	}
	return answer, output.HTML
}

// open has the reader of its kind read a file.
func (d *desk) open(ctx context.Context, r request, body []byte) (*tree.Document, error) {
	read, ok := d.readers[r.Kind]
	if !ok {
		return nil, fmt.Errorf("no reader for %q: %w", r.Kind, tree.ErrDamaged)
	}
	if r.Milliseconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.Milliseconds)*time.Millisecond)
		defer cancel()
	}
	return read(ctx, d, r, body)
}

// ask asks the Pool how many of the pages are to be read.
func (d *desk) ask(total int) (int, error) {
	if err := d.stream.writeJSON(frameQuestion, question{Pages: total}); err != nil {
		return 0, err
	}
	if err := d.stream.flush(); err != nil {
		return 0, err
	}
	var a answer
	if err := d.stream.readJSON(frameAnswer, maxSmall, &a); err != nil {
		return 0, err
	}
	if a.Refused {
		return 0, errRefused
	}
	return a.Pages, nil
}

// placed tells where the pages and blocks are in the HTML.
func placed(doc *tree.Document, output tree.Output) []Page {
	pages, left := make([]Page, len(doc.Pages)), maxBlocks
	for i := range doc.Pages {
		from, extent := &doc.Pages[i], output.Pages[i]
		to := &pages[i]
		*to = Page{Number: from.Number, Width: round(from.Width, 10), Height: round(from.Height, 10), Status: from.Status, Repeated: from.Repeated, From: extent.From, To: extent.To}
		if left -= len(from.Blocks); left < 0 {
			continue
		}
		to.Blocks = make([]Block, len(from.Blocks))
		for j := range from.Blocks {
			block := &from.Blocks[j]
			to.Blocks[j] = Block{Label: block.Label, Confidence: round(block.Confidence, 1e4), From: extent.Blocks[j][0], To: extent.Blocks[j][1]}
			for k, side := range block.Box {
				to.Blocks[j].Box[k] = min(max(round(side, 1e4), 0), 1)
			}
		}
	}
	return pages
}

// round rounds to so many parts of one. What is no number becomes 0.
func round(x, parts float64) float64 {
	if x = math.Round(x*parts) / parts; math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// tidy gives back memory that was used for files, while there is none.
func tidy() {
	if inUse() > tidyAbove {
		debug.FreeOSMemory()
	}
}

// inUse is how much memory the system has given for what is, or was, in use.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.HeapIdle - m.HeapReleased
}
