package fieldcode_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/fieldcode"
)

func TestLink(t *testing.T) {
	t.Parallel()
	for instruction, want := range map[string]string{
		` HYPERLINK "https://example.com/a b" `:                  "https://example.com/a b",
		`hyperlink https://example.com/ \h`:                      "https://example.com/",
		`HYPERLINK "https://example.com/" \l "part" \o "a hint"`: "https://example.com/#part",
		`HYPERLINK "https://example.com/#a" \l "b"`:              "https://example.com/#a",
		`HYPERLINK \l "part"`:                                    "#part",
		`HYPERLINK \l "_Toc12"`:                                  "",
		`HYPERLINK \t "_blank" "https://example.com/"`:           "https://example.com/",
		`HYPERLINK "C:\\a\\b.doc"`:                               `C:\a\b.doc`,
		`HYPERLINK"https://example.com/"`:                        "https://example.com/",
		`HYPERLINK "\\\\server\\share\\file.doc"`:                `\\server\share\file.doc`,
		`HYPERLINK "unended`:                                     "unended",
		`HYPERLINK`:                                              "",
		`HYPERLINK \l`:                                           "",
		`PAGEREF _Toc12 \h`:                                      "",
		``:                                                       "",
	} {
		if got := fieldcode.Link(instruction); got != want {
			t.Errorf("%s leads to %q, want %q", instruction, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	if got, want := fieldcode.Words(" SYMBOL 183 \\f\u00a0\"Some Font\" \"open"), []string{"SYMBOL", "183", `\f`, "Some Font", "open"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := fieldcode.Words(strings.Repeat("a ", 1000)); len(got) > 100 {
		t.Errorf("%d words", len(got))
	}
	if got := fieldcode.Name(" page \\* MERGEFORMAT"); got != "PAGE" {
		t.Errorf("name is %q", got)
	}
}
