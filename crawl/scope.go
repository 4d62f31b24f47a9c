package crawl

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// address is a canonical address taken apart.
type address struct {
	whole     string // scheme, authority and path
	page      string // authority and path
	authority string
	host      string
	port      string // with its colon; empty for the default of either scheme
	path      string // begins with a slash
	query     string
	fragment  string
}

// split takes a canonical address apart without copying.
func split(canonical string) address {
	var a address
	a.whole, a.fragment, _ = strings.Cut(canonical, "#")
	a.whole, a.query, _ = strings.Cut(a.whole, "?")
	_, a.page, _ = strings.Cut(a.whole, "://")
	slash := strings.IndexByte(a.page, '/')
	if slash < 0 {
		slash = len(a.page)
	}
	a.authority, a.path = a.page[:slash], a.page[slash:]
	a.host = a.authority
	if colon := strings.LastIndexByte(a.authority, ':'); colon > strings.LastIndexByte(a.authority, ']') {
		a.host, a.port = a.authority[:colon], a.authority[colon:]
	}
	if a.port == ":80" || a.port == ":443" {
		a.port = ""
	}
	return a
}

// site returns the name under which a host is known: www does not count, nor
// does the dot of the root.
func (a address) site() string {
	return strings.TrimSuffix(strings.TrimPrefix(a.host, "www."), ".")
}

// scope is the part of the web that a crawl may see. A host is told by name and
// port; the scheme does not matter.
type scope struct {
	site, port string
	domain     string // what the hosts of the site's owner have in common
	folder     string // path at or below which pages are, without slash at the end
	everyHost  bool   // the folder counts on other hosts too
	subdomains bool
	external   bool
}

func scopeOf(a address) scope {
	site := a.site()
	return scope{site: site, port: a.port, domain: registrable(site), folder: folder(a.path)}
}

// violated returns the rule that keeps an address out of the scope.
func (s *scope) violated(a address) string {
	site := a.site()
	if site == s.site && a.port == s.port {
		if !s.below(a.path) {
			return rulePath
		}
		return ""
	}
	if !s.external {
		if a.port != s.port || !within(site, s.domain) {
			return ruleExternal
		}
		if !s.subdomains {
			return ruleSubdomain
		}
	}
	if s.everyHost && !s.below(a.path) {
		return rulePath
	}
	return ""
}

// below reports whether a path is the folder or in it. Sites write escapes in
// either case; parameters of a segment do not make another one.
func (s *scope) below(path string) bool {
	if s.folder == "" {
		return true
	}
	rest, ok := strings.CutPrefix(upperEscapes(path), s.folder)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == ';')
}

// within reports whether a host is a domain or under it.
func within(host, domain string) bool {
	rest, ok := strings.CutSuffix(host, domain)
	return ok && (rest == "" || rest[len(rest)-1] == '.')
}

// registrable returns the domain that belongs to one owner: the part of a name
// that can be registered, localhost, or the whole of an IP address.
func registrable(site string) string {
	if within(site, "localhost") {
		return "localhost"
	}
	if _, err := netip.ParseAddr(strings.Trim(site, "[]")); err == nil {
		return site
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(site)
	if err != nil {
		return site
	}
	return domain
}

// folder returns the path below which the children of a page are: that of the
// page itself, or of the folder that its file is in.
func folder(path string) string {
	path = upperEscapes(withoutSession(path))
	slash := strings.LastIndexByte(path, '/')
	if isPageFile(path[slash+1:]) {
		path = path[:slash]
	}
	return strings.TrimRight(path, "/")
}

// isPageFile reports whether the last segment of a path names a file that is a
// page, not a folder.
func isPageFile(segment string) bool {
	var b [8]byte
	switch string(lower(b[:], extension(segment))) {
	case "html", "htm", "xhtml", "shtml", "mhtml", "php", "php3", "php4", "php5", "phtml", "asp", "aspx", "jsp", "jspx",
		"jsf", "do", "cfm", "cgi", "pl", "md", "txt", "xml", "pdf", "docx", "docm", "doc", "odt", "rtf", "xlsx", "xlsm", "xls", "ods", "csv",
		"pptx", "pptm", "ppsx", "ppt", "odp", "xlsb", "epub", "eml", "msg":
		return true
	}
	return false
}
