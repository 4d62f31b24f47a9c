package format

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// answerCredits is what an answer or quotes cost beyond the page.
const answerCredits = 4

// question is answered from the page.
var question = Format{
	Name:       trawl.FormatQuestion,
	HasOptions: true,
	Needs: func(o *trawl.Format) Needs {
		return Needs{Text: true, Model: "The format " + o.Type, Credits: answerCredits}
	},
	Ask: func(ctx context.Context, t *Task, o *trawl.Format) (string, error) { return t.answer(ctx, o.Question) },
}

func (t *Task) answer(ctx context.Context, question string) (note string, err error) {
	task := extract.Task{Kind: extract.Answer, Want: extract.Want{Prompt: question}}
	t.Doc.Answer, note, err = t.words(ctx, task, "The page has no text to answer from.")
	return note, err
}
