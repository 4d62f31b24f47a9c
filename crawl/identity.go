package crawl

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// Identity returns what makes two canonical addresses one page in this crawl.
// The fragment never counts unless it is a route, the query not if the caller
// says so. If similar addresses are one page, then neither do the scheme, www,
// a default port, a slash or an index file at the end, parameters that only
// track visitors, nor the order of the others.
func (r *Rules) Identity(canonical string) string {
	page := trawl.PageIdentity(canonical)
	if !r.similar && !r.ignoreQuery {
		return page
	}
	a := split(page)
	head, query := a.whole, a.query
	if r.similar {
		head, query = similarPage(a), similarQuery(a.query)
	}
	if query != "" && !r.ignoreQuery {
		head += "?" + query
	}
	if a.fragment != "" {
		head += "#" + a.fragment
	}
	return head
}

// similarPage returns host and path without what makes no difference.
func similarPage(a address) string {
	page := strings.TrimPrefix(a.page, "www.")
	if site := a.site(); len(page) != len(site)+len(a.port)+len(a.path) {
		page = site + a.port + a.path
	}
	page = withoutSession(page)
	slash := strings.LastIndexByte(page, '/')
	if slash >= 0 && isIndex(page[slash+1:]) {
		page = page[:slash+1]
	}
	return strings.TrimSuffix(page, "/")
}

// isIndex reports whether a file is what a folder shows anyway.
func isIndex(file string) bool {
	var b [12]byte
	switch string(lower(b[:], file)) {
	case "index.html", "index.htm", "index.php", "index.asp", "index.aspx", "default.asp", "default.aspx":
		return true
	}
	return false
}

// withoutSession returns a path without the session that Java servers put there.
func withoutSession(path string) string {
	const mark = ";jsessionid="
	if strings.IndexByte(path, ';') < 0 {
		return path
	}
	for i := 0; i+len(mark) <= len(path); i++ {
		if path[i] == ';' && strings.EqualFold(path[i:i+len(mark)], mark) {
			end := strings.IndexAny(path[i+1:], "/;")
			if end < 0 {
				return path[:i]
			}
			return path[:i] + path[i+1+end:]
		}
	}
	return path
}

// similarQuery returns a query without parameters that only follow visitors
// around, sorted by name. One that is in order already is returned as it is.
func similarQuery(query string) string {
	if query == "" || inOrder(query) {
		return query
	}
	parameters := slices.DeleteFunc(strings.Split(query, "&"), func(parameter string) bool {
		return parameter == "" || isTracking(nameOf(parameter))
	})
	slices.SortStableFunc(parameters, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	return strings.Join(parameters, "&")
}

// inOrder reports whether there is nothing to drop or to sort in a query.
func inOrder(query string) bool {
	last := ""
	for found := true; found; {
		var parameter string
		parameter, query, found = strings.Cut(query, "&")
		name := nameOf(parameter)
		if parameter == "" || name < last || isTracking(name) {
			return false
		}
		last = name
	}
	return true
}

func nameOf(parameter string) string {
	name, _, _ := strings.Cut(parameter, "=")
	return name
}

// isTracking reports whether a parameter of this name says who is visiting or
// where they came from, not what the page is.
func isTracking(name string) bool {
	if len(name) > 4 && strings.EqualFold(name[:4], "utm_") {
		return true
	}
	var b [12]byte
	switch string(lower(b[:], name)) {
	case "gclid", "fbclid", "msclkid", "mc_cid", "mc_eid", "phpsessid", "jsessionid", "sessionid", "session_id", "sid":
		return true
	}
	return false
}
