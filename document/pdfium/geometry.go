package pdfium

import (
	"math"

	"github.com/trawlhq/trawl/document/layout"
)

// matrix maps points as PDF does: x' = ax + cy + e, y' = bx + dy + f.
type matrix struct{ a, b, c, d, e, f float32 }

func (m matrix) point(x, y float32) (float32, float32) {
	return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f
}

// vector maps a direction.
func (m matrix) vector(x, y float32) (float32, float32) {
	return m.a*x + m.c*y, m.b*x + m.d*y
}

// box maps a rectangle to the smallest upright one around its image.
func (m matrix) box(x1, y1, x2, y2 float32) layout.Box {
	ax, ay := m.point(x1, y1)
	bx, by := m.point(x2, y2)
	cx, cy := m.point(x1, y2)
	dx, dy := m.point(x2, y1)
	return layout.Box{
		Left: min(ax, bx, cx, dx), Top: min(ay, by, cy, dy),
		Right: max(ax, bx, cx, dx), Bottom: max(ay, by, cy, dy),
	}
}

// then returns the matrix that maps by m first and by n after that.
func (m matrix) then(n matrix) matrix {
	a, b := n.vector(m.a, m.b)
	c, d := n.vector(m.c, m.d)
	e, f := n.point(m.e, m.f)
	return matrix{a, b, c, d, e, f}
}

// upright returns the matrix from the coordinates of a page with the given visible
// box and quarter turns to those of layout.Page, and the size of the page there.
func upright(left, bottom, right, top float32, turns int) (m matrix, width, height float32) {
	width, height = right-left, top-bottom
	switch turns {
	case 1:
		return matrix{b: 1, c: 1, e: -bottom, f: -left}, height, width
	case 2:
		return matrix{a: -1, d: 1, e: right, f: -bottom}, width, height
	case 3:
		return matrix{b: -1, c: -1, e: top, f: right}, height, width
	default:
		return matrix{a: 1, d: -1, e: -left, f: top}, width, height
	}
}

// turn returns how many quarter turns clockwise a direction is away from the right.
func turn(x, y float32) uint8 {
	switch ax, ay := abs(x), abs(y); {
	case ax >= ay && x >= 0:
		return 0
	case ax >= ay:
		return 2
	case y > 0:
		return 1
	default:
		return 3
	}
}

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

func hypot(x, y float32) float32 { return float32(math.Hypot(float64(x), float64(y))) }

// finite reports whether numbers that a file gave can be calculated with.
func finite(values ...float32) bool {
	for _, v := range values {
		if !(abs(v) < 1e7) { // false for what is no number, too
			return false
		}
	}
	return true
}
