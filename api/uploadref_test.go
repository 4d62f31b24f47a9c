package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

// target asks where to send a file.
func (s *service) target(fields string) reply {
	s.t.Helper()
	return s.do(call{path: "/v2/parse/upload-url", key: s.key, body: "{" + fields + "}"})
}

// send puts a file to an address of the service.
func (s *service) send(address, body string) reply {
	s.t.Helper()
	return s.do(call{method: http.MethodPut, path: strings.TrimPrefix(address, s.server.URL), body: body, header: map[string]string{"Content-Type": "application/pdf"}})
}

func (s *service) parseRef(key, ref, fields string) reply {
	s.t.Helper()
	return s.do(call{path: "/v2/parse", key: key, body: `{"uploadRef":"` + ref + `"` + fields + `}`})
}

func TestUploadFirst(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.target(`"filename":"dir/Report.PDF","contentType":"application/pdf","declaredSizeBytes":`+"52428800").want(t, http.StatusOK)
	if r.str("data", "method") != "PUT" || r.str("data", "headers", "Content-Type") != "application/pdf" || r.at("data", "maxSizeBytes") != float64(trawl.MaxUpload) {
		t.Errorf("%s", r.raw)
	}
	address, ref := r.str("data", "uploadUrl"), r.str("data", "uploadRef")
	s.parseRef(s.key, ref, "").want(t, http.StatusBadRequest) // nothing is there yet
	s.send(address, twoPages).want(t, http.StatusOK)
	s.send(address, twoPages).want(t, http.StatusBadRequest) // it is
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	s.parseRef(stranger, ref, "").want(t, http.StatusBadRequest)
	if r := s.parseRef(s.key, ref, `,"formats":["nonsense"]`).want(t, http.StatusBadRequest); !strings.Contains(string(r.raw), `"path":["formats",0]`) {
		t.Errorf("%s", r.raw)
	}
	s.parseRef(s.key, ref, `,"nonsense":1`).want(t, http.StatusBadRequest)
	done := s.parseRef(s.key, ref, `,"formats":["markdown"],"origin":"test"`).want(t, http.StatusOK)
	if !strings.HasPrefix(done.str("data", "markdown"), "first page") || done.str("data", "metadata", "sourceURL") != "Report.PDF" {
		t.Errorf("%s", done.raw)
	}
	s.parseRef(s.key, ref, "").want(t, http.StatusBadRequest) // once
	s.do(call{path: "/v2/parse", key: s.key, body: `{}`}).want(t, http.StatusBadRequest)
	s.do(call{path: "/v2/parse", key: s.key, body: `{"uploadRef":"a.b"}`}).want(t, http.StatusBadRequest)
	s.do(call{path: "/v2/parse", key: s.key, body: `{"uploadRef":`}).want(t, http.StatusBadRequest)
}

func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, fields := range []string{
		``, `"filename":""`, `"filename":"` + strings.Repeat("x", 513) + `"`, `"filename":"a.pdf","declaredSizeBytes":52428801`, `"filename":"a.pdf","declaredSizeBytes":0`,
		`"filename":"a.pdf","more":1`,
	} {
		s.target(fields).want(t, http.StatusBadRequest)
	}
	if r := s.target(`"filename":"a.zip"`).want(t, http.StatusBadRequest); r.str("code") != "UNSUPPORTED_FILE_TYPE" {
		t.Errorf("%s", r.raw)
	}
	one := s.target(`"filename":"a.pdf","declaredSizeBytes":5`).want(t, http.StatusOK)
	two := s.target(`"filename":"b"`).want(t, http.StatusOK)
	address := one.str("data", "uploadUrl")
	s.send(address, "123456").want(t, http.StatusBadRequest)
	s.send(address, "").want(t, http.StatusBadRequest)
	foreign := address[:strings.Index(address, "?")+1] + "uploadRef=" + url.QueryEscape(two.str("data", "uploadRef"))
	s.send(foreign, "12345").want(t, http.StatusBadRequest)
	s.send(address+"x", "12345").want(t, http.StatusBadRequest)
	s.send(address[:strings.Index(address, "?")], "12345").want(t, http.StatusBadRequest)
	s.clock.advance(10 * time.Minute)
	s.send(address, "12345").want(t, http.StatusBadRequest)

	for range 8 {
		s.target(`"filename":"a.pdf"`).want(t, http.StatusOK)
	}
	if r := s.target(`"filename":"a.pdf"`).want(t, http.StatusTooManyRequests); r.str("code") != "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED" {
		t.Errorf("%s", r.raw)
	}
	_, other := s.newTeam(trawl.Team{Name: "other"})
	s.do(call{path: "/v2/parse/upload-url", key: other, body: `{"filename":"a.pdf"}`}).want(t, http.StatusOK)
	s.clock.advance(24 * time.Hour)
	s.target(`"filename":"a.pdf"`).want(t, http.StatusOK)
}

// What was uploaded goes when it has been parsed or has expired; until then a sweep
// leaves it.
func TestUploadsAreSwept(t *testing.T) {
	t.Parallel()
	s := start(t)
	refs := make([]string, 2)
	for i := range refs {
		r := s.target(`"filename":"a.pdf"`).want(t, http.StatusOK)
		s.send(r.str("data", "uploadUrl"), twoPages).want(t, http.StatusOK)
		refs[i] = r.str("data", "uploadRef")
	}
	sweep := func() int {
		stats, err := s.store.Sweep(t.Context(), s.clock.now(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return stats.Files + stats.Orphans
	}
	if n := sweep(); n != 0 {
		t.Errorf("%d files were removed too early", n)
	}
	s.parseRef(s.key, refs[0], "").want(t, http.StatusOK)
	s.clock.advance(11 * time.Minute)
	if n := sweep(); n != 1 {
		t.Errorf("%d files were removed, want 1", n)
	}
}
