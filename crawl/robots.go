package crawl

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of what is read of a robots.txt, as RFC 9309 and the large crawlers
// have them.
const (
	maxRobotsBytes = 500 << 10
	maxRobotsLine  = 16 << 10
	maxDelay       = 24 * time.Hour
)

// Robots is what a site's robots.txt says. The zero value allows everything.
type Robots struct {
	groups   []group
	sitemaps []string
}

// group is a list of rules and whom they are for.
type group struct {
	agents []agent
	rules  []rule
}

// agent is a crawler that a group is for.
type agent struct {
	name  string // in lower case, or "*" for all that are not named
	delay time.Duration
}

// rule allows or disallows the paths that its pattern matches.
type rule struct {
	pattern string
	allow   bool
}

// ParseRobots reads a robots.txt by RFC 9309, and as leniently as the large
// crawlers do: it accepts any line ends, a byte order mark, common misspellings
// and lines without a colon, and skips what it does not understand.
func ParseRobots(body []byte) *Robots {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if len(body) > maxRobotsBytes {
		body = body[:maxRobotsBytes]
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	p := robotsParser{robots: &Robots{}}
	for len(body) > 0 {
		line := body
		if end := bytes.IndexAny(body, "\r\n"); end >= 0 {
			line, body = body[:end], body[end+1:]
		} else {
			body = nil
		}
		p.line(string(line[:min(len(line), maxRobotsLine)]))
	}
	return p.robots
}

// robotsParser reads line by line. Agents that follow each other share the rules
// behind them; the first agent behind a rule starts a group of its own.
type robotsParser struct {
	robots *Robots
	ruled  bool // the last group has a rule
}

func (p *robotsParser) line(line string) {
	key, value := splitLine(line)
	switch fieldOf(key) {
	case fieldAgent:
		p.agent(value)
	case fieldAllow:
		p.rule(value, true)
	case fieldDisallow:
		p.rule(value, false)
	case fieldDelay:
		p.delay(value)
	case fieldSitemap:
		if value != "" && !slices.Contains(p.robots.sitemaps, value) && len(p.robots.sitemaps) < maxSitemaps {
			p.robots.sitemaps = append(p.robots.sitemaps, value)
		}
	}
}

// maxSitemaps bounds the sitemaps that are collected.
const maxSitemaps = 1000

// splitLine takes a line without its comment apart. Lines that lack the colon
// count if there are just two words in them.
func splitLine(line string) (key, value string) {
	line, _, _ = strings.Cut(line, "#")
	key, value, found := strings.Cut(line, ":")
	if found {
		return strings.TrimSpace(key), strings.TrimSpace(value)
	}
	if words := strings.Fields(line); len(words) == 2 {
		return words[0], words[1]
	}
	return "", ""
}

// field is what a line is about.
type field int

const (
	fieldUnknown field = iota
	fieldAgent
	fieldAllow
	fieldDisallow
	fieldDelay
	fieldSitemap
)

func fieldOf(key string) field {
	switch strings.ToLower(key) {
	case "user-agent", "useragent", "user agent":
		return fieldAgent
	case "allow":
		return fieldAllow
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		return fieldDisallow
	case "crawl-delay", "crawldelay":
		return fieldDelay
	case "sitemap", "site-map":
		return fieldSitemap
	}
	return fieldUnknown
}

func (p *robotsParser) agent(value string) {
	name := agentName(value)
	if p.ruled || len(p.robots.groups) == 0 {
		p.robots.groups = append(p.robots.groups, group{})
		p.ruled = false
	}
	g := &p.robots.groups[len(p.robots.groups)-1]
	g.agents = append(g.agents, agent{name: name})
}

// agentName returns the name that a line is for: versions and what else follows
// the name do not count.
func agentName(value string) string {
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		return "*"
	}
	end := strings.IndexFunc(value, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	})
	if end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}

// rule adds a rule to the group that is open. Rules before the first agent are
// for nobody, and an empty one rules nothing, but both end a list of agents.
func (p *robotsParser) rule(value string, allow bool) {
	if len(p.robots.groups) == 0 {
		return
	}
	p.ruled = true
	if value == "" {
		return
	}
	g := &p.robots.groups[len(p.robots.groups)-1]
	pattern := escapePattern(value)
	g.rules = append(g.rules, rule{pattern, allow})
	if slash := strings.LastIndexByte(pattern, '/'); allow && slash >= 0 && strings.HasPrefix(pattern[slash:], "/index.htm") {
		// Who may see a folder's index may see the folder.
		g.rules = append(g.rules, rule{pattern[:slash+1] + "$", true})
	}
}

func (p *robotsParser) delay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || !(seconds > 0) || len(p.robots.groups) == 0 {
		return
	}
	delay := maxDelay
	if seconds < maxDelay.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	agents := p.robots.groups[len(p.robots.groups)-1].agents
	for i := range agents {
		agents[i].delay = max(agents[i].delay, delay)
	}
}

// Sitemaps returns the addresses of the sitemaps that are named, each once, in
// their order and as they stand there.
func (r *Robots) Sitemaps() []string { return r.sitemaps }

// Delay returns how long a crawler is asked to wait between two requests, or 0,
// and never more than a day. The agent is a name as for [Robots.Allowed].
func (r *Robots) Delay(name string) time.Duration {
	name = r.resolve(name)
	var delay time.Duration
	for i := range r.groups {
		for _, a := range r.groups[i].agents {
			if a.name == name {
				delay = max(delay, a.delay)
			}
		}
	}
	return delay
}

// Allowed reports whether a crawler may fetch an address. The agent is the
// crawler's name alone, without version, in any case; rules for all crawlers
// count only if no group names it. Of the rules that match, the longest decides,
// and of an allow and a disallow of the same length the allow. The address is
// matched as it would be requested, so it must be escaped already.
func (r *Robots) Allowed(name, address string) bool {
	name = r.resolve(name)
	path := upperEscapes(pathOf(address))
	longest, allow := 0, true
	for i := range r.groups {
		g := &r.groups[i]
		if !g.isFor(name) {
			continue
		}
		for _, rule := range g.rules {
			n := len(rule.pattern)
			if (n > longest || n == longest && rule.allow) && matchPattern(rule.pattern, path) {
				longest, allow = n, rule.allow
			}
		}
	}
	return allow
}

// resolve returns the name under which a crawler's rules stand.
func (r *Robots) resolve(name string) string {
	name = strings.ToLower(name)
	for i := range r.groups {
		if name != "" && r.groups[i].isFor(name) {
			return name
		}
	}
	return "*"
}

func (g *group) isFor(name string) bool {
	return slices.ContainsFunc(g.agents, func(a agent) bool { return a.name == name })
}
