package adblock

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Regular expressions are run against many addresses, so there shall not be
// many, nor large ones: a short one can count far ("x{1000}").
const (
	maxRegex   = 512  // bytes
	maxProgram = 4096 // instructions
	maxRegexes = 2048
)

// regex makes the rule one whose text, between slashes, is a regular
// expression. Those that Go cannot run are not taken: it has no look-ahead.
func (p *parser) regex(u *rule) bool {
	if len(u.text) > maxRegex || p.regexes >= maxRegexes {
		return false
	}
	expr := u.text[1 : len(u.text)-1]
	if u.flags&matchCase == 0 {
		expr = "(?i)" + expr
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return false
	}
	needle := longest(tree)
	program, err := syntax.Compile(tree.Simplify())
	if err != nil || len(program.Inst) > maxProgram {
		return false
	}
	regex, err := regexp.Compile(expr)
	if err != nil {
		return false
	}
	if u.limit == nil {
		u.limit = &limit{}
	}
	p.regexes++
	u.limit.regex, u.limit.needle = regex, needle
	return true
}

// longest returns the longest text that every match of an expression contains,
// in lower case, as far as that is plain to see.
func longest(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if c >= 0x80 {
				return ""
			}
		}
		s := lower(string(re.Rune))
		if strings.HasPrefix("https://", s) {
			return "" // in every address, so it tells nothing
		}
		return s
	case syntax.OpCapture, syntax.OpPlus:
		return longest(re.Sub[0])
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if s := longest(sub); len(s) > len(best) {
				best = s
			}
		}
		return best
	}
	return ""
}
