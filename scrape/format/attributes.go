package format

import (
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/scrape/reading"
)

// attributes are the values of attributes of elements that selectors choose.
var attributes = Format{
	Name:       trawl.FormatAttributes,
	HasOptions: true,
	Check:      checkAttributes,
	Read: func(t *Task, o *trawl.Format) (note string, err error) {
		list := make([]trawl.Attribute, len(o.Selectors))
		queries := make([]content.Query, len(o.Selectors))
		for i, s := range o.Selectors {
			list[i] = trawl.Attribute{Selector: s.Selector, Attribute: s.Attribute}
			queries[i] = content.Query{Selector: s.Selector, Attribute: s.Attribute}
		}
		answers, cut, err := t.Reading.Tree().Attributes(queries)
		if err != nil {
			return "", reading.TooCostly("the format attributes", err)
		}
		for i, values := range answers {
			list[i].Values = values
		}
		if cut {
			note = "The attributes are too large: the last of them are missing."
		}
		t.Doc.Attributes = &list
		return note, nil
	},
}

func checkAttributes(o *trawl.Format, at int) error {
	for i, s := range o.Selectors {
		if err := content.CheckSelectors([]string{s.Selector}); err != nil {
			return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: err.Error(), Path: []any{"formats", at, "selectors", i, "selector"}}})
		}
	}
	return nil
}
