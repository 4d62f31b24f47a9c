package adblock

import (
	"regexp"
	"strings"
)

// types is a set of things that a request can be for. The bits above anyType
// stand for windows and for what page-wide exceptions switch off.
type types uint16

const (
	scriptType types = 1 << iota
	imageType
	stylesheetType
	fontType
	xhrType
	websocketType
	mediaType
	subdocumentType
	pingType
	objectType
	otherType
	popupType
	documentType
	genericHide
	specificHide

	anyType = popupType - 1
)

type flags uint8

const (
	hostAnchor  flags = 1 << iota // || in front: begins at a label of the host
	startAnchor                   // | in front
	endAnchor                     // | at the end
	matchCase
	thirdParty
	firstParty
	literal   // neither * nor ^ in the text
	important // stronger than exceptions
)

// rule is a network rule: a pattern and the requests it is limited to.
type rule struct {
	text  string // the pattern without anchors, in lower case unless matchCase
	flags flags
	types types
	limit *limit // nil for most
}

// limit holds what few rules have.
type limit struct {
	pages domains // of the page that asks
	hosts domains // of what is asked for
	regex *regexp.Regexp
	// needle is part of every address that regex matches. Looking for it first
	// is far cheaper than the expression.
	needle string
}

// wholeHost returns the host that the pattern names, if it covers all of it.
func (u *rule) wholeHost() (string, bool) {
	if u.flags&(hostAnchor|endAnchor) != hostAnchor {
		return "", false
	}
	host, ok := strings.CutSuffix(u.text, "^")
	if ok && lower(host) == host && isHost(host) {
		return host, true
	}
	return "", false
}

// namedHost returns the host in front of a pattern, if the pattern says where
// its name ends.
func (u *rule) namedHost() (string, bool) {
	text := lower(u.text)
	switch {
	case u.limit != nil && u.limit.regex != nil:
		return "", false
	case u.flags&startAnchor != 0:
		_, rest, ok := strings.Cut(text, "://")
		if !ok {
			return "", false
		}
		text = rest
	case u.flags&hostAnchor == 0:
		return "", false
	}
	i := strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 || !isHostByte(byte(c)) })
	if i < 0 || strings.IndexByte("^/:?", text[i]) < 0 || !isHost(text[:i]) {
		return "", false
	}
	return text[:i], true
}

// same reports whether two rules mean the same, however they were written.
func (u *rule) same(o *rule) bool {
	if u.text != o.text || u.flags != o.flags || u.types != o.types {
		return false
	}
	a, b := u.limit, o.limit
	if a == nil || b == nil {
		return a == b
	}
	return a.pages.equal(&b.pages) && a.hosts.equal(&b.hosts) && (a.regex == nil) == (b.regex == nil)
}

// applies reports whether the rule is about such requests, whatever their
// address and type.
func (u *rule) applies(r *request) bool {
	if u.flags&(thirdParty|firstParty) != 0 && (u.flags&thirdParty != 0) != r.isThird() {
		return false
	}
	return u.limit == nil || u.limit.pages.allow(&r.page) && u.limit.hosts.allow(&r.host)
}

// match reports whether the rule meets a request.
func (u *rule) match(r *request) bool {
	return u.types&r.kind != 0 && u.matchText(r) && u.applies(r)
}

func (u *rule) matchText(r *request) bool {
	if u.limit != nil && u.limit.regex != nil {
		return strings.Contains(r.url, u.limit.needle) && u.limit.regex.MatchString(r.raw)
	}
	url := r.url
	if u.flags&matchCase != 0 {
		url = r.raw
	}
	switch {
	case u.flags&hostAnchor != 0:
		return u.matchHost(url, r.start, r.end)
	case u.flags&startAnchor != 0:
		return u.matchAt(url, 0)
	case u.flags&(literal|endAnchor) == literal:
		return strings.Contains(url, u.text)
	default:
		return contains(url, u.text, u.flags&endAnchor != 0)
	}
}

// matchHost tries the pattern at every label of the host, which is
// url[start:end].
func (u *rule) matchHost(url string, start, end int) bool {
	for i := start; i < end; {
		if u.matchAt(url, i) {
			return true
		}
		next := strings.IndexByte(url[i:end], '.')
		if next < 0 {
			return false
		}
		i += next + 1
	}
	return false
}

func (u *rule) matchAt(url string, i int) bool {
	if u.flags&literal != 0 {
		return strings.HasPrefix(url[i:], u.text) && (u.flags&endAnchor == 0 || len(url)-i == len(u.text))
	}
	return glob(url[i:], u.text, u.flags&endAnchor != 0)
}

// glob reports whether s begins with the pattern, or is the pattern if toEnd.
// In the pattern * stands for any text and ^ for a separator or the end.
func glob(s, pattern string, toEnd bool) bool {
	head, rest, star := strings.Cut(pattern, "*")
	n, ok := prefix(s, head)
	if !ok || !star {
		return ok && (!toEnd || n == len(s))
	}
	return contains(s[n:], rest, toEnd)
}

// contains reports whether the pattern fits anywhere in s, or at its end if
// toEnd. Each part between stars is taken where it comes first: a later place
// could not leave more room for the rest.
func contains(s, pattern string, toEnd bool) bool {
	for star := true; star; {
		var part string
		part, pattern, star = strings.Cut(pattern, "*")
		if !star && toEnd {
			return hasEnd(s, part)
		}
		rest, ok := after(s, part)
		if !ok {
			return false
		}
		s = rest
	}
	return true
}

// prefix returns how much of s a part of a pattern takes.
func prefix(s, part string) (int, bool) {
	for i := range len(part) {
		switch {
		case i >= len(s):
			// What is left may only be separators that stand for the end.
			return len(s), strings.Trim(part[i:], "^") == ""
		case part[i] == '^':
			if !isSeparator(s[i]) {
				return 0, false
			}
		case part[i] != s[i]:
			return 0, false
		}
	}
	return len(part), true
}

// after returns what follows the first place where a part of a pattern fits.
func after(s, part string) (string, bool) {
	fixed := part
	if i := strings.IndexByte(part, '^'); i >= 0 {
		fixed = part[:i]
	}
	for at := 0; at <= len(s); at++ {
		i := strings.Index(s[at:], fixed)
		if i < 0 {
			return "", false
		}
		at += i
		if n, ok := prefix(s[at:], part); ok {
			return s[at+n:], true
		}
	}
	return "", false
}

// hasEnd reports whether s ends in a part of a pattern.
func hasEnd(s, part string) bool {
	short := strings.TrimRight(part, "^")
	for n := len(short); n <= len(part); n++ {
		if n > len(s) {
			return false
		}
		if got, ok := prefix(s[len(s)-n:], part); ok && got == n {
			return true
		}
	}
	return false
}

// isSeparator reports whether ^ stands for c: anything that is not part of a
// word in an address.
func isSeparator(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.', c == '%', c >= 0x80:
		return false
	}
	return true
}
