package sheet_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/tree"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"commas", "a,b\n1,2\n", lines("a | b", "1 | 2")},
		{"semicolons, with commas in numbers", "a;b;c\n1,5;2,5;3,5\n4,5;5;6\n", lines("a | b | c", "1,5 | 2,5 | 3,5", "4,5 | 5 | 6")},
		{"tabs", "a\tb, c\n1\t2\n", lines("a | b, c", "1 | 2")},
		{"bars", "a|b\r\n1|2\r\n", lines("a | b", "1 | 2")},
		{"quotes", "a,\"b, \"\"c\"\"\"\n\"line one\nline two\",2\n", lines(`a | b, "c"`, "line one", "line two | 2")},
		{"a quote that is none", "a,5\" pipe\n1,2\n", lines(`a | 5" pipe`, "1 | 2")},
		{"one column", "a\nb\n", lines("a", "b")},
		{"told to Excel", "sep=;\na,b;c\n", "a,b | c"},
		{"short and empty lines", "a,b,c\n\n1\n,,3\n", lines("a | b | c", "1", " |  | 3")},
		{"empty columns", "a,,b\n1,,2\n", lines("a | b", "1 | 2")},
		{"blank lines and no table", "\n\n", ""},
		{"nothing", "", ""},
	} {
		doc, err := sheet.ReadCSV([]byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := show(doc); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestCSVEncodings(t *testing.T) {
	t.Parallel()
	german := strings.Repeat("Müller,Straße für Ölfässer\n", 20)
	for _, test := range []struct {
		name, text string
		encoding   encoding.Encoding
	}{
		{"UTF-8", german, encoding.Nop},
		{"UTF-8 with a mark", "\uFEFF" + german, encoding.Nop},
		{"UTF-16", german, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
		{"UTF-16, big endian", german, unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
		{"UTF-16 without a mark", german, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		{"Windows-1252", german, charmap.Windows1252},
		{"Windows-1251", strings.Repeat("утка,Привет всем читателям\n", 20), charmap.Windows1251},
		{"Shift JIS", strings.Repeat("これは,日本語のテキストです\n", 20), japanese.ShiftJIS},
	} {
		body, err := test.encoding.NewEncoder().Bytes([]byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := sheet.ReadCSV(body)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(test.text, "\uFEFF"), ",", " | "))
		if got := show(doc); got != want {
			t.Errorf("%s: got %.60q, want %.60q", test.name, got, want)
		}
	}
}

func TestLargeCSV(t *testing.T) {
	t.Parallel()
	doc, err := sheet.ReadCSV([]byte(strings.Repeat("1,2,3,4\n", 250_001)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(doc.Body[0].(*tree.Table).Rows); n != 250_000 || len(doc.Warnings) != 1 {
		t.Errorf("%d rows, warnings %q", n, doc.Warnings)
	}
}

// TestEndlessCSVLine has a line of more values than there can be.
func TestEndlessCSVLine(t *testing.T) {
	t.Parallel()
	doc, err := sheet.ReadCSV([]byte("a,b\n" + strings.Repeat(",", 5_000_000) + "\n1,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := show(doc); got != "a | b" || len(doc.Warnings) != 1 {
		t.Errorf("%.60q, warnings %q", got, doc.Warnings)
	}
}

func TestNoCSV(t *testing.T) {
	t.Parallel()
	if _, err := sheet.ReadCSV([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")); !errors.Is(err, tree.ErrDamaged) {
		t.Error(err)
	}
}
