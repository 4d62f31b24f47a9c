package ocr

import "image"

// darkPaper is the mean brightness below which a picture shows light text on a dark
// ground, which Tesseract reads badly.
const darkPaper = 100

// darkOnLight returns a picture whose ground is light.
func darkOnLight(p *image.Gray) *image.Gray {
	if brightness(p) >= darkPaper {
		return p
	}
	out := &image.Gray{Pix: make([]uint8, len(p.Pix)), Stride: p.Stride, Rect: p.Rect}
	for i, value := range p.Pix {
		out.Pix[i] = paper - value
	}
	return out
}

// brightness returns the mean of all dots.
func brightness(p *image.Gray) float64 {
	sum := 0
	for _, value := range p.Pix {
		sum += int(value)
	}
	return float64(sum) / float64(max(len(p.Pix), 1))
}
