package crawl

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

const xmlSpace = " \t\r\n"

// splitTag takes a tag apart into prefix and name of its element and the rest.
func splitTag(tag []byte) (prefix, name, attributes []byte) {
	start := 0
	for i, c := range tag {
		switch c {
		case ':':
			prefix, start = tag[:i], i+1
		case ' ', '\t', '\r', '\n', '/':
			return prefix, tag[start:i], bytes.TrimSpace(tag[i:])
		}
	}
	return prefix, tag[start:], nil
}

// attribute returns the value of an attribute, or nothing.
func attribute(attributes []byte, name string) string {
	for len(attributes) > 0 {
		key, rest, found := bytes.Cut(attributes, []byte("="))
		if !found {
			return ""
		}
		rest = bytes.TrimLeft(rest, xmlSpace)
		end := xmlSpace
		if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
			end, rest = string(rest[0]), rest[1:]
		}
		value := rest
		if i := bytes.IndexAny(rest, end); i >= 0 {
			value, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if string(bytes.TrimSpace(key)) == name {
			return string(appendUnescaped(nil, room(nil, value)))
		}
		attributes = rest
	}
	return ""
}

// appendUnescaped appends a text with the entities of XML replaced. Others stay
// as they are: in an address that was not escaped they are parameters.
func appendUnescaped(b, s []byte) []byte {
	for {
		amp := bytes.IndexByte(s, '&')
		if amp < 0 {
			return append(b, s...)
		}
		b, s = append(b, s[:amp]...), s[amp:]
		end := bytes.IndexByte(s[:min(len(s), 12)], ';')
		if r := entity(string(s[1:max(end, 1)])); r != 0 {
			b, s = utf8.AppendRune(b, r), s[end+1:]
		} else {
			b, s = append(b, '&'), s[1:]
		}
	}
}

// entity returns the character that an entity stands for, or 0.
func entity(name string) rune {
	switch name {
	case "amp":
		return '&'
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	digits, found := strings.CutPrefix(name, "#")
	if !found {
		return 0
	}
	base := 10
	if hex := strings.TrimLeft(digits, "xX"); hex != digits {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	if err != nil {
		return 0
	}
	return rune(n)
}
