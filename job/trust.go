package job

import (
	"net/url"
	"slices"
	"strings"
)

// trust says whom the headers of a caller are meant for, which may be secrets.
type trust struct {
	named      []string // addresses that the caller gave
	subdomains bool     // the caller means those of their hosts too
}

// covers reports whether an address may be sent the headers: it is on a host that
// was named, for which www does not count, at the same port, and not without
// encryption where that was named with it.
func (t trust) covers(address string) bool {
	to, err := url.Parse(address)
	return err == nil && slices.ContainsFunc(t.named, func(address string) bool {
		by, err := url.Parse(address)
		return err == nil && t.near(bare(to), bare(by)) && (to.Port() == by.Port() || usual(to, "443") && usual(by, "80")) &&
			(to.Scheme == "https" || by.Scheme == "http")
	})
}

// near reports whether a host is one that was named, or belongs to it.
func (t trust) near(host, named string) bool {
	return host == named || t.subdomains && strings.HasSuffix(host, "."+named)
}

// bare returns the name of an address's host without www.
func bare(u *url.URL) string { return strings.TrimPrefix(u.Hostname(), "www.") }

// usual reports whether an address is at the usual port, that of its scheme.
func usual(u *url.URL, port string) bool {
	return u.Port() == port || u.Port() == "" && (u.Scheme == "https") == (port == "443")
}
