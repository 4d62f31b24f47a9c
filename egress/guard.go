// Package egress is the one way out of the service. Callers name the addresses
// that the service connects to, so every connection on their behalf must pass a
// [Guard], which lets only globally routable addresses through: not the machine
// itself, not its network, not the metadata endpoint of its cloud.
//
// What counts is the address that a connection is really made to. The guard
// resolves a name once, drops the addresses that are not allowed, connects to
// the rest by literal address, and looks at the address again at the moment the
// socket is handed to the kernel. A name that changes its mind between two
// look-ups therefore gains nothing, and neither does a redirect.
//
// A refusal is always the same [ErrRefused]. It tells neither address nor
// class, because the difference would let a caller map the network behind the
// service; the log and [Config.Observe] know. Ports at which no web server is to be
// expected are refused before anything else is looked at, with [ErrPort].
//
// A browser makes its own connections and cannot be handed a dialer. It gets a
// [Door] instead, a proxy that it must go through and that dials by the guard.
//
// Endpoints that the operator configured (a proxy, an object store, a language
// model) are not the callers' choice and go through [Infrastructure] instead.
// No other package of the module opens connections of its own; a test over the
// whole source tree sees to that.
package egress

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"syscall"

	"github.com/trawlhq/trawl"
)

// ErrRefused is the one answer to a destination that is not allowed.
var ErrRefused = errors.New("destination refused")

// Resolver looks up the addresses of a host; *net.Resolver is one. The network
// is ip, ip4 or ip6.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Config says how a Guard decides. The zero value lets public addresses
// through, at ports that are not closed, and nothing else.
type Config struct {
	Allow    []netip.Prefix // opened by the operator although not public
	Ports    []uint16       // opened by the operator although closed
	Resolver Resolver       // nil means the system's
	Log      *slog.Logger   // gets one line per refusal; nil means the default logger
	Observe  func(Refusal)  // called once per refusal, from any goroutine; may be nil
}

// Guard decides which destinations may be reached. It is safe for concurrent use.
type Guard struct {
	allow    []netip.Prefix
	ports    []uint16
	resolver Resolver
	log      *slog.Logger
	observe  func(Refusal)
	dialer   net.Dialer
}

// New returns a Guard.
func New(config Config) *Guard {
	g := &Guard{ports: config.Ports, resolver: config.Resolver, log: config.Log, observe: config.Observe}
	for _, prefix := range config.Allow {
		g.allow = append(g.allow, unmap(prefix))
	}
	if g.resolver == nil {
		g.resolver = net.DefaultResolver
	}
	if g.log == nil {
		g.log = slog.Default()
	}
	if g.observe == nil {
		g.observe = func(Refusal) {}
	}
	g.dialer = net.Dialer{ControlContext: g.control}
	return g
}

// unmap turns a prefix of mapped IPv4 addresses into the IPv4 prefix it means.
func unmap(p netip.Prefix) netip.Prefix {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96).Masked()
	}
	return p.Masked()
}

// Check decides about a host that is reached through an operator's proxy,
// which resolves names on its own. It returns ErrRefused if the host is, or has
// here, any address that is not allowed. A name that is unknown here is left to
// the proxy. An error other than ErrRefused means that ctx ended.
func (g *Guard) Check(ctx context.Context, host string) error {
	addrs, err := g.resolve(ctx, "ip", host)
	if err != nil {
		return ctx.Err()
	}
	for _, addr := range addrs {
		if class, ok := g.judge(addr); !ok {
			return g.refuse(ctx, host, addr, class)
		}
	}
	return nil
}

// judge classifies an address and reports whether it may be reached.
func (g *Guard) judge(addr netip.Addr) (Class, bool) {
	class := Classify(addr)
	if class == Public {
		return class, true
	}
	addr = addr.Unmap()
	for _, prefix := range g.allow {
		if prefix.Contains(addr) {
			return class, true
		}
	}
	return class, false
}

// control sees every address right before the kernel connects to it.
func (g *Guard) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	target, _ := netip.ParseAddrPort(address) // zero, hence Invalid, on failure
	if class, ok := g.judge(target.Addr()); !ok {
		return g.refuse(ctx, address, target.Addr(), class)
	}
	return g.judgePort(ctx, address, target.Port())
}

// Refusal is a destination that was refused.
type Refusal struct {
	Host  string // as it was asked for; empty if that must not be told
	Class Class
}

// refuse records a refusal, which is the only trace of its reason. Of discreet
// work only the class is told.
func (g *Guard) refuse(ctx context.Context, host string, addr netip.Addr, class Class) error {
	log, refusal := g.log.With("class", class.String()), Refusal{Class: class}
	if !trawl.Discreet(ctx) {
		log = log.With("host", host, "address", addr.String())
		refusal.Host = host
	}
	log.WarnContext(ctx, "egress refused")
	g.observe(refusal)
	return ErrRefused
}

// resolve returns the addresses of a host, at least one. Names that stand for
// the machine itself and forms of numbers that only some resolvers take for an
// address are not left to chance: the former are loopback, the latter invalid.
func (g *Guard) resolve(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	switch name := strings.ToLower(strings.TrimSuffix(host, ".")); {
	case name == "localhost" || strings.HasSuffix(name, ".localhost"):
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	case name == "" || endsInNumber(name):
		return []netip.Addr{{}}, nil
	}
	addrs, err := g.resolver.LookupNetIP(ctx, network, host)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, nil
}

// endsInNumber reports whether the last label makes browsers read a host as an
// IPv4 address: digits, or 0x and hexadecimal digits.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}
