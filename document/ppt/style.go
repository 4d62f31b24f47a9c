package ppt

import "github.com/trawlhq/trawl/document/tree"

// toggle is a property that may be unsaid.
type toggle uint8

const (
	unsaid toggle = iota
	on
	off
)

// cursor reads properties one after the other.
type cursor struct {
	data
	at int
}

func (c *cursor) u16() int {
	c.at += 2
	return c.data.u16(c.at - 2)
}

func (c *cursor) u32() int {
	c.at += 4
	return c.data.u32(c.at - 4)
}

// ends tells whether all was read.
func (c *cursor) ends() bool { return c.at >= len(c.data) }

// paragraph are the properties of some characters' paragraphs.
type paragraph struct {
	end    int // of the characters
	level  int
	bullet toggle
}

// skip passes over properties of which a mask says that they are there: each has a bit
// and a size.
func (c *cursor) skip(mask int, list ...[2]int) {
	for _, p := range list {
		if mask&p[0] != 0 {
			c.at += p[1]
		}
	}
}

// paragraphLook reads the properties of paragraphs, of which the bullet matters here.
func (c *cursor) paragraphLook() toggle {
	mask := c.u32()
	bullet := unsaid
	if mask&0xF != 0 {
		flags := c.u16()
		if mask&1 != 0 {
			bullet = off
			if flags&1 != 0 {
				bullet = on
			}
		}
	}
	c.skip(mask, [2]int{1 << 7, 2}, [2]int{1 << 4, 2}, [2]int{1 << 6, 2}, [2]int{1 << 5, 4}, [2]int{1 << 11, 2},
		[2]int{1 << 12, 2}, [2]int{1 << 13, 2}, [2]int{1 << 14, 2}, [2]int{1 << 8, 2}, [2]int{1 << 10, 2}, [2]int{1 << 15, 2})
	if mask&(1<<20) != 0 { // stops of tabs
		c.at += 4 * c.u16()
	}
	c.skip(mask, [2]int{1 << 16, 2}, [2]int{7 << 17, 2}, [2]int{1 << 21, 2})
	return bullet
}

// characterLook reads the properties of characters.
func (c *cursor) characterLook() look {
	mask := c.u32()
	var out look
	if mask&0x3EB7 != 0 {
		flags := c.u16()
		for i, style := range [...]tree.Style{tree.Bold, tree.Italic, tree.Underline} {
			if mask&flags&(1<<i) != 0 {
				out.style |= style
			}
		}
		out.number = uint8(flags >> 10 & 0xF)
	}
	c.skip(mask, [2]int{1 << 16, 2}, [2]int{1 << 21, 2}, [2]int{1 << 22, 2}, [2]int{1 << 23, 2}, [2]int{1 << 17, 2}, [2]int{1 << 18, 4})
	if mask&(1<<19) != 0 {
		switch position := int16(c.u16()); {
		case position > 0:
			out.style |= tree.Super
		case position < 0:
			out.style |= tree.Sub
		}
	}
	return out
}

// run are characters of one look.
type run struct {
	count int
	look
}

// readStyle reads the style of a text: first that of its paragraphs, for as many
// characters as there are and one for the end, then that of the characters.
func (t *text) readStyle() (list []paragraph, runs []run) {
	c := &cursor{data: t.style}
	for at := 0; at <= len(t.units) && !c.ends(); {
		count := c.u32()
		level := c.u16()
		at += max(count, 1)
		list = append(list, paragraph{end: at, level: level, bullet: c.paragraphLook()})
	}
	for at := 0; at <= len(t.units) && !c.ends(); {
		count := c.u32()
		at += max(count, 1)
		runs = append(runs, run{count, c.characterLook()})
	}
	return list, runs
}

// master is what a master says of the bullets of texts, by their kinds and levels.
type master struct{ bullets [kindCount][5]toggle }

// bullet tells whether lines of a level have bullets. Kinds of texts that are but
// arranged in another way are like titles and bodies otherwise.
func (m *master) bullet(kind, level int) bool {
	if kind < 0 || kind >= kindCount {
		return false
	}
	level = min(max(level, 0), len(m.bullets[0])-1)
	own := m.bullets[kind][level]
	if own == unsaid && kind >= kindCenterBody && kind != kindCenterTitle {
		own = m.bullets[kindBody][level]
	}
	return own == on
}

// maxTitleMasters is how many masters refer to another one before the last.
const maxTitleMasters = 4

// master returns the master of an identifier, which is read once.
func (r *reader) master(id int) *master {
	for range maxTitleMasters {
		rec := r.record(r.masterID[id])
		if rec.kind != slide { // that of title pages has another one
			break
		}
		id = rec.child(slideAtom).u32(12)
	}
	if m := r.masters[id]; m != nil {
		return m
	}
	m := &master{}
	r.masters[id] = m
	rec := r.record(r.masterID[id])
	if rec.kind != mainMaster || !r.take(len(rec.data)) {
		return m
	}
	for rec := range rec.records() {
		if rec.kind == masterStyle && rec.instance < kindCount {
			m.read(rec)
		}
	}
	return m
}

// read reads the style of a kind of text.
func (m *master) read(rec record) {
	c := &cursor{data: rec.data}
	count := c.u16()
	for i := range min(count, len(m.bullets[0])) {
		level := i
		if rec.instance >= kindCenterBody {
			level = c.u16()
		}
		bullet := c.paragraphLook()
		c.characterLook()
		if level < len(m.bullets[0]) {
			m.bullets[rec.instance][level] = bullet
		}
	}
}
