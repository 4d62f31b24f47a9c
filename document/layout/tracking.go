package layout

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// Gaps between letters, in parts of their size.
const (
	spread     = 0.08  // from here on letters are set apart from each other
	spreadMost = 0.2   // more than that is the space between words
	spreadJump = 0.2   // by how much more words are apart than their letters
	spreadRun  = 6     // gaps from which on they can be judged
	uneven     = 0.05  // by how much the gaps in a listing differ
	listingGap = 0.45  // more than that is a space in it
	alphabets  = 0x530 // letters from here on are set in other ways
)

// tracking returns from which gap on, in parts of the size, there is a space. It is
// more if the letters are set apart from each other.
func (r *reader) tracking() float32 {
	r.listing = false
	r.gaps = r.gaps[:0]
	for i := 1; i < len(r.sorted); i++ {
		a, b := &r.glyphs[r.sorted[i-1].glyph], &r.glyphs[r.sorted[i].glyph]
		if isSpace(a.Rune) && !a.Generated {
			return wordGap
		}
		if !isSpace(a.Rune) && !isSpace(b.Rune) {
			r.gaps = append(r.gaps, (b.Left-a.Right)/max(a.Size, b.Size))
		}
	}
	limit := float32(wordGap)
	if slices.Sort(r.gaps); len(r.gaps) >= 4 {
		if middle := r.gaps[len(r.gaps)/2]; middle >= spread {
			limit = middle + 0.14
		}
	}
	return cmp.Or(r.spreadLimit(), limit)
}

// spreadLimit is tracking for letters that are about as far apart as words are
// elsewhere. It is 0 for all other text. Where some words are spread more than others, it
// is a listing that gives each the width that it has in a font of one width.
func (r *reader) spreadLimit() float32 {
	last := r.letterGaps()
	if last == nil {
		return 0
	}
	n, known := len(r.gaps), r.inListing(last)
	if n < spreadRun {
		switch {
		case !known, n == 0 && (unicode.IsLetter(last.Rune) || unicode.IsDigit(last.Rune)), n > 0 && (r.gaps[0] < uneven || r.gaps[n-1] > listingGap):
			return 0
		}
		r.listing = true
		return listingGap
	}
	low := r.gaps[n*2/5]
	if low < spread || low > spreadMost && r.gaps[n-1]-low < spreadJump {
		return 0
	}
	limit, jump, within := float32(0), float32(spreadJump), n
	for i := n/2 + 1; i < n; i++ {
		if d := r.gaps[i] - r.gaps[i-1]; d > jump {
			limit, jump, within = (r.gaps[i]+r.gaps[i-1])/2, d, i
		}
	}
	if known || r.gaps[within*4/5]-r.gaps[within/5] > uneven {
		r.listing, r.listed = true, r.lookOf(last)
		limit = max(limit, listingGap)
	}
	return limit
}

// letterGaps fills in the gaps between letters, whether or not there seem to be spaces in
// them, and returns the last glyph of the run; nil if it cannot be spread.
func (r *reader) letterGaps() (last *Glyph) {
	r.gaps = r.gaps[:0]
	for i := range r.sorted {
		g := &r.glyphs[r.sorted[i].glyph]
		if isSpace(g.Rune) {
			continue
		}
		if r.face(g).style&tree.Mono != 0 || g.Rune >= alphabets && (unicode.IsLetter(g.Rune) || unicode.IsMark(g.Rune)) {
			return nil
		}
		if last != nil && unicode.IsLetter(last.Rune) && unicode.IsLetter(g.Rune) {
			r.gaps = append(r.gaps, (g.Left-last.Right)/max(last.Size, g.Size))
		}
		last = g
	}
	slices.Sort(r.gaps)
	return last
}

func (r *reader) lookOf(g *Glyph) look {
	return look{size: int(g.Size*4 + 0.5), font: r.face(g).name}
}

// inListing reports whether a glyph looks like those of the last listing on the page.
func (r *reader) inListing(g *Glyph) bool { return r.listed == r.lookOf(g) }
