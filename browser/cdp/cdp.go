// Package cdp speaks the Chrome DevTools Protocol over a pair of pipes, in
// which messages are JSON that ends with a zero byte. A [Conn] is the
// connection to one browser; a [Session] on it talks to one of its targets, or
// to the browser itself, and is what the typed commands of cdproto run on:
//
//	frame, err := cdp.Call(ctx, session, page.Navigate, page.NavigateParams{URL: "https://example.com"})
//
// A renderer that crashed answers nothing, so every call needs a context that
// ends. A browser that sends a message beyond all bounds, or does not take one,
// is cut off.
//
// A [Guest] is a client of somebody else, who speaks the protocol through the same
// pipes and is kept to sessions of its own.
package cdp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

const (
	maxMessage   = 256 << 20 // a page is far smaller; pictures and PDF files are what is large
	maxForeign   = 64 << 20  // of what we did not ask for: events, and answers to guests
	mostSkipped  = 16        // times as much
	writeTimeout = 10 * time.Second
	eventBuffer  = 256
)

// lenient is how JSON is read and written: strings of a page need not be proper
// Unicode, and half a surrogate pair must not end the connection.
var lenient = jsonv2.AllowInvalidUTF8(true)

// detached is the event that tells of the end of a session.
const detached = "Target.detachedFromTarget"

// ErrClosed is the error of calls on a connection that ended.
var ErrClosed = errors.New("browser connection closed")

// Error is the answer of a browser that refuses a command.
type Error struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

func (e *Error) Error() string {
	if e.Data != "" {
		return e.Message + " (" + e.Data + ")"
	}
	return e.Message
}

// Writer takes messages; writing to it must be able to time out.
type Writer interface {
	io.WriteCloser
	SetWriteDeadline(t time.Time) error
}

// Conn is a connection to a browser. It is safe for concurrent use.
type Conn struct {
	in      io.ReadCloser
	out     Writer
	writing chan struct{} // a token for the one who writes
	done    chan struct{} // closed when nothing is read any more

	bounds bounds

	mu       sync.Mutex
	err      error // why the connection ended
	last     int64
	waiting  map[int64]waiter
	sessions map[string]*Session
	heard    map[string]struct{}    // events that somebody asked for, once
	attached map[string]*attachment // sessions of guests
	errands  map[int64]errand       // commands of guests
}

// bounds are what a browser may ask of us.
type bounds struct {
	message int           // bytes
	foreign int           // bytes
	write   time.Duration // until it takes a message
}

// waiter is a call that waits for its answer.
type waiter struct {
	session *Session
	answer  chan message
}

// message is anything a browser sends: an answer if it has an ID, else an event.
type message struct {
	ID        int64        `json:"id"`
	Method    string       `json:"method"`
	SessionID string       `json:"sessionId"`
	Params    jsonv2.Value `json:"params"`
	Result    jsonv2.Value `json:"result"`
	Error     *Error       `json:"error"`
}

type command struct {
	ID        int64  `json:"id"`
	Method    string `json:"method"`
	Params    any    `json:"params,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
}

// New returns a connection that reads from one pipe and writes to another. It
// owns both.
func New(in io.ReadCloser, out Writer) *Conn {
	return newConn(in, out, bounds{maxMessage, maxForeign, writeTimeout})
}

func newConn(in io.ReadCloser, out Writer, most bounds) *Conn {
	c := &Conn{
		in: in, out: out, writing: make(chan struct{}, 1), done: make(chan struct{}), bounds: most,
		waiting: map[int64]waiter{}, sessions: map[string]*Session{}, heard: map[string]struct{}{detached: {}},
		attached: map[string]*attachment{}, errands: map[int64]errand{},
	}
	c.sessions[""] = &Session{conn: c, gone: make(chan struct{})}
	go c.read()
	return c
}

// Browser returns the session with the browser itself.
func (c *Conn) Browser() *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[""]
}

// Session returns the session of the given id, which a target was attached under.
// Events of a session that nobody asked for are dropped.
func (c *Conn) Session(id string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[id]
	if s == nil {
		s = &Session{conn: c, id: id, gone: make(chan struct{})}
		c.sessions[id] = s
	}
	if c.err != nil {
		s.leave()
	}
	return s
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close ends the connection and waits until nothing is read any more.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	<-c.done
	return nil
}

// fail ends the connection for a reason; only the first one counts.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	_ = c.out.Close()
	_ = c.in.Close()
	for _, s := range c.sessions {
		s.leave()
	}
	for _, a := range c.attached {
		a.guest.leave()
	}
}

// read delivers what the browser sends until there is no more.
func (c *Conn) read() {
	defer close(c.done)
	reader := bufio.NewReaderSize(c.in, 64<<10)
	for {
		data, err := c.next(reader)
		if err == nil {
			err = c.deliver(data)
		}
		if err != nil {
			c.fail(fmt.Errorf("%w: %w", ErrClosed, err))
			return
		}
	}
}

// next returns the next message without its zero byte. The bytes are valid until
// the next call unless the message was long.
func (c *Conn) next(reader *bufio.Reader) ([]byte, error) {
	data, err := reader.ReadSlice(0)
	if err == nil {
		return data[:len(data)-1], nil
	}
	long := append([]byte(nil), data...)
	for errors.Is(err, bufio.ErrBufferFull) {
		switch {
		case len(long) > c.bounds.message:
			return nil, errors.New("message too large")
		case len(long) > c.bounds.foreign && !c.awaited(long):
			return c.skip(reader, long)
		}
		data, err = reader.ReadSlice(0)
		long = append(long, data...)
	}
	if err != nil {
		return nil, err
	}
	return long[:len(long)-1], nil
}

// awaited reports whether a message, of which the beginning is there, is the answer
// to a call of ours.
func (c *Conn) awaited(data []byte) bool {
	id, ok := answerOf(data)
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waits := c.waiting[id]
	return ok && waits
}

// skip reads over the rest of a message that is too large for whoever it is for, and
// returns another in its place: an error where it is an answer, else an event that
// nobody knows.
func (c *Conn) skip(reader *bufio.Reader, begin []byte) ([]byte, error) {
	size := len(begin)
	for err := bufio.ErrBufferFull; err != nil; {
		var data []byte
		if data, err = reader.ReadSlice(0); err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if size += len(data); size > mostSkipped*c.bounds.foreign {
			return nil, errors.New("message has no end")
		}
	}
	id, _ := answerOf(begin)
	c.mu.Lock()
	e, asked := c.errands[id]
	c.mu.Unlock()
	if !asked {
		return []byte(`{"method":""}`), nil
	}
	return fmt.Appendf(nil, `{"id":%d,"error":{"code":-32000,"message":"The answer is larger than %d MiB."},"sessionId":%q}`,
		id, c.bounds.foreign>>20, e.session), nil
}

// deliver passes a message to the guest, the call or the handlers that it is for. Events that
// nobody asked for are most of what a browser sends, and are not even read.
func (c *Conn) deliver(data []byte) error {
	if c.hasGuests() && c.toGuest(data) {
		return nil
	}
	if method, ok := eventOf(data); ok && !c.isHeard(method) {
		return nil
	}
	var m message
	if err := jsonv2.Unmarshal(data, &m, lenient); err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	c.mu.Lock()
	if m.ID != 0 {
		w, ok := c.waiting[m.ID]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if ok {
			w.answer <- m // never blocks: it has room for the one answer
		}
		return nil
	}
	session := c.sessions[m.SessionID]
	if m.Method == detached {
		c.detach(m.Params)
	}
	c.mu.Unlock()
	if session != nil {
		session.tell(m.Method, m.Params)
	}
	return nil
}

// eventOf returns the name of an event, if a message is one and begins with it, as
// those of browsers do.
func eventOf(data []byte) (method []byte, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(`{"method":"`))
	if !ok {
		return nil, false
	}
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return nil, false
	}
	return rest[:end], true
}

func (c *Conn) hasGuests() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.attached) > 0
}

func (c *Conn) isHeard(method []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.heard[string(method)]
	return ok
}

// detach forgets a session whose target is gone. The lock is held.
func (c *Conn) detach(params jsonv2.Value) {
	var event struct {
		SessionID string `json:"sessionId"`
	}
	if err := jsonv2.Unmarshal(params, &event); err != nil || event.SessionID == "" {
		return
	}
	if s := c.sessions[event.SessionID]; s != nil {
		s.leave()
		delete(c.sessions, event.SessionID)
	}
	c.drop(event.SessionID)
}

// register writes a command into data and returns it with where its answer will
// arrive, once it is sent.
func (c *Conn) register(s *Session, method string, params any, data []byte) (_ []byte, id int64, answer chan message, err error) {
	answer = make(chan message, 1)
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return data, 0, nil, c.err
	}
	c.last++
	id = c.last
	c.waiting[id] = waiter{s, answer}
	c.mu.Unlock()
	written, err := jsonv2.Marshal(command{ID: id, Method: method, Params: params, SessionID: s.id}, lenient)
	if err != nil {
		c.forget(id)
		return data, 0, nil, err
	}
	return append(append(data, written...), 0), id, answer, nil
}

func (c *Conn) write(ctx context.Context, data []byte) error {
	select {
	case c.writing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		return c.reason()
	}
	defer func() { <-c.writing }()
	_ = c.out.SetWriteDeadline(time.Now().Add(c.bounds.write))
	if _, err := c.out.Write(data); err != nil { // half a message may be out: there is no going on
		c.fail(fmt.Errorf("%w: %w", ErrClosed, err))
		return c.reason()
	}
	return nil
}

func (c *Conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *Conn) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		return ErrClosed
	}
	return c.err
}
