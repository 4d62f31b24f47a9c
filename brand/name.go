package brand

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// brandNames returns what the brand may be called, the most likely first: what
// the page says for machines, what the logo says, a part of the title.
func (m *measurement) brandNames(pageURL string) []string {
	var names []string
	add := func(name string) {
		name = clean(name, 100)
		known := slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(name, other) })
		if name != "" && !known && len(names) < 8 && !strings.Contains(name, "://") && !noNames.MatchString(name) {
			names = append(names, name)
		}
	}
	for _, name := range []string{"og:site_name", "application-name", "apple-mobile-web-app-title"} {
		add(m.Metas[name])
	}
	for _, n := range m.Names {
		if n.Type != "wordmark" {
			add(n.Name)
		}
	}
	signs := m.signs()
	parts := separators.Split(clean(m.Title, 300), -1)
	for _, sign := range signs {
		if len(strings.Fields(sign)) <= 4 || len(sign) < 80 && slices.ContainsFunc(append(parts, names...), func(p string) bool { return strings.EqualFold(p, sign) }) {
			add(sign)
		}
	}
	add(titlePart(parts, signs, pageURL))
	return names
}

// signs returns what the logo and the link to the home page say.
func (m *measurement) signs() (signs []string) {
	logos := slices.Clone(m.Logos)
	slices.SortStableFunc(logos, func(a, b picture) int { return cmp.Compare(b.score(m.View), a.score(m.View)) })
	for _, p := range logos[:min(len(logos), 3)] {
		if p.score(m.View) >= likely {
			signs = append(signs, logoName(p.Alt))
		}
	}
	for _, n := range m.Names {
		if n.Type == "wordmark" {
			signs = append(signs, logoName(n.Name))
		}
	}
	return slices.DeleteFunc(signs, func(s string) bool { return s == "" })
}

// noNames are what pages are called whoever they belong to.
var noNames = regexp.MustCompile(`(?i)^(home|home ?page|start|index|welcome|untitled|main|menu|log ?in|sign ?in|startseite|accueil|inicio|início|ホーム|首页)$`)

// Words that logos have before and after the name.
var (
	wordsBefore = regexp.MustCompile(`(?i)^(go to|back to|return to|link to|logo of|logo|home)\b[\s:–—|,-]*`)
	wordsAfter  = regexp.MustCompile(`(?i)[\s:–—|,-]*\b(logo(type)?|wordmark|home ?page|home|icon)$`)
)

// logoName is what is left of a logo's text without words that all logos have.
func logoName(alt string) string {
	name := clean(alt, 100)
	for range 3 {
		name = wordsAfter.ReplaceAllString(wordsBefore.ReplaceAllString(name, ""), "")
		name = strings.Trim(name, " -–—|:·,.")
	}
	return name
}

var separators = regexp.MustCompile(`\s+[|–—·•:»-]\s+|\s*[|｜–—]\s*|:\s+|：`)

// titlePart is the part of the title that the logo or the address names as well,
// else the shorter one of its ends. The title of a home page begins with the name
// more often than not.
func titlePart(parts, signs []string, pageURL string) string {
	host, begins := "", 0
	if u, err := url.Parse(pageURL); err == nil {
		host = letters(u.Hostname())
		if u.Path == "" || u.Path == "/" {
			begins = 1
		}
	}
	parts = slices.DeleteFunc(slices.Clone(parts), noNames.MatchString)
	for _, part := range parts {
		l := letters(part)
		said := slices.ContainsFunc(signs, func(s string) bool { return letters(s) == l })
		if len(l) > 2 && (said || strings.Contains(host, l)) {
			return part
		}
	}
	switch len(parts) {
	case 0:
		return ""
	case 1:
		if len(strings.Fields(parts[0])) <= 3 {
			return parts[0]
		}
		return ""
	}
	first, last := parts[0], parts[len(parts)-1]
	more := len(strings.Fields(first)) - len(strings.Fields(last)) - begins
	if more < 0 || more == 0 && utf8.RuneCountInString(first) < utf8.RuneCountInString(last) {
		return first
	}
	return last
}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
