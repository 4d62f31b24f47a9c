package reading

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document"
)

// writer writes parts of a file as markdown.
type writer struct {
	file    *document.Result
	url     string
	options content.Options
	notes   map[string][2]int // that no page has yet; see findNotes
}

func (w *writer) write(html []byte) string {
	selection, err := content.Parse(content.Source{Body: html, ContentType: htmlType, URL: w.url}).Select(w.options)
	if err != nil { // costly selectors, which were affordable for the whole
		return ""
	}
	return selection.Markdown()
}

// mark stands around what has no other way into markdown, until that is written.
// No text has it: it is a character that Unicode will never have.
const mark = "\ufdd0"

var (
	marked   = regexp.MustCompile(mark + `(\d+)` + mark)
	noteRef  = regexp.MustCompile(`<sup><a href="#note-(\d+)" role="doc-noteref">\d+</a></sup>`)
	noteItem = regexp.MustCompile(`<li id="note-(\d+)">|</ol>\s*</section>\s*</body>`)
)

// markdown writes the part of the file between two places in its HTML. References
// to notes, which are elsewhere, look as they do in the whole.
func (w *writer) markdown(from, to int) string {
	if from < 0 || to > len(w.file.HTML) || from >= to {
		return ""
	}
	html := noteRef.ReplaceAll(w.file.HTML[from:to], []byte(mark+"$1"+mark))
	return marked.ReplaceAllString(w.write(html), "[^$1]")
}

// page writes a page with its notes: those that no page before it refers to.
func (w *writer) page(p *document.Page) string {
	text := w.markdown(p.From, p.To)
	if text == "" || !strings.Contains(text, "[^") {
		return text
	}
	if w.notes == nil {
		w.notes = w.findNotes()
	}
	var b strings.Builder
	b.WriteString(text)
	for _, ref := range noteRef.FindAllSubmatch(w.file.HTML[p.From:p.To], -1) {
		number := string(ref[1])
		if at, ok := w.notes[number]; ok {
			delete(w.notes, number)
			note := strings.ReplaceAll(w.markdown(at[0], at[1]), "\n", "\n    ")
			b.WriteString("\n\n[^" + number + "]: " + strings.ReplaceAll(note, "    \n", "\n"))
		}
	}
	return b.String()
}

// findNotes returns where the notes are in the HTML, by their numbers: they are the
// items of a list behind the last page.
func (w *writer) findNotes() map[string][2]int {
	notes := map[string][2]int{}
	start := min(max(w.file.Pages[len(w.file.Pages)-1].To, 0), len(w.file.HTML))
	number, from := "", 0
	for _, at := range noteItem.FindAllSubmatchIndex(w.file.HTML[start:], -1) {
		if number != "" {
			notes[number] = [2]int{start + from, start + at[0]}
		}
		if number = ""; at[2] >= 0 {
			number, from = string(w.file.HTML[start+at[2]:start+at[3]]), at[1]
		}
	}
	return notes
}

// withMarkers writes the whole file with a rule and a comment between two pages.
func (w *writer) withMarkers() string {
	var b []byte
	done := 0
	for i := range w.file.Pages {
		from := w.file.Pages[i].From
		if i == 0 || from < done || from > len(w.file.HTML) {
			continue
		}
		b = append(b, w.file.HTML[done:from]...)
		b = append(b, "<hr><p>"+mark+strconv.Itoa(w.file.Pages[i].Number)+mark+"</p>"...)
		done = from
	}
	return marked.ReplaceAllString(w.write(append(b, w.file.HTML[done:]...)), "<!-- page $1 -->")
}

// blockTypes are the kinds of blocks by their labels; all others are text.
var blockTypes = map[string]string{
	"list": "list", "table": "table", "code": "code", "formula": "formula", "picture": "image",
}

// addBlocks adds the blocks of all pages, and where they are in the markdown.
func (w *writer) addBlocks(ctx context.Context, doc *trawl.Document) error {
	at := &finder{}
	if doc.Markdown != nil {
		at.text = *doc.Markdown
	} else {
		at.text = w.write(w.file.HTML)
	}
	doc.Blocks = make([]trawl.PageBlocks, 0, len(w.file.Pages))
	for i := range w.file.Pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &w.file.Pages[i]
		blocks := trawl.PageBlocks{
			Number: p.Number, Width: finite(p.Width), Height: finite(p.Height), Status: p.Status, Items: []trawl.PageBlock{},
		}
		for j := range p.Blocks {
			if block := w.block(&p.Blocks[j], at); block.Content != "" || block.Type == "image" { // else it goes on from before
				block.ReadingOrder = len(blocks.Items)
				block.ID = "p" + strconv.Itoa(p.Number) + ".b" + strconv.Itoa(block.ReadingOrder)
				blocks.Items = append(blocks.Items, block)
			}
		}
		doc.Blocks = append(doc.Blocks, blocks)
	}
	return nil
}

func (w *writer) block(b *document.Block, at *finder) trawl.PageBlock {
	out := trawl.PageBlock{Type: "text", Label: b.Label, Source: "text", Content: w.markdown(b.From, b.To)}
	for k, side := range b.Box {
		out.Box[k] = finite(side)
	}
	if kind, ok := blockTypes[b.Label]; ok {
		out.Type = kind
	}
	if b.Confidence > 0 {
		sure := finite(b.Confidence)
		out.Source, out.Confidence.OCR = "ocr", &sure
	}
	out.MarkdownSpan = at.find(out.Content)
	return out
}

// finite returns a number that JSON can have.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// finder finds pieces of a text that follow one another.
type finder struct {
	text  string
	at    int // bytes that were passed
	runes int // and characters
}

// findAhead is how far ahead of the last piece the next one may begin.
const findAhead = 64 << 10

// find returns where a piece is, in characters. If it is not to be found the two
// are the same.
func (f *finder) find(piece string) [2]int {
	rest := f.text[f.at:]
	start := -1
	if piece != "" {
		start = strings.Index(rest[:min(len(rest), findAhead+len(piece))], piece)
	}
	if start < 0 {
		return [2]int{f.runes, f.runes}
	}
	from := f.runes + utf8.RuneCountInString(rest[:start])
	f.at, f.runes = f.at+start+len(piece), from+utf8.RuneCountInString(piece)
	return [2]int{from, f.runes}
}
