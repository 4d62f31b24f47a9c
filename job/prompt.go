package job

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/llm"
)

// promptTime is how long words may take to become options: somebody waits.
const promptTime = time.Minute

// Preview turns words into options of a crawl, without starting one. It also
// returns what to know about them; callers could have sent them as they are.
func (e *Engine) Preview(ctx context.Context, o Order, req trawl.PreviewRequest) (trawl.CrawlChoices, string, error) {
	base, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return trawl.CrawlChoices{}, "", trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: err.Error(), Path: []any{"url"}}})
	}
	return e.choose(ctx, o, base, req.Prompt)
}

// prompted fills in what the prompt of a crawl says and its caller left open. For
// want of a language model the crawl does without it.
func (e *Engine) prompted(ctx context.Context, o Order, base string, req *trawl.CrawlRequest) (*trawl.CrawlChoices, string, error) {
	if strings.TrimSpace(req.Prompt) == "" {
		return nil, "", nil
	}
	choices, warning, err := e.choose(ctx, o, base, req.Prompt)
	if known, ok := errors.AsType[*trawl.Error](err); ok && known.Code == trawl.CodeNoModel {
		return &trawl.CrawlChoices{}, "The prompt had no effect. " + known.Message, nil
	}
	if err != nil {
		return nil, "", err
	}
	if req.RegexOnFullURL { // patterns are made for paths
		choices.IncludePaths, choices.ExcludePaths = nil, nil
		choices.CrawlEntireDomain = nil // it may only have been for them
	}
	req.Fill(&choices)
	return &choices, warning, nil
}

// choose makes options of words, and holds them to what is asked of callers.
func (e *Engine) choose(ctx context.Context, o Order, base, prompt string) (trawl.CrawlChoices, string, error) {
	ctx, cancel := context.WithTimeout(llm.For(ctx, o.Caller.Team.ID, true), promptTime)
	defer cancel()
	choices, warning, err := e.Config.Extract.Choices(ctx, base, prompt)
	if trawl.ErrorCode(err) == trawl.CodeNoModel {
		return trawl.CrawlChoices{}, "", err
	}
	if err == nil {
		_, err = crawl.NewRules(&trawl.CrawlRequest{IncludePaths: choices.IncludePaths, ExcludePaths: choices.ExcludePaths}, base)
	}
	if err != nil {
		return trawl.CrawlChoices{}, "", unclear(ctx, err)
	}
	return choices, warning, nil
}

// unclear is the error of words that cannot be used. That of a language model
// which did not answer at all is another: rephrasing would not help.
func unclear(ctx context.Context, err error) error {
	if err = unanswered(ctx, err); trawl.ErrorCode(err) == trawl.CodeModel && !errors.Is(err, llm.ErrAnswer) {
		return err
	}
	message := "The prompt could not be turned into options of a crawl. Rephrase it, or use explicit options instead."
	if known, ok := errors.AsType[*trawl.Error](err); ok && known.Code == trawl.CodeModel {
		message += " " + known.Message
	}
	return trawl.Wrap(trawl.CodeBadRequest, message, err)
}
