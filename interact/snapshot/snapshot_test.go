package snapshot_test

import (
	"testing"

	"github.com/trawlhq/trawl/interact/snapshot"
)

func tree() *snapshot.Tree {
	inner := &snapshot.Tree{Nodes: []snapshot.Node{
		{ID: "r", Role: "RootWebArea", Children: []string{"1"}},
		{ID: "1", Role: "button", Name: "Inner"},
	}}
	return &snapshot.Tree{Nodes: []snapshot.Node{
		{ID: "root", Role: "RootWebArea", Name: "Page", Children: []string{"h", "g", "box", "f", "missing", "root"}},
		{ID: "h", Role: "heading", Name: `A "name"` + "\n", Level: 2, Children: []string{"ht"}, Element: 7},
		{ID: "ht", Role: "StaticText", Name: `A "name"` + "\n"},
		{ID: "g", Role: "generic", Children: []string{"t1", "none", "c"}},
		{ID: "t1", Role: "StaticText", Name: "a "},
		{ID: "none", Ignored: true, Role: "none", Children: []string{"t2"}},
		{ID: "t2", Role: "StaticText", Name: "b"},
		{ID: "c", Role: "checkbox", Name: "C", Checked: "mixed", Disabled: true, Required: true, Expanded: new(false), Value: " x\n y "},
		{ID: "box", Role: "generic", Cursor: &snapshot.Cursor{Kind: "clickable", Hints: []string{"cursor:pointer", "onclick"}, Text: "Click"}, Children: []string{"bt"}},
		{ID: "bt", Role: "StaticText", Name: "Click"},
		{ID: "f", Role: "Iframe", Frame: inner},
	}}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options snapshot.Options
		want    string
	}{
		{"all", snapshot.Options{Depth: -1}, `- heading "A \"name\"\n" [level=2, ref=e1]
- generic
  - StaticText "a b"
  - checkbox "C" [checked=mixed, expanded=false, disabled, required, ref=e2]: x y
- generic [ref=e3] clickable [cursor:pointer, onclick]
  - StaticText "Click"
- Iframe [ref=e4]
  - button "Inner" [ref=e5]`},
		{"what can be used", snapshot.Options{Interactive: true, Depth: -1}, `- heading "A \"name\"\n" [level=2, ref=e1]
- checkbox "C" [checked=mixed, expanded=false, disabled, required, ref=e2]: x y
- generic "Click" [ref=e3] clickable [cursor:pointer, onclick]
- Iframe [ref=e4]
  - button "Inner" [ref=e5]`},
		{"what is of use", snapshot.Options{Compact: true, Depth: 0}, `- heading "A \"name\"\n" [level=2, ref=e1]
- generic
- generic [ref=e3] clickable [cursor:pointer, onclick]
- Iframe [ref=e4]`},
		{"a part", snapshot.Options{Scope: 7, Depth: -1}, `- heading "A \"name\"\n" [level=2, ref=e1]`},
	} {
		text, refs, ok := snapshot.Write(tree(), c.options)
		if !ok || text != c.want || len(refs) != 5 || refs[4].Name != "Inner" {
			t.Errorf("%s: %v, %d refs\n%s\nwant\n%s", c.name, ok, len(refs), text, c.want)
		}
	}
	if _, _, ok := snapshot.Write(tree(), snapshot.Options{Scope: 99}); ok {
		t.Error("a part that is not there")
	}
	empty := &snapshot.Tree{}
	for _, c := range []struct {
		options snapshot.Options
		want    string
	}{{snapshot.Options{Depth: -1}, "(empty page)"}, {snapshot.Options{Interactive: true}, "(no interactive elements)"}} {
		if text, _, ok := snapshot.Write(empty, c.options); !ok || text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}

// TestWriteCycles has a tree that is none.
func TestWriteCycles(t *testing.T) {
	t.Parallel()
	loop := &snapshot.Tree{Nodes: []snapshot.Node{
		{ID: "r", Children: []string{"a"}}, {ID: "a", Role: "group", Children: []string{"b"}}, {ID: "b", Role: "group", Children: []string{"a"}},
	}}
	if text, _, ok := snapshot.Write(loop, snapshot.Options{Depth: 2}); !ok || text != "- group\n  - group\n    - group" {
		t.Errorf("%q", text)
	}
}
