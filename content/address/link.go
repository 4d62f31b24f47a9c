package address

import (
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

func IsData(ref string) bool { return chars.HasPrefixFold(ref, "data:") }

// IsScript reports whether an address would run code. Browsers skip control
// characters in schemes, so does this.
func IsScript(ref string) bool {
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

// LinkTarget returns the address that a link leads to, or "" if it leads
// nowhere: no address, one that runs code, or one that only scrolls to the top.
func (b *Base) LinkTarget(a *dom.Node) string {
	href := strings.TrimSpace(a.Get("href"))
	if href == "" || href == "#" || IsData(href) || IsScript(href) {
		return ""
	}
	if joined := b.Join(href); joined != "" {
		return joined
	}
	if b.url == nil && len(href) <= MaxLength && !strings.ContainsAny(href, " \t\r\n\f<>") {
		return href
	}
	return ""
}
