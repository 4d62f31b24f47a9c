package ppt

import (
	"encoding/binary"
	"iter"
)

// data is a part of a file. Its methods look anywhere without harm: what lies outside
// is zero or empty.
type data []byte

func (d data) u8(at int) int {
	if b := d.cut(at, 1); len(b) == 1 {
		return int(b[0])
	}
	return 0
}

func (d data) u16(at int) int {
	if b := d.cut(at, 2); len(b) == 2 {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (d data) u32(at int) int {
	if b := d.cut(at, 4); len(b) == 4 {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (d data) i16(at int) int { return int(int16(d.u16(at))) }
func (d data) i32(at int) int { return int(int32(d.u32(at))) }

// cut returns n bytes from at, fewer where the data ends.
func (d data) cut(at, n int) data {
	if at < 0 || n <= 0 || at >= len(d) {
		return nil
	}
	return d[at : at+min(n, len(d)-at)]
}

func (d data) from(at int) data { return d.cut(at, len(d)) }

// Kinds of records, of the presentation and of the drawings in it.
const (
	document       = 0x03E8
	slide          = 0x03EE
	slideAtom      = 0x03EF
	notes          = 0x03F0
	slidePersist   = 0x03F3
	mainMaster     = 0x03F8
	slideInfo      = 0x03F9
	objectList     = 0x0409
	drawingGroup   = 0x040B
	drawing        = 0x040C
	footerMark     = 0x0420
	placeholder    = 0x0BC3
	outlineRef     = 0x0F9E
	textHeader     = 0x0F9F
	textChars      = 0x0FA0
	textStyle      = 0x0FA1
	masterStyle    = 0x0FA3
	textBytes      = 0x0FA8
	textNumbers    = 0x0FAC
	outlineNumbers = 0x0FAE
	outlineHeader  = 0x0FAF
	cString        = 0x0FBA
	linkAtom       = 0x0FD3
	link           = 0x0FD7
	slideNumber    = 0x0FD8
	textClick      = 0x0FDF
	slideList      = 0x0FF0
	click          = 0x0FF2
	clickAtom      = 0x0FF3
	userEdit       = 0x0FF5
	dateMark       = 0x0FF7
	genericDate    = 0x0FF8
	headerMark     = 0x0FF9
	footerText     = 0x0FFA
	tags           = 0x1388
	binaryTag      = 0x138A
	binaryData     = 0x138B
	persist        = 0x1772

	drawingStore = 0xF000
	pictureStore = 0xF001
	drawn        = 0xF002
	group        = 0xF003
	shape        = 0xF004
	options      = 0xF00B
	textBox      = 0xF00D
	childAnchor  = 0xF00F
	clientAnchor = 0xF010
	clientData   = 0xF011
	thirdOptions = 0xF122
)

const (
	headerLength  = 8  // of a record
	maxGroupDepth = 64 // how deep groups may be in each other
)

// record is a record: its kind, a number with it and what it holds.
type record struct {
	kind, instance int
	data
}

// recordAt returns the record at an offset.
func (d data) recordAt(at int) record {
	return record{d.u16(at + 2), d.u16(at) >> 4, d.cut(at+headerLength, d.u32(at+4))}
}

// records returns the records of a list.
func (d data) records() iter.Seq[record] {
	return func(yield func(record) bool) {
		for rest := d; len(rest) >= headerLength; {
			rec := rest.recordAt(0)
			if !yield(rec) {
				return
			}
			rest = rest.from(headerLength + len(rec.data))
		}
	}
}

// child returns what the first record of a kind holds, nil if there is none.
func (d data) child(kind int) data {
	for rec := range d.records() {
		if rec.kind == kind {
			return rec.data
		}
	}
	return nil
}

// upTo returns the records from an offset up to the next one of a kind.
func (d data) upTo(at, kind int) data {
	end := at
	for end+headerLength <= len(d) {
		rec := d.recordAt(end)
		if rec.kind == kind {
			break
		}
		end += headerLength + len(rec.data)
	}
	return d.cut(at, end-at)
}
