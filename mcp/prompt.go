package mcp

import (
	"context"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt is a task in words, with places for arguments.
type prompt struct {
	name, title, about string
	arguments          []sdk.PromptArgument
	text               string // has {name} where an argument stands
}

var prompts = []prompt{
	{
		name: "answer_from_site", title: "Answer a question from a site", about: "Find the pages of a site that answer a question, read them, and answer with sources.",
		arguments: []sdk.PromptArgument{
			{Name: "url", Description: "Address of the site.", Required: true}, {Name: "question", Description: "What to find out.", Required: true},
		},
		text: "Answer this question from the site {url}: {question}\n\nFirst call firecrawl_map with search set to the words that matter most. " +
			"Then read the two to five most promising pages with firecrawl_scrape. Answer only from what they say, name the address behind each statement, and say so if the site does not answer the question.",
	},
	{
		name: "extract_table", title: "Make a table from pages", about: "Extract the same fields from several pages, as a table.",
		arguments: []sdk.PromptArgument{
			{Name: "urls", Description: "Addresses of the pages, with blanks between them; a star stands for all pages below.", Required: true},
			{Name: "fields", Description: "The fields, in words.", Required: true},
		},
		text: "Make a table with these fields: {fields}\nfrom these pages: {urls}\n\nWrite a JSON Schema for one row first, with a description for every field, and let fields be missing that a page may not have. " +
			"Then call firecrawl_extract with it and showSources. Return a table with one row per entry and a column with the source. Leave empty what was not found; never guess.",
	},
	{
		name: "summarize_site", title: "Summarize a site", about: "Crawl a part of a site and say what is in it.",
		arguments: []sdk.PromptArgument{
			{Name: "url", Description: "Where to begin.", Required: true}, {Name: "pages", Description: "How many pages to read; 20 unless given."},
		},
		text: "Summarize the site {url}.\n\nCall firecrawl_crawl with this url and limit {pages}. If the result names firecrawl_check_crawl_status, call that until the crawl is over; " +
			"if it was cut, read the resources that it names. Then write what the site is about, its main sections with their addresses, and what is noteworthy in each.",
	},
	{
		name: "debug_crawl", title: "Find out why a crawl missed pages", about: "Explain which addresses a crawl left out, and how to include them.",
		arguments: []sdk.PromptArgument{{Name: "id", Description: "Id of the crawl.", Required: true}, {Name: "missing", Description: "Pages that were expected."}},
		text: "The crawl {id} did not return what was expected. Missing: {missing}\n\nCall firecrawl_check_crawl_status with limit 1 and then trawl_crawl_explain, once for each fate that matters: filtered, robots, duplicate, limit, failed. " +
			"Say for each group of addresses why it is missing and which option of firecrawl_crawl would include it.",
	},
}

// defaults are what stands for an argument that is not given.
var promptDefaults = map[string]string{"pages": "20", "missing": "(not said)"}

func (s *Server) addPrompts() {
	for _, p := range prompts {
		arguments := make([]*sdk.PromptArgument, len(p.arguments))
		for i := range p.arguments {
			arguments[i] = &p.arguments[i]
		}
		s.sdk.AddPrompt(&sdk.Prompt{Name: p.name, Title: p.title, Description: p.about, Arguments: arguments},
			func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				return p.fill(r.Params.Arguments)
			})
	}
}

// fill returns the task with its arguments in place.
func (p *prompt) fill(given map[string]string) (*sdk.GetPromptResult, error) {
	var pairs []string
	for _, a := range p.arguments {
		value := strings.TrimSpace(given[a.Name])
		if value == "" && a.Required {
			return nil, errors.New("the argument " + a.Name + " is missing")
		}
		if value == "" {
			value = promptDefaults[a.Name]
		}
		pairs = append(pairs, "{"+a.Name+"}", value)
	}
	task := strings.NewReplacer(pairs...).Replace(p.text)
	return &sdk.GetPromptResult{
		Description: p.about, Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: task}}},
	}, nil
}
