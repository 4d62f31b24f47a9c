package address

import (
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// IsData reports whether an address is data in itself.
func IsData(ref string) bool {
	return len(ref) > 4 && ref[4] == ':' && chars.HasPrefixFold(ref, "data")
}

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
	return matchesScheme(scheme, "javascript") || matchesScheme(scheme, "vbscript")
}

// matchesScheme compares a scheme with a name in lower case.
func matchesScheme(scheme, name string) bool {
	for i := range len(scheme) {
		switch c := scheme[i]; {
		case c == '\t' || c == '\n' || c == '\r':
		case name == "" || c|0x20 != name[0]:
			return false
		default:
			name = name[1:]
		}
	}
	return name == ""
}

// IsElsewhere reports whether an address has a scheme that is not of the web,
// as those of mails and telephone numbers have. Others may turn out to be of
// another scheme only once they are joined.
func IsElsewhere(ref string) bool {
	if IsWeb(ref) {
		return false
	}
	for i := range len(ref) {
		switch c := ref[i]; {
		case c == ':':
			return i > 0 && !strings.EqualFold(ref[:i], "http") && !strings.EqualFold(ref[:i], "https")
		case chars.IsLetter(c):
		case i > 0 && (chars.IsDigit(c) || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// AppendTarget appends the address that a link leads to. It appends nothing if
// the link leads nowhere: no address, one that runs code, or one that only
// scrolls to the top.
func (b *Base) AppendTarget(dst []byte, a *dom.Node) []byte {
	href := strings.TrimSpace(a.Get("href"))
	if href == "" || href == "#" || IsData(href) || IsScript(href) {
		return dst
	}
	before := len(dst)
	dst = b.Append(dst, href)
	if len(dst) == before && b.url == nil && len(href) <= MaxLength && !strings.ContainsAny(href, " \t\r\n\f<>") {
		dst = append(dst, href...)
	}
	return dst
}
