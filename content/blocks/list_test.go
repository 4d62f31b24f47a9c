package blocks

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

// TestKeepItems says which items of lists are kept when the model keeps the
// blocks whose text is in capitals.
func TestKeepItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"most are kept", `<ul><li>ONE<li>two<li>THREE</ul>`, "ONE two THREE"},
		{"half are kept", `<ol><li>ONE<li>two</ol>`, "ONE two"},
		{"few are kept", `<ul><li>ONE<li>two<li>three</ul>`, "ONE"},
		{"none is kept", `<ul><li>one<li>two</ul><p>THREE</p>`, "THREE"},
		{"each list by itself", `<ul><li>ONE<li>two</ul><ul><li>three<li>four</ul>`, "ONE two"},
		{"what is around a list", `<p>zero</p><ul><li>ONE</ul><p>two</p>`, "ONE"},
		{"an item of several blocks", `<ul><li>ONE<li><p>two</p><p>three</p></ul>`, "ONE two three"},
		{"a part of an item", `<ul><li><p>ONE</p><p>two</p><li><p>THREE</p></ul>`, "ONE THREE"},
		{"items without text", `<ul><li>ONE<li>two<li><li><img src=a><li></ul>`, "ONE two"},
		{"a list in a lost item", `<ul><li>one<ul><li>TWO<li>three</ul><li>four</ul>`, "TWO three"},
		{"a lost list in an item", `<ul><li>ONE<ul><li>two<li>three</ul><li>four</ul>`, "ONE four"},
		{"terms", `<dl><dt>ONE<dd>two<dt>THREE<dd>four</dl>`, "ONE two THREE four"},
		{"items without a list", `<div><li>ONE<li>two</div>`, "ONE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := new(walker).survey(dom.Parse(c.page), nil, "")
			textOf := func(b *block) string { return strings.TrimSpace(p.leaves[b.first].Data) }
			var text []int32
			for i := range p.blocks {
				if b := &p.blocks[i]; b.chars > 0 {
					b.kept = textOf(b) == strings.ToUpper(textOf(b))
					text = append(text, int32(i))
				}
			}
			p.keepItems(text)
			var got []string
			for _, i := range text {
				if b := &p.blocks[i]; b.kept {
					got = append(got, textOf(b))
				}
			}
			if want := strings.Fields(c.want); !slices.Equal(got, want) {
				t.Errorf("kept %q, want %q", got, want)
			}
		})
	}
}
