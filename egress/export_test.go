package egress

import (
	"context"
	"net"
	"net/url"
)

// DialUnresolved skips the look at resolved addresses, so that a test can see
// the last check, on the way to the kernel, do its work alone.
func (g *Guard) DialUnresolved(ctx context.Context, network, address string) (net.Conn, error) {
	return g.dialer.DialContext(ctx, network, address)
}

// TunnelThrough returns the way out of a tunnel through a proxy.
func (g *Guard) TunnelThrough(upstream *url.URL) func(ctx context.Context, network, address string) (net.Conn, error) {
	return g.tunnelThrough(upstream)
}

// Join joins two connections as the lines of a tunnel and returns when both are
// closed.
func Join(ctx context.Context, near, far net.Conn) {
	never := func(int) error { return nil }
	join(newLine(ctx, near, never, func() {}), newLine(ctx, far, never, func() {}))
}
