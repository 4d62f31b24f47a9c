package adblock

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Bounds on what is taken from a list. The longest lines of the well-known ones
// name some hundred sites and have 8 KB.
const (
	maxLine    = 64 << 10
	maxPattern = 1 << 10
	maxRules   = 2 << 20 // rules, counting each site that one names
)

// parser gathers the rules of lists.
type parser struct {
	block, allow []rule
	bad          map[string][]badRule // by pattern: rules that a list takes back
	pages        map[string]types
	cosmetic     cosmeticParser
	rules        int
	regexes      int
	stats        Stats
}

// badRule is a rule taken back by badfilter.
type badRule struct {
	rule
	exception bool
}

func newParser() *parser {
	return &parser{bad: map[string][]badRule{}, pages: map[string]types{}, cosmetic: newCosmeticParser()}
}

// list reads the text of one list.
func (p *parser) list(text string) {
	p.stats.Files++
	text = strings.TrimPrefix(text, "\ufeff")
	var when conditions
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if directive, ok := strings.CutPrefix(line, "!#"); ok {
			when.directive(directive)
			continue
		}
		if isComment(line) || when.closed() {
			continue
		}
		if len(line) > maxLine || p.rules >= maxRules || !p.line(line) {
			p.stats.Skipped++
		}
	}
}

// isComment also tells the comments of hosts files, which begin with #, from
// cosmetic rules, which do so too.
func isComment(line string) bool {
	if line == "" || line[0] == '!' {
		return true
	}
	if line[0] == '[' {
		return strings.HasSuffix(line, "]")
	}
	if line[0] != '#' {
		return false
	}
	selector, hide := strings.CutPrefix(line, "##")
	return !hide && !strings.HasPrefix(line, "#@#") || selector == "" || selector[0] == ' ' ||
		strings.HasPrefix(selector, "##")
}

// line reads a rule and reports whether it could be used.
func (p *parser) line(line string) bool {
	if hosts, ok := hostsLine(line); ok {
		return p.hosts(hosts)
	}
	if r, ok := splitCosmetic(line); ok {
		return p.cosmeticRule(r)
	}
	if strings.ContainsAny(line, " \t") {
		return false
	}
	if name, ok := bareHost(line); ok {
		p.addHost(name)
		return true
	}
	return p.network(line)
}

// hostsLine returns the names in a line of a hosts file.
func hostsLine(line string) (string, bool) {
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return "", false
	}
	if _, err := netip.ParseAddr(line[:i]); err != nil {
		return "", false
	}
	names, _, _ := strings.Cut(line[i:], "#")
	return names, true
}

func (p *parser) hosts(names string) bool {
	used := false
	for name := range strings.FieldsSeq(names) {
		// The names of the machine itself have no dot, and stand in most
		// files: nothing to count as skipped.
		if host, ok := parseHost(name); ok && !isAddress(host) {
			used = true
			if strings.IndexByte(host, '.') > 0 && host != "localhost.localdomain" {
				p.addHost(host)
			}
		}
	}
	return used
}

// bareHost reads a line that is a name and nothing else. Its end must be a
// suffix in use, for "banner.js" is the pattern of an address.
func bareHost(line string) (string, bool) {
	host, ok := parseHost(line)
	if !ok || strings.IndexByte(host, '.') < 0 {
		return "", false
	}
	suffix, listed := publicsuffix.PublicSuffix(host)
	return host, listed && suffix != host
}

func (p *parser) addHost(host string) {
	p.rules++
	p.block = append(p.block, rule{text: host + "^", flags: hostAnchor, types: anyType})
}

// network reads a rule about requests.
func (p *parser) network(line string) bool {
	line, exception := strings.CutPrefix(line, "@@")
	pattern, list := splitOptions(line)
	o, ok := parseOptions(list)
	if !ok {
		return false
	}
	u, ok := p.newRule(pattern, o)
	if !ok {
		return false
	}
	if exception {
		page := u.types &^ (anyType | popupType)
		u.types &= anyType
		taken := page != 0 && !o.bad && p.pageRule(&u, page)
		if u.types == 0 {
			return taken
		}
	} else if !u.widen() {
		return false
	}
	p.add(u, exception, o.bad)
	return true
}

func (p *parser) add(u rule, exception, bad bool) {
	p.rules++
	if u.limit != nil {
		p.rules += u.limit.pages.len() + u.limit.hosts.len()
	}
	switch {
	case bad:
		p.bad[u.text] = append(p.bad[u.text], badRule{u, exception})
	case exception:
		p.allow = append(p.allow, u)
	default:
		p.block = append(p.block, u)
	}
}

// widen drops windows from what a blocking rule is about, since they are never
// blocked. A host that must not even be opened in a window, and of which the
// list says no more, is one that other sites have no honest use for: it is
// blocked as a whole for them.
func (u *rule) widen() bool {
	windows := u.types &^ anyType
	u.types &= anyType
	if u.types != 0 {
		return true
	}
	if _, ok := u.wholeHost(); !ok || windows&(popupType|documentType) == 0 || u.flags&firstParty != 0 {
		return false
	}
	u.types = anyType
	u.flags |= thirdParty
	return true
}

// pageRule takes an exception for whole pages: for a host, or for the pages
// that domain= names.
func (p *parser) pageRule(u *rule, bits types) bool {
	if host, ok := u.wholeHost(); ok && u.limit == nil {
		p.pages[host] |= bits
		p.stats.Exceptions++
		return true
	}
	if u.text != "" || u.limit == nil || u.limit.regex != nil || len(u.limit.pages.out) > 0 {
		return false
	}
	for _, page := range u.limit.pages.in {
		p.pages[page] |= bits
	}
	p.stats.Exceptions++
	return true
}

// newRule reads a pattern.
func (p *parser) newRule(pattern string, o options) (rule, bool) {
	u := rule{text: pattern, flags: o.flags, types: o.types}
	if o.pages.len()+o.hosts.len() > 0 {
		u.limit = &limit{pages: o.pages, hosts: o.hosts}
	}
	if len(pattern) > maxPattern {
		return rule{}, false
	}
	if n := len(pattern); n > 2 && pattern[0] == '/' && pattern[n-1] == '/' {
		return u, p.regex(&u)
	}
	u.anchor()
	if u.flags&matchCase == 0 {
		u.text = lower(u.text)
	}
	if strings.IndexByte(u.text, '*') < 0 && strings.IndexByte(u.text, '^') < 0 {
		u.flags |= literal
	}
	if u.flags&hostAnchor != 0 {
		u.foldHost()
	}
	// A pattern that meets nearly everything is a mistake, unless it is for
	// some pages or hosts only.
	if len(strings.Trim(u.text, "*^")) < 2 && (u.limit == nil || len(u.limit.pages.in)+len(u.limit.hosts.in) == 0) {
		return rule{}, false
	}
	return u, true
}

// anchor takes the anchors off a pattern, and stars that say nothing.
func (u *rule) anchor() {
	if text, ok := strings.CutPrefix(u.text, "||"); ok {
		u.text = text
		u.flags |= hostAnchor
	} else if text, ok := strings.CutPrefix(u.text, "|"); ok {
		u.text = text
		u.flags |= startAnchor
	}
	if text, ok := strings.CutSuffix(u.text, "|"); ok {
		u.text = text
		u.flags |= endAnchor
	}
	if text := strings.TrimLeft(u.text, "*"); text != u.text {
		u.text = text
		u.flags &^= hostAnchor | startAnchor
	}
	if text := strings.TrimRight(u.text, "*"); text != u.text {
		u.text = text
		u.flags &^= endAnchor
	}
}

// foldHost writes an international host in a pattern as addresses have it.
func (u *rule) foldHost() {
	end := strings.IndexAny(u.text, "^/:?*")
	if end < 0 {
		end = len(u.text)
	}
	if host, ok := parseHost(u.text[:end]); ok {
		u.text = join(host, u.text, end)
	}
}

// join returns host+text[end:], without a copy if that is text itself.
func join(host, text string, end int) string {
	if host == text[:end] {
		return text
	}
	return host + text[end:]
}

// engine puts the rules in order.
func (p *parser) engine() *Engine {
	block := p.keep(p.block, false)
	allow := p.keep(p.allow, true)
	var strong, weak []rule
	for _, u := range block {
		if u.flags&important != 0 {
			strong = append(strong, u)
		} else {
			weak = append(weak, u)
		}
	}
	e := &Engine{
		important: newTable(strong), block: newTable(weak), allow: newTable(allow),
		spared: newSpared(allow), pages: p.pages, cosmetic: p.cosmetic.finish(), stats: p.stats,
	}
	e.stats.Hosts = e.important.whole + e.block.whole
	e.stats.Patterns = len(block) - e.stats.Hosts
	e.stats.Exceptions += len(allow)
	e.partial = e.stats.Patterns > 0
	return e
}

// keep leaves out the rules that were taken back.
func (p *parser) keep(rules []rule, exceptions bool) []rule {
	if len(p.bad) == 0 {
		return rules
	}
	kept := rules[:0]
	for i := range rules {
		u, gone := &rules[i], false
		for j := range p.bad[u.text] {
			bad := &p.bad[u.text][j]
			gone = gone || bad.exception == exceptions && bad.same(u)
		}
		if !gone {
			kept = append(kept, *u)
		}
	}
	return kept
}
