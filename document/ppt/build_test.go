package ppt_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/compound"
)

var le = binary.LittleEndian

const none, chainEnd = 0xFFFFFFFF, 0xFFFFFFFE

// stream is a stream of a compound file.
type stream struct {
	name string
	body []byte
}

// pack makes a compound file. Streams are filled up, so that none is a short one.
func pack(streams ...stream) []byte {
	const size = 512
	var sectors, next []byte
	add := func(body []byte) uint32 {
		first := len(next) / 4
		for ; len(body) > 0; body = body[min(size, len(body)):] {
			sectors = append(sectors, body[:min(size, len(body))]...)
			sectors = append(sectors, make([]byte, (size-len(sectors)%size)%size)...)
			next = le.AppendUint32(next, uint32(len(next)/4+1))
		}
		le.PutUint32(next[len(next)-4:], chainEnd)
		return uint32(first)
	}
	directory := entry("Root Entry", 5, 1, none)
	for i, s := range streams {
		body := append(slices.Clone(s.body), make([]byte, max(0, 4096-len(s.body)))...)
		right := uint32(i + 2)
		if i == len(streams)-1 {
			right = none
		}
		e := entry(s.name, 2, none, right)
		le.PutUint32(e[116:], add(body))
		le.PutUint32(e[120:], uint32(len(body)))
		directory = append(directory, e...)
	}
	head := make([]byte, size)
	copy(head, compound.Magic)
	head[30] = 9
	le.PutUint32(head[48:], add(directory))
	le.PutUint32(head[68:], chainEnd)
	tables := (len(next)/4+127)/127 + 1
	first := len(next) / 4
	for i := range 109 {
		number := uint32(none)
		if i < tables {
			number = uint32(first + i)
			next = le.AppendUint32(next, 0xFFFFFFFD)
		}
		le.PutUint32(head[76+4*i:], number)
	}
	return slices.Concat(head, sectors, next, make([]byte, tables*size-len(next)))
}

func entry(name string, kind byte, child, right uint32) []byte {
	out := make([]byte, 128)
	copy(out, wide(name))
	le.PutUint16(out[64:], uint16(2*len(name)+2))
	out[66] = kind
	le.PutUint32(out[68:], none)
	le.PutUint32(out[72:], right)
	le.PutUint32(out[76:], child)
	return out
}

func wide(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = le.AppendUint16(out, u)
	}
	return out
}

// u32 and u16 write numbers.
func u32(numbers ...int) (out []byte) {
	for _, n := range numbers {
		out = le.AppendUint32(out, uint32(n))
	}
	return out
}

func u16(numbers ...int) (out []byte) {
	for _, n := range numbers {
		out = le.AppendUint16(out, uint16(n))
	}
	return out
}

// atom is a record of bytes, and list one of records.
func atom(kind, instance int, parts ...[]byte) []byte { return rec(kind, instance, 0, parts) }
func list(kind, instance int, parts ...[]byte) []byte { return rec(kind, instance, 15, parts) }

func rec(kind, instance, version int, parts [][]byte) []byte {
	body := slices.Concat(parts...)
	return slices.Concat(u16(instance<<4|version, kind), u32(len(body)), body)
}

// file is a presentation of objects, of which the first is the document and has the
// number 1.
func file(objects ...[]byte) []byte {
	var main []byte
	places := u32(len(objects)<<20 | 1)
	for _, o := range objects {
		places = append(places, u32(len(main))...)
		main = append(main, o...)
	}
	directory := len(main)
	main = append(main, atom(0x1772, 0, places)...)
	edit := len(main)
	main = append(main, atom(0x0FF5, 0, u32(0, 0, 0, directory, 1, 0, 0))...)
	return pack(stream{"PowerPoint Document", main}, stream{"Current User", atom(0x0FF6, 0, u32(20, 0xE391C05F, edit))}, stream{"Pictures", pictures()})
}

const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"

func pictures() []byte { return atom(0xF01E, 0x6E0, make([]byte, 17), []byte(pixel)) }

// document lists slides, a master with the number 2 and notes with their texts; more are
// other records.
func document(slides []byte, more ...[]byte) []byte {
	return list(0x03E8, 0, append(more,
		list(0x0FF0, 1, listed(2, 1000)), list(0x0FF0, 0, slides), list(0x0FF0, 2, listed(4, 4000)),
		list(0x0409, 0, list(0x0FD7, 0, atom(0x0FD3, 0, u32(7)), atom(0x0FBA, 1, wide("https://example.com/")))),
		list(0x040B, 0, list(0xF000, 0, list(0xF001, 0, atom(0xF007, 6, make([]byte, 36))))),
	)...)
}

// listed is a slide in a list.
func listed(number, id int) []byte { return atom(0x03F3, 0, u32(number, 0, 0, id, 0)) }

// master gives bodies bullets on their first two levels.
func master() []byte {
	level := func(bullet int) []byte { return slices.Concat(u32(1), u16(bullet), u32(0)) }
	return list(0x03F8, 0, atom(0x0FA3, 1, u16(3), level(1), level(1), level(0)))
}

// slide is a slide of shapes.
func slide(layout, info int, shapes ...[]byte) []byte {
	return list(0x03EE, 0, atom(0x03EF, 0, u32(layout, 0, 0, 1000, 4000), u16(7, 0)), atom(0x03F9, 0, u32(0, 0), u16(0, info), u32(0)), drawing(shapes...))
}

func drawing(shapes ...[]byte) []byte {
	return list(0x040C, 0, list(0xF002, 0, group(nil, shapes...)))
}

// group is a group of shapes, and own what it says of itself.
func group(own []byte, shapes ...[]byte) []byte {
	return list(0xF003, 0, append([][]byte{list(0xF004, 0, own)}, shapes...)...)
}

// shape is a shape at a place.
func shape(left, top, right, bottom int, parts ...[]byte) []byte {
	return list(0xF004, 0, append(parts, atom(0xF010, 0, u16(top, left, right, bottom)))...)
}

// words is the text of a shape, and more what is said of it.
func words(kind int, s string, more ...[]byte) []byte {
	return atom(0xF00D, 0, text(kind, s, more...))
}

func text(kind int, s string, more ...[]byte) []byte {
	return slices.Concat(atom(0x0F9F, 0, u32(kind)), atom(0x0FA0, 0, wide(strings.ReplaceAll(s, "\n", "\r"))), slices.Concat(more...))
}

// levels is the style of lines: how long each is and which level it has; after them the
// style of characters.
func levels(runs []byte, pairs ...int) []byte {
	var out []byte
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, slices.Concat(u32(pairs[i]), u16(pairs[i+1]), u32(0))...)
	}
	return atom(0x0FA1, 0, out, runs)
}

// look is the style of some characters: bold is 1, italic 2, and a numbering is shifted
// by ten.
func look(count, flags int) []byte { return slices.Concat(u32(count, 0x3EB7), u16(flags)) }
