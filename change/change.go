// Package change tells how a text differs from how it was before.
//
// White space does not count. Pages are laid out anew all the time, with other
// indents, other line breaks and other numbers of empty lines, and nobody who
// reads them would call that a change. So [Digest] is the same for two texts with
// the same words in the same order, and [Diff] takes two lines for the same if
// their words are.
//
// Both take time and memory in proportion to the texts, whatever these are like.
// Where the smallest diff would take longer than that, it is one that is somewhat
// larger, and right all the same: what is not in it is the same in both texts.
//
//   - line.go takes texts apart into lines, which get numbers to be compared by;
//   - align.go finds the lines that stay;
//   - diff.go shows the others, with some of those that stay around them.
package change

import (
	"bufio"
	"crypto/sha256"
	"strings"
)

// Digest is equal for texts that are equal but for white space: any of it is as
// good as one space, and at the beginning and end it is as good as none.
func Digest(markdown string) [32]byte {
	h := sha256.New()
	w := bufio.NewWriterSize(h, 16<<10) // writing to a hash cannot fail
	first := true
	for word := range strings.FieldsSeq(markdown) {
		if !first {
			w.WriteByte(' ')
		}
		w.WriteString(word)
		first = false
	}
	w.Flush()
	return [32]byte(h.Sum(nil))
}
