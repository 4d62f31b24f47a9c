package job

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// Order is who asks for a job.
type Order struct {
	Caller trawl.Caller
	Secret string // the API key itself, for zero data retention
	Once   string // a key that makes a repeated order fail; may be empty

	// PublicURL is what addresses of this service begin with, without a slash at the
	// end. It is empty where no server is behind the job.
	PublicURL string

	// A job of a check of a monitor has an id that was chosen before, and is paid with
	// the check. Both are empty for others.
	ID, Check string
}

// Receipt is the answer to an order.
type Receipt struct {
	ID      string
	Invalid []string // addresses that a batch or an extract leaves out
	Warning string

	// What became of the prompt of a crawl: the options that were made of it, and
	// the crawl with them as it is stored.
	Generated *trawl.CrawlChoices
	Final     json.RawMessage
}

// Crawl starts a crawl.
func (e *Engine) Crawl(ctx context.Context, o Order, req trawl.CrawlRequest) (Receipt, error) {
	base, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return Receipt{}, trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: err.Error(), Path: []any{"url"}}})
	}
	generated, prompted, err := e.prompted(ctx, o, base, &req)
	if err != nil {
		return Receipt{}, err
	}
	rules, err := crawl.NewRules(&req, base)
	if err != nil {
		return Receipt{}, err
	}
	if err := e.inCache(ctx, o, &req.ScrapeOptions, req.ZeroDataRetention, req.URL); err != nil {
		return Receipt{}, err
	}
	limit, warning, err := affordable(&o.Caller, &req.ScrapeOptions, req.ZeroDataRetention, req.Limit)
	if err != nil {
		return Receipt{}, err
	}
	req.Limit = limit
	n := store.NewJob{
		Job:  trawl.Job{Kind: trawl.KindCrawl, URL: req.URL, ZeroDataRetention: req.ZeroDataRetention, Warning: join(prompted, warning)},
		Base: base, Limit: limit, Most: req.MaxConcurrency, Webhook: req.Webhook, Once: o.Once,
		Delay: time.Duration(req.Delay * float64(time.Second)), Discover: req.Sitemap != trawl.SitemapSkip,
		Tracks: recalls(&req),
		Hold:   req.MaxDiscoveryDepth != nil, // pages of the sitemap are nearer than links to them
	}
	if verdict := rules.Judge(base, 0); verdict.Fate == "" || verdict.ByPattern() { // which is still worth its links
		n.Pages = []store.Target{{URL: req.URL, Canonical: verdict.URL, Identity: verdict.Identity}}
	} else {
		n.Discover = false
		n.Denied = &store.Failure{Code: trawl.CodeCrawlDenial, Text: "The start address is ruled out by the crawl's own options (" + verdict.Rule + ")."}
	}
	receipt, err := e.create(ctx, o, n, req, &req.ScrapeOptions)
	if err == nil && generated != nil {
		receipt.Generated = generated
		receipt.Final, err = json.Marshal(req)
	}
	return receipt, err
}

// Batch starts a batch, or adds pages to one that runs.
func (e *Engine) Batch(ctx context.Context, o Order, req trawl.BatchRequest) (Receipt, error) {
	valid, invalid := req.Split()
	if len(valid) == 0 {
		return Receipt{}, trawl.Errorf(trawl.CodeBadRequest, "No valid URLs provided")
	}
	if err := e.inCache(ctx, o, &req.ScrapeOptions, req.ZeroDataRetention, valid...); err != nil {
		return Receipt{}, err
	}
	affords, _, err := affordable(&o.Caller, &req.ScrapeOptions, req.ZeroDataRetention, len(valid))
	if err != nil {
		return Receipt{}, err
	}
	warning := ""
	if affords < len(valid) {
		warning = fmt.Sprintf("The credits left are enough for about %d of the %d pages; the batch ends when they are used up.", affords, len(valid))
	}
	targets := make([]store.Target, len(valid))
	for i, address := range valid {
		targets[i].URL = address
	}
	if req.AppendToID != "" {
		return e.extend(ctx, o, &req, targets, invalid, warning)
	}
	n := store.NewJob{
		Job:   trawl.Job{Kind: trawl.KindBatch, ZeroDataRetention: req.ZeroDataRetention, Warning: warning},
		Pages: targets, Limit: len(targets), Most: req.MaxConcurrency, Webhook: req.Webhook, Once: o.Once,
	}
	req.URLs = nil // they are in the frontier
	receipt, err := e.create(ctx, o, n, req, &req.ScrapeOptions)
	receipt.Invalid = invalid
	return receipt, err
}

// extend adds pages to a batch that runs.
func (e *Engine) extend(ctx context.Context, o Order, req *trawl.BatchRequest, targets []store.Target, invalid []string, warning string) (Receipt, error) {
	id := strings.ToLower(req.AppendToID)
	options, err := json.Marshal(req.ScrapeOptions)
	if err != nil {
		return Receipt{}, fmt.Errorf("encode options: %w", err)
	}
	var passed []string
	if req.Webhook != nil {
		passed = append(passed, "webhook")
	}
	if req.MaxConcurrency != 0 {
		passed = append(passed, "maxConcurrency")
	}
	if req.ZeroDataRetention {
		passed = append(passed, "zeroDataRetention")
	}
	if len(passed) > 0 {
		warning = join("A batch keeps its own "+strings.Join(passed, " and ")+" when pages are added to it.", warning)
	}
	if err := e.Store.AppendPages(ctx, o.Caller.Team.ID, id, options, targets, o.Once); err != nil {
		return Receipt{}, err
	}
	return Receipt{ID: id, Invalid: invalid, Warning: warning}, nil
}

// create stores a job.
func (e *Engine) create(ctx context.Context, o Order, n store.NewJob, request any, options *trawl.ScrapeOptions) (Receipt, error) {
	n.ID, n.TeamID, n.KeyID, n.PublicURL, n.Check = cmp.Or(o.ID, newID()), o.Caller.Team.ID, o.Caller.Key.ID, o.PublicURL, o.Check
	var err error
	if n.Request, err = json.Marshal(request); err != nil {
		return Receipt{}, fmt.Errorf("encode request: %w", err)
	}
	if n.Options, err = json.Marshal(options); err != nil {
		return Receipt{}, fmt.Errorf("encode options: %w", err)
	}
	if n.ZeroDataRetention {
		key, err := sealKey(o.Secret, n.ID)
		if err != nil {
			return Receipt{}, err
		}
		n.Seal = key.PublicKey().Bytes()
		if n.Webhook != nil && n.Webhook.Includes(n.Kind, trawl.EventPage) {
			n.Warning = join(n.Warning, "Under zero data retention the events about pages say which page it is, and have no document.")
		}
	}
	if err := e.Store.CreateJob(ctx, n); err != nil {
		return Receipt{}, err
	}
	return Receipt{ID: n.ID, Warning: n.Warning}, nil
}

// inCache turns a job away that may only use the cache when the cache has none of
// its first pages.
func (e *Engine) inCache(ctx context.Context, o Order, options *trawl.ScrapeOptions, zero bool, addresses ...string) error {
	if options.MinAge == nil {
		return nil
	}
	for _, address := range addresses {
		req := scrape.Request{Caller: o.Caller}
		req.URL, req.ScrapeOptions, req.ZeroDataRetention = address, *options, zero
		if ok, err := e.Scraper.InCache(ctx, req); ok || err != nil {
			return err
		}
	}
	return trawl.Errorf(trawl.CodeNoCachedData, "No cached data is available that satisfies minAge.")
}

// affordable returns how many of the pages the caller can pay for.
func affordable(who *trawl.Caller, options *trawl.ScrapeOptions, zero bool, pages int) (int, string, error) {
	left := who.Left()
	if left == nil {
		return pages, "", nil
	}
	price := scrape.Price(options, zero)
	most := int(*left / price)
	switch {
	case most == 0:
		return 0, "", who.Unpaid(price)
	case most < pages:
		return most, fmt.Sprintf("The limit was lowered to %d pages, which is what the credits left are enough for.", most), nil
	}
	return pages, "", nil
}

// join puts warnings one after the other.
func join(warnings ...string) string {
	var list []string
	for _, w := range warnings {
		if w != "" {
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}
