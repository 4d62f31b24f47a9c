package format

import (
	"context"

	"github.com/trawlhq/trawl"
)

// query is a question or a search for quotes, by its mode.
var query = Format{
	Name:       trawl.FormatQuery,
	HasOptions: true,
	Needs: func(o *trawl.Format) Needs {
		if o.Mode == trawl.QueryQuotes {
			return highlights.Needs(o)
		}
		return question.Needs(o)
	},
	Ask: func(ctx context.Context, t *Task, o *trawl.Format) (string, error) {
		if o.Mode == trawl.QueryQuotes {
			return t.quotes(ctx, o.Prompt)
		}
		return t.answer(ctx, o.Prompt)
	},
}
