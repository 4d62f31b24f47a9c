package markup

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// declaration is where XML says how it is encoded.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})`)

// Decode returns HTML as valid UTF-8. A mark of the byte order counts most, then the
// label, which may be empty, then what the HTML says itself.
func Decode(body []byte, label string) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(body[3:]), "\ufffd")
	case bytes.HasPrefix(body, []byte("\xff\xfe")), bytes.HasPrefix(body, []byte("\xfe\xff")):
		return convert(body, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))
	}
	head := body[:min(len(body), 1024)]
	if label == "" {
		if m := declaration.FindSubmatch(head); m != nil {
			label = string(m[1])
		}
	}
	if e := Encoding(label); e != nil {
		return convert(body, e)
	}
	if utf8.Valid(body) {
		return string(body)
	}
	e, _, _ := charset.DetermineEncoding(head, "")
	return convert(body, e)
}

// Encoding returns the encoding of a name, nil if it is not known or plain ASCII,
// which is mostly a lie. That of UTF-8 is believed until there is something else.
func Encoding(name string) encoding.Encoding {
	name = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
	switch name {
	case "", "us-ascii", "ascii", "ansi_x3.4-1968":
		return nil
	case "windows1252", "iso8859-1":
		return charmap.Windows1252
	case "cp932", "ms932", "windows-932":
		name = "shift_jis"
	case "cp936", "ms936", "windows-936":
		name = "gbk"
	case "cp949", "ms949", "windows-949":
		name = "euc-kr"
	case "cp950", "ms950", "windows-950":
		name = "big5"
	}
	if rest, ok := strings.CutPrefix(name, "cp"); ok {
		if e, err := htmlindex.Get("windows-" + rest); err == nil {
			return e
		}
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil
	}
	return e
}

// convert returns text in an encoding. What is said to be UTF-8 and is not is taken
// for the encoding of Western Europe.
func convert(body []byte, e encoding.Encoding) string {
	if e == unicode.UTF8 && !utf8.Valid(body) && !mostlyUTF8(body) {
		e = charmap.Windows1252
	}
	text, _ := e.NewDecoder().Bytes(body) // what cannot be decoded becomes U+FFFD
	return strings.ToValidUTF8(strings.TrimPrefix(string(text), "\ufeff"), "\ufffd")
}

// mostlyUTF8 tells whether there are more letters in UTF-8 than bytes that are none.
func mostlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for len(body) > 0 {
		r, size := utf8.DecodeRune(body)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		body = body[size:]
	}
	return good > bad
}

// CutDoctype returns text without its document type declaration, and the entities
// that it may define.
func CutDoctype(text string) string {
	head := text[:min(len(text), 4096)]
	from := strings.Index(strings.ToUpper(head), "<!DOCTYPE")
	if from < 0 || len(strings.ToUpper(head)) != len(head) {
		return text
	}
	depth, quote := 0, byte(0)
	for i := from + 2; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '>' && depth <= 0:
			return text[:from] + text[i+1:]
		}
	}
	return text[:from]
}
