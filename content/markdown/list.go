package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// maxNumber is the largest number that an item of a list can have.
const maxNumber = 999_999_999

// listState is the list that items belong to.
type listState struct {
	ordered bool
	sign    byte // '-' or '*'; '.' or ')'
	number  int  // of the next item
	step    int
	items   bool // it has some already
}

// lastList is the list written last: one right after it needs another sign, or
// the two would become one.
type lastList struct {
	end     int // where in out
	prefix  int
	ordered bool
	sign    byte
}

// listOf writes the list n.
func (w *writer) listOf(n *dom.Node, ordered bool) {
	if w.flat != flowing {
		w.plainBlock(n)
		return
	}
	l := &listState{ordered: ordered, sign: '-', number: 1, step: 1}
	if ordered {
		l.sign = '.'
		l.number, l.step = orderOf(n)
	}
	outer, nested := w.list, w.inItem
	inner := outer != nil && outer.items && !nested
	var f frame
	w.block(2)
	if nested || inner {
		w.tighten(!ordered || l.number == 1)
	}
	if inner { // a list among the items of another belongs to the item before
		f = w.push("  ", "  ")
	}
	w.chooseSign(l)
	w.list = l
	w.inItem = false
	w.listContent(n)
	w.list, w.inItem = outer, nested
	w.lastList = lastList{len(w.out), len(w.prefix), l.ordered, l.sign}
	w.block(2)
	if inner {
		w.pop(f)
		w.tighten(true)
	}
}

// tighten makes a nested list follow the text of its item without a blank
// line, if it can do so without being taken for more of the text.
func (w *writer) tighten(can bool) {
	if can && !w.pending {
		w.gap = min(w.gap, 1)
	}
}

func (w *writer) chooseSign(l *listState) {
	last := w.lastList
	if last.end != len(w.out) || last.end == 0 || last.prefix != len(w.prefix) || last.ordered != l.ordered || last.sign != l.sign {
		return
	}
	if l.ordered {
		l.sign = ')'
	} else {
		l.sign = '*'
	}
}

// listContent writes the items of a list. What is no item stands apart.
func (w *writer) listContent(n *dom.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == dom.TextNode {
			if strings.Trim(c.Data, " \t\r\n\f") == "" {
				continue
			}
			w.block(2)
		}
		w.node(c)
	}
}

// orderOf returns the first number of an ordered list and the step to the next.
func orderOf(n *dom.Node) (first, step int) {
	first, step = 1, 1
	if _, reversed := n.Lookup("reversed"); reversed {
		first, step = 0, -1
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Is(atom.Li) {
				first++
			}
		}
	}
	if start, err := strconv.Atoi(strings.TrimSpace(n.Get("start"))); err == nil {
		first = start
	}
	return first, step
}

// item writes a list item.
func (w *writer) item(n *dom.Node) {
	if w.flat != flowing {
		w.plainBlock(n)
		return
	}
	w.block(1)
	l := w.list
	if l == nil {
		l = &listState{sign: '-'}
	}
	marker := l.marker(n)
	before, nested := len(w.out), w.inItem
	f := w.push(marker, "                    "[:len(marker)])
	w.inItem = true
	w.children(n)
	w.block(1)
	w.inItem = nested
	if len(w.out) > before {
		w.gap = 1
		l.items = true
	}
	w.pop(f)
}

// marker returns the sign of the next item and counts it.
func (l *listState) marker(n *dom.Node) string {
	if !l.ordered {
		return string(l.sign) + " "
	}
	if value, err := strconv.Atoi(strings.TrimSpace(n.Get("value"))); err == nil {
		l.number = value
	}
	number := min(max(l.number, 0), maxNumber)
	l.number = number + l.step
	return strconv.Itoa(number) + string(l.sign) + " "
}
