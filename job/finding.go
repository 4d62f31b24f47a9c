package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/store"
)

// modelTime is how long a language model may take for a page, or for the end.
const modelTime = 10 * time.Minute

// read extracts what a page says and fills it in.
func (e *Engine) read(ctx context.Context, r run, options *trawl.ScrapeOptions, o *outcome) error {
	want, err := e.wantOf(ctx, r.spec)
	if err != nil {
		return err
	}
	source, err := e.source(ctx, r, options, o)
	if err != nil {
		return err
	}
	finding, err := e.ask(ctx, r.spec, source, want)
	if err != nil {
		return err
	}
	if !r.extract.ShowSources { // nobody will read the quotes
		for i := range finding.Evidence {
			finding.Evidence[i].Quote = ""
		}
	}
	o.Document = &store.PageDocument{Tail: []byte{}, Tokens: int64(finding.Tokens)}
	if finding.Tokens == 0 && finding.Value != nil {
		o.Document.Credits = 1
	}
	o.Document.Head, o.Document.Size, err = e.pack(finding)
	return err
}

// source scrapes a page to be read. Large pages are let go before the language
// model begins, which may take long.
func (e *Engine) source(ctx context.Context, r run, options *trawl.ScrapeOptions, o *outcome) (*extract.Source, error) {
	req := r.request(r.page.URL, options)
	req.Read = true
	result, err := e.prepareTwice(ctx, req)
	if err != nil {
		return nil, err
	}
	defer result.Release()
	o.ScrapeID = result.Document.Metadata.ScrapeID
	if err := answered(r.page.URL, result); err != nil {
		return nil, err
	}
	return result.Source, e.keepPage(ctx, r.spec, result)
}

// ask has a page read. It takes no page's place meanwhile: a model that is slow
// must not hold up other jobs.
func (e *Engine) ask(ctx context.Context, s *spec, source *extract.Source, want extract.Want) (*extract.Finding, error) {
	<-e.slots
	defer func() { e.slots <- struct{}{} }()
	ctx, cancel := s.asking(ctx)
	defer cancel()
	finding, err := s.extract.extractor.Part(ctx, source, want)
	return finding, unanswered(ctx, err)
}

// asking is the context of questions to a language model.
func (s *spec) asking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(llm.For(ctx, s.TeamID, false), modelTime)
}

// unanswered is the error of a language model, also of one that takes too long.
func unanswered(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return trawl.Wrap(trawl.CodeModel, "The language model did not answer in time.", err)
	}
	return err
}

// pack encodes what an extract stores.
func (e *Engine) pack(value any) (store.Packed, int, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, 0, fmt.Errorf("encode finding: %w", err)
	}
	packed, err := e.Store.Pack(body)
	return packed, len(body), err
}
