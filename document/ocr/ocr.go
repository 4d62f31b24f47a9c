// Package ocr recognises the text of pictures with Tesseract, and makes of its words
// what package layout puts pages together from.
package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/layout"
)

// TimePerPage is about how long a page takes.
const TimePerPage = 3 * time.Second

const (
	maxWords     = 16 << 20    // bytes that Tesseract may answer for a picture
	killingGrace = time.Second // for pipes to close after a kill
)

// Engine recognises text.
type Engine struct {
	Program   string   // Tesseract, by its path
	Languages []string // that it looks for, as it names them; none is English
}

// Text is what was recognised of a picture.
type Text struct {
	Width, Height int     // of the picture as it was read, in dots
	Turns         int     // quarters that it had to be turned clockwise
	Confidence    float64 // of all words in percent; 100 if they are too few to tell

	words []word
	rules []rule
}

// Recognise reads a picture. One that seems to lie on its side is read again as it
// should be turned.
func (e *Engine) Recognise(ctx context.Context, picture *image.Gray, dpi int) (*Text, error) {
	text, err := e.read(ctx, picture, dpi)
	if err != nil {
		return nil, err
	}
	if text.Confidence < doubtful || lying(text.words) {
		if again := e.upright(ctx, picture, dpi); again != nil {
			return again, nil
		}
	}
	return text, nil
}

// Empty reports whether no word was found.
func (t *Text) Empty() bool { return len(t.words) == 0 }

// Sum returns the confidence of all words together, in words.
func (t *Text) Sum() float64 {
	sum := 0.0
	for i := range t.words {
		sum += float64(t.words[i].confidence) / 100
	}
	return sum
}

// Size returns the usual size of the letters in dots; 0 if there are none.
func (t *Text) Size() float32 {
	if t.Empty() {
		return 0
	}
	sizes := make([]float32, len(t.words))
	for i := range t.words {
		sizes[i], _ = t.words[i].size()
	}
	return median(sizes)
}

// Glyphs returns the characters where they stand; scale is how many points a dot is.
func (t *Text) Glyphs(scale float32) []layout.Glyph { return glyphs(t.words, scale) }

// read recognises a picture as it is.
func (e *Engine) read(ctx context.Context, picture *image.Gray, dpi int) (*Text, error) {
	languages := strings.Join(e.Languages, "+")
	if languages == "" {
		languages = "eng"
	}
	picture, rules := withoutRules(darkOnLight(picture))
	table, err := e.run(ctx, picture, "-l", languages, "--dpi", strconv.Itoa(dpi), "tsv")
	if err != nil {
		return nil, err
	}
	text := &Text{Width: picture.Rect.Dx(), Height: picture.Rect.Dy(), rules: rules}
	text.words, text.Confidence = parse(table)
	bullets(text.words)
	return text, nil
}

// run gives a picture to Tesseract and returns its answer.
func (e *Engine) run(ctx context.Context, picture *image.Gray, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, e.Program, append([]string{"stdin", "stdout"}, arguments...)...)
	cmd.Env = []string{"OMP_THREAD_LIMIT=1"} // more threads cost more than they gain
	if data, ok := os.LookupEnv("TESSDATA_PREFIX"); ok {
		cmd.Env = append(cmd.Env, "TESSDATA_PREFIX="+data)
	}
	// A portable grey map needs no compression on one side and none undone on the other.
	head := fmt.Sprintf("P5\n%d %d\n255\n", picture.Rect.Dx(), picture.Rect.Dy())
	cmd.Stdin = io.MultiReader(strings.NewReader(head), bytes.NewReader(picture.Pix))
	cmd.WaitDelay = killingGrace
	out := &limited{left: maxWords}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run tesseract: %w", err)
	}
	return out.Bytes(), nil
}

// limited is a buffer that refuses too much.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("too many words")
	}
	return l.Buffer.Write(p)
}
