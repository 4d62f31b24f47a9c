package egress

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxGuests bounds how many connections a browser may have through a door.
	maxGuests = 256

	// maxFailures bounds how many destinations a door remembers the failure of.
	maxFailures = 256

	// requestTimeout bounds how long the head of a request may take.
	requestTimeout = 10 * time.Second
)

var (
	// ErrBlocked is why a door turned a destination away before the guard saw it.
	ErrBlocked = errors.New("destination blocked")

	errSpent = errors.New("no bytes left")
)

// DoorConfig says who may pass a Door.
type DoorConfig struct {
	// Upstream is an operator's proxy (http, https, socks5) to go through; nil
	// means direct.
	Upstream *url.URL

	// Block names hosts that are turned away, such as those of advertisers. It
	// gets them in lower case, without port and final dot, from any goroutine;
	// nil turns nobody away.
	Block func(host string) bool

	// Local has hosts, in lower case and without port, that are not on the network
	// but answered here, over http only.
	Local map[string]http.Handler

	// MaxBytes bounds what may come in through the door altogether; 0 means no
	// bound.
	MaxBytes int64

	// Closed turns everything away. What a browser wants on its own account, not
	// for a page, goes to such a door.
	Closed bool
}

// Door is a forward proxy on a loopback port through which one browser, or one
// context of it, reaches the world by the rules of a Guard. It serves tunnels
// (CONNECT) and requests in absolute form for http addresses, and nothing else.
// A tunnel is opaque, so the page and the browser keep their own TLS.
//
// A host that is turned away by the configuration gets 403, one that is refused
// or cannot be reached 502; Failure knows why.
type Door struct {
	guard    *Guard
	config   DoorConfig
	listener net.Listener
	server   *http.Server
	dial     dialFunc // to the target of a tunnel
	forward  func() *httputil.ReverseProxy

	ctx context.Context // ends with the door, or when it is spent
	end context.CancelFunc

	received atomic.Int64
	guests   atomic.Int32

	mutex    sync.Mutex
	closed   bool
	failures map[string]error // by host:port
	running  sync.WaitGroup   // connections on either side and what serves them
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Open opens a door. Its connections carry the values of ctx, and the end of ctx
// cuts them; the door itself stays until Close.
func (g *Guard) Open(ctx context.Context, config DoorConfig) (*Door, error) {
	if up := config.Upstream; up != nil && proxyPorts[up.Scheme] == "" {
		return nil, fmt.Errorf("open door: no way through a proxy of kind %q", up.Scheme)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open door: %w", err)
	}
	d := &Door{guard: g, config: config, listener: listener, failures: map[string]error{}}
	d.ctx, d.end = context.WithCancel(ctx)
	d.dial = d.held(g.DialContext)
	if config.Upstream != nil {
		d.dial = d.held(g.tunnelThrough(config.Upstream))
	}
	d.forward = sync.OnceValue(d.newForward)
	d.server = &http.Server{
		Handler:                      http.HandlerFunc(d.serve),
		BaseContext:                  func(net.Listener) context.Context { return d.ctx },
		ConnState:                    d.watch,
		ReadHeaderTimeout:            requestTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(g.log.Handler(), slog.LevelWarn),
	}
	d.running.Go(func() { _ = d.server.Serve(listener) })
	return d, nil
}

// Address returns host and port at which the door listens.
func (d *Door) Address() string { return d.listener.Addr().String() }

// Received returns how many bytes have come in from targets.
func (d *Door) Received() int64 { return d.received.Load() }

// Spent reports whether more than MaxBytes came in. From then on every
// connection is cut.
func (d *Door) Spent() bool {
	return d.config.MaxBytes > 0 && d.Received() > d.config.MaxBytes
}

// Failure returns why the last attempt to reach a host and port failed, or nil if
// it did not. It is ErrBlocked, ErrRefused, a *net.OpError with the operation
// "proxyconnect" or "socks connect" if the upstream proxy failed, or wraps what
// package net says. Only a bounded number of failures is remembered.
func (d *Door) Failure(hostport string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.failures[strings.ToLower(hostport)]
}

// note remembers how an attempt to reach an address ended.
func (d *Door) note(address string, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	delete(d.failures, address)
	if err == nil {
		return
	}
	if len(d.failures) >= maxFailures {
		for some := range d.failures {
			delete(d.failures, some)
			break
		}
	}
	d.failures[address] = err
}

// Close cuts every connection and returns when all are closed. Let go of the
// browser context first: its port may soon belong to another door.
func (d *Door) Close() error {
	d.mutex.Lock()
	d.closed = true
	d.mutex.Unlock()
	d.end()
	err := d.server.Close()
	d.running.Wait()
	return err
}

// watch keeps count of the browser's connections. Those that are too many, or
// were accepted in the moment the door was closed, end here.
func (d *Door) watch(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		d.running.Add(1)
		if d.guests.Add(1) > maxGuests || d.ctx.Err() != nil {
			_ = conn.Close()
		}
	case http.StateClosed:
		d.leave()
	}
}

// leave is the end of a connection of the browser.
func (d *Door) leave() {
	d.guests.Add(-1)
	d.running.Done()
}

// held makes the connections of a dialer the door's: they are counted, do not
// idle, and end with the door, which waits for them. A transport dials on when
// the request for it is gone, so the door's end ends dialling too.
func (d *Door) held(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if !d.enter() {
			return nil, net.ErrClosed
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(d.ctx, cancel)()
		conn, err := dial(ctx, network, address)
		if err != nil {
			d.running.Done()
			return nil, err
		}
		return newLine(d.ctx, conn, d.take, d.running.Done), nil
	}
}

// enter makes Close wait for one more; it reports false if it is too late.
func (d *Door) enter() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.closed {
		return false
	}
	d.running.Add(1)
	return true
}

// take counts bytes that came in and fails when they were too many.
func (d *Door) take(n int) error {
	d.received.Add(int64(n))
	if d.Spent() {
		d.end()
		return errSpent
	}
	return nil
}
