package ocr

import (
	"context"
	"image"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	doubtful   = 50 // mean confidence in percent below which a page may lie on its side
	enoughWord = 10 // words from which that can be told
	surelyTurn = 2  // least confidence of Tesseract in how a page is turned
)

// upright recognises a picture again as it should be turned, if the page was put into
// the scanner sideways or upside down. Nil means that it was not, or that it is not
// known.
func (e *Engine) upright(ctx context.Context, picture *image.Gray, dpi int) *Text {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < 2*TimePerPage {
		return nil
	}
	report, err := e.run(ctx, picture, "-l", "osd", "--psm", "0")
	if err != nil { // it lacks the data for it, or the page has too few letters
		return nil
	}
	turns := quarterTurns(string(report))
	if turns == 0 {
		return nil
	}
	text, err := e.read(ctx, Turned(picture, turns), dpi)
	if err != nil || text.Confidence < doubtful || lying(text.words) {
		return nil
	}
	text.Turns = turns
	return text
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

// Turned returns a picture that is turned clockwise by so many quarters, 1 to 3.
func Turned(p *image.Gray, quarters int) *image.Gray {
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
