package cdp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// ErrGone is the error of calls to a target that was closed or has crashed.
var ErrGone = errors.New("browser target gone")

// Session talks to one target of a browser. It is safe for concurrent use and
// implements the Session of cdproto.
type Session struct {
	conn *Conn
	id   string
	gone chan struct{} // closed when the target is

	leaving  sync.Once
	mu       sync.Mutex
	handlers map[string][]*handler
}

type handler struct{ handle func(jsonv2.Value) }

var _ protocol.Session = (*Session)(nil)

// Gone is closed when the session has ended: its target or the browser is no more.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// End gives up on the session: all its calls fail from now on.
func (s *Session) End() {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if s.id != "" {
		delete(s.conn.sessions, s.id)
	}
	s.leave()
}

func (s *Session) leave() { s.leaving.Do(func() { close(s.gone) }) }

// Call runs a command and decodes its result. An answer that refuses the
// command is an *Error.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.Send(ctx, method, params)(result)
}

// Send sends a command and returns a function that waits for its result, so that
// several can be under way at once.
func (s *Session) Send(ctx context.Context, method string, params any) (wait func(result any) error) {
	b := s.conn.Batch(ctx)
	wait = b.Add(s, method, params)
	b.flush()
	return wait
}

// Batch is a number of commands that are sent in one piece, which wakes both sides
// up once and not for each of them. It is for one goroutine.
type Batch struct {
	conn *Conn
	ctx  context.Context
	data []byte
	err  error
}

// Batch begins a batch. The commands are sent in order as soon as the result of
// one is waited for.
func (c *Conn) Batch(ctx context.Context) *Batch { return &Batch{conn: c, ctx: ctx} }

// Batch begins a batch on the connection of the session.
func (s *Session) Batch(ctx context.Context) *Batch { return s.conn.Batch(ctx) }

// Add adds a command for a session and returns a function that waits for its result.
func (b *Batch) Add(s *Session, method string, params any) (wait func(result any) error) {
	data, id, answer, err := b.conn.register(s, method, params, b.data)
	b.data = data
	return func(result any) error {
		b.flush()
		switch {
		case err != nil:
		case b.err != nil:
			b.conn.forget(id)
			err = b.err
		default:
			err = s.await(b.ctx, id, answer, result)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		return nil
	}
}

// flush sends what was not sent yet.
func (b *Batch) flush() {
	if len(b.data) > 0 && b.err == nil {
		b.err = b.conn.write(b.ctx, b.data)
		b.data = nil
	}
}

func (s *Session) await(ctx context.Context, id int64, answer chan message, result any) error {
	var m message
	select {
	case m = <-answer:
	case <-ctx.Done():
		s.conn.forget(id)
		return ctx.Err()
	case <-s.gone:
		s.conn.forget(id)
		select {
		case m = <-answer: // it came before the end
		default:
			if err := s.conn.ended(); err != nil {
				return err
			}
			return ErrGone
		}
	}
	if m.Error != nil {
		return m.Error
	}
	if result == nil {
		return nil
	}
	if err := jsonv2.Unmarshal(m.Result, result, lenient); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	return nil
}

func (c *Conn) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// On calls handle for each event of a method, in order, until cancel is called.
// It runs where messages are read: it must not block nor make calls.
func (s *Session) On(method string, handle func(params jsonv2.Value)) (cancel func()) {
	h := &handler{handle}
	s.conn.mu.Lock()
	s.conn.heard[method] = struct{}{}
	s.conn.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handlers == nil {
		s.handlers = map[string][]*handler{}
	}
	s.handlers[method] = append(slices.Clone(s.handlers[method]), h)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.handlers[method] = slices.DeleteFunc(slices.Clone(s.handlers[method]), func(other *handler) bool { return other == h })
	}
}

// On calls handle for each event of a kind, as [Session.On] does.
func On[E any](s *Session, event protocol.Event[E], handle func(E)) (cancel func()) {
	return s.On(event.Method, func(params jsonv2.Value) {
		var payload E
		if err := jsonv2.Unmarshal(params, &payload, lenient); err == nil {
			handle(payload)
		}
	})
}

// Subscribe returns a channel on which the events of a method arrive. If nobody
// takes them, those beyond some hundreds are dropped.
func (s *Session) Subscribe(method string) (events <-chan jsonv2.Value, cancel func()) {
	channel := make(chan jsonv2.Value, eventBuffer)
	return channel, s.On(method, func(params jsonv2.Value) {
		select {
		case channel <- params:
		default:
		}
	})
}

// tell passes an event to those who asked for it.
func (s *Session) tell(method string, params jsonv2.Value) {
	s.mu.Lock()
	handlers := s.handlers[method]
	s.mu.Unlock()
	for _, h := range handlers {
		h.handle(params)
	}
}
