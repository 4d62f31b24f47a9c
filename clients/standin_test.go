//go:build clients

package clients_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/search/searchtest"
)

// startSearch starts a search engine that finds pages of the site.
func startSearch(t *testing.T, site string) string {
	t.Helper()
	server := searchtest.New(t)
	server.Handle(searchtest.Pages(10,
		searchtest.Result{URL: site + "/a", Title: "Apples", Content: "All about apples."},
		searchtest.Result{URL: site + "/b", Title: "Bread", Content: "All about bread."},
		searchtest.Result{URL: site + "/blog/1", Title: "Article 1", Content: "The first article."},
	))
	return server.URL
}

// startModel starts a language model that understands nothing but the form of a
// question: what it answers is taken from the page that it is shown, so that it
// passes for an answer that can be found there.
func startModel(t *testing.T) string {
	t.Helper()
	server := llmtest.New(t)
	server.Handle(answer)
	return server.URL
}

func answer(call llmtest.Call) llmtest.Reply {
	page := readPage(call.User)
	switch {
	case strings.HasPrefix(page.sentence, "Nobody understands"):
		return llmtest.Reply{Status: http.StatusBadRequest, Body: `{"error":{"message":"I am lost for words."}}`}
	case strings.HasPrefix(call.System, "You design JSON Schemas"):
		return llmtest.JSON(map[string]any{"type": "object", "properties": map[string]any{
			"title": map[string]any{"type": "string"}, "text": map[string]any{"type": "string"},
		}})
	case strings.HasPrefix(call.System, "You turn a description of a crawl"):
		return llmtest.JSON(map[string]any{"includePaths": sections(call.User), "limit": 3})
	case call.Mode == "text":
		return llmtest.Text(page.sentence)
	}
	var schema map[string]any
	if json.Unmarshal(call.Schema, &schema) != nil || schema == nil {
		return llmtest.JSON(map[string]any{"title": page.title, "text": page.sentence})
	}
	return llmtest.JSON(page.fill(schema, schema, "", 0))
}

// sections are the paths of a site of which a description of a crawl speaks.
func sections(description string) []string {
	if strings.Contains(description, "documentation") {
		return []string{"blog/.*", "docs/.*"}
	}
	return []string{"^/blog/.*"}
}

// shown is a page as the model sees it.
type shown struct {
	address, title, sentence string
	number                   float64
}

var (
	addressLine = regexp.MustCompile(`(?m)^Address: (.+)$`)
	titleLine   = regexp.MustCompile(`(?m)^Title: (.+)$`)
	pageText    = regexp.MustCompile(`(?s)\nText:\n(.*?)\n<<<END`)
	numeral     = regexp.MustCompile(`\d+(\.\d+)?`)
)

func readPage(question string) shown {
	var page shown
	if m := addressLine.FindStringSubmatch(question); m != nil {
		page.address = m[1]
	}
	if m := titleLine.FindStringSubmatch(question); m != nil {
		page.title = m[1]
	}
	text := question
	if m := pageText.FindStringSubmatch(question); m != nil {
		text = m[1]
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		heading, isHeading := strings.CutPrefix(line, "# ")
		switch {
		case isHeading && page.title == "": // versions of a page are shown without its title
			page.title = heading
		case !isHeading && page.sentence == "":
			page.sentence = line
		}
	}
	page.number, _ = strconv.ParseFloat(numeral.FindString(text), 64)
	return page
}

// maxDepth is how deep values are filled in: schemas may refer to themselves.
const maxDepth = 8

// fill makes a value that fits a schema, of what the page has.
func (p shown) fill(root, schema map[string]any, name string, depth int) any {
	if ref, ok := schema["$ref"].(string); ok && depth < maxDepth {
		return p.fill(root, resolve(root, ref), name, depth+1)
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := schema[word].([]any); ok && len(list) > 0 && depth < maxDepth {
			if first, ok := list[0].(map[string]any); ok {
				return p.fill(root, first, name, depth+1)
			}
		}
	}
	if value, ok := schema["const"]; ok {
		return value
	}
	if list, ok := schema["enum"].([]any); ok && len(list) > 0 {
		return list[0]
	}
	switch kind := kindOf(schema); {
	case depth >= maxDepth:
		return nil
	case kind == "object":
		return p.object(root, schema, depth)
	case kind == "array":
		items, _ := schema["items"].(map[string]any)
		return []any{p.fill(root, items, name, depth+1)}
	case kind == "integer":
		return int(p.number)
	case kind == "number":
		return p.number
	case kind == "boolean":
		return true
	case kind == "null":
		return nil
	}
	return p.text(name)
}

func (p shown) object(root, schema map[string]any, depth int) map[string]any {
	object := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		if property, ok := property.(map[string]any); ok {
			object[name] = p.fill(root, property, name, depth+1)
		}
	}
	return object
}

func (p shown) text(name string) string {
	switch strings.ToLower(name) {
	case "title", "name", "heading":
		return p.title
	case "url", "link", "address":
		return p.address
	}
	return p.sentence
}

// kindOf returns the first type of a schema that is not null.
func kindOf(schema map[string]any) string {
	switch kind := schema["type"].(type) {
	case string:
		return kind
	case []any:
		for _, one := range kind {
			if one, ok := one.(string); ok && one != "null" {
				return one
			}
		}
	}
	if schema["properties"] != nil {
		return "object"
	}
	return "string"
}

// resolve finds what a reference into the same schema means.
func resolve(root map[string]any, ref string) map[string]any {
	at := root
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		next, ok := at[step].(map[string]any)
		if !ok {
			return nil
		}
		at = next
	}
	return at
}
