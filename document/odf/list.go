package odf

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/numeral"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// maxLevels is how deep lists are numbered.
const maxLevels = 10

// listStyle is how the levels of a list are numbered.
type listStyle struct{ levels [maxLevels]listLevel }

type listLevel struct {
	number         bool
	format         string // 1, a, A, i, I; empty for no number
	sync           bool   // aa after z, and not ab
	prefix, suffix string
	display        int // how many levels are shown
	start          int
}

func readListStyle(n *zipped.Node) *listStyle {
	out := &listStyle{}
	for i := range out.levels {
		out.levels[i] = listLevel{display: 1, start: 1}
	}
	for v := range n.All() {
		level := whole(v.Get("text:level"), 0)
		if level < 1 || level > maxLevels {
			continue
		}
		format := v.Get("style:num-format")
		out.levels[level-1] = listLevel{
			number: v.Name == "text:list-level-style-number" || v.Name == "text:outline-level-style",
			format: format, sync: v.Get("style:num-letter-sync") == "true",
			prefix: v.Get("style:num-prefix"), suffix: v.Get("style:num-suffix"),
			display: max(whole(v.Get("text:display-levels"), 1), 1), start: whole(v.Get("text:start-value"), 1),
		}
	}
	return out
}

// whole reads a number that is not negative.
func whole(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<30 {
		return otherwise
	}
	return n
}

// lists are the counters of all lists that were met, as later ones may go on where
// they ended.
type lists struct {
	byID    map[string]*counter
	byStyle map[string]*counter
	chapter counter // of numbered headings
}

// counter counts the items of a list on each level.
type counter struct {
	style  *listStyle
	name   string
	counts [maxLevels]int
	begun  [maxLevels]bool
}

// count counts an item, from start on if that is not negative, and returns its label.
func (c *counter) count(level, start int) string {
	if c.style == nil || level >= maxLevels {
		return ""
	}
	for i := 0; i <= level; i++ {
		if !c.begun[i] {
			c.begun[i], c.counts[i] = true, c.style.levels[i].start
			if i == level {
				c.counts[i]--
			}
		}
	}
	c.counts[level]++
	if start >= 0 {
		c.counts[level] = start
	}
	clear(c.begun[level+1:])
	return c.label(level)
}

// label writes the number of the last item of a level, with those of the levels
// above that are shown with it.
func (c *counter) label(level int) string {
	l := &c.style.levels[level]
	if !l.number || l.format == "" {
		return ""
	}
	var b strings.Builder
	for i := max(level+1-l.display, 0); i <= level; i++ {
		shown := &c.style.levels[i]
		number := format(c.counts[i], shown.format, shown.sync)
		if number != "" && b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(number)
	}
	return strings.TrimSpace(l.prefix + b.String() + l.suffix)
}

// format writes a number as a style asks for. After z comes aa and bb if letters are
// in sync, else aa and ab.
func format(n int, form string, sync bool) string {
	switch form {
	case "":
		return ""
	case "a":
		if !sync {
			return numeral.Alphabetic(n)
		}
		return numeral.LowerLetter.Text(n)
	case "A":
		return strings.ToUpper(format(n, "a", sync))
	case "i":
		return numeral.LowerRoman.Text(n)
	case "I":
		return numeral.UpperRoman.Text(n)
	}
	return numeral.Arabic.Text(n)
}

// counterOf returns the counter that a list begins with: a new one, unless it goes
// on with another list.
func (r *reader) counterOf(n *zipped.Node, outer *counter) *counter {
	name := n.Get("text:style-name")
	c := outer
	switch {
	case outer != nil && (name == "" || name == outer.name):
	case n.Get("text:continue-list") != "" && r.lists.byID[n.Get("text:continue-list")] != nil:
		c = r.lists.byID[n.Get("text:continue-list")]
	case n.Get("text:continue-numbering") == "true" && r.lists.byStyle[name] != nil:
		c = r.lists.byStyle[name]
	default:
		c = &counter{style: r.styles.list(name), name: name}
	}
	if outer == nil || c != outer {
		r.lists.byStyle[name] = c
	}
	if id := n.Get("xml:id"); id != "" {
		r.lists.byID[id] = c
	}
	return c
}

// list reads a list. Headings in it, which programs put there to number them, end
// the list: they are no items.
func (r *reader) list(n *zipped.Node, level int, outer *counter) []tree.Block {
	c := r.counterOf(n, outer)
	var out []tree.Block
	list := &tree.List{}
	end := func() {
		if len(list.Items) > 0 {
			out = append(out, list)
			list = &tree.List{}
		}
	}
	for item := range n.All() {
		if item.Name != "text:list-item" && item.Name != "text:list-header" {
			continue
		}
		label, body := r.item(item, level, c)
		switch {
		case len(body) == 0:
		case isHeading(body[0]):
			end()
			out = append(out, body...)
		case item.Name == "text:list-item" && !nested(body[0]):
			item := tree.Item{Label: label, Body: body}
			if p, ok := body[0].(*tree.Paragraph); ok {
				item.Check, p.Text = tree.TakeBox(p.Text)
			}
			list.Items = append(list.Items, item)
		case len(list.Items) > 0:
			last := &list.Items[len(list.Items)-1]
			last.Body = append(last.Body, body...)
		case nested(body[0]):
			list.Items = append(list.Items, tree.Item{Body: body}) // see join
		default: // a header before the first item
			out = append(out, body...)
		}
	}
	end()
	return out
}

// join adds a list to blocks. If it begins below its first level, that part belongs
// to the item before, which may be in a list of another style, and the rest of the
// list goes on with that one.
func join(blocks []tree.Block, list *tree.List) []tree.Block {
	first := &list.Items[0]
	if len(first.Body) == 0 || !nested(first.Body[0]) {
		return append(blocks, list)
	}
	if n := len(blocks); n > 0 && nested(blocks[n-1]) {
		before := blocks[n-1].(*tree.List)
		last := &before.Items[len(before.Items)-1]
		last.Body = append(last.Body, first.Body...)
		before.Items = append(before.Items, list.Items[1:]...)
		return blocks
	}
	blocks = append(blocks, first.Body...)
	if rest := list.Items[1:]; len(rest) > 0 {
		if len(first.Body) > 1 {
			return append(blocks, &tree.List{Items: rest})
		}
		hoisted := first.Body[0].(*tree.List)
		hoisted.Items = append(hoisted.Items, rest...)
	}
	return blocks
}

func isHeading(b tree.Block) bool { _, ok := b.(*tree.Heading); return ok }
func nested(b tree.Block) bool    { _, ok := b.(*tree.List); return ok }

// item reads what is in an item. It counts only if it has text of its own.
func (r *reader) item(n *zipped.Node, level int, c *counter) (string, []tree.Block) {
	label := ""
	counted := n.Name == "text:list-header"
	f := &flow{reader: r, level: level + 1, counter: c}
	for child := range n.All() {
		if !counted && (child.Name == "text:p" || child.Name == "text:h") {
			label = c.count(level, whole(n.Get("text:start-value"), -1))
			counted = true
			if child.Name == "text:h" {
				f.label = label
			}
		}
		f.block(child)
	}
	return label, f.finish()
}
