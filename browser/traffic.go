package browser

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	browserfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/adblock"
	"github.com/trawlhq/trawl/browser/cdp"
)

// traffic is what is changed in the requests of a page. To look at a request
// costs time, so only those are looked at that may need it.
type traffic struct {
	scheme  string
	host    string            // of the origin, with its port
	headers map[string]string // for the origin only
	ads     *adblock.Engine   // for rules beyond hosts; nil where no picture is taken
	page    string
}

// intercept sets up what is changed in the requests of a page. Headers of the
// caller go to the origin that was asked for and to no other; cookies go into
// the jar, where the page can change them.
func (t *tab) intercept(b *cdp.Batch, req *Request) (setup []func(any) error) {
	rules := &traffic{headers: map[string]string{}, page: req.URL}
	rules.scheme, rules.host = originOf(req.URL)
	for name, value := range req.Headers {
		switch http.CanonicalHeaderKey(name) {
		case "User-Agent": // see emulate
		case "Cookie":
			setup = append(setup, t.bake(b, value, req.URL)...)
		default:
			rules.headers[name] = value
		}
	}
	var patterns []*browserfetch.RequestPattern
	if len(rules.headers) > 0 {
		patterns = []*browserfetch.RequestPattern{{URLPattern: "http*://" + rules.host + "/*"}}
	}
	if ads := t.pool.config.Ads; req.BlockAds && ads != nil && ads.HasPathRules() && takesPicture(req) {
		rules.ads = ads
		patterns = []*browserfetch.RequestPattern{{URLPattern: "*"}}
	}
	if len(patterns) == 0 {
		return setup
	}
	cdp.On(t.Session, browserfetch.RequestPaused, func(e browserfetch.EventRequestPaused) {
		t.background(func(ctx context.Context) { t.pass(ctx, rules, e) })
	})
	return append(setup, b.Add(t.Session, browserfetch.Enable.Method, browserfetch.EnableParams{Patterns: patterns}))
}

// takesPicture reports whether a picture of the page is wanted.
func takesPicture(req *Request) bool {
	return req.Screenshot != nil || slices.ContainsFunc(req.Actions, func(a trawl.Action) bool {
		return a.Type == trawl.ActionScreenshot || a.Type == trawl.ActionPDF || a.Type == trawl.ActionPDFAlias
	})
}

// pass lets a request go on, turns it away, or gives it the caller's headers.
func (t *tab) pass(ctx context.Context, rules *traffic, e browserfetch.EventRequestPaused) {
	if e.Request == nil {
		return
	}
	main := e.ResourceType == network.ResourceTypeDocument && e.FrameID == t.frame
	if rules.ads != nil && !main && rules.ads.Match(adblock.Request{URL: e.Request.URL, Page: rules.page, Type: kindOf(e.ResourceType)}) {
		_, _ = protocol.Call(ctx, t.Session, browserfetch.FailRequest, browserfetch.FailRequestParams{
			RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient,
		})
		return
	}
	params := browserfetch.ContinueRequestParams{RequestID: e.RequestID}
	if len(rules.headers) > 0 && rules.own(e.Request.URL) {
		params.Headers = merged(e.Request.Headers, rules.headers)
	}
	_, _ = protocol.Call(ctx, t.Session, browserfetch.ContinueRequest, params)
}

// own reports whether an address is of the origin, or is its upgrade to https.
func (r *traffic) own(address string) bool {
	scheme, host := originOf(address)
	return host == r.host && (scheme == r.scheme || scheme == "https")
}

// merged returns headers with those of the caller in place of their own.
func merged(own network.Headers, extra map[string]string) []*browserfetch.HeaderEntry {
	var list []*browserfetch.HeaderEntry
	for name, value := range own {
		text, isText := value.(string)
		replaced := false
		for other := range extra {
			replaced = replaced || strings.EqualFold(name, other)
		}
		if isText && !replaced {
			list = append(list, &browserfetch.HeaderEntry{Name: name, Value: text})
		}
	}
	for name, value := range extra {
		list = append(list, &browserfetch.HeaderEntry{Name: name, Value: value})
	}
	return list
}

// originOf returns scheme and host of an address in the form of browsers, in
// which the port is left out where it is the usual one.
func originOf(address string) (scheme, host string) {
	u, err := whatwg.Parse(address)
	if err != nil {
		return "", ""
	}
	return u.Scheme(), u.Host()
}

// bake puts the pairs of a Cookie header into the jar, for the whole site. Those
// that a browser would not take are left out.
func (t *tab) bake(b *cdp.Batch, header, address string) (setup []func(any) error) {
	for pair := range strings.SplitSeq(header, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(pair), "=")
		if !found || name == "" {
			continue
		}
		secure := strings.HasPrefix(address, "https:") || strings.HasPrefix(name, "__Secure-") || strings.HasPrefix(name, "__Host-")
		set := b.Add(t.Session, network.SetCookie.Method, network.SetCookieParams{Name: name, Value: value, URL: address, Path: "/", Secure: &secure})
		setup = append(setup, optional(set))
	}
	return setup
}

// optional makes a command one that the browser may refuse.
func optional(wait func(any) error) func(any) error {
	return func(result any) error {
		err := wait(result)
		if _, refused := errors.AsType[*cdp.Error](err); refused {
			return nil
		}
		return err
	}
}

// kindOf names a type of resource as filter lists do.
func kindOf(t network.ResourceType) string {
	switch t {
	case network.ResourceTypeDocument:
		return "subdocument" // the main one is never asked about
	case network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeEventSource:
		return "xhr"
	case network.ResourceTypePing, network.ResourceTypeCSPViolationReport:
		return "ping"
	case network.ResourceTypeStylesheet, network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont,
		network.ResourceTypeScript, network.ResourceTypeWebSocket:
		return strings.ToLower(string(t))
	}
	return "other"
}
