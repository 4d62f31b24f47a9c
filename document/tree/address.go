package tree

import (
	"slices"
	"strings"
	"unicode"
)

// Address returns an address as it may stand in a link, "" if it leads nowhere that a
// reader of the document should be taken to: scripts, data, and files of the machine
// on which it was written or is read.
func Address(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) { // browsers pass over some of them
			return -1
		}
		return r
	}, s))
	end := strings.IndexAny(s, ":/?#\\")
	if end < 0 || s[end] != ':' { // within the document or beside it
		return s
	}
	if !slices.Contains([]string{"http", "https", "mailto", "ftp", "tel"}, strings.ToLower(s[:end])) {
		return ""
	}
	return s
}

// picture returns where a picture comes from, "" if it is neither within the document
// nor at an address.
func picture(source string) string {
	if strings.HasPrefix(source, "data:image/") {
		return source
	}
	return Address(source)
}
