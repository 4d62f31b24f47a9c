package extract

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/schema"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("word ", 12) + "\n\n"
	rows := strings.Repeat("| a cell | another cell |\n", 40)
	for _, c := range []struct {
		name, markdown string
		first, section []string // how parts begin, and below which headings they are
	}{
		{"small", "# A\n\ntext", []string{"# A"}, []string{""}},
		{"at headings", "# A\n\n" + filler + filler + "## B\n\n" + filler + filler + "## C\n\n" + filler + filler, []string{"# A", "## B", "## C"}, []string{"", "A", "A"}},
		{"at blocks", "# A\n\n## B\n\n" + strings.Repeat(filler, 8), []string{"# A", "word", "word"}, []string{"", "A > B", "A > B"}},
		{"at items", "# A\n" + strings.Repeat("- one item of a list\n  that goes on\n", 12), []string{"# A", "- one", "- one"}, []string{"", "A", "A"}},
		{"at rows", "| H1 | H2 |\n| --- | --- |\n" + rows[:400], []string{"| H1", "| H1 | H2 |\n| --- | --- |\n| a cell", "| H1 | H2 |\n| --- | --- |\n| a cell"}, []string{"", "", ""}},
		{"in code", "```go\n" + strings.Repeat("x := \"# no heading\"\n", 15) + "```\n", []string{"```go\nx", "```go\nx"}, []string{"", ""}},
		{"at lines", strings.Repeat("one line of a long paragraph\n", 12), []string{"one line", "one line"}, []string{"", ""}},
		{"at characters", strings.Repeat("ä", 250), []string{"ää", "ää", "ää"}, []string{"", "", ""}},
		{"blank", strings.Repeat("\n", 500), []string{""}, []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			parts := split(c.markdown, 200)
			if len(parts) != len(c.first) {
				t.Fatalf("%d parts: %q", len(parts), parts)
			}
			for i, p := range parts {
				if !strings.HasPrefix(p.text, c.first[i]) || p.section != c.section[i] || !utf8.ValidString(p.text) {
					t.Errorf("part %d below %q is %q", i, p.section, p.text)
				}
				if strings.HasPrefix(c.markdown, "```") && strings.Count(p.text, "```") != 2 {
					t.Errorf("code without fences: %q", p.text)
				}
			}
		})
	}
}

// FuzzSplit checks that nothing is lost, whatever the page is.
func FuzzSplit(f *testing.F) {
	f.Add("# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n- item\n1. item\n", 50)
	f.Add("###### \n|\n|-\n~~~", 10)
	f.Fuzz(func(t *testing.T, markdown string, most int) {
		most = max(most%1000, 10)
		var b strings.Builder
		for _, u := range unitsOf(markdown, most) {
			if len(u.text) > most || u.text == "" {
				t.Fatalf("a unit of %d bytes", len(u.text))
			}
			b.WriteString(u.text)
		}
		if b.String() != markdown {
			t.Fatalf("%q became %q", markdown, b.String())
		}
		size := 0
		for _, p := range split(markdown, most) {
			size += len(strings.Join(strings.Fields(p.text), ""))
		}
		if all := len(strings.Join(strings.Fields(markdown), "")); size < all {
			t.Fatalf("%d bytes of %d are left", size, all)
		}
	})
}

// FuzzLookUp checks that a text can have anything looked up in it.
func FuzzLookUp(f *testing.F) {
	f.Add("**a** [b](c) &amp; 1,299.00 on 5 March 2024", "a b & 1.299")
	f.Add("\\", "]([")
	f.Fuzz(func(t *testing.T, page, value string) {
		text := newText(page)
		if len(text.at) != len(text.folded) {
			t.Fatal("places are missing")
		}
		if place := text.locate(value); place.ok() {
			if quote := text.quote(place); utf8.RuneCountInString(quote) > maxQuote {
				t.Errorf("quote of %d characters", utf8.RuneCountInString(quote))
			}
		}
		j := &judge{text: text}
		_ = fmt.Sprint(text.invented(value), j.placeholder(value), j.leaks("", value), pattern(value))
	})
}

// FuzzFinding checks that whatever a model answers has evidence for each value
// that is left of it, and that taking out is done after one time.
func FuzzFinding(f *testing.F) {
	f.Add("Kettle, 49.90", `{"name":"Kettle","price":49.9,"mail":"a@b.org","list":[{"sku":"12345"},"N/A",{}]}`)
	f.Add("x", `{"a.b":{"":["http://x.org/",null,true]}}`)
	f.Fuzz(func(t *testing.T, page, value string) {
		var answer Finding
		if answer.UnmarshalJSON([]byte(`{"value":`+value+`}`)) != nil {
			t.Skip()
		}
		j := newJudge(&Source{Markdown: page}, nil)
		once, err := j.finding(answer.Value, nil)
		if err != nil {
			t.Skip() // the root itself is a secret
		}
		for _, e := range once.Evidence {
			if leaf, ok := schema.Get(once.Value, steps(e.Path)); !ok || leaf == nil {
				t.Errorf("no value at %q of %v", e.Path, once.Value)
			}
		}
		twice, err := j.finding(once.Value, nil)
		if err != nil || len(twice.Evidence) != len(once.Evidence) {
			t.Errorf("%v became %v, %v", once.Value, twice, err)
		}
	})
}

// TestHostileText would take for ever if the work on a page were not bounded.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"](", "a b ", "*_", "1,", "1 000 ", "|-", "- ", "N/A ", "&amp", "5 may ", "``` "} {
		text := newText(strings.Repeat(page, 1_000_000/len(page)))
		j := &judge{text: text}
		for i := range 1000 {
			value := fmt.Sprintf("a b b %d 000 n/a", i)
			text.invented(value)
			text.locate(fmt.Sprintf("%d@a.org", i))
			j.placeholder("none")
			j.placeholder("-")
		}
		split(strings.Repeat(page, 1_000_000/len(page)), minPart)
	}
}
