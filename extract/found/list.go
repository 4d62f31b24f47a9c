package found

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/facts"
)

// nested fills an object inside another: from the part of the thing that has its
// name, from a thing of its type, or as a part of the page.
func (m *mapper) nested(s *shape, in scope) any {
	name := s.key
	if in.prefix != "" || in.part {
		return m.object(s, m.within(name, in))
	}
	if things := m.parts(s, in); len(things) == 1 {
		return m.object(s, scope{things: things})
	} else if len(things) > 1 || !in.page {
		return nil
	}
	if len(m.subjects) == 1 && isType(name, facts.Types(m.subjects[0])) {
		return m.object(s, m.page())
	}
	if things := m.ofType(name); len(things) == 1 {
		return m.object(s, scope{things: things})
	} else if len(things) > 1 {
		return nil
	}
	return m.object(s, m.within(name, in))
}

// within returns the scope of an object that is nothing by itself on the page. A
// name that only groups leaves the fields what they are; any other makes them
// something else: the cost of shipping is no other cost.
func (m *mapper) within(name string, in scope) scope {
	switch name {
	case "data", "result", "item", "page":
		return in
	case "metadata", "meta", "opengraph", "og", "seo":
		return scope{page: true}
	case "spec", "specification", "detail", "attribute", "property", "feature", "info", "information", "dimension", "pricing",
		"technicaldetail", "characteristic", "fact", "general", "overview":
		in.part = true
		return in
	}
	in.prefix += name
	return in
}

// parts returns the things that a thing has under the name of a field.
func (m *mapper) parts(s *shape, in scope) []map[string]any {
	if len(in.things) != 1 || in.maker || in.part || in.prefix != "" {
		return nil
	}
	name := s.key
	values := m.property(in.things[0], name)
	for _, path := range synonyms[name] {
		if len(things(values)) == 0 {
			values = m.at(in.things[0], strings.Split(strings.TrimSuffix(path, ".name"), "."))
		}
	}
	return things(values)
}

func things(values []any) []map[string]any {
	var list []map[string]any
	for _, value := range values {
		if thing, ok := value.(map[string]any); ok {
			list = append(list, thing)
		}
	}
	return list
}

// ofType returns the things of the page that are what a name says.
func (m *mapper) ofType(name string) []map[string]any {
	var list []map[string]any
	for _, thing := range m.facts.Things {
		if isType(name, facts.Types(thing)) {
			list = append(list, thing)
		}
	}
	return list
}

// list fills a list of objects from the first source that has all that they
// require, else from the first that has anything.
func (m *mapper) list(s *shape, in scope) any {
	var first []any
	sources := [][]map[string]any{m.parts(s, in)}
	if name := s.key; in.page && in.prefix == "" {
		sources = append(sources, m.ofType(name), m.listed(name), m.several(name), m.table(s), m.pairs(s))
	}
	for _, source := range sources {
		var list []any
		complete := true
		for _, thing := range source {
			if object := m.object(s.items, scope{things: []map[string]any{thing}}); len(object) > 0 {
				list = append(list, object)
				complete = complete && len(lacking(nil, s.items, object, "")) == 0
			}
		}
		if m.work < 0 {
			return nil // the list may go on
		}
		if len(list) > 0 && complete {
			return list
		}
		if first == nil {
			first = list
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// isAny reports whether a name of a list says nothing of what is in it.
func isAny(name string) bool {
	switch name {
	case "", "item", "result", "entry", "list", "element", "record", "listing", "row", "data", "thing":
		return true
	}
	return false
}

// listed returns the elements of the one ItemList that is meant.
func (m *mapper) listed(name string) []map[string]any {
	var found []map[string]any
	for _, thing := range m.facts.Things {
		types := facts.Types(thing)
		trail := slices.Contains(types, "BreadcrumbList")
		if thing["itemListElement"] == nil || trail != (name == "breadcrumb") {
			continue
		}
		list := m.elements(thing)
		if len(list) == 0 || !trail && !isAny(name) && !isType(name, facts.Types(list[0])) {
			continue
		}
		if found != nil {
			return nil
		}
		found = list
	}
	return found
}

// elements returns the things in an ItemList. What the list says of its items
// counts where they say nothing themselves.
func (m *mapper) elements(list map[string]any) []map[string]any {
	var found []map[string]any
	for _, element := range things(flat(list["itemListElement"])) {
		item, ok := element["item"].(map[string]any)
		if !ok && !slices.Contains(facts.Types(element), "ListItem") {
			found = append(found, element)
			continue
		}
		if m.work -= 20; m.work < 0 {
			return nil
		}
		joined := map[string]any{}
		for key, value := range element {
			if key != "item" && key != "@type" {
				joined[key] = value
			}
		}
		if address, ok := element["item"].(string); ok && joined["url"] == nil {
			joined["url"] = address
		}
		for key, value := range item {
			joined[key] = value
		}
		found = append(found, joined)
	}
	return found
}

// several returns the things that a page without a main one is about.
func (m *mapper) several(name string) []map[string]any {
	if isAny(name) && len(m.subjects) > 1 {
		return m.subjects
	}
	return nil
}

// table returns the rows of the one table whose columns are the properties of
// the objects. Where several tables have them, its caption names the one.
func (m *mapper) table(s *shape) []map[string]any {
	var fitting, named [][]map[string]any
	for i := range m.facts.Tables {
		table := &m.facts.Tables[i]
		columns := m.match(s.items, table.Header)
		if columns == nil {
			continue
		}
		if m.work -= len(table.Rows) * len(columns); m.work < 0 {
			return nil
		}
		rows := rows(table, columns)
		fitting = append(fitting, rows)
		if m.is(table.Caption, s.key) {
			named = append(named, rows)
		}
	}
	switch {
	case len(named) == 1:
		return named[0]
	case len(fitting) == 1:
		return fitting[0]
	}
	return nil
}

// match returns the columns of the properties, or nil if the table is not one of
// such objects: all required properties have a column then, and two at least, or
// the only one.
func (m *mapper) match(s *shape, header []string) map[string]int {
	columns := map[string]int{}
	for _, name := range s.order {
		key, exact, akin := s.properties[name].key, -1, -1
		for i, text := range header {
			label, _, _ := strings.Cut(text, "(")
			switch folded := m.fold(label); {
			case folded == key || m.is(text, key):
				if exact >= 0 {
					return nil // two columns of one name
				}
				exact = i
			case alike(folded, key):
				akin = i
			}
		}
		if exact >= 0 {
			columns[name] = exact
		} else if akin >= 0 {
			columns[name] = akin
		} else if s.needs(name) {
			return nil
		}
	}
	if len(columns) < min(2, len(s.order)) || len(columns) == 0 {
		return nil
	}
	return columns
}

// rows returns the rows of a table as things.
func rows(table *facts.Table, columns map[string]int) []map[string]any {
	list := make([]map[string]any, 0, len(table.Rows))
	for _, row := range table.Rows {
		thing := make(map[string]any, len(columns))
		for name, column := range columns {
			if row[column] != "" {
				thing[name] = row[column]
			}
		}
		list = append(list, thing)
	}
	return list
}

// pairs returns the pairs of the page as things, for a list of specifications
// whose objects are a label and a value.
func (m *mapper) pairs(s *shape) []map[string]any {
	switch s.key {
	case "spec", "specification", "attribute", "property", "detail", "fact", "characteristic", "parameter", "pair", "technicaldetail":
	default:
		return nil
	}
	label, value := "", ""
	for _, name := range s.items.order {
		switch fold(name) {
		case "name", "key", "label", "property", "attribute", "term", "title":
			label = name
		case "value", "definition", "detail":
			value = name
		}
	}
	if label == "" || value == "" || len(s.items.order) != 2 {
		return nil
	}
	m.work -= len(m.facts.Pairs)
	var list []map[string]any
	for _, pair := range m.facts.Pairs {
		list = append(list, map[string]any{label: pair.Name, value: chars.Collapse(pair.Value)})
	}
	return list
}
