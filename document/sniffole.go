package document

import (
	"encoding/binary"
	"unicode/utf16"
)

// compoundMagic begins a compound file, which holds streams in a tree of folders.
const compoundMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

const (
	noSector     = 0xfffffffa // this and what is above stands for none
	noEntry      = 0xffffffff
	maxDirectory = 64 << 10 // entries that are looked at
	entrySize    = 128
	headerSize   = 512
)

// sniffCompound tells what a compound file is by the streams in its first folder:
// those in others belong to what is embedded in it.
func sniffCompound(body []byte, claimed Kind) Kind {
	names := topStreams(body)
	switch {
	case names["EncryptedPackage"]:
		if claimed == XLSX || claimed == XLS {
			return XLSX // whose reader will find it encrypted
		}
		return DOCX
	case names["WordDocument"]:
		return DOC
	case names["Workbook"], names["Book"], names["WORKBOOK"], names["BOOK"]:
		return XLS
	case len(names) == 0 && (claimed == DOC || claimed == XLS):
		return claimed // it is damaged, of which its reader tells
	}
	return Unknown
}

// topStreams returns the names of what is in the first folder.
func topStreams(body []byte) map[string]bool {
	entries := directory(body)
	if len(entries) < entrySize {
		return nil
	}
	names, seen := map[string]bool{}, map[uint32]bool{}
	queue := []uint32{binary.LittleEndian.Uint32(entries[76:])} // the root's child
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if id == noEntry || seen[id] || int(id) >= len(entries)/entrySize {
			continue
		}
		seen[id] = true
		e := entries[int(id)*entrySize:][:entrySize]
		names[entryName(e)] = true
		queue = append(queue, binary.LittleEndian.Uint32(e[68:]), binary.LittleEndian.Uint32(e[72:])) // its siblings
	}
	return names
}

func entryName(e []byte) string {
	size := min(int(binary.LittleEndian.Uint16(e[64:])), 64)
	units := make([]uint16, 0, 32)
	for i := 0; i+2 < size; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(e[i:]))
	}
	return string(utf16.Decode(units))
}

// directory returns the entries of a compound file, as far as they can be found.
func directory(body []byte) (entries []byte) {
	c, ok := openCompound(body)
	if !ok {
		return nil
	}
	for n := c.word(48); len(entries) < maxDirectory*entrySize; n = c.after(n) {
		data := c.sector(n)
		if data == nil {
			break
		}
		entries = append(entries, data...)
	}
	return entries
}

// compound is a file of sectors that are chained by a table.
type compound struct {
	body  []byte
	shift uint16   // the size of sectors, as a power of two
	table []uint32 // the sectors of the table
}

func openCompound(body []byte) (c compound, ok bool) {
	if len(body) < headerSize {
		return c, false
	}
	c = compound{body: body, shift: binary.LittleEndian.Uint16(body[30:])}
	if c.shift != 9 && c.shift != 12 {
		return c, false
	}
	for at := 76; at < headerSize; at += 4 {
		c.table = append(c.table, c.word(at))
	}
	words := 1 << (c.shift - 2)
	for list := c.sector(c.word(68)); list != nil && len(c.table) < len(body)>>c.shift; { // more than fit into the header
		for i := range words - 1 {
			c.table = append(c.table, binary.LittleEndian.Uint32(list[4*i:]))
		}
		list = c.sector(binary.LittleEndian.Uint32(list[4*(words-1):]))
	}
	return c, true
}

func (c compound) word(at int) uint32 { return binary.LittleEndian.Uint32(c.body[at:]) }

// sector returns a sector, or nil if there is none.
func (c compound) sector(n uint32) []byte {
	at, size := (int64(n)+1)<<c.shift, int64(1)<<c.shift
	if n >= noSector || at+size > int64(len(c.body)) {
		return nil
	}
	return c.body[at:][:size]
}

// after returns the number of the sector that follows another.
func (c compound) after(n uint32) uint32 {
	words := uint32(1) << (c.shift - 2)
	if int(n/words) >= len(c.table) {
		return noSector
	}
	links := c.sector(c.table[n/words])
	if links == nil {
		return noSector
	}
	return binary.LittleEndian.Uint32(links[4*(n%words):])
}
