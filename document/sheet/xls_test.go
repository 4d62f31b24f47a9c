package sheet_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/tree"
)

// records writes records of a workbook: numbers of 16 bits as int, of 32 as
// uint32, bytes and text as they are.
type records []byte

func (r records) add(id int, values ...any) records {
	var d []byte
	for _, v := range values {
		switch v := v.(type) {
		case byte:
			d = append(d, v)
		case int:
			d = binary.LittleEndian.AppendUint16(d, uint16(v))
		case uint32:
			d = binary.LittleEndian.AppendUint32(d, v)
		case float64:
			d = binary.LittleEndian.AppendUint64(d, math.Float64bits(v))
		case string:
			d = append(d, v...)
		case []byte:
			d = append(d, v...)
		}
	}
	r = binary.LittleEndian.AppendUint16(r, uint16(id))
	r = binary.LittleEndian.AppendUint16(r, uint16(len(d)))
	return append(r, d...)
}

// wide is text as UTF-16.
func wide(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

// workbook is a file of records: those for all sheets, then one sheet of the name
// given. The version is that of the records, 0x600 or 0x500.
func workbook(version int, name []byte, globals, cells records) []byte {
	begin := records{}.add(0x809, version, 5, 0, 0).addAll(globals)
	at := len(begin) + 4 + 6 + len(name) + 4
	begin = begin.add(0x85, uint32(at), byte(0), byte(0), name).add(0x0A)
	return begin.add(0x809, version, 0x10, 0, 0).addAll(cells).add(0x0A)
}

func (r records) addAll(more records) records { return append(r, more...) }

func readXLS(t *testing.T, body []byte) *tree.Document {
	t.Helper()
	doc, err := sheet.ReadXLS(body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The file was made with LibreOffice.
func TestWorkbookFile(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/small.xls")
	if err != nil {
		t.Fatal(err)
	}
	doc := readXLS(t, body)
	want := lines("## Bestand äöü",
		"Lager{1x2} | Stand{2x1} | Anteil{2x1} | Wert{2x1} | Text{2x1}",
		"Nord | Süd",
		"1 | 2.5 | 2024-01-15 | 25.6% | -1,234.50 € | 日本語 and Ω",
		"-3 | 1000000000000000 | 2024-01-16 | 100.0% | 100.00 € | TRUE",
		"-2 | text | #DIV/0! | FALSE | [made](https://example.org/made) | [site](https://example.com/?a=1&b=2)",
		"", "## Leer", "## Versteckt (hidden)", "secret")
	if got := show(doc); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	day := time.Date(2024, 1, 15, 10, 0, 0, 0, time.UTC)
	if want := (tree.Info{Title: "Bestände", Author: "Ada", Subject: "ducks", Keywords: "a, b", Created: day, Modified: day}); doc.Info != want {
		t.Errorf("got %+v, want %+v", doc.Info, want)
	}
}

// A string may go on in the next record, in which its characters may have
// another width, and may be followed by fonts and a pronunciation.
func TestStringsOverRecords(t *testing.T) {
	t.Parallel()
	globals := records{}.
		add(0xFC, uint32(4), uint32(4),
			3, byte(0), "one",
			8, byte(0), "nar").
		add(0x3C, byte(1), wide("rowΩΩ")).
		add(0x3C, 2, byte(0x0D), 1, uint32(3), wide("ab"), uint32(9), "xyz").
		add(0x3C, 4, byte(0), "last")
	cells := records{}
	for i := range 4 {
		cells = cells.add(0xFD, 0, i, 0, uint32(i))
	}
	cells = cells.add(0xFD, 0, 9, 0, uint32(77))
	if got, want := show(readXLS(t, workbook(0x600, []byte("\x02\x00S1"), globals, cells))), lines("## S1", "one | narrowΩΩ | ab | last"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	format := "yyyy-mm-dd"
	globals := records{}.add(0x22, 1). // days since 1904
						add(0x41E, 164, len(format), byte(0), format).
						add(0xE0, 0, 0).add(0xE0, 0, 164).add(0xE0, 0, 9)
	cells := records{}.
		add(0x204, 0, 0, 0, 3, byte(0), "abc").
		add(0x203, 0, 1, 1, 43844.0).
		add(0x27E, 0, 2, 2, uint32(50<<2|3)).                                             // 50/100
		add(0xBD, 1, 0, 0, uint32(7<<2|2), 0, uint32(0x3FF00000), 0, uint32(25<<2|3), 2). // 7, 1.0, 0.25
		add(0x205, 2, 0, 0, byte(1), byte(0)).
		add(0x205, 2, 1, 0, byte(0x17), byte(1)).
		add(0x06, 2, 2, 0, 2.5, 0, uint32(0), 0).
		add(0x809, 0x600, 0x20, 0, 0).add(0x203, 5, 5, 0, 99.0).add(0x0A). // a chart
		add(0x06, 3, 0, 0, 0, 0, 0, 0xFFFF, 0, uint32(0), 0).
		add(0x207, 4, byte(0), "text").
		add(0x06, 3, 1, 0, byte(1), byte(0), byte(1), byte(0), 0, 0xFFFF, 0, uint32(0), 0).
		add(0x06, 3, 2, 0, byte(2), byte(0), byte(0x2A), byte(0), 0, 0xFFFF, 0, uint32(0), 0).
		add(0xE5, 3, 4, 5, 0, 1, 3, 1, 0, 1, 1, 9, 2, 0). // the others are no areas

		add(0x204, 4, 0, 0, 3, byte(0), "big").add(0x204, 4, 2, 0, 1, byte(0), "x").add(0x204, 5, 2, 0, 1, byte(0), "y").add(0x204, 6, 1, 0, 1, byte(0), "z")
	want := lines("## S1", "abc | 2024-01-15 | 50%", "7 | 1 | 0.25", "TRUE | #REF! | 2.5", "text | TRUE | #N/A", "big{2x2} | x", "y", " | z")
	if got := show(readXLS(t, workbook(0x600, []byte("\x02\x00S1"), globals, cells))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Programs that compute nothing write zeros or nothing for the values of formulas.
func TestNotComputed(t *testing.T) {
	t.Parallel()
	zero := records{}.add(0x203, 0, 0, 0, 1.0).add(0x06, 0, 1, 0, 0.0, 2, uint32(0), 0).add(0x06, 0, 2, 0, byte(3), byte(0), 0, 0, 0xFFFF, 2, uint32(0), 0)
	text := records{}.add(0x06, 1, 0, 0, 0, 0, 0, 0xFFFF, 0, uint32(0), 0)
	for name, test := range map[string]struct {
		cells   records
		want    string
		warning string
	}{
		"all":  {zero, "1", "no value for 2 of"},
		"none": {append(records{}.add(0x06, 1, 0, 0, 5.0, 2, uint32(0), 0), zero...), "1 | 0\n5", ""},
		"text": {text, "", "no value for 1 of"},
	} {
		doc := readXLS(t, workbook(0x600, []byte("\x02\x00S1"), records{}, test.cells))
		if got := strings.TrimSpace(strings.TrimPrefix(show(doc), "## S1")); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		if got := strings.Join(doc.Warnings, " "); !strings.Contains(got, test.warning) || test.warning == "" && got != "" {
			t.Errorf("%s: warnings %q", name, got)
		}
	}
}

func TestOlderVersions(t *testing.T) {
	t.Parallel()
	t.Run("5", func(t *testing.T) {
		t.Parallel()
		globals := records{}.add(0x42, 1251).add(0x41E, 164, byte(4), "0.00").add(0xE0, 0, 164)
		cells := records{}.add(0x204, 0, 0, 0, 3, "\xF3\xF2\xEA").add(0x203, 0, 1, 0, 1.5).add(0xD6, 0, 2, 0, 2, "\xE4\xE0", byte(0))
		if got, want := show(readXLS(t, workbook(0x500, []byte("\x03\xCC\xE8\xF0"), globals, cells))), lines("## Мир", "утк | 1.50 | да"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("4", func(t *testing.T) {
		t.Parallel()
		body := records{}.add(0x409, 0, 0x10, 0).add(0x41E, 0, byte(7), "General").add(0x41E, 0, byte(2), "0%").add(0x443, byte(0), byte(1)).
			add(0x204, 0, 0, 0, 2, "ab").add(0x27E, 0, 1, 0, uint32(50<<2|3)).add(0x0A)
		if got := show(readXLS(t, body)); got != "ab | 50%" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("2", func(t *testing.T) {
		t.Parallel()
		body := records{}.add(0x09, 2, 0x10).add(0x1E, byte(7), "General").add(0x1E, byte(4), "0.00").
			add(0x04, 0, 0, "\x00\x00\x00", byte(2), "ab").add(0x02, 0, 1, "\x00\x01\x00", 7).add(0x03, 0, 2, "\x00\x00\x00", 1.5).add(0x0A)
		if got := show(readXLS(t, body)); got != "ab | 7.00 | 1.5" {
			t.Errorf("got %s", got)
		}
	})
}

func TestHiddenSheets(t *testing.T) {
	t.Parallel()
	globals := records{}.add(0x85, uint32(0), byte(1), byte(0), "\x01\x00H").add(0x85, uint32(0), byte(2), byte(0), "\x01\x00V").
		add(0x85, uint32(0), byte(0), byte(2), "\x05\x00Chart").add(0x85, uint32(1<<30), byte(0), byte(0), "\x04\x00Gone")
	doc := readXLS(t, workbook(0x600, []byte("\x02\x00S1"), globals, records{}.add(0x203, 0, 0, 0, 5.0)))
	if got := show(doc); got != lines("## Gone", "## S1", "5") {
		t.Error(got)
	}
	if len(doc.Warnings) != 1 || !strings.Contains(doc.Warnings[0], `"Gone"`) {
		t.Errorf("warnings %q", doc.Warnings)
	}
}

func TestUnreadableWorkbooks(t *testing.T) {
	t.Parallel()
	locked := workbook(0x600, []byte("\x02\x00S1"), records{}.add(0x2F, 0, "key"), nil)
	for _, test := range []struct {
		name string
		body []byte
		want error
	}{
		{"empty", nil, tree.ErrDamaged},
		{"text", []byte("this is no workbook at all, but some text"), tree.ErrDamaged},
		{"half a compound file", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and no more"), tree.ErrDamaged},
		{"with a password", locked, tree.ErrEncrypted},
	} {
		if doc, err := sheet.ReadXLS(test.body); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, %v", test.name, doc, err)
		}
	}
}

// A file that ends early is damaged, or read as far as it goes.
func TestTruncatedWorkbooks(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/small.xls")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for n := 0; n < len(body); n += 64 {
		doc, err := sheet.ReadXLS(body[:n])
		if err == nil && strings.HasPrefix(show(doc), "## Bestand äöü") {
			read++
		} else if err != nil && !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if read == 0 {
		t.Error("no part of it could be read")
	}
}
