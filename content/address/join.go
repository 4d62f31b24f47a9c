package address

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl/content/chars"
)

// MaxLength bounds the addresses that are looked at; browsers and servers stop
// far earlier.
const MaxLength = 16 << 10

// Base is what relative addresses are relative to. Joining follows the WHATWG
// URL standard; plain addresses, which are nearly all, take a short way that
// gives the same result.
type Base struct {
	url    *whatwg.Url // nil when the page has no usable address
	scheme string      // "https:"; empty when the short way is closed
	origin string      // "https://example.com"
	dir    string      // path up to its last slash: "/docs/"
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
		b.origin = b.scheme + "//" + u.Host()
		path := u.Pathname()
		b.dir = path[:strings.LastIndexByte(path, '/')+1]
		b.page = b.origin + path
		b.query = u.Search()
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
	ref = strings.Trim(ref, " \t\r\n\f")
	if len(ref) > MaxLength {
		return ""
	}
	if joined, ok := b.joinPlain(ref); ok {
		return joined
	}
	u := parseRef(b.url, ref)
	if u == nil {
		return ""
	}
	return u.Href(false)
}

// joinPlain joins addresses that need neither escaping nor normalising; ok is
// false for all others.
func (b *Base) joinPlain(ref string) (joined string, ok bool) {
	if strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
		return plainAbsolute(ref)
	}
	if b.scheme == "" {
		return "", false
	}
	switch {
	case ref == "":
		return b.page + b.query, true
	case strings.HasPrefix(ref, "//"):
		return plainAbsolute(b.scheme + ref)
	case ref[0] == '/':
		return b.origin + ref, plainPath(ref)
	case ref[0] == '?':
		return b.page + ref, plainPath(ref)
	case ref[0] == '#':
		return b.page + b.query + ref, plainPath(ref)
	}
	return b.joinRelative(ref)
}

// joinRelative joins a path that is relative to the page's directory.
func (b *Base) joinRelative(ref string) (string, bool) {
	dir := b.dir
	for {
		switch {
		case strings.HasPrefix(ref, "./"):
			ref = ref[2:]
			continue
		case strings.HasPrefix(ref, "../"):
			ref = ref[3:]
			if len(dir) > 1 {
				dir = dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
			}
			continue
		}
		break
	}
	segment := ref
	if i := strings.IndexAny(ref, "/?#"); i >= 0 {
		segment = ref[:i]
	}
	if segment == "" || segment[0] == '.' || strings.IndexByte(segment, ':') >= 0 {
		return "", false
	}
	return b.origin + dir + ref, plainPath(ref)
}

// plainAbsolute checks an http or https address whose scheme is in lower case.
func plainAbsolute(ref string) (string, bool) {
	start := strings.Index(ref, "//") + 2
	end := start
	for end < len(ref) && isHostByte(ref[end]) {
		end++
	}
	host, rest := ref[start:end], ref[end:]
	if !plainHost(host) {
		return "", false
	}
	switch {
	case rest == "":
		return ref + "/", true
	case rest[0] == '/':
		return ref, plainPath(rest)
	case rest[0] == '?' || rest[0] == '#':
		return ref[:end] + "/" + rest, plainPath(rest)
	}
	return "", false
}

func isHostByte(c byte) bool {
	return 'a' <= c && c <= 'z' || chars.IsDigit(c) || c == '-' || c == '.'
}

// plainHost reports whether a host of letters, digits, dots and hyphens is a
// name that stays as it is: not encoded, not an IP address.
func plainHost(host string) bool {
	if host == "" || host[0] == '.' || host[0] == '-' || strings.Contains(host, "--") || strings.Contains(host, "..") {
		return false
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && chars.IsLetter(last[0])
}

// How a byte stands in the parts of an address.
const (
	plainInPath     = 1 << iota // stays as it is in a path
	plainInQuery                // stays as it is in a query
	plainInFragment             // stays as it is in a fragment
)

var addressBytes = addressTable()

func addressTable() (table [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case chars.IsWord(b) || strings.IndexByte("-._~!$&()*+,;=:@/%", b) >= 0:
			table[c] = plainInPath | plainInQuery | plainInFragment
		case b == '\'':
			table[c] = plainInPath | plainInFragment
		case b == '?':
			table[c] = plainInQuery | plainInFragment
		}
	}
	return table
}

// plainPath reports whether a path with its query and fragment needs no
// escaping and has no segments of dots.
func plainPath(s string) bool {
	part := uint8(plainInPath)
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '?' && part == plainInPath:
			part = plainInQuery
		case c == '#' && part != plainInFragment:
			part = plainInFragment
		case addressBytes[c]&part == 0:
			return false
		case part == plainInPath && c == '.' && (i == 0 || s[i-1] == '/'):
			return false
		case part == plainInPath && c == '%' && i+2 < len(s) && s[i+1] == '2' && s[i+2]|0x20 == 'e':
			return false
		}
	}
	return true
}

// IsWeb reports whether an absolute address is of the web.
func IsWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}
