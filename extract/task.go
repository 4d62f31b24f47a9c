package extract

import (
	"context"

	"github.com/trawlhq/trawl/brand"
)

// Kind is a kind of task.
type Kind int

// The kinds of tasks, and what they find.
const (
	JSON       Kind = iota // data by a prompt and a schema
	Summary                // a string
	Answer                 // likewise, to the question in the prompt
	Highlights             // likewise, for the query in the prompt
	Product                // an object; nil if there is none
	Menu                   // likewise
	Brand                  // a *trawl.Branding, of what was measured
	Changes                // data, on what is different from how the page was before
)

// Task is something to find out from a page.
type Task struct {
	Kind   Kind
	Want   Want
	Kit    *brand.Kit // of Brand
	Before *Source    // of Changes
}

// Do carries out a task on a page. Its errors are *trawl.Error, or that of the
// context.
func (x *Extractor) Do(ctx context.Context, src *Source, task Task) (*Finding, error) {
	return [...]func(*Extractor, context.Context, *Source, Task) (*Finding, error){
		JSON:       (*Extractor).json,
		Summary:    (*Extractor).summary,
		Answer:     (*Extractor).answer,
		Highlights: (*Extractor).highlights,
		Product:    (*Extractor).product,
		Menu:       (*Extractor).menu,
		Brand:      (*Extractor).brand,
		Changes:    (*Extractor).changes,
	}[task.Kind](x, ctx, src, task)
}
