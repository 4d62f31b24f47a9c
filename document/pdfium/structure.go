package pdfium

import "github.com/trawlhq/trawl/document/layout"

const (
	maxElements = 50_000 // of the structure tree of a page
	maxDepth    = 64
)

// structureReader reads the structure tree of a page.
type structureReader struct {
	*module
	left int // elements that may still be read
}

// structure reads the structure tree of a page, or returns nil if it has none.
func (m *module) structure(page uint64) *layout.Element {
	root := m.call(structureOpen, page)
	if root == 0 {
		return nil
	}
	r := &structureReader{module: m, left: maxElements}
	e := &layout.Element{Type: "Document"}
	for i := range min(m.number(structureChildren, root), maxElements) {
		if child := r.element(m.call(structureChild, root, uint64(i)), 0); child != nil {
			e.Children = append(e.Children, child)
		}
	}
	m.call(structureClose, root)
	if len(e.Children) == 0 {
		return nil
	}
	return e
}

// element reads an element, or returns nil if there is nothing of it on the page.
func (r *structureReader) element(handle uint64, depth int) *layout.Element {
	if r.left--; handle == 0 || r.left < 0 || depth > maxDepth || r.err != nil {
		return nil
	}
	e := &layout.Element{Type: r.text(elementType, handle)}
	r.children(e, handle, depth)
	e.Alt = clean(r.text(elementAlt, handle))
	if len(e.Marks) == 0 && len(e.Children) == 0 && e.Alt == "" && e.Type != "TD" && e.Type != "TH" {
		return nil
	}
	e.Actual = clean(r.text(elementActual, handle))
	e.Lang = clean(r.text(elementLanguage, handle))
	r.spans(e, handle)
	return e
}

// children reads what is in an element. Where text stands beside other elements, it
// becomes an element too, so that the order is kept. The library leaves out elements
// that have nothing on the page; in a row these are empty cells.
func (r *structureReader) children(e *layout.Element, handle uint64, depth int) {
	for i := range min(r.number(elementChildren, handle), maxElements) {
		if r.left < 0 || r.err != nil {
			return
		}
		if child := r.call(elementChild, handle, uint64(i)); child != 0 {
			if inner := r.element(child, depth+1); inner != nil {
				wrap(e)
				e.Children = append(e.Children, inner)
			}
			continue
		}
		switch mark := r.number(elementChildMark, handle, uint64(i)); {
		case mark >= 0:
			e.Marks = append(e.Marks, int32(mark))
		case e.Type == "TR":
			e.Children = append(e.Children, &layout.Element{Type: "TD"})
		}
	}
	if len(e.Children) > 0 {
		wrap(e)
	}
}

// wrap moves the text of an element into a child.
func wrap(e *layout.Element) {
	if len(e.Marks) > 0 {
		e.Children = append(e.Children, &layout.Element{Type: "Span", Marks: e.Marks})
		e.Marks = nil
	}
}

// spans reads how many columns and rows a cell takes.
func (r *structureReader) spans(e *layout.Element, handle uint64) {
	if e.Type != "TD" && e.Type != "TH" {
		return
	}
	for i := range min(r.number(elementAttributes, handle), 16) {
		attribute := r.call(elementAttribute, handle, uint64(i))
		if n := r.attribute(attribute, "ColSpan"); n > 1 {
			e.Columns = n
		}
		if n := r.attribute(attribute, "RowSpan"); n > 1 {
			e.Rows = n
		}
	}
}

func (r *structureReader) attribute(handle uint64, name string) int {
	value := r.call(attributeValue, handle, r.name(name))
	if value == 0 || r.call(attributeNumber, value, uint64(r.scratch)) == 0 {
		return 0
	}
	n := float(r.read(r.scratch, 4))
	if !(n >= 0 && n < 1000) {
		return 0
	}
	return int(n)
}
