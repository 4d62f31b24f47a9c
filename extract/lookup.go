package extract

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"github.com/trawlhq/trawl/extract/notation"
)

// locate finds a value of JSON in the text: word for word, or as another way to
// write the same address, date, number or telephone number.
func (t *text) locate(value any) span {
	s, ok := value.(string)
	if !ok {
		if n, ok := canonicalValue(value); ok {
			return t.number(n)
		}
		return span{}
	}
	kind := kindOf(s)
	if kind == kindURL {
		return t.address(s)
	}
	if at := t.find(s); at.ok() {
		return at
	}
	switch kind {
	case kindEmail:
		return t.first(emailForms(s))
	case kindPhone:
		return t.phone(s)
	}
	if len(s) > maxQuote {
		return span{}
	}
	folded := foldText(s)
	if at := t.day(folded); at.ok() {
		return at
	}
	if at := t.amount(folded); at.ok() {
		return at
	}
	if strings.Trim(folded, "0123456789- ") == "" {
		return t.digits(notation.Digits(folded)) // such as an ISBN that is grouped in another way
	}
	return span{}
}

// first finds one of several texts.
func (t *text) first(forms []string) span {
	for _, form := range forms {
		if at := t.find(form); at.ok() {
			return at
		}
	}
	return span{}
}

// day finds a text that is a date and at most a time, in whatever form the page
// has it.
func (t *text) day(folded string) span {
	var date notation.Mention
	for _, d := range notation.Dates(folded) {
		if date.Readings == nil || len(d.Readings[0]) > len(date.Readings[0]) {
			date = d
		}
	}
	if date.Readings == nil || !isTime(folded[:date.From]) || !isTime(folded[date.To:]) || !t.hasTime(folded) {
		return span{}
	}
	for _, reading := range date.Readings {
		if at := t.date(reading); at.ok() {
			return at
		}
	}
	return span{}
}

// isTime reports whether a text has nothing in it but a time of day.
func isTime(s string) bool {
	for from, to := range notation.Words(s) {
		switch strings.Trim(s[from:to], "0123456789") {
		case "", "t", "z", "h", "am", "pm", "utc", "gmt", "uhr":
		default:
			return false
		}
	}
	return true
}

// timeOfDay is a time as numbers. Midnight is what a date gets where a time is
// asked for and there is none.
var timeOfDay = regexp.MustCompile(`(\d?\d):(\d\d)`)

// hasTime reports whether the page has the time of day that a text begins with,
// by any clock; also if there is none.
func (t *text) hasTime(folded string) bool {
	parts := timeOfDay.FindStringSubmatch(folded)
	if parts == nil || parts[0] == "00:00" {
		return true
	}
	if t.times == nil {
		t.times = map[string]bool{}
		for _, found := range timeOfDay.FindAllString(t.folded, -1) {
			t.times[strings.TrimPrefix(found, "0")] = true
		}
	}
	hour, _ := strconv.Atoi(parts[1])
	return t.times[fmt.Sprintf("%d:%s", hour, parts[2])] || hour > 12 && t.times[fmt.Sprintf("%d:%s", hour-12, parts[2])]
}

// amount finds a text that is a number and at most a currency.
func (t *text) amount(folded string) span {
	numbers := notation.Numbers(folded)
	if len(numbers) != 1 {
		return span{}
	}
	n := numbers[0]
	for _, rest := range []string{folded[:n.From], folded[n.To:]} {
		if rest = strings.TrimFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); rest != "" && !currency(rest) {
			return span{}
		}
	}
	for _, reading := range n.Readings {
		if at := t.number(reading); at.ok() {
			return at
		}
	}
	return span{}
}

func currency(word string) bool {
	switch word {
	case "eur", "euro", "euros", "usd", "us", "dollar", "dollars", "gbp", "chf", "jpy", "cny", "inr", "cad", "aud", "sek",
		"nok", "dkk", "pln", "czk", "brl", "kr", "zł", "rs", "r":
		return true
	}
	return false
}

// phone finds a telephone number, with or without the code of its country.
func (t *text) phone(s string) span {
	digits := notation.Digits(strings.ReplaceAll(s, "(0)", ""))
	if at := t.digits(digits); at.ok() {
		return at
	}
	digits, abroad := strings.CutPrefix(digits, "00")
	if !abroad && !strings.HasPrefix(strings.TrimSpace(s), "+") {
		return span{}
	}
	for code := range 4 {
		if at := t.digits(digits[min(code, len(digits)):]); at.ok() {
			return at
		}
	}
	return span{}
}

// invented reports whether a value is a fact of the kind that a page either has
// or does not, and the page does not.
func (t *text) invented(value any) bool {
	if t.locate(value).ok() {
		return false
	}
	if n, ok := canonicalValue(value); ok {
		n = strings.TrimPrefix(n, "-") // a loss of 5 may be -5
		return telling(n) && !t.number(n).ok() && !t.digits(n).ok() && !t.number(inCents(n)).ok() && !t.spent()
	}
	s, ok := value.(string)
	if !ok {
		return false
	}
	if kindOf(s) != kindWords {
		return !t.spent()
	}
	if isDuration.MatchString(s) || len(s) <= maxPhone && t.digits(notation.Digits(s)).ok() {
		return false // reckoned, or grouped in another way
	}
	missing, all := t.strayNumbers(foldText(s))
	const few = 3 // words: more is prose, in which a number may be counted or reckoned
	return (missing == all || len(strings.Fields(s)) <= few) && missing > 0 && !t.spent()
}

// isDuration finds a time such as PT1H30M, which pages write in other ways.
var isDuration = regexp.MustCompile(`^P[\dYMWD]*(T[\dHMS.]+)?$`)

// strayNumbers counts the telling numbers of a text, and those of them that the
// page does not have.
func (t *text) strayNumbers(folded string) (missing, all int) {
	for _, n := range notation.Numbers(folded) {
		tells, known := false, t.digits(notation.Digits(folded[n.From:n.To])).ok()
		for _, reading := range n.Readings {
			tells = tells || telling(reading)
			known = known || t.number(reading).ok()
		}
		if tells {
			all++
			if !known {
				missing++
			}
		}
	}
	return missing, all
}

// Kinds of strings that are looked up each in its own way.
const (
	kindWords = iota
	kindEmail
	kindURL
	kindPhone
)

func kindOf(s string) int {
	s = strings.TrimSpace(s)
	if len(s) > 4096 || strings.ContainsAny(s, " \t\n") {
		if isPhone(s) {
			return kindPhone
		}
		return kindWords
	}
	name, domain, at := strings.Cut(strings.TrimPrefix(s, "mailto:"), "@")
	switch {
	case isPhone(s):
		return kindPhone
	case at && name != "" && isLabelled(domain):
		return kindEmail
	case strings.Contains(s, "://") || strings.HasPrefix(s, "www."):
		return kindURL
	}
	host, _, _ := strings.Cut(s, "/")
	if isHost(host) {
		return kindURL
	}
	return kindWords
}

// isHost reports whether a word is a name of the Internet: two labels at least,
// the last of them one that is in use.
func isHost(s string) bool {
	if !isLabelled(s) {
		return false
	}
	suffix, official := publicsuffix.PublicSuffix(strings.ToLower(s))
	return official && suffix != s && notation.Digits(suffix) == ""
}

// isLabelled reports whether a word has the form of a name of the Internet: two
// labels at least, the last of them without digits. Behind an @ that is enough:
// react@18.2.0 is a version, but jane@acme.local is an address.
func isLabelled(s string) bool {
	last := strings.LastIndexByte(s, '.')
	if last <= 0 || len(s)-last < 3 || len(s) > 253 || strings.HasPrefix(s, ".") || strings.Contains(s, "..") {
		return false
	}
	for _, r := range s {
		if !notation.IsWord(r) && r != '.' && r != '-' {
			return false
		}
	}
	return notation.Digits(s[last:]) == "" || strings.HasPrefix(strings.ToLower(s[last:]), ".xn--")
}

// maxPhone bounds texts that can be a telephone number or the like, in bytes.
const maxPhone = 40

// isPhone reports whether a text is a telephone number and nothing else: one
// with the sign of a country, or grouped as no other number is.
func isPhone(s string) bool {
	s, called := strings.CutPrefix(s, "tel:")
	if len(s) > maxPhone || strings.Trim(s, "0123456789 +-()./\u00a0") != "" {
		return false
	}
	digits := len(notation.Digits(s))
	plus := strings.HasPrefix(s, "+") && strings.Count(s, "+") == 1
	return digits >= minStream && digits <= 15 && (called || plus || strings.ContainsAny(s, "()"))
}

// emailForms returns ways in which pages hide addresses from machines.
func emailForms(s string) []string {
	name, domain, _ := strings.Cut(strings.TrimPrefix(s, "mailto:"), "@")
	var forms []string
	for _, dot := range []string{".", " dot ", "[dot]", " [dot] ", "(dot)", " (dot) "} {
		for _, at := range []string{"@", " at ", "[at]", " [at] ", "(at)", " (at) ", "(a)"} {
			forms = append(forms, name+at+strings.ReplaceAll(domain, ".", dot))
		}
	}
	return forms
}

// address finds an address of the Web, which must not be a part of another one.
func (t *text) address(s string) span {
	for _, form := range t.urlForms(s) {
		needle := foldText(form)
		if strings.HasPrefix(needle, "/") {
			needle = " " + needle
		}
		if at := t.lookUp(needle, t.isAddress); at.ok() {
			return at
		}
	}
	return span{}
}

// isAddress reports whether an address begins and ends with a piece of the text.
// One without a path may go on, and so may what is behind a query or fragment: it
// is the same place.
func (t *text) isAddress(from, to int) bool {
	const near = 64 // bytes around it that are looked at
	piece, before, after := t.folded[from:to], t.folded[max(0, from-near):from], t.folded[to:min(len(t.folded), to+near)]
	_, rest, whole := strings.Cut(piece, "://")
	if !whole && strings.TrimRight(before, ".-@/_") != before && !strings.HasSuffix(before, "//") && !strings.HasSuffix(before, "www.") {
		return false
	}
	if !whole {
		rest = piece
	}
	if strings.Contains(rest, "/") {
		after = strings.TrimPrefix(after, "/")
		if next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, "-.~+&=%/_")); next != utf8.RuneError && notation.IsWord(next) {
			return false
		}
	}
	return t.bounded(from, to)
}

// urlForms returns ways to write an address: as it is, without its scheme, and
// within the site of the page without its host.
func (t *text) urlForms(s string) []string {
	_, rest, found := strings.Cut(s, "://")
	if !found {
		rest = s
	}
	rest = strings.TrimSuffix(rest, "/")
	forms := []string{s, rest}
	if short, ok := strings.CutPrefix(rest, "www."); ok {
		forms = append(forms, short)
	}
	if plain, err := url.PathUnescape(rest); err == nil && plain != rest {
		forms = append(forms, plain)
	}
	if host, path, _ := strings.Cut(rest, "/"); path != "" && strings.EqualFold(host, t.host) {
		forms = append(forms, "/"+path)
	}
	return forms
}
