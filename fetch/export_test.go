package fetch

import (
	"bytes"
	"io"
	"net/http"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// SameParty reports whether headers meant for one address may go to another.
func SameParty(origin, target string) (bool, error) {
	from, err := whatwg.Parse(origin)
	if err != nil {
		return false, err
	}
	to, err := whatwg.Parse(target)
	if err != nil {
		return false, err
	}
	return sameParty(from, to), nil
}

// NewDecoder returns the decoding of bodies without a network around it.
func NewDecoder(limit int64) func(encoding string, data []byte) ([]byte, error) {
	u := newUnpackers()
	return func(encoding string, data []byte) ([]byte, error) {
		return u.read(&http.Response{
			Header:        http.Header{"Content-Encoding": {encoding}},
			Body:          io.NopCloser(bytes.NewReader(data)),
			ContentLength: -1,
		}, limit, nil)
	}
}
