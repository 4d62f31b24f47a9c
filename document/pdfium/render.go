package pdfium

import (
	"fmt"
	"image"
	"math"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/tree"
)

// maxPixels is the size of the largest picture that is made of a page. Larger ones
// get a lower resolution.
const maxPixels = 25_000_000

// Numbers of the library for grey bitmaps and for what is drawn on them.
const (
	bitmapGrey      = 1
	white           = 0xFFFFFFFF
	withAnnotations = 0x01
	withoutColours  = 0x08
)

// Render draws page i, counted from 0, in grey on white.
func (d *Document) Render(i int, dpi float64) (*image.Gray, error) {
	var picture *image.Gray
	err := d.with(i, func(m *module, page uint64) { picture = m.render(page, dpi) })
	if err != nil {
		return nil, fmt.Errorf("render page %d: %w", i+1, err)
	}
	return picture, nil
}

func (m *module) render(page uint64, dpi float64) *image.Gray {
	var size layout.Page
	m.frame(page, &size)
	area := float64(size.Width) * float64(size.Height)
	scale := min(dpi/72, math.Sqrt(maxPixels/max(area, 1)))
	width := max(int(math.Round(float64(size.Width)*scale)), 1)
	height := max(int(math.Round(float64(size.Height)*scale)), 1)
	if m.err == nil && width*height > maxPixels+width+height {
		m.err = fmt.Errorf("%w: page of %d × %d dots", tree.ErrTooComplex, width, height)
	}
	w, h := uint64(width), uint64(height)
	bitmap := m.call(bitmapCreate, w, h, bitmapGrey, 0, 0)
	if m.err == nil && bitmap == 0 {
		m.err = fmt.Errorf("%w: no memory for a picture", tree.ErrTooComplex)
	}
	m.call(bitmapFill, bitmap, 0, 0, w, h, white)
	m.call(renderPage, bitmap, page, 0, 0, w, h, 0, withAnnotations|withoutColours)
	stride := m.number(bitmapStride, bitmap)
	buffer := uint32(m.call(bitmapBuffer, bitmap))
	picture := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		if m.err != nil {
			return nil
		}
		copy(picture.Pix[y*picture.Stride:], m.read(buffer+uint32(y*stride), width))
	}
	m.call(bitmapDestroy, bitmap)
	return picture
}
