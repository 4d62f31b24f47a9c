package main

import (
	"slices"
	"testing"
)

// TestLabelBlocks aligns the blocks of a page with what its main content is.
func TestLabelBlocks(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Home About Contact",
		"The fox and the dog",
		"The quick brown fox jumps over the lazy dog, and it does so again.",
		"Read more about the fox",
		"第二段。",
		"Editors moved this sentence far forward",
	}
	reference := "Editors moved this sentence far forward\n\nThe fox and the dog\n\nThe quick brown fox jumps over the lazy dog, and it does so again.\n\n第二段"
	var kept []int
	for i, l := range labelBlocks(texts, reference) {
		if 2*l.Matched >= l.Words {
			kept = append(kept, i)
		}
	}
	if want := []int{1, 2, 4, 5}; !slices.Equal(kept, want) {
		t.Errorf("blocks %v are main content, want %v", kept, want)
	}
}

func TestLabelSnippets(t *testing.T) {
	t.Parallel()
	labels := labelSnippets([]string{"a wanted  text here", "share this", "who knows"}, []string{"wanted text"}, []string{"share"})
	for i, want := range []int{4, 0, -1} {
		if labels[i].Matched != want {
			t.Errorf("block %d: %d words are matched, want %d", i, labels[i].Matched, want)
		}
	}
}

func TestAlign(t *testing.T) {
	t.Parallel()
	long := make([]int, 200) // more than one machine word
	for i := range long {
		long[i] = i % 7
	}
	for _, c := range []struct {
		a, b []int
		want int
	}{
		{nil, []int{1}, 0},
		{[]int{0, 1, 2, 3}, []int{1, 3}, 2},
		{[]int{1, 0, 1}, []int{0, 1, 0}, 2},
		{long, long, len(long)},
	} {
		pairs := align(c.a, c.b, 8)
		for _, p := range pairs {
			if c.a[p[0]] != c.b[p[1]] {
				t.Errorf("%v and %v: %v is no pair", c.a, c.b, p)
			}
		}
		if len(pairs) != c.want {
			t.Errorf("%v and %v: %d pairs, want %d", c.a, c.b, len(pairs), c.want)
		}
	}
}
