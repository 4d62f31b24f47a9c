package crawl

import "strings"

// Bounds of a sane address.
const (
	maxSegments   = 25
	maxParameters = 30
	maxSegmentUse = 5 // times that one segment occurs in a path
)

// isTrap reports whether an address looks like one of endlessly many that a site
// makes up by itself: links that pile up on each other, or far too much of
// everything.
func isTrap(path, query string) bool {
	if strings.Count(query, "&") >= maxParameters {
		return true
	}
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	switch n := strings.Count(path, "/") + 1; {
	case n < 3:
		return false
	case n > maxSegments:
		return true
	}
	var room [maxSegments]string
	segments := room[:0]
	for found := true; found; {
		var segment string
		segment, path, found = strings.Cut(path, "/")
		segments = append(segments, segment)
	}
	return repeats(segments)
}

// repeats reports whether one segment is used too often, or some occur three
// times in a row. A number alone may: dates and verses have such paths.
func repeats(segments []string) bool {
	for i, segment := range segments {
		uses := 1
		for k := i + 1; k < len(segments); k++ {
			if segments[k] != segment {
				continue
			}
			uses++
			if (k-i > 1 || !isNumber(segment)) && twiceMore(segments[i:], k-i) {
				return true
			}
		}
		if uses > maxSegmentUse {
			return true
		}
	}
	return false
}

// twiceMore reports whether the first n segments follow themselves twice.
func twiceMore(segments []string, n int) bool {
	if len(segments) < 3*n {
		return false
	}
	for i := range 2 * n {
		if segments[i] != segments[i+n] {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
