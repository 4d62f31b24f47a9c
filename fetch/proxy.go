package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/trawlhq/trawl/egress"
)

// route is a way to targets: direct, or through one proxy.
type route struct {
	verified   *http.Transport
	unverified *http.Transport // takes any certificate of a target
	proxy      *url.URL        // nil means direct
}

func newRoute(build func() *http.Transport) route {
	way := route{verified: build(), unverified: build()}
	way.unverified.TLSClientConfig.InsecureSkipVerify = true
	for _, transport := range []*http.Transport{way.verified, way.unverified} {
		transport.DisableCompression = true // we decode, within bounds
		transport.OnProxyConnectResponse = onConnect
	}
	return way
}

func (w route) transport(skipTLS bool) *http.Transport {
	if skipTLS {
		return w.unverified
	}
	return w.verified
}

func (w route) close() {
	w.verified.CloseIdleConnections()
	w.unverified.CloseIdleConnections()
}

// proxyRefusal is the status with which a proxy refused to do its work.
type proxyRefusal int

func (p proxyRefusal) Error() string {
	return fmt.Sprintf("proxy answered %d %s", int(p), http.StatusText(int(p)))
}

func onConnect(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return proxyRefusal(response.StatusCode)
	}
	return nil
}

// pool holds the proxies of one kind by country; those without are under "".
type pool struct {
	routes map[string][]route
	turn   *atomic.Uint64
}

var proxyEntry = regexp.MustCompile(`^(?:([A-Za-z]{2})=)?((?:https?|socks5h?)://.+)$`)

func newPool(guard *egress.Guard, entries []string) (pool, error) {
	p := pool{routes: map[string][]route{}, turn: &atomic.Uint64{}}
	for i, entry := range entries {
		country, address, err := parseProxy(entry)
		if err != nil {
			return pool{}, fmt.Errorf("fetch: proxy %d (%s): %w", i+1, redact(entry), err)
		}
		way := newRoute(func() *http.Transport { return guard.Through(address) })
		way.proxy = address
		p.routes[country] = append(p.routes[country], way)
	}
	return p, nil
}

// parseProxy reads an entry such as "DE=http://user:password@host:port". Its
// errors quote nothing of the entry.
func parseProxy(entry string) (country string, address *url.URL, err error) {
	parts := proxyEntry.FindStringSubmatch(strings.TrimSpace(entry))
	if parts == nil {
		return "", nil, errors.New("want an address with http, https or socks5, optionally after a country as in DE=")
	}
	address, err = url.Parse(parts[2])
	if err != nil || address.Hostname() == "" {
		return "", nil, errors.New("not a valid address")
	}
	return strings.ToUpper(parts[1]), address, nil
}

// redact hides what may be a password: all before the host, or, where there is
// no telling which part is the host, all after the first colon.
func redact(entry string) string {
	scheme, rest, found := strings.Cut(entry, "://")
	if !found {
		return "***"
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		return scheme + "://***" + rest[at:]
	}
	if name, _, found := strings.Cut(rest, ":"); found {
		return scheme + "://" + name + ":***"
	}
	return entry
}

// serving returns the proxies for a country, or else those without one.
func (p pool) serving(country string) []route {
	if routes := p.routes[strings.ToUpper(country)]; len(routes) > 0 {
		return routes
	}
	return p.routes[""]
}

// next returns the proxies for a country in turn.
func (p pool) next(country string) (route, bool) {
	routes := p.serving(country)
	if len(routes) == 0 {
		return route{}, false
	}
	return routes[(p.turn.Add(1)-1)%uint64(len(routes))], true
}

func (p pool) close() {
	for _, routes := range p.routes {
		for _, way := range routes {
			way.close()
		}
	}
}
