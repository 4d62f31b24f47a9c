package tree

import (
	"strconv"
	"strings"
)

// list writes items. Those with plain numbers become an ordered list, others a
// list whose items begin with their labels.
func (w *writer) list(items []Item) {
	for len(items) > 0 {
		_, ordered := number(items[0].Label)
		n := 1
		for n < len(items) {
			if _, also := number(items[n].Label); also != ordered {
				break
			}
			n++
		}
		w.run(items[:n], ordered)
		items = items[n:]
	}
}

// run writes items that are all of one kind.
func (w *writer) run(items []Item, ordered bool) {
	name, next := "ul", 1
	if ordered {
		name = "ol"
		next, _ = number(items[0].Label)
	}
	w.raw("<" + name)
	if next != 1 {
		w.attribute("start", strconv.Itoa(next))
	}
	w.raw(">\n")
	for i := range items {
		w.raw("<li")
		if ordered {
			if value, _ := number(items[i].Label); value != next {
				w.attribute("value", strconv.Itoa(value))
				next = value
			}
			next++
		}
		w.raw(">")
		w.item(&items[i], ordered)
		w.raw("</li>\n")
	}
	w.raw("</" + name + ">\n")
}

func (w *writer) item(item *Item, ordered bool) {
	w.raw(checkbox(item.Check))
	if !ordered && item.Label != "" {
		w.text(item.Label)
		w.raw(" ")
	}
	body := item.Body
	if len(body) > 0 {
		if first, ok := body[0].(*Paragraph); ok { // an item of one line is no paragraph
			w.spans(first.Text)
			body = body[1:]
		}
	}
	if len(body) > 0 {
		w.raw("\n")
		w.blocks(body)
	}
}

// checkbox returns the box in front of an item.
func checkbox(c Check) string {
	switch c {
	case Unchecked:
		return `<input type="checkbox" disabled> `
	case Checked:
		return `<input type="checkbox" checked disabled> `
	}
	return ""
}

// number returns the number that a label is, if it is nothing but a number.
func number(label string) (int, bool) {
	digits := strings.TrimRight(label, ".)")
	if digits == label && label != "" && len(label) > 4 {
		return 0, false // more likely a year or a code
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && n < 1_000_000_000 && digits[0] != '+' && digits[0] != '-'
}
