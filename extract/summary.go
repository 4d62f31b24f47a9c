package extract

import (
	"context"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract/gist"
	"github.com/trawlhq/trawl/llm"
)

// Lengths of summaries.
const (
	maxSummary   = 1500 // characters
	partSummary  = 600  // characters of the summary of one part of a long page
	gistOf       = 5    // sentences, without a model
	littleText   = 200  // bytes of a page that need no summary
	maxCondensed = 8    // times that summaries are summarised
)

// summary says what a page is about, in a few sentences in its language. Of a
// page that is too large the beginning counts, and without a model the summary
// is the page's own central sentences, its description if it has none, or the
// little text that it has; the warning says so.
func (x *Extractor) summary(ctx context.Context, src *Source, _ Task) (*Finding, error) {
	if x.Model == nil {
		text, what := summaryByRule(src)
		return &Finding{Value: text, Warning: "No language model is configured: " + what}, nil
	}
	markdown, warning := src.Markdown, ""
	if len(markdown) > maxPage {
		markdown = markdown[:cutAt(markdown, maxPage)]
		warning = fmt.Sprintf("The page is too long: only its first %d bytes of text were summarised.", len(markdown))
	}
	if strings.TrimSpace(markdown) == "" {
		return &Finding{Value: "", Warning: warning}, nil
	}
	var text string
	var tokens int
	err := x.fitting(len(markdown), 0, func(size int) (err error) {
		text, tokens, err = x.condense(ctx, src, markdown, size)
		return err
	})
	return &Finding{Value: text, Tokens: tokens, Warning: warning}, err
}

// summaryByRule finds something in the page that can stand for a summary, and
// says what it is.
func summaryByRule(src *Source) (text, what string) {
	if text = gist.Summarize(src.Markdown, gistOf); text != "" {
		return shorten(text, maxSummary), "the summary consists of sentences of the page."
	}
	if text = strings.TrimSpace(src.Description); text != "" {
		return shorten(text, maxSummary), "the page has no sentences, and the summary is its description."
	}
	if text = gist.Plain(src.Markdown, littleText); text != "" {
		return text, "the page has no sentences, and the summary is its text."
	}
	return "", "the page has no sentences that could make a summary."
}

// condense summarises the parts of a page, and their summaries, until one is
// left.
func (x *Extractor) condense(ctx context.Context, src *Source, markdown string, size int) (text string, tokens int, err error) {
	for range maxCondensed {
		p := newPage(src, markdown, size)
		answers, err := x.askAll(ctx, p.summaries())
		if err != nil {
			return "", 0, err
		}
		most := maxSummary
		if len(answers) > 1 {
			most = min(partSummary, size/8)
		}
		var texts []string
		for _, answer := range answers {
			tokens += answer.Tokens
			text, err := p.summary(answer.Text, most)
			if err != nil {
				return "", 0, err
			}
			texts = append(texts, text)
		}
		if len(texts) == 1 {
			return texts[0], tokens, nil
		}
		markdown = strings.Join(texts, "\n\n")
	}
	return "", 0, trawl.Errorf(trawl.CodeModel, "The model's summaries do not get shorter.")
}

// summaries asks for a summary of every part.
func (p *page) summaries() []llm.Request {
	task := fmt.Sprintf("Summarise the page below in three to six sentences, at most %d characters.", maxSummary)
	if len(p.parts) > 1 {
		task = fmt.Sprintf("Below is one part of a long page. Summarise it in two to four sentences, at most %d characters.", partSummary)
	}
	list := make([]llm.Request, len(p.parts))
	for i := range p.parts {
		list[i] = llm.Request{System: summaryRules, User: task + "\n\n" + p.data(i)}
	}
	return list
}

// summary returns what a model wrote, if it is a summary.
func (p *page) summary(text string, most int) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", trawl.Errorf(trawl.CodeModel, "The model gave no summary.")
	case reveals(text) || strings.Contains(text, p.mark):
		return "", trawl.Errorf(trawl.CodeModel, "The model gave its own instructions as the summary.")
	}
	return shorten(text, most), nil
}

// shorten cuts a text behind a sentence, if one ends in its second half, else
// behind a word.
func shorten(text string, most int) string {
	short := cut(text, most)
	if len(short) == len(text) {
		return text
	}
	if end := strings.LastIndexAny(short, ".!?。！？"); end > len(short)/2 {
		for end++; end < len(short) && short[end]&0xc0 == 0x80; end++ {
		}
		return short[:end]
	}
	if end := strings.LastIndexByte(short, ' '); end > 0 {
		short = short[:end]
	}
	return short + "…"
}
