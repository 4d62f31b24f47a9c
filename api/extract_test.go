package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/llm/llmtest"
)

const extractPath = "/v2/extract"

// product is a page about a thing that costs something; with structure, it says so
// to machines too.
func product(name string, price float64, structure bool) string {
	page := fmt.Sprintf("<html><head><title>%s</title>", name)
	if structure {
		page += fmt.Sprintf(`<script type="application/ld+json">{"@type":"Product","name":%q,"offers":{"price":%v}}</script>`, name, price)
	}
	return page + fmt.Sprintf("</head><body><main><h1>%s</h1><p>This %[1]s is sold for %v euros to whoever wants one.</p></main></body></html>", name, price)
}

const productSchema = `{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}},"required":["name","price"]}`

// kettleModel is a model that finds the kettle wherever there is one.
func kettleModel(t testing.TB) *llmtest.Server {
	model := llmtest.New(t)
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		if !strings.Contains(c.User, "Kettle") {
			return llmtest.JSON(map[string]any{})
		}
		return llmtest.JSON(map[string]any{"name": "Kettle", "price": 49.5})
	})
	return model
}

// extracting runs a service beside a model.
func extracting(t testing.TB, model *llmtest.Server, change ...func(*api.Config)) *service {
	t.Helper()
	s := startBeside(t, endpoints{model: model.URL}, change...).work()
	s.site.page("/kettle", "text/html", product("Kettle", 49.5, false))
	return s
}

// extractOf is the body of an extract from pages of the local site.
func (s *service) extractOf(page string, fields ...string) string {
	parts := append([]string{`"urls":["` + s.site.URL + page + `"]`}, fields...)
	return "{" + strings.Join(parts, ",") + "}"
}

// extracted waits for the end of an extract.
func (s *service) extracted(id string) reply {
	s.t.Helper()
	var r reply
	testtime.Until(s.t, "the extract is over", func() bool {
		r = s.get(extractPath + "/" + id)
		return r.status != http.StatusOK || r.str("status") != "processing"
	})
	return r
}

func TestExtract(t *testing.T) {
	t.Parallel()
	model := kettleModel(t)
	s := extracting(t, model)
	started := s.do(call{path: extractPath, key: s.key, body: s.extractOf("/kettle", `"schema":`+productSchema, `"showSources":true`)}).want(t, http.StatusOK)
	if list, ok := started.at("invalidURLs").([]any); !ok || len(list) != 0 {
		t.Errorf("%s", started.raw)
	}
	r := s.extracted(started.str("id")).want(t, http.StatusOK)
	if r.str("status") != "completed" || r.str("data", "name") != "Kettle" || r.at("data", "price") != 49.5 {
		t.Fatalf("%s", r.raw)
	}
	tokens, _ := r.at("tokensUsed").(float64)
	if tokens <= 0 || r.at("creditsUsed") != math.Ceil(tokens/15) {
		t.Errorf("%v tokens, %v credits", tokens, r.at("creditsUsed"))
	}
	if sources, _ := r.at("sources", "name").([]any); len(sources) != 1 || sources[0] != s.site.URL+"/kettle" {
		t.Errorf("sources: %s", r.raw)
	}
	evidence, _ := json.Marshal(r.at("evidence"))
	if !strings.Contains(string(evidence), `"verified":true`) {
		t.Errorf("evidence: %s", evidence)
	}
	if _, err := time.Parse(trawl.TimeFormat, r.str("expiresAt")); err != nil {
		t.Error(err)
	}
	if status := s.do(call{method: http.MethodDelete, path: extractPath + "/" + started.str("id"), key: s.key}); status.status != http.StatusConflict {
		t.Errorf("a finished extract is cancelled: %s", status.raw)
	}
	if activity := s.get("/v2/team/activity?endpoint=extract"); !strings.Contains(string(activity.raw), started.str("id")) {
		t.Errorf("activity: %s", activity.raw)
	}
}

func TestExtractWithoutSources(t *testing.T) {
	t.Parallel()
	s := extracting(t, kettleModel(t))
	r := s.extracted(s.post(extractPath, s.extractOf("/kettle", `"schema":`+productSchema, `"ignoreInvalidURLs":false`)))
	for _, key := range []string{"sources", "evidence", "error"} {
		if r.at(key) != nil {
			t.Errorf("%s: %s", key, r.raw)
		}
	}
}

func TestExtractInvalidAddresses(t *testing.T) {
	t.Parallel()
	s := start(t)
	body := func(rest string) string {
		return `{"urls":["` + s.site.URL + `/","ftp://a.example","not an address"],"schema":` + productSchema + rest + `}`
	}
	r := s.do(call{path: extractPath, key: s.key, body: body("")}).want(t, http.StatusOK)
	if list, _ := r.at("invalidURLs").([]any); len(list) != 2 || list[0] != "ftp://a.example" {
		t.Errorf("%s", r.raw)
	}
	r = s.do(call{path: extractPath, key: s.key, body: body(`,"ignoreInvalidURLs":false`)}).want(t, http.StatusBadRequest)
	if details, _ := r.at("details").([]any); len(details) != 2 {
		t.Errorf("%s", r.raw)
	}
	s.do(call{path: extractPath, key: s.key, body: `{"urls":["ftp://a.example"],"schema":` + productSchema + `}`}).want(t, http.StatusBadRequest)
	r = s.do(call{path: extractPath, key: s.key, body: s.extractOf("/", `"schema":`+productSchema, `"ignoreInvalidURLs":false`)}).want(t, http.StatusOK)
	if _, there := r.json["invalidURLs"]; there {
		t.Errorf("%s", r.raw)
	}
}

func TestExtractStates(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	asked := make(chan struct{}, 100)
	model.Handle(func(llmtest.Call) llmtest.Reply {
		asked <- struct{}{}
		return llmtest.Reply{Hang: true}
	})
	s := extracting(t, model)
	path := extractPath + "/" + s.post(extractPath, s.extractOf("/kettle", `"schema":`+productSchema))
	<-asked
	r := s.get(path).want(t, http.StatusOK)
	if data, ok := r.at("data").([]any); !ok || len(data) != 0 || r.str("status") != "processing" || r.at("creditsUsed") != 0.0 || r.at("tokensUsed") != 0.0 {
		t.Errorf("%s", r.raw)
	}
	for range 2 {
		r = s.do(call{method: http.MethodDelete, path: path, key: s.key}).want(t, http.StatusOK)
		if r.str("status") != "cancelled" {
			t.Errorf("%s", r.raw)
		}
	}
	r = s.get(path).want(t, http.StatusOK)
	if data, ok := r.at("data").([]any); !ok || len(data) != 0 || r.str("status") != "cancelled" {
		t.Errorf("%s", r.raw)
	}
}

// A failed extract is a success on the wire, with its reason; it costs nothing.
func TestExtractFails(t *testing.T) {
	t.Parallel()
	s := extracting(t, kettleModel(t))
	r := s.extracted(s.post(extractPath, `{"urls":["http://nobody.example/"],"schema":`+productSchema+`}`)).want(t, http.StatusOK)
	if r.str("status") != "failed" || r.str("error") == "" || r.at("creditsUsed") != 0.0 {
		t.Errorf("%s", r.raw)
	}
}

func TestExtractOfOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	id := s.post(extractPath, s.extractOf("/", `"schema":`+productSchema))
	_, other := s.newTeam(trawl.Team{Name: "other"})
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		for path, c := range map[string]struct {
			status int
			text   string
		}{
			extractPath + "/" + id:                                {http.StatusNotFound, "Extract job not found"},
			extractPath + "/01890a5d-ac96-774b-bcce-b302099a8057": {http.StatusNotFound, "Extract job not found"},
			extractPath + "/nonsense":                             {http.StatusBadRequest, "Invalid job ID format. Job ID must be a valid UUID."},
			crawlPath + "/" + id:                                  {http.StatusNotFound, ""},
		} {
			r := s.do(call{method: method, path: path, key: other}).want(t, c.status)
			if c.text != "" && r.str("error") != c.text {
				t.Errorf("%s %s: %s", method, path, r.raw)
			}
		}
	}
}

func TestExtractRefuses(t *testing.T) {
	t.Parallel()
	s := extracting(t, kettleModel(t))
	for name, c := range map[string]struct{ body, path string }{
		"no addresses":             {`{"prompt":"x"}`, "urls"},
		"an empty list":            {`{"urls":[],"prompt":"x"}`, "urls"},
		"eleven addresses":         {`{"urls":["https://a.example"` + strings.Repeat(`,"https://a.example"`, 10) + `],"prompt":"x"}`, "urls"},
		"nothing wanted":           {s.extractOf("/"), "prompt"},
		"a long prompt":            {s.extractOf("/", `"prompt":"`+strings.Repeat("x", 10_001)+`"`), "prompt"},
		"a schema that is none":    {s.extractOf("/", `"schema":"x"`), "schema"},
		"a schema with a mistake":  {s.extractOf("/", `"schema":{"type":"object","properties":{"a":{"type":"nothing"}}}`), "schema.properties.a.type"},
		"a reference to nowhere":   {s.extractOf("/", `"schema":{"type":"object","properties":{"a":{"$ref":"#/x"}}}`), "schema.properties.a.$ref"},
		"an endless schema":        {s.extractOf("/", `"schema":{"type":"object","properties":{"a":{"$ref":"#"}}}`), "schema.properties.a.$ref"},
		"a wrong webhook":          {s.extractOf("/", `"prompt":"x"`, `"webhook":"ftp://a.example"`), "webhook.url"},
		"a wrong option of pages":  {s.extractOf("/", `"prompt":"x"`, `"scrapeOptions":{"timeout":1}`), "scrapeOptions.timeout"},
		"an unknown key":           {s.extractOf("/", `"prompt":"x"`, `"promt":"x"`), "promt"},
		"no pages":                 {s.extractOf("/", `"prompt":"x"`, `"limit":0`), "limit"},
		"an option that is unused": {s.extractOf("/", `"prompt":"x"`, `"scrapeOptions":{"formats":["poem"]}`), "scrapeOptions.formats.0"},
	} {
		t.Run(name, func(t *testing.T) {
			r := s.in(t).do(call{path: extractPath, key: s.key, body: c.body}).want(t, http.StatusBadRequest)
			details, _ := r.at("details").([]any)
			if len(details) == 0 {
				t.Fatalf("%s", r.raw)
			}
			path := fmt.Sprint(details[0].(map[string]any)["path"])
			if want := "[" + strings.ReplaceAll(c.path, ".", " ") + "]"; path != want {
				t.Errorf("path %s, want %s: %s", path, want, r.raw)
			}
		})
	}
}

func TestExtractLimits(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Rates[api.ClassExtract] = 3 })
	nineteen := int64(19)
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &nineteen})
	body := s.extractOf("/", `"schema":`+productSchema)
	s.do(call{path: extractPath, key: poor, body: body}).want(t, http.StatusPaymentRequired)
	once := map[string]string{"X-Idempotency-Key": "one"}
	s.do(call{path: extractPath, key: s.key, body: body, header: once}).want(t, http.StatusOK)
	if r := s.do(call{path: extractPath, key: s.key, body: body, header: once}).want(t, http.StatusConflict); r.str("error") != "Idempotency key already used" {
		t.Errorf("%s", r.raw)
	}
	s.do(call{path: extractPath, key: s.key, body: body}).want(t, http.StatusOK)
	s.do(call{path: extractPath, key: s.key, body: body}).want(t, http.StatusTooManyRequests)
}

// Without a model, what a page says to machines is all there is.
func TestExtractWithoutModel(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.page("/kettle", "text/html", product("Kettle", 49.5, true))
	s.site.page("/plain", "text/html", product("Kettle", 49.5, false))
	r := s.extracted(s.post(extractPath, s.extractOf("/kettle", `"schema":`+productSchema)))
	if r.str("status") != "completed" || r.str("data", "name") != "Kettle" || r.at("data", "price") != 49.5 || r.str("warning") == "" || r.at("tokensUsed") != 0.0 {
		t.Errorf("%s", r.raw)
	}
	r = s.extracted(s.post(extractPath, s.extractOf("/plain", `"schema":`+productSchema)))
	if r.str("status") != "failed" || !strings.Contains(r.str("error"), "TRAWL_LLM_BASE_URL") || r.at("creditsUsed") != 0.0 {
		t.Errorf("%s", r.raw)
	}
	r = s.do(call{path: extractPath, key: s.key, body: s.extractOf("/", `"prompt":"kettles"`)}).want(t, http.StatusServiceUnavailable)
	if r.str("code") != "LLM_NOT_CONFIGURED" || !strings.Contains(r.str("error"), "TRAWL_LLM_MODEL") {
		t.Errorf("%s", r.raw)
	}
}

// The formats that ask a model, as POST /v2/scrape has them.
func TestScrapeWithModel(t *testing.T) {
	t.Parallel()
	model := kettleModel(t)
	s := extracting(t, model)
	r := s.scrape("/kettle", `"formats":[{"type":"json","schema":`+productSchema+`}]`).want(t, http.StatusOK)
	if r.str("data", "json", "name") != "Kettle" || r.at("data", "metadata", "creditsUsed") != 5.0 {
		t.Errorf("%s", r.raw)
	}
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusBadRequest, Body: `{"error":{"message":"the model is on strike"}}`}
	})
	r = s.scrape("/kettle", `"formats":[{"type":"json","prompt":"the kettle"}]`, `"maxAge":0`).want(t, http.StatusInternalServerError)
	if r.str("code") != "SCRAPE_LLM_ERROR" || !strings.Contains(r.str("error"), "on strike") {
		t.Errorf("%s", r.raw)
	}
	r = start(t).scrape("/", `"formats":[{"type":"json","prompt":"the kettle"}]`).want(t, http.StatusServiceUnavailable)
	if r.str("code") != "LLM_NOT_CONFIGURED" {
		t.Errorf("%s", r.raw)
	}
}
