package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// Links returns the web addresses that the whole page links to: absolute, each
// once, in the order of the document. Fragments are cut off unless they look
// like the route of a script application.
func (p *Page) Links() []string {
	list := addressList{base: p.base}
	if p.tree == nil {
		return nil
	}
	for n := p.tree.Root; n != nil; n = dom.Following(n, p.tree.Root, true) {
		if n.Is(atom.A) || n.Is(atom.Area) {
			if href, ok := n.Lookup("href"); ok {
				list.addLink(href)
			}
		}
	}
	return list.all
}

// addressList collects web addresses, each once.
type addressList struct {
	base *address.Base
	all  []string
	seen map[string]struct{}
	size int // bytes of all
}

func (l *addressList) addLink(href string) {
	if address.IsScript(href) {
		return
	}
	joined := l.base.Join(href)
	if page, fragment, found := strings.Cut(joined, "#"); found && !isRoute(fragment) {
		joined = page
	}
	l.addAbsolute(joined)
}

// add takes an address as it stands in the page.
func (l *addressList) add(ref string) {
	if ref = strings.TrimSpace(ref); ref != "" && !address.IsData(ref) {
		l.addAbsolute(l.base.Join(ref))
	}
}

func (l *addressList) addAbsolute(absolute string) {
	if !address.IsWeb(absolute) || l.size > maxOutput {
		return
	}
	if l.seen == nil {
		l.seen = make(map[string]struct{})
	}
	if _, known := l.seen[absolute]; !known {
		l.seen[absolute] = struct{}{}
		l.all = append(l.all, absolute)
		l.size += len(absolute)
	}
}

// isRoute reports whether a fragment addresses a view of a script application
// and not a place in the page.
func isRoute(fragment string) bool {
	return len(fragment) > 1 && strings.Contains(fragment, "/")
}
