package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxPatterns bounds the patterns of a schema, in steps of their programs: the
// time of a match is the product of that and the length of the text.
const maxPatterns = 20_000

var errPatternSize = errors.New("it is too large")

// patternSize returns about how many steps the program of a pattern has, without
// making it: a few characters can ask for millions. It is zero for a pattern that
// only other engines know.
func patternSize(pattern string) (int, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		if foreign(err) {
			return 0, nil
		}
		return 0, fmt.Errorf("%w", err)
	}
	size := steps(parsed)
	if size > maxPatterns {
		return 0, errPatternSize
	}
	return size, nil
}

// steps estimates the size of a program. The parser bounds the depth.
func steps(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)/2
	for _, sub := range re.Sub {
		size = min(size+steps(sub), maxPatterns+1)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(1, re.Min, re.Max)
	}
	return min(size, maxPatterns+1)
}

// foreign reports whether a pattern fails for what ECMAScript allows and Go's
// linear-time engine does not: lookaround, back-references, other escapes, large
// counts. Generators of schemas write such patterns for addresses and decimals.
func foreign(err error) bool {
	var failure *syntax.Error
	if !errors.As(err, &failure) {
		return false
	}
	switch failure.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize:
		return true
	}
	return false
}

// anything stands for a pattern that cannot be checked.
type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }

// engine compiles the patterns for the validator. Their sizes are known by then.
func engine(pattern string) (jsonschema.Regexp, error) {
	compiled, err := regexp.Compile(pattern)
	if err != nil && foreign(err) {
		return anything(pattern), nil
	}
	if err != nil {
		return nil, fmt.Errorf("compile pattern: %w", err)
	}
	return compiled, nil
}

// namePattern is a pattern for the names of properties.
type namePattern struct {
	*regexp.Regexp
	size int
}

// cost is the work of a match, in the units of a [meter].
func (p namePattern) cost(name string) int { return 1 + len(name)*p.size/16 }
