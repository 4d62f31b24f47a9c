package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// idleTimeout is how long a connection may go without a byte in either direction.
const idleTimeout = 2 * time.Minute

// line is a connection that fails when nothing has moved on it for idleTimeout,
// and ends with a context.
type line struct {
	net.Conn
	take func(n int) error // is told of every byte that was read, and may refuse it
	end  func()
	stop func() bool
}

// newLine takes over a connection. When it is closed, done is called once.
func newLine(ctx context.Context, conn net.Conn, take func(int) error, done func()) *line {
	l := &line{Conn: conn, take: take, end: sync.OnceFunc(func() {
		_ = conn.Close()
		done()
	})}
	l.stop = context.AfterFunc(ctx, l.end)
	return l
}

func (l *line) Read(p []byte) (int, error) {
	l.touch()
	n, err := l.Conn.Read(p)
	if refused := l.take(n); refused != nil {
		return 0, refused
	}
	return n, err
}

func (l *line) Write(p []byte) (int, error) {
	l.touch()
	return l.Conn.Write(p)
}

// touch gives both directions new time, also a read or write that is waiting.
func (l *line) touch() {
	_ = l.Conn.SetDeadline(time.Now().Add(idleTimeout))
}

// CloseWrite tells the other side that nothing more will come.
func (l *line) CloseWrite() error { return closeWrite(l.Conn) }

func closeWrite(conn net.Conn) error {
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (l *line) Close() error {
	l.stop()
	l.end()
	return nil
}

// join carries bytes between two connections until both sides are done, or either
// fails, and closes them.
func join(a, b net.Conn) {
	defer a.Close()
	defer b.Close()
	var back sync.WaitGroup
	back.Go(func() { pour(a, b) })
	pour(b, a)
	back.Wait()
}

// pour carries bytes in one direction. The end of the source is passed on and
// leaves the other direction open.
func pour(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if err != nil || closeWrite(to) != nil {
		_ = to.Close()
		_ = from.Close()
	}
}
