package pdfium

import (
	"github.com/trawlhq/trawl/document/layout"
)

const (
	maxObjects  = 100_000 // of a page, with those in its forms
	maxSegments = 200_000 // of all paths of a page
	maxBoxes    = 50_000  // of each kind that are kept
	maxNesting  = 8       // of forms
	manyCurves  = 40      // shapes from which on a page without text is a picture
)

// Kinds of objects and of segments, as the library counts them.
const (
	kindPath     = 2
	kindImage    = 3
	kindForm     = 5
	segmentCurve = 1
	segmentMove  = 2
)

// Lines are at most so thick, in points, and shapes lie straight if they are not
// further off than this.
const (
	thickest = 2.5
	straight = 0.4
)

// drawingReader reads the lines, areas and images of a page.
type drawingReader struct {
	*module
	page              *layout.Page
	objects, segments int
	curves            int        // shapes that are no lines and no rectangles
	around            layout.Box // all of these
}

// drawings reads the lines, areas and images of a page.
func (m *module) drawings(p *layout.Page, page uint64, to matrix) {
	r := &drawingReader{module: m, page: p}
	r.each(pageObjects, pageObject, page, to, 0)
	if len(p.Glyphs) == 0 && r.curves >= manyCurves {
		p.Pictures = append(p.Pictures, r.around) // text that was turned into outlines, or a drawing
	}
}

// each reads the objects of a page or form.
func (r *drawingReader) each(count, get function, owner uint64, to matrix, depth int) {
	for i := range r.number(count, owner) {
		if r.objects++; r.objects > maxObjects || r.err != nil {
			return
		}
		object := r.call(get, owner, uint64(i))
		switch r.number(objectType, object) {
		case kindPath:
			r.path(object, to)
		case kindImage:
			if box, ok := r.bounds(object, to); ok {
				r.image(box)
			}
		case kindForm:
			if m, ok := r.matrix(object); ok && depth < maxNesting {
				r.each(formObjects, formObject, object, m.then(to), depth+1)
			}
		}
	}
}

func (r *drawingReader) matrix(object uint64) (matrix, bool) {
	var v [6]float32
	if r.call(objectMatrix, object, uint64(r.scratch)) == 0 {
		return matrix{}, false
	}
	r.floats(r.scratch, v[:])
	return matrix{v[0], v[1], v[2], v[3], v[4], v[5]}, finite(v[:]...)
}

// bounds returns where an object is.
func (r *drawingReader) bounds(object uint64, to matrix) (layout.Box, bool) {
	var v [4]float32 // left, bottom, right, top
	at := uint64(r.scratch)
	if r.call(objectBounds, object, at, at+4, at+8, at+12) == 0 {
		return layout.Box{}, false
	}
	r.floats(r.scratch, v[:])
	return to.box(v[0], v[1], v[2], v[3]), finite(v[:]...)
}

// path reads the lines and areas of a path.
func (r *drawingReader) path(object uint64, to matrix) {
	at := uint64(r.scratch)
	if r.call(pathMode, object, at, at+4) == 0 {
		return
	}
	mode := r.read(r.scratch, 8)
	filled, stroked := mode[0] != 0, mode[4] != 0
	filled = filled && r.visible(objectFill, object)
	stroked = stroked && r.visible(objectStroke, object)
	if !filled && !stroked {
		return
	}
	n := r.number(pathSegments, object)
	own, ok := r.matrix(object)
	if r.segments += n; r.segments > maxSegments || !ok {
		return
	}
	to = own.then(to)
	width := float32(0)
	if stroked && r.call(objectStrokeWidth, object, at) != 0 {
		width = float(r.read(r.scratch, 4)) * hypot(to.a, to.b)
		width = min(max(width, 0.1), 1000)
	}
	s := shape{reader: r, filled: filled, stroked: stroked, width: width}
	s.follow(object, n, to)
}

// visible reports whether a colour can be told from paper.
func (r *drawingReader) visible(f function, object uint64) bool {
	at := uint64(r.scratch)
	if r.call(f, object, at, at+4, at+8, at+12) == 0 {
		return true // a pattern
	}
	c := r.read(r.scratch, 16)
	return c[12] > 8 && (c[0] < 250 || c[4] < 250 || c[8] < 250)
}

// shape collects the points of a part of a path.
type shape struct {
	reader          *drawingReader
	filled, stroked bool
	width           float32
	points          [][2]float32
	curved          bool
}

// follow goes along a path.
func (s *shape) follow(object uint64, n int, to matrix) {
	r := s.reader
	at := uint64(r.scratch)
	for i := range n {
		segment := r.call(pathSegment, object, uint64(i))
		if segment == 0 || r.err != nil {
			break
		}
		r.call(segmentPoint, segment, at, at+4)
		kind := r.number(segmentType, segment)
		closed := r.call(segmentClose, segment) != 0
		b := r.read(r.scratch, 8)
		x, y := to.point(float(b), float(b[4:]))
		if !finite(x, y) {
			break
		}
		if kind == segmentMove {
			s.end()
		}
		s.curved = s.curved || kind == segmentCurve
		s.points = append(s.points, [2]float32{x, y})
		if closed {
			s.points = append(s.points, s.points[0])
			s.end()
		}
	}
	s.end()
}

// end adds the part of the path that was collected.
func (s *shape) end() {
	points := s.points
	s.points = s.points[:0]
	curved := s.curved
	s.curved = false
	if len(points) < 2 {
		return
	}
	box, aligned := around(points)
	if curved || !aligned {
		s.other(box, len(points), curved)
		return
	}
	if s.filled && len(points) >= 4 {
		s.reader.area(box)
	}
	if s.stroked {
		for i := 1; i < len(points); i++ {
			s.line(points[i-1], points[i])
		}
	}
}

// other adds a part that has curves or slants. Rounded boxes count as areas.
func (s *shape) other(box layout.Box, points int, curved bool) {
	r := s.reader
	r.curves++
	if r.curves == 1 {
		r.around = box
	}
	r.around = layout.Box{
		Left: min(r.around.Left, box.Left), Top: min(r.around.Top, box.Top),
		Right: max(r.around.Right, box.Right), Bottom: max(r.around.Bottom, box.Bottom),
	}
	if s.filled && curved && points <= 20 && box.Right-box.Left > 20 && box.Bottom-box.Top > 8 {
		r.area(box)
	}
}

// line adds a stroked line.
func (s *shape) line(a, b [2]float32) {
	half := s.width / 2
	box := layout.Box{Left: min(a[0], b[0]), Top: min(a[1], b[1]), Right: max(a[0], b[0]), Bottom: max(a[1], b[1])}
	if max(box.Right-box.Left, box.Bottom-box.Top) < straight {
		return
	}
	if box.Right-box.Left >= box.Bottom-box.Top {
		middle := (box.Top + box.Bottom) / 2
		box.Top, box.Bottom = middle-half, middle+half
	} else {
		middle := (box.Left + box.Right) / 2
		box.Left, box.Right = middle-half, middle+half
	}
	s.reader.area(box)
}

// around returns the box around points, and whether all lines between them are
// horizontal or vertical.
func around(points [][2]float32) (layout.Box, bool) {
	b := layout.Box{Left: points[0][0], Top: points[0][1], Right: points[0][0], Bottom: points[0][1]}
	aligned := true
	for i, p := range points {
		b.Left, b.Right = min(b.Left, p[0]), max(b.Right, p[0])
		b.Top, b.Bottom = min(b.Top, p[1]), max(b.Bottom, p[1])
		if i > 0 {
			aligned = aligned && (abs(p[0]-points[i-1][0]) < straight || abs(p[1]-points[i-1][1]) < straight)
		}
	}
	return b, aligned
}

// area adds a box as a line if it is thin, else as an area.
func (r *drawingReader) area(b layout.Box) {
	width, height := b.Right-b.Left, b.Bottom-b.Top
	if b.Right < 0 || b.Bottom < 0 || b.Left > r.page.Width || b.Top > r.page.Height || max(width, height) < 1 {
		return
	}
	switch {
	case min(width, height) <= thickest && max(width, height) > 2*min(width, height):
		if len(r.page.Rules) < maxBoxes {
			r.page.Rules = append(r.page.Rules, b)
		}
	case len(r.page.Fills) < maxBoxes:
		r.page.Fills = append(r.page.Fills, b)
	}
}

// image adds an image. Some programs draw lines as very thin ones.
func (r *drawingReader) image(b layout.Box) {
	if min(b.Right-b.Left, b.Bottom-b.Top) < thickest {
		r.area(b)
		return
	}
	if len(r.page.Pictures) < maxBoxes {
		r.page.Pictures = append(r.page.Pictures, b)
	}
}
