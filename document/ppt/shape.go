package ppt

import (
	"strings"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
)

// page is a slide, or the page of its notes, that is being read.
type page struct {
	*reader
	*listed
	deck.Slide
	master *master
	notes  bool // only the text of the notes is read
}

// Properties of shapes.
const (
	propertyPicture     = 0x104
	propertyArtText     = 0x0C0
	propertyDescription = 0x381
	propertyTable       = 0x39F
	propertyHidden      = 0x3BF
)

// figure is what a shape says of itself.
type figure struct {
	deck.Box
	picture      int // its number in the store, from 1
	alt, artText string
	table        bool // it stands for a group that is a table
	hidden       bool
	margin       bool // it is a footer, a date, a number
	body         bool // it is the text of the notes
	link         string
	text         data
	numbers      data // of its lines
}

// readFigure reads the records of a shape.
func (s *page) readFigure(d data) figure {
	var f figure
	for rec := range d.records() {
		switch rec.kind {
		case options, thirdOptions:
			f.readOptions(rec)
		case clientAnchor:
			f.Box = anchor(rec.data)
		case childAnchor:
			f.Box = deck.Box{Left: float64(rec.i32(0)), Top: float64(rec.i32(4)), Right: float64(rec.i32(8)), Bottom: float64(rec.i32(12))}
		case textBox:
			f.text = rec.data
		case clientData:
			s.readClient(&f, rec.data)
		}
	}
	return f
}

// anchor reads where a shape is on its slide.
func anchor(d data) deck.Box {
	if len(d) >= 16 {
		return deck.Box{Top: float64(d.i32(0)), Left: float64(d.i32(4)), Right: float64(d.i32(8)), Bottom: float64(d.i32(12))}
	}
	return deck.Box{Top: float64(d.i16(0)), Left: float64(d.i16(2)), Right: float64(d.i16(4)), Bottom: float64(d.i16(6))}
}

func (f *figure) readOptions(rec record) {
	at := 6 * rec.instance // where the values are that need more than four bytes
	for i := range rec.instance {
		if 6*i >= len(rec.data) {
			return
		}
		id, value := rec.u16(6*i), rec.u32(6*i+2)
		switch id & 0x3FFF {
		case propertyPicture:
			f.picture = value
		case propertyArtText:
			f.artText = oneLine(wide(rec.cut(at, min(value, maxText))))
		case propertyDescription:
			f.alt = oneLine(wide(rec.cut(at, min(value, 4000))))
		case propertyTable:
			f.table = value&1 != 0
		case propertyHidden:
			f.hidden = value&0x20002 == 0x20002
		}
		if id&0x8000 != 0 {
			at += value
		}
	}
}

// oneLine returns a text that ends with a zero, on one line.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return strings.Join(strings.Fields(s), " ")
}

// readClient reads what the presentation says of a shape.
func (s *page) readClient(f *figure, d data) {
	for rec := range d.records() {
		switch rec.kind {
		case placeholder:
			switch rec.u8(4) {
			case 0x07, 0x08, 0x09, 0x0A:
				f.margin = true
			case 0x06, 0x0C:
				f.body = true
			}
		case footerMark:
			f.margin = true
		case click:
			if rec.instance == 0 {
				f.link = s.links[rec.child(clickAtom).u32(4)]
			}
		case tags:
			f.numbers = taggedData(rec.data).child(textNumbers)
		}
	}
}

// shapes reads the shapes of a group, of which the first stands for the group itself.
func (s *page) shapes(d data, depth int) []deck.Shape {
	var out []deck.Shape
	first := true
	for rec := range d.records() {
		var made deck.Shape
		switch {
		case rec.kind == shape && first:
			first = false
			continue
		case rec.kind == shape:
			made = s.figure(s.readFigure(rec.data))
		case rec.kind == group && depth < maxGroupDepth:
			made = s.group(rec.data, depth+1)
		case rec.kind == group:
			s.cut = true
		}
		if len(made.Body) > 0 {
			out = append(out, made)
		}
	}
	return out
}

// group reads a group, which may be a table.
func (s *page) group(d data, depth int) deck.Shape {
	of := s.readFigure(d.child(shape))
	made := deck.Shape{Box: of.Box}
	switch {
	case of.hidden:
	case of.table:
		if t := table(s.cells(d)); t != nil {
			made.Body = []tree.Block{t}
		}
	default:
		for _, inner := range deck.Arrange(s.shapes(d, depth)) {
			made.Body = append(made.Body, inner.Body...)
		}
	}
	return made
}

// figure makes of a shape what can be told in words.
func (s *page) figure(f figure) deck.Shape {
	made := deck.Shape{Box: f.Box}
	if f.hidden || f.margin || s.notes && !f.body {
		return made
	}
	for _, t := range s.textsOf(&f) {
		s.textShape(t, &made, f.link)
	}
	if len(made.Body) > 0 || s.notes {
		return made
	}
	if f.artText != "" {
		made.Body = []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: f.artText, Link: f.link}}}}
	}
	if f.picture > 0 {
		image := &tree.Image{Source: s.picture(f.picture)}
		if s.pictures.Take(len(f.alt)) {
			image.Alt = f.alt
		}
		if *image != (tree.Image{}) {
			made.Body = []tree.Block{&tree.Paragraph{Text: []tree.Span{{Image: image, Link: f.link}}}}
		}
	}
	return made
}

// textShape adds the text of a shape, which may be the title of the slide.
func (s *page) textShape(t *text, to *deck.Shape, link string) {
	lines := t.lines(s.master, link)
	if (t.kind == kindTitle || t.kind == kindCenterTitle) && len(s.Title) == 0 {
		for _, l := range lines {
			if spans := tree.Trim(l.Text); len(spans) > 0 {
				if len(s.Title) > 0 {
					s.Title = append(s.Title, tree.Span{Text: " "})
				}
				s.Title = append(s.Title, spans...)
			}
		}
		s.Opening = s.Opening || t.kind == kindCenterTitle
		return
	}
	to.Body = append(to.Body, deck.Blocks(lines)...)
}

// picture returns a picture of the store as a data URI, "" if it cannot be shown.
func (s *page) picture(number int) string {
	if number > len(s.store) {
		return ""
	}
	entry := s.store[number-1]
	rec := s.blips.recordAt(entry.u32(28))
	head := 17 // an identifier and a tag
	switch rec.instance {
	case 0x46B, 0x6E1, 0x6E3:
		head = 33
	}
	return s.pictures.Embed(rec.from(head))
}
