package found

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/facts"
)

// scope is where the fields of an object are looked for.
type scope struct {
	things []map[string]any // several if it is not clear which one is meant
	page   bool             // tags, pairs and tables belong to the object too
	maker  bool             // the things are not what the object is, but who made it
	part   bool             // the object groups fields of a thing: generic names would not mean the thing
	prefix string           // the object is something of the thing that only its name, put before those of its fields, tells
}

// page returns the scope of the whole page: what it is about, or all that it may
// be about; if it is about nothing, those who made it, who have a telephone
// number but whose name is not that of the page.
func (m *mapper) page() scope {
	in := scope{things: m.subjects, page: true}
	if len(in.things) > 0 {
		return in
	}
	in.maker = true
	for _, thing := range m.facts.Things {
		if types := facts.Types(thing); isType("company", types) || isType("person", types) {
			in.things = append(in.things, thing)
		}
	}
	return in
}

// candidates returns what the page has for a field, the best source first. What
// is in one group has equal standing.
func (m *mapper) candidates(s *shape, in scope) [][]any {
	name := in.prefix + s.key
	if name == "" || m.work < 0 || in.part && isGeneric(name) {
		return nil
	}
	var groups [][]any
	if in.means(name) {
		for _, alias := range aliases(name, in.things) {
			groups = m.fromThings(groups, s, alias, in.things)
		}
	}
	if in.page {
		groups = append(groups, m.fromTags(name), m.fromPairs(name, s), m.fromPage(name))
		if s.kind() == "array" {
			groups = append(groups, m.fromColumns(name))
		}
	}
	if m.work < 0 {
		return nil // what was not seen might have made it less clear
	}
	return slices.DeleteFunc(groups, func(values []any) bool { return len(values) == 0 })
}

// means reports whether a field of that name is one of the scope's things.
func (in *scope) means(name string) bool {
	switch {
	case in.maker:
		return !isOwn(name)
	case in.page && len(in.things) > 1:
		return !ofPage(name)
	}
	return true
}

// ofPage reports whether a name may be that of the page itself, where it has
// several things.
func ofPage(name string) bool {
	switch name {
	case "title", "pagetitle", "description", "pagedescription", "url", "sitename":
		return true
	}
	return false
}

// isOwn reports whether a name means the page, not who made it.
func isOwn(name string) bool {
	switch name {
	case "email", "phone", "telephone", "address", "sameas", "logo":
		return false
	}
	return isGeneric(name) || ofPage(name)
}

// aliases returns a name and, where it begins with the type of the things, what
// is left of it: the productName of a product is its name. Where it ends with a
// unit of time, what is measured in it.
func aliases(name string, things []map[string]any) []string {
	list := []string{name}
	if base, unit := cutUnit(name); unit > 0 {
		list = append(list, base)
	}
	for _, thing := range things[:min(len(things), 1)] {
		types := facts.Types(thing)
		for i := 3; i < min(len(name), 40); i++ {
			if isType(name[:i], types) {
				list = append(list, name[i:])
			}
		}
	}
	return list
}

// fromThings appends what things have for a name: under it, under a synonym,
// among their further properties, and inside of what belongs to them.
func (m *mapper) fromThings(groups [][]any, s *shape, name string, things []map[string]any) [][]any {
	gather := func(find func(thing map[string]any) []any) {
		var values []any
		for _, thing := range things {
			values = append(values, find(thing)...)
		}
		m.work -= len(values)
		groups = append(groups, values)
	}
	gather(func(thing map[string]any) []any { return m.property(thing, name) })
	for _, path := range told(synonyms[name], s.words) {
		gather(func(thing map[string]any) []any { return m.at(thing, strings.Split(path, ".")) })
	}
	gather(func(thing map[string]any) []any { return m.further(thing, name) })
	gather(func(thing map[string]any) []any { return m.compound(thing, name, 0) })
	if !isGeneric(name) {
		gather(func(thing map[string]any) []any { return m.inside(thing, name) })
	}
	return groups
}

// told returns synonyms so that those come first which the description of the
// field speaks of, if it does not speak of the others: a date that is "when it
// was modified" is not that of publication.
func told(paths []string, description string) []string {
	if len(paths) < 2 || description == "" {
		return paths
	}
	said := map[string]bool{}
	for _, word := range words(description) {
		said[word] = true
	}
	var first, rest []string
	for _, path := range paths {
		list := words(path)
		if word := list[len(list)-1]; len(list) > 1 && said[word] || word == "date" && said[list[0]] {
			first = append(first, path)
		} else {
			rest = append(rest, path)
		}
	}
	return append(first, rest...)
}

// property returns the values under a name, however it is written.
func (m *mapper) property(thing map[string]any, name string) []any {
	var found []any
	for _, key := range m.keys(thing, func(key string) bool { return key == name }) {
		found = append(found, flat(thing[key])...)
	}
	return found
}

// keys returns the keys of a thing that are wanted once they are folded, in an
// order that is always the same.
func (m *mapper) keys(thing map[string]any, wanted func(key string) bool) []string {
	var keys []string
	for key := range thing {
		if !strings.HasPrefix(key, "@") && wanted(m.fold(key)) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// at returns the values at a path, through lists and objects.
func (m *mapper) at(value any, path []string) []any {
	if len(path) == 0 {
		return flat(value)
	}
	var found []any
	for _, element := range flat(value) {
		m.work--
		if thing, ok := element.(map[string]any); ok && thing[path[0]] != nil {
			found = append(found, m.at(thing[path[0]], path[1:])...)
		}
	}
	return found
}

// further returns the values of additionalProperty, which is a list of pairs.
func (m *mapper) further(thing map[string]any, name string) []any {
	var found []any
	for _, element := range flat(thing["additionalProperty"]) {
		if pair, ok := element.(map[string]any); ok {
			if label, ok := pair["name"].(string); ok && m.is(label, name) {
				found = append(found, flat(pair["value"])...)
			}
		}
	}
	return found
}

// compound returns the values of a name that is put together from the names on
// the way: brandName is the name of the brand.
func (m *mapper) compound(thing map[string]any, name string, depth int) []any {
	var found []any
	if depth > 2 {
		return nil
	}
	begins := func(key string) bool { return key != "" && len(key) < len(name) && strings.HasPrefix(name, key) }
	for _, key := range m.keys(thing, begins) {
		rest := name[len(m.fold(key)):]
		for _, element := range flat(thing[key]) {
			if nested, ok := element.(map[string]any); ok {
				found = append(found, m.property(nested, rest)...)
				found = append(found, m.compound(nested, rest, depth+1)...)
			}
		}
	}
	return found
}

// inside returns the values under a name in those parts of a thing that say
// something of the thing itself.
func (m *mapper) inside(thing map[string]any, name string) []any {
	var found []any
	for _, key := range []string{"offers", "aggregateRating", "address", "geo", "nutrition", "baseSalary", "jobLocation", "location", "contactPoint"} {
		for _, element := range flat(thing[key]) {
			if nested, ok := element.(map[string]any); ok {
				found = append(found, m.property(nested, name)...)
			}
		}
	}
	return found
}

// flat returns a value as a list.
func flat(value any) []any {
	switch value := value.(type) {
	case nil:
		return nil
	case []any:
		return value
	}
	return []any{value}
}

// fromTags returns what the meta tags have for a name.
func (m *mapper) fromTags(name string) []any {
	for _, tag := range tagSynonyms[name] {
		if value := m.facts.Tags[tag]; value != "" && (!strings.HasSuffix(tag, "author") || !strings.Contains(value, "://")) {
			return []any{value}
		}
	}
	var found []any
	for _, tag := range m.tags {
		space, rest, spaced := strings.Cut(tag, ":")
		switch {
		case !spaced:
			rest = tag
		case space != "og" && space != "product" && space != "article" && space != "book" && space != "profile" && space != "video" && space != "music":
			continue
		}
		if m.is(rest, name) && name != "type" {
			found = append(found, m.facts.Tags[tag])
		}
	}
	return found
}

// fromPairs returns what the pairs of the page have for a name: by itself, or by
// another that means the same. For a list, values with line breaks or commas are
// several.
func (m *mapper) fromPairs(name string, s *shape) []any {
	var exact, akin []string
	for _, pair := range m.facts.Pairs {
		label, _, _ := strings.Cut(pair.Name, "(")
		switch folded := m.fold(label); {
		case folded == name || m.is(pair.Name, name):
			exact = append(exact, pair.Value)
		case alike(folded, name):
			akin = append(akin, pair.Value)
		}
	}
	if len(exact) == 0 {
		exact = akin
	}
	var list []any
	for _, value := range exact {
		if s.kind() == "array" {
			list = append(list, split(value)...)
		} else {
			list = append(list, chars.Collapse(value))
		}
	}
	return list
}

// alike reports whether two names stand for the same in schema.org. A website
// that a page speaks of is not the address of the page.
func alike(a, b string) bool {
	at, other := synonyms[a], synonyms[b]
	return len(at) > 0 && len(other) > 0 && at[0] == other[0] && isSite(a) == isSite(b)
}

func isSite(name string) bool { return name == "website" || name == "homepage" }

// fromPage returns what else the page says of itself.
func (m *mapper) fromPage(name string) []any {
	switch name {
	case "title", "pagetitle", "headline":
		return text(m.facts.Title)
	case "description", "pagedescription", "metadescription":
		return text(m.facts.Description)
	case "sitename", "websitename":
		for _, thing := range m.facts.Things {
			if slices.Contains(facts.Types(thing), "WebSite") {
				return flat(thing["name"])
			}
		}
	case "breadcrumb":
		for _, thing := range m.facts.Things {
			if slices.Contains(facts.Types(thing), "BreadcrumbList") {
				var names []any
				for _, element := range m.elements(thing) {
					names = append(names, flat(element["name"])...)
				}
				return names
			}
		}
	}
	return nil
}

func text(s string) []any {
	if s == "" {
		return nil
	}
	return []any{s}
}

// fromColumns returns the column of that name, if only one table has one.
func (m *mapper) fromColumns(name string) []any {
	var found []any
	for _, table := range m.facts.Tables {
		for column, header := range table.Header {
			if !m.is(header, name) {
				continue
			}
			if found != nil {
				return nil
			}
			found = []any{}
			for _, row := range table.Rows {
				if row[column] != "" {
					found = append(found, row[column])
				}
			}
		}
	}
	return found
}

// apart returns the values for a list: of keywords in one text each one.
func apart(values []any, s *shape) []any {
	if text, ok := oneText(values); ok && isShared(s.key) {
		return split(text)
	}
	var list []any
	for _, value := range values {
		if section, ok := value.(map[string]any); ok && section["itemListElement"] != nil {
			list = append(list, flat(section["itemListElement"])...)
		} else {
			list = append(list, value)
		}
	}
	return list
}

func oneText(values []any) (string, bool) {
	if len(values) != 1 {
		return "", false
	}
	text, ok := values[0].(string)
	return text, ok
}

// split splits a text at its line breaks or, if it has none, at commas and
// semicolons.
func split(text string) []any {
	marks := ",;、"
	if strings.Contains(text, "\n") {
		marks = "\n"
	}
	var list []any
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(marks, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
