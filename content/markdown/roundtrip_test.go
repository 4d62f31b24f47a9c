package markdown_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// example is a markdown document and what it means, from a specification.
type example struct {
	Number   int    `json:"example"`
	Markdown string `json:"markdown"`
	HTML     string `json:"html"`
}

// left are examples that do not count, by reason.
var left = map[string][]int{
	"a table of one cell arranges blocks and is unwrapped": {148, 149, 160, 190},
}

// TestRoundTrip takes the HTML of the examples of CommonMark and of the
// extensions that GitHub has, writes it as markdown, renders that, and compares
// what came out with what went in.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	folder := goldmarkFolder(t)
	common := specExamples(t, filepath.Join(folder, "_test", "spec.json"))
	for _, numbers := range left {
		common = slices.DeleteFunc(common, func(e example) bool { return slices.Contains(numbers, e.Number) })
	}
	var extended []example
	for _, name := range []string{"table", "strikethrough", "tasklist", "footnote"} {
		extended = append(extended, caseExamples(t, filepath.Join(folder, "extension", "_test", name+".txt"))...)
	}
	var others []example
	for _, name := range []string{"extension/_test/linkify.txt", "extension/_test/typographer.txt", "_test/options.txt"} {
		others = append(others, caseExamples(t, filepath.Join(folder, name))...)
	}
	for _, set := range []struct {
		name        string
		examples    []example
		exact, like float64 // at least
	}{
		{"commonmark", common, 0.99, 0.995},
		{"github", extended, 0.98, 0.99},
		{"extra", caseExamples(t, filepath.Join(folder, "_test", "extra.txt")), 0.98, 0.99},
		{"others", others, 0.98, 0.99},
		{"quoted", within("<blockquote>", common, "</blockquote>"), 0.98, 0.99},
		{"listed", within("<ul><li>first</li><li><p>Text</p>", common, "</li></ul>"), 0.98, 0.99},
	} {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			exact, like := roundTrip(t, set.examples)
			t.Logf("%d examples: %.4f exact, %.4f alike", len(set.examples), exact, like)
			if exact < set.exact || like < set.like {
				t.Errorf("%.4f of the examples are exact and they are %.4f alike, want %v and %v", exact, like, set.exact, set.like)
			}
		})
	}
}

// roundTrip returns how many of the examples stay the same, and how much of all.
func roundTrip(t *testing.T, examples []example) (exact, like float64) {
	for _, e := range examples {
		text := write(e.HTML)
		again := render(t, text)
		before, after := outline(e.HTML), outline(again)
		if slices.Equal(before, after) {
			exact++
		} else {
			t.Logf("example %d:\nhtml:     %q\nmarkdown: %q\nagain:    %q\nbefore:   %q\nafter:    %q", e.Number, e.HTML, text, again, before, after)
		}
		like += likeness(before, after)
	}
	return exact / float64(len(examples)), like / float64(len(examples))
}

// within returns examples with something around each.
func within(before string, examples []example, after string) []example {
	wrapped := slices.Clone(examples)
	for i := range wrapped {
		wrapped[i].HTML = before + wrapped[i].HTML + after
	}
	return wrapped
}

func goldmarkFolder(t *testing.T) string {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(folder))
}

func specExamples(t *testing.T, file string) []example {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var examples []example
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	return examples
}

// caseExamples reads the format of goldmark's own tests: cases between lines of
// equals signs, each a title, the markdown and the HTML between lines of dashes.
func caseExamples(t *testing.T, file string) []example {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var examples []example
	for text := range strings.SplitSeq(string(data), "//= = =") {
		parts := strings.Split(text, "//- - - - - - - - -//\n")
		if len(parts) == 3 && !strings.Contains(parts[0], "OPTIONS") {
			examples = append(examples, example{len(examples) + 1, parts[1], parts[2]})
		}
	}
	return examples
}
