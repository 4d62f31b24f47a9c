package format

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// highlights are passages of the page that fit a query.
var highlights = Format{
	Name:       trawl.FormatHighlights,
	HasOptions: true,
	Needs:      func(*trawl.Format) Needs { return Needs{Text: true, Credits: answerCredits} },
	Ask:        func(ctx context.Context, t *Task, o *trawl.Format) (string, error) { return t.quotes(ctx, o.Query) },
}

func (t *Task) quotes(ctx context.Context, query string) (note string, err error) {
	task := extract.Task{Kind: extract.Highlights, Want: extract.Want{Prompt: query}}
	t.Doc.Highlights, note, err = t.words(ctx, task, "The page has no text to quote.")
	return note, err
}
