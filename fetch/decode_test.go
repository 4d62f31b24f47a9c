package fetch_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
)

// pack applies encodings in order; raw is deflate without its frame.
func pack(t testing.TB, encodings string, data []byte) []byte {
	t.Helper()
	for encoding := range strings.SplitSeq(encodings, ",") {
		var out bytes.Buffer
		var w io.WriteCloser
		switch strings.TrimSpace(encoding) {
		case "gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		case "raw":
			w, _ = flate.NewWriter(&out, flate.BestSpeed)
		case "br":
			w = brotli.NewWriter(&out)
		case "zstd":
			w, _ = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
		default:
			t.Fatalf("no such encoding: %s", encoding)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data = out.Bytes()
	}
	return data
}

// packed serves data under a content encoding, with and without a length.
func packed(t testing.TB, encoding string, data []byte, chunked bool) string {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Encoding"] = strings.Split(encoding, "|")
		if chunked {
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(data)
	}).URL
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	page := []byte(strings.Repeat("<p>Speak, friend, and enter.</p>\n", 5000))
	zipped := pack(t, "gzip", page)
	client := newClient(t, nil)
	for name, test := range map[string]struct {
		header string
		data   []byte
		want   []byte
	}{
		"none":             {"", page, page},
		"identity":         {"identity", page, page},
		"gzip":             {"gzip", zipped, page},
		"x-gzip":           {"X-GZIP", zipped, page},
		"deflate":          {"deflate", pack(t, "deflate", page), page},
		"raw deflate":      {"deflate", pack(t, "raw", page), page},
		"br":               {"br", pack(t, "br", page), page},
		"zstd":             {"zstd", pack(t, "zstd", page), page},
		"two":              {"gzip, br", pack(t, "gzip,br", page), page},
		"two headers":      {"br|zstd", pack(t, "br,zstd", page), page},
		"same twice":       {"gzip, gzip", pack(t, "gzip,gzip", page), page},
		"three":            {"deflate, zstd, gzip", pack(t, "deflate,zstd,gzip", page), page},
		"unknown":          {"utf-8", page, page},
		"not gzip at all":  {"gzip", page, page},
		"two gzip members": {"gzip", append(pack(t, "gzip", page[:33]), pack(t, "gzip", page[33:])...), page},
		"rubbish behind":   {"gzip", append(zipped[:len(zipped):len(zipped)], "\n<!-- cached -->"...), page},
		"empty gzip":       {"gzip", nil, nil},
		"empty br":         {"br", nil, nil},
		"empty zstd":       {"zstd", nil, nil},
		"empty deflate":    {"deflate", nil, nil},
		"empty, two":       {"gzip, br", nil, nil},
	} {
		for _, chunked := range []bool{false, true} {
			response := mustFetch(t, client, fetch.Request{URL: packed(t, test.header, test.data, chunked)})
			if !bytes.Equal(response.Body, test.want) {
				t.Errorf("%s (chunked %v): %d bytes, want %d", name, chunked, len(response.Body), len(test.want))
			}
			if test.header != "" && test.header != "identity" && response.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s: the header still says %q of the decoded body", name, response.Header.Get("Content-Encoding"))
			}
		}
	}
}

func TestDamagedEncodings(t *testing.T) {
	t.Parallel()
	page := bytes.Repeat([]byte("All we have to decide is what to do with the time that is given us. "), 50)
	client := newClient(t, nil)
	for _, encoding := range []string{"gzip", "deflate", "br", "zstd"} {
		data := pack(t, encoding, page)
		wantError(t, client, fetch.Request{URL: packed(t, encoding, data[:len(data)/2], true)}, trawl.CodeSite, "")
		if encoding != "gzip" { // what is not gzip counts as plain
			wantError(t, client, fetch.Request{URL: packed(t, encoding, []byte("\xff\xfe<html>plain</html>"), false)}, trawl.CodeSite, "")
		}
		// A decoder that failed is good for the next page.
		if response := mustFetch(t, client, fetch.Request{URL: packed(t, encoding, data, false)}); !bytes.Equal(response.Body, page) {
			t.Errorf("%s: wrong page after a damaged one", encoding)
		}
	}
	wantError(t, client, fetch.Request{URL: packed(t, "gzip, gzip, gzip, gzip", pack(t, "gzip,gzip,gzip,gzip", page), false)},
		trawl.CodeSite, "The site sent an answer that cannot be read.")
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	const limit = 256 << 10
	client := newClient(t, func(c *fetch.Config) { c.MaxBytes = limit })
	noise := make([]byte, limit+1)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	bomb := make([]byte, 4<<20)
	for name, test := range map[string]struct {
		encoding string
		data     []byte
	}{
		"plain":          {"identity", noise},
		"plain, packed":  {"gzip", pack(t, "gzip", noise)},
		"gzip bomb":      {"gzip", pack(t, "gzip", bomb)},
		"deflate bomb":   {"deflate", pack(t, "deflate", bomb)},
		"brotli bomb":    {"br", pack(t, "br", bomb)},
		"zstd bomb":      {"zstd", pack(t, "zstd", bomb)},
		"bomb in a bomb": {"gzip, br", pack(t, "gzip,br", bomb)},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				wantError(t, client, fetch.Request{URL: packed(t, test.encoding, test.data, chunked)},
					trawl.CodeSite, "The page is larger than 256 KiB.")
			})
		}
	}
	exact := mustFetch(t, client, fetch.Request{URL: packed(t, "gzip", pack(t, "gzip", bomb[:limit]), true)})
	if len(exact.Body) != limit {
		t.Errorf("a page of exactly the limit has %d bytes", len(exact.Body))
	}
}

// TestBombMemory measures that a page which unpacks to a gigabyte costs no more
// than its limit.
func TestBombMemory(t *testing.T) {
	const limit = 4 << 20
	client := newClient(t, func(c *fetch.Config) { c.MaxBytes = limit })
	member := pack(t, "gzip", make([]byte, 1<<20))
	url := packed(t, "gzip", bytes.Repeat(member, 1024), false)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	wantError(t, client, fetch.Request{URL: url}, trawl.CodeSite, "The page is larger than 4 MiB.")
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*limit {
		t.Errorf("%d MiB allocated for a limit of %d MiB", used>>20, limit>>20)
	}
}

// FuzzDecode feeds bodies that claim any stack of encodings.
func FuzzDecode(f *testing.F) {
	page := []byte("<p>The road goes ever on and on.</p>")
	for _, encoding := range []string{"gzip", "deflate", "br", "zstd", "gzip,br", "zstd,gzip,deflate"} {
		f.Add(encoding, pack(f, encoding, page))
	}
	f.Add("deflate", pack(f, "raw", page))
	const limit = 64 << 10
	decode := fetch.NewDecoder(limit)
	f.Fuzz(func(t *testing.T, encoding string, data []byte) {
		body, err := decode(encoding, data)
		if err == nil && len(body) > limit {
			t.Errorf("%d bytes came through a limit of %d", len(body), limit)
		}
	})
}
