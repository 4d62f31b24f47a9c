package egress

import "net/netip"

// Class says what an address is for. Only Public addresses are reached without
// an operator's leave.
type Class int

// The classes, after the special-purpose address registries of IANA.
const (
	Public         Class = iota // globally routable unicast
	Invalid                     // not an address
	Unspecified                 // "this host" and "this network"
	Loopback                    // the machine itself
	Private                     // private networks of RFC 1918
	Shared                      // between a carrier and its customers
	LinkLocal                   // one link, instance metadata among it
	Platform                    // a cloud's services for its own machines
	Protocol                    // reserved for protocols of the IETF
	Documentation               // examples in text
	Benchmark                   // measuring of devices
	Tunnel                      // 6to4 and Teredo: wrap an IPv4 address
	Translation                 // local-use translation to IPv4
	Compatible                  // deprecated form of an IPv4 address in IPv6
	Multicast                   // groups
	Broadcast                   // everyone on the link
	Discard                     // a black hole
	Identifier                  // hashes of keys that look like addresses
	SegmentRouting              // segments of SRv6
	UniqueLocal                 // private networks of IPv6
	SiteLocal                   // their deprecated predecessor
	Scoped                      // carries a zone
	Reserved                    // not handed out to anyone
	ClosedPort                  // any address, at a port that is never requested
)

// String returns the name under which the class appears in logs and metrics.
func (c Class) String() string {
	names := [...]string{
		"public", "invalid", "unspecified", "loopback", "private", "shared", "link_local", "platform",
		"protocol", "documentation", "benchmark", "tunnel", "translation", "compatible", "multicast",
		"broadcast", "discard", "identifier", "segment_routing", "unique_local", "site_local", "scoped", "reserved", "port",
	}
	if c < 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}

type block struct {
	prefix netip.Prefix
	class  Class
}

// v4Blocks are the parts of IPv4 that are not public; the first match counts.
var v4Blocks = []block{
	{netip.MustParsePrefix("0.0.0.0/8"), Unspecified},
	{netip.MustParsePrefix("10.0.0.0/8"), Private},
	{netip.MustParsePrefix("100.64.0.0/10"), Shared},
	{netip.MustParsePrefix("127.0.0.0/8"), Loopback},
	{netip.MustParsePrefix("168.63.129.16/32"), Platform}, // Azure's agent endpoint, not in a registry
	{netip.MustParsePrefix("169.254.0.0/16"), LinkLocal},
	{netip.MustParsePrefix("172.16.0.0/12"), Private},
	{netip.MustParsePrefix("192.0.0.0/24"), Protocol},
	{netip.MustParsePrefix("192.0.2.0/24"), Documentation},
	{netip.MustParsePrefix("192.31.196.0/24"), Protocol}, // AS112
	{netip.MustParsePrefix("192.52.193.0/24"), Protocol}, // AMT
	{netip.MustParsePrefix("192.88.99.0/24"), Tunnel},    // 6to4 relays
	{netip.MustParsePrefix("192.168.0.0/16"), Private},
	{netip.MustParsePrefix("192.175.48.0/24"), Protocol}, // AS112
	{netip.MustParsePrefix("198.18.0.0/15"), Benchmark},
	{netip.MustParsePrefix("198.51.100.0/24"), Documentation},
	{netip.MustParsePrefix("203.0.113.0/24"), Documentation},
	{netip.MustParsePrefix("224.0.0.0/4"), Multicast},
	{netip.MustParsePrefix("255.255.255.255/32"), Broadcast},
	{netip.MustParsePrefix("240.0.0.0/4"), Reserved},
}

// v6Blocks are the parts of IPv6 that are not public; the first match counts.
var v6Blocks = []block{
	{netip.MustParsePrefix("::/128"), Unspecified},
	{netip.MustParsePrefix("::1/128"), Loopback},
	{netip.MustParsePrefix("::/96"), Compatible},
	{netip.MustParsePrefix("64:ff9b:1::/48"), Translation},
	{netip.MustParsePrefix("100::/64"), Discard},
	{netip.MustParsePrefix("2001::/32"), Tunnel}, // Teredo
	{netip.MustParsePrefix("2001:2::/48"), Benchmark},
	{netip.MustParsePrefix("2001:10::/28"), Identifier}, // ORCHID
	{netip.MustParsePrefix("2001:20::/28"), Identifier}, // ORCHIDv2
	{netip.MustParsePrefix("2001:30::/28"), Identifier}, // drones
	{netip.MustParsePrefix("2001::/23"), Protocol},
	{netip.MustParsePrefix("2001:db8::/32"), Documentation},
	{netip.MustParsePrefix("2002::/16"), Tunnel},           // 6to4
	{netip.MustParsePrefix("2620:4f:8000::/48"), Protocol}, // AS112
	{netip.MustParsePrefix("3fff::/20"), Documentation},
	{netip.MustParsePrefix("2000::/3"), Public}, // all that has been handed out
	{netip.MustParsePrefix("5f00::/16"), SegmentRouting},
	{netip.MustParsePrefix("fc00::/7"), UniqueLocal},
	{netip.MustParsePrefix("fe80::/10"), LinkLocal},
	{netip.MustParsePrefix("fec0::/10"), SiteLocal},
	{netip.MustParsePrefix("ff00::/8"), Multicast},
}

// nat64 is the well-known prefix behind which translators keep an IPv4 address.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// Classify tells what an address is for. An IPv4 address inside an IPv6 one
// (mapped, or behind the well-known translation prefix) is judged for itself:
// that is where a connection would end.
func Classify(a netip.Addr) Class {
	switch {
	case !a.IsValid():
		return Invalid
	case a.Zone() != "":
		return Scoped
	case a.Is4():
		return find(v4Blocks, a, Public)
	case a.Is4In6():
		return Classify(a.Unmap())
	case nat64.Contains(a):
		b := a.As16()
		return Classify(netip.AddrFrom4([4]byte(b[12:])))
	default:
		return find(v6Blocks, a, Reserved)
	}
}

func find(blocks []block, a netip.Addr, otherwise Class) Class {
	for _, b := range blocks {
		if b.prefix.Contains(a) {
			return b.class
		}
	}
	return otherwise
}
