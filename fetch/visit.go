package fetch

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/publicsuffix"

	"github.com/trawlhq/trawl"
)

// visit is one fetch on its way from hop to hop.
type visit struct {
	client *Client
	asked  *Request
	origin *whatwg.Url    // of the address that was asked for
	at     *whatwg.Url    // the present hop
	jar    *cookiejar.Jar // nil until a redirect sets a cookie
}

func (c *Client) newVisit(r *Request) (*visit, error) {
	u, err := whatwg.Parse(r.URL)
	if err != nil {
		return nil, trawl.Wrap(trawl.CodeBadRequest, trawl.ErrURLInvalid.Error(), err)
	}
	if !isWeb(u) {
		return nil, trawl.Errorf(trawl.CodeBadRequest, "%s", trawl.ErrURLProtocol.Error())
	}
	return &visit{client: c, asked: r, origin: u, at: u}, nil
}

func isWeb(u *whatwg.Url) bool {
	return (u.Scheme() == "http" || u.Scheme() == "https") && u.Hostname() != ""
}

// request builds the request of the present hop.
func (v *visit) request(ctx context.Context) *http.Request {
	header := v.client.header(v.asked)
	if sameParty(v.origin, v.at) {
		addHeaders(header, v.asked.Headers)
	}
	u := wireURL(v.at)
	request := (&http.Request{
		Method:     http.MethodGet,
		URL:        u,
		Host:       u.Host,
		Header:     header,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
	}).WithContext(ctx)
	if v.jar != nil {
		mergeCookies(header, v.jar.Cookies(u))
	}
	if name, password := v.at.Username(), v.at.Password(); name+password != "" && header.Get("Authorization") == "" {
		request.SetBasicAuth(unescape(name), unescape(password))
	}
	return request
}

// sameParty reports whether an address is of the origin, or is its upgrade to
// https: the same host at the same port or at the usual ones.
func sameParty(origin, u *whatwg.Url) bool {
	if origin.Hostname() != u.Hostname() || origin.Port() != u.Port() {
		return false
	}
	return origin.Scheme() == u.Scheme() || u.Scheme() == "https"
}

// wireURL converts an address for net/http. What browsers accept and net/url
// does not, such as a stray percent sign, is sent in absolute form as it is.
func wireURL(u *whatwg.Url) *url.URL {
	if parsed, err := url.Parse(u.Href(true)); err == nil {
		parsed.User = nil
		return parsed
	}
	return &url.URL{
		Scheme:   u.Scheme(),
		Host:     u.Host(),
		Opaque:   "//" + u.Host() + u.Pathname(),
		RawQuery: u.Query(),
	}
}

func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// follow moves on if the response is a redirect, and reports whether it did.
// If not, the body of the response is still to be read.
func (v *visit) follow(response *http.Response) (bool, error) {
	location := response.Header.Get("Location")
	if location == "" || !isRedirect(response.StatusCode) {
		return false, nil
	}
	discard(response)
	next, err := v.at.Parse(escapeBytes(location))
	if err != nil {
		return false, trawl.Wrap(trawl.CodeSite, "The site redirects to an address that is not valid.", err)
	}
	if !isWeb(next) {
		return false, trawl.Errorf(trawl.CodeSite, "The site redirects to an address that is not a web page.")
	}
	v.keepCookies(response)
	if next.Hash() == "" {
		next.SetHash(v.at.Hash())
	}
	v.at = next
	return true, nil
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// discard gives the connection back for reuse if the rest of the body is small.
func discard(response *http.Response) {
	const small = 4 << 10
	if response.ContentLength <= small {
		_, _ = io.CopyN(io.Discard, response.Body, small)
	}
	_ = response.Body.Close()
}

// escapeBytes percent-encodes what is not UTF-8, as sites with an older
// encoding put into a Location header.
func escapeBytes(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// keepCookies remembers what a redirect sets, for the hops that follow.
func (v *visit) keepCookies(response *http.Response) {
	cookies := response.Cookies()
	if len(cookies) == 0 {
		return
	}
	if v.jar == nil {
		v.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	}
	v.jar.SetCookies(wireURL(v.at), cookies)
}

// mergeCookies adds cookies to those of the caller; where both have a name, the
// site's newer value stands.
func mergeCookies(header http.Header, cookies []*http.Cookie) {
	if len(cookies) == 0 {
		return
	}
	var pairs []string
	for pair := range strings.SplitSeq(header.Get("Cookie"), ";") {
		pair = strings.TrimSpace(pair)
		name, _, _ := strings.Cut(pair, "=")
		if pair != "" && !slices.ContainsFunc(cookies, func(c *http.Cookie) bool { return c.Name == name }) {
			pairs = append(pairs, pair)
		}
	}
	for _, cookie := range cookies {
		pairs = append(pairs, cookie.Name+"="+cookie.Value)
	}
	header.Set("Cookie", strings.Join(pairs, "; "))
}

// finalURL is the address of the present hop, without a password.
func (v *visit) finalURL() string {
	if v.at.Username()+v.at.Password() == "" {
		return v.at.Href(false)
	}
	u := v.at.Clone()
	u.SetUsername("")
	u.SetPassword("")
	return u.Href(false)
}
