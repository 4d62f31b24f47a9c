package doc

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// readDocument reads the text of all stories.
func (r *reader) readDocument(out *tree.Document) {
	r.readNotes(out)
	rest := r.readBoxes()
	margins := r.readHeaders()
	from, to := r.story(storyMain)
	if to == 0 {
		to = len(r.units)
	}
	body := r.blocks(r.paragraphs(from, to), 0)
	out.Body = slices.Concat(margins.Headers, body, rest)
	for _, cp := range slices.Sorted(maps.Keys(r.boxes)) { // whose anchors are not in the text
		out.Body = append(out.Body, r.boxes[cp]...)
	}
	out.Body = append(out.Body, margins.Footers...)
	out.Rank()
}

// maxNotes bounds the notes, the headers and the text boxes of a file.
const maxNotes = 100_000

func noteName(n int) string { return strconv.Itoa(n) }

// readNotes reads footnotes, then endnotes.
func (r *reader) readNotes(out *tree.Document) {
	r.notes = map[int]int{}
	for _, kind := range [2]struct{ refs, texts, story int }{
		{partNoteRefs, partNoteTexts, storyNotes}, {partEndRefs, partEndTexts, storyEndnotes},
	} {
		refs, texts := r.part(kind.refs).plc(2), r.part(kind.texts)
		from, to := r.story(kind.story)
		last := from
		for i := range r.most(refs.count) {
			start, end := from+texts.u32(4*i), from+texts.u32(4*i+4)
			if start < last || end < start || end > to {
				break
			}
			last = end
			n := len(out.Notes) + 1
			r.notes[refs.cp(i)] = n
			out.Notes = append(out.Notes, tree.Note{Name: noteName(n), Body: r.blocks(r.paragraphs(start, end), 0)})
		}
	}
}

// most returns how many of so many notes, headers or text boxes are read.
func (r *reader) most(count int) int {
	r.more = r.more || count > maxNotes
	return min(count, maxNotes)
}

// readBoxes reads text boxes and pictures that float, and returns the text boxes of
// which it is not known where they belong.
func (r *reader) readBoxes() (rest []tree.Block) {
	r.boxes = map[int][]tree.Block{}
	from, to := r.story(storyBoxes)
	if r.old {
		return r.blocks(r.paragraphs(from, to), 0)
	}
	at := r.readAnchors()
	texts := r.part(partBoxes).plc(22)
	last := from
	for i := range r.most(texts.count) {
		start, end := from+texts.cp(i), from+texts.cp(i+1)
		if start < last || end < start || start >= to {
			break
		}
		last = end
		blocks := r.blocks(r.paragraphs(start, min(end, to)), 0)
		if cp, ok := at[texts.record(i).u32(14)]; ok {
			r.boxes[cp] = append(r.boxes[cp], blocks...)
		} else {
			rest = append(rest, blocks...)
		}
	}
	return rest
}

// readAnchors returns where in the text shapes belong, and puts their pictures there.
func (r *reader) readAnchors() map[int]int {
	anchors, at := r.part(partAnchors).plc(26), map[int]int{}
	for i := range r.most(anchors.count) {
		at[anchors.record(i).u32(0)] = anchors.cp(i)
	}
	shapes, store := r.readShapes()
	for _, s := range shapes {
		cp, ok := at[s.top]
		if !ok {
			continue
		}
		at[s.id] = cp
		if s.picture < 1 || s.picture > len(store) {
			continue
		}
		m := tree.Image{Source: r.source(r.entry(store[s.picture-1])), Alt: r.alt(&s)}
		if m != (tree.Image{}) {
			r.boxes[cp] = append(r.boxes[cp], &m)
		}
	}
	return at
}

// shown returns the text of paragraphs.
func shown(list []paragraph) string {
	var b strings.Builder
	for i := range list {
		for j := range list[i].spans {
			b.WriteString(list[i].spans[j].Text)
		}
	}
	return b.String()
}
