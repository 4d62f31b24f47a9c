package interact

import (
	"context"
	"net/url"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"github.com/trawlhq/trawl/browser/cdp"
)

// traffic is what is done to the requests of a page. Without a rule none is held up.
type traffic struct {
	listening      bool
	origin         *url.URL          // that gets headers
	headers        map[string]string // of the scrape that the page was opened by
	name, password string            // for servers that ask
	tried          map[fetch.RequestID]bool
	bar            func(address, method string) bool // refuses documents; nil if none is
}

// rule changes what is done to requests.
func (p *page) rule(ctx context.Context, change func(*traffic)) error {
	p.mu.Lock()
	change(&p.traffic)
	t := &p.traffic
	listens := t.listening
	t.listening = true
	var patterns []*fetch.RequestPattern
	switch {
	case t.name != "":
		patterns = []*fetch.RequestPattern{{URLPattern: "*"}}
	default:
		if len(t.headers) > 0 {
			patterns = append(patterns, &fetch.RequestPattern{URLPattern: t.origin.Scheme + "://" + t.origin.Host + "/*"})
		}
		if t.bar != nil {
			patterns = append(patterns, &fetch.RequestPattern{URLPattern: "*", ResourceType: network.ResourceTypeDocument})
		}
	}
	auth := t.name != ""
	p.mu.Unlock()
	if !listens {
		cdp.On(p.session, fetch.RequestPaused, p.paused)
		cdp.On(p.session, fetch.AuthRequired, p.asked)
	}
	if len(patterns) == 0 {
		_, err := protocol.Call(ctx, p.session, fetch.Disable, protocol.Empty{})
		return cause(ctx, err)
	}
	_, err := protocol.Call(ctx, p.session, fetch.Enable, fetch.EnableParams{Patterns: patterns, HandleAuthRequests: &auth})
	return cause(ctx, err)
}

// paused decides about a request.
func (p *page) paused(e fetch.EventRequestPaused) {
	if e.Request == nil {
		return
	}
	p.mu.Lock()
	t := p.traffic
	p.mu.Unlock()
	if t.bar != nil && e.ResourceType == network.ResourceTypeDocument && e.FrameID == p.main() && t.bar(e.Request.URL, e.Request.Method) {
		p.answer(func(ctx context.Context) {
			_, _ = protocol.Call(ctx, p.session, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
		})
		return
	}
	params := fetch.ContinueRequestParams{RequestID: e.RequestID}
	if to, err := url.Parse(e.Request.URL); err == nil && len(t.headers) > 0 && to.Scheme == t.origin.Scheme && to.Host == t.origin.Host {
		for name, value := range e.Request.Headers {
			if text, ok := value.(string); ok && !hasHeader(t.headers, name) {
				params.Headers = append(params.Headers, &fetch.HeaderEntry{Name: name, Value: text})
			}
		}
		for name, value := range t.headers {
			params.Headers = append(params.Headers, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	p.answer(func(ctx context.Context) { _, _ = protocol.Call(ctx, p.session, fetch.ContinueRequest, params) })
}

func hasHeader(headers map[string]string, name string) bool {
	for other := range headers {
		if strings.EqualFold(other, name) {
			return true
		}
	}
	return false
}

// asked gives name and password to a server that asks for them, once.
func (p *page) asked(e fetch.EventAuthRequired) {
	p.mu.Lock()
	t := &p.traffic
	answer := &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: t.name, Password: t.password}
	if t.tried[e.RequestID] || e.AuthChallenge != nil && e.AuthChallenge.Source == fetch.AuthChallengeSourceProxy {
		answer = &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth}
	}
	if t.tried == nil || len(t.tried) > mostLogged {
		t.tried = map[fetch.RequestID]bool{}
	}
	t.tried[e.RequestID] = true
	p.mu.Unlock()
	p.answer(func(ctx context.Context) {
		_, _ = protocol.Call(ctx, p.session, fetch.ContinueWithAuth, fetch.ContinueWithAuthParams{RequestID: e.RequestID, AuthChallengeResponse: answer})
	})
}

// answer does what an event asks for: handlers must not wait.
func (p *page) answer(do func(context.Context)) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.patience.Limit(attachTime))
		defer cancel()
		do(ctx)
	}()
}
