package compound_test

import (
	"bytes"
	"encoding/binary"
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

// table are sectors of one size and the table that chains them.
type table struct {
	size    int
	sectors bytes.Buffer
	next    []byte
}

// add appends a stream and returns its first sector.
func (t *table) add(body []byte) uint32 {
	first := uint32(len(t.next) / 4)
	for at := 0; at < len(body); at += t.size {
		t.sectors.Write(append(bytes.Clone(body[at:min(at+t.size, len(body))]), make([]byte, max(0, at+t.size-len(body)))...))
		t.next = le.AppendUint32(t.next, uint32(len(t.next)/4+1))
	}
	if len(body) == 0 {
		return chainEnd
	}
	le.PutUint32(t.next[len(t.next)-4:], chainEnd)
	return first
}

// build builds a compound file with streams in its first folder and others in a
// folder called Pool.
func build(shift int, streams []stream, inner ...stream) []byte {
	big, small := table{size: 1 << shift}, table{size: 64}
	root, pool := entry("Root Entry", 5, 1, none), entry("Pool", 1, none, none)
	var entries []byte
	add := func(list []stream) {
		for i, s := range list {
			right := uint32(len(entries)/128 + 3)
			if i == len(list)-1 {
				right = none
			}
			e := entry(s.name, 2, none, right)
			to := &big
			if len(s.body) < 4096 {
				to = &small
			}
			le.PutUint32(e[116:], to.add(s.body))
			le.PutUint32(e[120:], uint32(len(s.body)))
			entries = append(entries, e...)
		}
	}
	if add(streams); len(streams) > 0 {
		le.PutUint32(pool[72:], 2)
	}
	if len(inner) > 0 {
		le.PutUint32(pool[76:], uint32(len(streams)+2))
		add(inner)
	}
	le.PutUint32(root[116:], big.add(small.sectors.Bytes()))
	head := make([]byte, 1<<shift)
	copy(head, compound.Magic)
	head[30] = byte(shift)
	le.PutUint32(head[60:], big.add(small.next))
	le.PutUint32(head[48:], big.add(append(append(root, pool...), entries...)))
	return append(head, big.finish(head)...)
}

// finish appends the table itself and where its sectors are, of which the first are
// listed in the header.
func (t *table) finish(head []byte) []byte {
	per := t.size / 4
	tables, lists := 0, 0
	for tables*per < len(t.next)/4+tables+lists {
		tables++
		lists = (max(0, tables-109) + per - 2) / (per - 1)
	}
	first := len(t.next) / 4
	t.next = append(t.next, bytes.Repeat([]byte{0xFD, 0xFF, 0xFF, 0xFF}, tables+lists)...)
	t.next = append(t.next, bytes.Repeat([]byte{0xFF}, 4*(tables*per)-len(t.next))...)
	t.sectors.Write(t.next)
	numbers := func(from, n int) (out []byte) {
		for i := range n {
			number := uint32(first + from + i)
			if from+i >= tables {
				number = none
			}
			out = le.AppendUint32(out, number)
		}
		return out
	}
	copy(head[76:], numbers(0, 109))
	le.PutUint32(head[68:], chainEnd)
	for i := range lists {
		le.PutUint32(head[68:], uint32(first+tables))
		next := uint32(first + tables + i + 1)
		if i == lists-1 {
			next = chainEnd
		}
		t.sectors.Write(le.AppendUint32(numbers(109+i*(per-1), per-1), next))
	}
	return t.sectors.Bytes()
}

// entry is an entry of the directory.
func entry(name string, kind byte, child, right uint32) []byte {
	out := make([]byte, 128)
	for i, u := range utf16.Encode([]rune(name)) {
		le.PutUint16(out[2*i:], u)
	}
	le.PutUint16(out[64:], uint16(2*len(name)+2))
	out[66] = kind
	le.PutUint32(out[68:], none)
	le.PutUint32(out[72:], right)
	le.PutUint32(out[76:], child)
	return out
}
