package api_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// keepFile stores a file as a scrape does, for an hour, and returns it with the
// path of its address.
func (s *service) keepFile(contentType string, data []byte) (trawl.File, string) {
	s.t.Helper()
	f := trawl.File{
		ID: uuid.NewString(), TeamID: s.team.ID, ContentType: contentType, Data: data, ExpiresAt: s.clock.now().Add(time.Hour),
	}
	charge := trawl.Charge{ID: f.ID, TeamID: s.team.ID, Kind: "scrape"}
	errs, err := s.store.Finish(s.t.Context(), []store.Finished{{Charge: charge, Files: []trawl.File{f}}})
	if err != nil || errs[0] != nil {
		s.t.Fatal(errs, err)
	}
	secret, err := s.store.Secret(s.t.Context(), "files")
	if err != nil {
		s.t.Fatal(err)
	}
	return f, f.Address("", secret)
}

func TestFile(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Rates = map[string]int{} }) // whatever counts is refused
	for contentType, ending := range map[string]string{trawl.TypePNG: ".png", trawl.TypeJPEG: ".jpg", trawl.TypePDF: ".pdf"} {
		f, path := s.keepFile(contentType, []byte("<script>alert(1)</script>"+contentType))
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := s.do(call{method: method, path: path}).want(t, http.StatusOK)
			for name, want := range map[string]string{
				"Content-Type": contentType, "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin",
				"Content-Security-Policy": "default-src 'none'; sandbox", "Content-Disposition": `inline; filename="` + f.ID + ending + `"`,
				"Content-Length": strconv.Itoa(len(f.Data)),
			} {
				if got := r.header.Get(name); got != want {
					t.Errorf("%s %s: %s is %q, want %q", method, contentType, name, got, want)
				}
			}
			if age := r.header.Get("Cache-Control"); !regexp.MustCompile(`^private, immutable, max-age=(3600|35[5-9]\d)$`).MatchString(age) {
				t.Errorf("Cache-Control: %s", age)
			}
			if r.header.Get("RateLimit") != "" {
				t.Error("a file counts to the rate of a team")
			}
			if method == http.MethodGet && !bytes.Equal(r.raw, f.Data) || method == http.MethodHead && len(r.raw) > 0 {
				t.Errorf("%s answers %q", method, r.raw)
			}
		}
	}
}

// files counts how often the store is asked for a file.
type files struct {
	*store.Store
	asked atomic.Int64
	err   error
}

func (f *files) File(ctx context.Context, id string) (trawl.File, error) {
	f.asked.Add(1)
	if f.err != nil {
		return trawl.File{}, f.err
	}
	return f.Store.File(ctx, id)
}

func TestFileRefusals(t *testing.T) {
	t.Parallel()
	kept := &files{}
	s := start(t, func(c *api.Config) {
		kept.Store = c.Store.(*store.Store)
		c.Store = kept
	})
	f, path := s.keepFile(trawl.TypePNG, []byte("picture"))
	other, _ := s.keepFile(trawl.TypePNG, []byte("other"))
	bare, query, _ := strings.Cut(path, "?")
	wrong := func(what, path string, status int, message string) {
		t.Helper()
		r := s.do(call{method: http.MethodGet, path: path}).want(t, status)
		if r.str("error") != message || r.json["success"] != false || r.header.Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("%s: %s", what, r.raw)
		}
		if r.header.Get("Cache-Control") != "" || r.header.Get("Content-Disposition") != "" {
			t.Errorf("%s has headers of a file: %v", what, r.header)
		}
		s.do(call{method: http.MethodHead, path: path}).want(t, status)
	}
	for what, path := range map[string]string{
		"no signature":             bare,
		"empty values":             bare + "?expires=&signature=",
		"half a signature":         path[:len(path)-20],
		"another file":             strings.Replace(path, f.ID, other.ID, 1),
		"another ending":           strings.Replace(path, ".png", ".pdf", 1),
		"no ending":                strings.Replace(path, ".png", "", 1),
		"a later time":             strings.Replace(path, "expires=", "expires=9", 1),
		"no name":                  "/v2/files/x?" + query,
		"a name with line ends":    "/v2/files/" + url.PathEscape(f.ID+".png\r\nX: y") + "?" + query,
		"a name that is very long": "/v2/files/" + strings.Repeat("a", 4000) + "?" + query,
	} {
		wrong(what, path, http.StatusNotFound, "File not found")
	}
	s.do(call{method: http.MethodGet, path: "/v2/files/..%2f..%2fetc%2fpasswd?" + query}).want(t, http.StatusNotFound)
	s.do(call{method: http.MethodPost, path: path}).want(t, http.StatusMethodNotAllowed)
	s.clock.advance(time.Hour)
	wrong("expired", path, http.StatusGone, "File expired")
	if n := kept.asked.Load(); n != 0 {
		t.Errorf("the store was asked %d times for what is not signed", n)
	}

	fresh, path := s.keepFile(trawl.TypePNG, []byte("picture"))
	if err := s.store.Blobs().Delete(t.Context(), fresh.ID); err != nil {
		t.Fatal(err)
	}
	wrong("without its blob", path, http.StatusNotFound, "File not found")
	kept.err = errors.New("disk on fire")
	r := s.do(call{method: http.MethodGet, path: path}).want(t, http.StatusInternalServerError)
	if strings.Contains(string(r.raw), "fire") || r.str("code") != "UNKNOWN_ERROR" {
		t.Errorf("out of order: %s", r.raw)
	}
}

func TestFileInOpenAPI(t *testing.T) {
	t.Parallel()
	op := start(t).get("/openapi.json").want(t, http.StatusOK)
	for _, contentType := range []string{trawl.TypePNG, trawl.TypeJPEG, trawl.TypePDF} {
		if op.at("paths", "/v2/files/{name}", "get", "responses", "200", "content", contentType) == nil {
			t.Errorf("no %s", contentType)
		}
	}
	if op.at("paths", "/v2/files/{name}", "get", "security") != nil {
		t.Error("a key is wanted")
	}
	for _, name := range []string{"screenshots", "scrapes", "javascriptReturns", "pdfs"} {
		if op.at("components", "schemas", "ActionResults", "properties", name) == nil {
			t.Errorf("no %s", name)
		}
	}
}

// bases notes what addresses of the service begin with, as scrapes and jobs learn it.
type bases struct {
	api.Scraper
	api.Jobs
	got []string
}

func (b *bases) Scrape(_ context.Context, req scrape.Request) (*trawl.Document, error) {
	b.got = append(b.got, req.Base)
	return &trawl.Document{}, nil
}

func (b *bases) Crawl(_ context.Context, o job.Order, _ trawl.CrawlRequest) (job.Receipt, error) {
	b.got = append(b.got, o.PublicURL)
	return job.Receipt{}, nil
}

func (b *bases) Batch(_ context.Context, o job.Order, _ trawl.BatchRequest) (job.Receipt, error) {
	b.got = append(b.got, o.PublicURL)
	return job.Receipt{}, nil
}

func TestBaseOfAddresses(t *testing.T) {
	t.Parallel()
	public, _ := url.Parse("https://trawl.example/base/")
	for _, test := range []struct {
		name   string
		change func(*api.Config)
		want   string
	}{
		{"configured", func(c *api.Config) { c.PublicURL = public }, "https://trawl.example/base"},
		{"as it was asked for", func(*api.Config) {}, "http://a.example:81"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := &bases{}
			s := start(t, test.change, func(c *api.Config) {
				b.Scraper, b.Jobs = c.Scraper, c.Jobs
				c.Scraper, c.Jobs = b, b
			})
			for path, body := range map[string]string{
				"/v2/scrape": s.body("/"), "/v2/crawl": s.body("/"), "/v2/batch/scrape": `{"urls":["` + s.site.URL + `/"]}`,
			} {
				s.do(call{path: path, key: s.key, body: body, header: map[string]string{"Host": "a.example:81"}}).want(t, http.StatusOK)
			}
			if len(b.got) != 3 || b.got[0] != test.want || b.got[1] != test.want || b.got[2] != test.want {
				t.Errorf("got %q, want %s", b.got, test.want)
			}
		})
	}
}
