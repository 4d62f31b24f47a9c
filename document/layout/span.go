package layout

import (
	"bytes"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// composer joins lines to running text.
type composer struct {
	d     *document
	text  []byte
	style tree.Style
	link  string
	spans []tree.Span
}

// add appends the text of a block, without its first skip bytes.
func (w *composer) add(p *page, b *block, skip int) {
	for i := b.from; i < b.to; i++ {
		l := &p.lines[i]
		for k, at := range p.order[l.from:l.to] {
			r := &p.runs[at]
			from := int32(0)
			if skip > 0 {
				n := min(skip, len(p.runText(r)))
				from = p.pieces[r.from].from + int32(n)
				if skip -= n; int(from) == int(p.pieces[r.to-1].to) {
					continue
				}
			}
			if k == 0 {
				w.join(p, l)
			} else if !w.blank() {
				w.space()
			}
			w.run(p, r, from)
		}
	}
}

// run appends a run from a place in the text of the page on.
func (w *composer) run(p *page, r *run, from int32) {
	for k := r.from; k < r.to; k++ {
		piece := p.pieces[k]
		piece.from = max(piece.from, from)
		if piece.from >= piece.to {
			continue
		}
		if piece.note > 0 { // refers to what stands before it
			w.text = bytes.TrimRight(w.text, " ")
			w.flush()
			w.spans = append(w.spans, tree.Span{Note: w.d.notes[piece.note-1].id()})
			continue
		}
		link := ""
		if piece.link > 0 {
			link = p.links[piece.link-1].URI
		}
		text := p.text[piece.from:piece.to]
		if w.blank() {
			for len(text) > 0 && text[0] == ' ' {
				text = text[1:]
			}
		}
		if len(text) == 0 {
			continue
		}
		if piece.style != w.style || link != w.link {
			w.flush()
			w.style, w.link = piece.style, link
		}
		w.text = append(w.text, text...)
	}
}

// blank reports whether nothing was written.
func (w *composer) blank() bool { return len(w.text) == 0 && len(w.spans) == 0 }

func (w *composer) flush() {
	if len(w.text) > 0 {
		w.spans = append(w.spans, tree.Span{Text: string(w.text), Style: w.style, Link: w.link})
		w.text = w.text[:0]
	}
}

// space appends a space, unless there is one.
func (w *composer) space() {
	if n := len(w.text); n > 0 {
		if w.text[n-1] != ' ' {
			w.text = append(w.text, ' ')
		}
		return
	}
	w.style, w.link = 0, ""
	w.text = append(w.text, ' ')
}

// join puts between two lines what belongs there.
func (w *composer) join(p *page, l *line) {
	if w.blank() {
		return
	}
	if len(w.text) == 0 {
		w.space()
		return
	}
	w.text = w.d.joined(w.text, p.runText(&p.runs[p.order[l.from]]))
}

// take returns the spans and begins anew.
func (w *composer) take() []tree.Span {
	w.flush()
	spans := w.spans
	w.spans, w.style, w.link = nil, 0, ""
	if n := len(spans); n > 0 && spans[n-1].Note == "" {
		if spans[n-1].Text = strings.TrimRight(spans[n-1].Text, " "); spans[n-1].Text == "" {
			spans = spans[:n-1]
		}
	}
	return spans
}
