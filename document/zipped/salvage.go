package zipped

import (
	"bytes"
	"encoding/binary"
)

// The marks that records of an archive begin with.
const (
	markEntry      = "PK\x03\x04"
	markDescriptor = "PK\x07\x08"
	markDirectory  = "PK\x01\x02"
	markEnd        = "PK\x05\x06"
)

const (
	entryHeader = 30
	streamed    = 8 // flag of entries whose sizes come after them
)

// salvage makes an archive of one that was cut off: the directory, which is at its end,
// is written anew from what stands before each entry. It returns nil if there is none.
func salvage(body []byte) []byte {
	var directory bytes.Buffer
	count := 0
	for e, ok := entryFrom(body, 0); ok && count < maxEntries; e, ok = entryFrom(body, e.end()) {
		e.write(&directory)
		count++
	}
	if count == 0 {
		return nil
	}
	end := make([]byte, 22)
	copy(end, markEnd)
	binary.LittleEndian.PutUint16(end[8:], uint16(count))
	binary.LittleEndian.PutUint16(end[10:], uint16(count))
	binary.LittleEndian.PutUint32(end[12:], uint32(directory.Len()))
	binary.LittleEndian.PutUint32(end[16:], uint32(len(body)))
	return bytes.Join([][]byte{body, directory.Bytes(), end}, nil)
}

// entry is an entry of an archive without a directory.
type entry struct {
	head, name []byte
	at, data   int // where it and what is packed in it begin
	packed     int // as far as it is there
	size       uint32
}

func (e *entry) end() int { return e.data + e.packed }

// entryFrom finds the next entry.
func entryFrom(body []byte, from int) (e entry, ok bool) {
	n := bytes.Index(body[from:], []byte(markEntry))
	if n < 0 || from+n+entryHeader > len(body) {
		return e, false
	}
	e.at = from + n
	e.head = bytes.Clone(body[e.at : e.at+entryHeader])
	name := e.at + entryHeader
	length := int(binary.LittleEndian.Uint16(e.head[26:]))
	if e.data = name + length + int(binary.LittleEndian.Uint16(e.head[28:])); e.data >= len(body) {
		return e, false
	}
	e.name = body[name : name+length]
	rest := body[e.data:]
	e.packed, e.size = int(binary.LittleEndian.Uint32(e.head[18:])), binary.LittleEndian.Uint32(e.head[22:])
	if binary.LittleEndian.Uint16(e.head[6:])&streamed != 0 && e.packed == 0 {
		e.packed = next(rest)
		e.size = uint32(min(max(smallPart, maxRatio*int64(e.packed)), maxPart))
		if after := rest[e.packed:]; len(after) >= 16 && string(after[:4]) == markDescriptor {
			copy(e.head[14:18], after[4:8]) // the sum
			e.size = binary.LittleEndian.Uint32(after[12:])
		}
	}
	e.packed = min(e.packed, len(rest))
	return e, true
}

// next returns where the next record begins. Entries are looked for first, as they are
// near.
func next(body []byte) int {
	first := len(body)
	for _, mark := range []string{markEntry, markDescriptor, markDirectory} {
		if n := bytes.Index(body[:first], []byte(mark)); n >= 0 {
			first = n
		}
	}
	return first
}

// write writes the entry as the directory has it.
func (e *entry) write(out *bytes.Buffer) {
	record := make([]byte, 46)
	copy(record, markDirectory)
	binary.LittleEndian.PutUint16(record[4:], 20)
	copy(record[6:], e.head[4:18]) // what is needed, flags, method, time, sum
	binary.LittleEndian.PutUint32(record[20:], uint32(e.packed))
	binary.LittleEndian.PutUint32(record[24:], e.size)
	binary.LittleEndian.PutUint16(record[28:], uint16(len(e.name)))
	binary.LittleEndian.PutUint32(record[42:], uint32(e.at))
	out.Write(record)
	out.Write(e.name)
}
