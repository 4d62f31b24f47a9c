package interact

import (
	"context"
	"strings"

	"github.com/trawlhq/trawl/interact/line"
)

// runBatch runs each argument as a command of its own. One that fails is told of at the
// end, or ends the batch.
func (c *call) runBatch(ctx context.Context, bail bool) (output, error) {
	type entry struct {
		Command []string `json:"command"`
		Success bool     `json:"success"`
		Result  string   `json:"result,omitempty"`
		Error   string   `json:"error,omitempty"`
	}
	var printed, wrong []string
	var list []entry
	for _, text := range c.args {
		steps, err := line.Parse(text)
		if err != nil || len(steps) != 1 || len(steps[0].Commands) != 1 {
			return output{}, failed("Not one command: %s", clip(text, 200))
		}
		words := steps[0].Commands[0].Words
		if words[0] == program {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == "batch" {
			return output{}, failed("A batch has no batch in it.")
		}
		out, err := c.dispatch(ctx, words, nil)
		if ctx.Err() != nil {
			return output{}, context.Cause(ctx)
		}
		e := entry{Command: words, Success: err == nil, Result: out.text}
		if err != nil {
			e.Error = strings.TrimPrefix(explain(err), "✗ ")
			wrong = append(wrong, e.Error)
		} else if out.text != "" {
			printed = append(printed, out.text)
		}
		list = append(list, e)
		if err != nil && bail {
			break
		}
	}
	if len(wrong) > 0 {
		return output{}, failure(strings.Join(append(printed, wrong...), "\n"))
	}
	return output{strings.Join(printed, "\n\n"), list}, nil
}
