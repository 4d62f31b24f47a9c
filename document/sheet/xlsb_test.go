package sheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/tree"
)

// binaryPart is a part of records.
type binaryPart []byte

// add adds a record. Its fields are numbers of one, two and four bytes, floats, and
// texts with their lengths in front of them.
func (p binaryPart) add(id int, values ...any) binaryPart {
	var data []byte
	for _, v := range values {
		switch v := v.(type) {
		case byte:
			data = append(data, v)
		case uint16:
			data = binary.LittleEndian.AppendUint16(data, v)
		case int:
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		case float64:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		case string:
			units := utf16.Encode([]rune(v))
			data = binary.LittleEndian.AppendUint32(data, uint32(len(units)))
			for _, u := range units {
				data = binary.LittleEndian.AppendUint16(data, u)
			}
		}
	}
	if id < 128 {
		p = append(p, byte(id))
	} else {
		p = append(p, byte(id)|0x80, byte(id>>7))
	}
	n := len(data)
	for n >= 128 {
		p = append(p, byte(n)|0x80)
		n >>= 7
	}
	return append(append(p, byte(n)), data...)
}

// binaryBook is a binary workbook with one sheet, whose cells are records, and perhaps
// more parts.
func binaryBook(t testing.TB, cells binaryPart, more ...string) []byte {
	t.Helper()
	book := binaryPart{}.add(153, 0, 0).add(156, 0, 1, "rId1", "First").add(156, 1, 2, "rId2", "Hidden").add(156, 0, 3, "rId3", "Last")
	styles := binaryPart{}.add(44, uint16(164), "0.00%").add(626).add(47, uint16(0xFFFF), uint16(14)).add(627).
		add(617).add(47, uint16(0), uint16(0)).add(47, uint16(0), uint16(164)).add(47, uint16(0), uint16(14)).add(618)
	parts := []string{
		"_rels/.rels", relations("a officeDocument xl/workbook.bin"),
		"xl/workbook.bin", string(book),
		"xl/_rels/workbook.bin.rels", relations("rId1 worksheet sheet1.bin", "rId2 worksheet sheet2.bin", "rId3 worksheet sheet3.bin", "s sharedStrings strings.bin", "f styles styles.bin"),
		"xl/strings.bin", string(binaryPart{}.add(159, 2, 2).add(19, byte(0), "shared é").add(19, byte(1), "rich 😀", 1, uint16(0), uint16(0)).add(160)),
		"xl/styles.bin", string(styles),
		"xl/sheet1.bin", string(append(binaryPart{}.add(129), append(cells, binaryPart{}.add(130)...)...)),
		"xl/sheet2.bin", string(binaryPart{}.add(0, 0).add(6, 0, 0, "secret").add(130)),
		"xl/sheet3.bin", string(binaryPart{}.add(0, 0).add(6, 0, 0, "end").add(130)),
	}
	var buffer bytes.Buffer
	z := zip.NewWriter(&buffer)
	for i, all := 0, append(more, parts...); i < len(all); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: all[i], Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(all[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func TestXLSB(t *testing.T) {
	t.Parallel()
	cells := binaryPart{}.
		add(0, 0, 0).add(7, 0, 0, 0).add(7, 1, 0, 1).add(6, 2, 0, "inline").add(62, 3, 0, byte(0), "rich").
		add(0, 1, 0).add(2, 0, 0, 7<<2|2).add(5, 1, 1, 0.1234).add(5, 2, 2, 45306.0).add(4, 3, 0, byte(1)).
		add(0, 2, 0).add(8, 0, 0, "text of a formula", uint16(0)).add(9, 1, 0, 2.5, uint16(0)).add(10, 2, 0, byte(0), uint16(0)).add(11, 3, 0, byte(7), uint16(0)).
		add(0, 3, 0).add(6, 0, 0, "merged").add(13, 0, 5<<2|2).add(17, 0, "short"). // at the columns that follow
		add(0, 4, 0).add(6, 0, 0, "link").
		add(176, 3, 4, 0, 0).add(176, 0, 0, 2, 3).
		add(494, 4, 4, 0, 0, "h", "", "", "")
	link := relations("h hyperlink https://h.test/ External")
	doc, err := sheet.ReadXLSB(binaryBook(t, cells, "xl/_rels/sheet1.bin.rels", link))
	if err != nil {
		t.Fatal(err)
	}
	want := lines("## First", "shared é | rich 😀 | inline{1x2}", "7 | 12.34% | 1/15/2024 | TRUE", "text of a formula | 2.5 | FALSE | #DIV/0!", "merged{2x1} | 5 | short", "", "", "## Hidden (hidden)", "secret", "", "## Last", "end")
	if got := show(doc); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(doc.Warnings) > 0 {
		t.Errorf("got warnings %q", doc.Warnings)
	}
	unmerged := binaryPart{}.add(0, 0).add(6, 0, 0, "link").add(494, 0, 0, 0, 0, "h", "", "", "")
	doc, err = sheet.ReadXLSB(binaryBook(t, unmerged, "xl/_rels/sheet1.bin.rels", link))
	if err != nil || !strings.Contains(show(doc), "[link](https://h.test/)") {
		t.Errorf("got %v, %v", doc, err)
	}
}

// TestXLSB1904 is about workbooks whose days are counted from 1904 on.
func TestXLSB1904(t *testing.T) {
	t.Parallel()
	book := binaryPart{}.add(153, 1, 0).add(156, 0, 1, "rId1", "S")
	doc, err := sheet.ReadXLSB(binaryBook(t, binaryPart{}.add(0, 0).add(5, 0, 2, 0.0), "xl/workbook.bin", string(book)))
	if err != nil || !strings.Contains(show(doc), "1/1/1904") {
		t.Errorf("got %v, %v", doc, err)
	}
}

func TestBadXLSB(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		cells binaryPart
		want  string
	}{
		{"a record that is longer than the part", append(binaryPart{}.add(0, 0).add(6, 0, 0, "kept"), 6, 0xFF, 0xFF, 0xFF, 0x7F), "kept"},
		{"a text that is longer than its record", append(binaryPart{}.add(0, 0), 6, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 'k', 0), "k"},
		{"a string that is not there", binaryPart{}.add(0, 0).add(7, 0, 0, 1<<30).add(6, 1, 0, "kept"), "kept"},
		{"cells far out", binaryPart{}.add(0, -1).add(6, -1, 0, "far").add(0, 0).add(6, 0, 0, "kept"), "kept"},
		{"areas that are none", binaryPart{}.add(0, 0).add(6, 0, 0, "kept").add(176, -1, 0, -1, 0).add(176, 0, -1, 0, -1).add(494, 0, -1, 0, -1, "h"), "kept"},
		{"cells without their fields", binaryPart{}.add(0).add(2).add(5).add(7).add(8).add(62).add(12).add(6, 0, 0, "kept"), "kept"},
	} {
		doc, err := sheet.ReadXLSB(binaryBook(t, test.cells))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := show(doc); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s", test.name, got)
		}
	}
	for name, body := range map[string][]byte{
		"nothing": nil, "no sheets": binaryBook(t, nil, "xl/workbook.bin", string(binaryPart{}.add(153, 0))), "XML": archive(t, []string{data("a|b")}, nil),
	} {
		if _, err := sheet.ReadXLSB(body); !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzXLSB fuzzes the records of a sheet, and those of strings and styles.
func FuzzXLSB(f *testing.F) {
	f.Add([]byte(binaryPart{}.add(0, 0, 0).add(7, 0, 0, 1).add(2, 1, 1, 7<<2|2).add(5, 2, 2, 45306.0).add(176, 0, 1, 0, 1).add(494, 0, 0, 0, 0, "h")), []byte(binaryPart{}.add(19, byte(0), "a").add(44, uint16(164), "0.00").add(617).add(47, uint16(0), uint16(164))))
	f.Add([]byte(binaryPart{}.add(0, 9).add(8, 0, 0, "x").add(18, 0, 1).add(62, 3, 0, byte(0), "r").add(550, "d")), []byte{})
	f.Fuzz(func(t *testing.T, cells, more []byte) {
		check(t, sheet.ReadXLSB, binaryBook(t, cells, "xl/strings.bin", string(more), "xl/styles.bin", string(more)))
	})
}
