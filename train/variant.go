package main

import (
	"hash/fnv"
	"regexp"
)

// variant is a page as it was served, or a twin of it: the model has to do as well
// on pages that went through other hands, which took scripts away, and on pages
// whose names say nothing.
type variant struct {
	name string
	body []byte
	url  string // twins have none, for neither have uploads
}

var (
	unseen = regexp.MustCompile(`(?is)<script\b.*?</script\s*>|<style\b.*?</style\s*>|<noscript\b.*?</noscript\s*>|<!--.*?-->`)
	names  = regexp.MustCompile(`(?i)\s(?:class|id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)`)
)

// variants returns the page and its twins: without what readers do not see for all
// pages of the set whose pages are told apart by type, and without names for some
// of all.
func variants(set, id, url string, body []byte) []variant {
	h := fnv.New32a()
	h.Write([]byte(id))
	if set != "wcxb_dev" && h.Sum32()/5%2 == 0 {
		url = ""
	}
	all := []variant{{"", body, url}}
	if set == "wcxb_dev" {
		all = append(all, variant{"plain", unseen.ReplaceAll(body, nil), ""})
	}
	if h.Sum32()%5 == 0 {
		all = append(all, variant{"nameless", names.ReplaceAll(body, nil), ""})
	}
	return all
}
