package blocks

import (
	"strings"
	"testing"
)

// TestSidebars says which lists of links are taken out of a manual.
func TestSidebars(t *testing.T) {
	t.Parallel()
	long := func(first string) string { return "<p>" + first + sentence + "</p>" }
	list := func(item string) string { return "<ul>" + strings.Repeat("<li>"+item+"</li>", 12) + "</ul>" }
	other := list("<a href=other.html>11 Chapter</a>")
	for _, c := range []struct {
		name, page string
		lists      bool // whether the list stays
	}{
		{"beside the text", "<div>" + other + "</div><main>" + long("90 Text") + "</main>", false},
		{"behind it", "<main>" + long("90 Text") + "</main><div>" + other + "</div>", false},
		{"with labels", "<div>" + list("<a href=other.html>11 Chapter</a><p>11 Go</p>") + "</div><main>" + long("90 Text") + "</main>", false},
		{"within the text", "<main>" + long("90 Text") + other + long("90 More") + "</main>", true},
		{"likely", "<div>" + strings.ReplaceAll(other, "11 ", "30 ") + "</div><main>" + long("90 Text") + "</main>", true},
		{"some of it likely", "<div>" + strings.Replace(other, "11 ", "60 ", 1) + "</div><main>" + long("90 Text") + "</main>", true},
		{"short", "<div>" + strings.Replace(other, "<li><a href=other.html>11 Chapter</a></li>", "", 1) + "</div><main>" + long("90 Text") + "</main>", true},
		{"of places on the page", "<div>" + strings.ReplaceAll(other, "other.html", "#here") + "</div><main>" + long("90 Text") + "</main>", true},
		{"not of links", "<div>" + list("11 Chapter") + "</div><main>" + long("90 Text") + "</main>", true},
		{"without a text", "<div>" + other + "</div><main><p>40 Text</p></main>", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, text, chances := guessed(c.page)
			scores := make([]int32, len(chances))
			for i := range chances {
				for chance(scores[i]) < chances[i] {
					scores[i] += 16
				}
				for chance(scores[i]) > chances[i] {
					scores[i] -= 16
				}
			}
			rest, restScores := p.withoutSidebars(text, scores)
			lists := 0
			for _, at := range rest {
				if strings.Contains(p.textOf(at), "Chapter") {
					lists++
				}
			}
			if (lists > 0) != c.lists || len(rest) != len(restScores) || len(rest) == 0 {
				t.Errorf("%d of the list, %d blocks and %d scores are left", lists, len(rest), len(restScores))
			}
		})
	}
}
