package picture

import "image"

const (
	maxRead     = 20_000_000 // dots that are recognised; of more, every four become one
	maxDoubled  = 4_000_000  // dots of a picture that is enlarged
	smallText   = 22         // size of letters in dots up to which a picture is enlarged
	smallLength = 1500       // dots on the longer side of a picture that may have letters too small to be found
)

func smallPicture(p *image.Gray) bool { return max(p.Rect.Dx(), p.Rect.Dy()) < smallLength }

// reduced returns a picture small enough to be recognised in good time.
func reduced(p *image.Gray) *image.Gray {
	for p.Rect.Dx()*p.Rect.Dy() > maxRead && p.Rect.Dx() > 1 && p.Rect.Dy() > 1 {
		p = halved(p)
	}
	return p
}

// halved returns a picture of half the size, in which a dot is the mean of four.
func halved(p *image.Gray) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, p.Rect.Dx()/2, p.Rect.Dy()/2))
	for y := range out.Rect.Dy() {
		upper, lower := p.Pix[2*y*p.Stride:], p.Pix[(2*y+1)*p.Stride:]
		row := out.Pix[y*out.Stride:][:out.Rect.Dx()]
		for x := range row {
			row[x] = uint8((int(upper[2*x]) + int(upper[2*x+1]) + int(lower[2*x]) + int(lower[2*x+1]) + 2) / 4)
		}
	}
	return out
}

// doubled returns a picture of twice the size, with dots in between that are means of
// their neighbours.
func doubled(p *image.Gray) *image.Gray {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, 2*width, 2*height))
	for y := range out.Rect.Dy() {
		// The middle of a dot lies a quarter away from that of the nearest old one.
		near := p.Pix[y/2*p.Stride:][:width]
		far := p.Pix[min(max(y/2+y%2*2-1, 0), height-1)*p.Stride:][:width]
		row := out.Pix[y*out.Stride:][:2*width]
		for x := range row {
			other := min(max(x/2+x%2*2-1, 0), width-1)
			row[x] = uint8((9*int(near[x/2]) + 3*int(near[other]) + 3*int(far[x/2]) + int(far[other]) + 8) / 16)
		}
	}
	return out
}
