package doc

import (
	"slices"
	"testing"

	"github.com/trawlhq/trawl/document/numeral"
)

func TestSprms(t *testing.T) {
	t.Parallel()
	type property struct {
		code  int
		value string
	}
	for name, test := range map[string]struct {
		list string
		old  bool
		want []property
	}{
		"sizes":     {"\x35\x08\x01\x30\x4A\x05\x00\x03\x6A\x01\x02\x03\x04", false, []property{{charBold, "\x01"}, {charStyle, "\x05\x00"}, {charPicture, "\x01\x02\x03\x04"}}},
		"unknown":   {"\x70\x68\x01\x02\x03\x04\x36\x08\x01", false, []property{{0x6870, "\x01\x02\x03\x04"}, {charItalic, "\x01"}}},
		"variable":  {"\x3E\xC6\x02ab\x36\x08\x01", false, []property{{paraOldList, "ab"}, {charItalic, "\x01"}}},
		"table":     {"\x08\xD6\x04\x00abc\x16\x24\x01", false, []property{{rowCells, "abc"}, {paraInTable, "\x01"}}},
		"tabs":      {"\x15\xC6\xFF\x01abcd\x01xyz\x16\x24\x01", false, []property{{paraTabs, "\x01abcd\x01xyz"}, {paraInTable, "\x01"}}},
		"cut short": {"\x03\x6A\x01", false, []property{{charPicture, "\x01"}}},
		"old":       {"\x55\x01\x63\x18\x00\x5D\x02\x00", true, []property{{charBold, "\x01"}, {0, "\x18\x00"}, {charFont, "\x02\x00"}}},
		"old table": {"\xBE\x04\x00abc\x18\x01", true, []property{{rowCells, "abc"}, {paraInTable, "\x01"}}},
		"old tabs":  {"\x17\x02ab\x19\x01", true, []property{{0, "ab"}, {paraRowEnd, "\x01"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []property
			for code, value := range sprms(data(test.list), test.old) {
				got = append(got, property{code, string(value)})
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestToggled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		base  bool
		value byte
		want  bool
	}{{false, 1, true}, {true, 0, false}, {true, 0x80, true}, {false, 0x80, false}, {true, 0x81, false}, {false, 0x81, true}} {
		if got := toggled(test.base, data{test.value}); got != test.want {
			t.Errorf("toggled(%v, %#x) = %v", test.base, test.value, got)
		}
	}
}

// Labels go on where a list was left, and deeper levels begin anew.
func TestLabel(t *testing.T) {
	t.Parallel()
	l := &list{}
	l.levels[0] = level{start: 1, kind: numeral.UpperRoman, text: []rune("\x00.")}
	l.levels[1] = level{start: 1, text: []rune("\x00.\x01"), legal: true}
	l.levels[2] = level{start: 5, kind: numeral.LowerLetter, text: []rune("(\x02)"), noRestart: true}
	l.levels[3] = level{kind: numeral.Bullet, text: []rune("•")}
	r := &reader{fib: &fib{}, lists: []override{{list: l}, {list: l, starts: map[int]int{0: 9}}, {}}}
	for i, test := range []struct {
		list, level int
		want        string
		ok          bool
	}{
		{1, 0, "I.", true}, {1, 1, "1.1", true}, {1, 1, "1.2", true}, {1, 2, "(e)", true}, {1, 0, "II.", true}, {1, 1, "2.1", true}, {1, 2, "(f)", true},
		{1, 3, "", true}, {2, 0, "IX.", true}, {2, 0, "X.", true}, {2, 2, "(g)", true}, {2, 1, "10.2", true}, {3, 0, "", false}, {0, 0, "", false}, {77, 0, "", false},
	} {
		got, ok := r.label(&para{list: test.list, level: test.level})
		if got != test.want || ok != test.ok {
			t.Errorf("step %d: got %q, %v, want %q, %v", i, got, ok, test.want, test.ok)
		}
	}
}
