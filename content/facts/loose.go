package facts

import (
	"encoding/json"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
)

// loose reads JSON as pages have it: strings with line breaks in them, commas
// where none belong, text around it, an end in the middle. What was read before
// a place that makes no sense counts.
type loose struct {
	text string
	pos  int
	room int // values that may still be read
}

// next skips white space and commas and returns the byte behind them, or 0.
func (l *loose) next() byte {
	for l.pos < len(l.text) && (chars.IsSpace(l.text[l.pos]) || l.text[l.pos] == ',') {
		l.pos++
	}
	if l.pos == len(l.text) {
		return 0
	}
	return l.text[l.pos]
}

// value reads a value; nil stands for null and for what is too deep. It reports
// whether the text makes sense so far.
func (l *loose) value(depth int) (any, bool) {
	if l.room--; l.room < 0 {
		return nil, false
	}
	switch c := l.next(); {
	case c == '{':
		return l.object(depth)
	case c == '[':
		return l.list(depth)
	case c == '"':
		return l.string()
	}
	return l.word()
}

func (l *loose) object(depth int) (any, bool) {
	l.pos++
	object := map[string]any{}
	for {
		switch l.next() {
		case '}':
			l.pos++
			return object, true
		case '"':
		default:
			return object, false
		}
		key, ok := l.string()
		if !ok || l.next() != ':' {
			return object, false
		}
		l.pos++
		value, ok := l.value(depth + 1)
		if value != nil && depth < maxDepth && len(key) <= maxName {
			object[key] = value
		}
		if !ok {
			return object, false
		}
	}
}

func (l *loose) list(depth int) (any, bool) {
	l.pos++
	list := []any{}
	for {
		switch l.next() {
		case ']':
			l.pos++
			return list, true
		case '}', ':', 0:
			return list, false
		}
		value, ok := l.value(depth + 1)
		if value != nil && depth < maxDepth {
			list = append(list, value)
		}
		if !ok {
			return list, false
		}
	}
}

// string reads a string. One that does not end is not one.
func (l *loose) string() (string, bool) {
	start := l.pos + 1
	for i := start; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '"':
			l.pos = i + 1
			return chars.UnescapeJSON(l.text[start:i]), true
		}
	}
	l.pos = len(l.text)
	return "", false
}

// word reads a number, true, false or null.
func (l *loose) word() (any, bool) {
	end := l.pos
	for end < len(l.text) && (chars.IsWord(l.text[end]) || strings.IndexByte("+-.", l.text[end]) >= 0) {
		end++
	}
	word := l.text[l.pos:end]
	l.pos = end
	switch word {
	case "":
		return nil, false
	case "true":
		return true, true
	case "false":
		return false, true
	}
	if len(word) <= 40 && json.Valid([]byte(word)) && word != "null" {
		return json.Number(word), true
	}
	return nil, true
}
