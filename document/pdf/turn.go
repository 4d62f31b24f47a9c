package pdf

import (
	"context"
	"image"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/layout"
)

const (
	doubtful   = 50 // mean confidence in percent below which a page may lie on its side
	enoughWord = 10 // words from which that can be told
	surelyTurn = 2  // least confidence of Tesseract in how a page is turned
)

// uprightWords recognises a picture again as it should be turned, if the page was
// put into the scanner sideways or upside down. The page is turned with it. Nil
// means that it was not, or that it is not known.
func (o *Options) uprightWords(ctx context.Context, picture *image.Gray, page *layout.Page) (found []word, upright *image.Gray) {
	if newClock(ctx).recognising(2*atOnce) != nil {
		return nil, nil
	}
	answer, err := o.run(ctx, picture, "-l", "osd", "--psm", "0")
	if err != nil { // it lacks the data for it, or the page has too few letters
		return nil, nil
	}
	quarters := quarterTurns(string(answer))
	if quarters == 0 {
		return nil, nil
	}
	upright = turned(picture, quarters)
	if found, sure, err := o.recognised(ctx, upright); err == nil && sure >= doubtful && !lying(found) {
		if quarters != 2 {
			page.Width, page.Height = page.Height, page.Width
		}
		page.Rules, page.Fills, page.Links = nil, nil, nil // they lie where they were
		return found, upright
	}
	return nil, nil
}

// lying tells whether most words are higher than wide. Tesseract reads some pages
// that lie on their side, but they are not in the order of reading then.
func lying(words []word) bool {
	high, wide := 0, 0
	for i := range words {
		switch w := &words[i]; {
		case utf8.RuneCountInString(w.text) < 4: // which may be either
		case w.height > w.width:
			high++
		default:
			wide++
		}
	}
	return high > wide
}

// quarterTurns reads Tesseract's report on how far a picture has to be turned
// clockwise, in quarters.
func quarterTurns(report string) int {
	degrees, sure := 0, 0.0
	for line := range strings.Lines(report) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "Rotate":
			degrees, _ = strconv.Atoi(value)
		case "Orientation confidence":
			sure, _ = strconv.ParseFloat(value, 64)
		}
	}
	if sure < surelyTurn || degrees%90 != 0 || degrees < 0 {
		return 0
	}
	return degrees / 90 % 4
}

// turned returns a picture that is turned clockwise.
func turned(p *image.Gray, quarters int) *image.Gray {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, width, height))
	if quarters != 2 {
		out = image.NewGray(image.Rect(0, 0, height, width))
	}
	for y := range out.Rect.Dy() {
		row := out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			switch quarters {
			case 1:
				row[x] = p.Pix[(height-1-x)*p.Stride+y]
			case 2:
				row[x] = p.Pix[(height-1-y)*p.Stride+width-1-x]
			default:
				row[x] = p.Pix[x*p.Stride+width-1-y]
			}
		}
	}
	return out
}
