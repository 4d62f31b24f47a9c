package layout

import (
	"bytes"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// note is a footnote.
type note struct {
	page     *page
	from, to int // blocks
	name     string
}

// id names a note within the document.
func (n *note) id() string { return strconv.Itoa(n.page.number) + "-" + n.name }

// footnotes finds small text at the bottom of pages that begins with a number to
// which a raised number in the text refers. Where nothing refers to it, it stays
// where it is.
func (d *document) footnotes() {
	for _, p := range d.pages {
		if len(p.blocks) > maxBlocks {
			continue
		}
		references := d.references(p)
		if len(references) == 0 {
			continue
		}
		d.partNotes(p, references)
		for i := range p.blocks {
			b := &p.blocks[i]
			if !d.small(p, b) {
				continue
			}
			name, _ := p.noteStart(p.lines[b.from].from)
			if at, ok := references[name]; ok && p.lowest(i, d.body) {
				b.kind = noteBlock
				d.notes = append(d.notes, note{p, i, i + 1, name})
				p.pieces[at].note = int32(len(d.notes))
				delete(references, name)
			} else if i > 0 && b.kind == textBlock && p.blocks[i-1].kind == noteBlock && p.blocks[i-1].leaf == b.leaf && b.above < 0.6*b.size {
				b.kind = noteBlock // a paragraph more
				d.notes[len(d.notes)-1].to = i + 1
			}
		}
	}
}

// small reports whether a block may be a footnote.
func (d *document) small(p *page, b *block) bool {
	return (b.kind == textBlock || b.kind == itemBlock) && b.size <= 0.94*d.body && b.Top >= 0.45*p.height && b.turn == 0
}

// references returns the pieces of a page that may refer to footnotes: the first
// that is raised of each name.
func (d *document) references(p *page) map[string]int32 {
	found := map[string]int32{}
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind == tableBlock || b.kind == dropped || b.size <= 0.94*d.body {
			continue
		}
		for _, l := range p.lines[b.from:b.to] {
			for _, at := range p.order[l.from:l.to] {
				for k := p.runs[at].from; k < p.runs[at].to; k++ {
					piece := &p.pieces[k]
					if piece.style&tree.Super == 0 {
						continue
					}
					name := noteName(p.text[piece.from:piece.to])
					if _, is := found[name]; name != "" && !is {
						found[name] = k
					}
				}
			}
		}
	}
	return found
}

// partNotes parts footnotes that stand below each other as one block because their
// numbers are not raised: where the number after that of the last one begins a line.
func (d *document) partNotes(p *page, references map[string]int32) {
	next := ""
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		if !d.small(p, b) {
			continue
		}
		for at := b.from; at < b.to; at++ {
			name, _ := p.noteStart(p.lines[at].from)
			if _, is := references[name]; !is || at > b.from && name != next {
				continue
			}
			if at > b.from {
				rest := *b
				b.to, rest.from, rest.above = at, at, 0
				p.shape(b)
				p.shape(&rest)
				p.blocks = slices.Insert(p.blocks, i+1, rest)
				break
			}
			number, _ := strconv.Atoi(name)
			next = strconv.Itoa(number + 1)
		}
	}
}

// noteStart returns the name of the footnote that may begin with the run at a place
// in the order of the page, and how much of its text that takes. The number may be
// raised, stand apart, or directly in front of a word.
func (p *page) noteStart(at int32) (string, int) {
	r := &p.runs[p.order[at]]
	text := p.runText(r)
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if next, _ := utf8.DecodeRune(text[n:]); n == 0 || !unicode.IsLetter(next) && !unicode.In(next, unicode.Pi, unicode.Ps) && next != '"' {
		if n = bytes.IndexByte(text, ' '); n <= 0 {
			n = len(text)
		}
	}
	if p.noteMark(r) != "" {
		n = int(p.pieces[r.from].to - p.pieces[r.from].from)
	}
	name := noteName(text[:n])
	for n < len(text) && (text[n] == ' ' || text[n] == '.' || text[n] == ')') {
		n++
	}
	return name, n
}

// annotates reports whether a block is a footnote to which the page refers.
func (p *page) annotates(b *block, references map[string]int32) bool {
	if b.kind == tableBlock || len(references) == 0 {
		return false
	}
	name, skip := p.noteStart(p.lines[b.from].from)
	_, is := references[name]
	return is && hasLetters(p.blockText(b)[skip:])
}

// noteMark returns the number or sign of a footnote that a run begins with, raised.
func (p *page) noteMark(r *run) string {
	first := &p.pieces[r.from]
	if first.style&tree.Super == 0 || r.to-r.from < 2 {
		return ""
	}
	return noteName(p.text[first.from:first.to])
}

// noteName returns the number or sign that refers to a footnote; "" if text is none.
func noteName(text []byte) string {
	text = bytes.Trim(text, " .)(")
	if len(text) == 0 || len(text) > 4 {
		return ""
	}
	if isDigits(text) && len(text) <= 3 {
		return string(text)
	}
	for _, c := range string(text) {
		if c != '*' && c != '†' && c != '‡' && c != '§' && c != '¶' {
			return ""
		}
	}
	return string(text)
}

func isDigits(text []byte) bool {
	for _, b := range text {
		if b < '0' || b > '9' {
			return false
		}
	}
	return len(text) > 0
}

// lowest reports whether nothing but small text stands below a block in its column.
func (p *page) lowest(i int, body float32) bool {
	b := &p.blocks[i]
	for k := range p.blocks {
		o := &p.blocks[k]
		if o.kind != dropped && o.Top > b.Bottom && o.size > 0.94*body && overlap(o.Left, o.Right, b.Left, b.Right) > 0.2 {
			return false
		}
	}
	return true
}
