package fetch

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/trawlhq/trawl"
)

// The browsers that requests resemble, for sites that turn unknown ones away.
const (
	desktopBrowser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
	mobileBrowser  = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36"
)

const (
	acceptTypes     = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	acceptEncodings = "gzip, deflate, br, zstd"
	acceptLanguages = "en-US,en;q=0.9"

	// maxLanguages is how many entries an Accept-Language header gets.
	maxLanguages = 10
)

// DefaultUserAgent is how requests introduce themselves unless the operator
// chose otherwise: like a browser, but by name and with a place to complain.
func DefaultUserAgent() string { return desktopBrowser + " " + Product() }

// Product is the name of this service in user agents, with a place to complain.
func Product() string {
	return "Trawl/" + trawl.Version + " (+https://github.com/trawlhq/trawl)"
}

// userAgents returns the user agents of desktop and phone. An operator's own
// name stays recognisable on the phone too.
func userAgents(chosen string) (desktop, mobile string) {
	if chosen == "" {
		return DefaultUserAgent(), mobileBrowser + " " + Product()
	}
	return chosen, mobileBrowser + " " + chosen
}

// header returns what every hop of a request sends.
func (c *Client) header(r *Request) http.Header {
	agent := c.desktop
	if r.Mobile {
		agent = c.mobile
	}
	return http.Header{
		"User-Agent":                {agent},
		"Accept":                    {acceptTypes},
		"Accept-Encoding":           {acceptEncodings},
		"Accept-Language":           {AcceptLanguage(r.Languages)},
		"Upgrade-Insecure-Requests": {"1"},
	}
}

// AcceptLanguage writes an Accept-Language header: each tag, and after the last tag
// of a language the bare language, with falling weights.
func AcceptLanguage(tags []string) string {
	var list []string
	for i, tag := range tags {
		if !isTag(tag) || slices.Contains(list, tag) {
			continue
		}
		list = append(list, tag)
		base, _, _ := strings.Cut(tag, "-")
		again := slices.ContainsFunc(tags[i+1:], func(other string) bool {
			return other == base || strings.HasPrefix(other, base+"-")
		})
		if !again && !slices.Contains(list, base) {
			list = append(list, base)
		}
	}
	if len(list) == 0 {
		return acceptLanguages
	}
	list = list[:min(len(list), maxLanguages)]
	for i := 1; i < len(list); i++ {
		list[i] += ";q=0." + strconv.Itoa(max(10-i, 1))
	}
	return strings.Join(list, ",")
}

func isTag(s string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	return s != "" && strings.Trim(s, allowed) == ""
}

// addHeaders puts a caller's headers over the defaults. Those that belong to
// the connection, or that are no headers at all, are left out.
func addHeaders(header http.Header, extra map[string]string) {
	for name, value := range extra {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			continue
		}
		if name = http.CanonicalHeaderKey(name); !ofConnection(name) {
			header[name] = []string{value}
		}
	}
}

func ofConnection(name string) bool {
	switch name {
	case "Connection", "Content-Length", "Host", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
		"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return true
	}
	return false
}
