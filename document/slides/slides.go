// Package slides reads the presentations of PowerPoint since 2007: .pptx, .pptm, .ppsx
// and .potx, in the transitional and in the strict kind of Office Open XML.
//
// The main part lists the slides, each of which is a part with a tree of shapes
// (shape.go). What a placeholder is silent about, such as where it stands and whether its
// lines have bullets, is said by the layout of the slide, by the master of the layout,
// or by the presentation (style.go). The text of layouts and masters is not content.
//
// Footers, dates, numbers of slides and comments are left out, as are shapes that are
// hidden. Hidden slides are read and marked.
package slides

import (
	"errors"
	"fmt"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// Read reads a presentation that is held in memory. Errors wrap those of package tree.
func Read(body []byte) (*tree.Document, error) {
	archive, err := zipped.Open(body)
	if err != nil {
		return nil, err
	}
	r := &reader{archive: archive, doc: &tree.Document{Info: ooxml.Info(archive)}, layouts: map[string]*layout{}, seen: map[string]bool{}}
	main := ooxml.MainPart(archive, "ppt/presentation.xml")
	root, err := archive.XML(main)
	if root == nil || root.Name != "p:presentation" {
		if err == nil {
			err = fmt.Errorf("no presentation: %w", tree.ErrDamaged)
		}
		return nil, fmt.Errorf("read presentation: %w", err)
	}
	r.doc.Incomplete(errors.Join(err, archive.Damage()))
	r.defaults.read(root.Child("p:defaultTextStyle"))
	if err := r.slides(root.Child("p:sldIdLst"), ooxml.Relations(archive, main)); err != nil {
		return nil, fmt.Errorf("read presentation: %w", err)
	}
	r.doc.Shown(&r.pictures)
	return r.doc, nil
}

// reader reads one presentation.
type reader struct {
	archive  *zipped.Archive
	doc      *tree.Document
	pictures tree.Pictures
	defaults bullets            // of text that is in no placeholder
	layouts  map[string]*layout // that were read, by the names of their parts
	seen     map[string]bool    // slides, notes, charts and diagrams that were read
}

// slides reads the slides in their order. It fails if there are some and none can be
// read.
func (r *reader) slides(list *zipped.Node, relations map[string]ooxml.Relation) error {
	var failed error
	number, read := 0, 0
	for n := range list.All() {
		if n.Name != "p:sldId" {
			continue
		}
		part := relations[n.Get("r:id")].Target
		if r.seen[part] {
			r.doc.Warn("The presentation lists slides more than once; each was read once.")
			continue
		}
		number++
		root, err := r.once(part)
		if err != nil {
			failed = err
			r.doc.Warn(fmt.Sprintf("Slide %d could not be read completely.", number))
		}
		if root != nil {
			read++
			r.slide(part, root)
		}
	}
	if read > 0 {
		return nil
	}
	return failed
}

// once reads a part that belongs to one place. Files that show it in several are made to
// take long.
func (r *reader) once(part string) (*zipped.Node, error) {
	if r.seen[part] {
		return nil, nil
	}
	r.seen[part] = true
	return r.archive.XML(part)
}

// slide reads a slide with its notes.
func (r *reader) slide(part string, root *zipped.Node) {
	s := &slide{reader: r, relations: ooxml.Relations(r.archive, part), layout: &layout{}}
	notes := ""
	for _, rel := range s.relations {
		switch rel.Kind {
		case "slideLayout":
			s.layout = r.layout(rel.Target)
		case "notesSlide":
			notes = rel.Target
		}
	}
	show := root.Get("show")
	s.Hidden = show == "0" || show == "false"
	s.Shapes = s.shapes(root.Child("p:cSld").Child("p:spTree"))
	if notes != "" {
		s.Notes = r.notes(notes)
	}
	deck.Add(r.doc, &s.Slide)
}

// notes reads what the speaker is to say, from the page that also shows the slide.
func (r *reader) notes(part string) []tree.Block {
	root, _ := r.once(part)
	s := &slide{reader: r, relations: ooxml.Relations(r.archive, part), layout: &layout{}}
	var out []tree.Block
	for _, shape := range deck.Arrange(s.shapes(root.Child("p:cSld").Child("p:spTree"))) {
		out = append(out, shape.Body...)
	}
	return out
}

// slide is a slide that is being read.
type slide struct {
	*reader
	deck.Slide
	relations map[string]ooxml.Relation
	layout    *layout
}

// link returns where a click leads: to an address, if not to another slide.
func (s *slide) link(click *zipped.Node) string {
	if rel := s.relations[click.Get("r:id")]; rel.External {
		return rel.Target
	}
	return ""
}

// alternative returns that of several ways to say the same which is understood.
func alternative(n *zipped.Node) *zipped.Node {
	return ooxml.Alternative(n, "a", "p", "c", "cx", "dgm")
}
