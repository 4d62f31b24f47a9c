package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/mcp"
)

// withTools has a service offer tools; change may alter how.
func withTools(t testing.TB, change ...func(*mcp.Config)) func(*api.Config) {
	return func(c *api.Config) {
		c.MCP = func(s *api.Server) api.MCP {
			config := mcp.Config{
				API: mcp.InProcess{Handler: s}, URL: &url.URL{Scheme: "http", Host: "localhost"},
				Text: 100_000, Sessions: 100, Idle: time.Hour, Draining: s.Draining(),
			}
			for _, f := range change {
				f(&config)
			}
			tools := mcp.New(config)
			t.Cleanup(tools.Close)
			return tools
		}
	}
}

// keyed sends a key with every request.
type keyed struct {
	http.RoundTripper
	key string
}

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return k.RoundTripper.RoundTrip(r)
}

// model is a client of the protocol that uses the tools of a service.
type model struct {
	t testing.TB
	*sdk.ClientSession
	progress chan *sdk.ProgressNotificationParams
}

func (s *service) model() *model {
	s.t.Helper()
	m := &model{t: s.t, progress: make(chan *sdk.ProgressNotificationParams, 1000)}
	client := sdk.NewClient(&sdk.Implementation{Name: "Test Model", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { m.progress <- r.Params },
	})
	transport := &sdk.StreamableClientTransport{
		Endpoint: s.server.URL + "/mcp", HTTPClient: &http.Client{Transport: keyed{s.server.Client().Transport, s.key}},
	}
	session, err := client.Connect(testtime.Context(s.t), transport, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	m.ClientSession = session
	s.t.Cleanup(func() { _ = session.Close() })
	return m
}

// use calls a tool, which must succeed. Text and data of its result say the same.
func (m *model) use(name string, args map[string]any) map[string]any {
	m.t.Helper()
	result, text := m.try(name, args)
	if result.IsError {
		m.t.Fatalf("%s: %s", name, text)
	}
	var told map[string]any
	if err := json.Unmarshal([]byte(text), &told); err != nil {
		m.t.Fatal(err)
	}
	if fmt.Sprint(told) != fmt.Sprint(result.StructuredContent) {
		m.t.Errorf("%s: text and data differ", name)
	}
	return told
}

func (m *model) try(name string, args map[string]any) (*sdk.CallToolResult, string) {
	m.t.Helper()
	result, err := m.CallTool(testtime.Context(m.t), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	return result, result.Content[0].(*sdk.TextContent).Text
}

func (m *model) names() []string {
	m.t.Helper()
	list, err := m.ListTools(testtime.Context(m.t), nil)
	if err != nil {
		m.t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestToolsAreThoseThatWork(t *testing.T) {
	t.Parallel()
	plain := start(t, withTools(t)).model().names()
	searching := start(t, withTools(t, func(c *mcp.Config) { c.Search = true })).model().names()
	has := func(names []string, name string) bool {
		return strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ")
	}
	for _, name := range []string{"firecrawl_scrape", "firecrawl_map", "firecrawl_crawl", "firecrawl_check_crawl_status", "firecrawl_extract", "firecrawl_credit_usage", "trawl_crawl_explain"} {
		if !has(plain, name) {
			t.Errorf("%s is missing in %v", name, plain)
		}
	}
	if has(plain, "firecrawl_search") || !has(searching, "firecrawl_search") {
		t.Error("search is not offered exactly where there is a search engine")
	}
	if has(plain, "trawl_browser_open") {
		t.Error("remote browsers are offered where there are none")
	}
}

func TestToolScrape(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t))
	m := s.model()
	posted := s.scrape("/", `"formats":["markdown","links"]`).want(t, http.StatusOK)
	doc := m.use("firecrawl_scrape", map[string]any{"url": s.site.URL + "/", "formats": []string{"markdown", "links"}})
	if doc["markdown"] != posted.str("data", "markdown") {
		t.Errorf("the tool says %q, the API %q", doc["markdown"], posted.str("data", "markdown"))
	}
	if fmt.Sprint(doc["links"]) != fmt.Sprint(posted.at("data", "links")) {
		t.Errorf("links %v", doc["links"])
	}
	usage := m.use("firecrawl_credit_usage", nil)
	if usage["remainingCredits"] == nil {
		t.Errorf("credits: %v", usage)
	}
	if periods := m.use("firecrawl_credit_usage", map[string]any{"byApiKey": true}); periods["periods"] == nil {
		t.Errorf("history: %v", periods)
	}
}

func TestToolErrors(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t))
	m := s.model()
	for name, c := range map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"missing":          {"firecrawl_scrape", nil, `"url" is missing`},
		"wrong type":       {"firecrawl_scrape", map[string]any{"url": 5}, "url: expected string"},
		"unknown argument": {"firecrawl_scrape", map[string]any{"url": s.site.URL, "colour": "red"}, `no argument "colour"`},
		"options":          {"firecrawl_scrape", map[string]any{"url": s.site.URL, "formats": []string{"json"}, "jsonOptions": 7}, `"jsonOptions" must be an object`},
		"formats":          {"firecrawl_scrape", map[string]any{"url": s.site.URL, "formats": "markdown"}, `"formats" must be a list`},
		"unknown format":   {"firecrawl_scrape", map[string]any{"url": s.site.URL, "formats": []string{"poem"}}, "formats"},
		"limit":            {"firecrawl_scrape", map[string]any{"url": s.site.URL, "maxCharacters": 5}, "maxCharacters"},
		"no id":            {"firecrawl_check_crawl_status", map[string]any{"id": "../../v2/team"}, "id"},
		"unknown id":       {"trawl_crawl_explain", map[string]any{"id": "00000000-0000-4000-8000-000000000000"}, "not found"},
		"unreachable":      {"firecrawl_scrape", map[string]any{"url": "http://127.0.0.1:2/"}, "SCRAPE"},
		"webhook":          {"firecrawl_crawl", map[string]any{"url": s.site.URL, "webhook": 1}, `"webhook" must be an address`},
		"view":             {"firecrawl_credit_usage", map[string]any{"view": "current", "byApiKey": true}, "historical only"},
	} {
		result, text := m.try(c.tool, c.args)
		if !result.IsError || !strings.Contains(strings.ToLower(text), strings.ToLower(c.want)) {
			t.Errorf("%s: error %v, %q; want %q", name, result.IsError, text, c.want)
		}
	}
	if _, err := m.CallTool(testtime.Context(t), &sdk.CallToolParams{Name: "firecrawl_fly"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("unknown tool: %v", err)
	}
}

// linked serves a site of so many pages that link to each other in a row.
func (s *service) linked(count int, wait <-chan struct{}) {
	for i := range count {
		s.site.mux.HandleFunc(fmt.Sprintf("/page/%d", i), func(w http.ResponseWriter, r *http.Request) {
			if wait != nil && i > 0 {
				select {
				case <-wait:
				case <-r.Context().Done():
				}
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>Page %d</title><main><h1>Page %d</h1><p>%s</p><a href="/page/%d">on</a></main>`, i, i, strings.Repeat("Many words. ", 500), i+1)
		})
	}
}

func TestToolCrawl(t *testing.T) {
	t.Parallel()
	s := startWorking(t, withTools(t))
	s.linked(3, nil)
	m := s.model()
	params := &sdk.CallToolParams{Name: "firecrawl_crawl", Arguments: map[string]any{"url": s.site.URL + "/page/0", "limit": 3, "crawlEntireDomain": true, "maxCharacters": 4000}}
	params.SetProgressToken("crawl")
	result, err := m.CallTool(testtime.Context(t), params)
	if err != nil || result.IsError {
		t.Fatalf("crawl: %v, %v", err, result)
	}
	crawl := result.StructuredContent.(map[string]any)
	if crawl["status"] != "completed" || crawl["completed"] != 3.0 || crawl["message"] != nil {
		t.Errorf("crawl: %v", crawl)
	}
	if last := testtime.Receive(t, "progress", m.progress); last.ProgressToken != "crawl" {
		t.Errorf("progress: %v", last)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if len(text) > 4000 {
		t.Errorf("the result has %d characters", len(text))
	}
	cut, _ := crawl["truncated"].(map[string]any)
	id, _ := crawl["id"].(string)
	if list, _ := cut["resources"].([]any); len(list) != 1 || list[0] != "trawl://crawl/"+id+"/pages" {
		t.Fatalf("truncated: %v", cut)
	}
	index := m.resource("trawl://crawl/" + id + "/pages")
	for page := range 3 {
		uri := fmt.Sprintf("trawl://crawl/%s/pages/%d/1", id, page+1)
		if !strings.Contains(index, uri) || !strings.Contains(m.resource(uri), "Many words. Many words.") {
			t.Errorf("page %d is not to be had by %s", page+1, index)
		}
	}
	status := m.use("firecrawl_check_crawl_status", map[string]any{"id": id, "skip": 2})
	if docs, _ := status["data"].([]any); len(docs) != 1 || status["id"] != id {
		t.Errorf("status: %d documents", len(docs))
	}
	explained := m.use("trawl_crawl_explain", map[string]any{"id": id, "fate": "scraped"})
	if fmt.Sprint(explained) == "" || explained["success"] != true {
		t.Errorf("explained: %v", explained)
	}
}

func (m *model) resource(uri string) string {
	m.t.Helper()
	found, err := m.ReadResource(testtime.Context(m.t), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		m.t.Fatalf("%s: %v", uri, err)
	}
	return found.Contents[0].Text
}

func TestToolCrawlCancelled(t *testing.T) {
	t.Parallel()
	s := startWorking(t, withTools(t))
	release := make(chan struct{})
	defer close(release)
	s.linked(3, release)
	m := s.model()
	ctx, cancel := context.WithCancel(testtime.Context(t))
	done := make(chan error, 1)
	go func() {
		_, err := m.CallTool(ctx, &sdk.CallToolParams{Name: "firecrawl_crawl", Arguments: map[string]any{"url": s.site.URL + "/page/0", "limit": 3, "crawlEntireDomain": true}})
		done <- err
	}()
	testtime.Until(t, "the crawl waits for its second page", func() bool { return s.site.count("/page/1") > 0 })
	cancel()
	if err := testtime.Receive(t, "end of the call", done); err == nil {
		t.Error("the call succeeded")
	}
	testtime.Until(t, "the crawl is cancelled", func() bool {
		jobs, _ := s.get("/v2/team/jobs").at("data").([]any)
		return len(jobs) == 1 && strings.Contains(fmt.Sprint(jobs[0]), "cancelled")
	})
}

func TestToolResultsAreCut(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t))
	var long strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&long, "<p>Paragraph %d of a long page.</p>", i)
	}
	s.site.page("/long", "text/html", "<main><h1>Long</h1>"+long.String()+"</main>")
	m := s.model()
	args := map[string]any{"url": s.site.URL + "/long", "onlyMainContent": false}
	args["maxCharacters"] = 20_000_000
	whole, _ := m.use("firecrawl_scrape", args)["markdown"].(string)
	delete(args, "maxCharacters")
	doc := m.use("firecrawl_scrape", args)
	short, _ := doc["markdown"].(string)
	if len(short) > 100_000 || len(short) < 80_000 || !strings.HasPrefix(whole, short) {
		t.Fatalf("cut to %d of %d characters", len(short), len(whole))
	}
	if doc["metadata"].(map[string]any)["scrapeId"] == nil {
		t.Error("short members were cut")
	}
	rest, _ := doc["truncated"].(map[string]any)["resources"].([]any)
	var read strings.Builder
	for _, uri := range rest {
		part, _, _ := strings.Cut(m.resource(uri.(string)), "\n\n[Part ")
		read.WriteString(part)
	}
	if read.String() != whole {
		t.Errorf("the parts have %d characters, the page %d", read.Len(), len(whole))
	}
	strangers := s.in(t)
	_, strangers.key = s.newTeam(trawl.Team{Name: "strangers"})
	if _, err := strangers.model().ReadResource(testtime.Context(t), &sdk.ReadResourceParams{URI: rest[0].(string)}); err == nil {
		t.Error("another team reads it")
	}
	for _, uri := range []string{"trawl://scrape/x/markdown/1", rest[0].(string) + "00", "trawl://nothing", "trawl://crawl/a/pages?skip=-1", "trawl://crawl/a/pages/0/1"} {
		if _, err := m.ReadResource(testtime.Context(t), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
	}
}

func TestToolPrompts(t *testing.T) {
	t.Parallel()
	m := start(t, withTools(t)).model()
	list, err := m.ListPrompts(testtime.Context(t), nil)
	if err != nil || len(list.Prompts) != 4 {
		t.Fatalf("prompts: %v, %v", list, err)
	}
	for _, p := range list.Prompts {
		args := map[string]string{}
		for _, a := range p.Arguments {
			args[a.Name] = "value of " + a.Name
		}
		got, err := m.GetPrompt(testtime.Context(t), &sdk.GetPromptParams{Name: p.Name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		for _, value := range args {
			if !strings.Contains(text, value) {
				t.Errorf("%s lacks %q: %s", p.Name, value, text)
			}
		}
		if strings.Contains(text, "{") {
			t.Errorf("%s has a hole: %s", p.Name, text)
		}
		if _, err := m.GetPrompt(testtime.Context(t), &sdk.GetPromptParams{Name: p.Name}); err == nil {
			t.Errorf("%s goes without arguments", p.Name)
		}
	}
}

// Messages of the protocol, as clients before the version without sessions send them.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`

// message sends one message to a session, if there is one.
func (s *service) message(session, body string, header ...string) reply {
	s.t.Helper()
	c := call{path: "/mcp", key: s.key, body: body, header: map[string]string{"Accept": "application/json, text/event-stream"}}
	if session != "" {
		c.header["Mcp-Session-Id"] = session
	}
	for i := 0; i < len(header); i += 2 {
		c.header[header[i]] = header[i+1]
		if header[i] == "Authorization" {
			c.key = ""
		}
	}
	return s.do(c)
}

func (s *service) begin() string {
	s.t.Helper()
	r := s.message("", initialize)
	if r.status != http.StatusOK {
		s.t.Fatalf("initialize: %d %s", r.status, r.raw)
	}
	id := r.header.Get("Mcp-Session-Id")
	s.message(id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return id
}

func TestToolSessions(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t, func(c *mcp.Config) { c.Sessions = 5 }))
	first := s.begin()
	_, stranger := s.newTeam(trawl.Team{Name: "strangers"})
	if r := s.message(first, ping); r.status != http.StatusOK || !strings.Contains(string(r.raw), `"result":{}`) {
		t.Fatalf("ping: %d %s", r.status, r.raw)
	}
	for name, c := range map[string]struct {
		status int
		reply  reply
	}{
		"no session":          {http.StatusBadRequest, s.message("", ping)},
		"unknown session":     {http.StatusNotFound, s.message("nobody", ping)},
		"another team's":      {http.StatusNotFound, s.message(first, ping, "Authorization", "Bearer "+stranger)},
		"no JSON":             {http.StatusBadRequest, s.message(first, "{bad")},
		"no JSON at first":    {http.StatusBadRequest, s.message("", "{bad")},
		"batch at first":      {http.StatusBadRequest, s.message("", "["+initialize+"]")},
		"too large":           {http.StatusRequestEntityTooLarge, s.message(first, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"`+strings.Repeat("x", 11<<20)+`"}}`)},
		"too large at first":  {http.StatusRequestEntityTooLarge, s.message("", strings.Replace(initialize, "raw", strings.Repeat("x", 11<<20), 1))},
		"version":             {http.StatusBadRequest, s.message(first, ping, "Mcp-Protocol-Version", "1999-01-01")},
		"accepts no events":   {http.StatusBadRequest, s.message(first, ping, "Accept", "image/png")},
		"page of strangers":   {http.StatusForbidden, s.message(first, ping, "Origin", "http://evil.example.com")},
		"name of strangers":   {http.StatusForbidden, s.message(first, ping, "Host", "evil.example.com")},
		"no message but text": {http.StatusBadRequest, s.message(first, `"hello"`)},
	} {
		if c.reply.status != c.status || c.reply.json["jsonrpc"] != "2.0" || c.reply.at("error", "message") == nil {
			t.Errorf("%s: %d %.300s; want %d", name, c.reply.status, c.reply.raw, c.status)
		}
	}
	if r := s.message(first, ping, "Authorization", "Bearer fc-wrong"); r.status != http.StatusUnauthorized || r.header.Get("WWW-Authenticate") == "" {
		t.Errorf("wrong key: %d", r.status)
	}
	if r := s.message(first, ping, "Origin", "http://localhost:6274"); r.status != http.StatusOK {
		t.Errorf("a page of this machine: %d", r.status)
	}
}

// TestToolSessionsAreBounded opens more sessions than a team may have, at the same time.
func TestToolSessionsAreBounded(t *testing.T) {
	t.Parallel()
	const most = 20
	s := start(t, withTools(t, func(c *mcp.Config) { c.Sessions = most }))
	var mu sync.Mutex
	var open []string
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				r := s.message("", initialize)
				mu.Lock()
				switch {
				case r.status == http.StatusOK:
					open = append(open, r.header.Get("Mcp-Session-Id"))
				case r.status != http.StatusTooManyRequests || r.at("error", "message") == nil:
					t.Errorf("%d %s", r.status, r.raw)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if len(open) != most {
		t.Fatalf("%d sessions were opened", len(open))
	}
	if r := s.do(call{method: http.MethodDelete, path: "/mcp", key: s.key, header: map[string]string{"Mcp-Session-Id": open[0]}}); r.status != http.StatusNoContent {
		t.Errorf("DELETE: %d", r.status)
	}
	if r := s.message(open[0], ping); r.status != http.StatusNotFound {
		t.Errorf("a session that has ended: %d", r.status)
	}
	s.begin()
}

// TestToolSessionsAreSmall opens sessions that list the tools and then do nothing. It is
// not parallel: others would be measured with it.
func TestToolSessionsAreSmall(t *testing.T) {
	const count, most = 200, 20 << 20
	s := start(t, withTools(t, func(c *mcp.Config) { c.Sessions = 2 * count }))
	taken := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc + stats.StackInuse
	}
	list := func() { s.message(s.begin(), `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`) }
	list() // makes the tools
	before := taken()
	for range count {
		list()
	}
	after := taken()
	t.Logf("%d sessions take %.1f MB", count, (float64(after)-float64(before))/1e6)
	if after > before+most {
		t.Errorf("%d sessions take %d bytes", count, after-before)
	}
}

func TestToolSessionsExpire(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t, func(c *mcp.Config) { c.Sessions, c.Idle = 1, 10*time.Millisecond }))
	s.begin()
	testtime.Until(t, "there is room for another session", func() bool { return s.message("", initialize).status == http.StatusOK })
}

// TestToolStreamsAreResumed drops the answer to a call before it is complete, and reads
// it on another connection.
func TestToolStreamsAreResumed(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t))
	release := make(chan struct{})
	s.site.mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		<-release
		_, _ = io.WriteString(w, "<h1>Slow</h1>")
	})
	session := s.begin()
	ctx, drop := context.WithCancel(testtime.Context(t))
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"firecrawl_scrape","arguments":{"url":%q}}}`, s.site.URL+"/slow")
	dropped := s.stream(ctx, http.MethodPost, session, body, "")
	event := readUntil(t, dropped, "id: ")
	testtime.Until(t, "the page is requested", func() bool { return s.site.count("/slow") > 0 })
	drop()
	dropped.Close()
	close(release)
	resumed := s.stream(testtime.Context(t), http.MethodGet, session, "", strings.TrimSpace(strings.TrimPrefix(event, "id: ")))
	defer resumed.Close()
	if data := readUntil(t, resumed, `data: {"jsonrpc"`); !strings.Contains(data, "# Slow") {
		t.Errorf("resumed: %s", data)
	}
}

// stream opens a stream of events.
func (s *service) stream(ctx context.Context, method, session, body, last string) io.ReadCloser {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.server.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + s.key, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25",
	} {
		r.Header.Set(name, value)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	response, err := s.server.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s", method, response.Status)
	}
	return response.Body
}

// readUntil returns the first line with the prefix.
func readUntil(t *testing.T, from io.Reader, prefix string) string {
	t.Helper()
	var line strings.Builder
	for b := make([]byte, 1); ; {
		if _, err := from.Read(b); err != nil {
			t.Fatalf("no line %q: %v", prefix, err)
		}
		if b[0] != '\n' {
			line.WriteByte(b[0])
			continue
		}
		if strings.HasPrefix(line.String(), prefix) {
			return line.String()
		}
		line.Reset()
	}
}

// TestToolStreamsEndWithTheServer has a stream open when the server is about to stop.
func TestToolStreamsEndWithTheServer(t *testing.T) {
	t.Parallel()
	s := start(t, withTools(t))
	idle := s.stream(testtime.Context(t), http.MethodGet, s.begin(), "", "")
	defer idle.Close()
	s.api.Drain()
	if _, err := io.Copy(io.Discard, idle); err != nil {
		t.Error(err)
	}
}

func TestToolKeyInPath(t *testing.T) {
	t.Parallel()
	for on, want := range map[bool]int{true: http.StatusOK, false: http.StatusNotFound} {
		s := start(t, withTools(t), func(c *api.Config) { c.KeyInPath = on })
		r := s.do(call{path: "/" + s.key + "/mcp", body: initialize, header: map[string]string{"Accept": "application/json, text/event-stream"}})
		if r.status != want {
			t.Errorf("key in path %v: %d %s", on, r.status, r.raw)
		}
	}
	s := start(t, withTools(t), func(c *api.Config) { c.KeyInPath = true })
	if r := s.do(call{path: "/fc-wrong/mcp", body: initialize}); r.status != http.StatusUnauthorized {
		t.Errorf("wrong key in path: %d", r.status)
	}
}
