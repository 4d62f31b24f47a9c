package adblock

import "strings"

// maxURL bounds the work a page can make with long addresses. No rule needs to
// see more.
const maxURL = 4096

// request is a Request made ready for matching.
type request struct {
	raw        string // the address as it was written
	url        string // in lower case
	start, end int    // where the host stands in both
	kind       types
	host, page hostName
	third      bool
	judged     bool // third is known
}

// newRequest takes a request apart. It is not ok if nothing can block it.
func newRequest(q Request) (request, bool) {
	raw, _, _ := strings.Cut(q.URL[:min(len(q.URL), maxURL)], "#")
	start, end, ok := hostSpan(raw)
	kind := requestType(q.Type)
	if !ok || kind == documentType {
		return request{}, false
	}
	r := request{raw: raw, url: lower(raw), start: start, end: end, kind: kind}
	switch scheme := r.url[:strings.IndexByte(r.url, ':')]; scheme {
	case "http", "https", "ws", "wss":
	default:
		return request{}, false
	}
	r.host.name = strings.TrimSuffix(r.url[start:end], ".")
	if i, j, ok := hostSpan(q.Page); ok {
		r.page.name = foldHost(q.Page[i:j])
	}
	return r, true
}

// hostSpan finds the host in an absolute address.
func hostSpan(url string) (start, end int, ok bool) {
	start = strings.Index(url, "://")
	if start < 0 {
		return 0, 0, false
	}
	start += len("://")
	end = len(url)
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		end = start + i
	}
	start += strings.LastIndexByte(url[start:end], '@') + 1
	if i := strings.LastIndexByte(url[start:end], ':'); i >= 0 && strings.IndexByte(url[start+i:end], ']') < 0 {
		end = start + i
	}
	return start, end, start < end
}

func requestType(name string) types {
	switch name {
	case "document":
		return documentType
	case "script":
		return scriptType
	case "image":
		return imageType
	case "stylesheet":
		return stylesheetType
	case "font":
		return fontType
	case "xhr":
		return xhrType
	case "websocket":
		return websocketType
	case "media":
		return mediaType
	case "subdocument":
		return subdocumentType
	case "ping":
		return pingType
	case "object":
		return objectType
	}
	return otherType
}

// isThird reports whether the request goes to another site than the page's.
func (r *request) isThird() bool {
	if !r.judged {
		r.third, r.judged = !sameSite(r.host.name, r.page.name), true
	}
	return r.third
}
