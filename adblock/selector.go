package adblock

import "strings"

// maxSelector is far above what lists contain.
const maxSelector = 2048

// procedural are the pseudo-classes that content blockers carry out by script.
var procedural = []string{
	":-abp-", ":contains(", ":has-text(", ":if(", ":if-not(", ":matches-attr(", ":matches-css", ":matches-media(",
	":matches-path(", ":matches-prop", ":min-text-length(", ":nth-ancestor(", ":others(", ":properties(", ":remove(",
	":remove-attr(", ":remove-class(", ":shadow(", ":spath(", ":style(", ":upward(", ":watch-attr(", ":xpath(",
}

// isSelector reports whether a selector may stand in a style sheet. It need not
// be valid, but must not be able to end its rule or swallow the next one.
func isSelector(s string) bool {
	if s == "" || len(s) > maxSelector || s[0] == '+' || s[0] == '^' || s[0] == '@' {
		return false
	}
	for _, name := range procedural {
		if strings.Contains(s, name) {
			return false
		}
	}
	return isBalanced(s)
}

// isBalanced reports whether quotes and brackets in a selector are closed in
// order, and none of the signs occurs that mean something to a style sheet.
func isBalanced(s string) bool {
	var quote byte
	var open []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c < ' ' || c == '{' || c == '}' || c == '<' || c == 0x7f:
			return false
		case c == '\\':
			if i++; i == len(s) || s[i] < ' ' {
				return false
			}
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ';' || c == '@' || c == '/' && i+1 < len(s) && s[i+1] == '*':
			return false
		case c == '(':
			// What follows "url(" has quoting rules of its own.
			if i >= 3 && lower(s[i-3:i]) == "url" {
				return false
			}
			open = append(open, ')')
		case c == '[':
			open = append(open, ']')
		case c == ')' || c == ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return quote == 0 && len(open) == 0
}
