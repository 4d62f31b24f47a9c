package schema

import (
	"encoding/json"
	"strconv"
	"strings"
)

// pathText writes a path of names and indexes.
func pathText(path []any) string {
	text := ""
	for _, step := range path {
		switch s := step.(type) {
		case string:
			text = Below(text, s)
		case int:
			text = At(text, s)
		}
	}
	return text
}

// At adds an index to a path.
func At(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// Below adds a name to a path, in quotes if it would be misread.
func Below(path, name string) string {
	if name == "" || strings.ContainsAny(name, `.[]"`) {
		quoted, err := encode(name)
		if err == nil {
			return path + "[" + string(quoted) + "]"
		}
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// maxPath bounds the paths of problems, whose names a stranger chose.
const maxPath = 1000

// concrete writes a path of a value; the value says what is an index.
func concrete(value any, steps []string) string {
	path := make([]any, 0, len(steps))
	for _, step := range steps {
		next := stepInto(value, step)
		path = append(path, next)
		value, _ = Get(value, []any{next})
	}
	return brief(pathText(path), maxPath)
}

// Steps takes the path of a value apart into names and indexes; ok is false for
// what is no such path.
func Steps(text string) (path []any, ok bool) {
	for text != "" {
		switch {
		case strings.HasPrefix(text, `["`):
			var name string
			d := json.NewDecoder(strings.NewReader(text[1:]))
			if d.Decode(&name) != nil {
				return nil, false
			}
			rest, closed := strings.CutPrefix(text[1+d.InputOffset():], "]")
			if !closed {
				return nil, false
			}
			path, text = append(path, name), rest
		case text[0] == '[':
			inside, rest, _ := strings.Cut(text[1:], "]")
			i, err := strconv.Atoi(inside)
			if err != nil {
				return nil, false
			}
			path, text = append(path, i), rest
		default:
			text = strings.TrimPrefix(text, ".")
			end := strings.IndexAny(text, ".[")
			if end < 0 {
				end = len(text)
			}
			if end == 0 {
				return nil, false
			}
			path, text = append(path, text[:end]), text[end:]
		}
	}
	return path, true
}

// Get returns what is at a path of names and indexes, and whether there is anything.
func Get(value any, path []any) (any, bool) {
	for _, step := range path {
		switch v := value.(type) {
		case map[string]any:
			name, _ := step.(string)
			next, ok := v[name]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			i, ok := step.(int)
			if !ok || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}
