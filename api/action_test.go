package api_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

func TestReadActions(t *testing.T) {
	t.Parallel()
	got, err := api.ReadActions([]byte(`[{"type": "wait", "milliseconds": 1e3}, {"type": "click", "selector": "a", "all": true}]`))
	want := []trawl.Action{{Type: trawl.ActionWait, Milliseconds: 1000}, {Type: trawl.ActionClick, Selector: "a", All: true}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		`[{"type": "click"}]`:                               "actions.0.selector: is required",
		`[{"type": "scrape"}, {"type": "sing"}]`:            `actions.1.type: unknown type "sing"`,
		`[{"type": "scrape", "selector": "a"}]`:             "actions.0.selector: unexpected property",
		`[{"type": "write", "Text": "a"}]`:                  "actions.0.text: is required",
		`[{"type": "write", "text": "a", "text": "b"}]`:     "0.text: is given twice",
		`[{"type": "wait", "milliseconds": 1.5}]`:           "actions.0.milliseconds: expected integer",
		`[{"type": "screenshot", "viewport": {"width":1}}]`: "actions.0.viewport.height: is required",
		`{"type": "scrape"}`:                                "actions: expected array",
		`["scrape"]`:                                        "",
		`[] []`:                                             "",
		``:                                                  "",
	} {
		actions, err := api.ReadActions([]byte(text))
		code := trawl.ErrorCode(err)
		if code != trawl.CodeBadRequest && code != trawl.CodeInvalidJSON || want != "" && err.Error() != want {
			t.Errorf("%s: %+v, %v", text, actions, err)
		}
	}
}

// FuzzReadActions holds that only known actions are accepted.
func FuzzReadActions(f *testing.F) {
	f.Add([]byte(`[{"type": "wait", "milliseconds": 1e3}, {"type": "screenshot", "viewport": {"width": 1, "height": 2}}]`))
	f.Add([]byte(`[{"type": "pdf", "scale": 0.1, "format": "A4"}, {"type": "scroll"}, null, 7]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		actions, err := api.ReadActions(data)
		if err != nil && actions != nil {
			t.Errorf("%q: actions beside %v", data, err)
		}
		for _, action := range actions {
			if !slices.ContainsFunc(trawl.ActionVariants(), func(v trawl.Variant) bool { return v.Type == action.Type }) {
				t.Errorf("%q has an action %q", data, action.Type)
			}
		}
	})
}
