package format_test

import (
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape/format"
)

// TestAllFormats holds the list against the formats of the API.
func TestAllFormats(t *testing.T) {
	t.Parallel()
	all := format.All()
	for _, variant := range trawl.FormatVariants() {
		i := slices.IndexFunc(all, func(f *format.Format) bool { return f.Name == variant.Type })
		if i < 0 {
			t.Errorf("%s has no entry", variant.Type)
			continue
		}
		f := all[i]
		if makers := f.Bytes != nil || f.Read != nil || f.Ask != nil; makers == f.Unsupported {
			t.Errorf("%s: made %t, unsupported %t", f.Name, makers, f.Unsupported)
		}
		if f.HasOptions != (len(variant.Fields) > 0) {
			t.Errorf("%s: has options %t, and in the API %v", f.Name, f.HasOptions, variant.Fields)
		}
		if f.Needs != nil && f.Needs(&trawl.Format{Type: f.Name}).Browser != (f.NoBrowser != "") {
			t.Errorf("%s: its error without a browser is %q", f.Name, f.NoBrowser)
		}
	}
	if len(all) != len(trawl.FormatVariants()) {
		t.Errorf("%d entries for %d formats", len(all), len(trawl.FormatVariants()))
	}
}

// TestSteps makes a format that is asked for twice once, with the selectors of both.
func TestSteps(t *testing.T) {
	t.Parallel()
	first := []trawl.Selector{{Selector: "a"}, {Selector: "b"}}
	steps := format.Steps([]trawl.Format{
		{Type: "attributes", Selectors: first[:1]}, {Type: "markdown"}, {Type: "attributes", Selectors: []trawl.Selector{{Selector: "c"}}}, {Type: "markdown"},
	})
	if len(steps) != 2 || steps[0].Name != "markdown" || steps[1].Name != "attributes" || len(steps[1].Options.Selectors) != 2 {
		t.Errorf("%+v", steps)
	}
	if first[1].Selector != "b" {
		t.Error("the request was changed")
	}
}
