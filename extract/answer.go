package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/schema"
)

const (
	maxAnswer = 10_000 // characters
	notTold   = "The page does not answer this question."
)

// answerSchema is that of an answer, which is null where a page gives none: in
// words of its own a model would rather guess.
const answerSchema = `{"type":"object","additionalProperties":false,"required":["answer"],"properties":{
	"answer":{"type":["string","null"],"description":"The answer, in plain sentences. Null if the page does not tell."}}}`

// answer answers a question from the page alone, and says so where the page does
// not tell. Of a long page every part is asked, and the answers are put together.
// Without a model it is [NoModel].
func (x *Extractor) answer(ctx context.Context, src *Source, task Task) (*Finding, error) {
	if x.Model == nil {
		return nil, NoModel("Answering a question")
	}
	if strings.TrimSpace(src.Markdown) == "" {
		return &Finding{Value: notTold}, nil
	}
	s, err := compileText(answerSchema)
	if err != nil {
		return nil, err
	}
	want := Want{Schema: s, Prompt: "An answer to the following question, in the language of the question and as short as it can be. " +
		"It says only what the page says. If the page does not tell, the answer is null.\n\n" + task.Want.Prompt}
	p, answers, err := x.readPage(ctx, src, want)
	if err != nil {
		return nil, err
	}
	var told []string
	tokens := 0
	for _, answer := range answers {
		tokens += answer.Tokens
		text, err := p.answer(answer.Value)
		if err != nil {
			return nil, err
		}
		if text != "" {
			told = append(told, text)
		}
	}
	switch len(told) {
	case 0:
		return &Finding{Value: notTold, Tokens: tokens}, nil
	case 1:
		return &Finding{Value: told[0], Tokens: tokens}, nil
	}
	text, more, err := x.oneAnswer(ctx, told, want)
	return &Finding{Value: text, Tokens: tokens + more}, err
}

// answer returns what a model says, if that is an answer; nothing if it says that
// there is none.
func (p *page) answer(value any) (string, error) {
	object, _ := value.(map[string]any)
	text, _ := object["answer"].(string)
	text = strings.TrimSpace(text)
	if reveals(text) || strings.Contains(text, p.mark) {
		return "", trawl.Errorf(trawl.CodeModel, "The model gave its own instructions as the answer.")
	}
	return shorten(text, maxAnswer), nil
}

// oneAnswer makes one answer of those of the parts of a page.
func (x *Extractor) oneAnswer(ctx context.Context, told []string, want Want) (text string, tokens int, err error) {
	most := maxRepaired / len(told)
	for i := range told {
		told[i] = shorten(told[i], min(maxAnswer, most/4)) // a character has up to four bytes
	}
	data := strings.Join(told, "\n\n")
	p := &page{mark: markOf(data)}
	answer, err := x.Model.Ask(ctx, llm.Request{
		System: repairRules, Schema: want.Schema,
		User: "The caller wants this from a page:\n\n" + want.Prompt + "\n\nEvery part of the page was asked by itself. These are the answers, in the order of the page:\n\n" +
			fence("DATA", p.mark, data) + "\n\nMake one answer of them.",
	})
	if err != nil {
		return "", 0, err
	}
	if text, err = p.answer(answer.Value); err != nil {
		return "", 0, err
	}
	if text == "" {
		text = shorten(data, maxAnswer)
	}
	return text, answer.Tokens, nil
}

// compileText compiles a schema of this package.
func compileText(text string) (*schema.Schema, error) {
	var raw any
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("decode schema: %w", err)
	}
	s, err := schema.Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return s, nil
}
