package extract

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/schema"
)

// judge is one page, before which the values of an answer have to stand.
type judge struct {
	text  *text // what the page says
	own   *text // its address
	url   string
	want  *schema.Schema // what may be absent; nil: everything
	enums map[string]bool
	mark  string // of the request; it must not come back

	founded bool // things in lists have to be
}

func newJudge(src *Source, want *schema.Schema) *judge {
	j := &judge{url: src.URL, want: want, enums: map[string]bool{}}
	j.text = newText(src.Title, src.Description, src.Markdown, factLines(src.Facts))
	j.own = newText(src.URL)
	if u, err := url.Parse(src.URL); err == nil {
		j.text.host, j.own.host = u.Host, u.Host
	}
	if want != nil {
		for _, field := range want.Fields() {
			if len(field.Enum) > 0 {
				j.enums[field.Path] = true
			}
		}
	}
	return j
}

// finding takes out of an answer what the page does not have and returns the rest
// with its evidence. What is taken out must leave an answer that fits.
func (j *judge) finding(value any, fits *schema.Schema) (*Finding, error) {
	if fits != nil {
		value = fits.Tidy(value)
	}
	drop, stray := map[string]bool{}, []string{}
	leaked := ""
	walk(value, "", 0, func(path string, leaf any) {
		switch {
		case j.leaks(path, leaf) && !j.optional(path):
			leaked = path
		case !j.optional(path) || j.enums[pattern(path)]:
		case j.leaks(path, leaf), j.placeholder(leaf):
			drop[path] = true
		case j.text.invented(leaf) && !j.isOwn(leaf):
			drop[path] = true
			stray = append(stray, pattern(path))
		}
	})
	absent := map[string]int{}
	if j.founded {
		j.unfounded(value, "", 0, func(path string) {
			drop[path] = true
			absent[strings.TrimSuffix(pattern(path), "[]")]++
		})
	}
	if leaked != "" {
		return nil, trawl.Errorf(trawl.CodeModel, "The model gave its own instructions as the value of %s.", leaked)
	}
	if len(drop) > 0 {
		value = remove(value, drop, fits)
	}
	f := &Finding{Value: value, Evidence: j.evidence(value)}
	var warnings []string
	if len(stray) > 0 {
		warnings = append(warnings, "Left out, because the page does not have it: "+enumerate(stray)+".")
	}
	if len(absent) > 0 {
		warnings = append(warnings, leftOut(absent))
	}
	f.Warning = strings.Join(warnings, " ")
	return f, nil
}

// evidence says of every leaf where it stands in the page.
func (j *judge) evidence(value any) []trawl.Evidence {
	var list []trawl.Evidence
	walk(value, "", 0, func(path string, leaf any) {
		e := trawl.Evidence{Path: path, URL: j.url}
		if place := j.text.locate(leaf); place.ok() {
			e.Verified, e.Quote = true, j.text.quote(place)
		} else if j.isOwn(leaf) {
			e.Verified, e.Quote = true, j.own.quote(j.own.locate(leaf))
		}
		list = append(list, e)
	})
	return list
}

// isOwn reports whether a value is the address of the page, or of its site. Numbers
// and words in that address are not what the page says.
func (j *judge) isOwn(leaf any) bool {
	s, ok := leaf.(string)
	return ok && kindOf(s) == kindURL && j.own.locate(s).ok()
}

// optional reports whether the value at a path may be absent.
func (j *judge) optional(path string) bool {
	return path != "" && (j.want == nil || j.want.Optional(path))
}

// leaks reports whether a value or its name gives away how the model was asked.
func (j *judge) leaks(path string, leaf any) bool {
	s, _ := leaf.(string)
	return (j.reveals(s) || isOurs(s)) && !j.text.find(s).ok() || j.reveals(path)
}

func (j *judge) reveals(s string) bool {
	return reveals(s) || j.mark != "" && strings.Contains(s, j.mark)
}

// placeholder reports whether a value only says that there is none, in words
// that are not the page's.
func (j *judge) placeholder(leaf any) bool {
	s, ok := leaf.(string)
	if !ok || len(s) > 40 {
		return false
	}
	s = strings.Trim(strings.ToLower(strings.TrimSpace(s)), ".()[]<>")
	switch s {
	case "":
		return true
	case "-", "--", "–", "—", "?", "n/a", "na", "n.a", "none", "null", "nil", "undefined", "unknown", "unspecified", "not specified",
		"not available", "not provided", "not mentioned", "not stated", "not given", "not found", "not applicable", "not listed",
		"no information", "no data", "missing", "empty", "string", "unbekannt", "nicht angegeben", "keine angabe", "k.a", "inconnu",
		"non spécifié", "desconocido", "no especificado":
		return !j.text.standsAlone(s)
	}
	return false
}

// remove takes leaves out of a value. If it does not fit any more then, they are
// tried one by one.
func remove(value any, drop map[string]bool, fits *schema.Schema) any {
	less, _ := without(value, "", drop, 0)
	if fits == nil || len(fits.Check(less)) == 0 {
		return less
	}
	const most = 50
	kept := map[string]bool{}
	for i, path := range slices.Sorted(maps.Keys(drop)) {
		if i == most {
			break
		}
		kept[path] = true
		if less, _ := without(value, "", kept, 0); len(fits.Check(less)) > 0 {
			delete(kept, path)
		}
	}
	less, _ = without(value, "", kept, 0)
	return less
}

// without returns a copy of a value that lacks some leaves, and whether anything
// is left of it. What has nothing left goes with them.
func without(value any, path string, drop map[string]bool, depth int) (any, bool) {
	if drop[path] {
		return nil, false
	}
	lost := false
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			if rest, ok := inner(item, schema.Below(path, key), drop, depth); ok {
				object[key] = rest
			} else {
				lost = true
			}
		}
		return object, !lost || len(object) > 0 || path == ""
	case []any:
		list := make([]any, 0, len(v))
		for i, item := range v {
			if rest, ok := inner(item, schema.At(path, i), drop, depth); ok {
				list = append(list, rest)
			}
		}
		return list, true
	}
	return value, true
}

func inner(item any, path string, drop map[string]bool, depth int) (any, bool) {
	if depth >= maxDepth {
		return item, true
	}
	return without(item, path, drop, depth+1)
}

// enumerate names some paths, each once.
func enumerate(paths []string) string {
	const most = 10
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) > most {
		return strings.Join(paths[:most], ", ") + fmt.Sprintf(" and %d more", len(paths)-most)
	}
	return strings.Join(paths, ", ")
}

// Sources returns the pages that each value comes from, by its path, every page
// once.
func Sources(evidence []trawl.Evidence) map[string][]string {
	sources := make(map[string][]string, len(evidence))
	for _, e := range evidence {
		if e.URL != "" && !slices.Contains(sources[e.Path], e.URL) {
			sources[e.Path] = append(sources[e.Path], e.URL)
		}
	}
	return sources
}

// factLines returns what a page says for machines, a name and a value a line.
func factLines(f *facts.Facts) string {
	if f == nil {
		return ""
	}
	var b strings.Builder
	line := func(name string, value any) {
		if b.Len() < maxText/4 {
			fmt.Fprintf(&b, "%s: %s\n", name, written(value))
		}
	}
	b.WriteString(f.Title + "\n" + f.Description + "\n")
	for _, thing := range f.Things {
		walk(thing, "", 0, line)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Tags)) {
		line(name, f.Tags[name])
	}
	for _, pair := range f.Pairs {
		line(pair.Name, pair.Value)
	}
	for _, table := range f.Tables {
		for _, row := range append([][]string{{table.Caption}, table.Header}, table.Rows...) {
			if b.Len() < maxText/4 {
				b.WriteString(strings.Join(row, " | ") + "\n")
			}
		}
	}
	return b.String()
}

// written returns a leaf as a text would have it.
func written(leaf any) string {
	if number, ok := canonicalValue(leaf); ok {
		return number
	}
	return fmt.Sprint(leaf)
}
