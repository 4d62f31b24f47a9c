package format

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// menu is the food and drink that the page lists. A page that has none leaves it out.
var menu = Format{
	Name:  trawl.FormatMenu,
	Needs: func(*trawl.Format) Needs { return Needs{Text: true} },
	Ask: func(ctx context.Context, t *Task, _ *trawl.Format) (note string, err error) {
		t.Doc.Menu, note, err = t.structured(ctx, extract.Task{Kind: extract.Menu})
		return note, err
	},
}
