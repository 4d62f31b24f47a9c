package trawl_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

// TestFormatRules says which formats go together.
func TestFormatRules(t *testing.T) {
	t.Parallel()
	open := map[string]any{"type": "object", "additionalProperties": true}
	for _, row := range []struct {
		name    string
		formats []trawl.Format
		path    string // empty if it is fine
		message string
	}{
		{"json and summary", []trawl.Format{{Type: "json"}, {Type: "summary"}, {Type: "markdown"}}, "", ""},
		{"summary twice", []trawl.Format{{Type: "summary"}, {Type: "summary"}}, "", ""},
		{"json twice", []trawl.Format{{Type: "json", Prompt: "a"}, {Type: "json", Prompt: "b"}}, "formats", "You may only specify one json format"},
		{"two kinds of json", []trawl.Format{{Type: "json"}, {Type: "deterministicJson"}}, "formats", "exclude each other"},
		{"json beside the bytes", []trawl.Format{{Type: "json"}, {Type: "rawBase64"}}, "formats", "must be the only format"},
		{"question and quotes", []trawl.Format{{Type: "question", Question: "a"}, {Type: "query", Prompt: "b", Mode: "directQuote"}}, "", ""},
		{"question twice", []trawl.Format{{Type: "question", Question: "a"}, {Type: "question", Question: "b"}}, "formats", "You may only specify one question format"},
		{"highlights twice", []trawl.Format{{Type: "highlights", Query: "a"}, {Type: "highlights", Query: "b"}}, "formats", "You may only specify one highlights format"},
		{"query twice", []trawl.Format{{Type: "query", Prompt: "a"}, {Type: "query", Prompt: "b"}}, "formats", "You may only specify one query format"},
		{"two answers", []trawl.Format{{Type: "question", Question: "a"}, {Type: "query", Prompt: "b"}}, "formats", "both give the answer"},
		{"two highlights", []trawl.Format{{Type: "highlights", Query: "a"}, {Type: "query", Prompt: "b", Mode: "directQuote"}}, "formats", "both give the highlights"},
		{"blank question", []trawl.Format{{Type: "markdown"}, {Type: "question", Question: " \n"}}, "formats.1.question", "must not be empty"},
		{"tracking twice", []trawl.Format{{Type: "markdown"}, {Type: "changeTracking"}, {Type: "changeTracking"}}, "formats", "You may only specify one changeTracking format"},
		{"tracking alone", []trawl.Format{{Type: "changeTracking"}}, "formats", "The changeTracking format requires the markdown format to be specified as well"},
		{"open schema", []trawl.Format{{Type: "json", Schema: open}}, "formats.0.schema", "Invalid JSON schema. "},
		{"schema that is a list", []trawl.Format{{Type: "json", Schema: []any{}}}, "formats.0.schema", "Invalid JSON schema. "},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			o := trawl.DefaultScrapeOptions()
			o.Formats = row.formats
			issues := o.Validate()
			if row.path == "" {
				if len(issues) > 0 {
					t.Errorf("%+v", issues)
				}
				return
			}
			if len(issues) != 1 || trawl.DottedPath(issues[0].Path) != row.path || !strings.Contains(issues[0].Message, row.message) {
				t.Errorf("%+v", issues)
			}
		})
	}
}

// TestIgnoredByFormat names an option that acts neither on its own nor in a format.
func TestIgnoredByFormat(t *testing.T) {
	t.Parallel()
	o := trawl.DefaultScrapeOptions()
	o.Formats = []trawl.Format{{Type: "json", CheckPromptInjection: true}}
	if names := o.Ignored(); !slices.Equal(names, []string{"checkPromptInjection"}) {
		t.Errorf("%v", names)
	}
}
