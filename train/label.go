package main

import (
	"math/bits"
	"strings"
	"unicode"
)

// label says how much of a block is in the reference text of its page.
type label struct {
	Words   int `json:"w"`
	Matched int `json:"m"` // -1 when the reference says nothing of the block
}

// tokens returns the words of a text in lower case; characters of scripts that
// are written without spaces are words of their own.
func tokens(text string) []string {
	var all []string
	start := -1
	end := func(i int) {
		if start >= 0 {
			all = append(all, strings.ToLower(text[start:i]))
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff:
			end(i)
			all = append(all, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return all
}

// labelBlocks aligns the blocks of a page with its reference text: first in
// order, then what is left of the reference in any order by runs of words.
func labelBlocks(texts []string, reference string) []label {
	labels := make([]label, len(texts))
	ids := map[string]int{}
	number := func(words []string) []int {
		numbers := make([]int, len(words))
		for i, w := range words {
			id, ok := ids[w]
			if !ok {
				id = len(ids)
				ids[w] = id
			}
			numbers[i] = id
		}
		return numbers
	}
	ref := number(tokens(reference))
	blocks := make([][]int, len(texts))
	var page, owner []int
	for i, text := range texts {
		blocks[i] = number(tokens(text))
		labels[i].Words = len(blocks[i])
		for range blocks[i] {
			owner = append(owner, i)
		}
		page = append(page, blocks[i]...)
	}
	used := make([]bool, len(ref))
	matched := make([]int, len(texts))
	refOf := make([][]int, len(texts))
	for _, m := range align(page, ref, len(ids)) {
		b := owner[m[0]]
		matched[b]++
		refOf[b] = append(refOf[b], m[1])
	}
	for i := range texts {
		if 2*matched[i] >= len(blocks[i]) {
			labels[i].Matched = matched[i]
			for _, j := range refOf[i] {
				used[j] = true
			}
		}
	}
	matchRest(blocks, labels, ref, used)
	for i := range labels { // what matched in part counts in part
		labels[i].Matched = max(labels[i].Matched, matched[i])
	}
	return labels
}

// run is how many words in a row tell that a text is the same.
const run = 4

// matchRest finds blocks that the reference has in another place.
func matchRest(blocks [][]int, labels []label, ref []int, used []bool) {
	left := map[[run]int]int{}
	for i := 0; i+run <= len(ref); i++ {
		free := true
		for j := range run {
			free = free && !used[i+j]
		}
		if free {
			left[[run]int(ref[i:i+run])]++
		}
	}
	for i, words := range blocks {
		if len(words) < run || 2*labels[i].Matched >= len(words) {
			continue
		}
		found := 0
		for j := 0; j+run <= len(words); j++ {
			if left[[run]int(words[j:j+run])] > 0 {
				found++
			}
		}
		if total := len(words) - run + 1; found*10 >= total*6 {
			labels[i].Matched = len(words) * found / total
			for j := 0; j+run <= len(words); j++ {
				left[[run]int(words[j:j+run])]--
			}
		}
	}
}

// align returns the pairs of a longest common subsequence, computed with one
// bit for each word of a.
func align(a, b []int, symbols int) [][2]int {
	n := (len(a) + 63) / 64
	where := make([][]uint64, symbols)
	for i, s := range a {
		if where[s] == nil {
			where[s] = make([]uint64, n)
		}
		where[s][i/64] |= 1 << (i % 64)
	}
	rows := make([][]uint64, len(b)+1)
	rows[0] = make([]uint64, n)
	for i := range rows[0] {
		rows[0][i] = ^uint64(0)
	}
	for j, s := range b {
		v := rows[j]
		if where[s] == nil {
			rows[j+1] = v
			continue
		}
		next := make([]uint64, n)
		carry := uint64(0)
		for i := range n {
			u := v[i] & where[s][i]
			sum, c := bits.Add64(v[i], u, carry)
			next[i] = sum | (v[i] - u)
			carry = c
		}
		rows[j+1] = next
	}
	var pairs [][2]int
	for i, j := len(a), len(b); i > 0 && j > 0; {
		bit := func(row int) bool { return rows[row][(i-1)/64]>>((i-1)%64)&1 == 1 }
		switch {
		case bit(j):
			i--
		case !bit(j - 1):
			j--
		default:
			pairs = append(pairs, [2]int{i - 1, j - 1})
			i, j = i-1, j-1
		}
	}
	return pairs
}

// labelSnippets marks the blocks that hold one of the snippets a reader wants,
// or does not want; of the others nothing is known.
func labelSnippets(texts, with, without []string) []label {
	labels := make([]label, len(texts))
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for i, text := range texts {
		labels[i] = label{Words: len(tokens(text)), Matched: -1}
		text = flat(text)
		for _, s := range without {
			if strings.Contains(text, flat(s)) {
				labels[i].Matched = 0
			}
		}
		for _, s := range with {
			if strings.Contains(text, flat(s)) {
				labels[i].Matched = labels[i].Words
			}
		}
	}
	return labels
}
