package deck

import (
	"cmp"
	"math"
	"slices"
)

// maxArranged is how many shapes are put in order by the space between them. Those of
// slides with more, which are drawings, go by where they begin.
const maxArranged = 500

// Arrange returns shapes in the order in which they are read. The widest space that goes
// all through parts them into an upper and a lower half, or a left and a right one, and
// each of these is parted likewise. Shapes that are nowhere come last.
func Arrange(shapes []Shape) []Shape {
	var placed, loose []Shape
	for _, s := range shapes {
		switch {
		case len(s.Body) == 0:
		case s.Box == Box{}:
			loose = append(loose, s)
		default:
			placed = append(placed, s)
		}
	}
	if len(placed) > maxArranged {
		slices.SortStableFunc(placed, byTop)
	} else {
		part(placed)
	}
	return append(placed, loose...)
}

func byTop(a, b Shape) int  { return cmp.Or(cmp.Compare(a.Top, b.Top), cmp.Compare(a.Left, b.Left)) }
func byLeft(a, b Shape) int { return cmp.Or(cmp.Compare(a.Left, b.Left), cmp.Compare(a.Top, b.Top)) }

func across(s *Shape) (from, to float64) { return s.Left, s.Right }
func down(s *Shape) (from, to float64)   { return s.Top, s.Bottom }

// part puts shapes in order.
func part(shapes []Shape) {
	if len(shapes) < 2 {
		return
	}
	slices.SortStableFunc(shapes, byLeft)
	column, wide := widest(shapes, across)
	slices.SortStableFunc(shapes, byTop)
	row, high := widest(shapes, down)
	switch {
	case column > 0 && (row == 0 || wide > high):
		slices.SortStableFunc(shapes, byLeft)
		part(shapes[:column])
		part(shapes[column:])
	case row > 0:
		part(shapes[:row])
		part(shapes[row:])
	case backdrop(shapes):
		part(shapes[1:])
	default:
		rows(shapes)
	}
}

// lap is how much of its length a shape may reach into the next one: frames are often
// larger than what is in them.
const lap = 0.1

// widest finds the widest space between shapes that are sorted by where they begin. It
// returns how many are before it, 0 if there is none, and how wide it is, which is
// less than nothing where they overlap a little.
func widest(shapes []Shape, extent func(*Shape) (from, to float64)) (before int, wide float64) {
	end, reach := math.Inf(-1), math.Inf(-1) // reach is without what may overlap
	for i := range shapes {
		from, to := extent(&shapes[i])
		allowed := lap * (to - from)
		if i > 0 && from+allowed >= reach && (before == 0 || from-end > wide) {
			before, wide = i, from-end
		}
		end, reach = max(end, to), max(reach, to-allowed)
	}
	return before, wide
}

// backdrop brings the largest shape to the front if all others stand on it.
func backdrop(shapes []Shape) bool {
	largest := 0
	for i := range shapes {
		if shapes[i].area() > shapes[largest].area() {
			largest = i
		}
	}
	for i := range shapes {
		if i != largest && !shapes[largest].holds(&shapes[i]) {
			return false
		}
	}
	first := shapes[largest]
	copy(shapes[1:], shapes[:largest])
	shapes[0] = first
	return true
}

func (b *Box) area() float64 { return (b.Right - b.Left) * (b.Bottom - b.Top) }

// holds tells whether the middle of another box is in it.
func (b *Box) holds(other *Shape) bool {
	x, y := (other.Left+other.Right)/2, (other.Top+other.Bottom)/2
	return x >= b.Left && x <= b.Right && y >= b.Top && y <= b.Bottom
}

// rows puts shapes that are sorted by their tops in rows, each from left to right: a
// shape that begins above the middle of the first one stands in its row.
func rows(shapes []Shape) {
	for len(shapes) > 0 {
		n := 1
		for n < len(shapes) && shapes[n].Top < (shapes[0].Top+shapes[0].Bottom)/2 {
			n++
		}
		slices.SortStableFunc(shapes[:n], byLeft)
		shapes = shapes[n:]
	}
}
