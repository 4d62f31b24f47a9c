package crawl

import (
	"errors"
	"strings"

	"github.com/trawlhq/trawl"
)

// maxAddress is the length in bytes above which addresses are left out. Longer
// ones are hardly ever pages and often traps.
const maxAddress = 2000

// The rules that can keep an address out, as verdicts name them. A pattern of
// excludePaths follows its name.
const (
	ruleProtocol   = "protocol"
	ruleInvalid    = "invalid"
	ruleLong       = "too long"
	ruleExternal   = "external"
	ruleSubdomain  = "subdomain"
	rulePath       = "path"
	ruleFile       = "file type"
	ruleExclude    = "excludePaths"
	ruleInclude    = "includePaths"
	ruleDepth      = "maxDiscoveryDepth"
	ruleTrap       = "trap"
	unlimitedDepth = -1
)

// Rules decide which addresses belong to a crawl. They are compiled once for a
// job and its base, never change and are safe for concurrent use.
type Rules struct {
	scope            scope
	exclude, include []pattern
	onAddress        bool // patterns see the whole address
	maxDepth         int
	ignoreQuery      bool
	similar          bool // addresses that differ in nothing that matters are one page
	follow           bool
}

// Verdict is what the rules say of an address.
type Verdict struct {
	// URL is the canonical address without its fragment, unless the fragment is
	// a route of a script application. An address that cannot be read stands
	// here as it was found, cut to a sane length and without passwords.
	URL string
	// Identity is what makes two addresses one page in this crawl, as text. A
	// filtered address may share it with one that is in.
	Identity string
	// Fate is empty if the address belongs to the crawl, or trawl.FateFiltered.
	Fate string
	// Rule names the rule that filtered the address.
	Rule string
}

// ByPattern reports whether a pattern of the caller keeps the address out.
func (v *Verdict) ByPattern() bool {
	return v.Rule == ruleInclude || strings.HasPrefix(v.Rule, ruleExclude)
}

// NewRules compiles the rules of a crawl. The base is the canonical address of
// its start, or of where that redirected to. Patterns that do not compile or
// are too large make a *trawl.Error that names them.
func NewRules(req *trawl.CrawlRequest, base string) (*Rules, error) {
	s, err := newScope(base)
	if err != nil {
		return nil, err
	}
	if req.CrawlEntireDomain {
		s.folder = ""
	}
	s.subdomains, s.external = req.AllowSubdomains, req.AllowExternalLinks
	budget := maxPatternWeight
	exclude, err := compilePatterns(ruleExclude, req.ExcludePaths, &budget)
	if err != nil {
		return nil, err
	}
	include, err := compilePatterns(ruleInclude, req.IncludePaths, &budget)
	if err != nil {
		return nil, err
	}
	depth := unlimitedDepth
	if req.MaxDiscoveryDepth != nil {
		depth = *req.MaxDiscoveryDepth
	}
	return &Rules{
		scope: s, exclude: exclude, include: include, onAddress: req.RegexOnFullURL, maxDepth: depth,
		ignoreQuery: req.IgnoreQueryParameters, similar: req.DeduplicateSimilarURLs, follow: req.Sitemap != trawl.SitemapOnly,
	}, nil
}

// NewMapRules compiles the rules of a map: every page of the site, or with
// filterByPath those at or below the path of the base, on whatever host.
// Addresses that differ in nothing that matters are always one page.
func NewMapRules(req *trawl.MapRequest, base string) (*Rules, error) {
	s, err := newScope(base)
	if err != nil {
		return nil, err
	}
	if !req.FilterByPath {
		s.folder = ""
	}
	s.everyHost, s.subdomains = true, req.IncludeSubdomains
	return &Rules{
		scope: s, maxDepth: unlimitedDepth, ignoreQuery: req.IgnoreQueryParameters, similar: true,
		follow: req.Sitemap != trawl.SitemapOnly,
	}, nil
}

// FollowsLinks reports whether the links of pages are followed at all.
func (r *Rules) FollowsLinks() bool { return r.follow }

// Judge says whether an address that was found so many links away from the
// start belongs to the crawl. The start itself is judged at depth 0.
func (r *Rules) Judge(address string, depth int) Verdict {
	canonical, rule := read(address)
	if rule != "" {
		return unreadable(address, rule)
	}
	v := Verdict{URL: canonical, Identity: r.Identity(canonical)}
	if v.Rule = r.violated(canonical, depth); v.Rule != "" {
		v.Fate = trawl.FateFiltered
	}
	return v
}

// violated returns the first rule that keeps an address out.
func (r *Rules) violated(canonical string, depth int) string {
	a := split(canonical)
	if rule := r.scope.violated(a); rule != "" {
		return rule
	}
	if isAsset(a.path) {
		return ruleFile
	}
	if rule := r.unmatched(canonical, a.path); rule != "" {
		return rule
	}
	if r.maxDepth != unlimitedDepth && depth > r.maxDepth {
		return ruleDepth
	}
	if isTrap(a.path, a.query) {
		return ruleTrap
	}
	return ""
}

// unmatched applies the patterns.
func (r *Rules) unmatched(canonical, path string) string {
	if len(r.exclude)+len(r.include) == 0 {
		return ""
	}
	text := path
	if r.onAddress {
		text = canonical
	}
	plain := unescape(text)
	for i := range r.exclude {
		if r.exclude[i].matches(text, plain) {
			return r.exclude[i].rule
		}
	}
	for i := range r.include {
		if r.include[i].matches(text, plain) {
			return ""
		}
	}
	if len(r.include) > 0 {
		return ruleInclude
	}
	return ""
}

// read returns the canonical form of an address, or the rule it breaks. Of very
// long ones only the beginning is looked at.
func read(address string) (canonical, rule string) {
	head := address[:min(len(address), 2*maxAddress)]
	// Most fragments go at once, which leaves addresses that are canonical.
	canonical, err := trawl.ParseTarget(trawl.PageIdentity(head))
	switch {
	case errors.Is(err, trawl.ErrURLProtocol):
		return "", ruleProtocol
	case err != nil:
		return "", ruleInvalid
	}
	canonical = trawl.PageIdentity(canonical)
	switch {
	case len(canonical) > maxAddress || len(head) < len(address):
		return "", ruleLong
	case strings.Contains(split(canonical).authority, "@"):
		return "", ruleInvalid
	}
	return canonical, ""
}

// unreadable is the verdict of an address without canonical form. Its identity
// is one that no page has.
func unreadable(address, rule string) Verdict {
	address = strings.TrimSpace(address[:min(len(address), maxAddress)])
	if trawl.CarriesPassword(address) {
		address = trawl.WithoutPassword(address)
	}
	address = strings.ToValidUTF8(address, "\ufffd")
	return Verdict{URL: address, Identity: rule + ": " + address, Fate: trawl.FateFiltered, Rule: rule}
}

// newScope returns the scope of a base: its host, at or below its path.
func newScope(base string) (scope, error) {
	canonical, rule := read(base)
	if rule != "" {
		return scope{}, trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: "is no address to start from (" + rule + ")", Path: []any{"url"}}})
	}
	return scopeOf(split(canonical)), nil
}
