// Package ppt reads the binary presentations of PowerPoint 97 to 2003.
//
// Such a file is a compound file whose stream PowerPoint Document is a list of records,
// some of which hold others. Each time that a presentation is saved, what changed is
// appended, together with a list of where everything is now (persist.go). The record of
// the document lists slides, notes and masters by their numbers in these lists, and beside
// the slides the text of their placeholders (text.go); the rest of a slide is in its
// drawing (slide.go, shape.go).
//
// Files may be broken or hostile. Every look into them is checked by [data], each slide is
// read once, and how much is read grows with the length of the file only.
package ppt

import (
	"fmt"

	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
)

// Read reads a presentation. Errors wrap those of package tree.
func Read(body []byte) (*tree.Document, error) {
	file, err := compound.Open(body)
	if err != nil {
		return nil, fmt.Errorf("read presentation: %w", err)
	}
	if file.Has("EncryptedPackage") || file.Has("EncryptedSummary") {
		return nil, fmt.Errorf("read presentation: %w", tree.ErrEncrypted)
	}
	r := &reader{main: file.Stream("PowerPoint Document"), doc: &tree.Document{Info: file.Info()}, masters: map[int]*master{}}
	if err := r.readPlaces(file.Stream("Current User")); err != nil {
		return nil, fmt.Errorf("read presentation: %w", err)
	}
	r.left = 2 * len(r.main)
	r.blips = file.Stream("Pictures")
	main := r.record(r.docID)
	if main.kind != document {
		return nil, fmt.Errorf("read presentation: no document: %w", tree.ErrDamaged)
	}
	r.readDocument(main.data)
	for i := range r.slides {
		r.readSlide(&r.slides[i])
	}
	if r.cut {
		r.doc.Incomplete(tree.ErrTooComplex)
	}
	r.doc.Shown(&r.pictures)
	return r.doc, nil
}

// reader is a file that is being read.
type reader struct {
	main   data        // the stream of the presentation
	places map[int]int // of records by their numbers
	docID  int         // number of the document
	left   int         // bytes of slides that may still be read
	cut    bool        // there was more

	slides   []listed
	masterID map[int]int    // numbers of masters by their identifiers
	notesID  map[int]int    // numbers of notes likewise
	links    map[int]string // addresses by their identifiers
	numbers  map[outlineText]data
	store    []data // entries of pictures
	blips    data   // the stream of pictures
	masters  map[int]*master

	doc      *tree.Document
	pictures tree.Pictures
}

// listed is a slide as the document lists it: its number, its identifier, and the texts
// of its placeholders.
type listed struct {
	number, id int
	outline    data
	texts      []*text // of the outline
}

// outlineText is a text of a slide by its kind.
type outlineText struct{ slide, kind int }

// readDocument reads what all slides need.
func (r *reader) readDocument(d data) {
	r.masterID, r.notesID, r.links, r.numbers = map[int]int{}, map[int]int{}, map[int]string{}, map[outlineText]data{}
	for rec := range d.records() {
		switch rec.kind {
		case slideList:
			r.readList(rec)
		case objectList:
			r.readLinks(rec.data)
		case drawingGroup:
			for entry := range rec.child(drawingStore).child(pictureStore).records() {
				r.store = append(r.store, entry.data)
			}
		case tags:
			r.readNumbers(taggedData(rec.data))
		}
	}
}

// readList reads a list of slides, masters or notes. What follows a slide in it, up to the
// next one, are its texts.
func (r *reader) readList(list record) {
	seen := map[int]bool{}
	for at := 0; at+headerLength <= len(list.data); {
		rec := list.recordAt(at)
		at += headerLength + len(rec.data)
		if rec.kind != slidePersist {
			continue
		}
		number, id := rec.u32(0), rec.u32(12)
		switch place := r.places[number]; {
		case list.instance == 1:
			r.masterID[id] = number
		case list.instance == 2:
			r.notesID[id] = number
		case seen[place]:
			r.doc.Warn("The presentation lists slides more than once; each was read once.")
		default:
			seen[place] = true
			r.slides = append(r.slides, listed{number: number, id: id, outline: list.upTo(at, slidePersist)})
		}
	}
}

// readLinks reads the addresses that texts refer to.
func (r *reader) readLinks(list data) {
	for rec := range list.records() {
		if rec.kind != link {
			continue
		}
		address, place := "", ""
		for c := range rec.records() {
			switch {
			case c.kind == cString && c.instance == 1:
				address = wide(c.data)
			case c.kind == cString && c.instance == 3:
				place = wide(c.data)
			}
		}
		if address != "" && place != "" {
			address += "#" + place
		}
		r.links[rec.child(linkAtom).u32(0)] = address
	}
}

// titlePage is the layout of slides that begin a presentation.
const titlePage = 0

// readSlide reads a slide and adds it to the document.
func (r *reader) readSlide(of *listed) {
	rec := r.record(of.number)
	if rec.kind != slide || !r.take(len(rec.data)) {
		if rec.kind != slide {
			r.doc.Warn("A slide is damaged and could not be read.")
		}
		return
	}
	atom := rec.child(slideAtom)
	of.texts = readTexts(of.outline, r.links, func(int) *text { return nil })
	s := &page{reader: r, listed: of, master: r.master(atom.u32(12))}
	s.Opening = atom.u32(0) == titlePage
	s.Hidden = rec.child(slideInfo).u16(10)&4 != 0
	s.Shapes = s.shapes(rec.child(drawing).child(drawn).child(group), 0)
	for _, t := range of.texts { // that no shape refers to
		if !t.used {
			var loose deck.Shape
			s.textShape(t, &loose, "")
			s.Shapes = append(s.Shapes, loose)
		}
	}
	if number, ok := r.notesID[atom.u32(16)]; ok && atom.u32(16) != 0 {
		s.Notes = r.readNotes(number)
	}
	deck.Add(r.doc, &s.Slide)
}

// readNotes reads what the speaker is to say.
func (r *reader) readNotes(number int) []tree.Block {
	rec := r.record(number)
	if rec.kind != notes || !r.take(len(rec.data)) {
		return nil
	}
	s := &page{reader: r, listed: &listed{}, master: &master{}, notes: true}
	var out []tree.Block
	for _, shape := range deck.Arrange(s.shapes(rec.child(drawing).child(drawn).child(group), 0)) {
		out = append(out, shape.Body...)
	}
	return out
}

// take counts bytes that are read, and tells whether there was room for them.
func (r *reader) take(n int) bool {
	if n > r.left {
		r.cut = true
		return false
	}
	r.left -= n
	return true
}
