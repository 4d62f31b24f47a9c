package zipped

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// decode returns XML as valid UTF-8 with plain line feeds. The byte order mark
// wins over the declaration.
func decode(s string) string {
	if e := encodingOf(s); e != nil {
		s, _ = e.NewDecoder().String(s) // what cannot be decoded becomes U+FFFD
	}
	s = strings.TrimPrefix(s, "\ufeff")
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

// encodingOf returns the encoding of XML, nil for UTF-8.
func encodingOf(body string) encoding.Encoding {
	switch {
	case strings.HasPrefix(body, "\xef\xbb\xbf"):
		return nil
	case strings.HasPrefix(body, "\xfe\xff"), strings.HasPrefix(body, "\x00<"):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case strings.HasPrefix(body, "\xff\xfe"), strings.HasPrefix(body, "<\x00"):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	head := body[:min(len(body), 200)]
	if !strings.HasPrefix(head, "<?xml") {
		return nil
	}
	head, _, _ = strings.Cut(head, "?>")
	_, rest, found := strings.Cut(head, "encoding")
	if !found {
		return nil
	}
	rest = strings.TrimLeft(rest, " \t\r\n=")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil
	}
	name, _, _ := strings.Cut(rest[1:], rest[:1])
	e, err := htmlindex.Get(name)
	if err != nil || strings.HasPrefix(strings.ToLower(name), "utf-") {
		return nil // also a declaration of UTF-16 in what is none
	}
	return e
}
