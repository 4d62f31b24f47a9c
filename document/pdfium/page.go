package pdfium

import (
	"fmt"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/tree"
)

// Annotations that show text: those of filled forms, and notes written on the page.
const (
	freeText = 3
	widget   = 20

	maxAnnotations = 2000 // of a page that are looked at
	flattened      = 1    // the library's answer if it changed the page
)

// load loads a page, with the text of its annotations made a part of it, as that is
// what a reader sees. The links are lost by that and kept aside. It returns 0 if there
// is no such page.
func (d *Document) load(i int) uint64 {
	m := d.module
	page := m.call(loadPage, d.handle, uint64(i))
	if page == 0 || !m.annotated(page) {
		return page
	}
	links, all := m.links(d.handle, page, m.frame(page, &layout.Page{}))
	if m.number(flatten, page, 0) != flattened {
		return page
	}
	d.links[i] = kept{links, all}
	m.call(closePage, page)
	return m.call(loadPage, d.handle, uint64(i))
}

// kept are links of a page from which they were removed.
type kept struct {
	list []layout.Link
	all  bool
}

// annotated reports whether a page has annotations that show text.
func (m *module) annotated(page uint64) bool {
	for i := range min(m.number(annotations, page), maxAnnotations) {
		a := m.call(annotation, page, uint64(i))
		kind := m.number(annotationType, a)
		m.call(closeAnnotation, a)
		if kind == widget || kind == freeText {
			return true
		}
	}
	return false
}

// page reads all of a page.
func (d *Document) page(handle uint64, i int) *layout.Page {
	m, p := d.module, &layout.Page{Number: i + 1}
	to := m.frame(handle, p)
	m.glyphs(p, handle, to)
	m.drawings(p, handle, to)
	p.Root = m.structure(handle)
	links, ok := d.links[i]
	if !ok {
		links.list, links.all = m.links(d.handle, handle, to)
	}
	p.Links = links.list
	p.Repeats = d.repeats(handle, i)
	p.Cut = p.Cut || !links.all || m.number(annotations, handle) > maxAnnotations
	return p
}

// frame finds the size of a page and returns the matrix to its upright coordinates.
func (m *module) frame(handle uint64, p *layout.Page) matrix {
	var box [4]float32 // left, top, right, bottom
	if m.call(pageBox, handle, uint64(m.scratch)) != 0 {
		m.floats(m.scratch, box[:])
	}
	left, right := min(box[0], box[2]), max(box[0], box[2])
	bottom, top := min(box[1], box[3]), max(box[1], box[3])
	if m.err == nil && !finite(left, right, bottom, top) {
		m.err = fmt.Errorf("%w: page without a size", tree.ErrDamaged)
	}
	to, width, height := upright(left, bottom, right, top, m.number(pageRotation, handle))
	p.Width, p.Height = width, height
	return to
}
