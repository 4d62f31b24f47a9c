// Package search finds pages on the web through a search engine that the
// operator runs: SearXNG, by its JSON API.
//
// A Provider promises results that can be used as they are: every address is one
// that this service could scrape, none comes twice, and what a query excludes is
// not among them, whatever the engine thought of it. The engine is reached by its
// configured address alone; nothing of a query chooses where a packet goes.
package search

import (
	"context"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl"
)

// Provider is a search engine.
type Provider interface {
	// Search returns at most q.Limit results in the engine's order. What fails
	// is a *trawl.Error; a search that ctx cancels fails with ctx's error.
	Search(ctx context.Context, q Query) ([]trawl.SearchResult, error)
}

// Query is what to search for, and where.
type Query struct {
	Text       string
	Source     string   // trawl.SourceNews, trawl.SourceImages; the web if empty
	Language   string   // such as en or pt-BR; any if empty
	Country    string   // two letters; refines a language without one
	Range      string   // day, week, month or year; any time if empty
	Limit      int      // most results; 0 means 10
	Include    []string // only these domains and those below them
	Exclude    []string // not these, nor those below them
	Categories []string // only these kinds: github, research, pdf, developer
}

// Range returns the range that a tbs parameter stands for, or nothing if it
// stands for none. Where there is no such range (hours, several weeks), it is the
// next wider one, and not exact.
func Range(tbs string) (span string, exact bool) {
	for part := range strings.SplitSeq(tbs, ",") {
		unit, found := strings.CutPrefix(strings.TrimSpace(part), "qdr:")
		if !found {
			continue
		}
		name := strings.TrimRight(unit, "0123456789")
		at := strings.Index("hdwmy", name)
		if len(name) != 1 || at < 0 {
			continue
		}
		if count := unit[1:]; count != "" && count != "1" {
			at++
		}
		return [...]string{"", "day", "week", "month", "year", ""}[max(at, 1)], unit == name && at > 0
	}
	return "", false
}

var (
	languages = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z]{2})?$`)
	countries = regexp.MustCompile(`^[A-Z]{2}$`)
)

// Locale joins a language and a country to what an engine knows, such as pt-BR.
// It is empty for words that are no language: a country alone says nothing of
// the language of pages.
func Locale(language, country string) string {
	language, region, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(language), "_", "-"), "-")
	if region == "" {
		region = strings.TrimSpace(country)
	}
	locale := strings.ToLower(language)
	if region = strings.ToUpper(region); countries.MatchString(region) {
		locale += "-" + region
	}
	if !languages.MatchString(locale) {
		return ""
	}
	return locale
}
