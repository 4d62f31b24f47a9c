package chars_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content/chars"
)

func TestClasses(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		b := byte(c)
		letter := strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", b) >= 0
		digit := strings.IndexByte("0123456789", b) >= 0
		if chars.IsLetter(b) != letter || chars.IsDigit(b) != digit || chars.IsWord(b) != (letter || digit) {
			t.Errorf("%q is no letter or digit, or should be one", b)
		}
		if want := strings.IndexByte(" \t\r\n\f", b) >= 0; chars.IsSpace(b) != want {
			t.Errorf("%q as white space: %v", b, !want)
		}
		if want := strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", b) >= 0; chars.IsPunct(b) != want {
			t.Errorf("%q as punctuation: %v", b, !want)
		}
	}
	for r, want := range map[rune]bool{'a': true, '7': true, 'é': true, '水': true, ' ': false, '\u00a0': false, '.': false, '…': false, '€': false} {
		if chars.IsWordRune(r) != want {
			t.Errorf("%q as part of a word: %v", r, !want)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	if !chars.HasPrefixFold("DocType html", "doctype") || chars.HasPrefixFold("doc", "doctype") || chars.HasPrefixFold("xdoctype", "doctype") {
		t.Error("a prefix in another case is a prefix, and nothing else is")
	}
	if !chars.ContainsFold("a JavaScript: b", "javascript:") || chars.ContainsFold("java script:", "javascript:") || chars.ContainsFold("", "x") {
		t.Error("a part in another case is a part, and nothing else is")
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": nil, " \t\r\n\f": nil, "a": {"a"}, " a  b\fc\t": {"a", "b", "c"}, "a\u3000b c\u00a0\v": {"a\u3000b", "c\u00a0\v"},
	} {
		if got := slices.Collect(chars.Words(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := chars.TrimSpace("\f\u3000a \n"); got != "\u3000a" {
		t.Errorf("%q", got)
	}
}

func TestCollapse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", " ": "", "a": "a", "a b": "a b", " a  b\n\tc ": "a b c", "é\u00a0x": "é x", "a ": "a", "\na": "a",
	} {
		if got := chars.Collapse(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("häuser", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 0 || !utf8.ValidString(s) {
			return
		}
		if got := chars.Truncate(s, n); len(got) > n || !utf8.ValidString(got) || !strings.HasPrefix(s, got) || len(s) > n && len(got) < n-3 {
			t.Errorf("%q cut at %d: %q", s, n, got)
		}
	})
}
