package trawl

import (
	"slices"
	"strings"
)

// Groups of endpoints that a key can be restricted to. What reads, follows or ends a
// job belongs to the group that starts it.
const (
	GroupScrape       = "scrape"
	GroupBatch        = "batch-scrape"
	GroupCrawl        = "crawl"
	GroupMap          = "map"
	GroupSearch       = "search"
	GroupExtract      = "extract"
	GroupAgent        = "agent"
	GroupParse        = "parse"
	GroupBrowser      = "browser"
	GroupMonitor      = "monitor"
	GroupResearch     = "research"
	GroupLLMsText     = "llmstxt"
	GroupDeepResearch = "deep-research"
)

// EndpointGroups lists the groups.
func EndpointGroups() []string {
	return []string{
		GroupScrape, GroupBatch, GroupCrawl, GroupMap, GroupSearch, GroupExtract, GroupAgent, GroupParse, GroupBrowser,
		GroupMonitor, GroupResearch, GroupLLMsText, GroupDeepResearch,
	}
}

// FormatName returns the name of a format that a key can be restricted to: older
// clients have other names for some. It is empty if there is no such format.
func FormatName(name string) string {
	switch name {
	case legacyFullPage:
		return FormatScreenshot
	case "extract":
		return FormatJSON
	}
	if slices.ContainsFunc(formatVariants, func(v Variant) bool { return v.Type == name }) {
		return name
	}
	return ""
}

const otherKey = " Use another API key, or have the restrictions of this one changed."

// AllowsEndpoint reports, as an error, that the key may not use a group of endpoints.
// What has no group is for keys without such a restriction.
func (k *Key) AllowsEndpoint(group string) error {
	if len(k.AllowedEndpoints) == 0 || group != "" && slices.Contains(k.AllowedEndpoints, group) {
		return nil
	}
	return Errorf(CodeForbidden, "Request blocked: this API key is restricted to the following endpoints: %s."+otherKey, strings.Join(k.AllowedEndpoints, ", "))
}

// AllowsFormats reports, as an error, that the key may not have pages in some of the
// formats.
func (k *Key) AllowsFormats(formats ...string) error {
	if len(k.AllowedFormats) == 0 {
		return nil
	}
	var refused []string
	for _, f := range formats {
		if !slices.Contains(k.AllowedFormats, f) && !slices.Contains(refused, f) {
			refused = append(refused, f)
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return Errorf(CodeForbidden, "Request blocked: this API key is restricted to the following formats: %s. Requested formats not allowed: %s."+otherKey,
		strings.Join(k.AllowedFormats, ", "), strings.Join(refused, ", "))
}

// AllowsOptions reports, as an error, that the key may not have what the options ask
// for: a format, or an action that returns a page in another way.
func (k *Key) AllowsOptions(o *ScrapeOptions) error {
	if len(k.AllowedFormats) == 0 {
		return nil
	}
	formats := make([]string, len(o.Formats))
	for i, f := range o.Formats {
		formats[i] = f.Type
	}
	if err := k.AllowsFormats(formats...); err != nil {
		return err
	}
	for _, action := range o.Actions {
		switch action.Type {
		case ActionScreenshot:
			if slices.Contains(k.AllowedFormats, FormatScreenshot) {
				continue
			}
		case ActionScrape, ActionJavaScript, ActionPDF, ActionPDFAlias:
		default:
			continue
		}
		return Errorf(CodeForbidden, "Request blocked: the %q action returns page content and is not available on this format-restricted API key."+otherKey, action.Type)
	}
	return nil
}
