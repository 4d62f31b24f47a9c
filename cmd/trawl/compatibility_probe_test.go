package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/search/searchtest"
)

// openSurface starts two services, one with all that an operator can add and one
// without, and reads what they say of themselves.
func openSurface(t *testing.T) *surface {
	t.Helper()
	s := &surface{t: t, full: newProber(t, serveAll(t)), bare: newProber(t, serveOn(t, bareMachine())), routes: map[string]bool{}}
	got := s.full.call(http.MethodGet, "/openapi.json", "", nil)
	if err := json.Unmarshal(got.raw, &s.api); err != nil || len(s.api.Paths) < 10 {
		t.Fatalf("%d paths, %v", len(s.api.Paths), err)
	}
	return s
}

// serveAll runs a service with a browser, a search engine, and a language model that
// always gives what is asked for.
func serveAll(t *testing.T) string {
	t.Helper()
	m := bareMachine()
	m.browsers = chromium.Find
	model, engine := llmtest.New(t), searchtest.New(t)
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		var schema map[string]any
		if json.Unmarshal(c.Schema, &schema) != nil && c.Mode == "text" {
			return llmtest.Text("A page that comes with Trawl.")
		}
		return llmtest.JSON(fitting(schema))
	})
	engine.Handle(searchtest.Pages(10, searchtest.Result{URL: sampleURL, Title: "A page to start with", Content: "The sample page."}))
	return serveOn(t, m, "TRAWL_LLM_BASE_URL="+model.URL, "TRAWL_LLM_MODEL=small", "TRAWL_SEARCH_URL="+engine.URL)
}

// fitting returns a value that fits a plain schema.
func fitting(schema map[string]any) any {
	if choices, ok := schema["enum"].([]any); ok {
		return choices[0]
	}
	kind := schema["type"]
	if kinds, ok := kind.([]any); ok {
		kind = kinds[0]
	}
	switch kind {
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{fitting(items)}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	case "string":
		return "A page to start with"
	}
	object := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		if property, ok := property.(map[string]any); ok {
			object[name] = fitting(property)
		}
	}
	return object
}

// openAPI is what the tests read of an OpenAPI document.
type openAPI struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]*shape }
}

type operation struct {
	Summary     string
	Parameters  []struct{ Name, In string }
	RequestBody struct{ Content map[string]media }
	Responses   map[string]struct{ Content map[string]media }
}

type media struct{ Schema *shape }

type shape struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	Minimum    float64
	Properties map[string]*shape
	Items      *shape
}

const jsonType = "application/json"

// bodies names the schemas of what is sent and answered.
func (o operation) bodies() (names []string) {
	for _, content := range []map[string]media{o.RequestBody.Content, o.Responses["200"].Content} {
		if schema := content[jsonType].Schema; schema != nil && schema.Ref != "" {
			names = append(names, schema.name())
		}
	}
	return names
}

func (s *shape) name() string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }

// fields returns the paths of all fields of a schema, down to those that have a
// table of their own.
func (s *surface) fields(name string) map[string]bool {
	schema := s.api.Components.Schemas[name]
	if schema == nil {
		s.t.Fatalf("there is no schema %s", name)
	}
	fields := s.flatten("", schema)
	if name == "SearchResult" { // which has all fields of a document, told there
		maps.DeleteFunc(fields, func(path string, _ bool) bool { return strings.Contains(path, ".") })
	}
	return fields
}

func (s *surface) flatten(prefix string, schema *shape) map[string]bool {
	fields := map[string]bool{}
	for name, property := range schema.Properties {
		path := prefix + name
		fields[path] = true
		if property.Items != nil {
			property, path = property.Items, path+"[]"
		}
		if property.Ref != "" {
			if s.tabled[property.name()] || property.name() == "ScrapeOptions" {
				continue
			}
			property = s.api.Components.Schemas[property.name()]
		}
		for inner := range s.flatten(path+".", property) {
			fields[inner] = true
		}
	}
	return fields
}

// prober asks a service.
type prober struct {
	t      *testing.T
	base   string
	client *http.Client
	states map[string]string // of what was asked already
}

func newProber(t *testing.T, base string) *prober {
	transport := egress.Infrastructure()
	t.Cleanup(transport.CloseIdleConnections)
	p := &prober{t: t, base: base, client: &http.Client{Transport: transport}, states: map[string]string{}}
	p.call(http.MethodPost, "/v2/scrape", jsonType, body(map[string]any{"url": sampleURL, "timeout": longest})) // so that it is in the cache
	return p
}

// answered is what came back.
type answered struct {
	status int
	raw    []byte
	json   struct {
		Success         bool
		ID, Error, Code string
		Warning         string
		Details         []trawl.Issue
		Data            json.RawMessage
	}
}

func (p *prober) call(method, path, contentType string, body []byte) answered {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+docsKey)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	got := answered{status: resp.StatusCode}
	if got.raw, err = io.ReadAll(resp.Body); err != nil {
		p.t.Fatal(err)
	}
	if path != "/openapi.json" && json.Unmarshal(got.raw, &got.json) != nil {
		p.t.Fatalf("%s %s: %.300s", method, path, got.raw)
	}
	return got
}

func body(v any) []byte {
	encoded, _ := json.Marshal(v)
	return encoded
}

// absent makes sure that a path does not exist.
func (p *prober) absent(method, path string) {
	path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, uuid.NewString())
	if got := p.call(method, path, jsonType, []byte("{}")); got.status != http.StatusNotFound || got.json.Success {
		p.t.Errorf("%s %s answers %d", method, path, got.status)
	}
}

// present makes sure that a path exists, and takes the method.
func (p *prober) present(method, path string) {
	path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, uuid.NewString())
	got := p.call(method, path, jsonType, []byte("{}"))
	if got.status == http.StatusMethodNotAllowed || strings.Contains(got.json.Error, "nothing at this path") {
		p.t.Errorf("%s %s answers %d", method, path, got.status)
	}
}

// longest is the most that a request may be given, in milliseconds: how fast the
// machine is says nothing of what the service can do.
const longest = 300_000

// requests says where bodies go and what they need.
var requests = map[string]struct {
	path string
	base map[string]any
}{
	"ScrapeRequest":   {"/v2/scrape", map[string]any{"url": sampleURL, "timeout": longest}},
	"BatchRequest":    {"/v2/batch/scrape", map[string]any{"urls": []string{sampleURL}}},
	"CrawlRequest":    {"/v2/crawl", map[string]any{"url": sampleURL, "limit": 1}},
	"PreviewRequest":  {"/v2/crawl/params-preview", map[string]any{"url": sampleURL, "prompt": "only the docs"}},
	"MapRequest":      {"/v2/map", map[string]any{"url": sampleURL, "timeout": longest}},
	"SearchRequest":   {"/v2/search", map[string]any{"query": "sample", "timeout": longest}},
	"ExtractRequest":  {"/v2/extract", map[string]any{"urls": []string{sampleURL}, "prompt": "the title"}},
	"ParseRequest":    {"/v2/parse", map[string]any{"timeout": longest}},
	"SessionRequest":  {"/v2/browser", map[string]any{"ttl": 0, "activityTtl": 0}}, // which no session can have
	"KeyRequest":      {"/v2/team/api-keys", map[string]any{}},
	"NewKeyRequest":   {"/v2/team/api-keys", map[string]any{}},
	"UploadRequest":   {"/v2/parse/upload-url", map[string]any{"filename": "report.pdf"}},
	"SearchFeedback":  {"/v2/search/" + uuid.Nil.String() + "/feedback", map[string]any{"rating": "bad", "querySuggestions": "other words"}},
	"JobFeedback":     {"/v2/feedback", map[string]any{"endpoint": "alexandria", "note": "probe"}},
	"Question":        {"/v2/support/ask", map[string]any{"question": "Why?"}},
	"DocsQuestion":    {"/v2/support/docs-search", map[string]any{"question": "webhooks"}},
	"Sender":          {"/v2/team/webhook-secret", map[string]any{}},
	"MonitorRequest":  {"/v2/monitor", map[string]any{"name": "Probe", "schedule": samples["schedule"], "targets": samples["targets"]}},
	"MonitorUpdate":   {"/v2/monitor/" + uuid.Nil.String(), map[string]any{"name": "Probe"}},
	"RunRequest":      {"/v2/monitor/" + uuid.Nil.String() + "/run", map[string]any{}},
	"ReplayRequest":   {"/v2/crawl/" + uuid.Nil.String() + "/webhooks/replay", map[string]any{}},
	"ExecuteRequest":  {"/v2/browser/" + uuid.Nil.String() + "/execute", map[string]any{"code": "get url"}},
	"InteractRequest": {"/v2/scrape/" + uuid.Nil.String() + "/interact", map[string]any{"code": "get url"}},
}

// samples are values for fields whose type alone does not suggest one.
var samples = map[string]any{
	"schedule": map[string]any{"text": "hourly"}, "targets": []any{map[string]any{"type": "scrape", "url": sampleURL}}, "goal": "Prices.",
	"notification": map[string]any{"email": map[string]any{"enabled": false}},
	"url":          sampleURL, "urls": []string{sampleURL}, "formats": []string{"links"}, "actions": []any{map[string]any{"type": "scrape"}},
	"parsers": []string{"pdf"}, "headers": map[string]string{"X-Probe": "1"}, "location": map[string]any{"country": "US"},
	"profile": map[string]any{"name": "probe"}, "proxy": "basic", "timeout": longest, "minAge": 0, "waitFor": 1, "webhook": "https://hooks.example/",
	"appendToId": uuid.NewString(), "deliveryId": uuid.NewString(), "includePaths": []string{"^/"}, "excludePaths": []string{"^/x"},
	"includeTags": []string{"main"}, "excludeTags": []string{"nav"}, "delay": 1, "sources": []string{"web"}, "categories": []string{"github"},
	"includeDomains": []string{"example.com"}, "excludeDomains": []string{"example.com"}, "tbs": "qdr:d", "lang": "en", "prompt": "only the docs",
	"schema":        map[string]any{"type": "object", "properties": map[string]any{"title": map[string]any{"type": "string"}}},
	"scrapeOptions": map[string]any{"formats": []string{"markdown"}}, "ttl": 60, "activityTtl": 60, "enterprise": []string{"anon"},
	"sessionId": uuid.Nil.String(), "existingSessionId": uuid.Nil.String(), "ExecuteRequest.timeout": 30, "InteractRequest.timeout": 30,
	"spendLimit": map[string]any{"credits": 1, "interval": "day"}, "allowedEndpoints": []string{"scrape"}, "allowedFormats": []string{"markdown"},
	"expiresAt": "2099-01-01T00:00:00Z", "filename": "report.pdf", "jobId": uuid.NewString(), "JobFeedback.endpoint": "alexandria", "SearchFeedback.rating": "bad",
	"valuableSources": []any{map[string]any{"url": sampleURL}}, "missingContent": []any{map[string]any{"topic": "probe"}}, "issues": []string{"probe"},
	"tags": []string{"probe"}, "pageNumbers": []int{1}, "metadata": map[string]any{"probe": true},
	"KeyRequest.name": "probe", "NewKeyRequest.name": "probe", "SearchRequest.location": "Berlin", "SearchRequest.country": "US",
}

// field returns what becomes of a request with a field. Those within an object share
// its fate.
func (p *prober) field(doc openAPI, schema, field string) string {
	field, _, _ = strings.Cut(field, ".")
	field = strings.TrimSuffix(field, "[]")
	key := schema + "." + field
	if state, ok := p.states[key]; ok {
		return state
	}
	request := requests[schema]
	sent := maps.Clone(request.base)
	sent[field] = sampleOf(doc, schema, field)
	if key == "ScrapeRequest.sessionId" { // it stands for an address
		delete(sent, "url")
	}
	var got answered
	if schema == "ParseRequest" {
		got = p.upload("page.html", "<title>A page</title><p>Text.", sent)
	} else {
		method := http.MethodPost
		if schema == "MonitorUpdate" {
			method = http.MethodPatch
		}
		got = p.call(method, request.path, jsonType, body(sent))
	}
	if schema == "Question" && got.status == http.StatusServiceUnavailable {
		p.states[key] = stateWorks // it is understood, and about nothing that is known
	} else if schema == "SessionRequest" {
		p.states[key] = sessionField(p.t, field, sent[field], got)
	} else {
		p.states[key] = p.judge(key, field, got)
	}
	return p.states[key]
}

func sampleOf(doc openAPI, schema, field string) any {
	for _, name := range []string{schema + "." + field, field} {
		if value, ok := samples[name]; ok {
			return value
		}
	}
	property := doc.Components.Schemas[schema].Properties[field]
	switch {
	case property == nil:
		return true
	case len(property.Enum) > 0:
		return property.Enum[0]
	case property.Type == "integer" || property.Type == "number":
		return max(property.Minimum, 1)
	case property.Type == "string":
		return "probe"
	case property.Type == nil:
		return map[string]any{"probe": true}
	}
	return true
}

// sessionField judges a field of a session, of which none is started: whether the
// field is known, and whether it has an effect.
func sessionField(t *testing.T, field string, value any, got answered) string {
	if slices.ContainsFunc(got.json.Details, func(i trawl.Issue) bool { return i.Code == "unrecognized_key" }) {
		return stateAbsent
	}
	var req trawl.SessionRequest
	if err := json.Unmarshal(body(map[string]any{field: value}), &req); err != nil {
		t.Errorf("session.%s: %v", field, err)
	}
	if slices.Contains(req.Ignored(), field) {
		return stateWarning
	}
	return stateWorks
}

// mishaps are codes that say nothing of what a service can do: what was sent is
// wrong, or what it was sent to.
var mishaps = []trawl.Code{
	trawl.CodeBadRequest, trawl.CodeInvalidJSON, trawl.CodeUnknown, trawl.CodeModel, trawl.CodeAction, trawl.CodeEngines, trawl.CodeTimeout, trawl.CodeSearch,
}

// judge tells the state of a field from an answer. A refusal without a code is about
// what was asked for, so that the field is understood.
func (p *prober) judge(key, field string, got answered) string {
	warning := got.json.Warning
	var data struct{ Warning string }
	if json.Unmarshal(got.json.Data, &data) == nil {
		warning += data.Warning
	}
	unheeded := regexp.MustCompile(`(no effect on this server|no use for|does not act on)[^.]*\b` + regexp.QuoteMeta(field) + `\b`)
	switch unknown := func(i trawl.Issue) bool { return i.Code == "unrecognized_key" }; {
	case got.status == http.StatusOK && unheeded.MatchString(warning):
		return stateWarning
	case got.status == http.StatusOK:
		return stateWorks
	case slices.ContainsFunc(got.json.Details, unknown):
		return stateAbsent
	case slices.Contains(mishaps, trawl.Code(got.json.Code)), got.status >= 500 && got.json.Code == "":
		p.t.Errorf("%s: %d %.300s", key, got.status, got.raw)
		return stateAbsent
	case got.json.Code != "":
		return fmt.Sprintf("refused: %d `%s`", got.status, got.json.Code)
	case got.status == http.StatusForbidden:
		return statePermission
	}
	return stateWorks
}

// variantOptions are the options that a format or an action needs.
var variantOptions = map[string]map[string]any{
	"json":              {"prompt": "the title"},
	"changeTracking":    {"modes": []string{"git-diff"}},
	"attributes":        {"selectors": []any{map[string]any{"selector": "a", "attribute": "href"}}},
	"question":          {"question": "What is this?"},
	"highlights":        {"query": "formats"},
	"query":             {"prompt": "What is this?"},
	"wait":              {"milliseconds": 1},
	"click":             {"selector": "input"},
	"write":             {"text": "x"},
	"press":             {"key": "Tab"},
	"executeJavascript": {"script": "1"},
	"deterministicJson": {"prompt": "the title"},
}

// variant returns what becomes of a format, an action or a parser. Actions are tried
// all at once, for each request takes a page.
func (p *prober) variant(union, kind string) string {
	sent := map[string]any{"url": sampleURL, "timeout": longest}
	switch union {
	case "Action":
		if state, ok := p.states[union]; ok {
			return state
		}
		script := "document.body.appendChild(document.createElement('input'))" // to click on and write into
		all := []any{map[string]any{"type": trawl.ActionJavaScript, "script": script}}
		for _, variant := range trawl.ActionVariants() {
			all = append(all, optioned(variant.Type))
		}
		sent["actions"] = all
	case "Parser":
		sent["parsers"] = []any{optioned(kind)}
	case "Format":
		sent["formats"] = []any{optioned(kind)}
		if kind == trawl.FormatChangeTracking {
			sent["formats"] = []any{trawl.FormatMarkdown, optioned(kind)}
		}
	}
	state := p.judge(union+"."+kind, kind, p.call(http.MethodPost, "/v2/scrape", jsonType, body(sent)))
	p.states[union] = state
	return state
}

// optioned returns a format, an action or a parser with the options that it needs.
func optioned(kind string) map[string]any {
	one := map[string]any{"type": kind}
	maps.Copy(one, variantOptions[kind])
	return one
}

// upload parses a file.
func (p *prober) upload(name, content string, options map[string]any) answered {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		p.t.Fatal(err)
	}
	_, _ = io.WriteString(part, content)
	if options != nil {
		_ = w.WriteField("options", string(body(options)))
	}
	_ = w.Close()
	return p.call(http.MethodPost, "/v2/parse", w.FormDataContentType(), form.Bytes())
}

// extension returns what becomes of a file by the end of its name.
func (p *prober) extension(name string) string {
	var list struct {
		Formats []struct{ Extensions []string }
	}
	if err := json.Unmarshal(p.call(http.MethodGet, "/v2/parse/formats", "", nil).json.Data, &list); err != nil {
		p.t.Fatal(err)
	}
	for _, format := range list.Formats {
		if slices.Contains(format.Extensions, "."+name) || slices.Contains(format.Extensions, name) {
			return stateWorks
		}
	}
	return p.judge("extension "+name, name, p.upload("file."+name, "\x00\x01\x02junk", nil))
}

// event returns whether a webhook can ask for an event.
func (p *prober) event(name string) string {
	kind, _, _ := strings.Cut(name, ".")
	request := requests[map[string]string{"crawl": "CrawlRequest", "batch_scrape": "BatchRequest", "extract": "ExtractRequest"}[kind]]
	sent := map[string]any{"webhook": map[string]any{"url": samples["webhook"], "events": []string{name}}}
	maps.Copy(sent, request.base)
	if got := p.call(http.MethodPost, request.path, jsonType, body(sent)); got.status != http.StatusOK {
		return stateAbsent
	}
	return stateWorks
}

// richHead is a page that says of itself all that pages can say.
const richHead = `<!doctype html><html lang="en"><head><title>Title</title>
<meta name="description" content="x"><meta name="keywords" content="x"><meta name="author" content="x"><meta name="robots" content="all">
<meta property="og:title" content="x"><meta property="og:description" content="x"><meta property="og:url" content="https://example.com/">
<meta property="og:image" content="https://example.com/a.png"><meta property="og:audio" content="https://example.com/a.mp3">
<meta property="og:determiner" content="the"><meta property="og:locale" content="en_US"><meta property="og:locale:alternate" content="de_DE">
<meta property="og:site_name" content="x"><meta property="og:video" content="https://example.com/a.mp4"><link rel="icon" href="https://example.com/i.png">
<meta name="dcterms.created" content="x"><meta name="dc.date.created" content="x"><meta name="dc.date" content="x"><meta name="dcterms.type" content="x">
<meta name="dc.type" content="x"><meta name="dcterms.audience" content="x"><meta name="dcterms.subject" content="x"><meta name="dc.subject" content="x">
<meta name="dc.description" content="x"><meta name="dcterms.keywords" content="x"><meta property="article:modified_time" content="2026-01-01">
<meta property="article:published_time" content="2026-01-01"><meta property="article:tag" content="x"><meta property="article:section" content="x">
</head><body><p>Text.</p></body></html>`

// metadata returns what a page that says all of itself has in its metadata, but for
// the tags under the names that it gives them.
func (p *prober) metadata() map[string]any {
	var document struct{ Metadata map[string]any }
	if err := json.Unmarshal(p.upload("page.html", richHead, nil).json.Data, &document); err != nil {
		p.t.Fatal(err)
	}
	for name := range document.Metadata {
		if strings.ContainsAny(name, ":.") {
			delete(document.Metadata, name)
		}
	}
	return document.Metadata
}

// filled returns a value in which nothing is empty.
func filled[T any]() *T {
	value := new(T)
	fillValue(reflect.ValueOf(value).Elem())
	return value
}

func fillValue(v reflect.Value) {
	switch v.Interface().(type) {
	case json.RawMessage:
		v.SetBytes([]byte("{}"))
		return
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
		return
	case time.Duration:
		v.SetInt(int64(time.Second))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillValue(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillValue(key)
		fillValue(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillValue(v.Field(i))
			}
		}
	}
}

// encoded returns the JSON object that a value becomes.
func encoded(t *testing.T, v any) (object map[string]any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// refusing is a scraper that only knows an error.
type refusing struct {
	api.Scraper
	err error
}

func (r refusing) Check(*trawl.ScrapeOptions) error { return r.err }

// oneTeam is a store that only knows a team.
type oneTeam struct{ api.Store }

func (oneTeam) Team(context.Context, string) (trawl.Team, error) { return trawl.Team{}, nil }

// statusOf returns the HTTP status with which an error of a code is answered.
func statusOf(t *testing.T, code trawl.Code) int {
	t.Helper()
	server := api.New(api.Config{
		Store: oneTeam{}, Scraper: refusing{err: trawl.Errorf(code, "no")}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		AuthOff: true, Rates: map[string]int{api.ClassScrape: 1},
	})
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v2/scrape", strings.NewReader(`{"url":"https://example.com"}`))
	server.ServeHTTP(w, r)
	var answer struct{ Code string }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if named := string(code) == strings.ToUpper(string(code)); named && answer.Code != string(code) || !named && answer.Code != "" {
		t.Errorf("%s is answered with the code %q", code, answer.Code)
	}
	return w.Code
}
