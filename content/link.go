package content

import (
	"bytes"
	"strings"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// Links returns the web addresses that the whole page links to: absolute, each
// once, in the order of the document. Fragments are cut off unless they look
// like the route of a script application.
func (p *Page) Links() []string {
	list := newAddressList(p.base, p.found.links)
	for _, n := range p.found.links {
		list.addLink(n.Get("href"))
	}
	return list.all
}

// Canonical returns the address that the page says is its proper one, or "".
func (p *Page) Canonical() string {
	if p.found.proper == nil {
		return ""
	}
	if proper := p.base.Join(p.found.proper.Get("href")); address.IsWeb(proper) {
		return proper
	}
	return ""
}

// addressList collects web addresses, each once. It makes them in one buffer and
// keeps those that are new in a few large pieces of memory.
type addressList struct {
	base    *address.Base
	all     []string
	seen    map[string]struct{}
	size    int // bytes of all
	scratch []byte
	kept    arena
}

// newAddressList returns a list with room for about an address per element.
func newAddressList(base *address.Base, from []*dom.Node) addressList {
	l := addressList{base: base}
	if len(from) > 0 {
		room := min(len(from), 1<<14)
		l.all = make([]string, 0, room)
		l.seen = make(map[string]struct{}, room)
		l.scratch = make([]byte, 0, 512)
		l.kept.room = min(48*room, 64<<10)
	}
	return l
}

func (l *addressList) addLink(href string) {
	if address.IsElsewhere(href) {
		return
	}
	l.scratch = l.base.Append(l.scratch[:0], href)
	if i := bytes.IndexByte(l.scratch, '#'); i >= 0 && !isRoute(l.scratch[i+1:]) {
		l.scratch = l.scratch[:i]
	}
	l.keep()
}

// add takes an address as it stands in the page.
func (l *addressList) add(ref string) {
	if ref = strings.TrimSpace(ref); ref != "" && !address.IsElsewhere(ref) {
		l.scratch = l.base.Append(l.scratch[:0], ref)
		l.keep()
	}
}

// keep adds what is in the buffer unless it is known or not of the web.
func (l *addressList) keep() {
	if l.size > maxOutput || !bytes.HasPrefix(l.scratch, []byte("http://")) && !bytes.HasPrefix(l.scratch, []byte("https://")) {
		return
	}
	bare := bytes.TrimSuffix(l.scratch, []byte("/")) // a site is the same by its mere name
	if bytes.Count(bare, []byte("/")) > 2 {
		bare = l.scratch
	}
	if _, known := l.seen[string(bare)]; known {
		return
	}
	absolute := l.kept.bytes(l.scratch)
	l.seen[absolute[:len(bare)]] = struct{}{}
	l.all = append(l.all, absolute)
	l.size += len(absolute)
}

// isRoute reports whether a fragment addresses a view of a script application
// and not a place in the page.
func isRoute(fragment []byte) bool {
	return len(fragment) > 1 && (fragment[0] == '!' || bytes.IndexByte(fragment, '/') >= 0)
}

// arena holds many small strings in few pieces of memory, apart from the text of
// the page: what is returned to a caller does not keep the whole page alive.
type arena struct {
	chunk strings.Builder
	room  int // bytes of the next chunk
}

// bytes returns a copy of b.
func (a *arena) bytes(b []byte) string {
	a.grow(len(b))
	start := a.chunk.Len()
	a.chunk.Write(b)
	return a.chunk.String()[start:]
}

// string returns a copy of s.
func (a *arena) string(s string) string {
	a.grow(len(s))
	start := a.chunk.Len()
	a.chunk.WriteString(s)
	return a.chunk.String()[start:]
}

// grow starts a new chunk where the present one is full. The strings made so far
// keep the old one.
func (a *arena) grow(n int) {
	if n <= a.chunk.Cap()-a.chunk.Len() {
		return
	}
	a.chunk = strings.Builder{}
	a.chunk.Grow(max(a.room, n, 512))
	a.room = min(2*a.room, 64<<10)
}
