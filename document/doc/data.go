package doc

import "encoding/binary"

// data is a part of a file. Its methods look anywhere without harm: what lies
// outside is zero or empty, so that no offset needs a check of its own.
type data []byte

func (d data) u8(at int) int {
	if at < 0 || at >= len(d) {
		return 0
	}
	return int(d[at])
}

func (d data) u16(at int) int {
	if at < 0 || at > len(d)-2 {
		return 0
	}
	return int(binary.LittleEndian.Uint16(d[at:]))
}

func (d data) i16(at int) int { return int(int16(d.u16(at))) }

func (d data) u32(at int) int {
	if at < 0 || at > len(d)-4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(d[at:]))
}

func (d data) i32(at int) int { return int(int32(d.u32(at))) }

// cut returns n bytes from at, fewer where the data ends.
func (d data) cut(at, n int) data {
	if at < 0 || n <= 0 || at >= len(d) {
		return nil
	}
	return d[at:min(len(d), at+min(n, len(d)-at))]
}

// from returns all from at.
func (d data) from(at int) data { return d.cut(at, len(d)) }

// plc is a list of character positions with a record of fixed size for each
// stretch between two of them.
type plc struct {
	data
	count, size int
}

func (d data) plc(size int) plc {
	return plc{d, max(0, (len(d)-4)/(4+size)), size}
}

// cp returns the position i of count+1.
func (p plc) cp(i int) int { return p.u32(4 * i) }

// record returns the record of stretch i.
func (p plc) record(i int) data { return p.cut(4*(p.count+1)+i*p.size, p.size) }
