package doc

import (
	"iter"
	"strings"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/tree"
)

// Kinds of records of drawings.
const (
	recordStore   = 0xF001
	recordGroup   = 0xF003
	recordShape   = 0xF004
	recordEntry   = 0xF007
	recordID      = 0xF00A
	recordOptions = 0xF00B
)

// record is a record of a drawing: its kind, a number with it and what it holds.
type record struct {
	kind, number int
	data
}

// records returns the records of a list.
func records(d data) iter.Seq[record] {
	return func(yield func(record) bool) {
		for len(d) >= 8 {
			n := d.u32(4)
			if !yield(record{d.u16(2), d.u16(0) >> 4, d.cut(8, n)}) {
				return
			}
			d = d.from(8 + n)
		}
	}
}

// inlinePicture returns the picture that a character stands for, nil if there is
// none that can be shown.
func (r *reader) inlinePicture(c *char) *tree.Image {
	if c.data || !c.hasPicture {
		return nil
	}
	all := r.data.cut(c.picture, r.data.u32(c.picture))
	at := all.u16(4)
	if all.u16(6) == 0x66 { // the name of the picture's file comes first
		at += 1 + all.u8(at)
	}
	var s shape
	out := &tree.Image{}
	for rec := range records(all.from(at)) {
		if r.work--; r.work < 0 {
			return nil
		}
		switch rec.kind {
		case recordShape:
			s.read(rec.data)
			out.Alt = r.alt(&s)
		case recordEntry:
			out.Source = r.source(r.entry(rec.data))
		}
	}
	if *out == (tree.Image{}) {
		return nil
	}
	return out
}

// alt returns what a shape shows, as long as there is room for it.
func (r *reader) alt(s *shape) string {
	if !r.pictures.Take(len(s.alt)) {
		return ""
	}
	return s.alt
}

// entry returns the picture of an entry of a store, which may stand elsewhere.
func (r *reader) entry(d data) data {
	if blip := d.from(36 + d.u8(33)); len(blip) > 0 {
		return blip
	}
	return r.main.cut(d.u32(28), d.u32(20))
}

// source returns a picture as a data URI, empty if it is too large or of a kind
// that browsers do not show.
func (r *reader) source(blip data) string {
	for rec := range records(blip) {
		head := 17 // an identifier and a tag
		switch rec.number {
		case 0x46B, 0x6E1, 0x6E3:
			head = 33
		}
		return r.pictures.Embed(rec.from(head))
	}
	return ""
}

// shape is a shape of a drawing.
type shape struct {
	id, top int // top is the shape that is anchored in the text: itself or its group
	picture int // number in the store, from 1
	alt     string
}

// Properties of shapes.
const (
	shapePicture     = 0x104
	shapeDescription = 0x381
)

// read reads the records of a shape.
func (s *shape) read(d data) {
	for rec := range records(d) {
		switch rec.kind {
		case recordID:
			s.id = rec.u32(0)
		case recordOptions:
			s.readOptions(rec)
		}
	}
}

func (s *shape) readOptions(rec record) {
	at := 6 * rec.number // where the values are that need more than four bytes
	for i := range rec.number {
		id, value := rec.u16(6*i), rec.u32(6*i+2)
		switch id & 0x3FFF {
		case shapePicture:
			s.picture = value
		case shapeDescription:
			s.alt, _, _ = strings.Cut(wide(rec.cut(at, min(value, 2000))), "\x00")
			s.alt = named.Description(s.alt)
		}
		if id&0x8000 != 0 {
			at += value
		}
	}
}

// maxShapes bounds the shapes of a file.
const maxShapes = 50_000

// readShapes reads the shapes of the body, and the store of their pictures.
func (r *reader) readShapes() (shapes []shape, store []data) {
	d := r.part(partDrawing)
	n := d.u32(4)
	for rec := range records(d.cut(8, n)) {
		if rec.kind == recordStore {
			for e := range records(rec.data) {
				if len(store) < maxShapes {
					store = append(store, e.data)
				} else {
					r.more = true
				}
			}
		}
	}
	d = d.from(8 + n)
	if d.u8(0) != 0 {
		return nil, nil // a header's
	}
	for rec := range records(d.cut(9, d.u32(5))) {
		if rec.kind == recordGroup {
			shapes = group(shapes, rec.data, 0, 0)
		}
	}
	r.more = r.more || len(shapes) > maxShapes
	return shapes, store
}

// group adds the shapes of a group. The first one stands for the group itself.
func group(shapes []shape, d data, top, depth int) []shape {
	for rec := range records(d) {
		if len(shapes) > maxShapes {
			break
		}
		switch rec.kind {
		case recordShape:
			s := shape{top: top}
			s.read(rec.data)
			if depth == 1 && top == 0 {
				top, s.top = s.id, s.id
			}
			if depth == 0 {
				s.top = s.id
			}
			shapes = append(shapes, s)
		case recordGroup:
			if depth < maxDepth {
				shapes = group(shapes, rec.data, top, depth+1)
			}
		}
	}
	return shapes
}
