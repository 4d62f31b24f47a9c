package trawl

import (
	"errors"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// The ways in which an address can be unusable, in the words callers know.
var (
	ErrURLInvalid  = errors.New("Invalid URL")                                                                  //nolint:staticcheck // a message of the API
	ErrURLProtocol = errors.New("URL uses unsupported protocol")                                                //nolint:staticcheck // a message of the API
	ErrURLHost     = errors.New("URL must have a valid top-level domain, be an IP address, or be a valid path") //nolint:staticcheck // a message of the API
)

var (
	// hasScheme tells "mailto:x" and "https://x" from "host:8080/path".
	hasScheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:(//|[^0-9]|$)`)
	topLevel  = regexp.MustCompile(`\.(xn--[a-z0-9-]+|[a-z][a-z0-9-]*)\.?$`)
)

// ParseTarget reads the address of a page as a caller typed it, by the rules of
// browsers: a missing scheme becomes http, only http and https are taken, and
// the host is a domain with a top level, an IP address or localhost. The result
// is the address in its canonical form.
func ParseTarget(raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return "", ErrURLInvalid
	}
	if canonical(raw) {
		return raw, nil
	}
	if !hasScheme.MatchString(raw) {
		raw = "http://" + strings.TrimPrefix(raw, "//")
	}
	u, err := whatwg.Parse(raw)
	if err != nil {
		return "", ErrURLInvalid
	}
	if scheme := u.Scheme(); scheme != "http" && scheme != "https" {
		return "", ErrURLProtocol
	}
	if !validHost(u.Hostname()) {
		return "", ErrURLHost
	}
	return u.Href(false), nil
}

// canonical reports whether an address is plainly in its canonical form already,
// as most are: a lower-case domain or an IPv4 address, a path, perhaps a query,
// and no character that the rules of browsers would touch. It only saves time.
func canonical(raw string) bool {
	rest, ok := strings.CutPrefix(raw, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(raw, "http://")
	}
	slash := strings.IndexByte(rest, '/')
	if !ok || slash < 1 || strings.Contains(rest, "/.") || !plainDomain(rest[:slash]) && !plainAddress(rest[:slash]) {
		return false
	}
	for i := slash; i < len(rest); i++ {
		c := rest[i]
		if !letter(c) && !digit(c) && strings.IndexByte("/-._~?&=+,;:@!$*()", c) < 0 {
			return false
		}
	}
	return true
}

// plainDomain reports whether a host is made of lower-case labels of which the
// last is a word, so that it is neither a number in disguise nor punycode.
func plainDomain(host string) bool {
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || len(host) > 253 || strings.Contains(host, "xn--") || strings.Contains(host, "..") || host[0] == '.' {
		return false
	}
	for i := range len(host) {
		c := host[i]
		if !('a' <= c && c <= 'z') && (i > dot || !digit(c) && c != '-' && c != '.') {
			return false
		}
	}
	return dot < len(host)-1
}

// plainAddress reports whether a host is an IPv4 address, with a port or without.
func plainAddress(host string) bool {
	if name, port, found := strings.Cut(host, ":"); found {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 80 || n == 443 || port[0] == '0' || port[0] == '+' {
			return false
		}
		host = name
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Is4()
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

func validHost(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return len(host) <= 253 && topLevel.MatchString(host)
}

// authority matches the part of an address that may hold a name and a password.
var authority = regexp.MustCompile(`^\s*([a-zA-Z][a-zA-Z0-9+.-]*:)?[/\\]*[^/\\?#]*@`)

// CarriesPassword reports whether an address as a caller typed it has a name or
// password in it.
func CarriesPassword(raw string) bool { return authority.MatchString(raw) }

// WithoutPassword returns an address as a caller typed it, without the name and
// password that may be in it.
func WithoutPassword(raw string) string {
	return authority.ReplaceAllString(raw, "$1//")
}

// PageIdentity returns what makes two addresses the same page for the cache:
// the canonical address without its fragment, unless the fragment is a route of
// a script application.
func PageIdentity(canonical string) string {
	page, fragment, found := strings.Cut(canonical, "#")
	if found && len(fragment) > 1 && strings.Contains(fragment, "/") {
		return canonical
	}
	return page
}
