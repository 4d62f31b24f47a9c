package adblock

import (
	"slices"
	"strings"
)

// Bounds on the style sheet of a page: 1 MiB together.
const (
	maxGeneric  = 768 << 10
	maxSpecific = 256 << 10
)

const hide = "{display:none!important}\n"

// cosmetic holds the rules about elements.
type cosmetic struct {
	generic []string                 // selectors for all pages, sorted
	sheet   string                   // those as a style sheet
	hide    multimap[string, string] // selectors by host
	keep    multimap[string, string] // selectors that do not count, by host
	wild    bool                     // some hosts end in .*
}

// Cosmetic returns a style sheet that hides advertising on the pages of a host:
// at most 1 MiB, empty if there is nothing to hide. Selectors that may not be
// valid stand in rules of their own, for a browser drops a rule as a whole.
func (e *Engine) Cosmetic(host string) string {
	h := hostName{name: foldHost(host)}
	if e.off(&h, documentType) {
		return ""
	}
	c := &e.cosmetic
	keep := c.find(&c.keep, &h)
	var sheet strings.Builder
	if !e.off(&h, specificHide) {
		writeSheet(&sheet, c.find(&c.hide, &h), keep, maxSpecific)
	}
	if e.off(&h, genericHide) {
		return sheet.String()
	}
	if !slices.ContainsFunc(keep, func(s string) bool { return has(c.generic, s) }) {
		return sheet.String() + c.sheet
	}
	writeSheet(&sheet, c.generic, keep, maxGeneric)
	return sheet.String()
}

// find returns the selectors that a map has for a host, sorted, each once.
func (c *cosmetic) find(m *multimap[string, string], h *hostName) []string {
	var found []string
	names := []string{h.name}
	if c.wild {
		names = append(names, h.wild())
	}
	for _, name := range names {
		for s := name; s != ""; s = parent(s) {
			found = append(found, m.get(s)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// writeSheet writes rules that hide what the selectors select, except those to
// keep (sorted), as long as they fit into limit bytes. Plain classes and ids
// cannot be invalid and share rules.
func writeSheet(b *strings.Builder, selectors, keep []string, limit int) {
	const portion = 100
	limit += b.Len()
	n := 0
	for _, s := range selectors {
		if !isPlain(s) || has(keep, s) || b.Len()+len(s)+1+len(hide) > limit {
			continue
		}
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(s)
		if n++; n == portion {
			b.WriteString(hide)
			n = 0
		}
	}
	if n > 0 {
		b.WriteString(hide)
	}
	for _, s := range selectors {
		if !isPlain(s) && !has(keep, s) && b.Len()+len(s)+len(hide) <= limit {
			b.WriteString(s)
			b.WriteString(hide)
		}
	}
}

// isPlain reports whether a selector is one class or one id.
func isPlain(s string) bool {
	if len(s) < 2 || s[0] != '.' && s[0] != '#' {
		return false
	}
	s = strings.TrimPrefix(s[1:], "-")
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// cosmeticLine is a cosmetic rule taken apart.
type cosmeticLine struct {
	domains   string
	marker    string
	selector  string
	exception bool
}

// splitCosmetic takes a line apart at its marker: "##", or other signs between
// the two # for rules of other kinds.
func splitCosmetic(line string) (cosmeticLine, bool) {
	for i := strings.IndexByte(line, '#'); i >= 0; {
		rest := line[i+1:]
		if n := len(rest) - len(strings.TrimLeft(rest, "@?$%")); n <= 3 && n < len(rest) && rest[n] == '#' {
			return cosmeticLine{
				domains: line[:i], marker: rest[:n], selector: strings.TrimSpace(rest[n+1:]),
				exception: strings.HasPrefix(rest, "@"),
			}, true
		}
		next := strings.IndexByte(rest, '#')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return cosmeticLine{}, false
}

type cosmeticParser struct {
	generic map[string]bool // false: an exception for all pages
	hide    []pair[string, string]
	keep    []pair[string, string]
	wild    bool
}

func newCosmeticParser() cosmeticParser { return cosmeticParser{generic: map[string]bool{}} }

// cosmeticRule takes a rule about elements.
func (p *parser) cosmeticRule(r cosmeticLine) bool {
	if r.marker != "" && r.marker != "@" || !isSelector(r.selector) {
		return false
	}
	var d domains
	if r.domains != "" && r.domains != "*" {
		var ok bool
		if d, ok = parseDomains(r.domains, ","); !ok || r.exception && len(d.out) > 0 {
			return false
		}
	}
	p.rules += 1 + d.len()
	p.stats.Cosmetic++
	p.cosmetic.add(r, d)
	return true
}

func (c *cosmeticParser) add(r cosmeticLine, d domains) {
	c.wild = c.wild || d.wild
	if len(d.in) == 0 {
		shown, known := c.generic[r.selector]
		c.generic[r.selector] = !r.exception && (shown || !known)
	}
	for _, host := range d.in {
		if r.exception {
			c.keep = append(c.keep, pair[string, string]{host, r.selector})
		} else {
			c.hide = append(c.hide, pair[string, string]{host, r.selector})
		}
	}
	for _, host := range d.out {
		c.keep = append(c.keep, pair[string, string]{host, r.selector})
	}
}

func (c *cosmeticParser) finish() cosmetic {
	// An exception for all pages takes the selector from single ones too.
	c.hide = slices.DeleteFunc(c.hide, func(p pair[string, string]) bool {
		hidden, known := c.generic[p.value]
		return known && !hidden
	})
	done := cosmetic{hide: group(c.hide), keep: group(c.keep), wild: c.wild}
	for selector, hidden := range c.generic {
		if hidden {
			done.generic = append(done.generic, selector)
		}
	}
	slices.Sort(done.generic)
	var sheet strings.Builder
	writeSheet(&sheet, done.generic, nil, maxGeneric)
	done.sheet = strings.Clone(sheet.String())
	return done
}
