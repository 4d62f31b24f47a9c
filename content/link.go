package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Links returns the web addresses that the whole page links to: absolute, each
// once, in the order of the document. Fragments are cut off unless they look
// like the route of a script application.
func (p *Page) Links() []string {
	list := addressList{base: p.base}
	if p.doc == nil {
		return nil
	}
	for n := p.doc; n != nil; n = following(n, p.doc, true) {
		if isElement(n, atom.A) || isElement(n, atom.Area) {
			if href, ok := lookup(n, "href"); ok {
				list.addLink(href)
			}
		}
	}
	return list.all
}

// addressList collects web addresses, each once.
type addressList struct {
	base *base
	all  []string
	seen map[string]struct{}
	size int // bytes of all
}

func (l *addressList) addLink(href string) {
	if isScript(href) {
		return
	}
	address := l.base.join(href)
	if page, fragment, found := strings.Cut(address, "#"); found && !isRoute(fragment) {
		address = page
	}
	l.addAbsolute(address)
}

// add takes an address as it stands in the page.
func (l *addressList) add(ref string) {
	if ref = strings.TrimSpace(ref); ref != "" && !isData(ref) {
		l.addAbsolute(l.base.join(ref))
	}
}

func (l *addressList) addAbsolute(address string) {
	if !isWeb(address) || l.size > maxOutput {
		return
	}
	if l.seen == nil {
		l.seen = make(map[string]struct{})
	}
	if _, known := l.seen[address]; !known {
		l.seen[address] = struct{}{}
		l.all = append(l.all, address)
		l.size += len(address)
	}
}

// isRoute reports whether a fragment addresses a view of a script application
// and not a place in the page.
func isRoute(fragment string) bool {
	return len(fragment) > 1 && strings.Contains(fragment, "/")
}

func isData(ref string) bool { return hasPrefixFold(ref, "data:") }

// isScript reports whether an address would run code. Browsers skip control
// characters in schemes, so does this.
func isScript(ref string) bool {
	ref = strings.TrimLeftFunc(ref, func(r rune) bool { return r <= ' ' })
	if ref == "" || (ref[0]|0x20 != 'j' && ref[0]|0x20 != 'v') {
		return false
	}
	scheme, _, found := strings.Cut(ref, ":")
	if !found {
		return false
	}
	scheme = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(scheme)
	return strings.EqualFold(scheme, "javascript") || strings.EqualFold(scheme, "vbscript")
}

// linkTarget returns the address that a link leads to, or "" if it leads
// nowhere: no address, one that runs code, or one that only scrolls to the top.
func (b *base) linkTarget(a *html.Node) string {
	href := strings.TrimSpace(attr(a, "href"))
	if href == "" || href == "#" || isData(href) || isScript(href) {
		return ""
	}
	if joined := b.join(href); joined != "" {
		return joined
	}
	if b.url == nil && len(href) <= maxAddress && !strings.ContainsAny(href, " \t\r\n\f<>") {
		return href
	}
	return ""
}
