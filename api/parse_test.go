package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
)

// reader reads files of a make of its own: each line after the first is a
// paragraph and each form feed begins a page.
type reader struct{}

func (reader) Read(ctx context.Context, kind document.Kind, body []byte, o document.Options) (*document.Result, error) {
	switch text := string(body); {
	case strings.Contains(text, "secret"):
		return nil, trawl.Errorf(trawl.CodeFileEncrypted, "The file is encrypted.")
	case strings.Contains(text, "broken"):
		return nil, trawl.Errorf(trawl.CodeFileDamaged, "The file is damaged.")
	case strings.Contains(text, "endless"):
		<-ctx.Done()
		return nil, trawl.Wrap(trawl.CodeTimeout, "Too late.", ctx.Err())
	}
	_, rest, _ := strings.Cut(string(body), "\n")
	if o.Attachments {
		rest += "\nwith attachments"
	}
	pages := strings.Split(rest, "\f")
	most, err := o.Admit(len(pages))
	if err != nil {
		return nil, err
	}
	out := &document.Result{
		HTML: []byte(`<html lang="en"><head><title>A file</title><meta name="author" content="Ann">` +
			`<meta name="dcterms.created" content="2020-01-02T00:00:00Z"><meta name="dcterms.modified" content="2021-01-02T00:00:00Z"></head><body>`),
		TotalPages: len(pages),
	}
	if strings.Contains(rest, "partly") {
		out.Warnings = []string{"A page could not be read."}
	}
	for i, text := range pages[:most] {
		page := document.Page{Number: i + 1, Width: 600, Height: 800, Status: "text", From: len(out.HTML)}
		for line := range strings.Lines(text) {
			from := len(out.HTML)
			out.HTML = fmt.Appendf(out.HTML, "<p>%s</p>\n", html.EscapeString(strings.TrimSpace(line)))
			page.Blocks = append(page.Blocks, document.Block{Label: "text", Box: [4]float64{0, 0, 1, .5}, From: from, To: len(out.HTML)})
		}
		page.To = len(out.HTML)
		out.Pages = append(out.Pages, page)
	}
	out.HTML = append(out.HTML, `<footer>The end. <a href="http://a.example/more">more</a></footer></body></html>`...)
	if kind != document.PDF {
		out.Pages, out.TotalPages = nil, 0
	}
	return out, nil
}

// part is a part of a form; with a file name it is a file.
type part struct{ name, file, body string }

// form returns a body and its content type.
func form(parts ...part) (body, contentType string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"`, p.name)}}
		if p.file != "" {
			h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`, p.name, p.file))
		}
		if strings.ContainsFunc(p.file, unicode.IsControl) { // which a header cannot have
			h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename*=utf-8''%s`, p.name, url.PathEscape(p.file)))
		}
		in, _ := w.CreatePart(h)
		_, _ = io.WriteString(in, p.body)
	}
	_ = w.Close()
	return b.String(), w.FormDataContentType()
}

func (s *service) parse(parts ...part) reply {
	s.t.Helper()
	body, contentType := form(parts...)
	return s.do(call{path: "/v2/parse", key: s.key, body: body, header: map[string]string{"Content-Type": contentType}})
}

func options(fields string) part { return part{name: "options", body: "{" + fields + "}"} }

const twoPages = "%PDF-1.7\nfirst page\nsecond line\fother page"

func TestParse(t *testing.T) {
	t.Parallel()
	s := start(t)
	pdf := part{"file", "report.pdf", twoPages}
	r := s.parse(pdf, options(`"formats":["markdown","html","rawHtml","links","images"],"parsers":[{"type":"pdf","pages":true,"blocks":true}]`)).want(t, http.StatusOK)
	if got := r.str("data", "markdown"); got != "first page\n\nsecond line\n\nother page\n\nThe end. [more](http://a.example/more)" {
		t.Errorf("markdown %q", got)
	}
	if !strings.Contains(r.str("data", "html"), "<p>first page</p>") || !strings.HasPrefix(r.str("data", "rawHtml"), `<html lang="en">`) {
		t.Errorf("html: %s", r.raw)
	}
	if got := r.at("data", "links"); !reflect.DeepEqual(got, []any{"http://a.example/more"}) {
		t.Errorf("links %v", got)
	}
	for key, want := range map[string]any{
		"title": "A file", "author": "Ann", "language": "en", "dcTermsCreated": "2020-01-02T00:00:00Z", "modifiedTime": "2021-01-02T00:00:00Z",
		"sourceURL": "report.pdf", "url": "report.pdf", "statusCode": 200.0, "contentType": "application/pdf", "numPages": 2.0, "totalPages": 2.0,
		"creditsUsed": 2.0, "cacheState": nil, "proxyUsed": nil,
	} {
		if got := r.at("data", "metadata", key); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	want := []any{map[string]any{"pageNumber": 1.0, "markdown": "first page\n\nsecond line"}, map[string]any{"pageNumber": 2.0, "markdown": "other page"}}
	if got := r.at("data", "pages"); !reflect.DeepEqual(got, want) {
		t.Errorf("pages %v", got)
	}
	blocks := r.at("data", "blocks").([]any)
	block := blocks[1].(map[string]any)["items"].([]any)[0]
	if !reflect.DeepEqual(block, map[string]any{
		"id": "p2.b0", "type": "text", "label": "text", "bbox": []any{0.0, 0.0, 1.0, 0.5}, "content": "other page", "markdownSpan": []any{25.0, 35.0},
		"readingOrder": 0.0, "source": "text", "confidence": map[string]any{"layout": nil, "ocr": nil},
	}) || len(blocks) != 2 {
		t.Errorf("blocks %v", blocks)
	}
	past := s.get("/v2/scrape/"+r.str("data", "metadata", "scrapeId")).want(t, http.StatusOK)
	if !reflect.DeepEqual(past.at("data"), r.at("data")) {
		t.Errorf("read again: %s", past.raw)
	}
	activity := s.get("/v2/team/activity?endpoint=parse").want(t, http.StatusOK)
	if list := activity.at("data").([]any); len(list) != 1 || list[0].(map[string]any)["target"] != "report.pdf" {
		t.Errorf("activity: %s", activity.raw)
	}
}

// TestParseOptions says what options do to a file.
func TestParseOptions(t *testing.T) {
	t.Parallel()
	s := start(t)
	pdf := part{"file", "a.pdf", twoPages}
	page := part{"file", "a.html", article}
	for _, row := range []struct {
		name    string
		file    part
		options string
		want    string // in the body
		credits float64
	}{
		{"nothing", pdf, ``, `"numPages":2`, 2},
		{"no parsers", pdf, `"parsers":[]`, base64.StdEncoding.EncodeToString([]byte(twoPages)), 1},
		{"fewer pages", pdf, `"parsers":[{"type":"pdf","maxPages":1}]`, `"numPages":1,"totalPages":2`, 1},
		{"marked pages", pdf, `"parsers":[{"type":"pdf","pageMarkers":true}]`, `second line\n\n---\n\n<!-- page 2 -->\n\nother page`, 2},
		{"bytes", pdf, `"formats":["rawBase64"]`, base64.StdEncoding.EncodeToString([]byte(twoPages)), 1},
		{"selected", pdf, `"includeTags":["footer"]`, `"markdown":"The end. [more](http://a.example/more)"`, 2},
		{"zero data retention", pdf, `"zeroDataRetention":true`, `"numPages":2`, 3},
		{"page", page, ``, `# Heading`, 1},
		{"attributes", page, `"formats":[{"type":"attributes","selectors":[{"selector":"main a","attribute":"href"}]}]`, `"attributes":[{"selector":"main a","attribute":"href","values":["next?a=1#part"]}]`, 1},
		{"highlights", page, `"formats":[{"type":"query","prompt":"link","mode":"directQuote"}]`, `"warning":"No language model is configured: the highlights`, 5},
		{"product", page, `"formats":["product"]`, `"warning":"No language model is configured, and the page's own structured data has no product."`, 1},
		{"menu", page, `"formats":["menu"]`, `"warning":"No language model is configured, and the page's own structured data has no menu."`, 1},
		{"without effect", page, `"headers":{"A":"b"},"skipTlsVerification":false,"blockAds":false,"proxy":"basic","maxAge":1,"storeInCache":true,"location":{"country":"DE"},"origin":"x","integration":"y"`, `# Heading`, 1},
		{"ignored", page, `"redactPII":true,"fastMode":true`, `"warning":"These options have no effect on this server: fastMode, redactPII."`, 1},
		{"null", page, `"formats":null,"actions":null`, `# Heading`, 1},
		{"word", part{"file", "a.rtf", "{\\rtf\nsome text"}, `"parsers":[]`, `some text`, 1},
		{"message", part{"file", "a.eml", "From: x@y.test\n\nhello"}, ``, `"contentType":"message/rfc822"`, 1},
		{"attachments", part{"file", "a.eml", "From: x@y.test\n\nhello"}, `"parsers":["pdf",{"type":"email","attachments":true}]`, `with attachments`, 1},
		{"a bare parser", part{"file", "a.eml", "From: x@y.test\n\nhello"}, `"parsers":["email"]`, `hello`, 1},
		{"another name", part{"file", "a.docx", twoPages}, ``, `"contentType":"application/pdf"`, 2},
		{"a warning", part{"file", "a.pdf", twoPages + " partly"}, ``, `"warning":"A page could not be read."`, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := s.in(t).parse(options(row.options), row.file).want(t, http.StatusOK)
			if !strings.Contains(string(r.raw), row.want) || r.at("data", "metadata", "creditsUsed") != row.credits {
				t.Errorf("%s", r.raw)
			}
			if warned := r.str("data", "warning") != ""; warned != strings.Contains(row.want, "warning") {
				t.Errorf("warning %q", r.str("data", "warning"))
			}
		})
	}
	if r := s.parse(page).want(t, http.StatusOK); strings.Contains(r.str("data", "markdown"), "Footer text") {
		t.Errorf("the main content is not found: %s", r.raw)
	}
}

// TestParseRefuses is what uploads can be wrong about.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	file := part{"file", "a.pdf", twoPages}
	type path = []any
	for _, row := range []struct {
		name  string
		parts []part
		code  string
		path  path
		says  string
	}{
		{"nothing", nil, "BAD_REQUEST", nil, ""},
		{"no file", []part{options(``)}, "BAD_REQUEST", path{"file"}, "file"},
		{"empty file", []part{{"file", "a.pdf", ""}}, "BAD_REQUEST", path{"file"}, "empty"},
		{"two files", []part{file, file}, "BAD_REQUEST", path{"file"}, "twice"},
		{"options twice", []part{options(``), file, options(``)}, "BAD_REQUEST", path{"options"}, "twice"},
		{"unknown part", []part{file, {"extra", "", "x"}}, "BAD_REQUEST", path{"extra"}, "extra"},
		{"no JSON", []part{file, {"options", "", "formats"}}, "BAD_REQUEST", path{"options"}, "JSON"},
		{"nothing as JSON", []part{file, {"options", "", ""}}, "BAD_REQUEST", path{"options"}, "JSON"},
		{"no object", []part{file, {"options", "", "[]"}}, "BAD_REQUEST", path{"options"}, "object"},
		{"a text", []part{file, {"options", "", `"markdown"`}}, "BAD_REQUEST", path{"options"}, "object"},
		{"null", []part{file, {"options", "", "null"}}, "BAD_REQUEST", path{"options"}, "object"},
		{"large options", []part{file, options(`"origin":"` + strings.Repeat("x", 1<<20) + `"`)}, "BAD_REQUEST", path{"options"}, "1 MB"},
		{"a key twice", []part{file, options(`"timeout":1000,"timeout":2000`)}, "BAD_REQUEST", path{"options", "timeout"}, "options.timeout: is given twice"},
		{"unknown key", []part{file, options(`"nonsense":1`)}, "BAD_REQUEST", path{"options", "nonsense"}, "Unrecognized key"},
		{"url", []part{file, options(`"url":"http://a.example"`)}, "BAD_REQUEST", path{"options", "url"}, "Unrecognized key"},
		{"wrong type", []part{file, options(`"formats":["markdown",1]`)}, "BAD_REQUEST", path{"options", "formats", 1.0}, "options.formats.1"},
		{"bounds", []part{file, options(`"timeout":999`)}, "BAD_REQUEST", path{"options", "timeout"}, "options.timeout"},
		{"rules", []part{file, options(`"formats":["nonsense"]`)}, "BAD_REQUEST", path{"options", "formats", 0.0}, "options.formats.0: unknown format"},
		{"option of another parser", []part{file, options(`"parsers":[{"type":"pdf","attachments":true}]`)}, "BAD_REQUEST", path{"options", "parsers", 0.0, "attachments"}, "Unrecognized key"},
		{"option of another type", []part{file, options(`"parsers":[{"type":"email","attachments":1}]`)}, "BAD_REQUEST", path{"options", "parsers", 0.0, "attachments"}, "options.parsers.0.attachments"},
		{"unknown parser", []part{file, options(`"parsers":["nonsense"]`)}, "BAD_REQUEST", path{"options", "parsers", 0.0}, "unknown parser"},
		{"selectors", []part{file, options(`"includeTags":["a[["]`)}, "BAD_REQUEST", path{"options", "includeTags", 0.0}, "selector"},
		{"attributes", []part{file, options(`"formats":[{"type":"attributes","selectors":[{"selector":"a[[","attribute":"x"}]}]`)}, "BAD_REQUEST", path{"options", "formats", 0.0, "selectors", 0.0, "selector"}, "selector"},
		{"actions", []part{file, options(`"actions":[{"type":"scrape"}]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "actions"}, "do not support actions"},
		{"screenshot", []part{file, options(`"formats":["markdown","screenshot"]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "formats", 1.0}, "screenshot"},
		{"branding", []part{file, options(`"formats":["branding"]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "formats", 0.0}, "branding"},
		{"change tracking", []part{file, options(`"formats":["markdown","changeTracking"]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "formats", 1.0}, "do not support change tracking"},
		{"change tracking alone", []part{file, options(`"formats":["changeTracking"]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "formats", 0.0}, "do not support change tracking"},
		{"audio", []part{file, options(`"formats":["audio"]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "formats", 0.0}, "audio"},
		{"video", []part{file, options(`"formats":["video"]`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "formats", 0.0}, "video"},
		{"waitFor", []part{file, options(`"waitFor":1`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "waitFor"}, "waitFor"},
		{"mobile", []part{file, options(`"mobile":true`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "mobile"}, "mobile"},
		{"minAge", []part{file, options(`"minAge":1`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "minAge"}, "minAge"},
		{"lockdown", []part{file, options(`"lockdown":true`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "lockdown"}, "lockdown"},
		{"profile", []part{file, options(`"profile":{"name":"a"}`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "profile"}, "profile"},
		{"proxy", []part{file, options(`"proxy":"enhanced"`)}, "PARSE_UNSUPPORTED_OPTIONS", path{"options", "proxy"}, "enhanced"},
		{"no picture", []part{{"file", "a.png", "not a picture"}}, "UNSUPPORTED_FILE_TYPE", nil, "Unsupported upload type."},
		{"unread picture", []part{{"file", "a.png", "\x89PNG\r\n\x1a\n\x00\x00"}, {"options", "", `{"parsers":["pdf"]}`}}, "PARSE_UNSUPPORTED_OPTIONS", nil, "parser image"},
		{"encrypted", []part{{"file", "a.pdf", twoPages + "secret"}}, "FILE_ENCRYPTED", nil, "encrypted"},
		{"damaged", []part{{"file", "a.pdf", twoPages + "broken"}}, "FILE_DAMAGED", nil, "damaged"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := s.in(t).parse(row.parts...).want(t, http.StatusBadRequest)
			if r.str("code") != row.code || !strings.Contains(r.str("error"), row.says) {
				t.Errorf("%s", r.raw)
			}
			if row.path != nil && !reflect.DeepEqual(r.at("details").([]any)[0].(map[string]any)["path"], row.path) {
				t.Errorf("path: %s", r.raw)
			}
		})
	}
	if used := s.get("/v2/team/activity").want(t, http.StatusOK).at("data").([]any); len(used) != 0 {
		t.Errorf("failures are recorded: %v", used)
	}
}

func TestParseForm(t *testing.T) {
	t.Parallel()
	s := start(t)
	whole, contentType := form(part{"file", "a.pdf", twoPages})
	for _, row := range []struct {
		name, body, contentType string
		status                  int
	}{
		{"JSON", `{"url":"http://a.example"}`, "application/json", http.StatusBadRequest},
		{"no type", whole, "", http.StatusUnsupportedMediaType},
		{"another form", "file=x", "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType},
		{"no boundary", whole, "multipart/form-data", http.StatusUnsupportedMediaType},
		{"another boundary", whole, "multipart/form-data; boundary=other", http.StatusBadRequest},
		{"cut off", whole[:len(whole)-40], contentType, http.StatusBadRequest},
		{"no form", "nothing of the kind", contentType, http.StatusBadRequest},
		{"control characters", strings.Replace(whole, "a.pdf", "a\x00\x01.pdf", 1), contentType, http.StatusBadRequest},
	} {
		r := s.do(call{path: "/v2/parse", key: s.key, body: row.body, header: map[string]string{"Content-Type": row.contentType}})
		if r.status != row.status || r.json["success"] != false {
			t.Errorf("%s: %d %s", row.name, r.status, r.raw)
		}
	}
	for name, key := range map[string]string{"no key": "", "wrong key": "fc-wrong"} {
		r := s.do(call{path: "/v2/parse", key: key, body: whole, header: map[string]string{"Content-Type": contentType}})
		if r.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, r.status)
		}
	}
}

// TestParseFileNames says what becomes of the names of files.
func TestParseFileNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	long := strings.Repeat("ü", 200)
	for given, want := range map[string]string{
		"report.pdf":               "report.pdf",
		"../../etc/passwd.pdf":     "passwd.pdf",
		`C:\\Users\\ann\\cv.pdf`:   "cv.pdf",
		"/tmp/":                    "file",
		"..":                       "file",
		"a\x01b\x7fc\t.pdf":        "abc.pdf",
		"r\u202efdp.exe":           "rfdp.exe",
		"Größe – Übersicht.pdf":    "Größe – Übersicht.pdf",
		long + ".pdf":              long[:250] + ".pdf",
		"who@example.com/café.pdf": "café.pdf",
	} {
		r := s.parse(part{"file", given, twoPages}).want(t, http.StatusOK)
		if got := r.str("data", "metadata", "sourceURL"); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

// TestParseEncoding: an HTML file that does not say how it is encoded is in what its
// part of the form says.
func TestParseEncoding(t *testing.T) {
	t.Parallel()
	s := start(t)
	for body, want := range map[string]string{"<p>caf\xe9</p>": "café", "<meta charset=windows-1252><p>\x80</p>": "€"} {
		whole, contentType := form(part{"file", "a.html", body})
		whole = strings.Replace(whole, "\r\n\r\n", "\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n", 1)
		r := s.do(call{path: "/v2/parse", key: s.key, body: whole, header: map[string]string{"Content-Type": contentType}}).want(t, http.StatusOK)
		if got := r.str("data", "markdown"); got != want {
			t.Errorf("%q becomes %q, want %q", body, got, want)
		}
	}
}

// endless is a body that fills up a form's file, and counts what was read of it.
type endless struct {
	head string
	left int64
	read atomic.Int64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.head != "" {
		n := copy(b, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(b)), e.left))
	clear(b[:n])
	e.left -= int64(n)
	e.read.Add(int64(n))
	return n, nil
}

// TestParseTooLarge uploads 51 MB, and far more, announced and not.
func TestParseTooLarge(t *testing.T) {
	t.Parallel()
	s := start(t)
	whole, contentType := form(part{"file", "a.pdf", "%PDF-"})
	head, _, _ := strings.Cut(whole, "%PDF-")
	for _, row := range []struct {
		size      int64
		announced bool
	}{{51 << 20, true}, {10 << 30, true}, {10 << 30, false}} {
		size, announced := row.size, row.announced
		body := &endless{head: head + "%PDF-1.7\n", left: size}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+"/v2/parse", io.NopCloser(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.key)
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Expect", "100-continue")
		if announced {
			req.ContentLength = size + int64(len(head)) + 9
		}
		client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
		resp, err := client.Do(req)
		if err != nil && announced { // else the connection may break before the answer is seen
			t.Fatal(err)
		}
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%d bytes, announced %v: status %d", size, announced, resp.StatusCode)
			}
		}
		client.CloseIdleConnections()
		if sent := body.read.Load(); sent > 60<<20 || announced && sent > 0 {
			t.Errorf("%d bytes, announced %v: %d were sent", size, announced, sent)
		}
	}
}

// TestParseLarge uploads a file of just the size that is allowed.
func TestParseLarge(t *testing.T) {
	t.Parallel()
	s := start(t)
	text := "%PDF-1.7\n"
	s.parse(part{"file", "a.pdf", text + strings.Repeat(" ", trawl.MaxUpload-len(text))}).want(t, http.StatusOK)
}

// TestParseStalled has more large uploads under way than there is room for, none
// of which goes on: smaller ones are not held up, nor are large ones of another
// team, and those of the same are let in as others go away.
func TestParseStalled(t *testing.T) {
	t.Parallel()
	s := start(t)
	whole, contentType := form(part{"file", "a.pdf", "%PDF-1.7\n" + strings.Repeat(" ", 3<<20)})
	half := len(whole) / 2
	var stalled []*io.PipeWriter
	var sending sync.WaitGroup
	ended := make(chan struct{})
	for range 6 {
		body, feed := io.Pipe()
		stalled = append(stalled, feed)
		go func() {
			defer func() { ended <- struct{}{} }()
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+"/v2/parse", body)
			req.Header.Set("Authorization", "Bearer "+s.key)
			req.Header.Set("Content-Type", contentType)
			if resp, err := s.server.Client().Do(req); err == nil {
				_ = resp.Body.Close()
			}
		}()
		sending.Go(func() { _, _ = io.WriteString(feed, whole[:half]) })
	}
	sending.Wait()
	s.parse(part{"file", "a.pdf", twoPages}).want(t, http.StatusOK)
	large := call{path: "/v2/parse", body: whole, header: map[string]string{"Content-Type": contentType}}
	_, large.key = s.newTeam(trawl.Team{Name: "other"})
	s.do(large).want(t, http.StatusOK)
	for _, feed := range stalled {
		_ = feed.CloseWithError(io.ErrUnexpectedEOF)
	}
	for range stalled {
		<-ended
	}
	large.key = s.key
	s.do(large).want(t, http.StatusOK)
}

func TestParseCredits(t *testing.T) {
	t.Parallel()
	s := start(t)
	two, none := int64(2), int64(0)
	_, s.key = s.newTeam(trawl.Team{Name: "two", Credits: &two})
	many := part{"file", "a.pdf", "%PDF-1.7\n" + strings.Repeat("page\f", 4)}
	s.parse(many).want(t, http.StatusPaymentRequired)
	s.parse(many, options(`"parsers":[{"type":"pdf","maxPages":2}]`)).want(t, http.StatusOK)
	s.parse(many, options(`"parsers":[{"type":"pdf","maxPages":1}]`)).want(t, http.StatusPaymentRequired)
	_, s.key = s.newTeam(trawl.Team{Name: "none", Credits: &none})
	s.parse(many).want(t, http.StatusPaymentRequired)
}

// TestParseManyMistakes sends options of nothing but unknown names: they cost no
// more than reading them, and only the first are listed.
func TestParseManyMistakes(t *testing.T) {
	t.Parallel()
	s := start(t)
	var names strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&names, `,"name%d":1`, i)
	}
	r := s.parse(part{"file", "a.pdf", twoPages}, options(names.String()[1:])).want(t, http.StatusBadRequest)
	if list, _ := r.at("details").([]any); len(list) == 0 || len(list) > 100 {
		t.Errorf("%d mistakes are listed", len(list))
	}
}

func TestParseTimeout(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.parse(part{"file", "a.pdf", twoPages + "endless"}, options(`"timeout":1000`)).want(t, http.StatusRequestTimeout)
	if r.str("code") != "SCRAPE_TIMEOUT" {
		t.Errorf("%s", r.raw)
	}
}

func TestParseWithoutRetention(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.parse(part{"file", "confidential.pdf", twoPages}, options(`"zeroDataRetention":true`)).want(t, http.StatusOK)
	s.get("/v2/scrape/"+r.str("data", "metadata", "scrapeId")).want(t, http.StatusNotFound)
	s.rest()
	if strings.Contains(s.log.String(), "confidential") {
		t.Error("the log has the name of the file")
	}
	_, s.key = s.newTeam(trawl.Team{Name: "other"})
	s.parse(part{"file", "a.pdf", twoPages}, options(`"zeroDataRetention":true`)).want(t, http.StatusForbidden)
}

func TestParseFormats(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.get("/v2/parse/formats").want(t, http.StatusOK)
	for _, extension := range []string{".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".xlsx", ".xls"} {
		if !strings.Contains(string(r.raw), `"`+extension+`"`) {
			t.Errorf("%s is missing: %s", extension, r.raw)
		}
	}
	for _, format := range r.at("data", "formats").([]any) { // what clients read of each
		f := format.(map[string]any)
		if f["format"] == "" || f["kind"] != "document" || f["available"] != true || len(f["extensions"].([]any)) == 0 || len(f["mimeTypes"].([]any)) == 0 {
			t.Errorf("format: %v", f)
		}
	}
	document := s.get("/openapi.json").want(t, http.StatusOK)
	schema := document.at("components", "schemas", "ParseRequest", "properties").(map[string]any)
	if schema["parsers"] == nil || schema["actions"] != nil {
		t.Errorf("options: %v", schema)
	}
	if document.at("paths", "/v2/parse", "post", "requestBody", "content", "multipart/form-data", "schema", "properties", "file") == nil {
		t.Error("the document does not show the form")
	}
	if page := s.get("/docs"); page.status != http.StatusOK || !strings.Contains(string(page.raw), "-F file=@") {
		t.Errorf("the page at /docs: %d", page.status)
	}
}

// TestScrapeFiles says what becomes of addresses that serve documents.
func TestScrapeFiles(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/a.pdf", "application/pdf", twoPages)
	s.site.page("/typeless", "application/octet-stream", twoPages)
	s.site.page("/wrong", "text/html", twoPages)
	s.site.page("/a.rtf", "text/plain", "{\\rtf\nsome text")
	s.site.page("/locked.pdf", "application/pdf", twoPages+"secret")
	s.site.page("/broken.pdf", "application/pdf", twoPages+"broken")
	s.site.mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/force-download")
		w.Header().Set("Content-Disposition", `attachment; filename="a.bin"`)
		_, _ = io.WriteString(w, twoPages)
	})
	for _, row := range []struct {
		page, fields string
		status       int
		want         string
	}{
		{"/a.pdf", ``, 200, `"numPages":2,"totalPages":2`},
		{"/a.pdf", `"parsers":[{"type":"pdf","maxPages":1,"pages":true}]`, 200, `"pages":[{"pageNumber":1,"markdown":"first page\n\nsecond line"}]`},
		{"/a.pdf", `"parsers":[]`, 200, "JVBER"},
		{"/a.pdf", `"formats":["rawBase64"]`, 200, "JVBER"},
		{"/typeless", ``, 200, `"creditsUsed":2`},
		{"/wrong", ``, 200, "first page"},
		{"/download", ``, 200, "first page"},
		{"/a.rtf", ``, 200, `"markdown":"some text`},
		{"/locked.pdf", ``, 500, `"SCRAPE_UNSUPPORTED_FILE_ERROR"`},
		{"/locked.pdf", `"parsers":[]`, 200, "JVBER"},
		{"/broken.pdf", ``, 500, "The file is damaged."},
	} {
		fields := []string{`"origin":"test"`}
		if row.fields != "" {
			fields = append(fields, row.fields)
		}
		r := s.scrape(row.page, fields...)
		if r.want(t, row.status); !strings.Contains(string(r.raw), row.want) {
			t.Errorf("%s %s: %s", row.page, row.fields, r.raw)
		}
	}
	if n := s.site.count("/a.pdf"); n != 1 {
		t.Errorf("the file was fetched %d times", n)
	}
}
