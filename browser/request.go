package browser

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl"
)

// normalize checks the address, which must be one of the web, and takes name and
// password out of it: they go to its origin as a header, and nowhere else.
func (r *Request) normalize() error {
	canonical, err := trawl.ParseTarget(r.URL)
	if err != nil {
		return trawl.Errorf(trawl.CodeBadRequest, "%s", err)
	}
	u, err := whatwg.Parse(canonical)
	if err != nil {
		return trawl.Wrap(trawl.CodeBadRequest, trawl.ErrURLInvalid.Error(), err)
	}
	if name, password := unescape(u.Username()), unescape(u.Password()); name+password != "" {
		r.authorize(name, password)
		u.SetUsername("")
		u.SetPassword("")
	}
	r.URL = u.Href(false)
	return nil
}

// authorize adds name and password to the headers, unless they have their own.
func (r *Request) authorize(name, password string) {
	headers := maps.Clone(r.Headers)
	if headers == nil {
		headers = map[string]string{}
	}
	for other := range headers {
		if http.CanonicalHeaderKey(other) == "Authorization" {
			return
		}
	}
	headers["Authorization"] = "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
	r.Headers = headers
}

func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}
