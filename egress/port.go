package egress

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/trawlhq/trawl"
)

// ErrPort is the answer to a port at which no web server is to be expected. It is
// an ErrRefused. It may be told apart: only what the caller wrote decides, and
// nothing has been looked up.
var ErrPort = fmt.Errorf("%w: port", ErrRefused)

// closedPorts are those that the Fetch standard calls bad ports, because what
// listens there may take a request for commands, and those of well-known databases
// and caches. They are in order.
var closedPorts = []uint16{
	0, 1, 7, 9, 11, 13, 15, 17, 19,
	20, 21, // FTP
	22, // SSH
	23, // Telnet
	25, // SMTP
	37, 42, 43,
	53, // DNS
	69, 77, 79, 87, 95, 101, 102, 103, 104,
	109, 110, // POP
	111, 113, 115, 117, 119, 123, 135, 137, 139,
	143, // IMAP
	161, 179,
	389, // LDAP
	427,
	465, // SMTP
	512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563,
	587, // SMTP
	601,
	636,                // LDAP
	989, 990, 993, 995, // FTP, IMAP, POP
	1719, 1720, 1723,
	2049, // NFS
	3306, // MySQL
	3659, 4045, 4190,
	5060, 5061, // SIP
	5432, // PostgreSQL
	6000, // X11
	6379, // Redis
	6566,
	6665, 6666, 6667, 6668, 6669, 6679, 6697, // IRC
	10080,
	11211, // memcached
}

// IsClosedPort reports whether a port is never requested without an operator's leave.
func IsClosedPort(port uint16) bool {
	_, found := slices.BinarySearch(closedPorts, port)
	return found
}

// CheckPort decides about the port of a host. It looks nothing up. The empty port
// is the usual one of its scheme.
func (g *Guard) CheckPort(ctx context.Context, host, port string) error {
	if port == "" {
		return nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return fmt.Errorf("port %q is not a number", port)
	}
	return g.judgePort(ctx, host, uint16(number))
}

func (g *Guard) judgePort(ctx context.Context, host string, port uint16) error {
	if !IsClosedPort(port) || slices.Contains(g.ports, port) {
		return nil
	}
	log, refusal := g.log.With("class", ClosedPort.String()), Refusal{Class: ClosedPort}
	if !trawl.Discreet(ctx) {
		log = log.With("host", host, "port", port)
		refusal.Host = host
	}
	log.WarnContext(ctx, "egress refused")
	g.observe(refusal)
	return ErrPort
}
