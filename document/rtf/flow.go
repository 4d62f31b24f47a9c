package rtf

import "github.com/trawlhq/trawl/document/tree"

// flow is a run of text with its paragraphs and tables: the document's, a note's
// or a text box's.
type flow struct {
	reader *reader
	done   func([]tree.Block)

	words    tree.Line
	label    string // of the paragraph to come
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
	if f.words.Write(s, st.style, st.link) {
		f.reader.pieces++
	}
}

// add adds a span that is no text.
func (f *flow) add(s tree.Span) {
	f.reader.pieces++
	f.words.Add(s)
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
	if spans := tree.Trim(f.words.Take()); len(spans) > 0 {
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
	if h := f.reader.heading(p); h != 0 {
		tree.PlainHeading(spans)
		if label != "" {
			spans = append([]tree.Span{{Text: label + " "}}, spans...)
		}
		return entry{block: &tree.Heading{Level: h, Text: spans}}
	}
	if len(spans) == 1 && spans[0].TeX != "" && !item {
		return entry{block: &tree.Formula{TeX: spans[0].TeX}}
	}
	check, spans := tree.TakeBox(spans)
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
	f.end(&st)
	return blocks(f.entries)
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
		var items []tree.LevelItem
		for ; i < len(entries) && entries[i].item; i++ {
			e := &entries[i]
			items = append(items, tree.LevelItem{Level: e.level, Item: tree.Item{Label: e.label, Check: e.check, Body: []tree.Block{e.block}}})
		}
		out = append(out, tree.Nest(items))
	}
	return out
}
