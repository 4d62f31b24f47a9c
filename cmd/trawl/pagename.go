package main

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of names, well below what file systems bear: a path that is too long is
// cut, and its name made unique.
const (
	mostSegment = 80  // bytes
	mostName    = 180 // bytes, of all segments together
)

// pageName returns where the page of an address is kept, as a relative path with
// slashes and without extension. Pages that differ in more than http or https
// have different names, on any file system and together with any of the
// extensions; which other pages there are does not matter.
//
// Most addresses have a plain path in lower case, which is their name. If
// anything had to be changed, or case or a query tells the address from others,
// the name ends in ~ and a hash of the address.
func pageName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{Host: "invalid"}
	}
	segments := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	last := len(segments) - 1
	plain := u.RawQuery == "" && !u.ForceQuery && u.Fragment == "" && u.User == nil && err == nil &&
		segments[last] != "index" && // which the folder itself has
		!strings.HasSuffix(segments[last], ".raw") // as html it would look like a page without .raw as rawHtml
	if segments[last] == "" {
		segments[last] = "index"
	}
	name, same := hostName(u)
	plain = plain && same
	for i, segment := range segments {
		safe, same := safeSegment(segment, i < last)
		if len(name)+1+len(safe) > mostName {
			plain = false
			break
		}
		name += "/" + safe
		plain = plain && same
	}
	if plain {
		return name
	}
	_, tail, _ := strings.Cut(address, "://")
	sum := sha256.Sum256([]byte(tail))
	return name + "~" + hex.EncodeToString(sum[:6])
}

// hostName returns the folder of a host, and whether no other host has it.
func hostName(u *url.URL) (name string, same bool) {
	host := u.Hostname()
	unmixed := !strings.Contains(host, "_") // so that the port can follow one
	if port := u.Port(); port != "" {
		host += "_" + port
	}
	name, same = safeSegment(host, true)
	return name, same && unmixed
}

// safeSegment returns a segment of a path as a name that every file system takes,
// and whether it is the very same, in a form that none takes for another.
func safeSegment(segment string, folder bool) (safe string, same bool) {
	text, err := url.PathUnescape(segment)
	if err != nil {
		text = segment
	}
	safe = strings.Map(safeRune, text)
	for len(safe) > mostSegment {
		_, size := utf8.DecodeLastRuneInString(safe)
		safe = safe[:len(safe)-size]
	}
	if strings.HasPrefix(safe, ".") { // hidden, or a way up
		safe = "_" + safe[1:]
	}
	if strings.HasSuffix(safe, ".") {
		safe = safe[:len(safe)-1] + "_"
	}
	if safe == "" || isDevice(safe) {
		safe = "_" + safe
	}
	if dot := strings.LastIndex(safe, "."); folder && dot >= 0 && isExtension(safe[dot:]) {
		safe = safe[:dot] + "_" + safe[dot+1:]
	}
	return safe, safe == segment && !strings.ContainsFunc(safe, isAmbiguous)
}

// safeRune keeps what people read in names and replaces all else.
func safeRune(r rune) rune {
	if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) || strings.ContainsRune("-._~+=,@", r) {
		return r
	}
	return '_'
}

// isAmbiguous reports whether some file systems take the character for another,
// or it marks names that are not plain.
func isAmbiguous(r rune) bool { return r >= utf8.RuneSelf || unicode.IsUpper(r) || r == '~' }

// isDevice reports whether Windows has a device of that name, whatever its
// extension.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, stem) {
		return true
	}
	port, found := strings.CutPrefix(stem, "com")
	if !found {
		port, found = strings.CutPrefix(stem, "lpt")
	}
	return found && utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789¹²³", port)
}

// isExtension reports whether files of this program end so; then a folder must not.
func isExtension(end string) bool {
	return slices.Contains([]string{".md", ".html", ".base64", ".json", ".jsonl"}, strings.ToLower(end))
}
