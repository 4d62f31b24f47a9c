package scrape

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/scrape/format"
	"github.com/trawlhq/trawl/scrape/reading"
	"github.com/trawlhq/trawl/scrape/source"
)

// Plan is all that a request means for the work on its page. It is made once, at
// the start; whatever comes after reads the plan and not the request.
type Plan struct {
	URL    string // as the caller wrote it
	Caller trawl.Caller
	Waited time.Duration // for a slot, before the scrape began
	Began  time.Time     // after that; zero where nobody notes it

	replay  trawl.Replay    // how the page can be opened again
	Page    source.Request  // where the page may come from
	Reading reading.Options // what is read from it
	Steps   []format.Step   // what is made of it

	NeedsText bool // what can be extracted from has to be read
	NeedsAsk  bool // there is more to the document than can be read from the page
	UsesModel bool // and a model may be asked for it
	Links     bool // the links of the page are wanted beside the document
	Source    bool // likewise what can be extracted from
	Hidden    bool // no link and no sitemap led to the page
	Live      bool // somebody waits for the document
	Upload    bool // the page came with the request
	Discard   bool // nothing of it may be kept
	Lockdown  bool

	Warnings []string // what was asked for and has no effect here

	credits int64  // of the page, whatever is made of it
	base    string // of this service's own addresses
}

// has says what a server can do.
type has struct {
	format.Has
	cache    bool
	profiles bool
	enhanced func(country string) bool // a way beyond the basic one
}

// newPlan works out what a request means on a server.
func newPlan(req *Request, target string, has has) *Plan {
	p := &Plan{
		URL: req.URL, Caller: req.Caller, Waited: req.Waited, Links: req.Links, Source: req.Read, Hidden: req.Hidden,
		Live: req.live, Upload: req.upload, Discard: req.ZeroDataRetention, Lockdown: req.Lockdown, Steps: format.Steps(req.Formats), base: req.Base,
		replay: trawl.ReplayOf(target, &req.ScrapeOptions),
	}
	var needs format.Needs
	for i := range p.Steps {
		needs.Add(p.Steps[i].Needs())
		p.NeedsAsk = p.NeedsAsk || p.Steps[i].Ask != nil
	}
	p.UsesModel, p.NeedsText = needs.Text, needs.Text || req.Read
	p.credits = fixedCredits(req)
	p.planPage(req, target, needs, has)
	p.planReading(req, needs)
	p.planWarnings(req, has)
	return p
}

// planPage says where the page may come from.
func (p *Plan) planPage(req *Request, target string, needs format.Needs, has has) {
	p.Page = source.Request{
		URL: target, TeamID: req.Caller.Team.ID, Route: routeOf(req, has),
		Headers: req.Headers, Languages: req.Languages(), Country: req.Country(), Mobile: req.Mobile,
		SkipTLS: req.SkipTLS(), BlockAds: req.BlockAds,
		WaitFor: req.WaitFor, Settle: time.Duration(req.WaitFor) * time.Millisecond, Actions: req.Actions,
		Screenshot: needs.Screenshot, Measure: needs.Measure, NoPage: needs.NoPage, RawBytes: needs.RawBytes,
	}
	if needs.History && !req.ZeroDataRetention { // what becomes a part of its past has to be the page, and all of it
		p.Page.Verified = true
		p.Page.Settle = max(p.Page.Settle, time.Duration(min(trawl.TrackingWait, req.Timeout/2))*time.Millisecond)
	}
	if req.Profile != nil {
		p.Page.Profile = &source.Profile{Name: req.Profile.Name, Save: req.Profile.Saves() && !req.ZeroDataRetention}
	}
	p.Page.Rendered = needs.Browser || p.Page.Settle > 0 || len(req.Actions) > 0 || req.Mobile || req.Profile != nil
	if req.upload {
		return
	}
	if has.cache && cacheable(req) {
		p.Page.Use.Write = req.StoreInCache
		if youngest, oldest := req.CacheWindow(); oldest > 0 && !needs.Fresh {
			p.Page.Use.Read, p.Page.Use.Youngest, p.Page.Use.Oldest = true, youngest, oldest
		}
	}
	p.Page.Use.Only = req.CacheOnly()
}

// cacheable reports whether the cache may be used: what a request with headers, a
// password, actions or a profile sees is its own.
func cacheable(req *Request) bool {
	return len(req.Headers) == 0 && !trawl.CarriesPassword(req.URL) && len(req.Actions) == 0 && req.Profile == nil && !req.ZeroDataRetention
}

func routeOf(req *Request, has has) source.Route {
	switch {
	case req.Proxy == trawl.ProxyAuto:
		return source.Auto
	case req.UsesEnhanced() && has.enhanced(req.Country()):
		return source.Enhanced
	}
	return source.Basic
}

// planReading says what is read from the page.
func (p *Plan) planReading(req *Request, needs format.Needs) {
	p.Reading = reading.Options{
		OnlyMain: req.OnlyMainContent, Include: req.IncludeTags, Exclude: req.ExcludeTags, RemoveBase64: req.RemoveBase64Images,
		Bytes: needs.RawBytes, Owner: req.Caller.Team.ID, Attachments: req.ReadsAttachments(),
	}
	if parser, ok := req.PDFParser(); ok {
		p.Reading.PDF = &parser
	}
	p.Reading.Image = req.ParsesImages()
}

// planWarnings names what was asked for and does not act here.
func (p *Plan) planWarnings(req *Request, has has) {
	ignored := req.Ignored()
	if req.WaitFor > 0 && !has.Browser {
		ignored = append(ignored, "waitFor")
	}
	if text := trawl.WithoutEffect(ignored); text != "" {
		p.Warnings = append(p.Warnings, text)
	}
	if req.UsesEnhanced() && p.Page.Route != source.Enhanced {
		p.Warnings = append(p.Warnings, "This server has neither a browser nor an enhanced proxy; the page was fetched plainly.")
	}
	if req.Profile.Saves() && !p.Page.Profile.Save {
		p.Warnings = append(p.Warnings, "The profile was not saved, because zero data retention keeps nothing.")
	}
}

// What pages cost beyond one credit.
const (
	lockdownCredits  = 4
	enhancedCredits  = 4
	retentionCredits = 1 // of zero data retention
)

func fixedCredits(req *Request) int64 {
	credits := int64(1)
	if req.Lockdown {
		credits += lockdownCredits
	}
	if req.ZeroDataRetention {
		credits += retentionCredits
	}
	return credits
}

// Price returns what the page costs, by the proxy that was really used and the
// number of pages of a file that were read, which is 0 for those that have none.
// Formats that failed cost nothing.
func (p *Plan) Price(proxy string, pages int, failed ...string) int64 {
	price := p.credits + format.Credits(p.Steps, failed)
	if proxy == trawl.ProxyStealth {
		price += enhancedCredits
	}
	if pages > 1 {
		price += int64(pages - 1)
	}
	return price
}

// Price returns what a page costs at least, by its options.
func Price(o *trawl.ScrapeOptions, zeroDataRetention bool) int64 {
	req := &Request{ScrapeRequest: trawl.ScrapeRequest{ScrapeOptions: *o, ZeroDataRetention: zeroDataRetention}}
	return newPlan(req, "", has{enhanced: func(string) bool { return false }}).Price("", 0)
}

// admit says how many of its pages are read of a file, before any is: no more than
// were asked for, and none if the team cannot pay for those.
func (p *Plan) admit(page *source.Page, total int) (int, error) {
	if parser := p.Reading.PDF; parser != nil && parser.MaxPages > 0 && page.File == document.PDF {
		total = min(total, parser.MaxPages)
	}
	if page.File.HasPages() {
		if err := p.Caller.Unpaid(p.Price(page.Proxy, total)); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// documentKey spells out what a document depends on, given its page.
func (p *Plan) documentKey() string {
	var b strings.Builder
	for i := range p.Steps {
		b.WriteString(p.Steps[i].Name)
		if p.Steps[i].HasOptions {
			text, _ := json.Marshal(p.Steps[i].Options) // which was JSON
			b.Write(text)
		}
		b.WriteByte(',')
	}
	r := &p.Reading
	for _, flag := range []bool{r.OnlyMain, r.RemoveBase64, r.Image, r.Attachments, p.Links, p.Source} {
		b.WriteString(strconv.FormatBool(flag))
	}
	if r.PDF != nil {
		fmt.Fprintf(&b, "%+v", *r.PDF)
	}
	if len(r.Include)+len(r.Exclude) > 0 {
		fmt.Fprintf(&b, "%q%q", r.Include, r.Exclude)
	}
	if p.Page.Screenshot != nil {
		b.WriteString(p.base)
	}
	return b.String()
}

// shareKey names what those who fetch a page together have in common beside it: who
// only wants the page does not wait for a model.
func (p *Plan) shareKey() string {
	if !p.UsesModel {
		return ""
	}
	return p.documentKey()
}

// check refuses options that a server cannot carry out.
func check(o *trawl.ScrapeOptions, has has) error {
	if len(o.Actions) > 0 && !has.Browser {
		return trawl.Refused(trawl.CodeActionsUnsupported, "Actions need a browser, which this server does not have.", "actions")
	}
	if o.Profile != nil && !has.Browser {
		return trawl.Refused(trawl.CodeOptionUnsupported, "Profiles need a browser, which this server does not have.", "profile")
	}
	if o.Profile != nil && !has.profiles {
		return trawl.Refused(trawl.CodeOptionUnsupported, "Profiles need a server that keeps them.", "profile")
	}
	if err := format.Check(o.Formats, has.Has); err != nil {
		return err
	}
	return errors.Join(checkSelectors("includeTags", o.IncludeTags), checkSelectors("excludeTags", o.ExcludeTags))
}

func checkSelectors(field string, list []string) error {
	var bad *content.SelectorError
	if !errors.As(content.CheckSelectors(list), &bad) {
		return nil
	}
	return invalid(bad.Error(), field, bad.Index)
}

func invalid(message string, path ...any) error {
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: message, Path: path}})
}
