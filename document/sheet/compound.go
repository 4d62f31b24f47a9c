package sheet

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// compound is a compound file: a file system of old, with sectors, tables that
// chain them to streams, and a directory. Chains may go in circles and sizes may
// lie; no chain is followed for longer than the file has sectors.
type compound struct {
	body    fields
	shift   int   // of the size of a sector
	tables  []int // sectors of the table of chains
	entries fields
	mini    fields // the stream in which short streams are
	chains  fields // and their table
}

const (
	compoundMagic = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
	miniShift     = 6
	entrySize     = 128
	maxDirectory  = 1 << 23 // bytes of entries that are read
	noEntry       = 0xFFFFFFFF
)

// openCompound opens a compound file.
func openCompound(body []byte) (*compound, error) {
	c := &compound{body: body}
	c.shift = c.body.u16(30)
	if !strings.HasPrefix(string(body[:min(len(body), 8)]), compoundMagic) || c.shift < 7 || c.shift > 12 {
		return nil, fmt.Errorf("no compound file: %w", tree.ErrDamaged)
	}
	c.findTables()
	c.entries = c.chain(c.body.u32(48), maxDirectory)
	if len(c.entries) < entrySize {
		return nil, fmt.Errorf("compound file without a directory: %w", tree.ErrDamaged)
	}
	c.mini = c.chain(c.entries.u32(116), len(body))
	c.chains = c.chain(c.body.u32(60), len(body))
	return c, nil
}

// sector returns a sector, or what there is of it.
func (c *compound) sector(n int) fields {
	from := c.body.from((n + 1) << c.shift)
	return from[:min(len(from), 1<<c.shift)]
}

// sectors is how many sectors the file has.
func (c *compound) sectors() int { return len(c.body) >> c.shift }

// findTables lists the sectors of the table: the first are in the header, others
// in sectors of their own, whose last number is that of the next.
func (c *compound) findTables() {
	list := c.body[:min(len(c.body), 512)].from(76)
	next := int(c.body.u32(68))
	for range c.sectors() + 1 {
		for i := 0; i+4 <= len(list) && len(c.tables) <= c.sectors(); i += 4 {
			if n := int(list.u32(i)); n < c.sectors() {
				c.tables = append(c.tables, n)
			}
		}
		if next >= c.sectors() {
			return
		}
		list = c.sector(next)
		last := max(len(list)-4, 0)
		next = int(list.u32(last))
		list = list[:last]
	}
}

// chain returns the bytes of the sectors that are chained from one on, at most so many.
func (c *compound) chain(first uint32, most int) fields {
	var out fields
	per := 1 << c.shift / 4
	for n, left := int(first), c.sectors(); n < c.sectors() && len(out) < most && left > 0; left-- {
		out = append(out, c.sector(n)...)
		if n/per >= len(c.tables) {
			break
		}
		n = int(c.sector(c.tables[n/per]).u32(n % per * 4))
	}
	return out[:min(len(out), most)]
}

// stream returns a stream of the first folder by its name, nil if there is none.
// Streams in other folders belong to files within the file.
func (c *compound) stream(name string) []byte {
	seen := map[uint32]bool{}
	queue := []uint32{c.entries.u32(76)} // the child of the root
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if id == noEntry || seen[id] || int(id) >= len(c.entries)/entrySize {
			continue
		}
		seen[id] = true
		e := c.entries.from(int(id) * entrySize)
		if e.u8(66) == 2 && strings.EqualFold(wideText(e, min(e.u16(64)/2, 32)), name) {
			return c.content(e)
		}
		queue = append(queue, e.u32(68), e.u32(72)) // its siblings
	}
	return nil
}

// content returns what is in the stream of an entry.
func (c *compound) content(e fields) []byte {
	size := int(min(e.u32(120), uint32(len(c.body))))
	if e.u32(120) >= c.body.u32(56) {
		return c.chain(e.u32(116), size)
	}
	out := []byte{}
	for n, left := int(e.u32(116)), size; left > 0 && n<<miniShift < len(c.mini); left -= 1 << miniShift {
		part := c.mini.from(n << miniShift)
		out = append(out, part[:min(len(part), 1<<miniShift)]...)
		if 4*n+4 > len(c.chains) {
			break
		}
		n = int(c.chains.u32(4 * n))
	}
	return out[:min(len(out), size)]
}
