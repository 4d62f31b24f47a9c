package content_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

func TestAttributes(t *testing.T) {
	t.Parallel()
	page := content.Parse(content.Source{ContentType: "text/html", Body: []byte(`<html lang="en"><head><meta name="a" content="1"></head>
		<body><div id="x" data-n="1"><a href="/one" class="l">1</a><div data-n="2"><a href="two">2</a></div></div>
		<a name="none">3</a><svg viewBox="0 0 1 1"></svg></body></html>`)})
	for _, row := range []struct {
		selector, attribute string
		want                []string
	}{
		{"a", "href", []string{"/one", "two"}},
		{"A", "HREF", []string{"/one", "two"}},
		{"div > div a", "href", []string{"two"}},
		{"[data-n]", "data-n", []string{"1", "2"}},
		{".l, #x", "class", []string{"l"}},
		{"html", "lang", []string{"en"}},
		{"meta[name=a]", "content", []string{"1"}},
		{"svg", "viewBox", []string{"0 0 1 1"}},
		{"p", "id", []string{}},
	} {
		got, _, err := page.Attributes([]content.Query{{Selector: row.selector, Attribute: row.attribute}})
		if err != nil || !reflect.DeepEqual(got, [][]string{row.want}) {
			t.Errorf("%s of %s: %v, %v", row.attribute, row.selector, got, err)
		}
	}
	both, _, err := page.Attributes([]content.Query{{"div a", "href"}, {"a:first-child", "class"}})
	if err != nil || !reflect.DeepEqual(both, [][]string{{"/one", "two"}, {"l"}}) {
		t.Errorf("several at once: %v, %v", both, err)
	}
	if got, _, err := content.Parse(content.Source{Body: []byte("text")}).Attributes([]content.Query{{"a", "href"}}); err != nil || len(got) != 1 || got[0] == nil {
		t.Errorf("plain text: %v, %v", got, err)
	}
}

// TestAttributesCut asks for more than an answer can hold: what is there is right,
// and that something is missing is said.
func TestAttributesCut(t *testing.T) {
	t.Parallel()
	page := content.Parse(content.Source{Body: []byte(`<p title="` + strings.Repeat("x", 4<<20) + `">text</p>`)})
	queries := make([]content.Query, 40)
	for i := range queries {
		queries[i] = content.Query{Selector: "p", Attribute: "title"}
	}
	answers, cut, err := page.Attributes(queries)
	if err != nil || !cut || len(answers[0]) != 1 || len(answers[39]) != 0 {
		t.Errorf("cut is %t, error %v, %d and %d values", cut, err, len(answers[0]), len(answers[39]))
	}
	if _, cut, _ := page.Attributes(queries[:10]); cut {
		t.Error("what fits is cut")
	}
}
