package sheet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/saintfish/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// ReadCSV reads a table whose values are separated by commas, semicolons, tabs or
// bars, whichever divides its lines most evenly, in whatever encoding it seems to
// be. It is one table without a heading.
func ReadCSV(body []byte) (*tree.Document, error) {
	text := decodeText(body)
	if bytes.IndexByte(text[:min(len(text), 4096)], 0) >= 0 {
		return nil, fmt.Errorf("read csv: no text: %w", tree.ErrDamaged)
	}
	delimiter, text := separator(text)
	whole := len(text)
	text = usable(text, delimiter)
	b := &book{}
	g := b.sheet("")
	r := newCSV(text, delimiter)
	for row := int32(0); !b.full && row < maxRow; row++ {
		record, err := r.Read()
		if err != nil {
			break
		}
		for i, value := range record {
			value = strings.TrimSpace(value)
			_, notNumber := strconv.ParseFloat(value, 64)
			b.add(g, place{row, int32(i)}, value, notNumber == nil)
		}
	}
	if len(g.cells) == 0 {
		return b.document(), nil
	}
	budget := maxEmitted
	table, complete := g.table(g.cells, &budget)
	g.cells = nil
	doc := b.document()
	doc.Body = []tree.Block{table}
	if !complete || r.InputOffset() < int64(whole) && !b.full {
		doc.Warnings = append(doc.Warnings, "The table is too large; rows at its end are left out.")
	}
	return doc, nil
}

// usable returns the text up to where more values would have begun than are ever
// written, so that a line without an end does not take up all memory.
func usable(text []byte, delimiter rune) []byte {
	left := 2 * maxEmitted // some may stand in quotes
	for i, c := range text {
		if c == '\n' || rune(c) == delimiter {
			if left--; left == 0 {
				return text[:i]
			}
		}
	}
	return text
}

func newCSV(text []byte, delimiter rune) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = delimiter, true, -1, true
	return r
}

// sampled is how much of a file is looked at to find out how it is written.
const sampled = 64 << 10

// separator returns what separates the values, and the text after a line that
// tells so to Excel.
func separator(text []byte) (rune, []byte) {
	if line, rest, ok := bytes.Cut(text, []byte("\n")); ok && hasFold(string(line[:min(len(line), 4)]), "sep=") {
		if r, _ := utf8.DecodeRune(line[4:]); r > ' ' && r != '"' && r < utf8.RuneSelf || r == '\t' {
			return r, rest
		}
	}
	sample := text[:min(len(text), sampled)]
	best, most := ',', 0.0
	for _, r := range ",;\t|" {
		if score := evenness(sample, r); score > most {
			best, most = r, score
		}
	}
	return best, text
}

// evenness tells how well a separator divides lines: which share of them has the
// number of values that most have, and a little for that number.
func evenness(sample []byte, delimiter rune) float64 {
	counts := map[int]int{}
	lines := 0
	r := newCSV(sample, delimiter)
	for lines < 200 {
		record, err := r.Read()
		if err != nil {
			break
		}
		lines++
		counts[len(record)]++
	}
	best := 0.0
	for values, n := range counts {
		if values > 1 {
			best = max(best, float64(n)/float64(lines)+min(float64(values), 50)/1000)
		}
	}
	return best
}

// decodeText returns text as UTF-8. What is not, and has no mark that tells, is
// in the encoding that it looks most like.
func decodeText(body []byte) []byte {
	sample := body[:min(len(body), sampled)]
	var e encoding.Encoding
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		body = body[3:]
	case bytes.HasPrefix(body, []byte("\xff\xfe")), looksWide(sample, 1):
		e = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(body, []byte("\xfe\xff")), looksWide(sample, 0):
		e = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case !utf8.Valid(body):
		e = guess(sample)
	}
	if e != nil {
		if text, err := e.NewDecoder().Bytes(body); err == nil {
			return text
		}
	}
	return bytes.ToValidUTF8(body, []byte("\uFFFD"))
}

// looksWide reports whether most bytes at every second place are zero.
func looksWide(sample []byte, from int) bool {
	zeros := 0
	for i := from; i < len(sample); i += 2 {
		if sample[i] == 0 {
			zeros++
		}
	}
	return len(sample) > 3 && zeros > len(sample)/4
}

func guess(sample []byte) encoding.Encoding {
	found, err := chardet.NewTextDetector().DetectBest(sample)
	if err != nil || found.Confidence < 30 || found.Charset == "UTF-8" {
		return charmap.Windows1252
	}
	e, err := htmlindex.Get(found.Charset)
	if err != nil {
		return charmap.Windows1252
	}
	return e
}
