package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

const (
	// dialTimeout bounds resolving a name and connecting to it.
	dialTimeout = 15 * time.Second

	// maxAttempts bounds how many addresses of one name are tried.
	maxAttempts = 6
)

// DialContext connects to the address over TCP if the guard allows it. Of a
// name with several addresses only the allowed ones are tried, in order; if
// there is none the answer is ErrRefused.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	suffix, isTCP := strings.CutPrefix(network, "tcp")
	if !isTCP {
		return nil, &net.OpError{Op: "dial", Net: network, Err: net.UnknownNetworkError(network)}
	}
	host, port, err := splitHostPort(address)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	if err := g.judgePort(ctx, host, port); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	addrs, err := g.resolve(ctx, "ip"+suffix, host)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	allowed, err := g.filter(ctx, host, addrs)
	if err != nil {
		return nil, err
	}
	conn, err := g.connect(ctx, network, allowed, port)
	if errors.Is(err, ErrRefused) {
		return nil, ErrRefused // without the address that package net adds
	}
	return conn, err
}

func splitHostPort(address string) (host string, port uint16, err error) {
	host, service, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("port %q is not a number", service)
	}
	return host, uint16(n), nil
}

// filter keeps the addresses that may be reached, in plain form.
func (g *Guard) filter(ctx context.Context, host string, addrs []netip.Addr) ([]netip.Addr, error) {
	var allowed []netip.Addr
	for _, addr := range addrs {
		if _, ok := g.judge(addr); ok && len(allowed) < maxAttempts {
			allowed = append(allowed, addr.Unmap())
		}
	}
	if len(allowed) == 0 {
		return nil, g.refuse(ctx, host, addrs[0], Classify(addrs[0]))
	}
	return allowed, nil
}

// connect tries the addresses one after the other, each for a fair share of the
// time that is left, and returns the first connection or the first failure.
func (g *Guard) connect(ctx context.Context, network string, addrs []netip.Addr, port uint16) (net.Conn, error) {
	var first error
	for i, addr := range addrs {
		deadline, _ := ctx.Deadline()
		attempt, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(len(addrs)-i))
		conn, err := g.dialer.DialContext(attempt, network, netip.AddrPortFrom(addr, port).String())
		cancel()
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}
