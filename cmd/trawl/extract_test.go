package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/search/searchtest"
)

// shop is a site of numbered pages that a sitemap lists.
func shop(t *testing.T, pages int) string {
	t.Helper()
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := 0
		if _, err := fmt.Sscanf(r.URL.Path, "/items/%d", &number); err == nil && number > 0 && number <= pages {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<html><head><title>Item %d</title></head><body><main><h1>Item %[1]d</h1><p>Words about the item of number %[1]d.</p></main></body></html>", number)
			return
		}
		if r.URL.Path != "/sitemap.xml" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/xml")
		fmt.Fprint(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range pages {
			fmt.Fprintf(w, "<url><loc>%s/items/%d</loc></url>", site.URL, i+1)
		}
		fmt.Fprint(w, "</urlset>")
	}))
	t.Cleanup(site.Close)
	return site.URL
}

const itemsSchema = `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}}},"required":["items"]}`

var itemNumber = regexp.MustCompile(`Item (\d+)`)

// readItem answers for the item on a page as a model would.
func readItem(c llmtest.Call) llmtest.Reply {
	if found := itemNumber.FindStringSubmatch(c.User); found != nil {
		return llmtest.Text(`{"items":[{"number":` + found[1] + `}]}`)
	}
	return llmtest.Text(`{"items":[]}`)
}

// beside are the settings of a command that may reach the loopback interface and
// has a model to ask.
func beside(model *llmtest.Server) map[string]string {
	env := loopback()
	env["TRAWL_LLM_BASE_URL"], env["TRAWL_LLM_MODEL"] = model.URL, "small"
	return env
}

func writeText(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExtractCommand(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(readItem)
	site := shop(t, 5)
	schema := writeText(t, "schema.json", itemsSchema)

	got := execute(t, beside(model), "extract", site+"/items/*", "--schema", schema, "--prompt", "the items")
	var data struct{ Items []struct{ Number int } }
	if err := json.Unmarshal([]byte(got.stdout), &data); err != nil || got.code != 0 || len(data.Items) != 5 {
		t.Fatalf("code %d, %v\n%s%s", got.code, err, got.stdout, got.stderr)
	}
	if !strings.HasPrefix(got.stdout, "{\n  \"items\"") {
		t.Errorf("not for people: %s", got.stdout)
	}

	out := filepath.Join(t.TempDir(), "result.json")
	got = execute(t, beside(model), "extract", site+"/items/3", "--schema", schema, "--sources", "--out", out)
	var sourced struct {
		Data     struct{ Items []struct{ Number int } }
		Sources  map[string][]string
		Evidence []struct{ URL string }
	}
	if err := json.Unmarshal([]byte(readText(t, out)), &sourced); err != nil || got.code != 0 || got.stdout != "" {
		t.Fatalf("code %d, %v\n%s%s", got.code, err, got.stdout, got.stderr)
	}
	if len(sourced.Data.Items) != 1 || sourced.Data.Items[0].Number != 3 || len(sourced.Sources) == 0 || len(sourced.Evidence) == 0 || sourced.Evidence[0].URL != site+"/items/3" {
		t.Errorf("%s", readText(t, out))
	}

	got = execute(t, beside(model), "extract", site+"/items/3", "--schema", schema, "--out", "/nowhere/result.json")
	if got.code != exitFailure || !strings.Contains(got.stdout, `"number": 3`) || !strings.Contains(got.stderr, "/nowhere/result.json") {
		t.Errorf("what cannot be written is lost: code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestExtractCommandFails(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusBadRequest, Body: `{"error":{"message":"the model is on strike"}}`}
	})
	site := shop(t, 1)
	schema := writeText(t, "schema.json", itemsSchema)
	wrong := writeText(t, "wrong.json", `{"type":"object","properties":{"a":{"type":"nothing"}}}`)
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		code int
		text string
	}{
		"nothing wanted":       {beside(model), []string{site}, exitUsage, "--prompt, --schema"},
		"no address":           {beside(model), []string{"--prompt", "x"}, exitUsage, "url"},
		"a wrong address":      {beside(model), []string{"ftp://a.example", "--prompt", "x"}, exitUsage, "protocol"},
		"no such file":         {beside(model), []string{site, "--schema", "/nowhere/schema.json"}, exitUsage, "--schema: open /nowhere/schema.json"},
		"a file without JSON":  {beside(model), []string{site, "--schema", writeText(t, "x.json", "{")}, exitUsage, "is not JSON"},
		"a file with a list":   {beside(model), []string{site, "--schema", writeText(t, "x.json", "[]")}, exitUsage, "is not a JSON object"},
		"a large file":         {beside(model), []string{site, "--schema", writeText(t, "x.json", strings.Repeat(" ", 2<<20))}, exitUsage, "larger than 1MiB"},
		"nothing on stdin":     {beside(model), []string{site, "--schema", "-"}, exitUsage, "is not JSON"},
		"a schema of nonsense": {beside(model), []string{site, "--schema", wrong}, exitUsage, "Invalid JSON schema"},
		"too many pages":       {beside(model), []string{site, "--prompt", "x", "--limit", "1001"}, exitUsage, "--limit"},
		"a long prompt":        {beside(model), []string{site, "--prompt", strings.Repeat("x", 10_001)}, exitUsage, "--prompt"},
		"a model that fails":   {beside(model), []string{site + "/items/1", "--schema", schema}, exitFailure, "on strike"},
		"no model":             {loopback(), []string{site + "/items/1", "--prompt", "x"}, exitFailure, "TRAWL_LLM_BASE_URL"},
		"no search":            {beside(model), []string{site + "/items/1", "--prompt", "x", "--web-search"}, exitFailure, "TRAWL_SEARCH_URL"},
		"half a model":         {map[string]string{"TRAWL_LLM_BASE_URL": "http://127.0.0.1:1"}, []string{site, "--prompt", "x"}, exitUsage, "TRAWL_LLM_MODEL"},
		"the other half":       {map[string]string{"TRAWL_LLM_MODEL": "small"}, []string{site, "--prompt", "x"}, exitUsage, "TRAWL_LLM_BASE_URL"},
		"a key to nothing":     {map[string]string{"TRAWL_LLM_API_KEY": "secret"}, []string{site, "--prompt", "x"}, exitUsage, "TRAWL_LLM_BASE_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := execute(t, c.env, append([]string{"extract"}, c.args...)...)
			if got.code != c.code || got.stdout != "" || !strings.Contains(got.stderr, c.text) {
				t.Errorf("code %d, want %d with %q\n%s%s", got.code, c.code, c.text, got.stdout, got.stderr)
			}
		})
	}
}

// TestExtractCommandSearches finds pages through the search engine of the settings.
func TestExtractCommandSearches(t *testing.T) {
	t.Parallel()
	model, engine := llmtest.New(t), searchtest.New(t)
	model.Handle(readItem)
	site := shop(t, 3)
	engine.Handle(searchtest.Pages(10, searchtest.Result{URL: site + "/items/2", Title: "Item 2"}))
	env := beside(model)
	env["TRAWL_SEARCH_URL"] = engine.URL
	got := execute(t, env, "extract", site+"/items/1", "--schema", writeText(t, "schema.json", itemsSchema), "--prompt", "items", "--web-search")
	if got.code != 0 || !strings.Contains(got.stdout, `"number": 1`) || !strings.Contains(got.stdout, `"number": 2`) || len(engine.Calls()) == 0 {
		t.Errorf("code %d after %d searches\n%s%s", got.code, len(engine.Calls()), got.stdout, got.stderr)
	}
}

func TestScrapeCommandExtracts(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		if c.Mode == "text" {
			return llmtest.Text("It is about an item.")
		}
		return readItem(c)
	})
	page := shop(t, 2) + "/items/2"
	schema := writeText(t, "schema.json", itemsSchema)
	const item = "{\n  \"items\": [\n    {\n      \"number\": 2\n    }\n  ]\n}\n"
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a schema":               {[]string{"--schema", schema}, item},
		"a prompt":               {[]string{"--prompt", "the items"}, item},
		"the format alone":       {[]string{"--format", "json"}, item},
		"a format beside":        {[]string{"--format", "links", "--schema", schema}, "\n\n" + item},
		"a summary":              {[]string{"--format", "summary"}, "It is about an item.\n"},
		"markdown unless chosen": {nil, "# Item 2\n\nWords about the item of number 2.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := execute(t, beside(model), append([]string{"scrape", page}, c.args...)...)
			if got.code != 0 || got.stdout != c.want {
				t.Errorf("code %d: %q, want %q\n%s", got.code, got.stdout, c.want, got.stderr)
			}
		})
	}
	got := execute(t, loopback(), "scrape", page, "--prompt", "the items")
	if got.code != exitFailure || !strings.Contains(got.stderr, "LLM_NOT_CONFIGURED") {
		t.Errorf("without a model: code %d\n%s", got.code, got.stderr)
	}
	got = execute(t, loopback(), "scrape", page, "--schema", "/nowhere.json")
	if got.code != exitUsage || !strings.Contains(got.stderr, "--schema: open /nowhere.json") {
		t.Errorf("without the file: code %d\n%s", got.code, got.stderr)
	}
}

// TestExtractProgram runs the program itself, with a schema on standard input.
func TestExtractProgram(t *testing.T) {
	t.Parallel()
	binary, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t)
	model.Handle(readItem)
	env := []string{"HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	for name, value := range beside(model) {
		env = append(env, name+"="+value)
	}
	for _, args := range [][]string{{"extract", "--schema", "-"}, {"scrape", "--schema", "-"}} {
		ctx := testtime.Context(t)
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, binary, append(args, shop(t, 2)+"/items/2")...)
		cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, strings.NewReader(itemsSchema), &stdout, &stderr
		if err := cmd.Run(); err != nil || !strings.Contains(stdout.String(), `"number": 2`) {
			t.Errorf("%v: %v\n%s%s", args, err, stdout.String(), stderr.String())
		}
	}
}

// accountant is a model that counts the answers it gave to each question, and
// falls silent after so many, until it is allowed to speak again.
type accountant struct {
	mu          sync.Mutex
	silentAfter []int
	answered    map[string]int // by question
	quiet       bool
	silent      chan struct{} // told of each silence
	reply       func(llmtest.Call) llmtest.Reply
}

func newAccountant(reply func(llmtest.Call) llmtest.Reply, silentAfter ...int) *accountant {
	return &accountant{silentAfter: silentAfter, answered: map[string]int{}, silent: make(chan struct{}, 1), reply: reply}
}

func (a *accountant) answer(c llmtest.Call) llmtest.Reply {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.silentAfter) > 0 && len(a.answered) >= a.silentAfter[0] && !a.quiet {
		a.silentAfter, a.quiet = a.silentAfter[1:], true
		a.silent <- struct{}{}
	}
	if a.quiet {
		return llmtest.Reply{Hang: true}
	}
	a.answered[c.System+"\n"+c.User]++
	return a.reply(c)
}

func (a *accountant) speak() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.quiet = false
}

func (a *accountant) answers() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.answered)
}

// storedAnswers counts what the database beside a server has of the model's answers.
func storedAnswers(t *testing.T, dir string) (count int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "trawl.db")+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT count(*) FROM answers WHERE key <> 'plan'").Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}

// surviveKills runs an extract and kills its server whenever the model has gone
// silent, once what it said before is stored. In the end no question was answered
// twice, and every answer was paid for once. It returns the data.
func (a *accountant) surviveKills(t *testing.T, body map[string]any) map[string]any {
	t.Helper()
	const tokens = 120 // of an answer
	model := llmtest.New(t)
	model.Handle(a.answer)
	hook := newReceiver(t)
	body["webhook"] = hook.URL
	dir, kills := t.TempDir(), len(a.silentAfter)
	start := func() *node {
		return startNode(t, dir, "TRAWL_API_KEY="+testKey, "TRAWL_CONCURRENCY=8", "TRAWL_LLM_BASE_URL="+model.URL, "TRAWL_LLM_MODEL=small")
	}
	n := start()
	job := n.order(testKey, "/v2/extract", body)
	for range kills {
		receive(t, a.silent, "the model is silent")
		eventually(t, "what was answered is stored", func() bool { return storedAnswers(t, dir) == len(a.answers()) })
		_ = n.stop(syscall.SIGKILL)
		a.speak()
		n = start()
	}
	var view map[string]any
	eventually(t, "the extract is over", func() bool {
		_, view = n.do(http.MethodGet, job, testKey, "")
		return view["status"] != "processing"
	})
	if view["status"] != "completed" {
		t.Fatalf("%v", view)
	}
	given := 0
	for question, times := range a.answers() {
		if given += times; times != 1 {
			t.Errorf("answered %d times: %.200s", times, question)
		}
	}
	credits := (tokens*given + 14) / 15
	if view["tokensUsed"] != float64(tokens*given) || view["creditsUsed"] != float64(credits) {
		t.Errorf("%v tokens and %v credits for %d answers", view["tokensUsed"], view["creditsUsed"], given)
	}
	n.wantPaid(testKey, credits)
	eventually(t, "the end was announced", func() bool {
		events := hook.all()
		return len(events) > 0 && events[len(events)-1].Type == "extract.completed"
	})
	t.Logf("%d kills, %d answers", kills, given)
	data, _ := view["data"].(map[string]any)
	return data
}

func TestExtractSurvivesKills(t *testing.T) {
	t.Parallel()
	const pages = 30
	var schema any
	if err := json.Unmarshal([]byte(itemsSchema), &schema); err != nil {
		t.Fatal(err)
	}
	account := newAccountant(readItem, 0, 7, 20, pages-1)
	data := account.surviveKills(t, map[string]any{"urls": []string{shop(t, pages) + "/items/*"}, "schema": schema})
	items, _ := data["items"].([]any)
	seen := map[any]bool{}
	for _, item := range items {
		seen[item.(map[string]any)["number"]] = true
	}
	if len(items) != pages || len(seen) != pages {
		t.Errorf("%d items, %d different ones", len(items), len(seen))
	}
}

// TestLongExtractSurvivesKills reads pages of several parts by a prompt alone, for
// which a schema has to be made first, and kills the server after some answers, and
// again and again while the pages only wait: that is not held against them.
func TestLongExtractSurvivesKills(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><head><title>Items</title></head><body><main><h1>Items of %s</h1>", r.URL.Path)
		for i := range 600 {
			fmt.Fprintf(w, "<h2>Section %d</h2><p>%s</p>", i, strings.Repeat(fmt.Sprintf("Words of section %d. ", i), 10))
		}
		fmt.Fprint(w, "</main></body></html>")
	}))
	t.Cleanup(site.Close)
	account := newAccountant(func(c llmtest.Call) llmtest.Reply {
		if len(c.Schema) == 0 { // one is to be made
			return llmtest.Text(itemsSchema)
		}
		return llmtest.Text(`{"items":[{"number":1}]}`)
	}, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 6)
	data := account.surviveKills(t, map[string]any{"urls": []string{site.URL + "/a", site.URL + "/b"}, "prompt": "the items"})
	if items, _ := data["items"].([]any); len(items) != 1 {
		t.Errorf("%v", data)
	}
}
