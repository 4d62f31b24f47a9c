package layout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// writer turns the blocks of a document into those of the tree.
type writer struct {
	d        *document
	composer composer
	titled   bool // there was a title
}

// write returns the pages of the document and its notes.
func (d *document) write() ([]tree.Page, []tree.Note) {
	w := &writer{d: d, composer: composer{d: d}}
	d.joins()
	if !d.pageByPage {
		d.joinTables()
	}
	pages := make([]tree.Page, 0, len(d.pages))
	for n, p := range d.pages {
		out := tree.Page{Number: p.number, Width: float64(p.width), Height: float64(p.height), Status: tree.PageText, Blocks: p.tagged}
		if p.recognised {
			out.Status = tree.PageOCR
		}
		if !p.isTagged {
			out.Blocks = w.page(n)
		}
		if len(out.Blocks) == 0 {
			out.Status = tree.PageEmpty
		}
		pages = append(pages, out)
	}
	var notes []tree.Note
	for i := range d.notes {
		n := &d.notes[i]
		_, skip := n.page.noteStart(n.page.lines[n.page.blocks[n.from].from].from)
		var body []tree.Block
		for k := n.from; k < n.to; k++ {
			w.composer.add(n.page, &n.page.blocks[k], skip)
			body = append(body, &tree.Paragraph{Text: w.composer.take()})
			skip = 0
		}
		notes = append(notes, tree.Note{Name: n.id(), Body: body})
	}
	return pages, notes
}

// joins finds paragraphs that go on in another column or on another page.
func (d *document) joins() {
	var open *block
	var from *page
	passed := 0
	for _, p := range d.pages {
		if p.isTagged {
			open = nil
			continue
		}
		for i := range p.blocks {
			b := &p.blocks[i]
			switch b.kind {
			case dropped, noteBlock, captionBlock:
				continue
			case tableBlock, codeBlock:
				if passed++; passed > 3 {
					open = nil
				}
				continue
			case headingBlock:
				open = nil
				continue
			}
			if b.aside = open != nil && d.aside(p, i, open); b.aside {
				continue
			}
			if open != nil && b.kind == textBlock && (from != p || open.leaf != b.leaf) && d.continues(from, open, p, b) {
				b.joined = true
			}
			open, from, passed = b, p, 0
		}
	}
}

// aside reports whether block i is small text at the foot of a page, past which the
// text before it goes on.
func (d *document) aside(p *page, i int, open *block) bool {
	b := &p.blocks[i]
	return d.small(p, b) && b.size < 0.94*open.size && len(p.blocks) <= maxBlocks && p.lowest(i, d.body)
}

// continues reports whether block b continues block a, which ends another column.
func (d *document) continues(pa *page, a *block, pb *page, b *block) bool {
	if !similar(a.size, b.size) || a.turn != 0 || b.turn != 0 || a.style != b.style {
		return false
	}
	last := &pa.lines[a.to-1]
	end, first := pa.lastRune(last), pb.firstRune(&pb.lines[b.from])
	if strings.ContainsRune(".!?:;。？！”\"", end) {
		return false
	}
	if unicode.IsLower(first) {
		return true
	}
	full := last.Right > a.edges[1]-1.5*a.size
	if last.rtl {
		full = last.Left < a.edges[0]+1.5*a.size
	}
	return full && a.to-a.from > 1 && b.to-b.from > 1 && unicode.IsLetter(first)
}

// page writes the blocks of a page.
func (w *writer) page(n int) []tree.Placed {
	p := w.d.pages[n]
	var out []tree.Placed
	for i := 0; i < len(p.blocks); {
		b := &p.blocks[i]
		count := 1
		switch {
		case b.kind == dropped || b.kind == noteBlock || b.joined:
			i++
			continue
		case b.kind == itemBlock:
			count = w.same(p, i, itemBlock)
		case b.kind == codeBlock:
			count = w.same(p, i, codeBlock)
		case w.dotted(p, b):
			for count = 1; i+count < len(p.blocks) && w.dotted(p, &p.blocks[i+count]); count++ {
			}
		}
		placed := w.block(n, i, count)
		placed.Confidence = p.confidence
		box := b.Box
		for k := i; k < i+count; k++ {
			box = box.union(p.blocks[k].Box)
		}
		placed.Box = p.part(box)
		if placed.Block != nil {
			out = append(out, placed)
		}
		i += count
	}
	return out
}

// same returns how many blocks of a kind follow each other.
func (w *writer) same(p *page, i int, k kind) int {
	n := 1
	for i+n < len(p.blocks) && p.blocks[i+n].kind == k && !p.blocks[i+n].joined {
		n++
	}
	return n
}

func (w *writer) dotted(p *page, b *block) bool {
	return b.kind == textBlock && !b.joined && b.to-b.from == 1 && p.lines[b.from].dotted
}

// part returns a box in parts of the page.
func (p *page) part(b Box) [4]float64 {
	at := func(x, all float32) float64 {
		if all <= 0 {
			return 0
		}
		return float64(min(max(x/all, 0), 1))
	}
	return [4]float64{at(b.Left, p.width), at(b.Top, p.height), at(b.Right, p.width), at(b.Bottom, p.height)}
}

// block writes count blocks from i on as one.
func (w *writer) block(n, i, count int) tree.Placed {
	p := w.d.pages[n]
	b := &p.blocks[i]
	switch {
	case b.kind == tableBlock && b.table.figure:
		p.sortLines(b.table.cells[0].runs)
		return tree.Placed{Block: &tree.Image{Alt: w.cellText(p, b.table.cells[0].runs, false)}, Label: "picture"}
	case b.kind == tableBlock:
		return tree.Placed{Block: w.table(p, b.table), Label: "table"}
	case b.kind == itemBlock:
		return tree.Placed{Block: w.list(n, i, count), Label: "list"}
	case b.kind == codeBlock:
		return tree.Placed{Block: p.code(p.blocks[i : i+count]), Label: "code"}
	case count > 1:
		return tree.Placed{Block: p.contents(i, count), Label: "list"}
	case b.kind == headingBlock:
		w.composer.add(p, b, 0)
		label := "heading"
		if b.level == 1 && n == 0 && !w.titled {
			w.titled = true
			label = "title"
		}
		return tree.Placed{Block: &tree.Heading{Level: b.level, Text: plain(w.composer.take(), tree.Bold)}, Label: label}
	}
	label := "text"
	switch {
	case b.kind == captionBlock:
		label = "caption"
	case b.size < 0.9*w.d.body && b.Top > 0.75*p.height:
		label = "footnote"
	}
	for k := i; k < i+count; k++ {
		w.composer.add(p, &p.blocks[k], 0)
	}
	if b.kind == textBlock {
		w.rest(n, i)
	}
	if b.kind == captionBlock {
		return tree.Placed{Block: &tree.Paragraph{Text: plain(w.composer.take(), tree.Bold|tree.Italic)}, Label: label}
	}
	return tree.Placed{Block: &tree.Paragraph{Text: w.composer.take()}, Label: label}
}

// rest appends the blocks in other columns and on other pages that go on with block i.
func (w *writer) rest(n, i int) {
	p, at := w.d.pages[n], i+1
	if p.blocks[i].aside {
		return
	}
	for pages := 0; pages < 50; {
		for at == len(p.blocks) {
			if n++; n == len(w.d.pages) || w.d.pages[n].isTagged {
				return
			}
			pages++
			p, at = w.d.pages[n], 0
			if len(p.blocks) == 0 && pages == 50 {
				return
			}
		}
		next := &p.blocks[at]
		at++
		switch {
		case next.aside:
		case next.kind == textBlock:
			if !next.joined {
				return
			}
			w.composer.add(p, next, 0)
		case next.kind == itemBlock || next.kind == headingBlock:
			return
		}
	}
}

// plain returns spans without styles that go without saying, such as bold in a heading.
func plain(spans []tree.Span, without tree.Style) []tree.Span {
	var out []tree.Span
	for _, s := range spans {
		s.Style &^= without
		if n := len(out); n > 0 && out[n-1].Style == s.Style && out[n-1].Link == s.Link && out[n-1].Note == "" && s.Note == "" {
			out[n-1].Text += s.Text
			continue
		}
		out = append(out, s)
	}
	return out
}

// list makes a list of items, nested by their indentation.
func (w *writer) list(n, first, count int) *tree.List {
	return w.d.pages[n].nest(first, count, func(i int) tree.Item { return w.item(n, i) })
}

// nest makes a list of blocks, nested by their indentation.
func (p *page) nest(first, count int, item func(i int) tree.Item) *tree.List {
	blocks := p.blocks[first : first+count]
	type level struct {
		at   float32
		list *tree.List
	}
	stack := []level{{p.lines[blocks[0].from].start(), &tree.List{}}}
	for i := range blocks {
		b := &blocks[i]
		l := &p.lines[b.from]
		at := l.start()
		for len(stack) > 1 && at < stack[len(stack)-1].at-0.7*b.size {
			stack = stack[:len(stack)-1]
		}
		top := &stack[len(stack)-1]
		if at > top.at+0.9*b.size && at < top.at+8*b.size && len(top.list.Items) > 0 && len(stack) < 8 && blocks[i].leaf == blocks[i-1].leaf {
			inner := &tree.List{}
			last := &top.list.Items[len(top.list.Items)-1]
			last.Body = append(last.Body, inner)
			stack = append(stack, level{at, inner})
			top = &stack[len(stack)-1]
		}
		top.list.Items = append(top.list.Items, item(first+i))
	}
	return stack[0].list
}

// item makes an item of a list.
func (w *writer) item(n, i int) tree.Item {
	p := w.d.pages[n]
	b := &p.blocks[i]
	text := p.runText(&p.runs[p.order[p.lines[b.from].from]])
	skip := labelLength(text)
	item := tree.Item{}
	c := p.firstRune(&p.lines[b.from])
	switch {
	case c == '☐' || c == '□' || c == '❑' || c == '❏':
		item.Check = tree.Unchecked
	case c == '☒' || c == '☑':
		item.Check = tree.Checked
	case skip > 0 && !isBullet(c):
		item.Label = string(text[:skip])
	}
	w.composer.add(p, b, skip)
	w.rest(n, i)
	item.Body = []tree.Block{&tree.Paragraph{Text: w.composer.take()}}
	return item
}

// contents makes a list of lines whose dots lead to page numbers.
func (p *page) contents(first, count int) *tree.List {
	return p.nest(first, count, func(i int) tree.Item {
		text := string(p.appendLine(nil, &p.lines[p.blocks[i].from]))
		last := strings.TrimRight(text, "0123456789ivx ")
		title, number := strings.TrimRight(last, ". _"), strings.TrimSpace(text[len(last):])
		return tree.Item{Body: []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: strings.TrimSpace(title + " " + number)}}}}}
	})
}

// code makes code of blocks, with the indentation that the page shows.
func (p *page) code(blocks []block) *tree.Code {
	left, width, chars := blocks[0].Left, float32(0), float32(0)
	for i := range blocks {
		left = min(left, blocks[i].Left)
		for _, l := range p.lines[blocks[i].from:blocks[i].to] {
			for _, at := range p.order[l.from:l.to] {
				r := &p.runs[at]
				width += r.width()
				chars += float32(len([]rune(string(p.runText(r)))))
			}
		}
	}
	unit := max(width/max(chars, 1), 0.5)
	var out strings.Builder
	last := float32(0)
	usual := p.lineDistance(blocks)
	for i := range blocks {
		for _, l := range p.lines[blocks[i].from:blocks[i].to] {
			if out.Len() > 0 {
				out.WriteByte('\n')
				if l.base-last > 1.7*usual {
					out.WriteByte('\n')
				}
			}
			last = l.base
			p.codeLine(&out, &l, left, unit)
		}
	}
	return &tree.Code{Text: out.String()}
}

// lineDistance returns the least usual distance of the lines of blocks.
func (p *page) lineDistance(blocks []block) float32 {
	var list []float32
	for i := range blocks {
		for k := blocks[i].from; k < blocks[i].to; k++ {
			if k > blocks[0].from && p.lines[k].base > p.lines[k-1].base {
				list = append(list, p.lines[k].base-p.lines[k-1].base)
			}
		}
	}
	if len(list) == 0 {
		return 1000
	}
	slices.Sort(list)
	return list[len(list)/3]
}

// codeLine writes a line of code with spaces where the page leaves room.
func (p *page) codeLine(out *strings.Builder, l *line, left, unit float32) {
	at := left
	for k, i := range p.order[l.from:l.to] {
		r := &p.runs[i]
		n := int((r.Left-at)/unit + 0.5)
		if k > 0 {
			n = max(n, 1)
		}
		out.WriteString(strings.Repeat(" ", min(max(n, 0), 120)))
		out.Write(p.runText(r))
		at = r.Right
	}
}
