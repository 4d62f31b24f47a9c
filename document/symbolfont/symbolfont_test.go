package symbolfont_test

import (
	"testing"

	"github.com/trawlhq/trawl/document/symbolfont"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		font string
		char rune
		want rune
	}{
		{"Symbol", 'a', 'α'}, {"Symbol", 'D', 'Δ'}, {"symbol ", 0xb7, '•'}, {"Symbol", 0xe5, '∑'}, {"Symbol", 0xf2, '∫'}, {"SymbolMT", 0xa3, '≤'},
		{"Wingdings", 0xfc, '✓'}, {"Wingdings", 0xa8, '☐'}, {"Wingdings 2", 'P', '✓'}, {"Wingdings", 0xc0, 0}, {"Arial", 'a', 0},
	}
	for _, test := range tests {
		if got := symbolfont.Named(test.font)[test.char]; got != test.want {
			t.Errorf("%s shows %#x as %c, want %c", test.font, test.char, got, test.want)
		}
	}
}

func TestPrivate(t *testing.T) {
	t.Parallel()
	if c, ok := symbolfont.Private(0xf0b7); c != 0xb7 || !ok {
		t.Errorf("got %#x, %v", c, ok)
	}
	if symbolfont.HasPrivate("a•\ue000") || !symbolfont.HasPrivate("a\uf0b7") {
		t.Error("wrong about what is private")
	}
}
