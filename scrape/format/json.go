package format

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// jsonFormat is data by a schema, a prompt or both.
var jsonFormat = Format{
	Name:       trawl.FormatJSON,
	HasOptions: true,
	Needs:      needsData,
	Ask: func(ctx context.Context, t *Task, o *trawl.Format) (note string, err error) {
		t.Doc.JSON, note, err = t.data(ctx, o)
		return note, err
	},
}

// deterministicJSON is the same from the page's own structured data, if that has all
// that is asked for, and only else from a model.
var deterministicJSON = Format{
	Name:       trawl.FormatDeterministicJSON,
	HasOptions: true,
	Needs:      needsData,
	Ask: func(ctx context.Context, t *Task, o *trawl.Format) (note string, err error) {
		t.Doc.JSON, note, err = t.ownData(ctx, o)
		return note, err
	},
}

func needsData(o *trawl.Format) Needs {
	n := Needs{Text: true, Structured: true}
	if o.Schema == nil {
		n.Model = "The format " + o.Type + " without a schema"
	}
	return n
}

// data has a model find what is asked for.
func (t *Task) data(ctx context.Context, o *trawl.Format) (json.RawMessage, string, error) {
	if t.ModelReady && t.blank() && (t.Source.Facts == nil || len(t.Source.Facts.Things) == 0) {
		return nil, "", trawl.Errorf(trawl.CodeModel, "%s", t.noText())
	}
	compiled, err := extract.Compile(o.Schema, "formats", "schema")
	if err != nil {
		return nil, "", err
	}
	found, err := t.Extract.Do(ctx, t.Source, extract.Task{Want: extract.Want{Prompt: o.Prompt, Schema: compiled}})
	if err != nil {
		if trawl.ErrorCode(err) == trawl.CodeNoModel && t.blank() {
			err = trawl.Errorf(trawl.CodeNoModel, "%s %s", t.noText(), err)
		}
		return nil, "", err
	}
	value, err := marshal(found.Value)
	return value, found.Warning, err
}

// noText says that the page has no text, and why that may be.
func (t *Task) noText() string {
	text := "The page has no text to extract from."
	if !t.Page.OK() {
		text += fmt.Sprintf(" The site answered with status %d %s.", t.Page.Status, http.StatusText(t.Page.Status))
	}
	return text
}

// ownData takes what is asked for from the page's own structured data, and asks a
// model where that lacks something.
func (t *Task) ownData(ctx context.Context, o *trawl.Format) (json.RawMessage, string, error) {
	compiled, err := extract.Compile(demanding(o.Schema), "formats", "schema")
	if err != nil {
		return nil, "", err
	}
	if !t.ModelReady || compiled == nil {
		return t.data(ctx, o)
	}
	withoutModel := new(extract.Extractor)
	found, err := withoutModel.Do(ctx, t.Source, extract.Task{Want: extract.Want{Schema: compiled}})
	if trawl.ErrorCode(err) == trawl.CodeNoModel {
		return t.data(ctx, o)
	}
	if err != nil {
		return nil, "", err
	}
	var note string
	if o.Prompt != "" {
		note = "The page's own structured data has all that the schema asks for; the prompt was not used."
	}
	value, err := marshal(found.Value)
	return value, note, err
}

// demanding returns a schema that requires all of its fields, if it requires none:
// one that is content with anything would be content with far too little.
func demanding(schema any) any {
	whole, _ := schema.(map[string]any)
	fields, _ := whole["properties"].(map[string]any)
	if required, _ := whole["required"].([]any); len(required) > 0 || len(fields) == 0 {
		return schema
	}
	strict := maps.Clone(whole)
	names := []any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		names = append(names, name)
	}
	strict["required"] = names
	return strict
}

// marshal writes a value as JSON: for readers, and not for a page of HTML.
func marshal(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode what was extracted: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
