package doc

import (
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/numeral"
)

// maxLists bounds the lists of a file, and the overrides of them.
const maxLists = 4096

// maxLabel bounds the label of an item.
const maxLabel = 64

// level is a level of a list: its text is that of the label, in which characters
// below 9 stand for the numbers of the levels.
type level struct {
	start     int
	kind      numeral.Form
	legal     bool // all numbers are arabic
	noRestart bool
	limit     int // level after which the numbers begin anew
	text      []rune
}

// list is a list with how far its numbers have come.
type list struct {
	levels [9]level
	next   [9]int
	used   [9]bool
}

// override is a list as paragraphs refer to it.
type override struct {
	list   *list
	levels map[int]level
	starts map[int]int // numbers with which levels begin at their first use
}

// readLists reads the lists and how paragraphs refer to them.
func (r *reader) readLists() {
	at, n := r.place(partLists)
	if n == 0 {
		return
	}
	all := r.table.from(at)
	count := min(all.u16(0), maxLists)
	rest := all.from(2 + 28*count)
	byID := map[int]*list{}
	for i := range count {
		head := all.cut(2+28*i, 28)
		l := &list{}
		levels := 9
		if head.u8(26)&1 != 0 {
			levels = 1
		}
		for j := range levels {
			l.levels[j], rest = readLevel(rest)
		}
		byID[head.u32(0)] = l
	}
	r.readOverrides(byID)
}

func (r *reader) readOverrides(byID map[int]*list) {
	all := r.part(partOverrides)
	count := min(all.u32(0), maxLists)
	rest := all.from(4 + 16*count)
	for i := range count {
		head := all.cut(4+16*i, 16)
		o := override{list: byID[head.u32(0)], levels: map[int]level{}, starts: map[int]int{}}
		rest = rest.from(4)
		for range head.u8(12) {
			start, flags := rest.i32(0), rest.u32(4)
			rest = rest.from(8)
			n := min(flags&15, 8)
			if flags&0x20 != 0 {
				o.levels[n], rest = readLevel(rest)
				start = o.levels[n].start
			}
			if flags&0x10 != 0 {
				o.starts[n] = start
			}
		}
		r.lists = append(r.lists, o)
	}
}

// readLevel reads a level and returns what follows it.
func readLevel(d data) (level, data) {
	l := level{start: d.i32(0), kind: numeral.Form(d.u8(4)), legal: d.u8(5)&4 != 0, noRestart: d.u8(5)&8 != 0, limit: d.u8(26)}
	at := 28 + d.u8(24) + d.u8(25)
	n := d.u16(at)
	l.text = []rune(wide(d.cut(at+2, 2*min(n, 64))))
	return l, d.from(at + 2 + 2*n)
}

// label counts a paragraph and returns its label; a list without one is a list of
// bullets.
func (r *reader) label(p *para) (text string, ok bool) {
	if r.old {
		return r.oldLabel(p)
	}
	if p.list < 1 || p.list > len(r.lists) || r.lists[p.list-1].list == nil {
		return "", false
	}
	o := &r.lists[p.list-1]
	l := o.list
	if start, again := o.starts[p.level]; again {
		l.next[p.level], l.used[p.level] = start, true
		delete(o.starts, p.level)
	}
	now := o.level(p.level)
	if !l.used[p.level] {
		l.next[p.level], l.used[p.level] = now.start, true
	}
	l.next[p.level]++
	for i := range p.level { // a level that was skipped counts as if it had been there
		if !l.used[i] {
			l.next[i], l.used[i] = o.level(i).start+1, true
		}
	}
	for i := p.level + 1; i < len(l.next); i++ {
		if deeper := o.level(i); !deeper.noRestart || p.level < deeper.limit {
			l.used[i] = false
		}
	}
	if now.kind == numeral.Bullet || now.kind == numeral.None && len(now.text) == 0 {
		return "", now.kind == numeral.Bullet
	}
	return o.labelText(now), true
}

func (o *override) level(i int) level {
	if l, ok := o.levels[i]; ok {
		return l
	}
	return o.list.levels[i]
}

func (o *override) labelText(now level) string {
	var b strings.Builder
	for _, c := range now.text {
		if b.Len() > maxLabel {
			break
		}
		if c > 8 {
			if !unicode.IsControl(c) && (c < 0xE000 || c > 0xF8FF) {
				b.WriteRune(c)
			}
			continue
		}
		shown := o.level(int(c))
		n := shown.start
		if o.list.used[c] {
			n = o.list.next[c] - 1
		}
		kind := shown.kind
		if now.legal && kind != numeral.Padded {
			kind = numeral.Arabic
		}
		b.WriteString(kind.Text(n))
	}
	return strings.TrimSpace(b.String())
}

// Levels of lists in old files that are no levels.
const (
	oldNumbered = 10
	oldBullet   = 11
	oldPause    = 12
)

// oldLabel returns the label of a paragraph of an old file, whose list is part of
// its own properties. Numbers begin anew after a paragraph that has none.
func (r *reader) oldLabel(p *para) (text string, ok bool) {
	n := p.oldLevel
	switch {
	case n == oldPause:
		return "", false
	case n == 0 || n > oldPause || len(p.old) < 20:
		r.oldUsed = [oldNumbered + 1]bool{}
		return "", false
	case n == oldBullet:
		return "", true
	}
	if !r.oldUsed[n] {
		r.oldNext[n], r.oldUsed[n] = p.old.u16(10), true
	}
	before, after := p.old.u8(1), p.old.u8(2)
	label := string(p.old.cut(20, before)) + numeral.Form(p.old.u8(0)).Text(r.oldNext[n]) + string(p.old.cut(20+before, after))
	r.oldNext[n]++
	return strings.TrimSpace(label), true
}
