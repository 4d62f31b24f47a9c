package brand

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// brandNames returns what the brand may be called, the most likely first: what
// the page says for machines, what the logo says, a part of the title.
func (m *measurement) brandNames(pageURL string) []string {
	var names []string
	add := func(name string) {
		name = clean(name, 100)
		known := slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(name, other) })
		if name != "" && !known && len(names) < 8 && !strings.Contains(name, "://") {
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
	logos := slices.Clone(m.Logos)
	slices.SortStableFunc(logos, func(a, b picture) int { return int(2 * (b.score(m.View) - a.score(m.View))) })
	for _, p := range logos[:min(len(logos), 3)] {
		if p.score(m.View) >= likely {
			add(logoName(p.Alt))
		}
	}
	for _, n := range m.Names {
		if n.Type == "wordmark" {
			add(logoName(n.Name))
		}
	}
	add(titlePart(m.Title, pageURL))
	return names
}

var logoWords = regexp.MustCompile(`(?i)\b(logo(type)?|wordmark|home( ?page)?|go to|back to|the|company|brand|icon|link|site)\b`)

// logoName is what is left of a logo's text without words that all logos have.
func logoName(alt string) string {
	name := strings.Trim(clean(logoWords.ReplaceAllString(alt, " "), 60), " -–—|:·,.")
	if len(strings.Fields(name)) > 4 {
		return ""
	}
	return name
}

var separators = regexp.MustCompile(`\s+[|–—·•:»-]\s+|\s*[|–—]\s*|:\s+`)

// titlePart is the part of the title that the address names as well, else the
// shorter one of its ends.
func titlePart(title, pageURL string) string {
	parts := separators.Split(clean(title, 300), -1)
	host := ""
	if u, err := url.Parse(pageURL); err == nil {
		host = letters(u.Hostname())
	}
	for _, part := range parts {
		if l := letters(part); len(l) > 2 && strings.Contains(host, l) {
			return part
		}
	}
	if len(parts) < 2 {
		if len(strings.Fields(title)) <= 3 {
			return title
		}
		return ""
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(strings.Fields(first)) < len(strings.Fields(last)) {
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
