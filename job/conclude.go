package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/store"
)

// concludeWorker does what is left of a job once its pages are done.
type concludeWorker struct {
	river.WorkerDefaults[store.ConcludeTask]
	engine *Engine
}

// Work implements river.Worker.
func (w *concludeWorker) Work(ctx context.Context, task *river.Job[store.ConcludeTask]) error {
	e := w.engine
	return e.beside(ctx, task.Args.Job, concluding, func(ctx context.Context, s *spec) error {
		if s.crawl != nil {
			return e.recall(ctx, s, task.Attempt)
		}
		return e.step(ctx, s, task.Attempt, e.conclude)
	})
}

// conclude makes one answer of what the pages say, and ends the job.
func (e *Engine) conclude(ctx context.Context, s *spec) error {
	c, err := e.conclusion(ctx, s)
	if err != nil {
		return err
	}
	return persist(ctx, func() error { return e.Store.Conclude(ctx, s.TeamID, s.ID, *c) })
}

// conclusion returns how an extract ends.
func (e *Engine) conclusion(ctx context.Context, s *spec) (*store.Conclusion, error) {
	p, err := e.planOf(ctx, s)
	if err != nil {
		return nil, err
	}
	findings, err := e.findings(ctx, s)
	if err != nil {
		return nil, err
	}
	failed, _, err := e.Store.PageErrors(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	c := &store.Conclusion{Warning: p.Warning, Tokens: p.Tokens}
	if len(findings) == 0 && len(failed) > 0 {
		c.Failure = &store.Failure{Code: failed[0].Code, Text: troubles(failed)}
		return c, nil
	}
	if len(failed) > 0 {
		c.Warning = join(c.Warning, fmt.Sprintf("%d of %d pages could not be read: %s", len(failed), len(failed)+len(findings), troubles(failed)))
	}
	return c, e.complete(ctx, s, findings, c)
}

// mostTroubles bounds the failed pages that are named.
const mostTroubles = 3

// troubles say which pages failed, and why.
func troubles(failed []trawl.PageError) string {
	var list []string
	for _, f := range failed[:min(len(failed), mostTroubles)] {
		address := trawl.WithoutPassword(f.URL)
		if !strings.Contains(f.Text, address) {
			f.Text = address + ": " + f.Text
		}
		list = append(list, f.Text)
	}
	if len(failed) > mostTroubles {
		list = append(list, "…")
	}
	return join(list...)
}

// complete puts the findings together as the caller wants them.
func (e *Engine) complete(ctx context.Context, s *spec, findings []*extract.Finding, c *store.Conclusion) error {
	want, err := e.wantOf(ctx, s)
	if err != nil {
		return err
	}
	limited, cancel := s.asking(ctx)
	defer cancel()
	merged := extract.Merge(findings, want.Schema)
	whole, err := s.extract.extractor.Complete(limited, merged, want)
	if err = unanswered(limited, err); trawl.ErrorCode(err) != trawl.CodeUnknown {
		c.Failure = failureOf(err)
		return nil
	}
	if err != nil {
		return err
	}
	c.Tokens += int64(whole.Tokens)
	if merged.Value == nil {
		c.Warning = join(c.Warning, "No page has a value for any field.")
	}
	c.Warning = join(c.Warning, shortened(whole.Warning))
	extraction := &Extraction{Data: json.RawMessage("{}")}
	if whole.Value != nil {
		if extraction.Data, err = json.Marshal(whole.Value); err != nil {
			return fmt.Errorf("encode data: %w", err)
		}
	}
	if s.extract.ShowSources {
		extraction.Sources, extraction.Evidence = extract.Sources(whole.Evidence), whole.Evidence
	}
	c.Head, c.Size, err = e.pack(extraction)
	return err
}

// mostWarning bounds what is said of the values of all pages, in characters.
const mostWarning = 2000

func shortened(warning string) string {
	if runes := []rune(warning); len(runes) > mostWarning {
		return string(runes[:mostWarning]) + " …"
	}
	return warning
}

// mostFound bounds what the pages of an extract say together, in bytes of JSON: it is
// put together in memory.
const mostFound = 32 << 20

// findings returns what the pages of an extract say, in their order.
func (e *Engine) findings(ctx context.Context, s *spec) ([]*extract.Finding, error) {
	var results []store.Result
	size := 0
	for {
		more, err := e.Store.Results(ctx, s.ID, len(results), mostAtOnce, mostDocuments)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			break
		}
		for _, r := range more {
			size += r.Size
		}
		if results = append(results, more...); size > mostFound {
			return nil, trawl.Errorf(trawl.CodeContentTooLarge, "The pages say more than fits into one answer. Extract from fewer pages, or ask for less of each.")
		}
	}
	slices.SortFunc(results, func(a, b store.Result) int { return cmp.Compare(a.Page, b.Page) })
	list := make([]*extract.Finding, len(results))
	for i, r := range results {
		body, err := e.Store.JSON(r)
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&list[i]); err != nil {
			return nil, fmt.Errorf("read finding: %w", err)
		}
	}
	return list, nil
}

// Extraction is what an extract came to.
type Extraction struct {
	Data     json.RawMessage     `json:"data"`
	Sources  map[string][]string `json:"sources,omitempty"`  // pages by the path of a value
	Evidence []trawl.Evidence    `json:"evidence,omitempty"` // where each value stands
}

// Extracted returns what an extract came to. It is empty unless the job is
// completed, and has sources and evidence only if the caller wanted them.
func (e *Engine) Extracted(ctx context.Context, j *trawl.Job) (*Extraction, error) {
	if j.State != trawl.StateCompleted {
		return &Extraction{}, nil
	}
	return e.extraction(ctx, j.ID)
}

func (e *Engine) extraction(ctx context.Context, jobID string) (*Extraction, error) {
	result, err := e.Store.Conclusion(ctx, jobID)
	if err != nil {
		return nil, err
	}
	body, err := e.Store.JSON(result)
	if err != nil {
		return nil, err
	}
	extraction := &Extraction{}
	if err := json.Unmarshal(body, extraction); err != nil {
		return nil, fmt.Errorf("read extract: %w", err)
	}
	return extraction, nil
}
