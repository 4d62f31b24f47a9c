package facts

import (
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// linkedThings reads the scripts of linked data.
func (r *reader) linkedThings() []map[string]any {
	var things []map[string]any
	bytes := maxScriptBytes
	for _, script := range r.scripts {
		text := script.InnerText(bytes + 1)
		if len(text) > bytes {
			r.facts.Cut = true
			continue
		}
		bytes -= len(text)
		l := loose{text: text, room: r.values}
		for {
			start := strings.IndexAny(l.text[l.pos:], "{[")
			if start < 0 {
				break
			}
			if l.pos += start; strings.HasPrefix(l.text[l.pos:], "[CDATA[") {
				l.pos += len("[CDATA[")
				continue
			}
			value, ok := l.value(0)
			things = r.collect(things, r.tidy("", value), 0)
			if !ok {
				break
			}
		}
		r.facts.Cut = r.facts.Cut || l.room < 0
		r.values = max(l.room, 0)
	}
	resolve(things)
	return things
}

// collect appends the things of a value: itself, those of a list, of a graph, and
// what a page names as its main entity.
func (r *reader) collect(things []map[string]any, value any, depth int) []map[string]any {
	if depth > 4 {
		return things
	}
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			things = r.collect(things, element, depth+1)
		}
	case map[string]any:
		graph := value["@graph"]
		delete(value, "@graph")
		if main, ok := value["mainEntity"].(map[string]any); ok && len(Types(main)) > 0 {
			things = r.collect(things, main, depth+1)
		}
		if len(value) > 1 && len(Types(value)) > 0 {
			things = r.append(things, value)
		}
		things = r.collect(things, graph, depth+1)
	}
	return things
}

// append adds a thing, if there is room for it.
func (r *reader) append(things []map[string]any, thing map[string]any) []map[string]any {
	if len(things) >= maxThings {
		r.facts.Cut = true
		return things
	}
	return append(things, thing)
}

// Types returns the types of a thing, as short names.
func Types(thing map[string]any) []string {
	list, _ := thing["@type"].([]any)
	types := make([]string, 0, len(list))
	for _, kind := range list {
		if name, ok := kind.(string); ok {
			types = append(types, name)
		}
	}
	return types
}

// tidy writes a value of linked data as Facts promises it. The key is the one
// that the value stands under.
func (r *reader) tidy(key string, value any) any {
	switch value := value.(type) {
	case string:
		return r.tidyText(key, value)
	case []any:
		list := make([]any, 0, len(value))
		for _, element := range value {
			if element = r.tidy(key, element); element != nil {
				list = append(list, element)
			}
		}
		return list
	case map[string]any:
		if plain, ok := value["@value"]; ok {
			return r.tidy(key, plain)
		}
		if list, ok := value["@list"]; ok {
			return r.tidy(key, list)
		}
		return r.tidyThing(value)
	}
	return value
}

func (r *reader) tidyThing(value map[string]any) map[string]any {
	thing := make(map[string]any, len(value))
	for _, key := range slices.Sorted(maps.Keys(value)) {
		if key == "@context" {
			continue
		}
		part := r.tidy(key, value[key])
		if part == nil {
			continue
		}
		if key != "@type" {
			// The short form of a name gives way to one that is short in the page.
			name := shortName(key)
			if _, given := value[name]; name == key || !given {
				thing[name] = part
			}
		} else if types := shortTypes(part); len(types) > 0 {
			thing[key] = types
		}
	}
	return thing
}

// tidyText returns a text without entities and tags, which pages leave in, and
// with addresses made absolute; nil if nothing is left.
func (r *reader) tidyText(key, text string) any {
	switch key {
	case "@type":
		return text
	case "@id":
		return strings.TrimSpace(text)
	case "url", "image", "logo", "contentUrl", "thumbnailUrl", "embedUrl", "sameAs", "downloadUrl":
		if joined := r.base.Join(html.UnescapeString(text)); joined != "" && !strings.ContainsAny(strings.TrimSpace(text), " \n") {
			return joined
		}
	}
	text = chars.Truncate(text, maxText)
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	if strings.Contains(text, "</") || strings.Contains(text, "<br") {
		text = r.text(dom.Parse(text).Root, maxText)
	}
	if text = chars.Collapse(text); text == "" {
		return nil
	}
	return text
}

// shortTypes returns types as a list of short names.
func shortTypes(value any) []any {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	types := make([]any, 0, len(list))
	for _, kind := range list {
		if name, ok := kind.(string); ok && shortName(name) != "" {
			types = append(types, shortName(name))
		}
	}
	return types
}

// shortName returns the last part of a name such as https://schema.org/Product
// or schema:Product.
func shortName(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "@") {
		return name
	}
	return name[strings.LastIndexAny(name, "/:#")+1:]
}

// reference is a place that names a thing instead of describing it.
type reference struct {
	set func(any)
	id  string
}

// resolve puts what the page says of a thing where it is only named by its
// "@id". It goes one level: what stands in there stays named. All copies are
// made before the first is put in its place, so none contains itself.
func resolve(things []map[string]any) {
	known := map[string]map[string]any{}
	for _, thing := range things {
		if id, ok := thing["@id"].(string); ok && known[id] == nil {
			known[id] = thing
		}
	}
	if len(known) == 0 {
		return
	}
	var places []reference
	for _, thing := range things {
		places = references(places, thing)
	}
	room := maxValues / 2
	copies := make([]any, len(places))
	for i, place := range places {
		if target := known[place.id]; target != nil && room > 0 {
			copies[i] = duplicate(target, &room)
		}
	}
	for i, place := range places {
		if copies[i] != nil {
			place.set(copies[i])
		}
	}
}

// references appends the places in a value that only name a thing.
func references(places []reference, value any) []reference {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			part := value[key]
			if id := nameOnly(part); id != "" {
				places = append(places, reference{func(v any) { value[key] = v }, id})
			} else {
				places = references(places, part)
			}
		}
	case []any:
		for i, part := range value {
			if id := nameOnly(part); id != "" {
				places = append(places, reference{func(v any) { value[i] = v }, id})
			} else {
				places = references(places, part)
			}
		}
	}
	return places
}

func nameOnly(value any) string {
	thing, ok := value.(map[string]any)
	if !ok || len(thing) > 2 || len(thing) == 2 && thing["@type"] == nil {
		return ""
	}
	id, _ := thing["@id"].(string)
	return id
}

// duplicate copies a value as far as there is room.
func duplicate(value any, room *int) any {
	if *room--; *room < 0 {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		thing := make(map[string]any, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if part := duplicate(value[key], room); part != nil {
				thing[key] = part
			}
		}
		return thing
	case []any:
		list := make([]any, 0, len(value))
		for _, part := range value {
			if part = duplicate(part, room); part != nil {
				list = append(list, part)
			}
		}
		return list
	}
	return value
}
