package sheet

import (
	"encoding/binary"
	"math"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/codepage"
)

// fields reads the fields of a record by where they are. What is not there is 0.
type fields []byte

func (d fields) from(i int) fields { return d[min(max(i, 0), len(d)):] }

func (d fields) u8(i int) byte {
	if i < len(d) {
		return d[i]
	}
	return 0
}

func (d fields) u16(i int) int {
	if i+2 > len(d) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(d[i:]))
}

func (d fields) u32(i int) uint32 {
	if i+4 > len(d) {
		return 0
	}
	return binary.LittleEndian.Uint32(d[i:])
}

func (d fields) float(i int) float64 {
	if i+8 > len(d) {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(d[i:]))
}

// area reads an area: its rows, then its columns.
func (d fields) area(i int) area {
	return area{place{int32(d.u16(i)), int32(d.u16(i + 4))}, place{int32(d.u16(i + 2)), int32(d.u16(i + 6))}}
}

// wideText returns n characters of UTF-16, up to a zero.
func wideText(d fields, n int) string {
	n = min(n, len(d)/2)
	units := make([]uint16, 0, n)
	for i := range n {
		u := d.u16(2 * i)
		if u == 0 {
			break
		}
		units = append(units, uint16(u))
	}
	return string(utf16.Decode(units))
}

// byteString returns text before version 8: its length in one byte or two, and
// its bytes in the code page of the file.
func (x *workbook) byteString(d fields, size int) string {
	n := int(d.u8(0))
	if size == 2 {
		n = d.u16(0)
	}
	d = d.from(size)
	return codepage.Decode(x.codePage, d[:min(n, len(d))])
}

// shortString returns text of version 8 whose length is in one byte.
func shortString(d fields) string {
	if len(d) < 2 {
		return ""
	}
	s := stringReader{pieces: [][]byte{d[1:]}}
	return s.rest(int(d[0]))
}

// wideString returns text of version 8.
func wideString(d fields) string {
	s := stringReader{pieces: [][]byte{d}}
	return s.string()
}

// stringReader reads strings that may go on from one record to the next.
type stringReader struct {
	pieces [][]byte
	units  []uint16 // of the string that is read
}

// more goes on to the next record where one is at its end. It reports whether
// there is something left.
func (s *stringReader) more() bool {
	for len(s.pieces) > 0 && len(s.pieces[0]) == 0 {
		s.pieces = s.pieces[1:]
	}
	return len(s.pieces) > 0
}

func (s *stringReader) byte() byte {
	if !s.more() {
		return 0
	}
	b := s.pieces[0][0]
	s.pieces[0] = s.pieces[0][1:]
	return b
}

func (s *stringReader) u16() int { return int(s.byte()) | int(s.byte())<<8 }

// skip leaves out n bytes.
func (s *stringReader) skip(n int) {
	for n > 0 && s.more() {
		k := min(n, len(s.pieces[0]))
		s.pieces[0] = s.pieces[0][k:]
		n -= k
	}
}

// string reads a string with its length in two bytes.
func (s *stringReader) string() string { return s.rest(s.u16()) }

// rest reads a string of n characters, from its flags on: whether characters
// have two bytes or one, and whether fonts and a pronunciation follow. Where the
// characters go on in the next record, it begins with new flags.
func (s *stringReader) rest(n int) string {
	flags := s.byte()
	fonts, phonetic := 0, 0
	if flags&0x08 != 0 {
		fonts = s.u16()
	}
	if flags&0x04 != 0 {
		phonetic = s.u16() | s.u16()<<16
	}
	s.units = s.units[:0]
	wide := flags&0x01 != 0
	for len(s.units) < n {
		if len(s.pieces) > 0 && len(s.pieces[0]) == 0 {
			if !s.more() {
				break
			}
			wide = s.byte()&0x01 != 0
		}
		if !s.more() {
			break
		}
		s.characters(n-len(s.units), wide)
	}
	s.skip(4 * fonts)
	s.skip(phonetic)
	return string(utf16.Decode(s.units))
}

// characters reads up to n characters from one record.
func (s *stringReader) characters(n int, wide bool) {
	d := s.pieces[0]
	if !wide {
		n = min(n, len(d))
		for _, b := range d[:n] {
			s.units = append(s.units, uint16(b))
		}
		s.pieces[0] = d[n:]
		return
	}
	n = min(n, len(d)/2)
	for i := range n {
		s.units = append(s.units, binary.LittleEndian.Uint16(d[2*i:]))
	}
	s.pieces[0] = d[2*n:]
	if len(s.pieces[0]) == 1 { // half a character is none
		s.pieces[0] = nil
	}
}

// sharedStrings reads the strings that cells refer to by number.
func sharedStrings(pieces [][]byte) (list []string, all bool) {
	s := stringReader{pieces: pieces}
	s.skip(4)
	said := s.u16() | s.u16()<<16
	for len(list) < min(said, maxStrings) && s.more() {
		list = append(list, s.string())
	}
	return list, said <= maxStrings || !s.more()
}
