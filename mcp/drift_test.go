package mcp

import (
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/api"
)

// described returns a server for the description of the real API.
func described(t *testing.T) *Server {
	t.Helper()
	service := api.New(api.Config{Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	s := New(Config{API: InProcess{service}, URL: &url.URL{Scheme: "http", Host: "localhost"}, Text: 1000, Search: true, Browsers: true, Local: true})
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTableFitsAPI fails when a line of the table names what its route does not have.
func TestTableFitsAPI(t *testing.T) {
	t.Parallel()
	d := described(t).spec
	offered := 0
	for _, tool := range slices.Concat(pageTools, jobTools, browserTools, teamTools, monitorTools, feedbackTools) {
		op := d.operation(tool.route)
		if op == nil {
			continue
		}
		offered++
		body := properties(d.body(op))
		for _, field := range tool.fields {
			if body[field] == nil {
				t.Errorf("%s: %s has no field %s", tool.name, tool.route, field)
			}
		}
		for argument, parameter := range tool.query {
			if op.parameter(parameter) == nil {
				t.Errorf("%s: %s has no parameter %s for %s", tool.name, tool.route, parameter, argument)
			}
		}
		for _, placeholder := range tool.path {
			if !strings.Contains(tool.route, "{"+placeholder+"}") {
				t.Errorf("%s: %s has no place for %s", tool.name, tool.route, placeholder)
			}
		}
		input := tool.input(d, op)
		for _, name := range tool.required {
			if properties(input)[name] == nil {
				t.Errorf("%s requires %s and does not take it", tool.name, name)
			}
		}
		if len(properties(tool.result(d, op))) == 0 {
			t.Errorf("%s: nothing is known of its result", tool.name)
		}
		if reference := find(input, "$ref"); reference != nil {
			t.Errorf("%s: its schema refers to %v", tool.name, reference)
		}
	}
	if offered < 12 {
		t.Errorf("only %d tools are offered", offered)
	}
}

// find returns the first value of a name anywhere in a schema.
func find(v any, name string) any {
	switch v := v.(type) {
	case object:
		if found, ok := v[name]; ok {
			return found
		}
		for _, inner := range v {
			if found := find(inner, name); found != nil {
				return found
			}
		}
	case []any:
		for _, inner := range v {
			if found := find(inner, name); found != nil {
				return found
			}
		}
	}
	return nil
}

// TestOptionsBelongToSchemas fails when a schema that options are taken from has
// another name now.
func TestOptionsBelongToSchemas(t *testing.T) {
	t.Parallel()
	d := described(t).spec
	for argument, name := range optionSchemas {
		if len(properties(d.Components.Schemas[name])) < 2 {
			t.Errorf("%s: the API has no schema %s", argument, name)
		}
	}
	scrape := properties(d.body(d.operation("POST /v2/scrape")))
	names := namedFormats(d, scrape["formats"])["items"].(object)["enum"].([]any)
	for _, want := range []any{"markdown", "json", "query", "screenshot", "changeTracking"} {
		if !slices.Contains(names, want) {
			t.Errorf("formats lack %v: %v", want, names)
		}
	}
	actions := d.plain(scrape["actions"])["items"].(object)
	if properties(actions)["selector"] == nil || properties(actions)["milliseconds"] == nil {
		t.Errorf("actions: %v", actions)
	}
}
