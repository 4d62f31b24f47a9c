package browser

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestRender(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	base := site(t, map[string]string{
		"/": `<!doctype html><title>Script</title><div id=root></div>
			<script>setTimeout(() => { root.innerHTML = '<h1>It came by script</h1>' }, 200)</script>`,
	})
	result, err := pool.Render(testtime.Context(t), Request{URL: base + "/", Country: "DE", Languages: []string{"de-DE"}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(result.HTML, "<h1>It came by script</h1>") || result.Status != 200 || result.URL != base+"/" || result.ContentType != "text/html" {
		t.Errorf("result = %+v", result)
	}
}

// TestMeasure looks at a page by an expression: after the actions, out of the
// page's sight, and without harm to the page if it fails.
func TestMeasure(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	base := site(t, map[string]string{
		"/": `<!doctype html><title>Page</title><button onclick="document.title = 'Pressed'">Press</button>
			<script>window.secret = 1; document.querySelector = () => ({tagName: 'FOOLED'})</script>`,
	})
	for name, row := range map[string]struct{ script, want string }{
		"object":        {`({title: document.title, tag: document.querySelector('button').tagName})`, `{"title":"Pressed","tag":"BUTTON"}`},
		"promise":       {`Promise.resolve([1])`, `[1]`},
		"own world":     {`typeof window.secret`, `"undefined"`},
		"throws":        {`(() => { throw new Error('no') })()`, ``},
		"nothing":       {`undefined`, ``},
		"not JSON":      {`window`, ``},
		"far too large": {`'x'.repeat(2 << 20)`, ``},
		"large":         {`'x'.repeat(1000)`, `"` + strings.Repeat("x", 1000) + `"`},
	} {
		result, err := pool.Render(testtime.Context(t), Request{
			URL: base + "/", Measure: row.script, Actions: []trawl.Action{{Type: trawl.ActionClick, Selector: "button"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if string(result.Measured) != row.want && !sameJSON(result.Measured, row.want) {
			t.Errorf("%s: measured %.100s", name, result.Measured)
		}
		if !strings.Contains(result.HTML, "<button") {
			t.Errorf("%s: the page reads %s", name, result.HTML)
		}
	}
}

// sameJSON reports whether two texts are the same value.
func sameJSON(a json.RawMessage, b string) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
