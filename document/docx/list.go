package docx

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// place is where an item stands among others.
type place struct {
	num    string // its numbering
	level  int
	indent int
}

// openList is a list that may go on.
type openList struct {
	place
	*tree.List
}

const (
	near      = 60 // by how much indents may differ and still count as the same
	maxNested = 16 // how many lists may be in each other
)

// item adds an item to the list that it belongs to: one of the same numbering and
// level, else it is nested in what is indented less.
func (f *flow) item(it tree.Item, at place) {
	for i := len(f.lists) - 1; i >= 0; i-- {
		open := &f.lists[i]
		if open.num == at.num && open.level == at.level {
			f.lists = f.lists[:i+1]
			open.Items = append(open.Items, it)
			return
		}
	}
	for len(f.lists) > 0 && !f.lists[len(f.lists)-1].holds(at) {
		if last := &f.lists[len(f.lists)-1]; last.continues(it, at) {
			last.Items = append(last.Items, it)
			last.place = at
			return
		}
		f.lists = f.lists[:len(f.lists)-1]
	}
	list := &tree.List{Items: []tree.Item{it}}
	switch len(f.lists) {
	case maxNested:
		last := f.lists[maxNested-1]
		last.Items = append(last.Items, it)
		return
	case 0:
		f.out = append(f.out, list)
	default:
		outer := f.lists[len(f.lists)-1]
		last := &outer.Items[len(outer.Items)-1]
		last.Body = append(last.Body, list)
	}
	f.lists = append(f.lists, openList{at, list})
}

// holds tells whether an item at another place belongs into the last item of the list.
func (l *openList) holds(at place) bool {
	if l.num == at.num {
		return l.level < at.level
	}
	return l.indent+near < at.indent
}

// continues tells whether an item of another numbering looks like the next one of the
// list: at the same indent with the next number, or a bullet after a bullet.
func (l *openList) continues(it tree.Item, at place) bool {
	if l.indent-at.indent > near || at.indent-l.indent > near || l.num == at.num {
		return false
	}
	last := l.Items[len(l.Items)-1].Label
	before, numbered := plainNumber(last)
	n, also := plainNumber(it.Label)
	return numbered == also && (last == "") == (it.Label == "") && (!numbered || n == before+1)
}

// plainNumber returns the number that a label is.
func plainNumber(label string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimRight(label, ".)"))
	return n, err == nil
}

// takeBox takes the box at the start of a paragraph, if there is but one.
func takeBox(pieces []piece) tree.Check {
	if len(pieces) == 0 {
		return tree.NoBox
	}
	check, rest := tree.TakeBox(pieces[0].text)
	pieces[0].text = rest
	return check
}

// bullets are the characters that are typed for bullets.
const bullets = "•‣◦▪●○■·"

// takeBullet takes a bullet that was typed at the start of a paragraph, and tells
// whether there was one.
func takeBullet(pieces []piece) bool {
	if len(pieces) == 0 || len(pieces[0].text) == 0 {
		return false
	}
	first := &pieces[0].text[0]
	sign, size := utf8.DecodeRuneInString(first.Text)
	rest := strings.TrimLeft(first.Text[size:], " \t\u00a0")
	if !strings.ContainsRune(bullets, sign) || len(rest) == len(first.Text)-size || rest == "" && len(pieces[0].text) == 1 {
		return false
	}
	first.Text = rest
	return true
}
