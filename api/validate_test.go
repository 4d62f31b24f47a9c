package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// repeat joins n copies of an array element.
func repeat(element string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

// TestScrapeFields holds every field of the scrape options against its type,
// bounds and values: accepted ones get past validation, refused ones are a 400
// that names the path.
func TestScrapeFields(t *testing.T) {
	t.Parallel()
	s := start(t)
	type path = []any
	for _, row := range []struct {
		field  string
		accept []string // values
		refuse map[string]path
	}{
		{"formats", []string{
			`[]`, `["markdown"]`, `["markdown","html","rawHtml","links","images"]`, `[{"type":"markdown"}]`, `["rawBase64"]`, `["summary"]`,
			`["screenshot"]`, `["screenshot@fullPage"]`, `["branding"]`, `["json"]`, `["product"]`, `["menu"]`, `["audio"]`, `["video"]`,
			`[{"type":"screenshot","fullPage":true,"quality":1,"viewport":{"width":1,"height":1}}]`,
			`[{"type":"screenshot","quality":100,"viewport":{"width":7680,"height":4320}}]`,
			`[{"type":"json","prompt":"p","schema":{"type":"object","properties":{"a":{"type":"string"}}}}]`,
			`["markdown",{"type":"changeTracking","modes":["git-diff","json"],"tag":null}]`,
			`[{"type":"attributes","selectors":[{"selector":"a","attribute":"href"}]}]`,
			`[{"type":"question","question":"q"}]`, `[{"type":"highlights","query":"q"}]`, `[{"type":"query","prompt":"q","mode":"directQuote"}]`,
			`[{"type":"deterministicJson","prompt":"p"}]`, `["markdown",{"type":"changeTracking"}]`, `["markdown","changeTracking"]`,
			`["markdown",{"type":"changeTracking","modes":[],"tag":"","schema":null,"prompt":null}]`,
			fmt.Sprintf(`["markdown",{"type":"changeTracking","tag":"%s"}]`, strings.Repeat("ü", 1000)),
			`[{"type":"question","question":"a"},{"type":"highlights","query":"b"}]`,
			`[{"type":"question","question":"a"},{"type":"query","prompt":"b","mode":"directQuote"}]`,
			`[{"type":"attributes","selectors":[{"selector":"a","attribute":"href"}]},{"type":"attributes","selectors":[{"selector":"b","attribute":"id"}]}]`,
		}, map[string]path{
			`"markdown"`:                           {"formats"},
			`{}`:                                   {"formats"},
			`[1]`:                                  {"formats", 0},
			`[{"type":null,"quality":50}]`:         {"formats", 0},
			`[null]`:                               {"formats", 0},
			`["nonsense"]`:                         {"formats", 0},
			`["markdown",{"type":"nonsense"}]`:     {"formats", 1, "type"},
			`[{"type":1}]`:                         {"formats", 0, "type"},
			`[{"quality":1}]`:                      {"formats", 0, "type"},
			`["screenshot","screenshot"]`:          {"formats"},
			`["branding","branding"]`:              {"formats"},
			`["changeTracking"]`:                   {"formats"},
			`["rawBase64","markdown"]`:             {"formats"},
			`["attributes"]`:                       {"formats", 0},
			`["json","deterministicJson"]`:         {"formats"},
			`[{"type":"markdown","x":1}]`:          {"formats", 0, "x"},
			`[{"type":"json","systemPrompt":"x"}]`: {"formats", 0, "systemPrompt"},
			`[{"type":"json","schema":"x"}]`:       {"formats", 0, "schema"},
			`[{"type":"json","schema":{"type":"object","additionalProperties":true}}]`:                       {"formats", 0, "schema"},
			fmt.Sprintf(`[{"type":"json","prompt":"%s"}]`, strings.Repeat("x", 10_001)):                      {"formats", 0, "prompt"},
			`[{"type":"screenshot","quality":0}]`:                                                            {"formats", 0, "quality"},
			`[{"type":"screenshot","quality":101}]`:                                                          {"formats", 0, "quality"},
			`[{"type":"screenshot","quality":50.5}]`:                                                         {"formats", 0, "quality"},
			`[{"type":"screenshot","fullPage":"yes"}]`:                                                       {"formats", 0, "fullPage"},
			`[{"type":"screenshot","viewport":{"width":0,"height":1}}]`:                                      {"formats", 0, "viewport", "width"},
			`[{"type":"screenshot","viewport":{"width":7681,"height":1}}]`:                                   {"formats", 0, "viewport", "width"},
			`[{"type":"screenshot","viewport":{"width":1,"height":4321}}]`:                                   {"formats", 0, "viewport", "height"},
			`[{"type":"screenshot","viewport":{"width":1}}]`:                                                 {"formats", 0, "viewport", "height"},
			`["markdown",{"type":"changeTracking","modes":["x"]}]`:                                           {"formats", 1, "modes", 0},
			`[{"type":"attributes","selectors":[]}]`:                                                         {"formats", 0, "selectors"},
			`[{"type":"attributes"}]`:                                                                        {"formats", 0, "selectors"},
			`[{"type":"attributes","selectors":[{"selector":"a[[","attribute":"x"}]}]`:                       {"formats", 0, "selectors", 0, "selector"},
			`["markdown",{"type":"changeTracking","modes":"git-diff"}]`:                                      {"formats", 1, "modes"},
			`["markdown",{"type":"changeTracking","tag":1}]`:                                                 {"formats", 1, "tag"},
			`["markdown",{"type":"changeTracking","schema":"x"}]`:                                            {"formats", 1, "schema"},
			`["markdown",{"type":"changeTracking","question":"x"}]`:                                          {"formats", 1, "question"},
			`["markdown","changeTracking","changeTracking"]`:                                                 {"formats"},
			fmt.Sprintf(`["markdown",{"type":"changeTracking","tag":"%s"}]`, strings.Repeat("x", 1001)):      {"formats", 1, "tag"},
			fmt.Sprintf(`["markdown",{"type":"changeTracking","tag":"%s"}]`, strings.Repeat("x", 10_000)):    {"formats", 1, "tag"},
			fmt.Sprintf(`["markdown",{"type":"changeTracking","prompt":"%s"}]`, strings.Repeat("x", 10_001)): {"formats", 1, "prompt"},
			`["question"]`: {"formats", 0}, `["highlights"]`: {"formats", 0}, `["query"]`: {"formats", 0},
			`[{"type":"question"}]`: {"formats", 0, "question"}, `[{"type":"highlights"}]`: {"formats", 0, "query"}, `[{"type":"query"}]`: {"formats", 0, "prompt"},
			`[{"type":"question","question":" "}]`: {"formats", 0, "question"}, `[{"type":"highlights","query":"\n"}]`: {"formats", 0, "query"},
			`[{"type":"query","prompt":" "}]`:                                                         {"formats", 0, "prompt"},
			fmt.Sprintf(`[{"type":"question","question":"%s"}]`, strings.Repeat("x", 10_001)):         {"formats", 0, "question"},
			fmt.Sprintf(`[{"type":"highlights","query":"%s"}]`, strings.Repeat("x", 10_001)):          {"formats", 0, "query"},
			`[{"type":"question","question":"a"},{"type":"question","question":"b"}]`:                 {"formats"},
			`[{"type":"highlights","query":"a"},{"type":"highlights","query":"b"}]`:                   {"formats"},
			`[{"type":"question","question":"a"},{"type":"query","prompt":"b"}]`:                      {"formats"},
			`[{"type":"branding","x":1}]`:                                                             {"formats", 0, "x"},
			`[{"type":"attributes","selectors":[{"selector":"","attribute":"x"}]}]`:                   {"formats", 0, "selectors", 0, "selector"},
			`[{"type":"attributes","selectors":[{"selector":"a","attribute":"x"},{"selector":"a"}]}]`: {"formats", 0, "selectors", 1, "attribute"},
			`[{"type":"attributes","selectors":[{"selector":"a","attribute":""}]}]`:                   {"formats", 0, "selectors", 0, "attribute"},
			`[{"type":"question","question":""}]`:                                                     {"formats", 0, "question"},
			`[{"type":"query","prompt":"q","mode":"x"}]`:                                              {"formats", 0, "mode"},
		}},
		{"onlyMainContent", []string{`true`, `false`}, map[string]path{`"true"`: {"onlyMainContent"}, `1`: {"onlyMainContent"}}},
		{"includeTags", []string{`[]`, `["main",".note","#id"]`}, map[string]path{
			`"main"`: {"includeTags"}, `[1]`: {"includeTags", 0}, `["main"," "]`: {"includeTags", 1}, `["main","a[["]`: {"includeTags", 1}}},
		{"excludeTags", []string{`[]`, `[".note"]`}, map[string]path{
			`{}`: {"excludeTags"}, `[true]`: {"excludeTags", 0}, `["::::"]`: {"excludeTags", 0}}},
		{"maxAge", []string{`0`, `1`, `172800000`, `1e3`, `1000.0`}, map[string]path{
			`-1`: {"maxAge"}, `1.5`: {"maxAge"}, `"1"`: {"maxAge"}, `1e30`: {"maxAge"}, `1e400`: {"maxAge"}, `true`: {"maxAge"}}},
		{"minAge", []string{`0`, `1`, `172800000`}, map[string]path{`-1`: {"minAge"}, `0.5`: {"minAge"}, `"1"`: {"minAge"}}},
		{"headers", []string{`{}`, `{"X-Test":"1","Cookie":"a=b"}`}, map[string]path{
			`[]`: {"headers"}, `{"X":1}`: {"headers", "X"}, `{"a.b[0]":1}`: {"headers", "a.b[0]"}, `{"0":1}`: {"headers", "0"}, `{"a b":"c"}`: {"headers", "a b"}, `{"X":"a\r\nB: c"}`: {"headers", "X"},
			`{"Host":"x"}`: {"headers", "Host"}, `{"a":"1","A":"2"}`: {"headers", "A"}, `{"connection":"close"}`: {"headers", "connection"}}},
		{"waitFor", []string{`0`, `15000`}, map[string]path{
			`-1`: {"waitFor"}, `15001`: {"waitFor"}, `60001`: {"waitFor"}, `1.5`: {"waitFor"}, `"1"`: {"waitFor"}}},
		{"mobile", []string{`true`, `false`}, map[string]path{`"no"`: {"mobile"}}},
		{"skipTlsVerification", []string{`true`, `false`}, map[string]path{`0`: {"skipTlsVerification"}}},
		{"timeout", []string{`1000`, `30000`, `300000`}, map[string]path{
			`999`: {"timeout"}, `300001`: {"timeout"}, `0`: {"timeout"}, `-1`: {"timeout"}, `1000.5`: {"timeout"}, `"30000"`: {"timeout"},
			`99999999999999999999`: {"timeout"}, `[]`: {"timeout"}}},
		{"parsers", []string{
			`[]`, `["pdf"]`, `["pdf","image"]`, `[{"type":"image"}]`, `[{"type":"pdf","mode":"fast","maxPages":1}]`,
			`[{"type":"pdf","mode":"ocr","maxPages":10000,"pages":true,"blocks":true,"pageMarkers":true}]`,
		}, map[string]path{
			`"pdf"`: {"parsers"}, `["doc"]`: {"parsers", 0}, `[1]`: {"parsers", 0}, `[{"type":"doc"}]`: {"parsers", 0, "type"},
			`[{"type":"pdf","maxPages":0}]`: {"parsers", 0, "maxPages"}, `[{"type":"pdf","maxPages":10001}]`: {"parsers", 0, "maxPages"},
			`[{"type":"pdf","mode":"slow"}]`: {"parsers", 0, "mode"}, `[{"type":"image","mode":"fast"}]`: {"parsers", 0, "mode"}}},
		{"actions", []string{
			`[]`, `[{"type":"wait","milliseconds":1}]`, `[{"type":"wait","milliseconds":60000}]`, `[{"type":"wait","selector":"a"}]`,
			`[{"type":"click","selector":"a","all":true}]`, `[{"type":"write","text":"x"}]`, `[{"type":"press","key":"Enter"}]`,
			`[{"type":"scroll"}]`, `[{"type":"scroll","direction":"up","selector":"a"}]`, `[{"type":"screenshot","fullPage":true,"quality":100}]`,
			`[{"type":"scrape"}]`, `[{"type":"executeJavascript","script":"1"}]`, `[{"type":"pdf","format":"A4","landscape":true,"scale":1.5}]`,
			`[{"type":"generatePDF"}]`, repeat(`{"type":"scrape"}`, 50),
		}, map[string]path{
			`{}`: {"actions"}, `["click"]`: {"actions", 0}, `[{"type":"jump"}]`: {"actions", 0, "type"}, `[{}]`: {"actions", 0, "type"}, `[{"type":1}]`: {"actions", 0, "type"},
			`[{"type":"wait"}]`: {"actions", 0}, `[{"type":"wait","milliseconds":1,"selector":"a"}]`: {"actions", 0},
			`[{"type":"wait","milliseconds":0}]`: {"actions", 0, "milliseconds"}, `[{"type":"wait","milliseconds":1.5}]`: {"actions", 0, "milliseconds"},
			`[{"type":"wait","milliseconds":60001}]`: {"actions"}, `[{"type":"wait","milliseconds":99999999999999999999}]`: {"actions", 0, "milliseconds"}, repeat(`{"type":"wait","milliseconds":30001}`, 2): {"actions"},
			`[{"type":"click"}]`: {"actions", 0, "selector"}, `[{"type":"click","selector":""}]`: {"actions", 0, "selector"},
			`[{"type":"write"}]`: {"actions", 0, "text"}, `[{"type":"press"}]`: {"actions", 0, "key"},
			`[{"type":"scroll","direction":"left"}]`: {"actions", 0, "direction"}, `[{"type":"executeJavascript"}]`: {"actions", 0, "script"},
			`[{"type":"screenshot","quality":101}]`: {"actions", 0, "quality"}, `[{"type":"pdf","format":"B5"}]`: {"actions", 0, "format"},
			`[{"type":"pdf","scale":9}]`: {"actions", 0, "scale"}, `[{"type":"scrape","x":1}]`: {"actions", 0, "x"},
			repeat(`{"type":"scrape"}`, 51): {"actions"}}},
		{"location", []string{`{}`, `{"country":"de"}`, `{"country":"US","languages":["en-US","fr"]}`, `{"country":"us-generic"}`, `{"languages":[]}`}, map[string]path{
			`"US"`: {"location"}, `{"country":"XX"}`: {"location", "country"}, `{"country":"Germany"}`: {"location", "country"},
			`{"country":1}`: {"location", "country"}, `{"languages":"en"}`: {"location", "languages"},
			`{"languages":["!"]}`: {"location", "languages", 0}, `{"languages":["en","de_DE"]}`: {"location", "languages", 1}, `{"city":"x"}`: {"location", "city"}}},
		{"removeBase64Images", []string{`true`, `false`}, map[string]path{`"x"`: {"removeBase64Images"}}},
		{"blockAds", []string{`true`, `false`}, map[string]path{`[]`: {"blockAds"}}},
		{"fastMode", []string{`true`, `false`}, map[string]path{`1`: {"fastMode"}}},
		{"proxy", []string{`"basic"`, `"enhanced"`, `"stealth"`, `"auto"`}, map[string]path{`"fast"`: {"proxy"}, `""`: {"proxy"}, `1`: {"proxy"}, `"Basic"`: {"proxy"}}},
		{"storeInCache", []string{`true`, `false`}, map[string]path{`"x"`: {"storeInCache"}}},
		{"zeroDataRetention", []string{`true`, `false`}, map[string]path{`"x"`: {"zeroDataRetention"}}},
		{"lockdown", []string{`true`, `false`}, map[string]path{`0`: {"lockdown"}}},
		{"profile", []string{`{"name":"a"}`, `{"name":"` + strings.Repeat("a", 128) + `","saveChanges":false}`}, map[string]path{
			`{}`: {"profile", "name"}, `{"name":""}`: {"profile", "name"}, `{"name":"` + strings.Repeat("a", 129) + `"}`: {"profile", "name"},
			`{"name":"a","saveChanges":"x"}`: {"profile", "saveChanges"}, `"a"`: {"profile"}}},
		{"origin", []string{`"api"`, `"js-sdk@4.42.0"`}, map[string]path{`1`: {"origin"}}},
		{"integration", []string{`"cli"`, `"_mine"`, `"anything"`}, map[string]path{`{}`: {"integration"}}},
		{"redactPII", []string{`true`, `{"mode":"fast"}`}, nil},
		{"useMock", []string{`"x"`}, nil},
	} {
		for _, value := range row.accept {
			r := s.scrape("/", fmt.Sprintf("%q:%s", row.field, value))
			if r.str("code") == "BAD_REQUEST" || r.status == http.StatusInternalServerError && r.str("code") == "UNKNOWN_ERROR" {
				t.Errorf("%s: %.200s is refused: %.300s", row.field, value, r.raw)
			}
		}
		if r := s.scrape("/", fmt.Sprintf("%q:null", row.field)); r.status != http.StatusOK {
			t.Errorf("%s: null is refused: %.300s", row.field, r.raw)
		}
		for value, want := range row.refuse {
			r := s.scrape("/", fmt.Sprintf("%q:%s", row.field, value))
			if r.status != http.StatusBadRequest || r.str("code") != "BAD_REQUEST" {
				t.Errorf("%s: %.200s gives %d %s", row.field, value, r.status, r.str("code"))
				continue
			}
			if got := firstPath(t, r); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %.200s blames %v, want %v (%s)", row.field, value, got, want, r.str("error"))
			}
			if r.str("error") == "" {
				t.Errorf("%s: %.200s has no message", row.field, value)
			}
		}
	}
}

// firstPath returns the path of the first issue, with whole numbers as ints.
func firstPath(t *testing.T, r reply) []any {
	t.Helper()
	var body struct {
		Details []struct{ Path []any }
	}
	if err := json.Unmarshal(r.raw, &body); err != nil || len(body.Details) == 0 {
		t.Errorf("no details in %.300s", r.raw)
		return nil
	}
	path := body.Details[0].Path
	for i, element := range path {
		if number, ok := element.(float64); ok {
			path[i] = int(number)
		}
	}
	return path
}

// TestUnknownKeys names keys that look like paths.
func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, key := range []string{"colour", "a.b", "foo.bar[3]", "url.x", "0", "ключ", " "} {
		r := s.scrape("/", fmt.Sprintf("%q:1", key)).want(t, http.StatusBadRequest)
		if path := firstPath(t, r); !reflect.DeepEqual(path, []any{key}) || !strings.HasSuffix(r.str("error"), key) {
			t.Errorf("%q: %v %s", key, path, r.str("error"))
		}
	}
}

// TestScrapeURL says which addresses are taken and how the others are refused.
func TestScrapeURL(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, url := range []string{s.site.URL, strings.TrimPrefix(s.site.URL, "http://"), " " + s.site.URL + "/ ", s.site.URL + "/#top"} {
		body, _ := json.Marshal(map[string]string{"url": url})
		r := s.do(call{key: s.key, body: string(body)})
		if r.status != http.StatusOK || r.str("data", "metadata", "sourceURL") != url {
			t.Errorf("%q: %d %.300s", url, r.status, r.raw)
		}
	}
	for url, message := range map[string]string{
		``: "url", ` `: "Invalid URL", `ftp://example.com/`: "URL uses unsupported protocol", `file:///etc/passwd`: "unsupported protocol",
		`javascript:alert(1)`: "unsupported protocol", `mailto:a@example.com`: "unsupported protocol", `http://`: "Invalid URL",
		`http://nodots/`: "top-level domain", `http://exa mple.com`: "Invalid URL", `http://[::1`: "Invalid URL", `http://a.b:99999/`: "Invalid URL",
		`example`: "top-level domain", `https://` + strings.Repeat("a", 17_000): "url",
	} {
		body, _ := json.Marshal(map[string]string{"url": url})
		r := s.do(call{key: s.key, body: string(body)})
		if r.status != http.StatusBadRequest || r.str("code") != "BAD_REQUEST" || !strings.Contains(r.str("error"), message) {
			t.Errorf("%.60q: %d %.300s", url, r.status, r.raw)
		}
		if path := firstPath(t, r); !reflect.DeepEqual(path, []any{"url"}) {
			t.Errorf("%.60q blames %v", url, path)
		}
	}
}

// TestBodies sends what is not a request at all.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, row := range []struct {
		name, body, code, message string
		status                    int
	}{
		{"nothing", ``, "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"cut off", `{"url":`, "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"two values", `{} {}`, "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"comment", `{} // x`, "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"invalid UTF-8", "{\"url\":\"\xff\xfe\"}", "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"lone surrogate", `{"url":"\ud800"}`, "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"deep", strings.Repeat("[", 100_000), "BAD_REQUEST_INVALID_JSON", "malformed JSON", 400},
		{"array", `[]`, "BAD_REQUEST", "expected object", 400},
		{"null", `null`, "BAD_REQUEST", "expected object", 400},
		{"string", `"url"`, "BAD_REQUEST", "expected object", 400},
		{"no url", `{}`, "BAD_REQUEST", "url", 400},
		{"null url", `{"url":null}`, "BAD_REQUEST", "url", 400},
		{"number as url", `{"url":1}`, "BAD_REQUEST", "url", 400},
		{"key twice", `{"url":"a.b","url":"c.d"}`, "BAD_REQUEST", "url", 400},
		{"nested key twice", `{"url":"a.b","location":{"country":"US","country":"DE"}}`, "BAD_REQUEST", "location.country", 400},
		{"unknown key", `{"url":"a.b","colour":1}`, "BAD_REQUEST", "Unrecognized key in body -- please review the v2 API documentation for request body changes", 400},
		{"unknown key is named", `{"url":"a.b","colour":1}`, "BAD_REQUEST", "colour", 400},
		{"key in other case", `{"URL":"a.b"}`, "BAD_REQUEST", "URL", 400},
		{"without url for tools", `{"alexandria":[]}`, "BAD_REQUEST", "alexandria", 400},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := s.do(call{key: s.key, body: row.body, header: map[string]string{"Content-Type": "application/json"}})
			if r.status != row.status || r.str("code") != row.code || !strings.Contains(r.str("error"), row.message) {
				t.Errorf("%d %.300s", r.status, r.raw)
			}
		})
	}
	t.Run("other content types", func(t *testing.T) {
		for _, label := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "nonsense/", "application/xml"} {
			r := s.do(call{key: s.key, body: s.body("/"), header: map[string]string{"Content-Type": label}})
			r.want(t, http.StatusUnsupportedMediaType)
		}
		for _, label := range []string{"application/json; charset=utf-8", "application/problem+json", "APPLICATION/JSON"} {
			s.do(call{key: s.key, body: s.body("/"), header: map[string]string{"Content-Type": label}}).want(t, http.StatusOK)
		}
	})
	t.Run("too large", func(t *testing.T) {
		r := s.do(call{key: s.key, body: `{"url":"` + strings.Repeat("a", 11<<20) + `"}`})
		r.want(t, http.StatusRequestEntityTooLarge)
	})
	t.Run("deep but sound", func(t *testing.T) {
		deep := strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000)
		r := s.scrape("/", `"redactPII":`+deep)
		r.want(t, http.StatusOK)
	})
}
