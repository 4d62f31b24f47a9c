package sheet

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// kind is what a scanner has met.
type kind uint8

const (
	atEnd kind = iota
	atOpen
	atClose
	atText
)

// scanner reads XML tag by tag, without building anything: sheets have millions
// of elements, and all that matters of one is its local name, a few attributes
// and the text in it. It knows no entities but XML's own and never fails: what is
// no XML ends it.
type scanner struct {
	data  []byte
	at    int
	name  []byte // local name of the element
	tag   []byte // attributes of the element, as they stand
	text  []byte // as it stands
	cdata bool   // the text needs no unescaping
	empty bool   // the element that was opened is to be closed at once
}

// newScanner refuses documents with a DTD: no spreadsheet has one.
func newScanner(data []byte) (*scanner, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		decoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		if err != nil {
			return nil, fmt.Errorf("decode UTF-16: %w", tree.ErrDamaged)
		}
		data = decoded
	}
	if bytes.Contains(data[:min(len(data), 4096)], []byte("<!DOCTYPE")) {
		return nil, fmt.Errorf("document type in XML: %w", tree.ErrDamaged)
	}
	return &scanner{data: data}, nil
}

// next goes on to the next tag or text.
func (s *scanner) next() kind {
	if s.empty {
		s.empty = false
		return atClose
	}
	for s.at < len(s.data) {
		rest := s.data[s.at:]
		if rest[0] != '<' {
			end := bytes.IndexByte(rest, '<')
			if end < 0 {
				end = len(rest)
			}
			s.text, s.cdata = rest[:end], false
			s.at += end
			return atText
		}
		switch {
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			s.text, s.cdata = s.until(9, "]]>"), true
			return atText
		case bytes.HasPrefix(rest, []byte("<!--")):
			s.until(4, "-->")
		case len(rest) > 1 && (rest[1] == '!' || rest[1] == '?'):
			s.until(2, ">")
		default:
			return s.element(rest)
		}
	}
	return atEnd
}

// until returns what stands between a mark of some length and another.
func (s *scanner) until(skip int, mark string) []byte {
	rest := s.data[s.at+skip:]
	end := bytes.Index(rest, []byte(mark))
	if end < 0 {
		s.at = len(s.data)
		return rest
	}
	s.at += skip + end + len(mark)
	return rest[:end]
}

// element reads a tag.
func (s *scanner) element(rest []byte) kind {
	end := tagEnd(rest)
	if end < 0 {
		s.at = len(s.data)
		return atEnd
	}
	s.at += end + 1
	tag := rest[1:end]
	if len(tag) > 0 && tag[0] == '/' {
		s.name = local(bytes.TrimRight(tag[1:], " \t\r\n"))
		return atClose
	}
	if len(tag) > 0 && tag[len(tag)-1] == '/' {
		s.empty = true
		tag = tag[:len(tag)-1]
	}
	n := bytes.IndexAny(tag, " \t\r\n")
	if n < 0 {
		n = len(tag)
	}
	s.name, s.tag = local(tag[:n]), tag[n:]
	return atOpen
}

// tagEnd returns where a tag ends; there may be brackets in its attributes.
func tagEnd(tag []byte) int {
	var quote byte
	for i, c := range tag {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return -1
}

func local(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// raw returns an attribute of the element as it stands, by its local name.
func (s *scanner) raw(name string) []byte {
	rest := s.tag
	for {
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 {
			return nil
		}
		key := local(bytes.TrimSpace(rest[:eq]))
		rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return nil
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return nil
		}
		if string(key) == name {
			return rest[1 : end+1]
		}
		rest = rest[end+2:]
	}
}

// get returns an attribute of the element.
func (s *scanner) get(name string) string { return unescape(s.raw(name)) }

// number returns an attribute that is a number, or -1.
func (s *scanner) number(name string) int { return parseInt(s.raw(name)) }

// flag reports whether an attribute says yes.
func (s *scanner) flag(name string) bool {
	v := string(s.raw(name))
	return v == "1" || v == "true"
}

// content returns the text that was met.
func (s *scanner) content() string {
	if s.cdata {
		return strings.ToValidUTF8(string(s.text), "\uFFFD")
	}
	return unescape(s.text)
}

// inner reads on to the end of the element that was opened and returns the text
// in it, without that in elements of the name skip.
func (s *scanner) inner(skip string) string {
	var first string
	var more []byte
	for depth, skipped := 1, 0; depth > 0; {
		switch s.next() {
		case atEnd:
			depth = 0
		case atOpen:
			depth++
			if skipped == 0 && skip != "" && string(s.name) == skip {
				skipped = depth
			}
		case atClose:
			if depth == skipped {
				skipped = 0
			}
			depth--
		case atText:
			switch {
			case skipped > 0:
			case first == "":
				first = s.content()
			default:
				more = append(more, s.content()...)
			}
		}
	}
	if len(more) > 0 {
		first += string(more)
	}
	return first
}

// parseInt returns a number of up to nine digits, or -1.
func parseInt(b []byte) int {
	if len(b) == 0 || len(b) > 9 {
		return -1
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

var entities = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

// unescape returns text with XML's entities and character references resolved.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '&') < 0 {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			out = append(out, b...)
			break
		}
		out, b = append(out, b[:i]...), b[i:]
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if r, ok := entity(b, end); ok {
			out, b = utf8.AppendRune(out, r), b[end+1:]
		} else {
			out, b = append(out, '&'), b[1:]
		}
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

// entity returns the character that b begins with as an entity up to end.
func entity(b []byte, end int) (rune, bool) {
	if end < 2 {
		return 0, false
	}
	name := string(b[1:end])
	if name[0] != '#' {
		r, ok := entities[name]
		return r, ok
	}
	digits, base := name[1:], 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	return rune(n), err == nil && n != 0 && n <= utf8.MaxRune
}
