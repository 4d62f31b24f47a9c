package monitor

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
)

// Mode is by what two versions of a page are compared: their text, the data that was
// extracted from them, or both.
type Mode struct{ Text, JSON bool }

// batchOf is the request that scrapes a target of single pages.
func batchOf(t *trawl.MonitorTarget) (trawl.BatchRequest, Mode, error) {
	req := trawl.DefaultBatchRequest()
	if len(t.ScrapeOptions) > 0 {
		if err := json.Unmarshal(t.ScrapeOptions, &req); err != nil {
			return req, Mode{}, invalid("has a value that does not fit", "scrapeOptions")
		}
	}
	req.URLs, req.Webhook, req.AppendToID, req.ZeroDataRetention = t.Addresses(), nil, "", false
	return req, prepare(&req.ScrapeOptions), nil
}

// crawlOf is the request that crawls a target.
func crawlOf(t *trawl.MonitorTarget) (trawl.CrawlRequest, Mode, error) {
	body := map[string]json.RawMessage{}
	if len(t.CrawlOptions) > 0 {
		if err := json.Unmarshal(t.CrawlOptions, &body); err != nil {
			return trawl.CrawlRequest{}, Mode{}, invalid("has a value that does not fit", "crawlOptions")
		}
	}
	address, err := json.Marshal(t.URL)
	if err != nil {
		return trawl.CrawlRequest{}, Mode{}, err
	}
	if body == nil {
		body = map[string]json.RawMessage{}
	}
	body["url"] = address
	delete(body, "scrapeOptions")
	if len(t.ScrapeOptions) > 0 {
		body["scrapeOptions"] = t.ScrapeOptions
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return trawl.CrawlRequest{}, Mode{}, err
	}
	var req trawl.CrawlRequest
	if err := json.Unmarshal(encoded, &req); err != nil {
		return req, Mode{}, invalid("has a value that does not fit", "crawlOptions")
	}
	req.Webhook, req.ZeroDataRetention = nil, false
	return req, prepare(&req.ScrapeOptions), nil
}

// prepare makes the options of a target those of a check: a fresh page, its markdown,
// and data in place of tracking by data. It returns by what versions are compared.
func prepare(o *trawl.ScrapeOptions) Mode {
	if o.MaxAge == nil && o.MinAge == nil && !o.Lockdown {
		fresh := int64(0)
		o.MaxAge = &fresh
	}
	mode := Mode{}
	tracking, tracks := o.Format(trawl.FormatChangeTracking)
	formats := slices.DeleteFunc(slices.Clone(o.Formats), func(f trawl.Format) bool { return f.Type == trawl.FormatChangeTracking })
	has := func(kind string) bool {
		return slices.ContainsFunc(formats, func(f trawl.Format) bool { return f.Type == kind })
	}
	mode.JSON = has(trawl.FormatJSON) || has(trawl.FormatDeterministicJSON)
	if tracks && slices.Contains(tracking.Modes, trawl.ModeJSON) {
		if !mode.JSON {
			formats = append(formats, trawl.Format{Type: trawl.FormatJSON, Prompt: tracking.Prompt, Schema: tracking.Schema})
		}
		mode.JSON = true
	}
	mode.Text = !mode.JSON || tracks && slices.Contains(tracking.Modes, trawl.ModeDiff)
	if !has(trawl.FormatMarkdown) {
		formats = append(formats, trawl.Format{Type: trawl.FormatMarkdown})
	}
	o.Formats = formats
	return mode
}

// windows are how far back a search looks, as search engines know it.
var windows = map[string]struct {
	tbs  string
	span time.Duration
}{
	"5m": {"qdr:h", 5 * time.Minute}, "15m": {"qdr:h", 15 * time.Minute}, "1h": {"qdr:h", time.Hour},
	"6h": {"qdr:d", 6 * time.Hour}, "24h": {"qdr:d", 24 * time.Hour}, "7d": {"qdr:w", 7 * 24 * time.Hour},
}

// searchOf is the request for one query of a target.
func searchOf(t *trawl.MonitorTarget, query string) trawl.SearchRequest {
	req := trawl.DefaultSearchRequest()
	req.Query, req.Limit, req.TBS = query, t.MaxResults, windows[t.SearchWindow].tbs
	req.IncludeDomains, req.ExcludeDomains = t.IncludeDomains, t.ExcludeDomains
	return req
}

// checkTarget refuses a target whose checks could not be made.
func (s *Service) checkTarget(t *trawl.MonitorTarget, who *trawl.Caller) error {
	switch t.Type {
	case trawl.TargetScrape:
		req, _, err := batchOf(t)
		if err != nil {
			return err
		}
		return s.checkOptions(&req.ScrapeOptions, &who.Key)
	case trawl.TargetCrawl:
		req, _, err := crawlOf(t)
		if err != nil {
			return err
		}
		if (req.IgnoreRobotsTxt || req.RobotsUserAgent != "") && !who.Team.RobotsExempt {
			return trawl.Errorf(trawl.CodeForbidden, "Your team may not choose how robots.txt is obeyed: leave out ignoreRobotsTxt and robotsUserAgent, or ask the operator of this server.")
		}
		base, err := trawl.ParseTarget(req.URL)
		if err != nil {
			return invalid(err.Error(), "url")
		}
		if _, err := crawl.NewRules(&req, base); err != nil {
			return at(err, "crawlOptions")
		}
		return s.checkOptions(&req.ScrapeOptions, &who.Key)
	case trawl.TargetSearch:
		if !s.Searches {
			return job.NoSearch()
		}
	}
	return nil
}

// checkOptions refuses options that are wrong, that a key may not ask for, or that this
// server cannot act on.
func (s *Service) checkOptions(o *trawl.ScrapeOptions, key *trawl.Key) error {
	err := trawl.Invalid(o.Validate())
	if err == nil {
		err = key.AllowsOptions(o)
	}
	if err == nil && s.Options != nil {
		err = s.Options(o)
	}
	return at(err, "scrapeOptions")
}

// at puts a path before those of an error's issues.
func at(err error, path ...any) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok {
		return err
	}
	moved := *known
	moved.Issues = slices.Clone(known.Issues)
	for i, issue := range moved.Issues {
		moved.Issues[i].Path = append(slices.Clone(path), issue.Path...)
	}
	return &moved
}

func invalid(message string, path ...any) error {
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: message, Path: path}})
}

// month is what credits are estimated for.
const month = 30 * 24 * time.Hour

// CreditsPerRun estimates what a check costs: every page, result and judgment of it.
func CreditsPerRun(d *trawl.MonitorDefinition) int64 {
	var sum int64
	for i := range d.Targets {
		sum += creditsOf(&d.Targets[i], d.Judges())
	}
	return sum
}

func creditsOf(t *trawl.MonitorTarget, judges bool) int64 {
	pages, price := int64(0), int64(0)
	switch t.Type {
	case trawl.TargetScrape:
		req, _, err := batchOf(t)
		if err != nil {
			return 0
		}
		pages, price = int64(len(req.URLs)), scrape.Price(&req.ScrapeOptions, false)
	case trawl.TargetCrawl:
		req, _, err := crawlOf(t)
		if err != nil {
			return 0
		}
		pages, price = int64(req.Limit), scrape.Price(&req.ScrapeOptions, false)
	case trawl.TargetSearch:
		credits := trawl.SearchPrice(t.MaxResults) * int64(len(t.Queries))
		if judges {
			credits += int64(t.MaxResults)
		}
		return credits
	}
	if judges {
		price++
	}
	return pages * price
}

// CreditsPerMonth estimates what the checks of a month cost.
func CreditsPerMonth(m *trawl.Monitor) int64 {
	cron, err := Schedule{m.Cron, m.TimeZone}.compile()
	if err != nil {
		return 0
	}
	interval := cron.Interval()
	return CreditsPerRun(&m.MonitorDefinition) * int64((month+interval-1)/interval)
}
