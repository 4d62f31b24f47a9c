package doc

import (
	"fmt"

	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/tree"
)

// Places of parts in the list that the file information block has of them.
const (
	partStyles     = 1
	partNoteRefs   = 2
	partNoteTexts  = 3
	partSections   = 6
	partHeaders    = 11
	partChars      = 12
	partParas      = 13
	partFonts      = 15
	partProperties = 31
	partPieces     = 33
	partAnchors    = 40
	partEndRefs    = 46
	partEndTexts   = 47
	partDrawing    = 50
	partBoxes      = 56
	partLists      = 73
	partOverrides  = 74
)

// Stories that follow one another in the text.
const (
	storyMain = iota
	storyNotes
	storyHeaders
	storyMacros
	storyComments
	storyEndnotes
	storyBoxes
	storyHeaderBoxes
	stories
)

// fib is the file information block, from which all else is found.
type fib struct {
	main  data // the stream WordDocument
	table data // the stream that has the parts: the same one in old files
	old   bool // Word 6 and 95
	mac   bool
	wide  bool // an old file in characters of two bytes, as of East Asia

	language   int
	start, end int // of the text, where there are no pieces
	count      [stories]int
	first      int // where the list of parts begins
	parts      int // how many it has
}

func readFIB(file *compound.File) (*fib, error) {
	main := data(file.Stream("WordDocument"))
	if len(main) < 0x180 {
		return nil, fmt.Errorf("read file information: %w", tree.ErrDamaged)
	}
	flags := main.u16(10)
	f := &fib{
		main: main, old: main.u16(2) < 193, mac: main.u8(0x13)&1 != 0,
		language: main.u16(6), start: main.u32(0x18), end: main.u32(0x1C),
	}
	switch {
	case flags&0x100 != 0:
		return nil, fmt.Errorf("read file information: %w", tree.ErrEncrypted)
	case main.u16(2) < 101:
		return nil, fmt.Errorf("read file information: version %d: %w", main.u16(2), tree.ErrDamaged)
	}
	f.wide = f.old && flags&0x1000 != 0
	counts := 0x4C
	if f.old {
		counts = 0x34
		f.table, f.first, f.parts = main, 0x58, 64
	} else {
		name, other := "0Table", "1Table"
		if flags&0x200 != 0 {
			name, other = other, name
		}
		if f.table = file.Stream(name); f.table == nil {
			f.table = file.Stream(other)
		}
		f.first, f.parts = 0x9A, main.u16(0x98)
	}
	for i := range f.count {
		f.count[i] = min(max(0, main.i32(counts+4*i)), maxText)
	}
	return f, nil
}

// place returns where a part is in the table stream, and its length.
func (f *fib) place(i int) (at, n int) {
	if i >= f.parts {
		return 0, 0
	}
	p := f.first + 8*i
	if f.old && i > 37 {
		p += 10 // old files have five numbers in between
	}
	return f.main.u32(p), f.main.u32(p + 4)
}

func (f *fib) part(i int) data {
	at, n := f.place(i)
	return f.table.cut(at, n)
}

// story returns where a story begins and ends in the text.
func (f *fib) story(i int) (from, to int) {
	for _, n := range f.count[:i] {
		from += n
	}
	return from, from + f.count[i]
}
