package extract

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/schema"
)

// maxWarnings bounds the different warnings that a merged finding has.
const maxWarnings = 10

// Merge puts together what several pages have to say, in their order. Objects
// are merged field by field. Lists are united: what several pages list is there
// once, things being the same if what identifies them is. Of different values
// for one field the first that was verified stands, else the first. A value
// that several pages have has the evidence of all of them. Tokens are summed up.
// The schema may be nil.
func Merge(findings []*Finding, s *schema.Schema) *Finding {
	merged := &Finding{}
	var root *node
	var warnings []string
	for i, f := range findings {
		if f == nil {
			continue
		}
		merged.Tokens += f.Tokens
		if f.Warning != "" && len(warnings) < maxWarnings && !slices.Contains(warnings, f.Warning) {
			warnings = append(warnings, f.Warning)
		}
		root = root.merge(newNode(f, i))
	}
	merged.Warning = strings.Join(warnings, " ")
	if root == nil {
		return merged
	}
	merged.Value = root.value()
	root.collect("", &merged.Evidence)
	if s != nil {
		merged.Value = s.Relaxed().Tidy(merged.Value)
		merged.Evidence = standing(merged.Evidence, merged.Value)
	}
	return merged
}

// standing returns the evidence of values that are still there.
func standing(evidence []trawl.Evidence, value any) []trawl.Evidence {
	return slices.DeleteFunc(slices.Clone(evidence), func(e trawl.Evidence) bool {
		leaf, ok := schema.Get(value, steps(e.Path))
		return !ok || leaf == nil
	})
}

// node is a value with its evidence.
type node struct {
	fields   map[string]*node // of an object, else nil
	items    []*node          // of a list, else nil
	list     bool
	leaf     any
	evidence []trawl.Evidence // of the leaf
	origin   int              // the finding that it was last merged with
	index    *itemIndex       // of the items, once there was something to unite
}

// newNode returns the value of a finding, or nil if it has none.
func newNode(f *Finding, origin int) *node {
	evidence := make(map[string][]trawl.Evidence, len(f.Evidence))
	for _, e := range f.Evidence {
		evidence[e.Path] = append(evidence[e.Path], e)
	}
	return grow(f.Value, "", origin, 0, evidence)
}

func grow(value any, path string, origin, depth int, evidence map[string][]trawl.Evidence) *node {
	n := &node{origin: origin}
	switch v := value.(type) {
	case nil:
		return nil
	case map[string]any:
		n.fields = make(map[string]*node, len(v))
		for key, item := range v {
			if depth < maxDepth {
				n.put(key, grow(item, schema.Below(path, key), origin, depth+1, evidence))
			}
		}
	case []any:
		n.list = true
		for i, item := range v {
			if child := grow(item, schema.At(path, i), origin, depth+1, evidence); child != nil && depth < maxDepth {
				n.items = append(n.items, child)
			}
		}
	default:
		n.leaf, n.evidence = v, evidence[path]
	}
	return n
}

func (n *node) put(key string, child *node) {
	if child != nil {
		n.fields[key] = child
	}
}

// value returns the value again.
func (n *node) value() any {
	switch {
	case n.fields != nil:
		object := make(map[string]any, len(n.fields))
		for key, child := range n.fields {
			object[key] = child.value()
		}
		return object
	case n.list:
		list := make([]any, len(n.items))
		for i, child := range n.items {
			list[i] = child.value()
		}
		return list
	}
	return n.leaf
}

// collect appends the evidence, with the paths that the values have now.
func (n *node) collect(path string, list *[]trawl.Evidence) {
	for _, key := range slices.Sorted(maps.Keys(n.fields)) {
		n.fields[key].collect(schema.Below(path, key), list)
	}
	for i, child := range n.items {
		child.collect(schema.At(path, i), list)
	}
	for _, e := range n.evidence {
		e.Path = path
		*list = append(*list, e)
	}
}

// merge returns both in one. Neither may be used afterwards.
func (n *node) merge(other *node) *node {
	switch {
	case n == nil:
		return other
	case other == nil:
		return n
	case n.fields != nil && other.fields != nil:
		for key, child := range other.fields {
			n.fields[key] = n.fields[key].merge(child)
		}
	case n.list && other.list:
		n.unite(other)
	case n.isLeaf() && other.isLeaf() && n.key() == other.key():
		n.witness(other.evidence)
	case !n.verified() && other.verified():
		return other
	}
	n.origin = other.origin
	return n
}

func (n *node) isLeaf() bool { return n.fields == nil && !n.list }

// verified reports whether a leaf stands in its page.
func (n *node) verified() bool {
	return slices.ContainsFunc(n.evidence, func(e trawl.Evidence) bool { return e.Verified })
}

// witness adds evidence, one piece of each page. Verified evidence is better
// than other.
func (n *node) witness(evidence []trawl.Evidence) {
	for _, e := range evidence {
		i := slices.IndexFunc(n.evidence, func(known trawl.Evidence) bool { return known.URL == e.URL })
		switch {
		case i < 0:
			n.evidence = append(n.evidence, e)
		case e.Verified && !n.evidence[i].Verified:
			n.evidence[i] = e
		}
	}
}

// key returns what is the same for equal values, however they are written.
func (n *node) key() string {
	switch {
	case n.fields != nil || n.list:
		return compact(n.value())
	default:
		return leafKey(n.leaf)
	}
}

func leafKey(leaf any) string {
	switch v := leaf.(type) {
	case string:
		return "s" + foldText(v)
	case bool:
		return "b" + strconv.FormatBool(v)
	}
	number, _ := canonicalValue(leaf)
	return "n" + number
}

// compact returns the JSON of a value with its strings and numbers folded.
func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.ToLower(string(text))
}
