package change

import (
	"iter"
	"strings"
)

// Kinds of lines in a diff.
const (
	LineSame    = ' '
	LinePlace   = '@'
	LineAdded   = '+'
	LineRemoved = '-'
)

// Lines returns the lines of a diff with their kinds, without the two that name the texts.
func Lines(diff string) iter.Seq2[rune, string] {
	if strings.HasPrefix(diff, "--- ") {
		if _, rest, found := strings.Cut(diff, "\n"); found && strings.HasPrefix(rest, "+++ ") {
			_, diff, _ = strings.Cut(rest, "\n")
		}
	}
	return func(yield func(rune, string) bool) {
		for line := range strings.Lines(diff) {
			line = strings.TrimRight(line, "\n")
			kind := LineSame
			switch {
			case strings.HasPrefix(line, "@@"):
				kind = LinePlace
			case strings.HasPrefix(line, "+"):
				kind = LineAdded
			case strings.HasPrefix(line, "-"):
				kind = LineRemoved
			}
			if !yield(kind, line) {
				return
			}
		}
	}
}
