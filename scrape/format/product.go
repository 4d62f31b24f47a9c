package format

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// product is the product that the page is about. A page that has none leaves it out.
var product = Format{
	Name:  trawl.FormatProduct,
	Needs: func(*trawl.Format) Needs { return Needs{Text: true} },
	Ask: func(ctx context.Context, t *Task, _ *trawl.Format) (note string, err error) {
		t.Doc.Product, note, err = t.structured(ctx, extract.Task{Kind: extract.Product})
		return note, err
	},
}
