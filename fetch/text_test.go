package fetch_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/trawlhq/trawl/fetch"
)

const (
	chinese  = "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"
	hanzi    = "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。"
	nihongo  = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。"
	hangul   = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다."
	russian  = "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства."
	polish   = "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa."
	greek    = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση."
	french   = "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité."
	wideEven = unicode.LittleEndian
	wideOdd  = unicode.BigEndian
)

func encode(t testing.TB, enc encoding.Encoding, text string) []byte {
	t.Helper()
	out, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func page(head, text string) string {
	return "<!doctype html><html><head>" + head + "<title>" + text + "</title><script>var x = '<p>';</script>" +
		"<!-- a comment --></head><body class=\"main\"><p>" + text + "</p></body></html>"
}

func TestText(t *testing.T) {
	t.Parallel()
	utf16LE, utf16BE := unicode.UTF16(wideEven, unicode.IgnoreBOM), unicode.UTF16(wideOdd, unicode.IgnoreBOM)
	for name, test := range map[string]struct {
		enc         encoding.Encoding
		contentType string
		text        string
	}{
		"UTF-8":                      {encoding.Nop, "", page("", chinese)},
		"UTF-8, header lies":         {encoding.Nop, "text/html; charset=iso-8859-1", page("", french)},
		"UTF-8, meta lies":           {encoding.Nop, "text/html", page(`<meta charset="shift_jis">`, nihongo)},
		"GB18030 by header":          {simplifiedchinese.GB18030, "text/html; charset=gb18030", page("", chinese+"𠮷")},
		"GB18030 called GB2312":      {simplifiedchinese.GB18030, "text/html; charset=GB2312", page("", chinese+"𠮷")},
		"Big5 by header":             {traditionalchinese.Big5, `text/html; charset="big5"`, page("", hanzi)},
		"Shift_JIS by meta":          {japanese.ShiftJIS, "text/html", page(`<meta charset=Shift_JIS>`, nihongo)},
		"EUC-JP by meta":             {japanese.EUCJP, "", page(`<meta http-equiv="Content-Type" content="text/html; charset=euc-jp">`, nihongo)},
		"ISO-2022-JP by header":      {japanese.ISO2022JP, "text/html; charset=iso-2022-jp", page("", nihongo)},
		"ISO-2022-JP, no word of it": {japanese.ISO2022JP, "", page("", nihongo)},
		"EUC-KR by header":           {korean.EUCKR, "text/html;charset=euc-kr", page("", hangul)},
		"windows-1251 by header":     {charmap.Windows1251, "text/html; charset=windows-1251", page("", russian)},
		"windows-1251 by XML":        {charmap.Windows1251, "application/xml", `<?xml version="1.0" encoding="windows-1251"?><p>` + russian + `</p>`},
		"KOI8-R by meta":             {charmap.KOI8R, "", page(`<META CHARSET='koi8-r'>`, russian)},
		"ISO-8859-2 by header":       {charmap.ISO8859_2, "text/html; charset=iso-8859-2", page("", polish)},
		"ISO-8859-2 by meta":         {charmap.ISO8859_2, "text/html; charset=nonsense", page(`<meta charset="iso-8859-2">`, polish)},
		"windows-1252 by meta":       {charmap.Windows1252, "", page(`<meta charset="windows-1252">`, "€ „Füße“")},
		"Latin-1 by meta, short":     {charmap.Windows1252, "", page(`<meta charset="iso-8859-1">`, "é")},
		"meta far down":              {charmap.Windows1251, "", page(strings.Repeat("<!-- licence -->", 100)+`<meta charset="windows-1251">`, "Да")},
		"header lies, meta does not": {simplifiedchinese.GBK, "text/html; charset=utf-8", page(`<meta charset="gbk">`, chinese)},
		"header lies":                {charmap.Windows1251, "text/html; charset=utf-8", page("", russian)},
		"meta lies":                  {japanese.ShiftJIS, "", page(`<meta charset="utf-8">`, nihongo)},
		"GB18030, no word of it":     {simplifiedchinese.GB18030, "text/html", page("", chinese)},
		"Big5, no word of it":        {traditionalchinese.Big5, "text/html", page("", hanzi)},
		"Shift_JIS, no word of it":   {japanese.ShiftJIS, "text/html", page("", nihongo)},
		"EUC-JP, no word of it":      {japanese.EUCJP, "text/html", page("", nihongo)},
		"EUC-KR, no word of it":      {korean.EUCKR, "text/html", page("", hangul)},
		"windows-1251, no word":      {charmap.Windows1251, "text/html", page("", russian)},
		"KOI8-R, no word of it":      {charmap.KOI8R, "text/html", page("", russian)},
		"ISO-8859-2, no word of it":  {charmap.ISO8859_2, "text/html", page("", polish)},
		"windows-1250, no word":      {charmap.Windows1250, "text/html", page("", polish)},
		"ISO-8859-7, no word of it":  {charmap.ISO8859_7, "text/html", page("", greek)},
		"ISO-8859-1, no word of it":  {charmap.ISO8859_1, "text/html", page("", french)},
		"UTF-16LE by header":         {utf16LE, "text/html; charset=utf-16le", page("", russian)},
		"UTF-16BE by header":         {utf16BE, "text/html; charset=utf-16be", page("", russian)},
		"UTF-16LE, no word of it":    {utf16LE, "", page("", chinese)},
		"UTF-16BE, no word of it":    {utf16BE, "text/html", page("", chinese)},
		"UTF-16LE, bare text":        {utf16LE, "text/plain; charset=utf-16", nihongo},
		"UTF-16LE of ASCII":          {utf16LE, "", "plain old text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(fetch.Text(encode(t, test.enc, test.text), test.contentType)); got != test.text {
				t.Errorf("text = %q\nwant   %q", got, test.text)
			}
		})
	}
}

func TestTextBytes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, contentType, want string }{
		"empty":                {"", "", ""},
		"UTF-8 mark":           {"\xEF\xBB\xBFfüße", "text/html; charset=iso-8859-1", "füße"},
		"UTF-8 mark, broken":   {"\xEF\xBB\xBFf\xFCr", "", "f\uFFFDr"},
		"UTF-16LE mark":        {"\xFF\xFEa\x00\x3d\xd8\x00\xde", "text/html; charset=utf-8", "a😀"},
		"UTF-16BE mark":        {"\xFE\xFF\x00a\xd8\x3d\xde\x00", "", "a😀"},
		"UTF-16, half":         {"\xFF\xFEa\x00b", "", "a\uFFFD"},
		"UTF-16, lone half":    {"\xFF\xFE\x3d\xd8a\x00", "", "\uFFFDa"},
		"mark alone":           {"\xFF\xFE", "", ""},
		"UTF-8 cut off":        {"Grüße, Füße und mehr \xC3", "text/html; charset=utf-8", "Grüße, Füße und mehr \uFFFD"},
		"one bad byte":         {"Grüße, Füße\xFF und mehr", "", "Grüße, Füße\uFFFD und mehr"},
		"windows-1252 quotes":  {"\x93caf\xE9\x94", "text/html; charset=iso-8859-1", "“café”"},
		"bad in Shift_JIS":     {"\x82\xA0\xFF\x82\xA2", "text/html; charset=shift_jis", "あ\uFFFDい"},
		"replacement encoding": {"caf\xE9 au lait", "text/html; charset=iso-2022-kr", "café au lait"},
		"escape of a terminal": {"\x1B[31mred\x1B[0m", "text/plain", "\x1B[31mred\x1B[0m"},
		"two zeros, small":     {"<p>a\x00b</p>\x00<p>c", "text/html", "<p>a\x00b</p>\x00<p>c"},
		"a zero or two":        {"zero \x00 here and \x00 there, but this is UTF-8", "", "zero \x00 here and \x00 there, but this is UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(fetch.Text([]byte(test.body), test.contentType)); got != test.want {
				t.Errorf("text = %q, want %q", got, test.want)
			}
		})
	}
}

func TestTextDoesNotCopy(t *testing.T) {
	t.Parallel()
	body := []byte(page("", chinese))
	if text := fetch.Text(body, "text/html; charset=gbk"); &text[0] != &body[0] || len(text) != len(body) {
		t.Error("a body in UTF-8 is copied")
	}
}

// TestTextIsStable guesses often, because the detector races within itself.
func TestTextIsStable(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"\xE9", "a\xB1b\xB2c", "\xC4\xE3\xBA\xC3", "\x8A\xBF\x8E\x9A", strings.Repeat("\xE4\xF6", 20)} {
		first := fetch.Text([]byte(body), "")
		for range 50 {
			if again := fetch.Text([]byte(body), ""); !bytes.Equal(first, again) {
				t.Fatalf("%q reads %q, then %q", body, first, again)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, enc := range []encoding.Encoding{
		encoding.Nop, simplifiedchinese.GB18030, japanese.ShiftJIS, japanese.ISO2022JP, korean.EUCKR,
		charmap.Windows1251, unicode.UTF16(wideEven, unicode.UseBOM), unicode.UTF16(wideOdd, unicode.IgnoreBOM),
	} {
		body, _ := encoding.ReplaceUnsupported(enc.NewEncoder()).Bytes([]byte(page(`<meta charset="gbk">`, nihongo+russian)))
		f.Add(body, "text/html; charset=utf-8")
		f.Add(body, "")
	}
	f.Add([]byte("\x1B$B"), "text/html; charset=iso-2022-jp")
	f.Add([]byte("<script\xE9<style></SCRIPT\xE9"), "text/html; charset=hz-gb-2312")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		before := bytes.Clone(body)
		text := fetch.Text(body, contentType)
		if !utf8.Valid(text) {
			t.Errorf("not UTF-8: %q", text)
		}
		if !bytes.Equal(body, before) {
			t.Error("the body was changed")
		}
	})
}
