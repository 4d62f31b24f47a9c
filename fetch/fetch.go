// Package fetch gets pages over HTTP. It takes an address, follows redirects by
// the rules of browsers, undoes content encodings, and returns the bytes with
// the address they finally came from. [Text] then turns bytes into UTF-8.
//
// Three promises hold whatever the site does. Every hop passes the guard of
// package egress. What a caller adds to a request (headers, cookies, a password
// in the address) goes to the origin that was asked for and to no other. And a
// response has bounds: the size of its header and of its body before and after
// decoding, the number of redirects, and the caller's context in time.
//
// An answer of 404 or 500 is a page like any other. What fails is a *trawl.Error
// whose message tells what the site did and nothing about the network behind
// the service; the cause is in its Err, for the log.
package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"golang.org/x/net/http/httpguts"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

const (
	defaultMaxBytes = 50 << 20
	maxRedirects    = 10
)

// Config says how pages are fetched.
type Config struct {
	Guard *egress.Guard // required

	// UserAgent is how requests introduce themselves; empty means DefaultUserAgent.
	UserAgent string

	// Basic and Enhanced are the addresses of proxies (http, https, socks5),
	// used in turn. "DE=http://user:password@host:port" serves requests from
	// Germany, an entry without a country serves those that have no other.
	Basic, Enhanced []string

	// MaxBytes bounds a body, before and after decoding; 0 means 50 MiB.
	MaxBytes int64
}

// Request is a page to fetch.
type Request struct {
	URL       string
	Headers   map[string]string // for the origin of URL only
	Languages []string          // in order of preference
	Country   string            // ISO 3166 alpha-2, chooses the proxy
	Mobile    bool              // introduce oneself as a phone
	SkipTLS   bool              // take any certificate
	Enhanced  bool              // use an enhanced proxy

	// Large, if set, is called before more than LargeBytes of a body are kept. It
	// may wait until there is room, or refuse.
	Large func(ctx context.Context) error
}

// LargeBytes is the size from which a body counts as large.
const LargeBytes = 1 << 20

// Response is a page as it came, its content encoding undone.
type Response struct {
	URL         string // after redirects
	Status      int
	ContentType string
	Header      http.Header
	Body        []byte
}

// Client fetches pages. It keeps connections open for reuse and is safe for
// concurrent use.
type Client struct {
	direct    route
	basic     pool
	enhanced  pool
	desktop   string // user agents
	mobile    string
	maxBytes  int64
	unpackers unpackers
}

// New returns a Client. It fails if the configuration is no good; a proxy's
// password does not appear in the error.
func New(config Config) (*Client, error) {
	if config.Guard == nil {
		return nil, errors.New("fetch: no guard")
	}
	if !httpguts.ValidHeaderFieldValue(config.UserAgent) {
		return nil, errors.New("fetch: the user agent is not a valid header value")
	}
	c := &Client{
		direct:    newRoute(config.Guard.Transport),
		maxBytes:  config.MaxBytes,
		unpackers: newUnpackers(),
	}
	if c.maxBytes <= 0 {
		c.maxBytes = defaultMaxBytes
	}
	c.desktop, c.mobile = userAgents(config.UserAgent)
	var err error
	if c.basic, err = newPool(config.Guard, config.Basic); err != nil {
		return nil, err
	}
	if c.enhanced, err = newPool(config.Guard, config.Enhanced); err != nil {
		return nil, err
	}
	return c, nil
}

// Close closes connections that are kept for reuse. Fetches under way go on.
func (c *Client) Close() {
	c.direct.close()
	c.basic.close()
	c.enhanced.close()
}

// HasEnhanced reports whether there is an enhanced proxy for the country.
func (c *Client) HasEnhanced(country string) bool {
	return len(c.enhanced.serving(country)) > 0
}

// Proxy returns the proxy by which a browser goes for the country: an enhanced one
// if it is asked for and there is one, or else a basic one. They take turns with
// those of Fetch. Nil means direct. The address may hold a password.
func (c *Client) Proxy(country string, enhanced bool) (*url.URL, error) {
	way, err := c.route(&Request{Country: country, Enhanced: enhanced && c.HasEnhanced(country)})
	return way.proxy, err
}

// Fetch gets a page. Errors are of type *trawl.Error.
func (c *Client) Fetch(ctx context.Context, r Request) (*Response, error) {
	way, err := c.route(&r)
	if err != nil {
		return nil, err
	}
	v, err := c.newVisit(&r)
	if err != nil {
		return nil, err
	}
	transport := way.transport(r.SkipTLS)
	for range maxRedirects + 1 {
		response, err := transport.RoundTrip(v.request(ctx))
		if err != nil {
			return nil, Explain(ctx, err)
		}
		if response.StatusCode == http.StatusSwitchingProtocols {
			_ = response.Body.Close() // it is the bare connection, which no context ends
			return nil, trawl.Errorf(trawl.CodeSite, "The site wants to speak another protocol.")
		}
		if way.proxy != nil && response.StatusCode == http.StatusProxyAuthRequired {
			_ = response.Body.Close()
			return nil, Explain(ctx, proxyRefusal(response.StatusCode))
		}
		moved, err := v.follow(response)
		if err != nil {
			return nil, err
		}
		if !moved {
			return c.receive(ctx, v, response, r.Large)
		}
	}
	return nil, trawl.Errorf(trawl.CodeSite, "The site redirects too many times.")
}

// route chooses the way to the target. Without a basic proxy for the country
// the way is direct.
func (c *Client) route(r *Request) (route, error) {
	if r.Enhanced {
		if way, ok := c.enhanced.next(r.Country); ok {
			return way, nil
		}
		return route{}, trawl.Errorf(trawl.CodeProxy, "There is no enhanced proxy for this request.")
	}
	if way, ok := c.basic.next(r.Country); ok {
		return way, nil
	}
	return c.direct, nil
}

// receive reads the response that is not a redirect any more.
func (c *Client) receive(ctx context.Context, v *visit, response *http.Response, large func(context.Context) error) (*Response, error) {
	defer response.Body.Close()
	body, err := c.unpackers.read(response, c.maxBytes, func() error {
		if large == nil {
			return nil
		}
		return large(ctx)
	})
	if errors.Is(err, errTooLarge) {
		return nil, trawl.Wrap(trawl.CodeSite, "The page is larger than "+size(c.maxBytes)+".", err)
	}
	if err != nil {
		return nil, Explain(ctx, err)
	}
	return &Response{
		URL:         v.finalURL(),
		Status:      response.StatusCode,
		ContentType: response.Header.Get("Content-Type"),
		Header:      response.Header,
		Body:        body,
	}, nil
}
