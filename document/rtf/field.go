package rtf

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/fieldcode"
	"github.com/trawlhq/trawl/document/tree"
)

// field is a part of the text that is made by an instruction: a link, a page
// number, a box to tick. What it shows is in the file.
type field struct {
	instruction strings.Builder
	link        string
	ticked      int // of a box: 1 if it is, 25 if its default counts
	byDefault   int
	shown       bool // its result has text
}

// maxInstruction bounds the length of an instruction.
const maxInstruction = 8 << 10

// instruction collects what makes the field.
func (r *reader) instruction() {
	f := r.state.field
	if f == nil {
		r.state.into = intoNothing
		return
	}
	r.collect(func(text string) {
		if f.instruction.Len()+len(text) < maxInstruction {
			f.instruction.WriteString(text)
			f.link = fieldcode.Link(f.instruction.String())
		}
	})
}

// result reads what the field shows.
func (r *reader) result() {
	f := r.state.field
	if f == nil {
		return
	}
	if f.link != "" {
		r.state.link = f.link
	}
}

// endField shows fields that have no result of their own.
func (r *reader) endField(f *field) {
	if f == nil || r.state.into != intoText {
		return
	}
	if outer := r.state.field; outer != nil {
		outer.shown = outer.shown || f.shown
	}
	words := fieldcode.Words(f.instruction.String())
	if len(words) == 0 {
		return
	}
	switch strings.ToUpper(words[0]) {
	case "FORMCHECKBOX":
		ticked := f.ticked
		if ticked == 25 {
			ticked = f.byDefault
		}
		r.put(tree.Box(ticked == 1))
	case "SYMBOL":
		if !f.shown && len(words) > 1 {
			r.fieldSymbol(words)
		}
	default:
		if !f.shown {
			r.put(fieldcode.Shown(f.instruction.String()))
		}
	}
}

// fieldSymbol shows SYMBOL 183 \f "Symbol".
func (r *reader) fieldSymbol(words []string) {
	code, err := strconv.ParseUint(words[1], 0, 16)
	if err != nil {
		return
	}
	saved := r.state.font
	for i, w := range words[:len(words)-1] {
		if w == `\f` {
			if n, ok := r.fontNames[strings.ToLower(words[i+1])]; ok {
				r.state.font = n
			}
		}
	}
	if r.isSymbolFont() && code < 256 {
		r.put(r.symbolText(byte(code)))
	} else {
		r.put(string(rune(code)))
	}
	r.state.font = saved
}

// formWord handles the state of boxes to tick.
func (r *reader) formWord(t *token) {
	f := r.state.field
	if f == nil {
		return
	}
	switch string(t.name) {
	case "ffres":
		f.ticked = t.value
	case "ffdefres":
		f.byDefault = t.value
	}
}
