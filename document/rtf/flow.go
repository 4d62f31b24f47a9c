package rtf

import (
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// flow is a run of text with its paragraphs and tables: the document's, a note's
// or a text box's.
type flow struct {
	reader *reader
	done   func([]tree.Block)

	spans    []tree.Span
	piece    strings.Builder // text of the last span, while more of the same style comes
	label    string          // of the paragraph to come
	labelled bool
	level    int  // of the list, as Word 6 has it
	bullets  bool // the same for whether it has bullets
	asides   []tree.Block

	entries []entry  // outside of tables
	tables  []*table // that are open, from the outside in
	row     rowForm  // as the last \trowd has it
	inner   rowForm  // the same for nested tables
}

// entry is a block, and its place if it is an item of a list.
type entry struct {
	block tree.Block
	item  bool
	level int
	label string
	check tree.Check
}

// text adds text to the paragraph.
func (f *flow) text(s string, st *state) {
	if s == "" {
		return
	}
	last := len(f.spans) - 1
	if last < 0 || f.piece.Len() == 0 || f.spans[last].Style != st.style || f.spans[last].Link != st.link {
		f.add(tree.Span{Style: st.style, Link: st.link})
	}
	f.piece.WriteString(s)
}

// add begins a new span.
func (f *flow) add(s tree.Span) {
	f.settle()
	f.reader.pieces++
	f.spans = append(f.spans, s)
}

// settle gives the last span its text.
func (f *flow) settle() {
	if f.piece.Len() > 0 {
		f.spans[len(f.spans)-1].Text = f.piece.String()
		f.piece.Reset()
	}
}

// aside keeps a text box until the paragraph that it stands by has ended.
func (f *flow) aside(body []tree.Block) { f.asides = append(f.asides, body...) }

// end ends a paragraph.
func (f *flow) end(st *state) {
	f.descend(st.paragraph.tables())
	f.endIn(st)
}

// endIn ends a paragraph in the table that is open.
func (f *flow) endIn(st *state) {
	f.settle()
	spans := trimSpans(f.spans)
	f.spans = nil
	if len(spans) > 0 {
		f.append(f.entry(spans, &st.paragraph))
	}
	for _, b := range f.asides {
		f.append(entry{block: b})
	}
	f.label, f.labelled, f.asides = "", false, nil
}

// entry makes the block of a paragraph.
func (f *flow) entry(spans []tree.Span, p *paragraph) entry {
	bullets := f.bullets || f.reader.lists.isBullet(p.list, p.level)
	label, item := f.label, f.labelled && (f.label != "" || bullets)
	level := max(f.level, p.level)
	if !f.labelled && p.list > 0 && !f.reader.labels { // the writer leaves the numbers to us
		label, item = f.reader.lists.number(p.list, p.level)
	}
	if bullets || isOrnament(label) {
		label = ""
	}
	if h := f.reader.heading(p); h > 0 {
		if isBold(spans) { // that headings are is understood
			unbold(spans)
		}
		if label != "" {
			spans = append([]tree.Span{{Text: label + " "}}, spans...)
		}
		return entry{block: f.reader.newHeading(h, spans)}
	}
	if len(spans) == 1 && spans[0].TeX != "" && !item {
		return entry{block: &tree.Formula{TeX: spans[0].TeX}}
	}
	check, spans := tick(spans)
	return entry{block: &tree.Paragraph{Text: spans}, item: item || check != tree.NoBox, level: level, label: label, check: check}
}

// append adds a block to the cell that is open, or to the text.
func (f *flow) append(e entry) {
	f.reader.pieces++
	if n := len(f.tables); n > 0 {
		f.tables[n-1].content = append(f.tables[n-1].content, e)
		return
	}
	f.entries = append(f.entries, e)
}

// finish ends everything that is open and returns the blocks.
func (f *flow) finish() []tree.Block {
	st := state{}
	st.paragraph.reset()
	f.settle()
	if len(trimSpans(f.spans)) > 0 || len(f.asides) > 0 {
		f.end(&st)
	}
	f.descend(0)
	return blocks(f.entries)
}

// trimSpans cuts white space from both ends; what is all white space is nothing.
func trimSpans(spans []tree.Span) []tree.Span {
	for len(spans) > 0 && isText(&spans[0]) {
		spans[0].Text = strings.TrimLeft(spans[0].Text, " \t\n\u00a0\f\v")
		if spans[0].Text != "" {
			break
		}
		spans = spans[1:]
	}
	for n := len(spans) - 1; n >= 0 && isText(&spans[n]); n-- {
		spans[n].Text = strings.TrimRight(spans[n].Text, " \t\n\u00a0\f\v")
		if spans[n].Text != "" {
			break
		}
		spans = spans[:n]
	}
	return spans
}

func isText(s *tree.Span) bool { return s.Note == "" && s.Image == nil && s.TeX == "" }

// isBold tells whether all text is bold.
func isBold(spans []tree.Span) bool {
	for i := range spans {
		if spans[i].Style&tree.Bold == 0 && strings.TrimSpace(spans[i].Text) != "" {
			return false
		}
	}
	return true
}

func unbold(spans []tree.Span) {
	for i := range spans {
		spans[i].Style &^= tree.Bold
	}
}

// blocks turns entries into blocks: items that follow each other become a list.
func blocks(entries []entry) []tree.Block {
	out := make([]tree.Block, 0, len(entries))
	for i := 0; i < len(entries); {
		if !entries[i].item {
			out = append(out, entries[i].block)
			i++
			continue
		}
		n := i + 1
		for n < len(entries) && entries[n].item {
			n++
		}
		out = append(out, nest(entries[i:n]))
		i = n
	}
	return out
}

// nest makes a list of items, with those of deeper levels in those before them.
func nest(items []entry) *tree.List {
	list := &tree.List{}
	level := items[0].level
	for _, e := range items {
		level = min(level, e.level)
	}
	for i := 0; i < len(items); {
		n := i + 1
		for n < len(items) && items[n].level > level {
			n++
		}
		var item tree.Item
		if items[i].level == level {
			item = tree.Item{Label: items[i].label, Check: items[i].check, Body: []tree.Block{items[i].block}}
			if i+1 < n {
				item.Body = append(item.Body, nest(items[i+1:n]))
			}
		} else { // deeper items without one to stand in
			list.Items = append(list.Items, nest(items[i:n]).Items...)
			i = n
			continue
		}
		list.Items = append(list.Items, item)
		i = n
	}
	return list
}

// tick takes the box from the beginning of a line: a line with one box is an item of
// a list of things to tick.
func tick(spans []tree.Span) (tree.Check, []tree.Span) {
	count := 0
	for i := range spans {
		count += strings.Count(spans[i].Text, "☐") + strings.Count(spans[i].Text, "☑") + strings.Count(spans[i].Text, "☒")
	}
	if count != 1 {
		return tree.NoBox, spans
	}
	check := tree.NoBox
	sign, size := utf8.DecodeRuneInString(spans[0].Text)
	switch sign {
	case '☐':
		check = tree.Unchecked
	case '☑', '☒':
		check = tree.Checked
	default:
		return tree.NoBox, spans
	}
	if len(spans) == 1 && strings.TrimSpace(spans[0].Text[size:]) == "" {
		return tree.NoBox, spans
	}
	spans[0].Text = spans[0].Text[size:]
	return check, trimSpans(spans)
}
