package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract/found"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/schema"
)

// Source is a page to extract from.
type Source struct {
	URL         string
	Title       string
	Description string
	Markdown    string
	Facts       *facts.Facts // what the page says for machines; may be nil
}

// Want is what a caller wants to know. System are the caller's words on how to
// go about it; they never get above the rules of this package.
type Want struct {
	Prompt string
	System string
	Schema *schema.Schema // may be nil

	Founded bool // of lists only the things of which the page says something
}

// Finding is what one page, or several together, have to say. It can be stored
// as JSON and read back.
type Finding struct {
	Value    any              `json:"value"`
	Evidence []trawl.Evidence `json:"evidence,omitempty"`
	Tokens   int              `json:"tokens,omitempty"`
	Warning  string           `json:"warning,omitempty"`
}

// UnmarshalJSON keeps numbers as they are written: identifiers can be larger
// than what a float64 has room for.
func (f *Finding) UnmarshalJSON(data []byte) error {
	type plain Finding
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode((*plain)(f)); err != nil {
		return fmt.Errorf("decode finding: %w", err)
	}
	return nil
}

// Extractor extracts with a model, or by rules where it has none. It is ready
// for use as &Extractor{Model: m}, also by many goroutines at a time; it must not
// be copied.
type Extractor struct {
	Model llm.Model // nil: without one

	sizes sizes
}

// json returns what a page has to say; it fits the schema that is wanted. A page
// that cannot fill the schema is an error, and so is one that is too large
// ([trawl.CodeContentTooLarge]).
func (x *Extractor) json(ctx context.Context, src *Source, task Task) (*Finding, error) {
	want := task.Want
	if x.Model == nil {
		return fromFacts(src, want, true)
	}
	findings, err := x.findings(ctx, src, want, want.Schema)
	if err != nil {
		return nil, err
	}
	if len(findings) == 1 {
		return findings[0], nil
	}
	merged := Merge(findings, want.Schema)
	complete, err := x.Complete(ctx, merged, want)
	if err != nil {
		return nil, err
	}
	complete.Tokens += merged.Tokens
	return complete, nil
}

// Part returns what one page of several has to say: it fits the relaxed schema.
// Its value is nil if the page says nothing of what is wanted.
func (x *Extractor) Part(ctx context.Context, src *Source, want Want) (*Finding, error) {
	whole := want.Schema
	if whole != nil {
		want.Schema = whole.Relaxed()
	}
	if x.Model == nil {
		return fromFacts(src, want, false)
	}
	findings, err := x.findings(ctx, src, want, whole)
	if err != nil {
		return nil, err
	}
	f := findings[0]
	if len(findings) > 1 {
		f = Merge(findings, want.Schema)
	}
	if empty(f.Value) {
		f.Value, f.Evidence = nil, nil
	}
	return f, nil
}

// findings returns what each part of a page has to say. That of the only part
// fits the schema that is wanted, those of several the relaxed one. What may be
// taken out of them is up to the whole schema: a required value that cannot be
// verified is better than none.
func (x *Extractor) findings(ctx context.Context, src *Source, want Want, whole *schema.Schema) ([]*Finding, error) {
	p, answers, err := x.readPage(ctx, src, want)
	if err != nil {
		return nil, err
	}
	fits := want.Schema
	if fits != nil && len(answers) > 1 {
		fits = fits.Relaxed()
	}
	j := newJudge(src, whole)
	j.mark, j.founded = p.mark, want.Founded
	list := make([]*Finding, len(answers))
	for i, answer := range answers {
		if list[i], err = j.finding(answer.Value, fits); err != nil {
			return nil, err
		}
		list[i].Tokens = answer.Tokens
	}
	return list, nil
}

// empty reports whether a value says nothing.
func empty(value any) bool {
	leaves := 0
	walk(value, "", 0, func(string, any) { leaves++ })
	return leaves == 0
}

// fromFacts extracts without a model, from what the page says for machines. The
// whole answer must have all that is required.
func fromFacts(src *Source, want Want, whole bool) (*Finding, error) {
	if want.Schema == nil {
		return nil, NoModel("Extraction by a prompt alone")
	}
	f := src.Facts
	if f == nil {
		f = &facts.Facts{Title: src.Title, Description: src.Description}
	}
	value, missing := found.Map(f, want.Schema)
	if value != nil {
		value = want.Schema.Tidy(value)
	}
	problems := want.Schema.Check(value)
	switch {
	case whole && len(missing) > 0:
		return nil, NoModel("The page's own structured data lacks " + enumerate(missing) + ". Reading its text")
	case whole && (value == nil || len(problems) > 0):
		return nil, NoModel("The page's own structured data does not fill the schema. Reading its text")
	case value == nil || len(problems) > 0 || empty(value):
		return &Finding{Warning: factsWarning(f, want)}, nil
	}
	j := newJudge(src, want.Schema)
	return &Finding{Value: value, Evidence: j.evidence(value), Warning: factsWarning(f, want)}, nil
}

func factsWarning(f *facts.Facts, want Want) string {
	warning := "No language model is configured: the data comes from the page's own structured data."
	if strings.TrimSpace(want.Prompt) != "" {
		warning += " The prompt was not used."
	}
	if f.Cut {
		warning += " The page has more of it than is read: lists may lack their ends."
	}
	return warning
}

// Compile reads the schema of a caller, which may be nil for none. Its error is a
// *[trawl.Error] that says what is wrong where, below the path of the field.
func Compile(raw any, path ...any) (*schema.Schema, error) {
	if raw == nil {
		return nil, nil
	}
	compiled, err := schema.Compile(raw)
	if err == nil {
		return compiled, nil
	}
	issue := trawl.Issue{Code: "invalid_value", Message: "Invalid JSON schema.", Path: path}
	if bad, ok := errors.AsType[*schema.Error](err); ok {
		issue.Message += " " + strings.TrimSuffix(bad.Text, ".") + "."
		issue.Path = slices.Concat(path, bad.Path)
	}
	return nil, trawl.Invalid([]trawl.Issue{issue})
}

// NoModel is the error of something that cannot be done without a language
// model. What is the beginning of a sentence that goes on with "needs".
func NoModel(what string) *trawl.Error {
	return trawl.Errorf(trawl.CodeNoModel,
		"%s needs a language model, and none is configured. Set TRAWL_LLM_BASE_URL and TRAWL_LLM_MODEL.", what)
}
