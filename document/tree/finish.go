package tree

import (
	"errors"
	"slices"
	"strings"
	"time"
)

// Warn notes what the caller should know, once.
func (doc *Document) Warn(sentence string) {
	if !slices.Contains(doc.Warnings, sentence) {
		doc.Warnings = append(doc.Warnings, sentence)
	}
}

// Incomplete warns of why only a part of the file was read; a nil error says that
// all of it was.
func (doc *Document) Incomplete(err error) {
	switch {
	case errors.Is(err, ErrTooComplex):
		doc.Warn("The file is larger inside than can be read; the rest was left out.")
	case err != nil:
		doc.Warn("The file is damaged; only what comes before the damage was read.")
	}
}

// Moment reads a point in time as XML has it, with or without a time and a zone; the
// zero one if it is none.
func Moment(s string) time.Time {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Title is the level of a heading that is the title of the document, for [Document.Rank].
const Title = -1

// Rank gives headings their levels: where there is a title among the blocks, it is
// of the first level and all others stand one lower.
func (doc *Document) Rank() {
	shift := 0
	for _, b := range doc.Body {
		if h, ok := b.(*Heading); ok && h.Level == Title {
			shift = 1
		}
	}
	rank(doc.Body, shift)
	for i := range doc.Notes {
		rank(doc.Notes[i].Body, shift)
	}
}

func rank(body []Block, shift int) {
	for _, b := range body {
		switch b := b.(type) {
		case *Heading:
			if b.Level == Title {
				b.Level = 1
			} else {
				b.Level = min(b.Level+shift, 6)
			}
		case *Quote:
			rank(b.Body, shift)
		case *Group:
			rank(b.Body, shift)
		case *List:
			for i := range b.Items {
				rank(b.Items[i].Body, shift)
			}
		case *Table:
			for i := range b.Rows {
				for j := range b.Rows[i].Cells {
					rank(b.Rows[i].Cells[j].Body, shift)
				}
			}
		}
	}
}

// Formula warns if a formula is longer than may be: then it was cut.
func (doc *Document) Formula(length, most int) {
	if length > most {
		doc.Warn("A formula is too long; a part of it was left out.")
	}
}
