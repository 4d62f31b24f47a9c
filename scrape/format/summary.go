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
		t.Doc.Summary, note, err = t.words(ctx, extract.Task{Kind: extract.Summary}, "The page has no text to sum up.")
		return note, err
	},
}
