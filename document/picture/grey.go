package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// grey returns a picture in grey, without gaps between its rows. What shines through
// is white, or black if what is drawn on it is nearly white itself.
func grey(p image.Image) *image.Gray {
	bounds := p.Bounds()
	out := image.NewGray(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	switch p := p.(type) {
	case *image.Gray:
		copyRows(out, p.Pix[p.PixOffset(bounds.Min.X, bounds.Min.Y):], p.Stride)
	case *image.YCbCr:
		copyRows(out, p.Y[p.YOffset(bounds.Min.X, bounds.Min.Y):], p.YStride)
	case *image.Paletted:
		greyPalette(out, p)
	default:
		rgba, ok := p.(*image.NRGBA)
		if !ok {
			rgba = image.NewNRGBA(out.Rect)
			draw.Draw(rgba, rgba.Rect, p, bounds.Min, draw.Src)
		}
		greyColours(out, rgba)
	}
	return out
}

func copyRows(out *image.Gray, pix []byte, stride int) {
	for y := range out.Rect.Dy() {
		copy(out.Pix[y*out.Stride:][:out.Stride], pix[y*stride:])
	}
}

func greyPalette(out *image.Gray, p *image.Paletted) {
	var table [256]uint8
	for i, c := range p.Palette {
		if i < len(table) {
			colour := color.NRGBAModel.Convert(c).(color.NRGBA)
			table[i] = over(luminance(colour.R, colour.G, colour.B), colour.A, white)
		}
	}
	for y := range out.Rect.Dy() {
		from := p.Pix[y*p.Stride:]
		row := out.Pix[y*out.Stride:][:out.Rect.Dx()]
		for x := range row {
			row[x] = table[from[x]]
		}
	}
}

const (
	white  = 255
	bright = 200 // mean from which what is drawn is nearly white
)

func greyColours(out *image.Gray, p *image.NRGBA) {
	ground := background(p)
	for y := range out.Rect.Dy() {
		from := p.Pix[y*p.Stride:]
		row := out.Pix[y*out.Stride:][:out.Rect.Dx()]
		for x := range row {
			dot := from[4*x : 4*x+4 : 4*x+4]
			row[x] = over(luminance(dot[0], dot[1], dot[2]), dot[3], ground)
		}
	}
}

// background returns what is to shine through a picture.
func background(p *image.NRGBA) uint8 {
	sum, weight, all := 0, 0, 0
	for y := range p.Rect.Dy() {
		row := p.Pix[y*p.Stride:][:4*p.Rect.Dx()]
		for ; len(row) >= 4; row = row[4:] {
			sum += int(luminance(row[0], row[1], row[2])) * int(row[3])
			weight += int(row[3])
			all += 255
		}
	}
	if weight*10 < all*9 && sum > bright*weight {
		return 0
	}
	return white
}

// luminance weighs colours as eyes do.
func luminance(r, g, b uint8) uint8 {
	return uint8((299*int(r) + 587*int(g) + 114*int(b) + 500) / 1000)
}

func over(value, alpha, ground uint8) uint8 {
	return uint8((int(value)*int(alpha) + int(ground)*(255-int(alpha)) + 127) / 255)
}
