package ocr

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/layout"
)

// word is a word that was recognised, in dots of the picture.
type word struct {
	text                     string
	line                     [3]int // block, paragraph and line
	left, top, width, height float32
	confidence               uint8
}

// Columns of Tesseract's table, and the level of its rows that are words.
const (
	columnLevel, columnBlock, columnLeft, columnConfidence, columnText = 0, 2, 6, 10, 11

	levelWord = "5"
)

// unsure is the confidence in percent below which a word is more likely a part of
// a picture.
const unsure = 30

// parse reads Tesseract's table of words, of which it leaves out those that are
// unsure, and the mean confidence of them all; 100 if they are few.
func parse(table []byte) (words []word, sure float64) {
	count, sum := 0, 0.0
	for row := range bytes.Lines(table) {
		fields := strings.Split(strings.TrimRight(string(row), "\r\n"), "\t")
		if len(fields) <= columnText || fields[columnLevel] != levelWord {
			continue
		}
		confidence, err := strconv.ParseFloat(fields[columnConfidence], 32)
		text := strings.TrimSpace(strings.ToValidUTF8(fields[columnText], ""))
		if err != nil || text == "" {
			continue
		}
		count, sum = count+1, sum+confidence
		if confidence < unsure {
			continue
		}
		w := word{text: text, confidence: uint8(min(confidence, 100))}
		w.line = [3]int{atoi(fields[columnBlock]), atoi(fields[columnBlock+1]), atoi(fields[columnBlock+2])}
		w.left, w.top = float32(atoi(fields[columnLeft])), float32(atoi(fields[columnLeft+1]))
		w.width, w.height = float32(atoi(fields[columnLeft+2])), float32(atoi(fields[columnLeft+3]))
		if w.width > 0 && w.height > 0 {
			words = append(words, w)
		}
	}
	if count < enoughWord {
		return words, 100
	}
	return words, sum / float64(count)
}

// atoi reads a number of the table; what is none counts as 0.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<20 {
		return 0
	}
	return n
}

// Parts of the size of a font, from the baseline.
const (
	partAscent  = 0.72 // capitals, digits and letters such as b
	partMiddle  = 0.48 // letters such as x
	partDescent = 0.21 // below, letters such as p
)

// size estimates the size of the font of a word, and where its baseline is, from
// the letters that it has.
func (w *word) size() (size, baseline float32) {
	part, below := float32(partMiddle), float32(0)
	if strings.ContainsFunc(w.text, func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || r > 0x2FF || strings.ContainsRune("bdfhkltij!?/\\()[]{}|\"'%&$#@", r)
	}) {
		part = partAscent
	}
	if strings.ContainsAny(w.text, "gjpqyQ()[]{}|,;@$") {
		below = partDescent
	}
	size = w.height / (part + below)
	return size, w.top + w.height - below*size
}

// glyphs makes glyphs of words; scale is how many points a dot is.
func glyphs(words []word, scale float32) []layout.Glyph {
	var list []layout.Glyph
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && words[to].line == words[from].line {
			to++
		}
		list = appendLine(list, words[from:to], scale)
		from = to
	}
	level(list)
	return list
}

// appendLine makes glyphs of the words of a line. Each estimate is rough, the median
// of a line is not.
func appendLine(list []layout.Glyph, words []word, scale float32) []layout.Glyph {
	sizes, baselines := make([]float32, len(words)), make([]float32, len(words))
	for i := range words {
		sizes[i], baselines[i] = words[i].size()
	}
	size, baseline := median(sizes)*scale, median(baselines)*scale
	for i := range words {
		w := &words[i]
		n := float32(utf8.RuneCountInString(w.text))
		at := float32(0)
		for _, r := range w.text {
			x := (w.left + w.width*at/n) * scale
			at++
			list = append(list, layout.Glyph{
				Box:  layout.Box{Left: x, Right: (w.left + w.width*at/n) * scale},
				Rune: r, X: x, Y: baseline, Size: size, Mark: -1, Confidence: w.confidence,
			})
		}
	}
	return list
}

func median(values []float32) float32 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// level gives all lines whose size is about that of most the same size: they differ
// by how they were measured. Then it sets how high the glyphs are.
func level(list []layout.Glyph) {
	if len(list) == 0 {
		return
	}
	sizes := make([]float32, len(list))
	for i := range list {
		sizes[i] = list[i].Size
	}
	usual := median(sizes)
	for i := range list {
		g := &list[i]
		if ratio := g.Size / usual; ratio > 0.8 && ratio < 1.2 {
			g.Size = usual
		}
		g.Top, g.Bottom = g.Y-0.8*g.Size, g.Y+0.2*g.Size
	}
}
