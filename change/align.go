package change

import (
	"slices"
	"sort"
)

// Bounds of the search for lines that stay.
const (
	maxDepth = 8          // times that what is between anchors is searched for anchors
	work     = 50_000_000 // steps that a search may take, give or take
	minEdits = 16         // that are looked at together, however long the texts are
	maxEdits = 1024       // and however short
)

// aligner finds lines that are in two texts in the same order, as many as can be
// had for the work.
//
// First it looks for anchors: lines that are in each of the texts once. The
// longest series of them that is in order in both stays, and what is between two
// anchors is looked at by itself, where other lines may be anchors. Where there
// are none the lines are compared by the greedy search of Myers, a window at a
// time.
type aligner struct {
	a, b         []int32 // the words of the lines
	stayA, stayB []bool  // whether the line stays

	inA, inB []int32 // how often a word is in the range that is looked at
	at       []int32 // where it is in b
	edits    int     // that make a window
	reach    []int32 // see window
}

// align reports which lines of two texts stay: the first that does in one is the
// same as the first that does in the other, and so on.
func align(a, b *lines, words int) (stayA, stayB []bool) {
	g := &aligner{
		a: wordsOf(a), b: wordsOf(b),
		stayA: make([]bool, len(a.list)), stayB: make([]bool, len(b.list)),
		inA: make([]int32, words), inB: make([]int32, words), at: make([]int32, words),
	}
	g.edits = min(max(work/(len(g.a)+len(g.b)+1), minEdits), maxEdits)
	g.between(0, len(g.a), 0, len(g.b), 0)
	return g.stayA, g.stayB
}

func wordsOf(l *lines) []int32 {
	list := make([]int32, len(l.list))
	for i := range l.list {
		list[i] = l.list[i].word
	}
	return list
}

func (g *aligner) stay(i, j int) { g.stayA[i], g.stayB[j] = true, true }

// between looks at a range of each of the texts.
func (g *aligner) between(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && g.a[a0] == g.b[b0] {
		g.stay(a0, b0)
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && g.a[a1-1] == g.b[b1-1] {
		a1, b1 = a1-1, b1-1
		g.stay(a1, b1)
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	g.count(a0, a1, b0, b1, +1)
	var anchors []anchor
	if depth < maxDepth {
		anchors = g.anchors(a0, a1)
	}
	if len(anchors) == 0 {
		xs, ys := common(g.a, a0, a1, g.inB), common(g.b, b0, b1, g.inA)
		g.count(a0, a1, b0, b1, -1)
		g.compare(xs, ys)
		return
	}
	g.count(a0, a1, b0, b1, -1)
	for _, n := range anchors {
		g.between(a0, int(n.a), b0, int(n.b), depth+1)
		g.stay(int(n.a), int(n.b))
		a0, b0 = int(n.a)+1, int(n.b)+1
	}
	g.between(a0, a1, b0, b1, depth+1)
}

// count notes how often each word is in a range, or forgets it again.
func (g *aligner) count(a0, a1, b0, b1 int, by int32) {
	for _, word := range g.a[a0:a1] {
		g.inA[word] += by
	}
	for j, word := range g.b[b0:b1] {
		g.inB[word] += by
		g.at[word] = int32(b0 + j)
	}
}

// common returns the places of a range whose words are in the other range, too.
// All others are changes for certain.
func common(words []int32, from, to int, other []int32) []int32 {
	var list []int32
	for i := from; i < to; i++ {
		if other[words[i]] > 0 {
			list = append(list, int32(i))
		}
	}
	return list
}

// anchor is a line that stays.
type anchor struct {
	a, b   int32
	before int32 // the anchor before it in its series, or -1
}

// anchors returns the longest series of lines that are in each range once and in
// the same order: each goes behind the series that ends earliest of those that are
// as long as can be.
func (g *aligner) anchors(a0, a1 int) []anchor {
	var all []anchor
	var ends []int32 // of the best series of each length
	for i := a0; i < a1; i++ {
		word := g.a[i]
		if g.inA[word] != 1 || g.inB[word] != 1 {
			continue
		}
		n := anchor{int32(i), g.at[word], -1}
		length := sort.Search(len(ends), func(k int) bool { return all[ends[k]].b > n.b })
		if length > 0 {
			n.before = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, 0)
		}
		ends[length] = int32(len(all))
		all = append(all, n)
	}
	if len(ends) == 0 {
		return nil
	}
	series := make([]anchor, 0, len(ends))
	for i := ends[len(ends)-1]; i >= 0; i = all[i].before {
		series = append(series, all[i])
	}
	slices.Reverse(series)
	return series
}

// compare finds lines that stay among places of both texts.
func (g *aligner) compare(xs, ys []int32) {
	for len(xs) > 0 && len(ys) > 0 {
		x, y := g.window(xs, ys)
		xs, ys = xs[x:], ys[y:]
	}
}

// window looks at the beginnings of two lists and returns how far it got: to the
// ends, by passing as few lines that do not stay as possible, or past so many of
// these; of all ways to pass that many, it takes the one that has most lines that
// stay.
//
// The diagonal k is where x-y is k. Row d of reach has, for every second diagonal
// from -d to d, the x that can be reached by passing d lines, or -1.
func (g *aligner) window(xs, ys []int32) (x, y int) {
	g.reach = g.reach[:0]
	for d := 0; ; d++ {
		far, diagonal := -1, 0
		for k := -d; k <= d; k += 2 {
			x := g.slide(xs, ys, g.enter(d, k, len(xs), len(ys)), k)
			g.reach = append(g.reach, int32(x))
			if x >= 0 && (far < 0 || 2*x-k > 2*far-diagonal) {
				far, diagonal = x, k
			}
		}
		y := far - diagonal
		if d == g.edits || far == len(xs) && y == len(ys) {
			g.retrace(xs, ys, far, diagonal, d)
			return far, y
		}
	}
}

// row returns what was reached on a diagonal by passing d lines.
func (g *aligner) row(d, k int) int {
	if k < -d || k > d {
		return -1
	}
	return int(g.reach[d*(d+1)/2+(k+d)/2])
}

// enter returns where a diagonal is entered by passing the line number d: from the
// one below, by a line of xs, or from the one above, by a line of ys.
func (g *aligner) enter(d, k, width, height int) int {
	if d == 0 {
		return 0
	}
	x := g.row(d-1, k-1)
	if x >= 0 {
		x++
	}
	if x > width {
		x = -1
	}
	if down := g.row(d-1, k+1); down > x && down-k <= height {
		x = down
	}
	return x
}

// slide goes along a diagonal as long as lines are the same.
func (g *aligner) slide(xs, ys []int32, x, k int) int {
	if x < 0 {
		return x
	}
	for y := x - k; x < len(xs) && y < len(ys) && g.a[xs[x]] == g.b[ys[y]]; y++ {
		x++
	}
	return x
}

// retrace goes the way back and marks the lines that stay.
func (g *aligner) retrace(xs, ys []int32, x, k, d int) {
	for ; d >= 0; d-- {
		from := g.enter(d, k, len(xs), len(ys))
		for ; x > from; x-- {
			g.stay(int(xs[x-1]), int(ys[x-1-k]))
		}
		if d == 0 {
			return
		}
		if left := g.row(d-1, k-1); left >= 0 && left+1 == from {
			k, x = k-1, left
		} else {
			k, x = k+1, from
		}
	}
}
