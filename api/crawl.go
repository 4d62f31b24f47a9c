package api

import (
	"context"
	"encoding/json"

	"github.com/trawlhq/trawl"
)

type crawlInput struct {
	OnceInput
	Body trawl.CrawlRequest
}

// Validate reports what the schema cannot.
func (in *crawlInput) Validate() []trawl.Issue { return in.Body.Validate() }

// Started is the answer to a request that starts a job.
type Started struct {
	Success
	ID      string `json:"id" doc:"Id of the job." format:"uuid"`
	URL     string `json:"url" doc:"Where its status is read." format:"uri"`
	Warning string `json:"warning,omitempty" doc:"What cannot be done as asked."`
}

// StartedCrawl is the answer to POST /v2/crawl.
type StartedCrawl struct {
	Started
	Generated *trawl.CrawlChoices `json:"promptGeneratedOptions,omitempty" doc:"Options that were made from the prompt."`
	Final     map[string]any      `json:"finalCrawlerOptions,omitempty" doc:"Options of the crawl, of which those that were given win over those of the prompt; only with a prompt."`
}

// startCrawl answers POST /v2/crawl.
func (s *Server) startCrawl(ctx context.Context, in *crawlInput) (*StartedCrawl, error) {
	req := in.Body
	if (req.IgnoreRobotsTxt || req.RobotsUserAgent != "") && !visitOf(ctx).caller.Team.RobotsExempt {
		return nil, trawl.Errorf(trawl.CodeForbidden,
			"Your team may not choose how robots.txt is obeyed: leave out ignoreRobotsTxt and robotsUserAgent, or ask the operator of this server.")
	}
	ctx, err := discreetly(ctx, req.ZeroDataRetention)
	if err != nil {
		return nil, err
	}
	if err := s.checkOptions(ctx, &req.ScrapeOptions); err != nil {
		return nil, within("scrapeOptions", err)
	}
	if err := s.checkWebhook(req.Webhook); err != nil {
		return nil, err
	}
	receipt, err := s.Jobs.Crawl(ctx, s.order(ctx, in.Once), req)
	if err != nil {
		return nil, err
	}
	answer := &StartedCrawl{Generated: receipt.Generated, Started: Started{
		Success: yes, ID: receipt.ID, URL: s.jobURL(ctx, trawl.KindCrawl, receipt.ID), Warning: receipt.Warning,
	}}
	if receipt.Final != nil {
		answer.Final = optionsOf(receipt.Final)
	}
	return answer, nil
}

// jobURL returns the address of a job's status.
func (s *Server) jobURL(ctx context.Context, kind, id string) string {
	path := "/crawl/"
	if kind == trawl.KindBatch {
		path = "/batch/scrape/"
	}
	v := visitOf(ctx)
	return s.baseURL(v.request) + v.version() + path + id
}

type (
	// ActiveCrawls lists the crawls of a team that run.
	ActiveCrawls struct {
		Success
		Crawls []ActiveCrawl `json:"crawls" doc:"Crawls that run."`
	}
	// ActiveCrawl is a crawl that runs.
	ActiveCrawl struct {
		ID        string         `json:"id" doc:"Id of the job." format:"uuid"`
		TeamID    string         `json:"teamId" doc:"Team it belongs to."`
		URL       string         `json:"url" doc:"Where it started."`
		CreatedAt string         `json:"created_at" doc:"When it was started." format:"date-time"`
		Options   map[string]any `json:"options" doc:"Options of the request, with scrapeOptions among them."`
	}
)

// activeCrawls answers GET /v2/crawl/active.
func (s *Server) activeCrawls(ctx context.Context, _ *none) (*ActiveCrawls, error) {
	jobs, err := s.Jobs.Active(ctx, visitOf(ctx).caller.Team.ID)
	if err != nil {
		return nil, err
	}
	answer := &ActiveCrawls{Success: yes, Crawls: make([]ActiveCrawl, len(jobs))}
	for i, j := range jobs {
		answer.Crawls[i] = ActiveCrawl{
			ID: j.ID, TeamID: j.TeamID, URL: j.URL, CreatedAt: timestamp(j.CreatedAt), Options: optionsOf(j.Request),
		}
	}
	return answer, nil
}

// storedCrawl is a crawl as it was stored: without what is false, and so not to
// be decoded over the defaults.
type storedCrawl trawl.CrawlRequest

// optionsOf returns the options of a crawl by what was stored of its request.
// What may hold credentials stays out: it need not be shown to every key of the
// team.
func optionsOf(stored json.RawMessage) map[string]any {
	options, usual := map[string]any{}, map[string]any{}
	defaults, err := json.Marshal(trawl.DefaultCrawlRequest())
	if err != nil || json.Unmarshal(defaults, &usual) != nil || json.Unmarshal(stored, &options) != nil {
		return map[string]any{}
	}
	tellFalse(options, usual)
	if scraping, ok := options["scrapeOptions"].(map[string]any); ok {
		delete(scraping, "headers")
		tellFalse(scraping, usual["scrapeOptions"].(map[string]any))
	}
	delete(options, "webhook")
	delete(options, "url") // it stands beside the options
	return options
}

// tellFalse adds the options that are false though they usually are true.
func tellFalse(options, usual map[string]any) {
	for name, value := range usual {
		if _, ok := options[name]; !ok && value == true {
			options[name] = false
		}
	}
}

type explainInput struct {
	IDInput
	Fate   string `query:"fate" doc:"Only addresses with this fate." enum:"queued,running,scraped,failed,cancelled,filtered,robots,duplicate,limit"`
	Cursor string `query:"cursor" doc:"Where the last page ended." maxLength:"1000"`
	Limit  int    `query:"limit" doc:"How many to return." minimum:"1" maximum:"1000" default:"100"`
}

type (
	// Explanation tells what became of every address that a crawl has seen.
	Explanation struct {
		Success
		Counts  map[string]int `json:"counts" doc:"How many addresses have which fate."`
		URLs    []Sighting     `json:"urls" doc:"The addresses: pages in the order in which they were found, then those that did not become pages."`
		Cursor  *string        `json:"cursor" doc:"Pass it to get the next page." nullable:"true"`
		HasMore bool           `json:"hasMore" doc:"Whether there is a next page."`
	}
	// Sighting is an address and what became of it.
	Sighting struct {
		URL    string `json:"url" doc:"The address."`
		Fate   string `json:"fate" doc:"What became of it." enum:"queued,running,scraped,failed,cancelled,filtered,robots,duplicate,limit"`
		Detail string `json:"detail,omitempty" doc:"The rule that filtered it, the address it duplicates, or the code of its failure."`
		Depth  int    `json:"depth" doc:"How many links away from the start it was found."`
		From   string `json:"foundOn,omitempty" doc:"The page that led to it first; absent for the start and what a sitemap lists."`
	}
)

// explain answers GET /v2/crawl/{id}/explain.
func (s *Server) explain(ctx context.Context, in *explainInput) (*Explanation, error) {
	j, err := s.job(ctx, trawl.KindCrawl, in.ID)
	if err != nil {
		return nil, err
	}
	list, next, counts, err := s.Jobs.Explain(ctx, j.ID, in.Fate, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	answer := &Explanation{Success: yes, Counts: counts, URLs: make([]Sighting, len(list))}
	if answer.Counts == nil {
		answer.Counts = map[string]int{}
	}
	for i, seen := range list {
		answer.URLs[i] = Sighting(seen)
	}
	if next != "" {
		answer.Cursor, answer.HasMore = &next, true
	}
	return answer, nil
}
