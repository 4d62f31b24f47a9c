// Package browser renders pages in Chromium. A [Pool] starts a browser when the
// first page needs one and stops it when none has for a while; [Pool.Render]
// opens a page in a browser context of its own, waits until it has settled,
// acts in it, takes its picture and reads it. A page that is to find what an
// earlier one left has a [Private] browser.
//
// Pages are not trusted. The browser runs in its sandbox, as a user without
// rights where the service is root; it leaves the machine only through a door
// of package egress, one for each page; what a page may take in time, memory
// and bytes is bounded; and a page that crashes, hangs or hoards costs its own
// scrape and no other.
package browser

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/adblock"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/consent"
	"github.com/trawlhq/trawl/egress"
)

// Config says how pages are rendered.
type Config struct {
	Guard *egress.Guard // required
	Log   *slog.Logger  // nil means the default logger

	Programs chromium.Programs // the browsers of this machine
	Pages    int               // most pages that are open at a time; 0 means 4

	Idle     time.Duration     // how long a browser stays when no page needs it; 0 means a minute
	Patience chromium.Patience // with browsers and their pages

	// NoSandbox runs the browser without its sandbox, for machines that offer none.
	NoSandbox bool

	// UserAgent is how pages are asked for unless as enhanced, when the browser
	// shows its own; on phones it follows that of a phone. Empty means the
	// browser's own with the name of this service and an address to complain to.
	UserAgent string

	// Authorities are trusted to certify sites, besides those that browsers know.
	Authorities *chromium.Authorities

	Ads     *adblock.Engine // what blockAds blocks; nil means nothing
	Consent *consent.Kit    // what answers cookie dialogs; nil means nothing does

	// Local has sites by host that are not on the network but part of the service.
	Local map[string]http.Handler

	// Proxy returns the operator's proxy for a country, nil for none. It may be nil.
	Proxy func(country string, enhanced bool) (*url.URL, error)
}

// Request is a page to render.
type Request struct {
	URL       string
	Headers   map[string]string // for the origin of URL only
	Languages []string          // in order of preference
	Country   string            // ISO 3166 alpha-2: chooses the proxy and the time zone
	Mobile    bool              // emulate a phone
	SkipTLS   bool              // take any certificate
	BlockAds  bool              // turn advertisements away and answer cookie dialogs
	Enhanced  bool              // the real browser in its ordinary form, the enhanced proxies

	WaitFor    time.Duration  // beyond the automatic wait
	Actions    []trawl.Action // what to do in the page, in order
	Screenshot *trawl.Format  // the picture to take at the end, if any

	// Measure is an expression of JavaScript about the page, or empty. It is evaluated
	// out of the page's sight, after the actions and before the page is read.
	Measure string

	// Private, if set, is the browser that the page is opened in, in place of one
	// that it shares with others.
	Private *Private

	// Owner is for whom the page is rendered: where pages have to wait, those of
	// owners who have fewer open come first.
	Owner string

	// Hold, if set, is called when the page has to wait for its turn, and what it
	// returns when that has come. Such a page has time: others go first.
	Hold func() (resume func())

	// Large, if set, is called before a page of more than [fetch.LargeBytes] is
	// read. It may wait until there is room, or refuse.
	Large func(ctx context.Context) error

	acted bool // something was done in the page
	alone bool // it is opened in a browser that no other page has
}

// Result is a page as it was when it was read.
type Result struct {
	URL         string // after redirects and what scripts did
	Status      int
	ContentType string
	Language    string
	HTML        string
	TimeZone    string        // that was emulated
	Unfinished  bool          // it had not loaded when it was read
	Partial     bool          // nor had all of its HTML come
	Waited      time.Duration // for a place among the pages that may be open

	Screenshot *Picture        // if it was asked for
	Outcome    Outcome         // of the actions
	Measured   json.RawMessage // value of Measure; nil if it failed or is larger than 1 MiB
	Unkept     error           // why what a private browser has left is of no use, although it was to quit
}
