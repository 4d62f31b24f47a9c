package main

import (
	"bytes"
	"net/url"
	"slices"

	"codeberg.org/readeck/go-readability"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/bench/score"
	"github.com/trawlhq/trawl/content"
)

// extractor turns a page into text or markdown.
type extractor struct {
	name    string
	suffix  string // of the files it writes, or "" if there is nothing to write
	extract func(page) string
}

// words returns the words of what an extractor found. Text is taken as it is.
func (e extractor) words(found string) []string {
	if e.suffix == ".md" {
		found = score.Plain(found)
	}
	return score.Words(found)
}

const (
	parser = "x/net/html.Parse alone" // what the others are measured against
	trawl  = "trawl"
)

func extractors() []extractor {
	return []extractor{
		{parser, "", parse},
		{trawl, ".md", everything},
		{"go-readability", ".txt", readable},
		{"go-trafilatura", ".txt", trafilated},
		{"thirty lines", ".txt", thirtyLines},
	}
}

// choose returns the parser and the extractors of these names, or all.
func choose(names []string) []extractor {
	return slices.DeleteFunc(extractors(), func(e extractor) bool {
		return len(names) > 0 && e.name != parser && !slices.Contains(names, e.name)
	})
}

func parse(p page) string {
	if _, err := html.ParseWithOptions(bytes.NewReader(p.body), html.ParseOptionEnableScripting(false)); err != nil {
		return err.Error()
	}
	return ""
}

// everything is what a scrape with all formats of the page takes.
func everything(p page) string {
	parsed := content.Parse(content.Source{Body: p.body, ContentType: "text/html", URL: p.address})
	selection, err := parsed.Select(content.Options{OnlyMain: true, RemoveBase64: true})
	if err != nil {
		return ""
	}
	parsed.Links()
	parsed.Images()
	parsed.Metadata()
	return selection.Markdown()
}

func readable(p page) string {
	u, err := url.Parse(p.address)
	if err != nil {
		return ""
	}
	article, err := readability.FromReader(bytes.NewReader(p.body), u)
	if err != nil {
		return ""
	}
	return article.TextContent
}

func trafilated(p page) string {
	result, err := trafilatura.Extract(bytes.NewReader(p.body), trafilatura.Options{EnableFallback: true, ExcludeComments: true})
	if err != nil || result == nil {
		return ""
	}
	return result.ContentText
}
