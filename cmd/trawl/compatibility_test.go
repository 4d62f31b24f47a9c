package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/webhook"
)

// TestReferenceCompatibility holds docs/compatibility.md against the service;
// -update rewrites it.
//
// testdata/compatibility.md has its words: what the API knows, row by row, and what
// there is to say about it. What it says of the state of a row is found out here, by
// asking running services and their OpenAPI document. Whatever the service knows and
// no row names is an error.
func TestReferenceCompatibility(t *testing.T) {
	t.Parallel()
	template, err := os.ReadFile("testdata/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	s := openSurface(t)
	page := s.page(string(template))
	s.complete()
	const path = docsRoot + "/docs/compatibility.md"
	shown, err := os.ReadFile(path)
	switch {
	case t.Failed() || err == nil && string(shown) == page:
	case !*update:
		t.Errorf("%s is not what the service does; run the test with -update", path)
	default:
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The states of a row. Words of the template only ever refine the first.
const (
	stateWorks      = "works"
	statePermission = "permission"
	stateWarning    = "warning"
	stateAbsent     = "not there"
	stateUnserved   = "501"
)

// surface is what services can be asked about themselves.
type surface struct {
	t          *testing.T
	api        openAPI
	full, bare *prober // with a browser, a language model and a search engine; and without
	tabled     map[string]bool
	routes     map[string]bool // those that have a row
}

// row is a line of a table in the template: names in backticks, a word that refines
// the state, and a note.
type row struct {
	cells []string
	names []string
}

var (
	directive = regexp.MustCompile(`^<!-- ([a-z]+)(?: (\w+))? -->$`)
	quoted    = regexp.MustCompile("`([^`]+)`")
)

// page returns the template with its tables filled in.
func (s *surface) page(template string) string {
	s.tabled = map[string]bool{}
	lines := strings.Split(template, "\n")
	for _, line := range lines {
		if found := directive.FindStringSubmatch(line); found != nil && found[2] != "" {
			s.tabled[found[2]] = true
		}
	}
	out := "<!-- Written by \"make docs\" from cmd/trawl/testdata/compatibility.md and what the service does. -->\n\n"
	for i := 0; i < len(lines); i++ {
		found := directive.FindStringSubmatch(lines[i])
		if found == nil {
			out += lines[i] + "\n"
			continue
		}
		var rows []row
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|") {
			i++
			rows = append(rows, readRow(lines[i]))
		}
		out += s.table(found[1], found[2], rows)
	}
	return strings.TrimRight(out, "\n") + "\n"
}

func readRow(line string) row {
	var r row
	for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		r.cells = append(r.cells, strings.TrimSpace(cell))
	}
	for len(r.cells) < 3 {
		r.cells = append(r.cells, "")
	}
	for _, found := range quoted.FindAllStringSubmatch(r.cells[0], -1) {
		r.names = append(r.names, found[1])
	}
	return r
}

// table writes one table.
func (s *surface) table(kind, name string, rows []row) string {
	switch kind {
	case "endpoints":
		return s.fill("endpoint", s.endpoint, rows)
	case "parameters":
		return s.parameters(rows)
	case "request":
		return s.request(name, rows)
	case "answer":
		s.same(name, s.fields(name), rows)
		return s.answered(name) + s.fill("field", s.known(s.fields(name)), rows)
	case "part":
		s.same(name, s.fields(name), rows)
		return s.fill("field", s.known(s.fields(name)), rows)
	case "document":
		return s.document(name, rows)
	case "event":
		return s.event(rows)
	case "events":
		return s.fill("event", s.full.event, rows)
	case "variants":
		return s.variants(name, rows)
	case "extensions":
		return s.fill("extension", s.full.extension, rows)
	case "codes":
		return s.codes(rows)
	case "clients":
		return s.clients(rows)
	}
	s.t.Errorf("there is no table %q", kind)
	return ""
}

// fill writes a table whose states are found by name. Names of a row that differ in
// their state get rows of their own.
func (s *surface) fill(title string, state func(name string) string, rows []row) string {
	out := "| " + title + " | state | note |\n|---|---|---|\n"
	for _, r := range rows {
		for _, group := range grouped(r.names, state) {
			out += line(backticked(group.names), refined(group.state, r.cells[1]), r.cells[2])
		}
	}
	return out
}

func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func backticked(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// refined puts a word of the template in the place of "works".
func refined(state, word string) string {
	if state == stateWorks {
		return cmp.Or(word, state)
	}
	return state
}

type group struct {
	state string
	names []string
}

// grouped puts neighbours of the same state together.
func grouped(names []string, state func(string) string) []group {
	var groups []group
	for _, name := range names {
		is := state(name)
		if last := len(groups) - 1; last >= 0 && groups[last].state == is {
			groups[last].names = append(groups[last].names, name)
		} else {
			groups = append(groups, group{is, []string{name}})
		}
	}
	return groups
}

// known returns the state of fields that are there or are not.
func (s *surface) known(fields map[string]bool) func(string) string {
	return func(name string) string {
		if fields[name] {
			return stateWorks
		}
		return stateAbsent
	}
}

// same reports what is there and not in the rows, and what is there twice.
func (s *surface) same(what string, is map[string]bool, rows []row) {
	s.t.Helper()
	seen := map[string]bool{}
	for _, r := range rows {
		for _, name := range r.names {
			if seen[name] {
				s.t.Errorf("%s: %s has two rows", what, name)
			}
			seen[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if !seen[name] {
			s.t.Errorf("%s: there is no row for %s", what, name)
		}
	}
}

// complete reports endpoints and bodies that no table is about, and requests that
// take what they do not know.
func (s *surface) complete() {
	for schema := range requests {
		if state := s.full.field(s.api, schema, "nobodyKnowsThis"); state != stateAbsent {
			s.t.Errorf("%s: an unknown key %s", schema, state)
		}
	}
	for path, methods := range s.api.Paths {
		for method, op := range methods {
			name := strings.ToUpper(method) + " " + path
			if !s.routes[name] {
				s.t.Errorf("there is no row for %s", name)
			}
			for _, body := range op.bodies() {
				if !s.tabled[body] && strings.HasPrefix(path, "/v2/") {
					s.t.Errorf("%s: there is no table for %s", name, body)
				}
			}
		}
	}
}

// endpoint returns the state of an endpoint: METHOD /path.
func (s *surface) endpoint(name string) string {
	s.routes[name] = true
	method, path, _ := strings.Cut(name, " ")
	op, ok := s.api.Paths[path][strings.ToLower(method)]
	switch {
	case strings.HasPrefix(path, "/v1/"): // which the OpenAPI document leaves out
		s.full.present(method, path)
	case !ok:
		s.full.absent(method, path)
		return stateAbsent
	case strings.Contains(op.Summary, "not implemented"):
		return stateUnserved
	}
	return stateWorks
}

// answered names the endpoints that answer with a body.
func (s *surface) answered(body string) string {
	var names []string
	for path, methods := range s.api.Paths {
		for method, op := range methods {
			if slices.Contains(op.bodies(), body) {
				names = append(names, strings.ToUpper(method)+" "+path)
				if !s.fields(body)["success"] && !strings.HasPrefix(path, "/v2/support/") { // where clients expect none
					s.t.Errorf("%s does not answer with success", names[len(names)-1])
				}
			}
		}
	}
	slices.Sort(names)
	return "Of " + backticked(names) + ".\n\n"
}

// parameters writes the table of what requests have besides a body. A row names
// parameters and the endpoints that take them.
func (s *surface) parameters(rows []row) string {
	is, seen := map[string]bool{}, map[string]bool{}
	for path, methods := range s.api.Paths {
		for method, op := range methods {
			for _, p := range op.Parameters {
				if p.In != "path" && strings.HasPrefix(path, "/v2/") {
					is[strings.ToUpper(method)+" "+path+" "+p.Name] = true
				}
			}
		}
	}
	out := "| parameter | of | state | note |\n|---|---|---|---|\n"
	for _, r := range rows {
		var endpoints []string
		for _, found := range quoted.FindAllStringSubmatch(r.cells[1], -1) {
			endpoints = append(endpoints, found[1])
		}
		state := func(name string) string {
			for _, endpoint := range endpoints {
				seen[endpoint+" "+name] = true
				if !is[endpoint+" "+name] {
					return stateAbsent
				}
			}
			return stateWorks
		}
		for _, group := range grouped(r.names, state) {
			out += line(backticked(group.names), backticked(endpoints), refined(group.state, r.cells[2]), strings.Join(r.cells[3:], ""))
		}
	}
	for name := range is {
		if !seen[name] {
			s.t.Errorf("there is no row for the parameter %s", name)
		}
	}
	return out
}

// request writes the table of a body's fields. Each is sent to a service that has all
// it needs; those of a scrape also to one that has nothing.
func (s *surface) request(name string, rows []row) string {
	s.same(name, s.fields(name), rows)
	full := func(field string) string { return s.full.field(s.api, name, field) }
	if name != "ScrapeRequest" {
		return s.fill("field", full, rows)
	}
	s.sharesOptions()
	out := "| field | state | bare server | note |\n|---|---|---|---|\n"
	for _, r := range rows {
		both := func(field string) string {
			state, bare := refined(full(field), r.cells[1]), refined(s.bare.field(s.api, name, field), r.cells[1])
			if bare == state {
				bare = ""
			}
			return state + " | " + bare
		}
		for _, group := range grouped(r.names, both) {
			out += line(backticked(group.names), group.state, r.cells[2])
		}
	}
	return out
}

// sharesOptions makes sure that the options of a scrape are what other requests have
// as theirs, so that one table is enough.
func (s *surface) sharesOptions() {
	own := []string{"url", "sessionId", "zeroDataRetention"}
	options := s.fields("ScrapeRequest")
	maps.DeleteFunc(options, func(name string, _ bool) bool { return slices.Contains(own, name) })
	if !maps.Equal(options, s.flatten("", s.api.Components.Schemas["ScrapeOptions"])) {
		s.t.Error("scrapeOptions are not the options of a scrape")
	}
	for name := range options {
		if _, ok := s.api.Components.Schemas["BatchRequest"].Properties[name]; !ok && !strings.Contains(name, ".") {
			s.t.Errorf("a batch has no %s", name)
		}
	}
}

// variants writes the table of a union: types, their options and their state.
func (s *surface) variants(name string, rows []row) string {
	list := map[string][]trawl.Variant{
		"Format": trawl.FormatVariants(), "Action": trawl.ActionVariants(), "Parser": trawl.ParserVariants(),
	}[name]
	is := map[string]bool{}
	options := map[string][]string{}
	for _, variant := range list {
		is[variant.Type] = true
		options[variant.Type] = variant.Fields
	}
	s.same(name, is, rows)
	out := "| type | options | state | bare server | note |\n|---|---|---|---|---|\n"
	for _, r := range rows {
		for _, kind := range r.names {
			var named []string
			for _, found := range quoted.FindAllStringSubmatch(r.cells[1], -1) {
				named = append(named, found[1])
			}
			if !slices.Equal(named, options[kind]) {
				s.t.Errorf("%s %s has the options %q, not %q", name, kind, options[kind], named)
			}
			state, bare := s.full.variant(name, kind), s.bare.variant(name, kind)
			if bare == state {
				bare = ""
			}
			out += line("`"+kind+"`", r.cells[1], refined(state, r.cells[2]), bare, strings.Join(r.cells[3:], ""))
		}
	}
	return out
}

// document writes the table of a document, or of its metadata, as far as they go
// beyond what the OpenAPI document tells: metadata has whatever a page says.
func (s *surface) document(name string, rows []row) string {
	is := s.fields(name)
	var written map[string]any
	switch name {
	case "Document":
		written = encoded(s.t, filled[trawl.Document]())
	case "Metadata":
		written = encoded(s.t, filled[trawl.Metadata]())
		delete(written, "x") // the tag of no particular name
		for tag := range s.full.metadata() {
			written[tag] = ""
		}
	}
	for key := range written {
		is[key] = true
	}
	s.same(name, is, rows)
	return s.fill("field", s.known(is), rows)
}

// event writes the table of what is posted to a webhook.
func (s *surface) event(rows []row) string {
	body, err := (&webhook.Event{Error: "x", Data: []json.RawMessage{[]byte("{}")}}).Body()
	if err != nil {
		s.t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(body, &keys); err != nil {
		s.t.Fatal(err)
	}
	is := map[string]bool{}
	for key := range keys {
		is[key] = true
	}
	s.same("event", is, rows)
	return s.fill("field", s.known(is), rows)
}

var declaredCode = regexp.MustCompile(`(?m)^\t(Code\w+) +Code = "(\w+)"`)

// codes writes the table of error codes: those of the API with the status that a
// service answers with, if it ever does.
func (s *surface) codes(rows []row) string {
	declared := map[string]string{}
	is := map[string]bool{}
	for _, found := range declaredCode.FindAllStringSubmatch(readDocs(s.t, "error.go"), -1) {
		declared[found[2]], is[found[2]] = found[1], true
	}
	s.same("codes", is, rows)
	used := usedCodes(s.t)
	state := func(code string) string {
		if !used[declared[code]] {
			return stateAbsent
		}
		return fmt.Sprint(statusOf(s.t, trawl.Code(code)))
	}
	out := "| code | status | note |\n|---|---|---|\n"
	for _, r := range rows {
		for _, group := range grouped(r.names, state) {
			names, status := backticked(group.names), group.state
			if is[group.names[0]] && strings.ToLower(names) == names {
				names = "none"
			}
			if status != stateAbsent {
				status = cmp.Or(r.cells[1], status)
			}
			out += line(names, status, r.cells[2])
		}
	}
	return out
}

// usedCodes finds the codes that anything but the table of statuses speaks of.
func usedCodes(t *testing.T) map[string]bool {
	used := map[string]bool{}
	mention := regexp.MustCompile(`\bCode[A-Z]\w+`)
	err := filepath.WalkDir(docsRoot, func(path string, d os.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return cmp.Or(err, filepath.SkipDir)
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == docsRoot+"/api/error.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if name == docsRoot+"/error.go" {
			text = declaredCode.ReplaceAll(text, nil)
		}
		for _, code := range mention.FindAllString(string(text), -1) {
			used[code] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// clients writes the table of the clients that "make clients" runs, with the
// versions that it installs.
func (s *surface) clients(rows []row) string {
	var node struct{ Dependencies map[string]string }
	if err := json.Unmarshal([]byte(readDocs(s.t, "clients/package.json")), &node); err != nil {
		s.t.Fatal(err)
	}
	pinned := regexp.MustCompile(`(?m)^([\w-]+)==(\S+)`)
	for _, found := range pinned.FindAllStringSubmatch(readDocs(s.t, "clients/requirements.txt"), -1) {
		node.Dependencies[found[1]] = found[2]
	}
	out := "| client | version | how it is pointed here |\n|---|---|---|\n"
	for _, r := range rows {
		version := node.Dependencies[r.names[0]]
		if version == "" {
			s.t.Errorf("make clients does not install %s", r.names[0])
		}
		out += line(r.cells[0], version, r.cells[1])
	}
	return out
}
