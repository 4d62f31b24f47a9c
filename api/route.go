package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
)

// Classes of endpoints for the rate limits.
const (
	ClassScrape  = "scrape"
	ClassCrawl   = "crawl" // everything that starts a job
	ClassExtract = "extract"
	ClassBrowser = "browser" // everything that starts a browser
	ClassStatus  = "status"
)

// tagService marks what every server has, whatever else it does.
const tagService = "Service"

// route is one line of the table: where, for whom and at what price.
type route struct {
	method, path string
	summary      string
	tag          string
	class        string // of the rate limit; empty means that no key is needed
	credits      int64  // that the team must have left
}

func (r route) pattern() string { return r.method + " " + r.path }
func (r route) public() bool    { return r.class == "" }

// entry is a line of the table and what its handler implies.
type entry struct {
	route
	follows  string // kind of the jobs that can be followed here, if any
	bodyless bool   // an empty body stands for an empty object
	upload   bool   // the body is not JSON, and is left to the handler
	v1       bool   // it is a route of the first version, which is translated
	accepts  bool   // the answer depends on what the request accepts
	page     bool   // it is documentation or another name of a route, and not in the OpenAPI document
}

// register is the whole API on one screen, but for the sessions below it.
func (s *Server) register() {
	get, post, put, patch, del := http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	crawl, batch := trawl.KindCrawl, trawl.KindBatch

	addForwarded(s, route{post, "/v2/scrape", "Scrape a page", "Scrape", ClassScrape, 1}, s.scraped, s.scrape)
	add(s, route{get, "/v2/scrape/{id}", "Read a past scrape", "Scrape", ClassStatus, 0}, s.pastScrape)
	addFiles(s, route{get, "/v2/files/{name}", "A picture or PDF that a scrape made", "Scrape", "", 0})

	addUpload(s, route{post, "/v2/parse", "Parse a file", "Parse", ClassScrape, 1}, s.parse)
	add(s, route{post, "/v2/parse/upload-url", "Where to send a file", "Parse", ClassScrape, 1}, s.uploadURL)
	addReceiver(s, route{put, "/v2/parse/upload/{id}", "Send a file", "Parse", "", 0})
	add(s, route{get, "/v2/parse/formats", "Files that can be parsed", "Parse", ClassStatus, 0}, s.parseFormats)

	add(s, route{post, "/v2/batch/scrape", "Scrape many pages", "Batch", ClassCrawl, 1}, s.startBatch)
	addFollowed(s, route{get, "/v2/batch/scrape/{id}", "Read a batch", "Batch", ClassStatus, 0}, batch)
	add(s, route{del, "/v2/batch/scrape/{id}", "Cancel a batch", "Batch", ClassStatus, 0}, s.cancel(batch))
	add(s, route{get, "/v2/batch/scrape/{id}/errors", "Pages of a batch that failed", "Batch", ClassStatus, 0}, s.jobErrors(batch))
	add(s, route{get, "/v2/batch/scrape/{id}/webhooks", "Events sent for a batch", "Batch", ClassStatus, 0}, s.deliveries(batch))
	add(s, route{post, "/v2/batch/scrape/{id}/webhooks/replay", "Send events of a batch again", "Batch", ClassStatus, 0}, s.replay(batch))

	add(s, route{post, "/v2/crawl", "Crawl a site", "Crawl", ClassCrawl, 1}, s.startCrawl)
	add(s, route{post, "/v2/crawl/params-preview", "Options for a crawl, from words", "Crawl", ClassCrawl, 0}, s.previewCrawl)
	add(s, route{get, "/v2/crawl/active", "Crawls that run", "Crawl", ClassStatus, 0}, s.activeCrawls)
	add(s, route{get, "/v2/crawl/ongoing", "Crawls that run", "Crawl", ClassStatus, 0}, s.activeCrawls)
	addFollowed(s, route{get, "/v2/crawl/{id}", "Read a crawl", "Crawl", ClassStatus, 0}, crawl)
	add(s, route{del, "/v2/crawl/{id}", "Cancel a crawl", "Crawl", ClassStatus, 0}, s.cancel(crawl))
	add(s, route{get, "/v2/crawl/{id}/errors", "Pages of a crawl that failed", "Crawl", ClassStatus, 0}, s.jobErrors(crawl))
	add(s, route{get, "/v2/crawl/{id}/explain", "What became of every address", "Crawl", ClassStatus, 0}, s.explain)
	add(s, route{get, "/v2/crawl/{id}/webhooks", "Events sent for a crawl", "Crawl", ClassStatus, 0}, s.deliveries(crawl))
	add(s, route{post, "/v2/crawl/{id}/webhooks/replay", "Send events of a crawl again", "Crawl", ClassStatus, 0}, s.replay(crawl))
	add(s, route{post, "/v2/map", "List the pages of a site", "Map", ClassScrape, 1}, s.mapSite)
	add(s, route{post, "/v2/search", "Search the web", "Search", ClassScrape, trawl.SearchCredits}, s.search)
	add(s, route{post, "/v2/search/{id}/feedback", "Say how good a search was", "Search", ClassStatus, 0}, s.searchFeedback)

	add(s, route{post, "/v2/extract", "Extract data from pages", "Extract", ClassExtract, trawl.ExtractReserve}, s.startExtract)
	add(s, route{get, "/v2/extract/{id}", "Read an extract", "Extract", ClassStatus, 0}, s.extractStatus)
	add(s, route{del, "/v2/extract/{id}", "Cancel an extract", "Extract", ClassStatus, 0}, s.cancel(trawl.KindExtract))

	s.registerMonitors()
	s.registerSessions()

	add(s, route{get, "/v2/team/credit-usage", "Credits left", "Team", ClassStatus, 0}, s.creditUsage)
	add(s, route{get, "/v2/team/credit-usage/historical", "Credits used by month", "Team", ClassStatus, 0}, s.creditHistory)
	add(s, route{get, "/v2/team/token-usage", "Tokens left", "Team", ClassStatus, 0}, s.tokenUsage)
	add(s, route{get, "/v2/team/token-usage/historical", "Tokens used by month", "Team", ClassStatus, 0}, s.tokenHistory)
	add(s, route{get, "/v2/team/queue-status", "What the team has running", "Team", ClassStatus, 0}, s.queueStatus)
	add(s, route{get, "/v2/team/activity", "What the team did lately", "Team", ClassStatus, 0}, s.activity)
	add(s, route{get, "/v2/team/usage", "Credits used by day, key and endpoint", "Team", ClassStatus, 0}, s.usage)
	add(s, route{get, "/v2/team/jobs", "Jobs of the team", "Team", ClassStatus, 0}, s.jobList)
	add(s, route{get, "/v2/team/jobs/{id}", "What a job was asked for", "Team", ClassStatus, 0}, s.jobOrder)
	add(s, route{get, "/v2/team/webhook-secret", "What events are signed with", "Team", ClassStatus, 0}, s.webhookSecret)
	add(s, route{post, "/v2/team/webhook-secret", "Sign events with another secret", "Team", ClassStatus, 0}, s.rotateWebhookSecret)
	add(s, route{get, "/v2/team", "Whose key this is", "Team", ClassStatus, 0}, s.account)
	add(s, route{get, "/v2/team/api-keys", "Keys of the team", "Team", ClassStatus, 0}, s.keys)
	add(s, route{post, "/v2/team/api-keys", "Create a key", "Team", ClassStatus, 0}, s.createKey)
	add(s, route{patch, "/v2/team/api-keys/{id}", "Change a key", "Team", ClassStatus, 0}, s.changeKey)
	add(s, route{del, "/v2/team/api-keys/{id}", "Revoke a key", "Team", ClassStatus, 0}, s.revokeKey)
	add(s, route{get, "/v2/concurrency-check", "Slots in use", "Team", ClassStatus, 0}, s.concurrencyCheck)

	add(s, route{post, "/v2/feedback", "Say how good a result was", "Team", ClassStatus, 0}, s.feedback)
	add(s, route{post, "/v2/support/ask", "Ask what became of a request", "Team", ClassStatus, 0}, s.ask)
	add(s, route{post, "/v2/support/docs-search", "Ask the documentation", "Team", ClassStatus, 0}, s.searchDocs)

	add(s, route{get, "/v2/server", "How the server is doing", "Server", ClassStatus, 0}, s.server)
	add(s, route{get, "/v2/server/checks", "Check the installation", "Server", ClassStatus, 0}, s.serverChecks)
	add(s, route{get, "/v2/server/refusals", "Targets that were refused", "Server", ClassStatus, 0}, s.serverRefusals)
	add(s, route{get, "/v2/server/teams", "Teams of the server", "Server", ClassStatus, 0}, s.teams)
	add(s, route{get, "/v2/server/feedback", "Feedback of all teams", "Server", ClassStatus, 0}, s.feedbackList)

	add(s, route{get, "/{$}", "Where to read on", tagService, "", 0}, s.index)
	add(s, route{get, "/healthz", "Is the process alive", tagService, "", 0}, s.healthz)
	add(s, route{get, "/readyz", "Can requests be served", tagService, "", 0}, s.readyz)
	addRaw(s, route{get, "/openapi.json", "This document", tagService, "", 0}, s.openAPI)
	addRaw(s, route{get, docsRoot, "This document for people", tagService, "", 0}, s.docs)
	addPage(s, docsRoot+"/search", s.docsSearch)
	addPage(s, docsRoot+"/{page...}", s.docsPage)
	s.registerConsole()
	s.registerV1()
	s.registerMCP()
	if !s.HideMetrics {
		addRaw(s, route{get, "/metrics", "Prometheus metrics", tagService, "", 0}, s.serveMetrics)
	}
}

// registerMonitors is the part about monitors.
func (s *Server) registerMonitors() {
	get, post, patch, del := http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	const one, check = "/v2/monitor/{id}", "/v2/monitor/{id}/checks/{checkId}"
	add(s, route{post, "/v2/monitor", "Watch pages, a site or a search", "Monitor", ClassCrawl, 1}, s.createMonitor)
	addPlain(s, route{post, "/v2/monitor/email/confirm", "Confirm that mail of a monitor is wanted", "Monitor", "", 0}, http.StatusOK, subscriptionText, s.subscription(Subscriptions.Confirm))
	addPlain(s, route{post, "/v2/monitor/email/unsubscribe", "Have no more mail of a monitor", "Monitor", "", 0}, http.StatusOK, subscriptionText, s.subscription(Subscriptions.Unsubscribe))
	addPage(s, "/monitor/confirm", s.subscriptionPage)
	addPage(s, "/monitor/unsubscribe", s.subscriptionPage)
	addFeeds(s, route{get, "/v2/feeds/{key}", "News of a monitor as a feed", "Monitor", "", 0})
	add(s, route{get, "/v2/monitor", "List monitors", "Monitor", ClassStatus, 0}, s.monitors)
	add(s, route{get, one, "Read a monitor", "Monitor", ClassStatus, 0}, s.monitor)
	add(s, route{patch, one, "Change a monitor", "Monitor", ClassCrawl, 0}, s.updateMonitor)
	add(s, route{del, one, "Delete a monitor", "Monitor", ClassCrawl, 0}, s.deleteMonitor)
	add(s, route{post, one + "/run", "Check now", "Monitor", ClassCrawl, 0}, s.runMonitor)
	add(s, route{get, one + "/checks", "Checks of a monitor", "Monitor", ClassStatus, 0}, s.checks)
	add(s, route{get, check, "Read a check", "Monitor", ClassStatus, 0}, s.check)
	add(s, route{get, check + "/webhooks", "Events sent for a check", "Monitor", ClassStatus, 0}, s.checkDeliveries)
	add(s, route{post, check + "/webhooks/replay", "Send events of a check again", "Monitor", ClassStatus, 0}, s.replayCheck)
}

// registerSessions is the part about remote browsers, which has two names.
func (s *Server) registerSessions() {
	get, post, del := http.MethodGet, http.MethodPost, http.MethodDelete
	for _, base := range []string{"/v2/browser", "/v2/interact"} {
		add(s, route{post, base, "Start a browser session", "Browser", ClassBrowser, trawl.SessionMinute}, s.startSession)
		add(s, route{get, base, "List browser sessions", "Browser", ClassStatus, 0}, s.listSessions)
		add(s, route{get, base + "/{id}", "Read a browser session", "Browser", ClassStatus, 0}, s.oneSession)
		addForwarded(s, route{del, base + "/{id}", "Destroy a browser session", "Browser", ClassStatus, 0}, s.sessionOf, s.endSession)
		addForwarded(s, route{post, base + "/{id}/execute", "Run commands in a browser session", "Browser", ClassStatus, 0}, s.executing, s.execute)
		add(s, route{get, base + "/{id}/replay", "Recording of a browser session (not implemented)", "Browser", ClassStatus, 0}, s.replaySession)
		add(s, route{get, base + "/profiles", "List browser profiles", "Browser", ClassStatus, 0}, s.profiles)
		add(s, route{del, base + "/profiles/{name}", "Delete a browser profile", "Browser", ClassStatus, 0}, s.deleteProfile)
	}
	addForwarded(s, route{post, "/v2/scrape/{id}/interact", "Go on in the page of a scrape", "Browser", ClassScrape, 0}, s.interacting, s.interact)
	addForwarded(s, route{del, "/v2/scrape/{id}/interact", "Close the page of a scrape", "Browser", ClassStatus, 0}, s.interacted, s.endInteract)
	addPlain(s, route{get, devtoolsRoot + "{key}", "Drive a browser session", "Browser", "", 0}, http.StatusSwitchingProtocols, devtoolsText, s.devtools)
	addPlain(s, route{get, devtoolsRoot + "{key}/json/version", "Where to drive a browser session", "Browser", "", 0}, http.StatusOK, discoverText, s.browserVersion)
	addPlain(s, route{get, devtoolsRoot + "{key}/json/list", "What can be driven of it", "Browser", "", 0}, http.StatusOK, discoverText, s.browserTargets)
	addPage(s, devtoolsRoot+"{key}/json/version/{$}", s.browserVersion) // some clients end it like this
	addPage(s, devtoolsRoot+"{key}/json/list/{$}", s.browserTargets)
	addPlain(s, route{get, "/live/{key}", "Page on which a browser session is watched", "Browser", "", 0}, http.StatusOK, liveText, s.livePage)
	addPlain(s, route{get, "/live/{key}/socket", "What that page shows", "Browser", "", 0}, http.StatusSwitchingProtocols, liveText, s.liveSocket)
	addPlain(s, route{get, "/live/view.js", "Script of that page", "Browser", "", 0}, http.StatusOK, assetText, s.asset)
	addPlain(s, route{get, "/live/view.css", "Style of that page", "Browser", "", 0}, http.StatusOK, assetText, s.asset)
}

// Success is the first field of every answer that is one.
type Success struct {
	Success bool `json:"success" doc:"Always true."`
}

// yes is the value of that field.
var yes = Success{true}

// none is the input of a route that takes none.
type none struct{}

// reply is how the framework wants a body.
type reply[T any] struct{ Body *T }

// add puts a route whose answer is JSON into the table.
func add[I, T any](s *Server, r route, handler func(context.Context, *I) (*T, error)) {
	addRaw(s, r, func(ctx context.Context, in *I) (*reply[T], error) {
		body, err := handler(ctx, in)
		if err == nil {
			noteDeed(ctx, body)
		}
		return &reply[T]{body}, err
	})
}

// noteDeed notes for the audit log what an answer says was done.
func noteDeed(ctx context.Context, body any) {
	if answer, ok := body.(did); ok {
		visitOf(ctx).deed = answer.did()
	}
}

// addFollowed puts the status of jobs of a kind into the table. A client can also
// follow the job there, through a socket or an event stream.
func addFollowed(s *Server, r route, kind string) {
	add(s, r, s.status(kind))
	e := s.routes[r.pattern()]
	e.follows = kind
	s.routes[r.pattern()] = e
	op := s.huma.OpenAPI().Paths[r.path].Get
	op.Description = "A request for " + eventType + " is answered with server-sent events: document for each document, " +
		"status when the status has changed, done at the end. An upgrade to a WebSocket is answered with frames: " +
		"catchup with the status and the documents so far, document for each further one, catchup with the final status, done."
	op.Responses["200"].Content[eventType] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
}

// addRaw puts a route into the table, the mux and the OpenAPI document. Input
// that has a Validate method is checked by it after its schema; an error of the
// handler becomes an error body.
func addRaw[I, O any](s *Server, r route, handler func(context.Context, *I) (*O, error)) {
	_, bodyless := any(new(I)).(interface{ bodyless() })
	s.routes[r.pattern()] = entry{route: r, bodyless: bodyless}
	op := huma.Operation{
		OperationID: operationID(r), Method: r.method, Path: r.path, Summary: r.summary, Tags: []string{r.tag},
		MaxBodyBytes: -1, BodyReadTimeout: -1, // the gate has read the body
		Responses: map[string]*huma.Response{"default": s.errorResponse()},
	}
	if !r.public() {
		op.Security = []map[string][]string{{"key": {}}}
	}
	huma.Register(s.huma, op, func(ctx context.Context, in *I) (*O, error) {
		if v, ok := any(in).(interface{ Validate() []trawl.Issue }); ok {
			if err := trawl.Invalid(v.Validate()); err != nil {
				return nil, worded(r.path, s.public(ctx, err))
			}
		}
		out, err := handler(ctx, in)
		if err != nil {
			return nil, s.public(ctx, err)
		}
		return out, nil
	})
	if bodyless {
		s.huma.OpenAPI().Paths[r.path].Post.RequestBody.Required = false
	}
}

// addPlain puts a route into the table whose handler writes the answer itself: with
// the given status, or an error body.
func addPlain(s *Server, r route, status int, description string, handler func(*answer, *http.Request)) {
	s.routes[r.pattern()] = entry{route: r}
	s.mux.HandleFunc(r.pattern(), func(w http.ResponseWriter, req *http.Request) { handler(w.(*answer), req) })
	op := &huma.Operation{
		OperationID: operationID(r), Method: r.method, Path: r.path, Summary: r.summary, Tags: []string{r.tag},
		Description: description, Responses: map[string]*huma.Response{
			strconv.Itoa(status): {Description: http.StatusText(status)}, "default": s.errorResponse(),
		},
	}
	if strings.Contains(r.path, "{key}") {
		op.Parameters = []*huma.Param{{Name: "key", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}}
	}
	s.huma.OpenAPI().AddOperation(op)
}

// Routes lists the methods and paths of the API, as the OpenAPI document writes
// them.
func (s *Server) Routes() []string {
	var list []string
	for pattern, e := range s.routes {
		if !e.page {
			list = append(list, strings.TrimSuffix(pattern, "{$}"))
		}
	}
	slices.Sort(list)
	return list
}

// operationID names an operation by its method and path.
func operationID(r route) string {
	words := strings.FieldsFunc(r.path, func(c rune) bool { return strings.ContainsRune("/{}$.", c) })
	return strings.Join(append([]string{strings.ToLower(r.method)}, words...), "-")
}
