package browser

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/security"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/fetch"
)

// The windows that pages are shown in unless a request chooses another.
const (
	desktopWidth, desktopHeight = 1280, 800
	mobileWidth, mobileHeight   = 412, 915
	mobileScale                 = 2
)

// agentOf returns the user agent of a request: the caller's, the browser's own
// where the page should look ordinary, or one that says who is asking.
func (p *Pool) agentOf(version string, req *Request) string {
	for name, value := range req.Headers {
		if http.CanonicalHeaderKey(name) == "User-Agent" {
			return value
		}
	}
	own := chromium.UserAgent(version, req.Mobile)
	switch {
	case req.Enhanced:
		return own
	case p.config.UserAgent != "" && !req.Mobile:
		return p.config.UserAgent
	}
	return own + " " + cmp.Or(p.config.UserAgent, fetch.Product())
}

// metadata is what the browser tells about itself beside the user agent.
func metadata(version string, mobile bool) *emulation.UserAgentMetadata {
	major, _, _ := strings.Cut(version, ".")
	brands := func(own string) []*emulation.UserAgentBrandVersion {
		return []*emulation.UserAgentBrandVersion{{Brand: "Chromium", Version: own}, {Brand: "Not)A;Brand", Version: "8"}}
	}
	m := &emulation.UserAgentMetadata{
		Brands: brands(major), FullVersionList: brands(version), Platform: "Linux", Architecture: "x86", Bitness: "64", FormFactors: []string{"Desktop"},
	}
	if mobile {
		m.Platform, m.PlatformVersion, m.Architecture, m.Bitness = "Android", "10", "", ""
		m.Mobile, m.FormFactors = true, []string{"Mobile"}
	}
	return m
}

// weight is what the browser adds to each language but the first by itself.
var weight = regexp.MustCompile(`;q=[0-9.]+`)

// acceptLanguage returns the languages of a request as the browser wants them.
func acceptLanguage(tags []string) string {
	return weight.ReplaceAllString(fetch.AcceptLanguage(tags), "")
}

// emulate makes the page see the device and the place that the request is from.
func (t *tab) emulate(b *cdp.Batch, version string, req *Request) []func(any) error {
	t.mobile, t.viewport = req.Mobile, trawl.Viewport{Width: desktopWidth, Height: desktopHeight}
	if req.Mobile {
		t.viewport = trawl.Viewport{Width: mobileWidth, Height: mobileHeight}
	}
	if req.Screenshot != nil && req.Screenshot.Viewport != nil {
		t.viewport = *req.Screenshot.Viewport
	}
	t.zone = TimeZone(req.Country)
	agent := emulation.SetUserAgentOverrideParams{
		UserAgent: t.pool.agentOf(version, req), AcceptLanguage: acceptLanguage(req.Languages), UserAgentMetadata: metadata(version, req.Mobile),
		Platform: "Linux x86_64",
	}
	if req.Mobile {
		agent.Platform = "Linux armv81"
	}
	setup := []func(any) error{
		b.Add(t.Session, emulation.SetDeviceMetricsOverride.Method, t.metrics(t.viewport)),
		b.Add(t.Session, emulation.SetUserAgentOverride.Method, agent),
		b.Add(t.Session, emulation.SetTimezoneOverride.Method, emulation.SetTimezoneOverrideParams{TimezoneID: t.zone}),
	}
	if len(req.Languages) > 0 {
		locale := emulation.SetLocaleOverrideParams{Locale: req.Languages[0]}
		setup = append(setup, optional(b.Add(t.Session, emulation.SetLocaleOverride.Method, locale))) // a browser does not know them all
	}
	if req.Mobile {
		setup = append(setup, b.Add(t.Session, emulation.SetTouchEmulationEnabled.Method, emulation.SetTouchEmulationEnabledParams{Enabled: true}))
	}
	if req.SkipTLS {
		setup = append(setup, b.Add(t.Session, security.SetIgnoreCertificateErrors.Method, security.SetIgnoreCertificateErrorsParams{Ignore: true}))
	}
	return setup
}

// metrics describe a window of a size.
func (t *tab) metrics(v trawl.Viewport) emulation.SetDeviceMetricsOverrideParams {
	m := emulation.SetDeviceMetricsOverrideParams{Width: int64(v.Width), Height: int64(v.Height), DeviceScaleFactor: 1, Mobile: t.mobile}
	if t.mobile {
		m.DeviceScaleFactor = mobileScale
	}
	return m
}

// resize gives the page a window of another size.
func (t *tab) resize(ctx context.Context, v trawl.Viewport) error {
	if err := t.Call(ctx, emulation.SetDeviceMetricsOverride.Method, t.metrics(v), nil); err != nil {
		return err
	}
	t.viewport = v
	return nil
}
