package compound

import "encoding/binary"

// data is a part of a file. Its methods look anywhere without harm: what lies outside
// is zero or empty.
type data []byte

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

// cut returns n bytes from at, fewer where the data ends.
func (d data) cut(at, n int) data {
	d = d.from(at)
	return d[:min(n, len(d))]
}

// from returns all from at.
func (d data) from(at int) data { return d[min(at, len(d)):] }

// chains are sectors and the table that chains them.
type chains struct {
	body  data
	shift int  // of the size of a sector
	next  data // for each sector the number of the one after it
}

// count is how many sectors there are. The last may have been cut short.
func (c *chains) count() int { return (len(c.body) + 1<<c.shift - 1) >> c.shift }

// sector returns what there is of a sector.
func (c *chains) sector(n int) data {
	if n >= c.count() {
		return nil
	}
	return c.body.cut(n<<c.shift, 1<<c.shift)
}

// join appends to out the sectors of the chain from n on, until there are so many
// bytes. What a sector lacks is zero.
func (c *chains) join(out []byte, n, most int) []byte {
	for len(out) < most {
		part := c.sector(n)
		if len(part) == 0 {
			break
		}
		out = append(out, part...)
		out = append(out, make([]byte, 1<<c.shift-len(part))...)
		if n >= len(c.next)/4 {
			break
		}
		n = c.next.u32(4 * n)
	}
	return out[:min(len(out), most)]
}
