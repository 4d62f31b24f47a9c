package crawl

import "strings"

// matchPattern reports whether a path begins as the pattern says. A star stands
// for any characters, a dollar sign at the end for the end of the path. Taking
// the first place where the text behind a star fits is always right, so one pass
// over the path is enough.
func matchPattern(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	start, rest, starred := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, start) {
		return false
	}
	path = path[len(start):]
	for starred {
		var part string
		part, rest, starred = strings.Cut(rest, "*")
		if !starred && anchored {
			return strings.HasSuffix(path, part)
		}
		i := strings.Index(path, part)
		if i < 0 {
			return false
		}
		path = path[i+len(part):]
	}
	return !anchored || path == ""
}

// pathOf returns what rules look at in an address: path and query.
func pathOf(address string) string {
	address, _, _ = strings.Cut(address, "#")
	rest := strings.TrimPrefix(address, "//")
	start := strings.IndexAny(rest, "/?;")
	if scheme := strings.Index(rest, "://"); scheme >= 0 && start > scheme {
		rest = rest[scheme+len("://"):]
		start = strings.IndexAny(rest, "/?;")
	}
	if start < 0 {
		return "/"
	}
	if rest = rest[start:]; rest[0] != '/' {
		return "/" + rest
	}
	return rest
}

const upperHex = "0123456789ABCDEF"

// escapePattern writes a pattern as addresses are written: bytes beyond ASCII
// escaped, and escapes in capitals.
func escapePattern(pattern string) string {
	plain := true
	for i := range len(pattern) {
		plain = plain && pattern[i] < 0x80
	}
	if plain {
		return upperEscapes(pattern)
	}
	var b strings.Builder
	for i := range len(pattern) {
		if c := pattern[i]; c < 0x80 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		}
	}
	return upperEscapes(b.String())
}

// upperEscapes returns s with the digits of its escapes in capitals.
func upperEscapes(s string) string {
	var b []byte
	for i := 0; i+2 < len(s); i++ {
		if s[i] != '%' || !isHex(s[i+1]) || !isHex(s[i+2]) {
			continue
		}
		for _, k := range []int{i + 1, i + 2} {
			if s[k] >= 'a' {
				if b == nil {
					b = []byte(s)
				}
				b[k] = s[k] &^ 0x20
			}
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
