package doc_test

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

var le = binary.LittleEndian

// stream is a stream of a compound file.
type stream struct {
	name string
	body []byte
}

// compound builds a compound file in which every stream has sectors of its own.
func compound(streams ...stream) []byte {
	const sector, cutoff = 512, 4096
	const chainEnd, fatSector, none = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
	var fat []uint32
	var sectors bytes.Buffer
	add := func(body []byte) uint32 {
		first := uint32(len(fat))
		for at := 0; at < len(body); at += sector {
			part := make([]byte, sector)
			copy(part, body[at:])
			sectors.Write(part)
			fat = append(fat, uint32(len(fat)+1))
		}
		fat[len(fat)-1] = chainEnd
		return first
	}
	directory := entry("Root Entry", 5, 1, none, chainEnd, 0)
	for i, s := range streams {
		next := uint32(i + 2)
		if i == len(streams)-1 {
			next = none
		}
		first, body := uint32(chainEnd), s.body
		if len(body) > 0 {
			body = append(body, make([]byte, max(0, cutoff-len(body)))...)
			first = add(body)
		}
		directory = append(directory, entry(s.name, 2, none, next, first, len(body))...)
	}
	start := add(directory)
	count := len(fat)/127 + 1
	table := uint32(len(fat))
	for range count {
		fat = append(fat, fatSector)
	}
	for len(fat)%128 != 0 {
		fat = append(fat, none)
	}
	for _, n := range fat {
		sectors.Write(le.AppendUint32(nil, n))
	}
	head := make([]byte, sector)
	copy(head, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	le.PutUint16(head[24:], 0x3E)
	le.PutUint16(head[26:], 3)
	le.PutUint16(head[28:], 0xFFFE)
	le.PutUint16(head[30:], 9)
	le.PutUint16(head[32:], 6)
	le.PutUint32(head[44:], uint32(count))
	le.PutUint32(head[48:], start)
	le.PutUint32(head[56:], cutoff)
	le.PutUint32(head[60:], chainEnd)
	le.PutUint32(head[68:], chainEnd)
	for i := range 109 {
		n := uint32(none)
		if i < count {
			n = table + uint32(i)
		}
		le.PutUint32(head[76+4*i:], n)
	}
	return append(head, sectors.Bytes()...)
}

// entry is an entry of the directory of a compound file.
func entry(name string, kind byte, child, right, start uint32, size int) []byte {
	out := make([]byte, 128)
	for i, u := range utf16.Encode([]rune(name)) {
		le.PutUint16(out[2*i:], u)
	}
	le.PutUint16(out[64:], uint16(2*len(name)+2))
	out[66], out[67] = kind, 1
	le.PutUint32(out[68:], 0xFFFFFFFF)
	le.PutUint32(out[72:], right)
	le.PutUint32(out[76:], child)
	le.PutUint32(out[116:], start)
	le.PutUint32(out[120:], uint32(size))
	return out
}

// stretch is text of an old file with its properties: those of its characters, or
// those of a paragraph with the number of its style before them.
type stretch struct {
	text       string
	properties string
}

// oldFile builds a file of Word 95. The stretches of paragraphs and of characters
// are the same text; notes are where footnotes are referred to and their texts.
type oldFile struct {
	chars, paras []stretch
	main, note   int      // characters of the body and of footnotes
	headers      []uint32 // where they are in the rest of the text
	has          byte     // which of them
	references   []uint32
	texts        []uint32
	language     uint16
	pieces       []byte // a table of pieces, if the text is not in one
	flags        uint16
}

func (f *oldFile) bytes() []byte { return compound(stream{"WordDocument", f.word()}) }

// word builds the stream.
func (f *oldFile) word() []byte {
	const start = 0x300
	out := make([]byte, start)
	for _, s := range f.chars {
		out = append(out, s.text...)
	}
	end := len(out)
	align := func() {
		for len(out)%512 != 0 {
			out = append(out, 0)
		}
	}
	part := func(i int, body []byte) {
		at := 0x58 + 8*i
		if i > 37 {
			at += 10
		}
		le.PutUint32(out[at:], uint32(len(out)))
		le.PutUint32(out[at+4:], uint32(len(body)))
		out = append(out, body...)
		align()
	}
	le.PutUint16(out, 0xA5DC)
	le.PutUint16(out[2:], 104)
	le.PutUint16(out[6:], f.language)
	le.PutUint16(out[10:], f.flags)
	le.PutUint16(out[12:], 101)
	le.PutUint32(out[0x18:], start)
	le.PutUint32(out[0x1C:], uint32(end))
	le.PutUint32(out[0x34:], uint32(f.main))
	le.PutUint32(out[0x38:], uint32(f.note))
	le.PutUint32(out[0x3C:], uint32(end-start-f.main-f.note))
	align()
	charPage := len(out) / 512
	out = append(out, page(start, f.chars, 1)...)
	paraPage := len(out) / 512
	out = append(out, page(start, f.paras, 7)...)
	le.PutUint16(out[0x18A:], uint16(charPage))
	le.PutUint16(out[0x18C:], uint16(paraPage))
	le.PutUint16(out[0x18E:], 1)
	le.PutUint16(out[0x190:], 1)
	part(12, words(start, uint32(end), uint16(charPage)))
	part(13, words(start, uint32(end), uint16(paraPage)))
	part(1, oldStyles())
	part(15, oldFonts("Times New Roman", 0, "Times New Roman Cyr", 204, "Symbol", 2))
	if f.references != nil {
		flags := make([]byte, 2*(len(f.references)-1))
		for i := range flags {
			flags[i] = byte(1 - i%2)
		}
		part(2, append(longs(f.references), flags...))
		part(3, longs(f.texts))
	}
	if f.headers != nil {
		section := uint32(len(out))
		out = append(out, 2, 0, 153, f.has)
		align()
		sections := append(longs([]uint32{0, uint32(f.main)}), 0, 0)
		part(6, append(le.AppendUint32(sections, section), make([]byte, 6)...))
		part(11, longs(f.headers))
		part(31, make([]byte, 84))
	}
	if f.pieces != nil {
		part(33, f.pieces)
	}
	le.PutUint32(out[0x20:], uint32(len(out)))
	return out
}

// page builds a page of properties.
func page(at int, list []stretch, step int) []byte {
	out := make([]byte, 512)
	out[511] = byte(len(list))
	free := 510
	for i, s := range list {
		le.PutUint32(out[4*i:], uint32(at))
		at += len(s.text)
		body := s.properties
		if step > 1 {
			body += string(make([]byte, len(body)%2))
		}
		if body == "" {
			continue
		}
		free = (free - len(body) - 1) &^ 1
		out[free] = byte(len(body))
		if step > 1 {
			out[free] = byte(len(body) / 2)
		}
		copy(out[free+1:], body)
		out[4*(len(list)+1)+step*i] = byte(free / 2)
	}
	le.PutUint32(out[4*len(list):], uint32(at))
	return out
}

func words(from, to uint32, n uint16) []byte {
	return le.AppendUint16(longs([]uint32{from, to}), n)
}

func longs(list []uint32) []byte {
	var out []byte
	for _, n := range list {
		out = le.AppendUint32(out, n)
	}
	return out
}

// oldStyles is a style sheet with a normal style and a heading.
func oldStyles() []byte {
	out := []byte{4, 0, 2, 0, 8, 0}
	for i, name := range []string{"Normal", "heading 1"} {
		base := uint16(0xFFF)
		if i == 1 {
			base = 0
		}
		var d []byte
		d = le.AppendUint16(d, uint16(i))
		d = le.AppendUint16(d, 1|base<<4)
		d = le.AppendUint16(d, 2|uint16(i)<<4)
		d = le.AppendUint16(d, 0)
		d = append(d, byte(len(name)))
		d = append(append(d, name...), 0)
		d = append(d, make([]byte, len(d)%2)...)
		d = append(d, 2, 0, byte(i), 0) // properties of paragraphs: only the style's number
		if i == 1 {
			d = append(d, 2, 0, 85, 1)
		} else {
			d = append(d, 0, 0)
		}
		out = append(le.AppendUint16(out, uint16(len(d))), d...)
	}
	return out
}

// oldFonts is a table of fonts, of names and character sets.
func oldFonts(list ...any) []byte {
	out := []byte{0, 0}
	for i := 0; i < len(list); i += 2 {
		name := list[i].(string)
		out = append(out, byte(6+len(name)), 4, 0x90, 1, byte(list[i+1].(int)), 0)
		out = append(append(out, name...), 0)
	}
	le.PutUint16(out, uint16(len(out)))
	return out
}
