package document

import (
	"context"
	"io"
	"time"

	"github.com/trawlhq/trawl/document/tree"
)

// WorkWith is [Work] with one reader for all kinds. It can ask the Pool about pages.
func WorkWith(ctx context.Context, in io.Reader, out io.Writer, args []string, read func(body string, ask func(int) (int, error)) (*tree.Document, error)) error {
	one := func(_ context.Context, d *desk, _ request, body []byte) (*tree.Document, error) {
		return read(string(body), d.ask)
	}
	with := map[Kind]reader{}
	for kind := range readers {
		with[kind] = one
	}
	return work(ctx, in, out, args, with)
}

// Bound changes how much memory workers may take, and how long they wait for files.
func (p *Pool) Bound(memory int64, warm time.Duration) { p.memory, p.warm = memory, warm }

// Workers returns the processes that wait for files.
func (p *Pool) Workers() (pids []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		pids = append(pids, w.pid())
	}
	return pids
}

// Frames reads all frames that there are, of any kind.
func Frames(in io.Reader, most int) (payloads [][]byte, err error) {
	s := newStream(in, io.Discard)
	for {
		kind, length, err := s.next()
		if err != nil {
			return payloads, err
		}
		if length > most || kind == 0 {
			return payloads, errProtocol
		}
		payload, err := s.payload(length)
		if err != nil {
			return payloads, err
		}
		payloads = append(payloads, payload)
	}
}

// Frame returns a frame.
func Frame(out io.Writer, kind byte, payload []byte) error {
	s := newStream(nil, out)
	if err := s.write(kind, payload); err != nil {
		return err
	}
	return s.flush()
}
