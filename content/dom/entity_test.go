package dom_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

// TestReferenceVectors runs the html5lib tests for character references.
func TestReferenceVectors(t *testing.T) {
	t.Parallel()
	ran := 0
	for _, name := range []string{"entities.test", "namedEntities.test", "numericEntities.test"} {
		text, err := os.ReadFile(filepath.Join(vectorFolder(t), "html5lib-tests", "tokenizer", name))
		if err != nil {
			t.Skip("the module comes without the vectors")
		}
		var file struct {
			Tests []struct {
				Input  string
				Output [][]any
			}
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, test := range file.Tests {
			body := dom.Parse("<!doctype html><body>" + test.Input).Body()
			var want, got any
			switch output := test.Output[0]; output[0] {
			case "Character":
				want, got = output[1], body.InnerText(1000)
			case "StartTag":
				for key, value := range output[2].(map[string]any) {
					want, got = value, body.FirstChild.Get(key)
				}
			default:
				continue
			}
			ran++
			if got != want {
				t.Errorf("%q: got %q, want %q", test.Input, got, want)
			}
		}
	}
	if ran < 4000 {
		t.Errorf("only %d vectors were found", ran)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, text, value string }{
		{"a &amp b &lt;c&gt; AT&T", "a & b <c> AT&T", "a & b <c> AT&T"},
		{"?a=1&copy=2&amp;b=3", "?a=1©=2&b=3", "?a=1&copy=2&b=3"},
		{"&notit; &notin; &not", "¬it; ∉ ¬", "&notit; ∉ ¬"},
		{"&nosuch; & &; &#; &#x;", "&nosuch; & &; &#; &#x;", "&nosuch; & &; &#; &#x;"},
		{"&#128;&#x41&#0;&#xD800;&#99999999999999999999;", "€A\uFFFD\uFFFD\uFFFD", "€A\uFFFD\uFFFD\uFFFD"},
		{"&semi;&NotEqualTilde;&ngE;", ";≂̸≧̸", ";≂̸≧̸"},
		{"&" + strings.Repeat("a", 100) + ";", "&" + strings.Repeat("a", 100) + ";", "&" + strings.Repeat("a", 100) + ";"},
	} {
		if got := dom.Parse("<p>" + c.page).Body().InnerText(1000); got != c.text {
			t.Errorf("%q as text: got %q, want %q", c.page, got, c.text)
		}
		if got := dom.Parse(`<p title="` + c.page + `">`).Body().FirstChild.Get("title"); got != c.value {
			t.Errorf("%q as a value: got %q, want %q", c.page, got, c.value)
		}
	}
}
