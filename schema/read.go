package schema

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// reader makes the tree of a schema and follows its references on the way. What
// it may still make is counted, so that references that multiply come to an end.
type reader struct {
	doc     map[string]any
	old     bool // draft 7 or older: of what stands beside a $ref only annotations are kept
	anchors map[string][]any
	active  map[string]bool // schemas that are being read; one that leads here again is recursive
	hops    int             // references on the way to where it reads

	parts, size, patterns int // how much more it may make
}

func read(doc map[string]any, old bool) (*node, error) {
	r := &reader{doc: doc, old: old, active: map[string]bool{}, parts: maxParts, size: maxSize, patterns: maxPatterns}
	return r.schema(doc, []any{}, 1)
}

func (r *reader) schema(value any, path []any, depth int) (*node, error) {
	if r.parts--; r.parts < 0 {
		return nil, &Error{Path: path, Text: fmt.Sprintf("the schema has more than %d parts when its references are followed", maxParts)}
	}
	if depth > maxDepth {
		return nil, tooDeep(path)
	}
	switch v := value.(type) {
	case bool:
		n := newNode(path)
		n.verdict = &v
		return n, nil
	case map[string]any:
		key := pointer(path)
		r.active[key] = true
		defer delete(r.active, key)
		if ref, ok := v["$ref"]; ok {
			return r.reference(ref, v, path, depth)
		}
		return r.keywords(v, path, depth)
	}
	n := newNode(path)
	n.odd = value
	if value == nil {
		return nil, &Error{Path: path, Text: "must be a schema, not null"}
	}
	return n, r.take(value, path)
}

// keywords reads a schema without regard to its $ref.
func (r *reader) keywords(v map[string]any, path []any, depth int) (*node, error) {
	n := newNode(path)
	for _, keyword := range sortedKeys(v) {
		value, at := v[keyword], extend(path, keyword)
		var err error
		switch shapeOf(keyword, value) {
		case asTarget:
			continue
		case asOne:
			n.one[keyword], err = r.schema(value, at, depth+1)
		case asList:
			n.list[keyword], err = r.list(value.([]any), at, depth+1)
		case asNamed:
			n.named[keyword], err = r.named(value.(map[string]any), at, depth+1)
		case notAtAll:
			n.words[keyword] = value
			err = r.word(n, keyword, value, at)
		}
		if err == nil {
			err = r.take(keyword, at)
		}
		if err != nil {
			return nil, err
		}
	}
	return n, r.names(n)
}

func (r *reader) list(values []any, path []any, depth int) ([]*node, error) {
	nodes := make([]*node, 0, len(values))
	for i, value := range values {
		n, err := r.schema(value, extend(path, i), depth)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func (r *reader) named(values map[string]any, path []any, depth int) (map[string]*node, error) {
	nodes := make(map[string]*node, len(values))
	for _, name := range sortedKeys(values) {
		n, err := r.schema(values[name], extend(path, name), depth)
		if err == nil {
			err = r.take(name, path)
		}
		if err != nil {
			return nil, err
		}
		nodes[name] = n
	}
	return nodes, nil
}

// word looks at a keyword that holds no schema.
func (r *reader) word(n *node, keyword string, value any, path []any) error {
	said, isText := value.(string)
	switch keyword {
	case "$dynamicRef", "$recursiveRef":
		return &Error{Path: path, Text: keyword + " is not supported"}
	case "format":
		if !isText {
			return &Error{Path: path, Text: "format must be a string"}
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		// Larger ones would overflow in the validator.
		if number, ok := value.(json.Number); ok {
			if size, err := number.Float64(); err != nil || size > maxCount {
				return &Error{Path: path, Text: fmt.Sprintf("%s must not be more than %d", keyword, maxCount)}
			}
		}
	case "pattern":
		if isText {
			size, err := r.patternSize(said, path)
			if err != nil {
				return err
			}
			n.pattern = size
		}
	}
	return r.take(value, path)
}

// names compiles the names of patternProperties.
func (r *reader) names(n *node) error {
	for _, name := range sortedKeys(n.named["patternProperties"]) {
		path := extend(n.path, "patternProperties", name)
		size, err := r.patternSize(name, path)
		if err != nil {
			return err
		}
		compiled, failure := regexp.Compile(name)
		if failure != nil { // one that matched anything would say something else
			return unusable(path, failure)
		}
		if n.patterns == nil {
			n.patterns = map[string]namePattern{}
		}
		n.patterns[name] = namePattern{compiled, size}
	}
	return nil
}

// patternSize measures a pattern before it is compiled.
func (r *reader) patternSize(pattern string, path []any) (int, error) {
	size, err := patternSize(pattern)
	if r.patterns -= size; err == nil && r.patterns < 0 {
		err = errPatternSize
	}
	if err != nil {
		return 0, unusable(path, err)
	}
	return size, nil
}

func unusable(path []any, err error) *Error {
	return &Error{Path: path, Text: "the pattern cannot be used: " + brief(err.Error(), maxQuote)}
}

// take counts the size of something that becomes part of the tree.
func (r *reader) take(value any, path []any) error {
	if r.size -= weigh(value, r.size); r.size < 0 {
		return &Error{Path: path, Text: fmt.Sprintf("the schema is larger than %d KiB when its references are followed", maxSize>>10)}
	}
	return nil
}

// weigh returns about how long a value is as JSON, or more than most.
func weigh(value any, most int) int {
	size := 2
	switch v := value.(type) {
	case string:
		size += len(v)
	case []any:
		for _, element := range v {
			if size += weigh(element, most-size); size > most {
				break
			}
		}
	case map[string]any:
		for name, element := range v {
			if size += len(name) + 4 + weigh(element, most-size); size > most {
				break
			}
		}
	default:
		size += 4
	}
	return size
}

// reference replaces a $ref by what it refers to.
func (r *reader) reference(ref any, v map[string]any, path []any, depth int) (*node, error) {
	at := extend(path, "$ref")
	address, ok := ref.(string)
	if !ok {
		return nil, &Error{Path: at, Text: "$ref must be a string"}
	}
	target, found, err := r.follow(address, at)
	if err != nil {
		return nil, err
	}
	if r.active[pointer(found)] {
		return nil, &Error{Path: at, Text: fmt.Sprintf("$ref %s is recursive: a schema must not contain itself", brief(address, maxQuote))}
	}
	if r.hops++; r.hops > maxDepth {
		return nil, tooDeep(at)
	}
	n, err := r.schema(target, found, depth)
	r.hops--
	if err != nil {
		return nil, err
	}
	if n.odd != nil {
		return nil, &Error{Path: at, Text: fmt.Sprintf("$ref %s does not lead to a schema", brief(address, maxQuote))}
	}
	return r.beside(n, v, path, depth)
}

// beside adds what stands beside a $ref to what it refers to.
func (r *reader) beside(n *node, v map[string]any, path []any, depth int) (*node, error) {
	asserts := false
	notes := map[string]any{}
	for keyword, value := range v {
		if isNote(keyword) {
			notes[keyword] = value
		} else if shapeOf(keyword, value) != asTarget {
			asserts = true
		}
	}
	if asserts && !r.old || len(notes) > 0 && n.verdict != nil {
		outer, err := r.keywords(v, path, depth)
		if err != nil {
			return nil, err
		}
		outer.list["allOf"] = append(outer.list["allOf"], n)
		return outer, nil
	}
	for keyword, note := range notes {
		n.words[keyword] = note
	}
	return n, r.take(notes, path)
}

// isNote reports whether a keyword tells something about a value and demands
// nothing of it.
func isNote(keyword string) bool {
	switch keyword {
	case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// follow finds what a reference refers to, and where that is.
func (r *reader) follow(address string, at []any) (target any, path []any, err error) {
	fragment, local := strings.CutPrefix(address, "#")
	if !local {
		return nil, nil, &Error{Path: at, Text: fmt.Sprintf("$ref %s leads out of the schema: only references that begin with # are followed", brief(address, maxQuote))}
	}
	nowhere := &Error{Path: at, Text: fmt.Sprintf("$ref %s leads nowhere", brief(address, maxQuote))}
	fragment, err = url.PathUnescape(fragment)
	if err != nil {
		return nil, nil, nowhere
	}
	if fragment == "" {
		return r.doc, []any{}, nil
	}
	if !strings.HasPrefix(fragment, "/") {
		if path = r.anchor(fragment); path == nil {
			return nil, nil, nowhere
		}
		target, _ = Get(r.doc, path)
		return target, path, nil
	}
	target = r.doc
	for _, step := range strings.Split(fragment[1:], "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		key := stepInto(target, step)
		next, ok := Get(target, []any{key})
		if !ok {
			return nil, nil, nowhere
		}
		target, path = next, append(path, key)
	}
	return target, path, nil
}

// stepInto returns a step of a pointer as an index if it leads into a list.
func stepInto(value any, step string) any {
	if _, ok := value.([]any); ok {
		if i, err := strconv.Atoi(step); err == nil {
			return i
		}
	}
	return step
}

// anchor finds the schema with a name of its own.
func (r *reader) anchor(name string) []any {
	if r.anchors == nil {
		r.anchors = map[string][]any{}
		r.collect(r.doc, []any{})
	}
	return r.anchors[name]
}

// collect gathers the anchors. The depth of the document is bounded.
func (r *reader) collect(value any, path []any) {
	switch v := value.(type) {
	case map[string]any:
		if name, ok := v["$anchor"].(string); ok {
			r.anchors[name] = slices.Clone(path)
		}
		for _, keyword := range []string{"$id", "id"} {
			if id, _ := v[keyword].(string); strings.HasPrefix(id, "#") {
				r.anchors[id[1:]] = slices.Clone(path)
			}
		}
		for name, element := range v {
			r.collect(element, append(path, name))
		}
	case []any:
		for i, element := range v {
			r.collect(element, append(path, i))
		}
	}
}

// pointer writes a path as a JSON pointer, which is the same for no other path.
func pointer(path []any) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		switch s := step.(type) {
		case string:
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1"))
		case int:
			b.WriteString(strconv.Itoa(s))
		}
	}
	return b.String()
}

// extend returns a longer path and leaves the given one alone.
func extend(path []any, steps ...any) []any { return slices.Concat(path, steps) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// maxQuote bounds what is quoted to a caller.
const maxQuote = 100

// brief cuts a text.
func brief(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
