package sheet_test

import (
	"errors"
	"os"
	"testing"

	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/tree"
)

// check reads a file and looks at what no file may bring about.
func check(t *testing.T, read func([]byte) (*tree.Document, error), body []byte) {
	doc, err := read(body)
	if err != nil {
		if !errors.Is(err, tree.ErrDamaged) && !errors.Is(err, tree.ErrTooComplex) && !errors.Is(err, tree.ErrEncrypted) {
			t.Errorf("an error of no kind: %v", err)
		}
		return
	}
	for _, b := range doc.Body {
		table, ok := b.(*tree.Table)
		if !ok {
			continue
		}
		for _, row := range table.Rows {
			for i := range row.Cells {
				if c := &row.Cells[i]; c.Columns < 0 || c.Rows < 0 || int(c.Rows) > len(table.Rows) {
					t.Errorf("a cell spans %d columns and %d rows", c.Columns, c.Rows)
				}
			}
		}
	}
	tree.Write(doc, 1<<20)
}

// FuzzSheetXML fuzzes the parts of a workbook rather than its archive.
func FuzzSheetXML(f *testing.F) {
	f.Add(data("a|b", "", "1|2")+`<mergeCells><mergeCell ref="A1:B2"/></mergeCells>`, `<cellXfs><xf numFmtId="14"/></cellXfs>`)
	f.Add(`<sheetData><row r="9"><c r="ZZ9" t="inlineStr" s="1"><is><t>x</t></is></c><c><f>HYPERLINK("http://a")</f><v>1</v></c></row></sheetData>`, `<numFmt numFmtId="1" formatCode="0;;"/>`)
	f.Fuzz(func(t *testing.T, cells, styles string) {
		check(t, sheet.ReadXLSX, archive(t, []string{cells}, map[string]string{"xl/styles.xml": styles, "xl/sharedStrings.xml": cells}))
	})
}

func FuzzXLSX(f *testing.F) {
	f.Add(archive(f, []string{data("a|b", "1|2")}, nil))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, sheet.ReadXLSX, body) })
}

func FuzzXLS(f *testing.F) {
	if body, err := os.ReadFile("testdata/small.xls"); err == nil {
		f.Add(body)
	}
	globals := records{}.add(0xFC, uint32(1), uint32(1), 3, byte(0), "on").add(0x3C, byte(1), wide("e")).add(0x41E, 164, 4, byte(0), "0.00").add(0xE0, 0, 164)
	cells := records{}.add(0xFD, 0, 0, 0, uint32(0)).add(0xE5, 1, 0, 1, 0, 1).add(0xBD, 1, 0, 0, uint32(7<<2|2), 0, uint32(3), 1).add(0x207, 4, byte(0), "text")
	f.Add(workbook(0x600, []byte("\x02\x00S1"), globals, cells))
	f.Add(workbook(0x500, []byte("\x02S1"), globals, cells))
	f.Add([]byte(spreadsheetML))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, sheet.ReadXLS, body) })
}

func FuzzCSV(f *testing.F) {
	for _, text := range []string{"a,b\n1,2", "sep=;\n\"a;b\n", "\xff\xfea\x00,\x00", "a\t\"b\"\"\n|,;\xe9"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, body []byte) { check(t, sheet.ReadCSV, body) })
}
