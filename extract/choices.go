package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract/steer"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/schema"
)

// Bounds of generated options; those of numbers are the same as for callers.
const (
	maxLimit        = 100_000_000
	maxCrawlDepth   = 1_000_000
	maxPatterns     = 100
	maxPatternChars = 500
)

// Choices turns words into options of a crawl that begins at start. The options
// keep within the bounds that callers have, and the start itself is always
// among the pages that they include.
func (x *Extractor) Choices(ctx context.Context, start, prompt string) (choices trawl.CrawlChoices, warning string, err error) {
	if x.Model == nil {
		return choicesByRule(start, prompt)
	}
	s, err := schema.Compile(choiceSchema())
	if err != nil {
		return choices, "", fmt.Errorf("compile schema of crawl options: %w", err)
	}
	answer, err := x.Model.Ask(ctx, llm.Request{
		System: choiceRules, Schema: s,
		User: "The crawl begins at " + start + "\n\nThe caller describes it so:\n\n" + prompt,
	})
	switch {
	case err == nil:
		choices, err = readChoices(answer.Value, s)
	case !errors.Is(err, llm.ErrAnswer):
		return choices, "", err
	}
	if err != nil {
		return trawl.CrawlChoices{}, "", trawl.Wrap(trawl.CodeBadRequest,
			"The prompt could not be turned into crawl options. Rephrase it or use explicit options.", err)
	}
	return choices, admitStart(&choices, start), nil
}

// choicesByRule reads the words by rules.
func choicesByRule(start, prompt string) (trawl.CrawlChoices, string, error) {
	choices, understood, left := steer.Read(prompt, start)
	if len(understood) == 0 {
		return trawl.CrawlChoices{}, "", NoModel("Turning this prompt into crawl options")
	}
	warning := "No language model is configured: the prompt was read by rules. Understood: " + strings.Join(understood, "; ") + "."
	if left = strings.TrimSpace(left); left != "" {
		warning += " Not understood: " + cut(left, 200) + "."
	}
	return choices, strings.TrimSpace(warning + " " + admitStart(&choices, start)), nil
}

// choiceSchema describes the options and their bounds.
func choiceSchema() map[string]any {
	type bounds = map[string]any
	option := func(kind, description string, limits bounds) map[string]any {
		o := map[string]any{"type": []any{kind, "null"}, "description": description}
		maps.Copy(o, limits)
		return o
	}
	paths := func(description string) map[string]any {
		return option("array", description, bounds{"maxItems": maxPatterns, "items": bounds{"type": "string", "maxLength": maxPatternChars}})
	}
	sitemap := []any{trawl.SitemapSkip, trawl.SitemapInclude, trawl.SitemapOnly, nil}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
		"includePaths":           paths("Crawl only pages whose path matches one of these regular expressions."),
		"excludePaths":           paths("Leave out pages whose path matches one of these regular expressions."),
		"maxDiscoveryDepth":      option("integer", "How many links away from the start a page may be. 0 is the start alone.", bounds{"minimum": 0, "maximum": maxCrawlDepth}),
		"crawlEntireDomain":      option("boolean", "Follow links to any path of the site, not only to those below the start.", nil),
		"allowExternalLinks":     option("boolean", "Follow links to other sites.", nil),
		"allowSubdomains":        option("boolean", "Follow links to subdomains of the site.", nil),
		"sitemap":                option("string", "What to do with the sitemap: skip, include (beside links) or only (no links).", bounds{"enum": sitemap}),
		"ignoreQueryParameters":  option("boolean", "Addresses that differ only in their query are one page.", nil),
		"deduplicateSimilarURLs": option("boolean", "Addresses that differ in nothing that matters are one page.", nil),
		"delay":                  option("number", "Seconds between two pages.", bounds{"exclusiveMinimum": 0, "maximum": trawl.MaxDelay}),
		"limit":                  option("integer", "Most pages to crawl.", bounds{"minimum": 1, "maximum": maxLimit}),
	}}
}

// readChoices reads an answer and checks it.
func readChoices(value any, s *schema.Schema) (choices trawl.CrawlChoices, err error) {
	if problems := s.Check(value); len(problems) > 0 {
		return choices, fmt.Errorf("check options: %s", describe(problems))
	}
	text, err := json.Marshal(value)
	if err != nil {
		return choices, fmt.Errorf("encode options: %w", err)
	}
	if err := json.Unmarshal(text, &choices); err != nil {
		return choices, fmt.Errorf("decode options: %w", err)
	}
	for _, pattern := range slices.Concat(choices.IncludePaths, choices.ExcludePaths) {
		if _, err := regexp.Compile(pattern); err != nil {
			return choices, fmt.Errorf("compile pattern: %w", err)
		}
	}
	return choices, nil
}

// admitStart makes sure that the crawl can begin: patterns that shut the start
// out would leave it without a single page, and pages that are not below the
// start are only found on the way over the rest of the site. It returns a warning if an exclusion
// had to go for that.
func admitStart(c *trawl.CrawlChoices, start string) string {
	u, err := url.Parse(start)
	if err != nil {
		return ""
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	matches := func(pattern string) bool {
		re, err := regexp.Compile(pattern)
		return err == nil && (re.MatchString(path) || re.MatchString(u.Path))
	}
	if len(c.IncludePaths) > 0 && c.CrawlEntireDomain == nil && !steer.Below(c.IncludePaths, start) {
		whole := true
		c.CrawlEntireDomain = &whole
	}
	if len(c.IncludePaths) > 0 && !slices.ContainsFunc(c.IncludePaths, matches) {
		c.IncludePaths = append(c.IncludePaths, steer.Alone(path))
	}
	before := len(c.ExcludePaths)
	c.ExcludePaths = slices.DeleteFunc(c.ExcludePaths, matches)
	if len(c.ExcludePaths) < before {
		return "An exclusion that would keep the start out was left out."
	}
	return ""
}
