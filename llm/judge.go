package llm

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/schema"
)

// What finish_reason says of an answer that is not whole.
const (
	finishLength = "length"
	finishFilter = "content_filter"
)

// maxNamed is how many problems an error names.
const maxNamed = 3

// flaw is what is wrong with an answer.
type flaw struct {
	text     string           // the answer
	prose    bool             // there is no JSON in it
	cut      bool             // it was too long for the endpoint
	problems []schema.Problem // it does not fit the schema
}

// complaint tells the model.
func (f *flaw) complaint(structured bool) string {
	again := "Answer again."
	if structured {
		again = "Answer again with the whole JSON, corrected, and nothing else."
	}
	switch {
	case f.cut:
		return "Your answer was cut off because it was too long. " + again + " Be brief enough to get to the end."
	case !structured:
		return "Your answer was empty. " + again
	case len(f.problems) == 0:
		return "Your answer is not valid JSON. " + again
	}
	var b strings.Builder
	b.WriteString("Your answer does not fit the schema:\n")
	for _, p := range f.problems {
		b.WriteString("- " + describe(p) + "\n")
	}
	return b.String() + again
}

func describe(p schema.Problem) string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// despair is the error of an answer that could not be repaired.
func (c *Client) despair(f *flaw) error {
	switch {
	case f.cut:
		return useless("The language model's answer was cut off because it was too long.")
	case len(f.problems) > 0:
		var named []string
		for _, p := range f.problems[:min(len(f.problems), maxNamed)] {
			named = append(named, describe(p))
		}
		return useless("The language model's answer does not fit the schema: " + c.quote(strings.Join(named, "; ")))
	case f.text == "":
		return useless("The language model gave an empty answer.")
	}
	return useless("The language model gave no valid JSON: " + c.quote(f.text))
}

// useless is the error of an answer that was not what was asked for.
func useless(message string) error {
	return trawl.Wrap(trawl.CodeModel, message, ErrAnswer)
}

// judge takes the answer out of a reply, or tells what is wrong with it. The
// error is of a reply that asking again would not change.
func (q *question) judge(r *reply, m mode) (Answer, *flaw, error) {
	if r.refusal != "" {
		return Answer{}, nil, useless("The language model refuses to answer: " + q.client.quote(r.refusal))
	}
	if r.finish == finishFilter {
		return Answer{}, nil, useless("The language model's endpoint filtered the answer out.")
	}
	cut := r.finish == finishLength
	if !q.request.structured() {
		text := strings.TrimSpace(withoutThoughts(r.text))
		if text == "" || cut {
			return Answer{}, &flaw{text: text, cut: cut}, nil
		}
		return Answer{Text: text}, nil, nil
	}
	found := find(r.text)
	bad := &flaw{text: strings.TrimSpace(r.text), cut: cut && !found.whole}
	if bad.cut || found.cut {
		return Answer{}, bad, nil
	}
	for _, text := range found.values {
		value, problems, err := q.fit(text, m)
		if err != nil {
			return Answer{}, nil, err
		}
		if len(problems) == 0 {
			return Answer{Value: value}, nil, nil
		}
		if bad.problems == nil {
			bad.problems = problems
		}
	}
	bad.prose = len(found.values) == 0
	return Answer{}, bad, nil
}

// fit reads a value and checks it against the schema.
func (q *question) fit(text string, m mode) (any, []schema.Problem, error) {
	value, err := decode(text)
	if err != nil {
		return nil, nil, fmt.Errorf("decode answer: %w", err)
	}
	if m == modeTool {
		value = arguments(value)
	}
	value = q.shape.unwrap(value)
	if q.request.Schema == nil {
		return value, nil, nil
	}
	value = q.request.Schema.Tidy(value)
	return value, q.request.Schema.Check(value), nil
}

// arguments returns those of a tool call that a model wrote down instead of
// making it.
func arguments(value any) any {
	call, ok := value.(map[string]any)
	if !ok || len(call) != 2 || call["name"] != toolName {
		return value
	}
	for _, name := range []string{"arguments", "parameters"} {
		if inner, ok := call[name]; ok {
			return inner
		}
	}
	return value
}
