package adblock

import (
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// hostName is a host of a request or a page, with what is worked out about it
// only when a rule asks.
type hostName struct {
	name   string
	entity string // the name with its public suffix written as *
}

// wild returns the form in which rules name a site under every suffix:
// "www.example.*" for www.example.co.uk.
func (h *hostName) wild() string {
	if h.entity == "" {
		h.entity = "*"
		suffix, _ := publicsuffix.PublicSuffix(h.name)
		if site := strings.TrimSuffix(h.name, suffix); site != "" && !isAddress(h.name) {
			h.entity = site + "*"
		}
	}
	return h.entity
}

// parent drops the first label of a host; the result is empty after the last.
func parent(host string) string {
	_, rest, _ := strings.Cut(host, ".")
	return rest
}

// foldHost brings a host into the form in which rules are kept.
func foldHost(host string) string {
	return strings.TrimSuffix(lower(host), ".")
}

// lower folds the case of ASCII letters. It copies only if there is need to.
func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// parseHost reads the name of a host in a rule, international or not.
func parseHost(s string) (string, bool) {
	for i := range len(s) {
		if s[i] >= 0x80 {
			ascii, err := idna.Lookup.ToASCII(s)
			if err != nil {
				return "", false
			}
			s = ascii
			break
		}
	}
	s = lower(s)
	return s, isHost(s)
}

// isHost reports whether s can be the name of a host, in lower case.
func isHost(s string) bool {
	if s == "" || len(s) > 253 || s[0] == '.' || s[0] == '-' || s[len(s)-1] == '.' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if !isHostByte(s[i]) || s[i] == '.' && s[i-1] == '.' {
			return false
		}
	}
	return true
}

func isHostByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
}

// isAddress reports whether a host is an IP address, which has no domain.
func isAddress(host string) bool {
	if host == "" {
		return false
	}
	last := host[len(host)-1]
	if last == ']' || strings.IndexByte(host, ':') >= 0 {
		return true
	}
	if last < '0' || last > '9' {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// sameSite reports whether two hosts belong to one registrable domain. Looking
// up public suffixes is dear, so hosts that share no more than their last label
// are told apart before.
func sameSite(a, b string) bool {
	if a == b {
		return true
	}
	dot := false
	for i, j := len(a)-1, len(b)-1; i >= 0 && j >= 0 && a[i] == b[j]; i, j = i-1, j-1 {
		dot = dot || a[i] == '.'
	}
	if !dot || isAddress(a) || isAddress(b) {
		return false
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(a)
	if err != nil {
		return false
	}
	return within(b, site)
}

// within reports whether a host is a domain or a part of it.
func within(host, domain string) bool {
	n := len(host) - len(domain)
	return n >= 0 && host[n:] == domain && (n == 0 || host[n-1] == '.')
}

// domains are the hosts to which a rule is limited, sorted.
type domains struct {
	in, out []string
	wild    bool // some end in .*
}

// parseDomains reads a list of hosts, those with ~ in front left out.
func parseDomains(list, separator string) (d domains, ok bool) {
	for name := range strings.SplitSeq(list, separator) {
		name = strings.TrimSpace(name)
		name, not := strings.CutPrefix(name, "~")
		site, wild := strings.CutSuffix(name, ".*")
		host, valid := parseHost(site)
		if !valid {
			return domains{}, false
		}
		if wild {
			d.wild = true
			host += ".*"
		}
		if not {
			d.out = append(d.out, host)
		} else {
			d.in = append(d.in, host)
		}
	}
	slices.Sort(d.in)
	slices.Sort(d.out)
	return d, true
}

func (d *domains) len() int { return len(d.in) + len(d.out) }

// allow reports whether a rule so limited counts for a host. The name nearest
// to the host decides.
func (d *domains) allow(h *hostName) bool {
	if d.len() == 0 {
		return true
	}
	in, known := d.find(h.name)
	if !known && d.wild {
		in, known = d.find(h.wild())
	}
	if known {
		return in
	}
	return len(d.in) == 0
}

func (d *domains) find(host string) (in, known bool) {
	for s := host; s != ""; s = parent(s) {
		if has(d.out, s) {
			return false, true
		}
		if has(d.in, s) {
			return true, true
		}
	}
	return false, false
}

func has(sorted []string, s string) bool {
	_, found := slices.BinarySearch(sorted, s)
	return found
}

func (d *domains) equal(o *domains) bool {
	return slices.Equal(d.in, o.in) && slices.Equal(d.out, o.out)
}
