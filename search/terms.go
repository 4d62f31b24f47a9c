package search

import (
	"net/url"
	"slices"
	"strings"
)

// maxOperators bounds what domains add to the text of a query: engines refuse
// long ones. Domains beyond it are left to the filter of the results.
const maxOperators = 1500

// sites are the domains that a category means.
func sites(category string) []string {
	switch category {
	case "github":
		return []string{"github.com"}
	case "research":
		return []string{
			"arxiv.org", "nature.com", "pubmed.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "science.org", "sciencedirect.com",
			"springer.com", "ieee.org", "acm.org", "plos.org", "biorxiv.org", "medrxiv.org", "semanticscholar.org", "jstor.org",
		}
	case "developer":
		return []string{
			"stackoverflow.com", "developer.mozilla.org", "github.com", "pkg.go.dev", "docs.rs", "docs.python.org", "npmjs.com",
			"pypi.org", "learn.microsoft.com", "readthedocs.io", "dev.to",
		}
	}
	return nil
}

// text is the query in the words of engines: what was typed, and the operators
// for domains and kinds.
func (q *Query) text() string {
	var kinds []string
	for _, category := range q.Categories {
		for _, site := range sites(category) {
			kinds = append(kinds, "site:"+site)
		}
		if category == "pdf" {
			kinds = append(kinds, "filetype:pdf")
		}
	}
	room := maxOperators
	words := []string{strings.TrimSpace(q.Text)}
	words = append(words, alternatives(prefixed("site:", q.Include), &room))
	words = append(words, alternatives(kinds, &room))
	for _, term := range prefixed("-site:", q.Exclude) {
		if room -= len(term) + 1; room >= 0 {
			words = append(words, term)
		}
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// alternatives joins as many terms as there is room for.
func alternatives(terms []string, room *int) string {
	var b strings.Builder
	for _, term := range terms {
		if *room -= len(term) + len(" OR "); *room < 0 {
			break
		}
		if b.Len() > 0 {
			b.WriteString(" OR ")
		}
		b.WriteString(term)
	}
	return b.String()
}

func prefixed(operator string, domains []string) []string {
	var terms []string
	for _, domain := range domains {
		if domain = bare(domain); domain != "" {
			terms = append(terms, operator+domain)
		}
	}
	return terms
}

// bare is the host of a domain that may have been typed as an address or with a
// star for its subdomains.
func bare(domain string) string {
	domain = strings.ToLower(strings.TrimSpace(domain))
	if _, rest, found := strings.Cut(domain, "://"); found {
		domain = rest
	}
	domain, _, _ = strings.Cut(domain, "/")
	domain = strings.TrimPrefix(strings.TrimPrefix(domain, "*."), "www.")
	if strings.ContainsAny(domain, " \t\r\n\"()") {
		return ""
	}
	return domain
}

// takes reports whether a query wants a page, and of which of its categories it is.
func (q *Query) takes(page *url.URL) (category string, ok bool) {
	host := strings.ToLower(page.Hostname())
	if within(host, q.Exclude) || len(q.Include) > 0 && !within(host, q.Include) {
		return "", false
	}
	for _, category := range q.Categories {
		if within(host, sites(category)) || category == "pdf" && portable(page.Path) {
			return category, true
		}
	}
	return "", len(q.Categories) == 0
}

// within reports whether a host is one of the domains or below one.
func within(host string, domains []string) bool {
	return slices.ContainsFunc(domains, func(domain string) bool {
		domain = bare(domain)
		return domain != "" && (host == domain || strings.HasSuffix(host, "."+domain))
	})
}

// portable reports whether a path looks like one of a PDF file.
func portable(path string) bool {
	path = strings.ToLower(path)
	return strings.HasSuffix(path, ".pdf") || strings.Contains(path, "/pdf/")
}
