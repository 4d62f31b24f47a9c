package extract

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"
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
	if at := t.find(s); at.ok() {
		return at
	}
	switch kindOf(s) {
	case kindEmail:
		return t.first(emailForms(s))
	case kindURL:
		return t.first(urlForms(s))
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
	return t.amount(folded)
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

// day finds a text that is a date, in whatever form the page has it.
func (t *text) day(folded string) span {
	var readings []string
	for _, d := range datesOf(folded) {
		if readings == nil || len(d.readings[0]) > len(readings[0]) {
			readings = d.readings
		}
	}
	for _, reading := range readings {
		if at := t.date(reading); at.ok() {
			return at
		}
	}
	return span{}
}

// amount finds a text that is a number and at most a currency.
func (t *text) amount(folded string) span {
	numbers := numbersOf(folded)
	if len(numbers) != 1 {
		return span{}
	}
	n := numbers[0]
	for _, rest := range []string{folded[:n.from], folded[n.to:]} {
		if rest = strings.TrimFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); rest != "" && !currency(rest) {
			return span{}
		}
	}
	for _, reading := range n.readings {
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
	digits := onlyDigits(strings.ReplaceAll(s, "(0)", ""))
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
		return telling(n) && !t.digits(n).ok() && !t.number(inCents(n)).ok() && !t.spent()
	}
	s, ok := value.(string)
	if !ok {
		return false
	}
	if kindOf(s) != kindWords {
		return !t.spent()
	}
	if len(s) <= maxNumber && t.digits(onlyDigits(s)).ok() {
		return false // such as an ISBN that is grouped in another way
	}
	missing, all := t.strayNumbers(foldText(s))
	const few = 3 // words: more is prose, in which a number may be counted or reckoned
	return (missing == all || len(strings.Fields(s)) <= few) && missing > 0 && !t.spent()
}

// strayNumbers counts the telling numbers of a text, and those of them that the
// page does not have.
func (t *text) strayNumbers(folded string) (missing, all int) {
	for _, n := range numbersOf(folded) {
		tells, known := false, t.digits(onlyDigits(folded[n.from:n.to])).ok()
		for _, reading := range n.readings {
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
	case at && name != "" && isHost(domain):
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
	if !strings.Contains(s, ".") || strings.HasPrefix(s, ".") || len(s) > 253 {
		return false
	}
	for _, r := range s {
		if !isWord(r) && r != '.' && r != '-' {
			return false
		}
	}
	suffix, official := publicsuffix.PublicSuffix(strings.ToLower(s))
	return official && suffix != s && onlyDigits(suffix) == ""
}

// isPhone reports whether a text is a telephone number and nothing else: one
// with the sign of a country, or grouped as no other number is.
func isPhone(s string) bool {
	s, called := strings.CutPrefix(s, "tel:")
	if len(s) > maxNumber || strings.Trim(s, "0123456789 +-()./\u00a0") != "" {
		return false
	}
	digits := len(onlyDigits(s))
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

// urlForms returns shorter ways to write an address.
func urlForms(s string) []string {
	_, rest, found := strings.Cut(s, "://")
	if !found {
		rest = s
	}
	rest = strings.TrimSuffix(rest, "/")
	forms := []string{rest}
	if short, ok := strings.CutPrefix(rest, "www."); ok {
		forms = append(forms, short)
	}
	if plain, err := url.PathUnescape(rest); err == nil && plain != rest {
		forms = append(forms, plain)
	}
	return forms
}
