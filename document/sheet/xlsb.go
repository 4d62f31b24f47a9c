package sheet

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// ReadXLSB reads a binary workbook of Excel 2007 and later: an archive as that of an
// xlsx file, with records in the place of XML. A sheet that is damaged is read as far
// as it goes, with a warning.
func ReadXLSB(body []byte) (*tree.Document, error) {
	archive, err := zipped.Open(body)
	if err != nil {
		return nil, fmt.Errorf("read workbook: %w", err)
	}
	b := &binaryPack{pack{archive: archive}}
	if err := b.read(); err != nil {
		return nil, fmt.Errorf("read workbook: %w", err)
	}
	doc := b.document()
	doc.Incomplete(archive.Damage())
	return doc, nil
}

// binaryPack is a workbook whose parts are records.
type binaryPack struct{ pack }

// Numbers of binary records.
const (
	binRow          = 0
	binBlank        = 1
	binRK           = 2
	binError        = 3
	binBool         = 4
	binReal         = 5
	binString       = 6
	binShared       = 7
	binFmlaString   = 8
	binFmlaNumber   = 9
	binFmlaBool     = 10
	binFmlaError    = 11
	binShortBlank   = 12
	binShortShared  = 18
	binSharedItem   = 19
	binFormat       = 44
	binXF           = 47
	binRichString   = 62
	binEndSheet     = 130
	binProperties   = 153
	binSheet        = 156
	binMerged       = 176
	binLink         = 494
	binDrawing      = 550
	binCellStyles   = 617
	binCellStylesTo = 618
)

// binaryRecords goes over the records of a part: a number in one byte or two, a length
// in up to four, of which each has seven bits, and so many bytes.
type binaryRecords struct {
	rest []byte
	id   int
	data fields
	cut  bool // the last record is not whole
}

// next goes on to the next record, and reports whether there is one.
func (r *binaryRecords) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	r.id = r.number(2)
	n := r.number(4)
	if n > len(r.rest) {
		n, r.cut = len(r.rest), true
	}
	r.data, r.rest = fields(r.rest[:n]), r.rest[n:]
	return true
}

// number reads a number of at most so many bytes.
func (r *binaryRecords) number(most int) int {
	n := 0
	for i := 0; i < most; i++ {
		if len(r.rest) == 0 {
			r.cut = true
			break
		}
		c := r.rest[0]
		r.rest = r.rest[1:]
		n |= int(c&0x7F) << (7 * i)
		if c&0x80 == 0 {
			break
		}
	}
	return n
}

// records opens a part. Of one that is damaged, what is readable.
func (b *binaryPack) records(name string) (*binaryRecords, error) {
	data, err := b.archive.Read(name)
	if len(data) == 0 && err != nil {
		return nil, err
	}
	return &binaryRecords{rest: data}, err
}

// wide returns a text of which the length stands in front, and how many bytes both
// have. One that is not there has the length -1.
func (d fields) wide(i int) (text string, size int) {
	n := d.u32(i)
	if n == 1<<32-1 {
		return "", 4
	}
	n = min(n, uint32(len(d.from(i+4))/2))
	return utf16Text(d.from(i+4), int(n)), 4 + 2*int(n)
}

func (b *binaryPack) read() error {
	main := "xl/workbook.bin"
	for _, r := range b.relations("") {
		if r.kind == "officeDocument" {
			main = r.target
		}
	}
	entries, err := b.workbook(main)
	if err != nil {
		return err
	}
	relations := b.relations(main)
	for _, r := range relations {
		switch r.kind {
		case "sharedStrings":
			b.readStrings(r.target)
		case "styles":
			b.readStyles(r.target)
		}
	}
	for _, e := range entries[:b.allowed(len(entries))] {
		b.sheetOf(e, relations[e.id])
	}
	b.properties()
	return nil
}

// workbook reads the list of sheets.
func (b *binaryPack) workbook(name string) ([]entry, error) {
	r, err := b.records(name)
	if r == nil {
		return nil, fmt.Errorf("%w: %w", err, tree.ErrDamaged)
	}
	var entries []entry
	for r.next() {
		switch r.id {
		case binProperties:
			b.since1904 = r.data.u32(0)&1 != 0
		case binSheet:
			id, size := r.data.wide(8)
			title, _ := r.data.wide(8 + size)
			entries = append(entries, entry{title, id, r.data.u32(0) != 0})
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: %w", errNoWorkbook, tree.ErrDamaged)
	}
	return entries, nil
}

// readStrings reads the strings that cells refer to by number.
func (b *binaryPack) readStrings(name string) {
	r, _ := b.records(name)
	for r != nil && r.next() {
		if r.id != binSharedItem {
			continue
		}
		if len(b.strings) == maxStrings {
			b.manyStrings = true
			return
		}
		text, _ := r.data.wide(1)
		b.strings = append(b.strings, text)
	}
}

// readStyles reads the styles of cells.
func (b *binaryPack) readStyles(name string) {
	r, _ := b.records(name)
	inCells := false
	for r != nil && r.next() {
		switch r.id {
		case binFormat:
			if id := r.data.u16(0); len(b.styles.codes) < maxFormats {
				code, _ := r.data.wide(2)
				b.styles.define(id, code)
			}
		case binCellStyles, binCellStylesTo:
			inCells = r.id == binCellStyles
		case binXF:
			if inCells {
				b.styles.add(r.data.u16(2))
			}
		}
	}
}

// sheetOf reads a sheet of whatever kind it is.
func (b *binaryPack) sheetOf(e entry, r relation) {
	if r.kind != "worksheet" && r.kind != "chartsheet" {
		return
	}
	g := b.sheet(e.name)
	g.hidden = e.hidden
	if !b.readSheet(g, r.target) {
		b.warnings = append(b.warnings, fmt.Sprintf("The sheet %q could not be read completely.", strings.TrimSpace(e.name)))
	}
}
