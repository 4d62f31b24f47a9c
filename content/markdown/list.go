package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// maxNumber is the largest number that an item of a list can have.
const maxNumber = 999_999_999

// list is a list that items belong to.
type list struct {
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
	l := list{ordered: ordered, sign: '-', number: 1, step: 1}
	if ordered {
		l.sign = '.'
		l.number, l.step = orderOf(n)
	}
	outer, nested := w.list, w.inItem
	inner := outer.items && !nested
	var f frame
	w.block(2)
	if nested || inner {
		w.tighten(!ordered || l.number == 1)
	}
	if inner { // a list among the items of another belongs to the item before
		f = w.push("  ", "  ")
	}
	w.chooseSign(&l)
	w.list = l
	w.inItem = false
	w.listContent(n)
	w.lastList = lastList{len(w.out), len(w.prefix), l.ordered, l.sign}
	w.list, w.inItem = outer, nested
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

func (w *writer) chooseSign(l *list) {
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
		switch {
		case c.Type == dom.TextNode && isWhite(c.Data):
			continue
		case c.Type == dom.TextNode || c.Type == dom.ElementNode && !dom.IsBlock(c.Atom):
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
	if start, ok := number(n, "start"); ok {
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
	if w.block(1); w.inItem { // an item right in another begins a list
		w.block(2)
	}
	l := w.list
	stray := l.sign == 0
	if stray {
		l.sign = '-'
	}
	if value, ok := number(n, "value"); ok {
		l.number = value
	}
	l.number = min(max(l.number, 0), maxNumber)
	before, nested := len(w.out), w.inItem
	f := w.pushItem(l)
	w.inItem = true
	w.children(n)
	w.block(1)
	w.inItem = nested
	if len(w.out) > before {
		w.gap = 1
		l.items = true
	}
	l.number += l.step
	if w.list = l; stray {
		w.list = list{}
	}
	w.pop(f)
}

// number returns the value of an attribute that is a number.
func number(n *dom.Node, key string) (int, bool) {
	value, ok := n.Lookup(key)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(strings.TrimSpace(value))
	return i, err == nil
}

// pushItem makes the next line begin with the sign of an item.
func (w *writer) pushItem(l list) frame {
	f, ok := w.deepen(len("- "))
	if !ok {
		return f
	}
	from := len(w.first)
	if l.ordered {
		w.first = strconv.AppendInt(w.first, int64(l.number), 10)
	}
	w.first = append(w.first, l.sign, ' ')
	w.prefix = append(w.prefix, "            "[:len(w.first)-from]...)
	return f
}
