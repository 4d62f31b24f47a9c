package interact

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/keyboard"
)

// phone is the screen of pages that are seen on a mobile device.
var phone = device{412, 915, 2, true}

// Replay opens a page as a scrape did and does again what that did in it: waits, clicks,
// keys and scrolling. The agent is what the browser calls itself, unless headers say
// something else.
func (b *Browser) Replay(ctx context.Context, r trawl.Replay, agent string) error {
	if err := b.enter(ctx); err != nil {
		return err
	}
	defer func() { <-b.turn }()
	address, err := destination(r.URL)
	if err != nil {
		return err
	}
	p, err := b.current(ctx)
	if err != nil {
		return err
	}
	if err := p.disguise(ctx, &r, address, agent); err != nil {
		return err
	}
	if err := p.navigate(ctx, address); err != nil {
		return err
	}
	if r.WaitFor > 0 && !pause(ctx, time.Duration(r.WaitFor)*time.Millisecond) {
		return context.Cause(ctx)
	}
	c := &call{Browser: b, page: p, name: "replay"}
	for i, a := range r.Actions {
		if err := c.again(ctx, a); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return failed("Action %d (%s): %s", i, a.Type, strings.TrimPrefix(explain(err), "✗ "))
		}
	}
	return b.onlyTab(ctx, p)
}

// disguise makes the page see the device, the place and the headers of the scrape.
func (p *page) disguise(ctx context.Context, r *trawl.Replay, address, agent string) error {
	plain := map[string]string{}
	for name, value := range r.Headers {
		switch http.CanonicalHeaderKey(name) {
		case "User-Agent":
			agent = value
		case "Cookie":
			if err := p.bake(ctx, value, address); err != nil {
				return err
			}
		default:
			plain[name] = value
		}
	}
	override := emulation.SetUserAgentOverrideParams{UserAgent: agent, AcceptLanguage: strings.Join(r.Languages, ",")}
	b := p.session.Batch(ctx)
	waits := []func(any) error{
		b.Add(p.session, emulation.SetUserAgentOverride.Method, override),
		b.Add(p.session, emulation.SetTimezoneOverride.Method, emulation.SetTimezoneOverrideParams{TimezoneID: browser.TimeZone(r.Country)}),
	}
	if r.SkipTLS {
		waits = append(waits, b.Add(p.session, security.SetIgnoreCertificateErrors.Method, security.SetIgnoreCertificateErrorsParams{Ignore: true}))
	}
	for _, wait := range waits {
		if err := wait(nil); err != nil {
			return cause(ctx, err)
		}
	}
	if len(r.Languages) > 0 { // a browser does not know them all
		_, _ = protocol.Call(ctx, p.session, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: r.Languages[0]})
	}
	if r.Mobile {
		if err := p.emulate(ctx, phone); err != nil {
			return cause(ctx, err)
		}
	}
	return p.carry(ctx, plain, address)
}

// bake puts the cookies of a header into the browser.
func (p *page) bake(ctx context.Context, header, address string) error {
	cookies, err := http.ParseCookie(header)
	if err != nil {
		return nil // as a scrape, which sends none of them then
	}
	for _, c := range cookies {
		if _, err := protocol.Call(ctx, p.session, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: address}); err != nil {
			return cause(ctx, err)
		}
	}
	return nil
}

// carry gives requests to the origin of an address headers; nobody else gets them.
func (p *page) carry(ctx context.Context, headers map[string]string, address string) error {
	origin, err := url.Parse(address)
	if err != nil || len(headers) == 0 {
		return err
	}
	return p.rule(ctx, func(t *traffic) { t.origin, t.headers = origin, headers })
}

// again does an action of a scrape.
func (c *call) again(ctx context.Context, a trawl.Action) error {
	switch a.Type {
	case trawl.ActionWait:
		if a.Selector != "" {
			waiting, cancel := context.WithTimeoutCause(ctx, waitTime, failed("Element not found: %s", a.Selector))
			defer cancel()
			return c.waitElement(waiting, a.Selector, "")
		}
		if !pause(ctx, time.Duration(a.Milliseconds)*time.Millisecond) {
			return context.Cause(ctx)
		}
		return nil
	case trawl.ActionClick:
		return c.clickAgain(ctx, a)
	case trawl.ActionWrite:
		return c.keys(ctx, a.Text, 0)
	case trawl.ActionPress:
		modifiers, last, ok := keyboard.Parse(a.Key)
		if !ok {
			return failed("Unknown key: %s", a.Key)
		}
		if err := keyboard.Strike(ctx, c.page.session, modifiers, last); err != nil {
			return cause(ctx, err)
		}
		return c.page.settle(ctx)
	case trawl.ActionScroll:
		script := "innerHeight"
		if a.Direction == "up" {
			script = "-innerHeight"
		}
		if a.Selector == "" {
			return c.page.ask(ctx, c.page.main(), "scrollBy({top: "+script+", behavior: 'instant'})", nil)
		}
		e, err := c.element(ctx, c.page, "css="+a.Selector)
		if err != nil {
			return err
		}
		return e.call(ctx, "e => { e.scrollIntoView({block: 'center', behavior: 'instant'}); e.scrollBy({top: "+script+", behavior: 'instant'}) }", nil)
	}
	return nil
}

func (c *call) clickAgain(ctx context.Context, a trawl.Action) error {
	q := query{kind: "nth", value: a.Selector}
	e, err := c.look(ctx, c.page, q, a.Selector, 2*patience)
	for n := 1; err == nil; n++ {
		if err = c.clickOn(ctx, e, 1); err != nil || !a.All {
			return err
		}
		q.n = n
		if e, err = c.page.find(ctx, c.page.main(), q); e == nil || isStale(err) {
			return nil
		}
	}
	return err
}

// onlyTab closes all tabs but one, which is in front.
func (b *Browser) onlyTab(ctx context.Context, p *page) error {
	tabs, _ := b.Tabs.List()
	for _, t := range tabs {
		if t.ID != p.id {
			_ = b.Conn.Browser().Call(ctx, "Target.closeTarget", map[string]string{"targetId": t.ID}, nil)
		}
	}
	if err := b.awaitTabs(ctx, func(tabs []Tab) bool { return len(tabs) == 1 }); err != nil {
		return err
	}
	return b.show(ctx, p.id)
}
