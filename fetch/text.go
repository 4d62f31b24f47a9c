package fetch

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/saintfish/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

const (
	// declarationBytes is how far into a page its declaration may stand.
	declarationBytes = 4 << 10

	// wideBytes is how much of a page shows whether it is UTF-16.
	wideBytes = 1 << 10

	// sampleBytes is how much text, without tags, is looked at to guess.
	sampleBytes = 16 << 10

	replacement = "\uFFFD"
)

var (
	utf16LE = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16BE = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)

	// declaration finds a charset in a meta tag or in an XML declaration.
	declaration = regexp.MustCompile(`(?i)(?:charset\s*=|<\?xml[^>]{0,200}?encoding\s*=)\s*["']?\s*([a-z0-9_:.-]+)`)
)

// Text returns a body as UTF-8. The encoding is that of a byte order mark; else
// UTF-8 if the body is valid UTF-8, whatever it says of itself; else what the
// content type or the page declares; else a guess; else windows-1252. Bytes that
// mean nothing in the encoding become U+FFFD. A body that is UTF-8 already is
// returned itself, not a copy.
func Text(body []byte, contentType string) []byte {
	if text, ok := byMark(body); ok {
		return text
	}
	if wide := sniffUTF16(body); wide != nil {
		return decode(wide, body)
	}
	if utf8.Valid(body) {
		if isISO2022JP(body) {
			return decode(japanese.ISO2022JP, body)
		}
		return body
	}
	enc := declared(body, contentType)
	switch {
	case enc != nil:
	case mostlyUTF8(body):
		enc = unicode.UTF8
	default:
		enc = guess(body)
	}
	return decode(enc, body)
}

func byMark(body []byte) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return decode(unicode.UTF8, body[3:]), true
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return decode(utf16LE, body[2:]), true
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return decode(utf16BE, body[2:]), true
	}
	return nil, false
}

// sniffUTF16 recognises UTF-16 without a mark by its markup, every second
// byte of which is zero.
func sniffUTF16(body []byte) encoding.Encoding {
	head := body[:min(len(body), wideBytes)]
	if bytes.IndexByte(head, 0) < 0 {
		return nil
	}
	var even, odd int
	for i, c := range head {
		switch {
		case c != 0:
		case i%2 == 0:
			even++
		default:
			odd++
		}
	}
	enough := max(len(head)/8, 4) // a quarter of the characters, and more than chance
	switch {
	case odd >= enough && even <= odd/16:
		return utf16LE
	case even >= enough && odd <= even/16:
		return utf16BE
	}
	return nil
}

// isISO2022JP recognises the one encoding of the web that hides in ASCII, by
// its switch to Japanese.
func isISO2022JP(body []byte) bool {
	return bytes.IndexByte(body, 0x1B) >= 0 &&
		(bytes.Contains(body, []byte("\x1B$B")) || bytes.Contains(body, []byte("\x1B$@")))
}

// declared returns the encoding that the content type or else the page names,
// or nil if there is none that can be true.
func declared(body []byte, contentType string) encoding.Encoding {
	if enc := claim(body, contentType); enc != nil {
		return enc
	}
	return claim(body, "")
}

func claim(body []byte, contentType string) encoding.Encoding {
	enc, name, certain := charset.DetermineEncoding(body, contentType)
	if name == "windows-1252" && !certain {
		// Declared, or merely the fallback of DetermineEncoding.
		found := declaration.FindSubmatch(body[:min(len(body), declarationBytes)])
		if found == nil {
			return nil
		}
		enc, name = charset.Lookup(string(found[1]))
	}
	switch name {
	case "utf-8":
		if !mostlyUTF8(body) {
			return nil
		}
		return unicode.UTF8
	case "gbk":
		return simplifiedchinese.GB18030 // its superset, as in browsers
	case "", "replacement", "x-user-defined":
		return nil
	}
	return enc
}

// mostlyUTF8 reports whether a body that is not valid UTF-8 has at least more
// valid sequences than broken ones.
func mostlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			good++
		}
		i += n
	}
	return good > bad
}

// guess judges by the frequency of letters.
func guess(body []byte) encoding.Encoding {
	results, err := chardet.NewTextDetector().DetectAll(sample(body))
	if err != nil {
		return charmap.Windows1252
	}
	// The detector's order among equals depends on the scheduler.
	slices.SortFunc(results, func(a, b chardet.Result) int {
		return cmp.Or(b.Confidence-a.Confidence, cmp.Compare(a.Charset, b.Charset))
	})
	for _, result := range results {
		if enc, name := charset.Lookup(label(result)); enc != nil && name != "replacement" {
			return enc
		}
	}
	return charmap.Windows1252
}

// label names the charset of a result as the web does. The detector knows
// Central European languages but gives their charset a Western name.
func label(result chardet.Result) string {
	switch result.Charset {
	case "GB-18030":
		return "gb18030"
	case "ISO-8859-1":
		if isCentralEuropean(result) {
			return "iso-8859-2"
		}
	case "windows-1252":
		if isCentralEuropean(result) {
			return "windows-1250"
		}
	}
	return result.Charset
}

func isCentralEuropean(result chardet.Result) bool {
	const sure = 20 // below, languages tie and the first to finish wins
	return result.Confidence >= sure && slices.Contains([]string{"cs", "hu", "pl", "ro"}, result.Language)
}

// sample returns text of the body without tags, comments, scripts and styles.
func sample(body []byte) []byte {
	text := make([]byte, 0, min(len(body), sampleBytes))
	for len(body) > 0 && len(text) < sampleBytes {
		open := bytes.IndexByte(body, '<')
		if open < 0 {
			open = len(body)
		}
		text = append(text, body[:min(open, sampleBytes-len(text))]...)
		body = skipTag(body[open:])
	}
	return text
}

// skipTag returns what follows the tag at the start of rest, and for some tags
// what follows their content.
func skipTag(rest []byte) []byte {
	end := ">"
	for _, raw := range []struct{ start, end string }{{"<!--", "-->"}, {"<script", "</script"}, {"<style", "</style"}} {
		if len(rest) >= len(raw.start) && bytes.EqualFold(rest[:len(raw.start)], []byte(raw.start)) {
			end = raw.end
		}
	}
	i := indexFold(rest, end)
	if i < 0 {
		return nil
	}
	return rest[i+len(end):]
}

// indexFold finds an ASCII end tag in either case.
func indexFold(s []byte, end string) int {
	for from := 0; ; {
		i := bytes.IndexByte(s[from:], end[0])
		if i < 0 || len(s) < from+i+len(end) {
			return -1
		}
		from += i
		if bytes.EqualFold(s[from:from+len(end)], []byte(end)) {
			return from
		}
		from++
	}
}

// decode converts to UTF-8. Decoders replace what they cannot read, so they do
// not fail.
func decode(enc encoding.Encoding, body []byte) []byte {
	if enc == unicode.UTF8 {
		if utf8.Valid(body) {
			return body
		}
		return bytes.ToValidUTF8(body, []byte(replacement))
	}
	text, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return bytes.ToValidUTF8(body, []byte(replacement))
	}
	return text
}
