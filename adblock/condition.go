package adblock

import "strings"

// conditions follow the directives by which a list holds some lines back from
// programs that they are not for: !#if, !#else and !#endif.
type conditions struct {
	open []bool // of each !#if that has not ended, whether its lines count
}

// closed reports whether the lines here are not for us.
func (c *conditions) closed() bool {
	for _, open := range c.open {
		if !open {
			return true
		}
	}
	return false
}

// maxConditions bounds how deep a list can nest them.
const maxConditions = 32

func (c *conditions) directive(s string) {
	n := len(c.open)
	name, condition, _ := strings.Cut(s, " ")
	switch {
	case name == "if" && n < maxConditions:
		c.open = append(c.open, holds(condition))
	case name == "else" && n > 0:
		c.open[n-1] = !c.open[n-1]
	case name == "endif" && n > 0:
		c.open = c.open[:n-1]
	}
}

// holds evaluates a condition: names, each perhaps with ! in front, joined by
// && and ||. We are a Chromium on a desk that can hide elements and no more.
func holds(condition string) bool {
	for either := range strings.SplitSeq(condition, "||") {
		all := true
		for name := range strings.SplitSeq(either, "&&") {
			name, not := strings.CutPrefix(strings.TrimSpace(name), "!")
			switch name {
			case "ext_ublock", "env_chromium", "cap_user_stylesheet":
				all = all && !not
			default:
				all = all && not
			}
		}
		if all {
			return true
		}
	}
	return false
}
