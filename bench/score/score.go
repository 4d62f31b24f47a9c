// Package score says how well a page was read, by the words of a reference.
//
// Recall is the share of the reference's words that were found, precision the
// share of the found words that the reference has. Both hide what a reader
// notices first: a passage that is missing in the middle. So a page also has
// holes: 20 or more words of the reference in a row of which no three that follow
// each other were found in that order.
//
// The definitions do not change. Figures of different times are compared, and
// other tools score by the same ones.
package score

import (
	"fmt"
	"iter"
)

const (
	wholeRecall = .98 // at least, of a page that is whole
	lostRecall  = .8  // a page below it lost too much
	holeLength  = 20
)

// Page is how well one page was read.
type Page struct {
	Recall, Precision float64
	Holes             int
}

// Whole tells whether all but a few words were found.
func (p Page) Whole() bool { return p.Recall >= wholeRecall }

// Lost tells whether more than a fifth of the words is missing.
func (p Page) Lost() bool { return p.Recall < lostRecall }

// Compare scores the words that were found on a page.
func Compare(reference, found []string) Page {
	left := map[string]int{}
	for _, word := range reference {
		left[word]++
	}
	both := 0
	for _, word := range found {
		if left[word] > 0 {
			left[word]--
			both++
		}
	}
	return Page{
		Recall:    float64(both) / float64(max(1, len(reference))),
		Precision: float64(both) / float64(max(1, len(found))),
		Holes:     holes(reference, found),
	}
}

// holes counts the passages of the reference of which nothing was found.
func holes(reference, found []string) int {
	seen := map[[3]string]bool{}
	for three := range threes(found) {
		seen[three] = true
	}
	n, missed := 0, 0
	for three := range threes(reference) {
		if seen[three] {
			missed = 0
		} else if missed++; missed == holeLength {
			n++
		}
	}
	return n
}

// threes returns all words with the two that follow them.
func threes(words []string) iter.Seq[[3]string] {
	return func(yield func([3]string) bool) {
		for i := 2; i < len(words); i++ {
			if !yield([3]string{words[i-2], words[i-1], words[i]}) {
				return
			}
		}
	}
}

// Mean is how well a set of pages was read: means over the pages, or shares of
// them.
type Mean struct {
	Recall, Precision      float64
	Whole, WithHoles, Lost float64
}

// Header names the columns of a Mean in a table.
const Header = "recall | precision | whole | with a hole | lost over 20 %"

// String returns the columns of a table.
func (m Mean) String() string {
	return fmt.Sprintf("%.4f | %.4f | %.3f | %.3f | %.3f", m.Recall, m.Precision, m.Whole, m.WithHoles, m.Lost)
}

// MeanOf sums up a set of pages.
func MeanOf(pages []Page) Mean {
	var m Mean
	each := 1 / float64(max(1, len(pages)))
	for _, p := range pages {
		m.Recall += p.Recall * each
		m.Precision += p.Precision * each
		m.Whole += each * count(p.Whole())
		m.WithHoles += each * count(p.Holes > 0)
		m.Lost += each * count(p.Lost())
	}
	return m
}

func count(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
