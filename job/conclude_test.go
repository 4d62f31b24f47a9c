package job_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

// hanging makes a model hang at questions with a text, and tells of each.
func hanging(model *llmtest.Server, text string) (asked chan struct{}) {
	asked = make(chan struct{}, 100)
	model.Handle(func(call llmtest.Call) llmtest.Reply {
		if strings.Contains(call.User, text) {
			asked <- struct{}{}
			return llmtest.Reply{Hang: true}
		}
		return findItems(call)
	})
	return asked
}

// fewItems is the schema of items, of which there must not be many.
func fewItems() map[string]any {
	few := maps.Clone(itemSchema)
	items := maps.Clone(itemSchema["properties"].(map[string]any)["items"].(map[string]any))
	items["maxItems"] = 1
	few["properties"] = map[string]any{"items": items}
	return few
}

// stages are questions to a model, one of each step of an extract.
var stages = map[string]struct {
	text   string
	change func(*trawl.ExtractRequest)
}{
	"plan":     {"from every page", func(r *trawl.ExtractRequest) { r.Schema, r.Prompt = nil, "All items" }},
	"page":     {"Kettle", func(*trawl.ExtractRequest) {}},
	"conclude": {"does not fit the schema", func(r *trawl.ExtractRequest) { r.Schema = fewItems() }},
}

// A job that is cancelled asks no more, whatever it was about to do.
func TestExtractCancel(t *testing.T) {
	t.Parallel()
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t, always(http.StatusOK))
			s, model := thinking(t)
			s.site.items("/a", "Kettle")
			s.site.items("/b", "Pan")
			asked := hanging(model, stage.text)
			req := s.extractRequest("/a", "/b")
			req.Webhook = &trawl.Webhook{URL: r.URL}
			stage.change(&req)
			id := s.ordered(s.Extract(t.Context(), s.order, req)).ID
			receive(t, asked)
			wantCode(t, s.Cancel(t.Context(), s.order.Caller.Team.ID, trawl.KindCrawl, id), trawl.CodeNotFound)
			if err := s.Cancel(t.Context(), s.order.Caller.Team.ID, trawl.KindExtract, id); err != nil {
				t.Fatal(err)
			}
			j := s.finished(trawl.KindExtract, id)
			if j.State != trawl.StateCancelled || s.extracted(j).Data != nil {
				t.Errorf("%+v", j)
			}
			if events := r.until(t, "extract.cancelled"); len(events) != 2 || !events[1].Success {
				t.Errorf("%+v", events)
			}
			if err := s.Stop(testtime.Context(t)); err != nil { // the call to the model has ended, or this would wait for it
				t.Error(err)
			}
			if len(asked) != 0 {
				t.Error("the model was asked again")
			}
		})
	}
}

func TestExtractTimeout(t *testing.T) {
	t.Parallel()
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, model := thinking(t)
			s.site.items("/a", "Kettle")
			s.site.items("/b", "Pan")
			hanging(model, stage.text)
			req := s.extractRequest("/a", "/b")
			req.Timeout = 1000
			stage.change(&req)
			j := s.extract(req)
			if j.State != trawl.StateFailed || j.Error != "The extract did not finish within its timeout." {
				t.Errorf("%s: %s", j.State, j.Error)
			}
		})
	}
}

// TestExtractRestart stops an engine in the middle of an extract. Another one
// finishes it, and puts no question that was answered.
func TestExtractRestart(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		extractRestart(t, openStore(t, storetest.Folder(t)))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		db, err := store.Open(t.Context(), store.Config{DatabaseURL: testpg.Start(t).URL()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		extractRestart(t, db)
	})
}

// tally counts the questions that have their answer.
type tally struct {
	llm.Model
	mu       sync.Mutex
	answered map[string]int
}

func (c *tally) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	answer, err := c.Model.Ask(ctx, r)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.answered[r.User]++
	}
	return answer, err
}

func (c *tally) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.answered)
}

func extractRestart(t *testing.T, db *store.Store) {
	model := llmtest.New(t)
	asked := hanging(model, "Stuck")
	answers := &tally{Model: clientOf(t, model), answered: map[string]int{}}
	counted := func(c *job.Config) { c.Extract = &extract.Extractor{Model: answers} }
	first := startOn(t, db, counted).grant(10_000)
	first.site.items("/", "Start", "/long", "/short")
	first.site.items("/short", "Short")
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "<p>Words without any meaning, for the time number %d.</p>", i)
	}
	first.site.text("/long", "text/html", "<html><body><main><h1>Long</h1><p>Item Early costs 50 euro.</p>"+long.String()+
		"<p>Item Stuck costs 50 euro.</p></main></body></html>")
	id := first.ordered(first.Extract(t.Context(), first.order, first.extractRequest("/*"))).ID
	receive(t, asked)
	eventually(t, func() bool { return first.get(trawl.KindExtract, id).Completed == 2 && answers.count() >= 4 })
	if err := first.Stop(testtime.Context(t)); err != nil {
		t.Fatal(err)
	}
	if j := first.get(trawl.KindExtract, id); j.Done() || j.Tokens != 2*perCall {
		t.Errorf("%+v", j)
	}

	model.Handle(findItems)
	second := startWith(t, db, first.site, counted)
	second.order = first.order
	j := second.finished(trawl.KindExtract, id)
	second.wantItems(j, "Start Early Stuck Short")
	answers.mu.Lock()
	questions := maps.Clone(answers.answered)
	answers.mu.Unlock()
	for question, times := range questions {
		if times > 1 {
			t.Errorf("asked %d times: %.200s", times, question)
		}
	}
	if want := int64(answers.count() * perCall); j.Tokens != want || j.Credits != (want+14)/15 {
		t.Errorf("%d tokens, %d credits for %d answers", j.Tokens, j.Credits, answers.count())
	}
	if _, used := second.balance(); used != j.Credits {
		t.Errorf("%d credits paid of %d", used, j.Credits)
	}
}
