package docx

import (
	"strings"

	"github.com/trawlhq/trawl/document/symbolfont"
)

// shown returns a text as it is seen in a font. Signs that are not known are mostly
// bullets.
func shown(text, font string) string {
	signs := symbolfont.Named(font)
	if signs == nil && !symbolfont.HasPrivate(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		code, private := symbolfont.Private(r)
		switch {
		case private && signs == nil: // mostly of Symbol
			r = symbolfont.Named("Symbol")[code]
		case private:
			r = signs[code]
		case signs[r] != 0:
			r = signs[r]
		}
		if r == 0 {
			return '•'
		}
		return r
	}, text)
}
