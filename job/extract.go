package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/store"
)

// Extract starts an extract.
func (e *Engine) Extract(ctx context.Context, o Order, req trawl.ExtractRequest) (Receipt, error) {
	compiled, err := extract.Compile(req.Schema, "schema")
	if err != nil {
		return Receipt{}, err
	}
	globs, invalid := req.Split()
	if len(globs) == 0 {
		return Receipt{}, trawl.Errorf(trawl.CodeBadRequest, "No valid URLs provided")
	}
	if compiled == nil && e.Config.Extract.Model == nil {
		return Receipt{}, extract.NoModel("An extract without a schema")
	}
	warning := e.reservations(&req)
	req.ScrapeOptions.Formats = nil
	if singles := singlesOf(globs); len(singles) > 0 {
		if err := e.inCache(ctx, o, &req.ScrapeOptions, false, singles...); err != nil {
			return Receipt{}, err
		}
	}
	receipt, err := e.create(ctx, o, store.NewJob{
		Job:  trawl.Job{Kind: trawl.KindExtract, URL: globs[0].Text, Warning: warning},
		Base: globs[0].Base, Limit: req.Limit, Discover: true, Webhook: req.Webhook, Once: o.Once,
	}, req, &req.ScrapeOptions)
	receipt.Invalid = invalid
	return receipt, err
}

// singlesOf returns the addresses that stand for one page.
func singlesOf(globs []trawl.Glob) []string {
	var list []string
	for _, glob := range globs {
		if glob.Single() {
			list = append(list, glob.Base)
		}
	}
	return list
}

// reservations say what of a request has no effect.
func (e *Engine) reservations(req *trawl.ExtractRequest) string {
	var formats, found string
	if slices.ContainsFunc(req.ScrapeOptions.Formats, func(f trawl.Format) bool { return f.Type != trawl.FormatMarkdown }) {
		formats = "The formats in scrapeOptions have no effect: what is extracted is the result."
	}
	if req.EnableWebSearch && e.Config.Search == nil {
		found = "No web search was made: this server has no search engine (TRAWL_SEARCH_URL)."
	}
	return join(trawl.WithoutEffect(append(req.Ignored(), req.ScrapeOptions.Ignored()...)), formats, found)
}

// extracting is what this node remembers of an extract.
type extracting struct {
	*trawl.ExtractRequest
	want      extract.Want       // as the caller said it
	trust     trust              // who gets the headers
	extractor *extract.Extractor // puts no question of the job twice
	deadline  time.Time          // zero if it may take its time

	mu      sync.Mutex
	planned *extract.Want // with the schema of the plan; nil until it is needed
}

// extracting reads what an extract is about.
func (e *Engine) extracting(ctx context.Context, read *store.Spec) (*extracting, error) {
	type stored trawl.ExtractRequest // as it was, without defaults for what is false
	x := &extracting{ExtractRequest: &trawl.ExtractRequest{}, extractor: e.Config.Extract}
	if err := json.Unmarshal(read.Request, (*stored)(x.ExtractRequest)); err != nil {
		return nil, fmt.Errorf("read extract: %w", err)
	}
	compiled, err := extract.Compile(x.Schema, "schema")
	if err != nil {
		return nil, err
	}
	x.want = extract.Want{Prompt: x.Prompt, System: x.SystemPrompt, Schema: compiled, Founded: !x.ShowSources}
	globs, _ := x.Split()
	for _, glob := range globs {
		x.trust.named = append(x.trust.named, glob.Base)
		x.trust.subdomains = x.IncludeSubdomains || x.trust.subdomains || glob.Subdomains
	}
	if model := e.Config.Extract.Model; model != nil {
		x.extractor = &extract.Extractor{Model: llm.Remember(model, answers{e.Store, read.ID})}
	}
	if x.Timeout > 0 {
		job, err := e.Store.Job(ctx, read.TeamID, read.Kind, read.ID)
		if err != nil {
			return nil, err
		}
		x.deadline = job.CreatedAt.Add(time.Duration(x.Timeout) * time.Millisecond)
	}
	return x, nil
}

// answers remember what a language model said on behalf of a job.
type answers struct {
	store *store.Store
	job   string
}

// Answer implements llm.Memo.
func (a answers) Answer(ctx context.Context, key string) ([]byte, bool, error) {
	return a.store.Answer(ctx, a.job, key)
}

// KeepAnswer implements llm.Memo.
func (a answers) KeepAnswer(ctx context.Context, key string, body []byte) error {
	return a.store.KeepAnswer(ctx, a.job, key, body)
}

// wantOf returns what to look for in the pages of an extract. If the caller gave
// no schema, that of the plan makes them answer alike.
func (e *Engine) wantOf(ctx context.Context, s *spec) (extract.Want, error) {
	x := s.extract
	if x.want.Schema != nil {
		return x.want, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.planned != nil {
		return *x.planned, nil
	}
	p, err := e.planOf(ctx, s)
	if err != nil {
		return x.want, err
	}
	want := x.want
	if want.Schema, err = p.schema(); err != nil {
		return x.want, err
	}
	x.planned = &want
	return want, nil
}

// tooLate is why an extract ends at its timeout.
const tooLate = "The extract did not finish within its timeout."

// timely works on an extract within its timeout, and ends the job when that is over.
func (e *Engine) timely(ctx context.Context, s *spec, work func(context.Context) error) error {
	if s.extract.deadline.IsZero() {
		return work(ctx)
	}
	limited, cancel := context.WithDeadline(ctx, s.extract.deadline)
	defer cancel()
	err := limited.Err()
	if err == nil {
		err = work(limited)
	}
	if err == nil || limited.Err() == nil || ctx.Err() != nil {
		return err
	}
	if err := e.fail(ctx, s, store.Failure{Code: trawl.CodeTimeout, Text: tooLate}); err != nil {
		return err
	}
	return trawl.Wrap(trawl.CodeTimeout, tooLate, err)
}

// fail ends a job that cannot go on, and what runs of it.
func (e *Engine) fail(ctx context.Context, s *spec, why store.Failure) error {
	err := persist(ctx, func() error { return e.Store.FailJob(ctx, s.TeamID, s.ID, why) })
	if err == nil {
		e.specs.cancel(s.ID)
		e.hub.tell(s.ID)
	}
	return err
}

// step does what an extract needs beside its pages. What goes wrong for good ends
// the job.
func (e *Engine) step(ctx context.Context, s *spec, attempt int, work func(context.Context, *spec) error) error {
	if attempt > mostTogether+mostWaiting {
		e.Log.Error("an extract is given up", "job", s.ID, "attempt", attempt)
		return e.fail(ctx, s, store.Failure{Code: trawl.CodeCrashed, Text: "The extract could not be finished: every attempt ended in an error of the service."})
	}
	err := e.timely(ctx, s, func(ctx context.Context) error { return work(ctx, s) })
	if known, ok := errors.AsType[*trawl.Error](err); ok && ctx.Err() == nil {
		return e.fail(ctx, s, *failureOf(known))
	}
	return err
}
