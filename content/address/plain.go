package address

import (
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content/chars"
)

// pieces make up an address when they are put together.
type pieces [3]string

// joinPlain joins addresses that need no normalising, and no escaping but of a
// few characters; ok is false for all others.
func (b *Base) joinPlain(ref string) (p pieces, ok bool) {
	if len(ref) > MaxLength {
		return p, false
	}
	if strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
		return plainAbsolute("", ref)
	}
	if b.scheme == "" {
		return p, false
	}
	if ref == "" {
		return pieces{b.page, b.query}, true
	}
	if strings.HasPrefix(ref, "//") {
		return plainAbsolute(b.scheme, ref)
	}
	switch ref[0] {
	case '/':
		ref, ok = escapePath(ref)
		return pieces{b.origin, ref}, ok
	case '?':
		ref, ok = escapePath(ref)
		return pieces{b.page, ref}, ok
	case '#':
		ref, ok = escapePath(ref)
		return pieces{b.page, b.query, ref}, ok
	}
	return b.joinRelative(ref)
}

// joinRelative joins a path that is relative to the page's directory.
func (b *Base) joinRelative(ref string) (pieces, bool) {
	dir := b.dir
	for {
		if strings.HasPrefix(ref, "./") {
			ref = ref[2:]
		} else if strings.HasPrefix(ref, "../") {
			ref = ref[3:]
			if len(dir) > b.root+1 {
				dir = dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
			}
		} else {
			break
		}
	}
	segment := ref
	if i := strings.IndexAny(ref, "/?#"); i >= 0 {
		segment = ref[:i]
	}
	if segment == "" || segment[0] == '.' || strings.IndexByte(segment, ':') >= 0 {
		return pieces{}, false
	}
	ref, ok := escapePath(ref)
	return pieces{dir, ref}, ok
}

// plainAbsolute checks an http or https address whose scheme is in lower case.
// The scheme may be given apart from the rest.
func plainAbsolute(scheme, ref string) (pieces, bool) {
	start := strings.Index(ref, "//") + 2
	end := start
	for end < len(ref) && isHostByte(ref[end]) {
		end++
	}
	host, rest := ref[start:end], ref[end:]
	if !plainHost(host) {
		return pieces{}, false
	}
	switch {
	case rest == "" && scheme == "":
		return pieces{ref}, true // as it was written
	case rest == "":
		return pieces{scheme, ref, "/"}, true
	}
	escaped, ok := escapePath(rest)
	switch {
	case rest[0] == '/' && len(escaped) == len(rest):
		return pieces{scheme, ref}, ok
	case rest[0] == '/':
		return pieces{scheme, ref[:end], escaped}, ok
	case scheme == "" && (rest[0] == '?' || rest[0] == '#'):
		return pieces{ref[:end], "/", escaped}, ok
	}
	return pieces{}, false
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

// How a byte stands in the parts of an address: it stays as it is, or is escaped,
// or neither, which is for the library to see to.
const (
	plainInPath = 1 << iota
	plainInQuery
	plainInFragment
	notable // may have a meaning of its own
)

// escaped is by how much the bits for escaping are above those for staying.
const escaped = 4

const (
	plainAnywhere   = plainInPath | plainInQuery | plainInFragment
	escapedAnywhere = plainAnywhere << escaped
)

var addressBytes = addressTable()

func addressTable() (table [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case chars.IsWord(b) || strings.IndexByte("-_~!$&()*+,;=:@/", b) >= 0:
			table[c] = plainAnywhere
		case b == '.' || b == '%':
			table[c] = plainAnywhere | notable
		case b == '\'':
			table[c] = plainInPath | plainInFragment | plainInQuery<<escaped
		case b == '?':
			table[c] = plainInQuery | plainInFragment | notable
		case b == '#':
			table[c] = notable
		case b >= utf8.RuneSelf || strings.IndexByte(` "<>`, b) >= 0:
			table[c] = escapedAnywhere
		}
	}
	return table
}

// escapePath returns a path with its query and fragment as it stands in an
// absolute address. ok is false if it takes more than escaping to get there.
func escapePath(s string) (out string, ok bool) {
	part := uint8(plainInPath)
	escapes := 0
	for i := range len(s) {
		c := s[i]
		class := addressBytes[c]
		switch {
		case class&notable == 0:
			if class&(part|part<<escaped) == 0 {
				return "", false
			}
			if class&part == 0 {
				escapes++
			}
		case c == '?':
			if part == plainInPath {
				part = plainInQuery
			}
		case c == '#':
			if part == plainInFragment {
				return "", false
			}
			part = plainInFragment
		case part == plainInPath && c == '.' && (i == 0 || s[i-1] == '/'):
			return "", false
		case part == plainInPath && c == '%' && i+2 < len(s) && s[i+1] == '2' && s[i+2]|0x20 == 'e':
			return "", false
		}
	}
	if escapes == 0 {
		return s, true
	}
	return escape(s, escapes), utf8.ValidString(s)
}

// escape writes a path of which some bytes must be escaped.
func escape(s string, escapes int) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s) + 2*escapes)
	part := uint8(plainInPath)
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '?' && part == plainInPath:
			part = plainInQuery
		case c == '#':
			part = plainInFragment
		}
		if addressBytes[c]&(part<<escaped) == 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
