package consent

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

var (
	//go:embed hint.js
	hint string
	//go:embed autoconsent.js
	glue string
)

// library is the autoconsent bundle with its rules, taken apart so that a
// document gets those only that may apply to it.
type library struct {
	before, after string // the code around the rules
	rules         *ruleset
	generic       string // rules for every page, written
	frames        string // rules for frames, written
	sites         []site // rules for single sites
}

// site is a rule with the addresses that it is for.
type site struct {
	address *regexp.Regexp
	literal string // that every such address contains
	rule    json.RawMessage
}

// newLibrary takes the bundle and its rules.
func newLibrary(code string, rules *ruleset) (*library, error) {
	before, after, _ := strings.Cut(glue, "RULES")
	fill := strings.NewReplacer("BUNDLE", code, "QUESTIONS", strconv.Itoa(maxQuestions))
	l := &library{
		before:  "(() => {\n" + fill.Replace(before),
		after:   after + "})",
		rules:   rules,
		generic: rules.write(rules.Index.GenericStringEnd, rules.span(rules.Index.Generic)),
		frames:  rules.write(rules.Index.FrameStringEnd, rules.span(rules.Index.Frames)),
	}
	for _, raw := range rules.span(rules.Index.Sites) {
		r, err := decodeRule(raw)
		if err != nil {
			return nil, err
		}
		address, err := regexp.Compile(r.address)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.name, err)
		}
		l.sites = append(l.sites, site{address, literalOf(r.address), raw})
	}
	return l, nil
}

// script is the body of what every document gets: it calls for the library
// where something hints at a dialog.
func (l *library) script() (string, error) {
	marks, prehide, err := l.rules.marks(l.rules.Index.Generic)
	if err != nil {
		return "", err
	}
	frameMarks, _, err := l.rules.marks(l.rules.Index.Frames)
	if err != nil {
		return "", err
	}
	return strings.NewReplacer(
		"FRAMEMARKS", marshal(frameMarks),
		"MARKS", marshal(marks),
		"PREHIDE", marshal(strings.Join(prehide, ",")),
	).Replace(hint), nil
}

// load is the answer to a document that asks for the library, or that has just
// begun: then it is none unless there are rules for its site.
func (l *library) load(m message) []Step {
	rules := l.generic
	if m.Frame {
		rules = l.frames
	} else if special := l.forSite(m.URL); len(special) > 0 {
		all := append(l.rules.span(l.rules.Index.Generic), special...)
		rules = l.rules.write(len(l.rules.Strings), all)
	} else if m.Type == "start" {
		return nil
	}
	return []Step{{Script: l.before + rules + l.after}}
}

func (l *library) forSite(url string) []json.RawMessage {
	var rules []json.RawMessage
	for _, s := range l.sites {
		if strings.Contains(url, s.literal) && s.address.MatchString(url) {
			rules = append(rules, s.rule)
		}
	}
	return rules
}

// literalOf returns a text that every address which matches a pattern contains:
// to look for it is far cheaper than to match.
func literalOf(pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	longest := ""
	for _, part := range parts {
		if part.Op == syntax.OpLiteral && part.Flags&syntax.FoldCase == 0 && len(string(part.Rune)) > len(longest) {
			longest = string(part.Rune)
		}
	}
	return longest
}
