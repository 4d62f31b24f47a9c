// Package codepage knows the numbers that Windows has for encodings and languages,
// and which files of its programs use: code pages such as 1252, the character sets
// of fonts, and the identifiers of languages.
package codepage

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// Code pages that programs need to name.
const (
	Western   = 1252
	Macintosh = 10000
	UTF16     = 1200
	UTF8      = 65001
)

// Decode returns the text of bytes in a code page, in that of Western Europe if it
// is not known. It is always valid: what stands for no character becomes U+FFFD.
func Decode(page int, b []byte) string {
	e := pages[page]
	if e == nil {
		e = charmap.Windows1252
	}
	text, _ := e.NewDecoder().Bytes(b) // which replaces what it cannot decode
	return string(text)
}

// Known reports whether a code page is known.
func Known(page int) bool { return pages[page] != nil }

var pages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	858: charmap.CodePage858, 860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863,
	865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	UTF16: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	1250:  charmap.Windows1250, 1251: charmap.Windows1251, Western: charmap.Windows1252, 1253: charmap.Windows1253,
	1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257,
	1258: charmap.Windows1258, Macintosh: charmap.Macintosh, 10001: japanese.ShiftJIS, 10002: traditionalchinese.Big5,
	10003: korean.EUCKR, 10007: charmap.MacintoshCyrillic, 10008: simplifiedchinese.GBK, 20866: charmap.KOI8R,
	21866: charmap.KOI8U, 28591: charmap.Windows1252, 28592: charmap.ISO8859_2, 28595: charmap.ISO8859_5,
	28597: charmap.ISO8859_7, 28605: charmap.ISO8859_15,
	32768: charmap.Macintosh, // in workbooks
	54936: simplifiedchinese.GB18030, UTF8: unicode.UTF8,
}

// OfCharset returns the code page of a font's character set. It is 0 for those that
// leave it to the file: the ANSI set, which many writers use for every font, and
// symbols.
func OfCharset(charset int) int { return charsets[charset] }

var charsets = map[int]int{
	77: Macintosh, 78: 932, 79: 949, 80: 936, 81: 950, 83: 1255, 84: 1256, 85: 1253, 86: 1254, 87: 874, 88: 1250, 89: 1251,
	128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
	186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}
