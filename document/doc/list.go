package doc

import (
	"strconv"
	"strings"
	"unicode"
)

// Kinds of numbers.
const (
	numberUpperRoman  = 1
	numberLowerRoman  = 2
	numberUpperLetter = 3
	numberLowerLetter = 4
	numberOrdinal     = 5
	numberPadded      = 22
	numberBullet      = 23
	numberNone        = 255
)

// maxLists bounds the lists of a file, and the overrides of them.
const maxLists = 4096

// maxLabel bounds the label of an item.
const maxLabel = 64

// level is a level of a list: its text is that of the label, in which characters
// below 9 stand for the numbers of the levels.
type level struct {
	start     int
	kind      int
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
	l := level{start: d.i32(0), kind: d.u8(4), legal: d.u8(5)&4 != 0, noRestart: d.u8(5)&8 != 0, limit: d.u8(26)}
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
	for i := p.level + 1; i < len(l.next); i++ {
		if deeper := o.level(i); !deeper.noRestart || p.level < deeper.limit {
			l.used[i] = false
		}
	}
	if now.kind == numberBullet || now.kind == numberNone && len(now.text) == 0 {
		return "", now.kind == numberBullet
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
		if now.legal && kind != numberPadded {
			kind = 0
		}
		b.WriteString(numberText(n, kind))
	}
	return strings.TrimSpace(b.String())
}

// numberText returns a number as a kind of list shows it.
func numberText(n, kind int) string {
	switch kind {
	case numberUpperRoman:
		return roman(n)
	case numberLowerRoman:
		return strings.ToLower(roman(n))
	case numberUpperLetter:
		return letters(n)
	case numberLowerLetter:
		return strings.ToLower(letters(n))
	case numberOrdinal:
		return ordinal(n)
	case numberPadded:
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case numberBullet, numberNone:
		return ""
	}
	return strconv.Itoa(n)
}

func roman(n int) string {
	if n < 1 || n >= 4000 {
		return strconv.Itoa(n)
	}
	out := ""
	for _, d := range [...]struct {
		value int
		text  string
	}{
		{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
	} {
		for n >= d.value {
			out += d.text
			n -= d.value
		}
	}
	return out
}

// letters returns A to Z, then AA to ZZ, then AAA and so on.
func letters(n int) string {
	if n < 1 || n > 26*30 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}

func ordinal(n int) string {
	end := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
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
	label := string(p.old.cut(20, before)) + numberText(r.oldNext[n], p.old.u8(0)) + string(p.old.cut(20+before, after))
	r.oldNext[n]++
	return strings.TrimSpace(label), true
}
