package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/store"
)

const (
	browserPath = "/v2/browser"
	unknownID   = "018f0000-0000-7000-8000-000000000000"
)

var sessionSecret = []byte("what the addresses are signed with")

// browsers is a node that holds sessions without browsers. Its rows are real; its
// sockets say who they are and then repeat what they hear.
type browsers struct {
	store   *store.Store
	now     func() time.Time
	node    string
	address string // where other nodes reach it
	most    int
	over    context.Context // ends with the node
	sockets sync.WaitGroup

	mu      sync.Mutex
	held    map[string]bool
	request trawl.SessionRequest // the last one
	order   trawl.SessionOrder   // the last one
	page    trawl.Replay         // the last one
	scrape  string               // that the next session goes on from
}

// startBrowsing runs a service whose sessions are held by a node of the name.
func startBrowsing(t testing.TB, change ...func(*api.Config)) (*service, *browsers) {
	t.Helper()
	over, end := context.WithCancel(context.Background())
	b := &browsers{node: "one", over: over, held: map[string]bool{}, most: 1000}
	s := start(t, append([]func(*api.Config){func(c *api.Config) {
		b.store, b.now = c.Store.(*store.Store), c.Now
		c.Sessions, c.SessionSecret, c.Node = b, sessionSecret, b.node
		c.View, c.ViewOver = page(http.StatusOK, ""), func(reason string) http.Handler { return page(http.StatusGone, reason) }
	}}, change...)...)
	t.Cleanup(func() { end(); b.sockets.Wait() })
	return s, b
}

// page stands for the page on which sessions are watched, or were.
func page(status int, reason string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "page "+path.Base(r.URL.Path)+" "+reason)
	})
}

func (b *browsers) Create(ctx context.Context, who trawl.Caller, req *trawl.SessionRequest) (trawl.Session, error) {
	now := b.now().UTC()
	x := trawl.Session{
		ID: uuid.Must(uuid.NewV7()).String(), TeamID: who.Team.ID, KeyID: who.Key.ID, State: trawl.SessionActive, Stream: req.StreamWebView,
		ActivityTTL: time.Duration(req.ActivityTTL) * time.Second, Node: b.node, NodeURL: b.address,
		CreatedAt: now, LastActivity: now, ExpiresAt: now.Add(time.Duration(req.TTL) * time.Second),
	}
	if req.Profile != nil {
		x.Profile, x.SaveChanges = req.Profile.Name, req.Profile.Saves()
	}
	b.mu.Lock()
	x.ScrapeID, b.scrape = b.scrape, ""
	b.mu.Unlock()
	if err := b.store.StartSession(ctx, x, b.most); err != nil {
		return x, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held[x.ID], b.request = true, *req
	return x, b.store.BillSession(ctx, x.ID, 0, now)
}

func (b *browsers) Destroy(ctx context.Context, id string) (trawl.Session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.held[id] {
		return trawl.Session{}, fmt.Errorf("%s does not hold %s", b.node, id)
	}
	delete(b.held, id)
	return b.store.EndSession(ctx, id, trawl.EndDeleted, b.now())
}

func (b *browsers) Get(ctx context.Context, id string) (trawl.Session, error) {
	return b.store.Session(ctx, id)
}

func (b *browsers) List(ctx context.Context, teamID, state string) ([]trawl.Session, error) {
	return b.store.Sessions(ctx, teamID, state)
}

func (b *browsers) Holds(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held[id]
}

func (b *browsers) Drive(w http.ResponseWriter, r *http.Request, id string) {
	b.serve(w, r, "drive "+id)
}

func (b *browsers) Watch(w http.ResponseWriter, r *http.Request, id string, interact bool) {
	b.serve(w, r, fmt.Sprintf("watch %s %v", id, interact))
}

func (b *browsers) serve(w http.ResponseWriter, r *http.Request, greeting string) {
	b.sockets.Add(1)
	defer b.sockets.Done()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	defer context.AfterFunc(b.over, func() { _ = conn.Close(4001, trawl.EndStopped) })()
	err = conn.Write(r.Context(), websocket.MessageText, []byte(b.node+" "+greeting))
	for err == nil {
		var kind websocket.MessageType
		var message []byte
		if kind, message, err = conn.Read(r.Context()); err == nil {
			switch string(message) {
			case "end":
				_ = conn.Close(4001, trawl.EndClosed)
				return
			case "cut":
				return
			}
			err = conn.Write(r.Context(), kind, message)
		}
	}
}

// browse starts a session.
func (s *service) browse(fields string) reply {
	s.t.Helper()
	r := s.do(call{path: browserPath, key: s.key, body: "{" + fields + "}"})
	if r.status != http.StatusOK {
		s.t.Fatalf("%d %s", r.status, r.raw)
	}
	return r
}

// TestSession takes a session through its life.
func TestSession(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t)
	started := s.do(call{path: browserPath, key: s.key}).want(t, http.StatusOK) // without a body
	id := started.str("id")
	host := strings.TrimPrefix(s.server.URL, "http://")
	addresses := map[string]string{
		"cdpUrl":                 "ws://" + host + "/devtools/browser/" + trawl.AccessKey(sessionSecret, id, trawl.AccessDrive),
		"liveViewUrl":            s.server.URL + "/live/" + trawl.AccessKey(sessionSecret, id, trawl.AccessWatch),
		"interactiveLiveViewUrl": s.server.URL + "/live/" + trawl.AccessKey(sessionSecret, id, trawl.AccessInteract),
	}
	for field, want := range addresses {
		if started.str(field) != want {
			t.Errorf("%s is %s, want %s", field, started.str(field), want)
		}
	}
	if want := trawl.DefaultSessionRequest(); !reflect.DeepEqual(b.request, want) {
		t.Errorf("without a body: %+v, want %+v", b.request, want)
	}
	if _, there := started.json["warning"]; there || uuid.Validate(id) != nil {
		t.Errorf("%s", started.raw)
	}
	one := s.get(browserPath+"/"+strings.ToUpper(id)).want(t, http.StatusOK)
	created, err := time.Parse("2006-01-02T15:04:05.000Z", one.str("createdAt"))
	if err != nil || one.str("expiresAt") != created.Add(10*time.Minute).Format(trawl.TimeFormat) || one.str("expiresAt") != started.str("expiresAt") {
		t.Errorf("%v: %s", err, one.raw)
	}
	for field, want := range map[string]any{
		"id": id, "status": "active", "streamWebView": true, "lastActivity": one.str("createdAt"), "creditsBilled": 2.0,
		"cdpUrl": addresses["cdpUrl"], "destroyedAt": nil, "reason": nil, "profile": nil,
	} {
		if one.at(field) != want {
			t.Errorf("%s is %v, want %v", field, one.at(field), want)
		}
	}
	s.clock.advance(90 * time.Second)
	ended := s.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	if ms, _ := ended.at("sessionDurationMs").(float64); ms < 90_000 || ms > 150_000 || ended.at("creditsBilled") != 2.0 || len(ended.json) != 3 {
		t.Errorf("%s", ended.raw)
	}
	s.clock.advance(time.Hour)
	again := s.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	if string(again.raw) != string(ended.raw) {
		t.Errorf("repeated: %s, first: %s", again.raw, ended.raw)
	}
	one = s.get(browserPath+"/"+id).want(t, http.StatusOK)
	if one.str("status") != "destroyed" || one.str("reason") != "deleted" || one.str("destroyedAt") == "" || one.str("cdpUrl") != addresses["cdpUrl"] {
		t.Errorf("%s", one.raw)
	}
}

// TestSessionOptions asks for what is not the default, under the other name.
func TestSessionOptions(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t)
	r := s.do(call{path: "/v2/interact", key: s.key, body: `{"ttl":30,"activityTtl":10,"streamWebView":false,"recordSession":true,
		"profile":{"name":"shop/1","saveChanges":false},"origin":"js-sdk","integration":"cli"}`}).want(t, http.StatusOK)
	if r.at("liveViewUrl") != "" || r.at("interactiveLiveViewUrl") != "" || !strings.Contains(r.str("warning"), "recordSession") {
		t.Errorf("%s", r.raw)
	}
	if b.request.TTL != 30 || b.request.ActivityTTL != 10 || b.request.StreamWebView || b.request.Profile.Saves() {
		t.Errorf("%+v", b.request)
	}
	one := s.get("/v2/interact/"+r.str("id")).want(t, http.StatusOK)
	if one.at("streamWebView") != false || one.at("profile") != "shop/1" || one.at("liveViewUrl") != "" {
		t.Errorf("%s", one.raw)
	}
	s.browse(`"recordSession":false,"blockAds":null,"location":null,"ttl":null,"activityTtl":null,"streamWebView":null,"profile":null,"origin":null,"integration":null`)
	if want := trawl.DefaultSessionRequest(); b.request.TTL != want.TTL || b.request.ActivityTTL != want.ActivityTTL || !b.request.StreamWebView {
		t.Errorf("null is not the default: %+v", b.request)
	}
}

func TestSessionList(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	if r := s.get(browserPath).want(t, http.StatusOK); !strings.Contains(string(r.raw), `"sessions":[]`) {
		t.Errorf("%s", r.raw)
	}
	first := s.browse("").str("id")
	s.clock.advance(time.Second)
	second := s.browse("").str("id")
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + first, key: s.key}).want(t, http.StatusOK)
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	ids := func(key, query string) []string {
		t.Helper()
		list := []string{}
		for _, x := range s.do(call{method: http.MethodGet, path: browserPath + query, key: key}).want(t, http.StatusOK).at("sessions").([]any) {
			record := x.(map[string]any)
			if state := strings.TrimPrefix(query, "?status="); state != "" && record["status"] != state {
				t.Errorf("%s among %s", record["status"], query)
			}
			list = append(list, record["id"].(string))
		}
		return list
	}
	for query, want := range map[string][]string{
		"": {second, first}, "?status=active": {second}, "?status=destroyed": {first}, "?status=": {second, first},
	} {
		if got := ids(s.key, query); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
		if got := ids(stranger, query); len(got) != 0 {
			t.Errorf("%q: another team sees %v", query, got)
		}
	}
	for _, status := range []string{"x", "Active", "active,destroyed", "null"} {
		r := s.get(browserPath+"?status="+status).want(t, http.StatusBadRequest)
		if path := firstPath(t, r); r.str("code") != "BAD_REQUEST" || !reflect.DeepEqual(path, []any{"status"}) {
			t.Errorf("%s: %s", status, r.raw)
		}
	}
}

// TestSessionFields holds every field of a session's request against its bounds.
func TestSessionFields(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	name := func(text string) string {
		encoded, _ := json.Marshal(map[string]any{"name": text, "saveChanges": false})
		return string(encoded)
	}
	type path = []any
	for _, row := range []struct {
		field  string
		accept []string
		refuse map[string]path
	}{
		{"ttl", []string{"30", "3600", "3.0e1", "null"}, map[string]path{"29": {"ttl"}, "3601": {"ttl"}, "0": {"ttl"}, "-1": {"ttl"}, `"60"`: {"ttl"}, "60.5": {"ttl"}, "1e400": {"ttl"}, "true": {"ttl"}}},
		{"activityTtl", []string{"10", "3600"}, map[string]path{"9": {"activityTtl"}, "3601": {"activityTtl"}, "0": {"activityTtl"}, "[]": {"activityTtl"}}},
		{"streamWebView", []string{"true", "false"}, map[string]path{"1": {"streamWebView"}, `"true"`: {"streamWebView"}}},
		{"recordSession", []string{"true", "false"}, map[string]path{`"x"`: {"recordSession"}}},
		{"blockAds", []string{"true", "false"}, map[string]path{`"x"`: {"blockAds"}}},
		{"location", []string{`{"country":"GB"}`}, map[string]path{`"GB"`: {"location"}}},
		{"profile", []string{
			name("a"), name(strings.Repeat("a", 128)), name(strings.Repeat("語", 128)), name("../a//b/./%2e%00"), name(".."), name("'; --"), name("שלום 🙂"),
		}, map[string]path{
			name(""): {"profile", "name"}, name(strings.Repeat("a", 129)): {"profile", "name"}, name(strings.Repeat("語", 129)): {"profile", "name"},
			name("a\x00b"): {"profile", "name"}, name("a\nb"): {"profile", "name"}, name("\u0085"): {"profile", "name"}, name("  "): {"profile", "name"},
			`{}`: {"profile", "name"}, `{"name":null}`: {"profile", "name"}, `{"name":1}`: {"profile", "name"}, `"a"`: {"profile"}, `[]`: {"profile"},
			`{"name":"a","saveChanges":"x"}`: {"profile", "saveChanges"}, `{"name":"a","colour":1}`: {"profile", "colour"},
		}},
		{"origin", []string{`"x"`, `""`}, map[string]path{"1": {"origin"}}},
		{"integration", []string{`"x"`}, map[string]path{"{}": {"integration"}}},
		{"colour", nil, map[string]path{"1": {"colour"}, "null": {"colour"}}},
		{"TTL", nil, map[string]path{"30": {"TTL"}}},
	} {
		for _, value := range row.accept {
			s.browse(fmt.Sprintf("%q:%s", row.field, value))
		}
		for value, want := range row.refuse {
			r := s.do(call{path: browserPath, key: s.key, body: fmt.Sprintf("{%q:%s}", row.field, value)})
			if r.status != http.StatusBadRequest || r.str("code") != "BAD_REQUEST" || r.str("error") == "" {
				t.Errorf("%s: %.200s gives %d %.300s", row.field, value, r.status, r.raw)
				continue
			}
			if got := firstPath(t, r); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %.200s blames %v, want %v (%s)", row.field, value, got, want, r.str("error"))
			}
		}
	}
	for _, body := range []string{"[]", "null", `"x"`, "{", "{} {}", `{"ttl":30,"ttl":40}`} {
		s.do(call{path: browserPath, key: s.key, body: body}).want(t, http.StatusBadRequest)
	}
	s.do(call{path: browserPath, key: s.key, header: map[string]string{"Content-Type": "application/json"}}).want(t, http.StatusOK)
}

// TestSessionRefused says what stands between a team and a session.
func TestSessionRefused(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t, func(c *api.Config) { c.Rates[api.ClassBrowser] = 4 })
	one, two := int64(1), int64(2)
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &one})
	_, enough := s.newTeam(trawl.Team{Name: "enough", Credits: &two})
	s.do(call{path: browserPath}).want(t, http.StatusUnauthorized)
	s.do(call{path: browserPath, key: poor}).want(t, http.StatusPaymentRequired)
	s.do(call{path: browserPath, key: enough}).want(t, http.StatusOK)
	s.browse(`"profile":{"name":"p"}`)
	if r := s.do(call{path: browserPath, key: s.key, body: `{"profile":{"name":"p"}}`}).want(t, http.StatusConflict); !strings.Contains(r.str("error"), "saveChanges") {
		t.Errorf("%s", r.raw)
	}
	s.browse(`"profile":{"name":"p","saveChanges":false}`)
	b.most = 2
	if r := s.do(call{path: browserPath, key: s.key}).want(t, http.StatusTooManyRequests); r.header.Get("Retry-After") == "" {
		t.Error("it is not said when to come back")
	}
	b.most = 1000
	r := s.do(call{path: "/v2/interact", key: s.key}).want(t, http.StatusTooManyRequests) // both names are one class
	if r.header.Get("Retry-After") == "" || !strings.Contains(r.str("error"), "browser") {
		t.Errorf("%s", r.raw)
	}
	s.get(browserPath).want(t, http.StatusOK)
}

// TestSessionOfOthers takes the id of one team's session, of none, and no id at all
// to every route that is about one.
func TestSessionOfOthers(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t)
	id := s.browse("").str("id")
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	found := 0
	for _, route := range s.api.Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		if !strings.Contains(pattern, "{id}") || !strings.HasPrefix(pattern, "/v2/browser/") && !strings.HasPrefix(pattern, "/v2/interact/") {
			continue
		}
		found++
		ask := func(id, key string) reply {
			return s.do(call{method: method, path: strings.Replace(pattern, "{id}", id, 1), key: key, body: `{"code":"1"}`})
		}
		if r := ask(id, stranger).want(t, http.StatusForbidden); r.str("error") != "Forbidden." {
			t.Errorf("%s: %s", route, r.raw)
		}
		if r := ask(unknownID, s.key).want(t, http.StatusNotFound); r.str("error") != "Browser session not found." {
			t.Errorf("%s: %s", route, r.raw)
		}
		for _, bad := range []string{"x", "1234", "%2E%2E", id + "%2F", "a%2F" + id} {
			if r := ask(bad, s.key).want(t, http.StatusBadRequest); r.str("code") != "BAD_REQUEST" || len(r.at("details").([]any)) != 1 {
				t.Errorf("%s: %s", route, r.raw)
			}
		}
		ask(id, "").want(t, http.StatusUnauthorized)
	}
	if found != 8 {
		t.Errorf("%d routes are about a session", found)
	}
	if !b.Holds(id) {
		t.Error("a stranger ended the session")
	}
}

// TestNotImplemented says so in words.
func TestNotImplemented(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	id := s.browse("").str("id")
	if r := s.do(call{method: http.MethodGet, path: browserPath + "/" + id + "/replay", key: s.key}).want(t, http.StatusNotImplemented); r.str("code") != "NOT_IMPLEMENTED" || r.str("error") == "" {
		t.Errorf("%s", r.raw)
	}
}

// TestWithoutBrowser has a server that holds no sessions but knows of them.
func TestWithoutBrowser(t *testing.T) {
	t.Parallel()
	s := start(t)
	if r := s.do(call{path: browserPath, key: s.key}).want(t, http.StatusServiceUnavailable); !strings.Contains(r.str("error"), "Chromium") {
		t.Errorf("%s", r.raw)
	}
	x := trawl.Session{ID: uuid.NewString(), TeamID: s.team.ID, Node: "another", CreatedAt: s.clock.now(), ExpiresAt: s.clock.now().Add(time.Hour)}
	if err := s.store.StartSession(t.Context(), x, 1); err != nil {
		t.Fatal(err)
	}
	s.get(browserPath+"/"+x.ID).want(t, http.StatusOK)
	if list := s.get(browserPath).want(t, http.StatusOK).at("sessions").([]any); len(list) != 1 {
		t.Errorf("%v", list)
	}
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + x.ID, key: s.key}).want(t, http.StatusServiceUnavailable) // no way to that node
	for _, access := range []trawl.Access{trawl.AccessDrive, trawl.AccessWatch} {                                            // signed with nothing
		key := trawl.AccessKey(nil, x.ID, access)
		s.get("/devtools/browser/"+key).want(t, http.StatusNotFound)
		s.get("/live/"+key).want(t, http.StatusNotFound)
	}
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	if r := s.get(browserPath+"/profiles").want(t, http.StatusOK); !strings.Contains(string(r.raw), `"profiles":[]`) {
		t.Errorf("%s", r.raw)
	}
	names := []string{"a", "a/b", "..", ".", "a//b", "/a/", "../../v2/crawl", "100%", "%2F", "a?b#c", "a b+c", "שלום 🙂", strings.Repeat("語", 128), "profiles", "{id}"}
	for _, name := range names {
		s.saveProfile(name)
	}
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	remove := func(key, name string) reply {
		escaped := strings.ReplaceAll(url.PathEscape(name), ".", "%2E")
		return s.do(call{method: http.MethodDelete, path: browserPath + "/profiles/" + escaped, key: key})
	}
	for _, name := range names {
		remove(stranger, name).want(t, http.StatusNotFound)
		list := s.get("/v2/interact/profiles").want(t, http.StatusOK).at("profiles").([]any)
		i := slices.IndexFunc(list, func(p any) bool { return p.(map[string]any)["name"] == name })
		if i < 0 {
			t.Fatalf("%q is not listed", name)
		}
		record := list[i].(map[string]any)
		if record["size"] != 7.0 || record["saving"] != false || record["createdAt"] == "" || record["savedAt"] == "" || len(record) != 5 {
			t.Errorf("%v", record)
		}
		if r := remove(s.key, name).want(t, http.StatusOK); len(r.json) != 1 {
			t.Errorf("%s", r.raw)
		}
		remove(s.key, name).want(t, http.StatusNotFound)
	}
	if r := s.get(browserPath + "/profiles"); !strings.Contains(string(r.raw), `"profiles":[]`) {
		t.Errorf("%s", r.raw)
	}
	for _, bad := range []string{"a%00b", "%FF", "%0A", strings.Repeat("a", 129), "%20"} {
		r := s.do(call{method: http.MethodDelete, path: browserPath + "/profiles/" + bad, key: s.key}).want(t, http.StatusBadRequest)
		if path := firstPath(t, r); !reflect.DeepEqual(path, []any{"name"}) {
			t.Errorf("%s: %s", bad, r.raw)
		}
	}
	s.saveProfile("busy")
	id := s.browse(`"profile":{"name":"busy"}`).str("id")
	if list := s.get(browserPath + "/profiles").at("profiles").([]any); list[0].(map[string]any)["saving"] != true {
		t.Errorf("%v", list)
	}
	remove(s.key, "busy").want(t, http.StatusConflict)
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	remove(s.key, "busy").want(t, http.StatusOK)
}

// saveProfile saves seven bytes under a name.
func (s *service) saveProfile(name string) {
	s.t.Helper()
	ctx := s.t.Context()
	for _, err := range []error{
		s.store.TakeProfile(ctx, s.team.ID, name, "holder", "node"), s.store.SaveProfile(ctx, s.team.ID, name, "holder", []byte("profile")),
		s.store.FreeProfile(ctx, s.team.ID, name, "holder"),
	} {
		if err != nil {
			s.t.Fatal(name, err)
		}
	}
}

// TestEscapedPaths sees that what is escaped in a segment stays in it.
func TestEscapedPaths(t *testing.T) {
	t.Parallel()
	s := start(t)
	for path, status := range map[string]int{
		"/v2%2Fteam/activity": 404, "/v2/team%2Factivity": 404, "/%2E/healthz": 404, "/v2/%2E%2E/healthz": 404, "/%2Fhealthz": 404,
		"/v2/scrape/%2E%2E": 400, "/v2/files/%2E%2E%2Fx.png": 404, "/v2/files/..": 404, "/v2/browser/profiles/../x": 404, "/v2/browser/%2Fprofiles": 400,
		"/v2/browser/profiles/a/b": 404, "/live/%2E%2E": 404, "/live/view.js%2F": 404, "/devtools/browser/%2F": 404,
	} {
		if r := s.get(path); r.status != status {
			t.Errorf("%s: %d, want %d: %s", path, r.status, status, r.raw)
		}
	}
}
