package layout

import (
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// Bounds of letters that are set on a grid, each in the middle of a place as wide as
// the others: so are listings of code whose font is not one of one width.
const (
	pitchLeast  = 0.4  // width of a place, in parts of the size
	pitchMost   = 0.8  //
	pitchSlack  = 0.04 // by how much of a place a letter may stand beside its middle
	pitchGlyphs = 6    // from here on a grid can be told from chance
)

// grid is how the letters of a listing are set.
type grid struct{ size, pitch float32 }

// pitched returns how far the letters of the sorted entries are apart if they stand on a
// grid; 0 if they do not. Short runs stand on that of a run before them.
func (r *reader) pitched() float32 {
	var before *Glyph
	r.gaps = r.gaps[:0]
	least, narrow, wide := float32(1e9), float32(1e9), float32(0)
	for i := range r.sorted {
		g := &r.glyphs[r.sorted[i].glyph]
		if isSpace(g.Rune) {
			continue
		}
		if isRTL(g.Rune) || isIdeograph(g.Rune) || r.face(g).style&tree.Mono != 0 {
			return 0
		}
		if before != nil {
			d := g.centerX() - before.centerX()
			if abs(g.Size-before.Size) > 0.02*g.Size || d < pitchLeast*g.Size {
				return 0
			}
			least = min(least, d)
			r.gaps = append(r.gaps, d)
		}
		before = g
		narrow, wide = min(narrow, g.width()), max(wide, g.width())
	}
	if before == nil {
		return 0
	}
	if len(r.gaps)+1 < pitchGlyphs {
		return r.short(before)
	}
	if wide-narrow < 0.2*before.Size || least > pitchMost*before.Size {
		return 0
	}
	pitch, next := r.onGrid(least)
	if pitch == 0 || next*2 < len(r.gaps) {
		return 0
	}
	r.grid = grid{before.Size, pitch}
	return pitch
}

// short returns the pitch of the last grid if the gaps fit it.
func (r *reader) short(last *Glyph) float32 {
	if r.grid.pitch == 0 || abs(r.grid.size-last.Size) > 0.02*last.Size {
		return 0
	}
	if len(r.gaps) == 0 && (unicode.IsLetter(last.Rune) || unicode.IsDigit(last.Rune)) {
		return 0
	}
	pitch, _ := r.onGrid(r.grid.pitch)
	return pitch
}

// onGrid returns about a pitch that of which all gaps are multiples, and how many are it
// itself; 0 if there is none.
func (r *reader) onGrid(about float32) (pitch float32, next int) {
	sum, places := float32(0), 0
	for _, d := range r.gaps {
		k := int(d/about + 0.5)
		sum, places = sum+d, places+k
	}
	if places == 0 {
		return about, 0
	}
	pitch = sum / float32(places)
	for _, d := range r.gaps {
		k := float32(int(d/pitch + 0.5))
		if abs(d-k*pitch) > pitchSlack*pitch {
			return 0, 0
		}
		if k == 1 {
			next++
		}
	}
	return pitch, next
}
