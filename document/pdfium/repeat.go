package pdfium

import (
	"hash/maphash"
	"math"
)

// A page tree may list a page more than once, and a tree that leads back into itself
// lists its pages hundreds of times. The library does not tell which page is which, so
// each is marked when it is first read: in its art box, which nothing here is read from.
// No file can know the mark.

// newMark returns numbers that no file has.
func newMark() [3]float32 {
	random := maphash.Bytes(maphash.MakeSeed(), nil)
	part := func(shift int) float32 { return float32(random >> shift & 0xFFFFF) }
	return [3]float32{part(0), part(20), part(40)}
}

// repeats reports whether page i was read before in another place, and marks it if it
// was not.
func (d *Document) repeats(handle uint64, i int) bool {
	m, at := d.module, uint64(d.module.scratch)
	var box [4]float32
	if m.call(pageArt, handle, at, at+4, at+8, at+12) != 0 {
		m.floats(m.scratch, box[:])
	}
	if [3]float32(box[1:]) == d.mark {
		return int(box[0]) != i
	}
	m.call(setPageArt, handle, bits(float32(i)), bits(d.mark[0]), bits(d.mark[1]), bits(d.mark[2]))
	return false
}

func bits(f float32) uint64 { return uint64(math.Float32bits(f)) }
