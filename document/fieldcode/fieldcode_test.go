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

func TestShown(t *testing.T) {
	t.Parallel()
	for instruction, want := range map[string]string{
		` EQ \f(1,2) `: "1/2",
		`EQ \* jc2 \* "Font:MS Mincho" \* hps11 \o\ad(\s\up 10(とうきょう),東京)`: "東京",
		`EQ x = \r(3,y) + \s\up8(2)`:     "x = 3√y + 2",
		`EQ \b\bc\{(\a\al\co2(1,2,3,4))`: "1 2 3 4",
		`EQ \i\su(i=1,n,f(i))`:           "i=1 n f(i)",
		`EQ \l(A\,B; C)`:                 "A,B C",
		`EQ \f(`:                         "",
		`EQ`:                             "",
		`MACROBUTTON NoMacro [Click and type it]`: "[Click and type it]",
		`MACROBUTTON NoMacro`:                     "",
		`PAGE`:                                    "",
	} {
		if got := fieldcode.Shown(instruction); got != want {
			t.Errorf("%.60s shows %q, want %q", instruction, got, want)
		}
	}
}

// TestDeepEquation reads an equation that is nothing but beginnings.
func TestDeepEquation(t *testing.T) {
	t.Parallel()
	if got := fieldcode.Shown("EQ " + strings.Repeat(`\f(`, 100_000)); len(got) > 4<<10 {
		t.Errorf("%d bytes", len(got))
	}
}
