package extract

import (
	"maps"
	"slices"

	"github.com/trawlhq/trawl/schema"
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
				walk(v[key], schema.Below(path, key), depth+1, visit)
			}
		}
	case []any:
		for i, item := range v {
			if depth < maxDepth {
				walk(item, schema.At(path, i), depth+1, visit)
			}
		}
	default:
		visit(path, v)
	}
}

// paths returns those of all leaves of a value, as walk visits them.
func paths(value any) []string {
	var list []string
	walk(value, "", 0, func(path string, _ any) { list = append(list, path) })
	return list
}

// steps takes a path apart into names and indexes; nil if it is none.
func steps(path string) []any {
	list, _ := schema.Steps(path)
	return list
}

// pattern returns the path of the field that a value belongs to.
func pattern(path string) string {
	result := ""
	for _, step := range steps(path) {
		if name, ok := step.(string); ok {
			result = schema.Below(result, name)
		} else {
			result += "[]"
		}
	}
	return result
}
