package webhook

import (
	"context"
	"net/netip"
	"net/url"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

const notAllowed = "The webhook's address is not allowed."

// CheckURL tells early, while the job is being asked for, that a webhook's
// address is not valid or is one that the guard would refuse: an address
// literal, a name of the machine itself, a closed port. Any other name passes,
// for only the connection tells where it leads; nothing is looked up here. Errors
// are of type *trawl.Error.
func CheckURL(address string, guard *egress.Guard) error {
	u, err := parse(address)
	if err != nil {
		return complain(err.Error())
	}
	if guard.CheckPort(context.Background(), u.Hostname(), u.Port()) != nil {
		return complain(notAllowed)
	}
	hosts := literals(u.Hostname())
	for _, host := range hosts {
		// The guard looks nothing up for a literal, so the context does not matter.
		if guard.Check(context.Background(), host) == nil {
			return nil
		}
	}
	if len(hosts) > 0 {
		return complain(notAllowed)
	}
	return nil
}

func complain(message string) error {
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: message, Path: []any{"webhook", "url"}}})
}

// literals returns the addresses that a host stands for without a look-up. One
// that may be reached is enough, as it is when connecting.
func literals(host string) []string {
	if _, err := netip.ParseAddr(host); err == nil {
		return []string{host}
	}
	name := strings.TrimSuffix(host, ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return []string{"127.0.0.1", "::1"}
	}
	return nil
}

// parse reads a webhook's address as the caller typed it.
func parse(address string) (*url.URL, error) {
	canonical, err := trawl.ParseTarget(address)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(canonical)
	if err != nil {
		// Browsers take a few addresses that net/http cannot send to, such as
		// one with a stray percent sign.
		return nil, trawl.ErrURLInvalid
	}
	return u, nil
}
