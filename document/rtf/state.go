package rtf

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// into is where text goes.
type into uint8

const (
	intoText    into = iota
	intoNothing      // it is left out
	intoCapture      // a string
	intoFonts
	intoStyles
	intoLists
	intoInfo
	intoPicture
	intoShape   // properties of a drawing: only groups within are of interest
	intoMath    // a formula
	intoUpright // \upr: its first group is left out, the second read
)

// state is what braces save and bring back.
type state struct {
	into    into
	outer   into // what \ud returns to
	capture *capture
	flow    *flow
	field   *field
	shape   *shape
	picture *picture
	math    *formula // the part that is open

	style           tree.Style
	hidden, deleted bool
	link            string
	font            int
	language        int
	unicode         int  // \uc: length of the fallback of \u
	nested          bool // row properties are those of a nested table
	paragraph       paragraph
}

// capture collects text, and says when its group has ended.
type capture struct {
	text strings.Builder
	done func(text string)
}

// paragraph is what is known of a paragraph when it ends.
type paragraph struct {
	style   int
	outline int // 0 for a heading of the first level, -1 if nothing is said
	inTable bool
	depth   int // of nested tables; -1 if nothing is said
	list    int // number in the table of list overrides
	level   int
}

func (p *paragraph) reset() { *p = paragraph{outline: -1, depth: -1} }

// tables returns how many tables the paragraph stands in.
func (p *paragraph) tables() int {
	switch {
	case p.depth > 0:
		return min(p.depth, maxTableTop)
	case p.inTable:
		return 1
	}
	return 0
}

// shape is a drawing or a picture while its properties are read.
type shape struct {
	name string // of the property
	alt  string
}

// collect makes the group collect its text.
func (r *reader) collect(done func(string)) {
	r.state.into = intoCapture
	r.state.capture = &capture{done: done}
}

// branch makes the group a text of its own.
func (r *reader) branch(done func([]tree.Block)) {
	r.state.into = intoText
	r.state.flow = &flow{reader: r, done: done}
	r.state.paragraph.reset()
	r.state.style, r.state.link, r.state.nested = 0, "", false
}
