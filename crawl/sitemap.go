package crawl

import (
	"slices"
	"strings"
)

// maxCandidates bounds the sitemaps that are asked for.
const maxCandidates = 20

// SitemapCandidates returns where the sitemaps of a site may be, each address
// once and the likely ones first: those that its robots.txt names, then those
// that sites have by custom in the folder of the base, on its host and on its
// domain. The robots may be nil.
func SitemapCandidates(base string, robots *Robots) []string {
	var list candidates
	if robots != nil {
		for _, sitemap := range robots.Sitemaps() {
			list.add(sitemap)
		}
	}
	canonical, rule := read(base)
	if rule != "" {
		return list
	}
	a := split(canonical)
	scheme, _, _ := strings.Cut(canonical, "://")
	list.add(scheme + "://" + a.authority + folder(a.path) + "/sitemap.xml")
	list.add(scheme + "://" + a.authority + "/sitemap.xml")
	port := a.authority[len(a.host):]
	list.add(scheme + "://" + a.site() + port + "/sitemap.xml")
	if domain := registrable(a.site()); domain != "localhost" { // which is no site of its own
		list.add(scheme + "://" + domain + port + "/sitemap.xml")
	}
	return list
}

// candidates collects addresses.
type candidates []string

// add adds an absolute address that can be fetched and is new.
func (c *candidates) add(address string) {
	scheme, _, found := strings.Cut(address, "://")
	if !found || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return
	}
	canonical, rule := read(address)
	if rule != "" || len(*c) >= maxCandidates {
		return
	}
	if !slices.Contains(*c, canonical) {
		*c = append(*c, canonical)
	}
}
