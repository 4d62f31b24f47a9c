package format

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// summary says in a few sentences what the page is about.
var summary = Format{
	Name:  trawl.FormatSummary,
	Needs: func(*trawl.Format) Needs { return Needs{Text: true} },
	Ask: func(ctx context.Context, t *Task, _ *trawl.Format) (note string, err error) {
		task := extract.Task{Kind: extract.Summary}
		t.Doc.Summary, note, err = t.words(ctx, task, "The page has no text to sum up.")
		if t.Alone || !modelFailed(err) {
			return note, err
		}
		withoutModel := new(extract.Extractor)
		found, ruleErr := withoutModel.Do(ctx, t.Source, task)
		if ruleErr != nil {
			return "", err
		}
		text, _ := found.Value.(string)
		t.Doc.Summary, t.Degraded = &text, true
		return "The summary was made from the page's own sentences, because the language model failed: " + err.Error(), nil
	},
}
