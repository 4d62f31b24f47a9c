package sheet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/tree"
)

// ReadXLS reads a workbook of Excel 97 to 2003, of 5.0 and 95, a sheet of one of
// the versions before, or a workbook in the XML of Excel 2003. Workbooks that need
// a password give [tree.ErrEncrypted].
func ReadXLS(body []byte) (*tree.Document, error) {
	if isSpreadsheetML(body) {
		doc, err := readSpreadsheetML(body)
		if err != nil {
			return nil, fmt.Errorf("read workbook: %w", err)
		}
		return doc, nil
	}
	x := &workbook{stream: body}
	if !isRecords(body) {
		if err := x.open(body); err != nil {
			return nil, fmt.Errorf("read workbook: %w", err)
		}
	}
	if err := x.read(); err != nil {
		return nil, fmt.Errorf("read workbook: %w", err)
	}
	return x.document(), nil
}

// open finds the workbook in a compound file. Excel 97 could write one for
// Excel 95 along with its own.
func (x *workbook) open(body []byte) error {
	file, err := compound.Open(body)
	if err != nil {
		return err
	}
	if file.Has("EncryptedPackage") {
		return tree.ErrEncrypted
	}
	if x.stream = file.Stream("Workbook"); x.stream == nil {
		x.stream = file.Stream("Book")
	}
	x.info = file.Info()
	return nil
}

// isRecords reports whether a file is nothing but records, as it was before
// Excel 5.0: it begins with a record of four to sixteen bytes that says so.
func isRecords(body []byte) bool {
	return len(body) > 8 && body[0] == 0x09 && (body[1] == 0 || body[1] == 2 || body[1] == 4 || body[1] == 8) &&
		body[2] >= 4 && body[2] <= 16 && body[3] == 0
}

// workbook is a workbook of records: of a number, a length and that many bytes.
type workbook struct {
	book
	stream    []byte
	version   int // of the records: 2, 3, 4, 5 (also of Excel 95) or 8
	codePage  int
	styles    styles
	formats   int // that were met
	strings   []string
	since1904 bool
	bound     []boundSheet
	zeros     []zero
	blanks    int  // formulas whose value is an empty text
	computed  bool // a formula has a value that somebody computed
}

// boundSheet is a sheet in the list of the workbook.
type boundSheet struct {
	name   string
	at     int
	hidden bool
}

// Numbers of records.
const (
	recEOF        = 0x000A
	recDateMode   = 0x0022
	recFilePass   = 0x002F
	recContinue   = 0x003C
	recCodePage   = 0x0042
	recBoundSheet = 0x0085
	recMulRK      = 0x00BD
	recXF         = 0x00E0
	recMerged     = 0x00E5
	recSST        = 0x00FC
	recLabelSST   = 0x00FD
	recRString    = 0x00D6
	recHLink      = 0x01B8
	recRK         = 0x027E
	recFormat     = 0x041E
)

// record is a record of the stream.
type record struct {
	id   int
	data []byte
	next int // where the next one begins
}

// at returns the record at a place of the stream, and whether there is one.
func (x *workbook) at(i int) (record, bool) {
	if i < 0 || i+4 > len(x.stream) {
		return record{}, false
	}
	n := int(binary.LittleEndian.Uint16(x.stream[i+2:]))
	end := min(i+4+n, len(x.stream))
	return record{int(binary.LittleEndian.Uint16(x.stream[i:])), x.stream[i+4 : end], end}, true
}

// pieces returns the data of a record and of those that continue it.
func (x *workbook) pieces(r record) [][]byte {
	out := [][]byte{r.data}
	for {
		c, ok := x.at(r.next)
		if !ok || c.id != recContinue {
			return out
		}
		out = append(out, c.data)
		r = c
	}
}

// versionOf returns the version of records that a record begins, or 0 if it
// begins none.
func versionOf(r record) int {
	switch r.id {
	case 0x0009:
		return 2
	case 0x0209:
		return 3
	case 0x0409:
		return 4
	case 0x0809:
		if len(r.data) >= 2 && r.data[1] == 6 {
			return 8
		}
		return 5
	}
	return 0
}

var errNoWorkbook = errors.New("no workbook")

// read reads the part that holds for all sheets, and then the sheets.
func (x *workbook) read() error {
	first, ok := x.at(0)
	x.version = versionOf(first)
	if !ok || x.version == 0 {
		return fmt.Errorf("%w: %w", errNoWorkbook, tree.ErrDamaged)
	}
	if err := x.globals(first.next); err != nil {
		return err
	}
	if x.version < 5 { // one sheet, and nothing around it
		x.readSheet(x.sheet(""), 0)
		return nil
	}
	for _, s := range x.bound[:x.allowed(len(x.bound))] {
		g := x.sheet(s.name)
		g.hidden = s.hidden
		if !x.readSheet(g, s.at) {
			x.warnings = append(x.warnings, fmt.Sprintf("The sheet %q could not be read completely.", g.name))
		}
	}
	x.dropZeros()
	return nil
}

// globals reads what holds for all sheets.
func (x *workbook) globals(from int) error {
	for r, ok := x.at(from); ok && r.id != recEOF; r, ok = x.at(r.next) {
		d := fields(r.data)
		switch r.id {
		case recFilePass:
			return tree.ErrEncrypted
		case recCodePage:
			x.codePage = d.u16(0)
		case recDateMode:
			x.since1904 = d.u16(0) == 1
		case recFormat, 0x001E:
			x.format(d, r.id)
		case recXF:
			x.styles.add(d.u16(2))
		case 0x0243, 0x0443: // of versions 3 and 4
			x.styles.add(int(d.u8(1)))
		case recBoundSheet:
			x.boundSheet(d)
		case recSST:
			var all bool
			x.strings, all = sharedStrings(x.pieces(r))
			x.manyStrings = !all
		}
	}
	return nil
}

// format notes the code of a number format. Before version 5 they are numbered
// in the order in which they stand.
func (x *workbook) format(d fields, id int) {
	number, from := x.formats, 0
	switch {
	case x.version >= 5:
		number, from = d.u16(0), 2
	case id == recFormat:
		from = 2
	}
	x.formats++
	if x.version == 8 {
		x.styles.define(number, wideString(d.from(from)))
	} else {
		x.styles.define(number, x.byteString(d.from(from), 1))
	}
}

// boundSheet notes a sheet, if it is one of cells.
func (x *workbook) boundSheet(d fields) {
	state, typ := d.u8(4), d.u8(5)
	if typ != 0 {
		return
	}
	name := x.byteString(d.from(6), 1)
	if x.version == 8 {
		name = shortString(d.from(6))
	}
	x.bound = append(x.bound, boundSheet{name, int(d.u32(0)), state&3 != 0})
}
