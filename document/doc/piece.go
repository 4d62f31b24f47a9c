package doc

import (
	"cmp"
	"slices"
	"sort"

	"golang.org/x/text/encoding/charmap"
)

// maxText is how many characters are read of a file, about 5,000 pages.
const maxText = 16 << 20

// piece is a stretch of the text that stands together in the file.
type piece struct {
	cp, end int
	fc      int // where it begins in the stream
	wide    bool
	prm     int // what was changed of it when the file was saved in a hurry
}

// at returns where the character at cp stands in the stream.
func (p *piece) at(cp int) int {
	if p.wide {
		return p.fc + 2*(cp-p.cp)
	}
	return p.fc + cp - p.cp
}

// text is all text of a file by character positions. Old files are kept in the
// bytes of their code page, as one character may have two.
type text struct {
	pieces  []piece
	changes []data // that pieces refer to
	units   []uint16
	cut     bool
}

func readText(f *fib) *text {
	t := &text{}
	t.readPieces(f)
	if len(t.pieces) == 0 {
		n := max(0, min(f.end-f.start, len(f.main)-f.start))
		if f.wide {
			n /= 2
		}
		t.pieces = []piece{{end: n, fc: f.start, wide: f.wide}}
	}
	most := min(maxText, len(f.main)) // a character has at least a byte
	for i := range t.pieces {
		p := &t.pieces[i]
		if p.end > most {
			t.cut = true
			p.cp, p.end = min(p.cp, most), most
		}
		t.append(f, p)
	}
	return t
}

// isLost reports whether a stream of this length ends before all of the text: that
// of a file which was cut, or whose chain of sectors is broken.
func (t *text) isLost(length int) bool {
	return !slices.ContainsFunc(t.pieces, func(p piece) bool { return p.fc < length })
}

func (t *text) readPieces(f *fib) {
	clx := f.part(partPieces)
	for clx.u8(0) == 1 {
		n := clx.u16(1)
		t.changes = append(t.changes, clx.cut(3, n))
		clx = clx.from(3 + n)
	}
	if clx.u8(0) != 2 {
		return
	}
	list := clx.cut(5, clx.u32(1)).plc(8)
	for i := range list.count {
		r := list.record(i)
		p := piece{cp: list.cp(i), end: list.cp(i + 1), fc: r.u32(2), wide: !f.old || f.wide, prm: r.u16(6)}
		if !f.old && p.fc&0x40000000 != 0 {
			p.fc, p.wide = p.fc&^0x40000000/2, false
		}
		if p.cp < p.end {
			t.pieces = append(t.pieces, p)
		}
	}
	t.order()
}

// order brings the pieces into the order of their text. Those of a sound file follow
// one another; where others overlap, the first counts.
func (t *text) order() {
	slices.SortStableFunc(t.pieces, func(a, b piece) int { return cmp.Compare(a.cp, b.cp) })
	end := 0
	kept := t.pieces[:0]
	for _, p := range t.pieces {
		if p.end <= end {
			continue
		}
		if p.cp < end {
			p.fc, p.cp = p.at(end), end
		}
		end = p.end
		kept = append(kept, p)
	}
	t.pieces = kept
}

// append adds the text of a piece. What the stream or the list of pieces lacks is
// filled with zeros, to keep the positions of what follows.
func (t *text) append(f *fib, p *piece) {
	t.units = append(t.units, make([]uint16, p.end-len(t.units))...)[:p.cp]
	for cp := p.cp; cp < p.end; cp++ {
		at := p.at(cp)
		switch {
		case p.wide:
			t.units = append(t.units, uint16(f.main.u16(at)))
		case f.old:
			t.units = append(t.units, uint16(f.main.u8(at)))
		default:
			t.units = append(t.units, latin(f.main.u8(at)))
		}
	}
}

// latin returns a byte of Windows' western code page as a character. Its control
// characters are Word's own.
func latin(b int) uint16 {
	if b < 0x80 || b >= 0xA0 {
		return uint16(b)
	}
	return uint16(charmap.Windows1252.DecodeByte(byte(b)))
}

// piece returns the piece that a character is in, nil if none.
func (t *text) piece(cp int) *piece {
	i := sort.Search(len(t.pieces), func(i int) bool { return t.pieces[i].end > cp })
	if i == len(t.pieces) || cp < t.pieces[i].cp {
		return nil
	}
	return &t.pieces[i]
}

// changed returns the properties that a piece adds to those of its characters.
func (t *text) changed(prm int, old bool) data {
	if prm == 0 {
		return nil
	}
	if prm&1 != 0 {
		if i := prm >> 1; i < len(t.changes) {
			return t.changes[i]
		}
		return nil
	}
	op := prm >> 1 & 0x7F
	if old {
		return data{byte(op), byte(prm >> 8)}
	}
	code := oldCodes[op]
	return data{byte(code), byte(code >> 8), byte(prm >> 8)}
}
