package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trawlhq/trawl/browser/cdp"
)

const (
	mostTabs    = 100  // that are listed
	mostTitle   = 300  // bytes of what pages call themselves
	mostAddress = 2000 // bytes of what is shown of an address
)

// tabs follows what is open in a browser: its pages, which of them is looked at,
// and which of its targets are of the web at all. It costs nothing while nothing
// opens or closes.
type tabs struct {
	browser *cdp.Session

	mu       sync.Mutex
	pages    []*tab          // in the order in which they were opened
	targets  map[string]kind // all there are
	active   string          // id of the page that is looked at; empty if none is open
	uses     int64
	changing chan struct{} // closed at the next change
}

// tab is a page as its browser describes it, cut to what can be shown.
type tab struct {
	id      string
	context string // the cookie jar that it uses
	title   string
	address string
	used    int64 // when it was last looked at, as a count
}

// kind is what a target is to those who drive the browser.
type kind int

const (
	ofWeb   kind = iota // theirs to do with as they like
	whole               // the browser as a whole
	own                 // a part of the browser itself, such as its dialogs
	strayed             // a page that left the web: for files, or pages of the browser
)

// kindOf tells what pages are made of from what the browser is made of.
func kindOf(of, address string) kind {
	switch of {
	case "browser":
		return whole
	case "browser_ui", "background_page", "app", "other": // the last are dialogs, which have no address yet when they are announced
		return own
	}
	switch schemeOf(address) {
	case "", "about", "http", "https", "blob", "data", "chrome-error":
		return ofWeb
	}
	return strayed
}

func schemeOf(address string) string {
	address = strings.TrimPrefix(strings.ToLower(address[:min(len(address), 50)]), "view-source:")
	scheme, _, _ := strings.Cut(address, ":")
	return scheme
}

// newTabs begins to follow what is open on the browser's own session.
func newTabs(ctx context.Context, conn *cdp.Conn) (*tabs, error) {
	t := &tabs{browser: conn.Browser(), targets: map[string]kind{}, changing: make(chan struct{})}
	cdp.On(t.browser, target.TargetCreated, func(e target.EventTargetCreated) { t.put(e.TargetInfo, true) })
	cdp.On(t.browser, target.TargetInfoChanged, func(e target.EventTargetInfoChanged) { t.put(e.TargetInfo, true) })
	cdp.On(t.browser, target.TargetDestroyed, func(e target.EventTargetDestroyed) { t.drop(string(e.TargetID)) })
	everything := target.Filter{{}}
	if _, err := protocol.Call(ctx, t.browser, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true, Filter: everything}); err != nil {
		return nil, fmt.Errorf("follow pages: %w", err)
	}
	return t, nil
}

// refresh asks for titles: a browser does not tell when a page changes its own.
func (t *tabs) refresh(ctx context.Context) error {
	pages := target.Filter{{Type: "page"}}
	found, err := protocol.Call(ctx, t.browser, target.GetTargets, target.GetTargetsParams{Filter: pages})
	if err != nil {
		return err
	}
	for _, info := range found.TargetInfos {
		t.put(info, false)
	}
	return nil
}

// put notes what is known of a target. Those that were not announced are not added:
// they may be gone by now.
func (t *tabs) put(info *target.Info, add bool) {
	if info == nil {
		return
	}
	id := string(info.TargetID)
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.targets[id]; !known && !add {
		return
	}
	is := kindOf(info.Type, info.URL)
	if is == strayed && t.targets[id] != strayed && info.Type == "page" {
		go t.stop(info)
	}
	t.targets[id] = is
	i := slices.IndexFunc(t.pages, func(p *tab) bool { return p.id == id })
	switch isTab := info.Type == "page" && info.Subtype == "" && is == ofWeb; {
	case isTab && i < 0:
		t.pages = append(t.pages, &tab{id: id})
		i = len(t.pages) - 1
		t.use(t.pages[i])
	case isTab:
	case i >= 0:
		t.remove(i)
		return
	default:
		return
	}
	now := tab{id, string(info.BrowserContextID), clip(info.Title, mostTitle), clip(info.URL, mostAddress), t.pages[i].used}
	if *t.pages[i] != now {
		*t.pages[i] = now
		t.change()
	}
}

func (t *tabs) drop(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.targets, id)
	if i := slices.IndexFunc(t.pages, func(p *tab) bool { return p.id == id }); i >= 0 {
		t.remove(i)
	}
}

// remove takes a page out; the one that was used before it takes its place. The
// lock is held.
func (t *tabs) remove(i int) {
	gone := t.pages[i].id
	t.pages = slices.Delete(t.pages, i, i+1)
	if t.active == gone {
		t.active = ""
		if len(t.pages) > 0 {
			t.active = slices.MaxFunc(t.pages, func(a, b *tab) int { return cmp.Compare(a.used, b.used) }).id
		}
	}
	t.change()
}

// use makes a page the one that is looked at. The lock is held.
func (t *tabs) use(page *tab) {
	t.uses++
	page.used = t.uses
	t.active = page.id
}

// change tells those who wait. The lock is held.
func (t *tabs) change() {
	close(t.changing)
	t.changing = make(chan struct{})
}

// changes returns a channel that is closed at the next change.
func (t *tabs) changes() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changing
}

// front makes a page the one that is looked at; it reports whether there is such a
// page.
func (t *tabs) front(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.pages, func(p *tab) bool { return p.id == id })
	if i < 0 {
		return false
	}
	if t.active != id {
		t.use(t.pages[i])
		t.change()
	}
	return true
}

// current returns the page that is looked at; false if none is open.
func (t *tabs) current() (tab, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.pages {
		if p.id == t.active {
			return *p, true
		}
	}
	return tab{}, false
}

// list returns the pages in the order in which they were opened. Of very many the
// newest are listed, and the one that is looked at.
func (t *tabs) list() (pages []tab, active string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	beyond := len(t.pages) - mostTabs
	for i, p := range t.pages {
		if i > beyond || i == beyond && len(pages) == 0 || p.id == t.active {
			pages = append(pages, *p)
		}
	}
	return pages, t.active
}

// harmless reports whether a target is of the web, which those whose session it is
// may do with as they like. The browser itself and its own pages are not.
func (t *tabs) harmless(id string) bool { return t.is(id, ofWeb) }

// is reports whether a target is of a kind.
func (t *tabs) is(id string, what kind) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	is, known := t.targets[id]
	return known && is == what
}

// stop closes a page that is where none should be able to go. That it is there at
// all is a way out that nobody knew of. Addresses of extensions are not: pages lead
// to them, and see nothing but an error.
func (t *tabs) stop(info *target.Info) {
	if schemeOf(info.URL) == "chrome-extension" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	_, _ = protocol.Call(ctx, t.browser, target.CloseTarget, target.CloseTargetParams{TargetID: info.TargetID}) // or it is gone already
}

// clip cuts what a page says of itself to a number of bytes, at a character.
func clip(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
