package change

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// Bounds of a diff that is shown.
const (
	context  = 3       // lines around a change
	maxText  = 1 << 20 // bytes, give or take the names
	maxLines = 50_000  // taken apart, short lines are much larger than as text
	heading  = 48      // bytes of a chunk's heading, at most
)

// Diff returns how a text changed, as a unified diff and taken apart. Both name
// the text, and say the same: lines are numbered as in the texts, and the content
// of a line that is taken apart begins with its mark.
//
// Lines whose words are the same do not count as changed and are shown as they are
// now. Neither do empty lines, which are only shown where others changed. So what
// comes of the diff and the text before has the words of the text now, line by
// line; empty lines and the space between words may be others. A missing newline
// at the end of a text is nothing either.
//
// Of a diff of more than 1 MB, or 50,000 lines, the first whole lines are shown,
// and cut is true. Texts that do not differ have an empty diff.
func Diff(before, now, name string) (text string, parsed *trawl.Diff, cut bool) {
	return Between(before, now, name, name)
}

// Between is Diff with a name for each of the texts.
func Between(before, now, from, to string) (text string, parsed *trawl.Diff, cut bool) {
	words := vocabulary{}
	a, b := words.read(before), words.read(now)
	stayA, stayB := align(a, b, len(words))
	w := &walk{a: a, b: b, stayA: stayA, stayB: stayB, at: 1, to: 1}
	w.run()
	chunks, cut := w.show.end()
	parsed = &trawl.Diff{Files: []trawl.DiffFile{}}
	if len(chunks) == 0 && !cut {
		return "", parsed, false
	}
	from, to = strings.Join(strings.Fields(from), " "), strings.Join(strings.Fields(to), " ")
	parsed.Files = append(parsed.Files, trawl.DiffFile{From: from, To: to, Chunks: chunks})
	return written(from, to, chunks), parsed, cut
}

// written returns a diff as text.
func written(from, to string, chunks []trawl.DiffChunk) string {
	var b strings.Builder
	b.WriteString("--- " + from + "\n+++ " + to + "\n")
	for _, chunk := range chunks {
		b.WriteString(chunk.Content + "\n")
		for i := range chunk.Changes {
			b.WriteString(chunk.Changes[i].Content + "\n")
		}
	}
	return b.String()
}

// walk goes through two texts side by side.
type walk struct {
	a, b         *lines
	stayA, stayB []bool
	i, j         int   // the next lines with words
	at, to       int32 // the numbers of the next lines
	show         show
}

func (w *walk) run() {
	for !w.show.full {
		w.blanks(w.a.number(w.i)-w.at, w.b.number(w.j)-w.to)
		from := w.i + w.j
		w.changes()
		switch {
		case w.i+w.j > from:
		case w.i == len(w.a.list): // and so is the other: the rest would be changes
			return
		default:
			w.put(trawl.LineNormal, w.b.list[w.j].text, true)
			w.i, w.j = w.i+1, w.j+1
		}
	}
}

// changes shows the lines up to the next that stays, those that went first. The
// empty lines between them went or came with them.
func (w *walk) changes() {
	for w.i < len(w.a.list) && !w.stayA[w.i] && !w.show.full {
		w.blanks(w.a.number(w.i)-w.at, 0)
		w.put(trawl.LineDeleted, w.a.list[w.i].text, true)
		w.i++
	}
	for w.j < len(w.b.list) && !w.stayB[w.j] && !w.show.full {
		w.blanks(0, w.b.number(w.j)-w.to)
		w.put(trawl.LineAdded, w.b.list[w.j].text, true)
		w.j++
	}
}

// blanks shows the empty lines that the texts have at a place. As many as there are
// in both stay.
func (w *walk) blanks(before, now int32) {
	both := min(before, now)
	for range both {
		w.put(trawl.LineNormal, "", false)
	}
	for range before - both {
		w.put(trawl.LineDeleted, "", false)
	}
	for range now - both {
		w.put(trawl.LineAdded, "", false)
	}
}

// put shows a line and goes past it.
func (w *walk) put(kind, text string, words bool) {
	w.show.line(shown{kind, text, w.at, w.to}, words && kind != trawl.LineNormal)
	if kind != trawl.LineAdded {
		w.at++
	}
	if kind != trawl.LineDeleted {
		w.to++
	}
}

// shown is a line on its way into a diff, with the numbers of the lines that are
// next in the two texts.
type shown struct {
	kind, text  string
	before, now int32
}

// show makes chunks of lines.
type show struct {
	chunks  []trawl.DiffChunk
	open    []shown // lines of the chunk that is being made, up to its last change
	waiting []shown // lines since then; without a chunk, the last ones
	lines   int     // that are shown so far
	size    int     // bytes of them
	full    bool    // no more than this is shown
}

// line takes the next line.
func (s *show) line(l shown, change bool) {
	if s.full {
		return
	}
	s.waiting = append(s.waiting, l)
	switch n := len(s.waiting); {
	case change:
		s.take(n)
	case s.open != nil && n > 2*context:
		s.take(context)
		s.close()
		s.waiting = append(s.waiting[:0], s.waiting[len(s.waiting)-context:]...)
	case s.open == nil && n > context:
		s.waiting = append(s.waiting[:0], s.waiting[1:]...)
	}
}

// take moves waiting lines into the chunk, as many as there is room for.
func (s *show) take(n int) {
	if s.open == nil {
		s.size += heading
	}
	for i, l := range s.waiting[:n] {
		if s.lines == maxLines || s.size+len(l.text)+2 > maxText {
			s.full, n = true, i
			break
		}
		s.lines++
		s.size += len(l.text) + 2
	}
	s.open = append(s.open, s.waiting[:n]...)
	s.waiting = append(s.waiting[:0], s.waiting[n:]...)
}

// end returns all chunks, and whether there would be more.
func (s *show) end() ([]trawl.DiffChunk, bool) {
	if s.open != nil {
		if !s.full {
			s.take(min(context, len(s.waiting)))
		}
		s.close()
	}
	if s.chunks == nil {
		s.chunks = []trawl.DiffChunk{}
	}
	return s.chunks, s.full
}

// close ends a chunk. One that was cut before its first change is none.
func (s *show) close() {
	lines := s.open
	s.open = nil
	changed := false
	chunk := trawl.DiffChunk{Changes: make([]trawl.DiffLine, len(lines))}
	var before, now int
	for i, l := range lines {
		line := trawl.DiffLine{Type: l.kind}
		switch l.kind {
		case trawl.LineAdded:
			now++
			line.Content, line.Line, line.Added, changed = "+"+l.text, int(l.now), true, true
		case trawl.LineDeleted:
			before++
			line.Content, line.Line, line.Deleted, changed = "-"+l.text, int(l.before), true, true
		default:
			before, now = before+1, now+1
			line.Content, line.Before, line.Now, line.Normal = " "+l.text, int(l.before), int(l.now), true
		}
		chunk.Changes[i] = line
	}
	if changed {
		first := lines[0]
		chunk.Content = "@@ -" + extent(int(first.before), before) + " +" + extent(int(first.now), now) + " @@"
		s.chunks = append(s.chunks, chunk)
	}
}

// extent writes where some lines are: the number of the first and how many there
// are, unless it is one; of no lines, the number of the line before.
func extent(first, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(first-1) + ",0"
	case 1:
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "," + strconv.Itoa(count)
}
