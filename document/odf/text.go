package odf

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// text reads a text document with its headers and footers.
func (r *reader) text(n *zipped.Node) {
	if r.doc.Language == "" {
		r.doc.Language = r.styles.defaultLanguage()
	}
	margins := r.headers(n)
	body := r.blocks(n)
	r.doc.Body = slices.Concat(margins.Headers, body, margins.Footers)
	r.doc.Rank()
}

func (s *sheet) defaultLanguage() string {
	for at := s; at != nil; at = at.common {
		if at.language != "" {
			return at.language
		}
	}
	return ""
}

// blocks reads what is in an element as blocks.
func (r *reader) blocks(n *zipped.Node) []tree.Block {
	f := &flow{reader: r}
	f.children(n)
	return f.finish()
}

// flow is a run of blocks that is being read.
type flow struct {
	reader  *reader
	out     []tree.Block
	level   int      // of the list around
	counter *counter // of the list around
	label   string   // of the heading to come
	code    strings.Builder
	quote   []tree.Block
}

func (f *flow) children(n *zipped.Node) {
	for c := range n.All() {
		f.block(c)
	}
}

// block reads one element that stands among paragraphs.
func (f *flow) block(n *zipped.Node) {
	switch n.Name {
	case "text:p":
		f.paragraph(n)
	case "text:h":
		f.heading(n)
	case "text:list":
		f.settle()
		for _, b := range f.reader.list(n, f.level, f.counter) {
			if list, ok := b.(*tree.List); ok {
				f.out = join(f.out, list)
			} else {
				f.out = append(f.out, b)
			}
		}
	case "text:numbered-paragraph":
		f.numbered(n)
	case "table:table":
		if t := f.reader.table(n); t != nil {
			f.add(t)
		}
	case "text:section":
		if n.Get("text:display") != "none" && n.Get("text:is-hidden") != "true" {
			f.children(n)
		}
	case "text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index", "text:user-index",
		"text:alphabetical-index", "text:bibliography":
		f.children(n.Child("text:index-body"))
	case "text:index-title":
		f.children(n)
	case "draw:frame", "draw:g", "draw:a", "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:circle", "draw:polygon", "draw:path":
		line := &line{reader: f.reader}
		line.element(n)
		f.lineOf(line)
	}
}

// add adds blocks that are neither code nor quotes.
func (f *flow) add(blocks ...tree.Block) {
	f.settle()
	f.out = append(f.out, blocks...)
}

// settle ends the code or the quote that was going on.
func (f *flow) settle() {
	if code := f.code.String(); strings.TrimSpace(code) != "" {
		f.out = append(f.out, &tree.Code{Text: code})
	}
	f.code.Reset()
	if len(f.quote) > 0 {
		f.out = append(f.out, &tree.Quote{Body: f.quote})
		f.quote = nil
	}
}

func (f *flow) finish() []tree.Block {
	f.settle()
	return f.out
}

func (f *flow) paragraph(n *zipped.Node) {
	st := f.reader.styles.resolve("paragraph", n.Get("text:style-name"))
	if st.hidden == yes || n.Child("text:hidden-paragraph").Get("text:is-hidden") == "true" {
		return
	}
	switch {
	case st.role.Title:
		f.headingOf(n, tree.Title)
		return
	case st.role.Subtitle:
		f.headingOf(n, 1)
		return
	case st.role.Rule:
		f.add(&tree.Rule{})
	}
	if level := whole(st.outline, 0); level > 0 {
		f.headingOf(n, level)
		return
	}
	base := st.set
	if st.role.TableHead {
		base &^= tree.Bold
	}
	if st.role.Code {
		base &^= tree.Mono
	}
	line := &line{reader: f.reader, style: base &^ tree.Mono, mono: base&tree.Mono != 0 || st.role.Code}
	line.children(n)
	switch {
	case st.role.Code:
		f.codeOf(line)
	case st.role.Quote:
		f.quoteOf(line)
	default:
		f.lineOf(line)
	}
}

// lineOf adds a paragraph, and what stood in it and is none of its text.
func (f *flow) lineOf(l *line) {
	f.add(l.before...)
	spans := l.finish()
	switch {
	case len(spans) == 1 && spans[0].TeX != "":
		f.add(&tree.Formula{TeX: spans[0].TeX})
	case len(spans) > 0 && f.level == 0:
		f.ticked(spans)
	case len(spans) > 0:
		f.add(&tree.Paragraph{Text: spans})
	}
	f.add(l.asides...)
}

// ticked adds a paragraph, as an item if it begins with a box.
func (f *flow) ticked(spans []tree.Span) {
	check, spans := tree.TakeBox(spans)
	p := &tree.Paragraph{Text: spans}
	if check == tree.NoBox {
		f.add(p)
		return
	}
	f.settle()
	item := tree.Item{Check: check, Body: []tree.Block{p}}
	if n := len(f.out); n > 0 && nested(f.out[n-1]) {
		if before := f.out[n-1].(*tree.List); before.Items[len(before.Items)-1].Check != tree.NoBox {
			before.Items = append(before.Items, item)
			return
		}
	}
	f.out = append(f.out, &tree.List{Items: []tree.Item{item}})
}

// codeOf adds a line of code to those before.
func (f *flow) codeOf(l *line) {
	if len(f.quote) > 0 {
		f.settle()
	}
	for _, s := range l.words.Take() {
		f.code.WriteString(s.Text)
	}
	f.code.WriteByte('\n')
	if beside := append(l.before, l.asides...); len(beside) > 0 {
		f.add(beside...)
	}
}

func (f *flow) quoteOf(l *line) {
	if f.code.Len() > 0 {
		f.settle()
	}
	f.quote = append(f.quote, l.before...)
	if spans := l.finish(); len(spans) > 0 {
		f.quote = append(f.quote, &tree.Paragraph{Text: spans})
	}
	f.quote = append(f.quote, l.asides...)
}

// heading reads a heading, with its number if headings are numbered.
func (f *flow) heading(n *zipped.Node) {
	r := f.reader
	st := r.styles.resolve("paragraph", n.Get("text:style-name"))
	if st.hidden == yes {
		return
	}
	level := max(whole(n.Get("text:outline-level"), whole(st.outline, 1)), 1)
	if f.counter == nil && n.Get("text:is-list-header") != "true" && !(st.hasList && st.list == "") && strings.TrimSpace(n.Content()) != "" {
		if r.lists.chapter.style == nil {
			r.lists.chapter.style = r.styles.numbering()
		}
		start := -1
		if n.Get("text:restart-numbering") == "true" {
			start = whole(n.Get("text:start-value"), 1)
		}
		f.label = r.lists.chapter.count(level-1, start)
	}
	if st.role.Title {
		level = tree.Title
	}
	f.headingOf(n, level)
}

// headingOf adds a heading. That headings are bold is understood.
func (f *flow) headingOf(n *zipped.Node, level int) {
	line := &line{reader: f.reader, mono: true, without: tree.Bold}
	line.children(n)
	f.add(line.before...)
	spans := line.finish()
	if len(spans) > 0 && f.label != "" {
		spans = append([]tree.Span{{Text: f.label + " "}}, spans...)
	}
	f.label = ""
	if len(spans) > 0 {
		f.add(&tree.Heading{Level: level, Text: spans})
	}
	f.add(line.asides...)
}

// numbered reads a paragraph that is an item of a list on its own.
func (f *flow) numbered(n *zipped.Node) {
	level := min(max(whole(n.Get("text:level"), 1), 1), maxLevels) - 1
	id := n.Get("text:list-id")
	r := f.reader
	c := r.lists.byID[id]
	if c == nil {
		c = &counter{style: r.styles.list(n.Get("text:style-name")), name: n.Get("text:style-name")}
		r.lists.byID[id] = c
	}
	label, body := r.item(n, level, c)
	if len(body) == 0 {
		return
	}
	if isHeading(body[0]) {
		f.add(body...)
		return
	}
	f.add(&tree.List{Items: []tree.Item{{Label: label, Body: body}}})
}
