package source

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/trawlhq/trawl"
)

// Route is the way to a site.
type Route int

// The routes of a request.
const (
	Basic    Route = iota
	Enhanced       // by a browser with a real window, or an enhanced proxy
	Auto           // basic, then enhanced if the site turns that away
)

// Request says which page is wanted, and how it may be got.
type Request struct {
	URL    string // canonical address
	TeamID string
	Route  Route
	Use    CacheUse

	// How the request presents itself to the site.
	Headers   map[string]string
	Languages []string
	Country   string
	Mobile    bool
	SkipTLS   bool
	BlockAds  bool

	// What only a browser does.
	Rendered   bool           // only a browser will do
	WaitFor    int64          // milliseconds, as the caller chose them
	Settle     time.Duration  // how long the page is given beyond the automatic wait
	Actions    []trawl.Action // what is done in the page
	Screenshot *trawl.Format  // nil: none
	NoPage     error          // why an address that serves no page will not do; nil if it will
	Measure    string         // script that measures the page
	Profile    *Profile       // nil: none
	RawBytes   bool           // the bytes as they came, never what a browser makes of them
	Verified   bool           // it matters whether the site answered with a check for robots
}

// Profile is the browser profile that a page is rendered with.
type Profile struct {
	Name string
	Save bool // what the browser leaves is saved to it
}

// CacheUse says what the cache has to do with a request.
type CacheUse struct {
	Read             bool // it may serve the request
	Write            bool // the page may be stored for later requests
	Only             bool // nothing else may serve the request
	Youngest, Oldest time.Duration
}

// key spells out everything that decides what the network answers: the address and
// how the request presents itself. What is made of the answer is not part of it,
// since every format is made from the stored page.
func (r *Request) key(proxy string) string {
	b := make([]byte, 0, 256)
	for _, flag := range []bool{r.Mobile, r.SkipTLS, r.BlockAds} {
		b = strconv.AppendBool(b, flag)
	}
	b = strconv.AppendInt(b, r.WaitFor, 10)
	if shot := r.Screenshot; shot != nil {
		b = fmt.Appendf(b, "\nscreenshot %t %d", shot.FullPage, shot.Quality)
		if shot.Viewport != nil {
			b = fmt.Appendf(b, " %dx%d", shot.Viewport.Width, shot.Viewport.Height)
		}
	}
	for _, text := range slices.Concat(r.Languages, []string{r.Country, trawl.PageIdentity(r.URL), proxy}) {
		b = append(append(b, '\n'), text...)
	}
	return string(b)
}

// keys returns the keys under which a cached page may serve the request: auto takes
// what either kind of proxy brought.
func (r *Request) keys() []string {
	base := r.key("")
	switch r.Route {
	case Enhanced:
		return []string{base + trawl.ProxyStealth}
	case Auto:
		return []string{base + trawl.ProxyBasic, base + trawl.ProxyStealth}
	default:
		return []string{base + trawl.ProxyBasic}
	}
}

// String returns the name of a route.
func (r Route) String() string { return [...]string{"basic", "enhanced", "auto"}[r] }
