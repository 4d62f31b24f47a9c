package extract

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxDepth bounds how deep values are walked; the schema allows no deeper ones.
const maxDepth = 64

// walk visits the leaves of a value, those of objects by name: strings, numbers
// and booleans, but not null.
func walk(value any, path string, depth int, visit func(path string, leaf any)) {
	switch v := value.(type) {
	case nil:
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if depth < maxDepth {
				walk(v[key], below(path, key), depth+1, visit)
			}
		}
	case []any:
		for i, item := range v {
			if depth < maxDepth {
				walk(item, at(path, i), depth+1, visit)
			}
		}
	default:
		visit(path, v)
	}
}

// below adds a name to a path, in quotes if it would be misread.
func below(path, key string) string {
	if key == "" || strings.ContainsAny(key, `.[]"`) {
		quoted, err := json.Marshal(key)
		if err != nil {
			return path + "[]"
		}
		return path + "[" + string(quoted) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func at(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// paths returns those of all leaves of a value, as walk visits them.
func paths(value any) []string {
	var list []string
	walk(value, "", 0, func(path string, _ any) { list = append(list, path) })
	return list
}

// steps takes a path apart into names and indexes; nil if it is none.
func steps(path string) []any {
	var list []any
	for path != "" {
		switch {
		case strings.HasPrefix(path, `["`):
			end := strings.Index(path, `"]`)
			var name string
			if end < 0 || json.Unmarshal([]byte(path[1:end+1]), &name) != nil {
				return nil
			}
			list, path = append(list, name), path[end+2:]
		case path[0] == '[':
			inside, rest, _ := strings.Cut(path[1:], "]")
			i, err := strconv.Atoi(inside)
			if err != nil {
				return nil
			}
			list, path = append(list, i), rest
		default:
			path = strings.TrimPrefix(path, ".")
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			if end == 0 {
				return nil
			}
			list, path = append(list, path[:end]), path[end:]
		}
	}
	return list
}

// pattern returns the path of the field that a value belongs to.
func pattern(path string) string {
	result := ""
	for _, step := range steps(path) {
		if name, ok := step.(string); ok {
			result = below(result, name)
		} else {
			result += "[]"
		}
	}
	return result
}

// get returns the value at a path, and whether there is one.
func get(value any, path []any) (any, bool) {
	for _, step := range path {
		switch v := value.(type) {
		case map[string]any:
			name, _ := step.(string)
			inner, ok := v[name]
			if !ok {
				return nil, false
			}
			value = inner
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
