package codepage_test

import (
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/codepage"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		page  int
		bytes string
		want  string
	}{
		{1252, "Caf\xE9 \x80", "Café €"},
		{437, "Caf\x82", "Café"},
		{850, "\x9B", "ø"},
		{852, "\x9C", "ť"},
		{866, "\x8F\xE0\xA8", "При"},
		{874, "\xA1", "ก"},
		{932, "\x93\xFA\x96\x7B", "日本"},
		{936, "\xD6\xD0", "中"},
		{949, "\xC7\xD1", "한"},
		{950, "\xA4\xA4", "中"},
		{1250, "\x9E", "ž"},
		{1251, "\xCF\xF0\xE8", "При"},
		{1253, "\xE1", "α"},
		{1254, "\xFE", "ş"},
		{1255, "\xE0", "א"},
		{1256, "\xC7", "ا"},
		{1257, "\xE0", "ą"},
		{1258, "\xFE", "₫"},
		{1200, "\x1F\x04=\xD8\x00\xDE", "П😀"},
		{10000, "Caf\x8E", "Café"},
		{10007, "\x8F", "П"},
		{20866, "\xF0", "П"},
		{32768, "Caf\x8E", "Café"},
		{65001, "При", "При"},
		{65001, "a\xFFb", "a\uFFFDb"},
		{932, "a\x93", "a\uFFFD"},
		{1200, "a\x00b", "a\uFFFD"},
		{0, "Caf\xE9", "Café"},
		{12345, "Caf\xE9", "Café"},
	} {
		if got := codepage.Decode(test.page, []byte(test.bytes)); got != test.want {
			t.Errorf("%d: got %q, want %q", test.page, got, test.want)
		}
	}
	if !codepage.Known(1251) || codepage.Known(0) || codepage.Known(12345) {
		t.Error("code pages that are known are not those that should be")
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id   int
		tag  string
		page int
	}{
		{0x0409, "en-US", 1252}, {0x1009, "en", 1252}, {0x0419, "ru", 1251}, {0x0415, "pl", 1250}, {0x0408, "el", 1253}, {0x041F, "tr", 1254},
		{0x040D, "he", 1255}, {0x0401, "ar", 1256}, {0x0427, "lt", 1257}, {0x042A, "vi", 1258}, {0x041E, "th", 874}, {0x0411, "ja", 932},
		{0x0412, "ko", 949}, {0x0804, "zh-Hans", 936}, {0x0404, "zh-Hant", 950}, {0, "", 1252}, {0x03FF, "", 1252},
	} {
		if got := codepage.Language(test.id); got != test.tag {
			t.Errorf("%#x: got %q, want %q", test.id, got, test.tag)
		}
		if got := codepage.OfLanguage(test.id); got != test.page {
			t.Errorf("%#x: got %d, want %d", test.id, got, test.page)
		}
	}
}

// Every code page that a number stands for can be decoded.
func TestKnown(t *testing.T) {
	t.Parallel()
	for charset := range 256 {
		if page := codepage.OfCharset(charset); page != 0 && !codepage.Known(page) {
			t.Errorf("character set %d is in the unknown code page %d", charset, page)
		}
	}
	for id := range 1 << 16 {
		if page := codepage.OfLanguage(id); !codepage.Known(page) {
			t.Errorf("language %#x is in the unknown code page %d", id, page)
		}
	}
	if got := codepage.OfCharset(204); got != 1251 {
		t.Errorf("the Cyrillic set is in code page %d", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(932, []byte("\x93\xFA\x96"))
	f.Add(1200, []byte("a\x00\x00\xD8"))
	f.Add(65001, []byte("\xEF\xBB\xBF\xC3"))
	f.Fuzz(func(t *testing.T, page int, b []byte) {
		if got := codepage.Decode(page, b); !utf8.ValidString(got) {
			t.Errorf("got %q", got)
		}
	})
}
