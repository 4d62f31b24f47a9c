// Package address makes the addresses of a page absolute, as browsers would, and
// finds out where its links lead and its images are.
package address

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxLength bounds the addresses that are looked at; browsers and servers stop
// far earlier.
const MaxLength = 16 << 10

// Base is what relative addresses are relative to. Joining follows the WHATWG
// URL standard, but that a site by its mere name, such as https://example.com, gets
// no slash; plain addresses, which are nearly all, take a short way that gives the
// same result.
type Base struct {
	url    *whatwg.Url // nil when the page has no usable address
	scheme string      // "https:"; empty when the short way is closed
	origin string      // "https://example.com"
	dir    string      // origin and path up to its last slash
	root   int         // how much of dir is before the path
	page   string      // whole address without query and fragment
	query  string      // with its question mark, or ""
}

// NewBase returns the base of a page at pageURL whose base element, if there is
// one, says href.
func NewBase(pageURL, href string) *Base {
	b := &Base{}
	u, err := whatwg.Parse(pageURL)
	if err != nil || pageURL == "" {
		u = nil
	}
	if href != "" && len(href) <= MaxLength {
		if joined := parseRef(u, href); joined != nil && joined.Scheme() != "data" && joined.Scheme() != "javascript" {
			u = joined
		}
	}
	if u == nil {
		return b
	}
	b.url = u
	if s := u.Scheme(); (s == "http" || s == "https") && u.Username() == "" && u.Password() == "" {
		b.scheme = u.Protocol()
		b.page = b.scheme + "//" + u.Host()
		b.root = len(b.page)
		b.page += u.Pathname()
		b.origin = b.page[:b.root]
		b.dir = b.page[:strings.LastIndexByte(b.page, '/')+1]
		b.query = strings.TrimPrefix(u.Href(true), b.page)
	}
	return b
}

func parseRef(u *whatwg.Url, ref string) *whatwg.Url {
	var joined *whatwg.Url
	var err error
	if u == nil {
		joined, err = whatwg.Parse(ref)
	} else {
		joined, err = u.Parse(ref)
	}
	if err != nil {
		return nil
	}
	return joined
}

// Unknown reports whether the page has no usable address.
func (b *Base) Unknown() bool { return b.url == nil }

// Join returns the absolute form of an address, or "" if it has none.
func (b *Base) Join(ref string) string {
	ref = trim(ref)
	if p, ok := b.joinPlain(ref); ok {
		return p[0] + p[1] + p[2]
	}
	return b.joinAny(ref)
}

// Append appends the absolute form of an address to dst, and nothing if it has
// none. For plain addresses it allocates no more than dst needs to grow.
func (b *Base) Append(dst []byte, ref string) []byte {
	ref = trim(ref)
	if p, ok := b.joinPlain(ref); ok {
		return append(append(append(dst, p[0]...), p[1]...), p[2]...)
	}
	return append(dst, b.joinAny(ref)...)
}

// joinAny joins every kind of address.
func (b *Base) joinAny(ref string) string {
	if len(ref) > MaxLength {
		return ""
	}
	u := parseRef(b.url, ref)
	if u == nil {
		return ""
	}
	href := u.Href(false)
	if bare := strings.TrimSuffix(href, "/"); bare == ref && IsWeb(ref) {
		return bare
	}
	return href
}

// trim cuts off what browsers do at the ends of an address.
func trim(ref string) string {
	for ref != "" && ref[0] <= ' ' {
		ref = ref[1:]
	}
	for ref != "" && ref[len(ref)-1] <= ' ' {
		ref = ref[:len(ref)-1]
	}
	return ref
}

// IsWeb reports whether an absolute address is of the web.
func IsWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}
