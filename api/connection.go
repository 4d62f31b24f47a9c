package api

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// strangers counts, by address, the connections on which no request with a valid
// key has come yet. Trusted proxies are not counted: theirs are those of many.
type strangers struct {
	most    int // of one address; 0 for any number
	trusted func(remote string) bool

	mu     sync.Mutex
	open   map[net.Conn]netip.Prefix
	counts map[netip.Prefix]int
}

func newStrangers(most int, trusted func(string) bool) *strangers {
	return &strangers{most: most, trusted: trusted, open: map[net.Conn]netip.Prefix{}, counts: map[netip.Prefix]int{}}
}

// admit counts a connection, unless its address has too many.
func (s *strangers) admit(conn net.Conn) bool {
	remote := conn.RemoteAddr().String()
	from, ok := networkOf(remote)
	if s.most == 0 || !ok || s.trusted(remote) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[from] >= s.most {
		return false
	}
	s.counts[from]++
	s.open[conn] = from
	return true
}

// forget takes a connection out of the count: it is closed, or no stranger's.
func (s *strangers) forget(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, ok := s.open[conn]
	if !ok {
		return
	}
	delete(s.open, conn)
	if s.counts[from]--; s.counts[from] == 0 {
		delete(s.counts, from)
	}
}

// networkOf returns what counts as one address: of IPv6 the 64 bits that a
// customer gets at least.
func networkOf(remote string) (netip.Prefix, bool) {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}, false
	}
	addr, bits := peer.Addr().Unmap().WithZone(""), 64
	if addr.Is4() {
		bits = 32
	}
	network, err := addr.Prefix(bits)
	return network, err == nil
}

type connKey struct{}

// ConnContext is that of the http.Server: it lets the gate tell whose a connection is.
func (s *Server) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// ConnState is that of the http.Server: it closes what is too much of one address.
func (s *Server) ConnState(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if !s.strangers.admit(conn) {
			s.metrics.refused.Inc()
			_ = conn.Close()
		}
	case http.StateHijacked, http.StateClosed:
		s.strangers.forget(conn)
	}
}

// recognise notes that the connection of a request is that of a caller.
func (s *Server) recognise(ctx context.Context) {
	if conn, ok := ctx.Value(connKey{}).(net.Conn); ok {
		s.strangers.forget(conn)
	}
}

// arriveWithin bounds how long the rest of a request may take to arrive. The bound is
// never taken back here: with the end of the body net/http does that, and without
// it the bound is what ends the wait for a rest that nobody reads.
func arriveWithin(w http.ResponseWriter, r *http.Request, most time.Duration) {
	if r.Body != nil && r.Body != http.NoBody { // without one, the end of the connection is being waited for already
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(most))
	}
}
