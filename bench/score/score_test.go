package score_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/bench/score"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                        nil,
		"The 2nd snake_case’s":    {"the", "2nd", "snake", "case", "s"},
		"ÄRGER, x²":               {"ärger", "x²"},
		"漢字とGo 1.2、終":             {"漢", "字", "と", "go", "1", "2", "、", "終"},
		"한국 말":                    {"한", "국", "말"},
		"cafe\u0301s":             {"cafe", "s"},
		"\u0130zmir \u039f\u03a3": {"i", "zmir", "ος"},
		"a\xffb":                  {"a", "b"},
	} {
		if got := score.Words(text); !slices.Equal(got, want) {
			t.Errorf("words of %q are %q, want %q", text, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for markdown, want := range map[string]string{
		"a [link](https://example.com/a_(b)_c) b":    "a link b",
		`[x](<a b> "title") ![alt](p.png)`:           "x alt",
		"[![alt](p.png)](page.html)":                 "alt",
		"[a [1] b](c)":                               "a [1] b",
		`[a\]b](c) \[no\](link)`:                     "a]b [no](link)",
		"[a](b\u00a0c)":                              "[a](b\u00a0c)",
		"[not a link] (really)":                      "[not a link] (really)",
		"**bold** and `code` and <b>tags</b> <br />": "bold and code and tags <br />",
		`\*star\* \\ two C:\dir \_x\_ a\ b end\`:     `star \ two C:\dir \_x\_ a\ b end\`,
		`<b\> \<i>`:                                  "<b> ",
	} {
		if got := score.Plain(markdown); got != want {
			t.Errorf("%q is %q, want %q", markdown, got, want)
		}
	}
}

// numbers returns words that are all different.
func numbers(from, to int) []string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, fmt.Sprint("w", i))
	}
	return list
}

func TestCompare(t *testing.T) {
	t.Parallel()
	reference := numbers(0, 100)
	backwards := numbers(0, 100)
	slices.Reverse(backwards)
	tests := map[string]struct {
		found []string
		want  score.Page
	}{
		"all":                 {reference, score.Page{Recall: 1, Precision: 1}},
		"nothing":             {nil, score.Page{Holes: 1}},
		"more":                {numbers(0, 125), score.Page{Recall: 1, Precision: .8}},
		"words count once":    {append(numbers(0, 50), numbers(0, 50)...), score.Page{Recall: .5, Precision: .5, Holes: 1}},
		"all, in no order":    {backwards, score.Page{Recall: 1, Precision: 1, Holes: 1}},
		"17 are no hole":      {slices.Concat(numbers(0, 40), numbers(57, 100)), score.Page{Recall: .83, Precision: 1}},
		"18 break 20 threes":  {slices.Concat(numbers(0, 40), numbers(58, 100)), score.Page{Recall: .82, Precision: 1, Holes: 1}},
		"two holes":           {slices.Concat(numbers(0, 10), numbers(30, 60), numbers(90, 100)), score.Page{Recall: .5, Precision: 1, Holes: 2}},
		"three words between": {slices.Concat(numbers(0, 10), numbers(30, 33), numbers(60, 100)), score.Page{Recall: .53, Precision: 1, Holes: 2}},
		"two are not enough":  {slices.Concat(numbers(0, 10), numbers(30, 32), numbers(60, 100)), score.Page{Recall: .52, Precision: 1, Holes: 1}},
	}
	for name, test := range tests {
		if got := score.Compare(reference, test.found); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestMean(t *testing.T) {
	t.Parallel()
	got := score.MeanOf([]score.Page{{Recall: 1, Precision: .5}, {Recall: .98, Precision: .7, Holes: 3}, {Recall: .8, Precision: 1}, {Recall: .5, Precision: 1, Holes: 1}})
	if want := "0.8200 | 0.8000 | 0.500 | 0.500 | 0.250"; got.String() != want {
		t.Errorf("%v, want %v", got, want)
	}
	if none := score.MeanOf(nil); none != (score.Mean{}) {
		t.Errorf("no pages are %v", none)
	}
}

func TestReadReferences(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	lines := `{"id":"p-1","url":"https://docs.example/p/usr/a#b%20.html","type":"p","text":"é"}` + "\n" + `{"id":"p-2","url":"","type":"p","text":""}` + "\n"
	if err := os.WriteFile(filepath.Join(folder, "truth.jsonl"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := score.ReadReferences(folder)
	if err != nil || len(list) != 2 || list[0].Text != "é" || list[0].Path() != "usr/a#b%20.html" || list[1].Path() != "" {
		t.Errorf("%+v, error %v", list, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "truth.jsonl"), []byte(strings.TrimSpace(lines)[:30]), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := score.ReadReferences(folder); err == nil {
		t.Error("no error for half a line")
	}
}
