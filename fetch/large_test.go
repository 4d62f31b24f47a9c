package fetch_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/fetch"
)

// Large bodies wait for room, however they come; others are not held up.
func TestLargeBodiesAsk(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		body := strings.NewReader(strings.Repeat("x", size))
		switch r.URL.Path {
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.Copy(z, body)
			_ = z.Close()
		case "/long":
			w.Header().Set("Content-Length", strconv.Itoa(size))
			fallthrough
		default:
			_, _ = io.Copy(w, body)
		}
	})
	client := newClient(t, nil)
	for _, path := range []string{"/chunked", "/long", "/gzip"} {
		for size, want := range map[int]int{10: 0, fetch.LargeBytes: 0, 3 * fetch.LargeBytes: 1} {
			asked := 0
			request := fetch.Request{URL: server.URL + path + "?size=" + strconv.Itoa(size), Large: func(context.Context) error {
				asked++
				return nil
			}}
			if response := mustFetch(t, client, request); len(response.Body) != size || asked != want {
				t.Errorf("%s of %d bytes: %d came, asked %d times, want %d", path, size, len(response.Body), asked, want)
			}
			request.Large = func(context.Context) error { return errors.New("no room") }
			if _, err := client.Fetch(t.Context(), request); (err != nil) != (want > 0) {
				t.Errorf("%s of %d bytes without room: %v", path, size, err)
			}
		}
	}
}
