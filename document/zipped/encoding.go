package zipped

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// decode returns XML as valid UTF-8 with plain line feeds. The byte order mark
// wins over the declaration.
func decode(body []byte) string {
	var s string
	if e := encodingOf(body); e != nil {
		decoded, _ := e.NewDecoder().Bytes(body) // what cannot be decoded becomes U+FFFD
		s = string(decoded)
	} else {
		s = string(body)
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
func encodingOf(body []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return nil
	case bytes.HasPrefix(body, []byte("\xfe\xff")), bytes.HasPrefix(body, []byte("\x00<")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case bytes.HasPrefix(body, []byte("\xff\xfe")), bytes.HasPrefix(body, []byte("<\x00")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	head := body[:min(len(body), 200)]
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return nil
	}
	head, _, _ = bytes.Cut(head, []byte("?>"))
	_, rest, found := bytes.Cut(head, []byte("encoding"))
	if !found {
		return nil
	}
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil
	}
	name, _, _ := bytes.Cut(rest[1:], rest[:1])
	e, err := htmlindex.Get(string(name))
	if err != nil || strings.HasPrefix(strings.ToLower(string(name)), "utf-") {
		return nil // also a declaration of UTF-16 in what is none
	}
	return e
}
