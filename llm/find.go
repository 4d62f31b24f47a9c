package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// maxCandidates bounds how many values of one answer are looked at.
const maxCandidates = 8

// findings are the JSON values of an answer that may be meant.
type findings struct {
	values []string // objects first, longer before shorter
	whole  bool     // the one value is all there is
	cut    bool     // the answer ends within a value
}

// find looks for JSON in what a model said. Values inside of others do not
// count, not even inside of broken ones: part of an answer is not the answer. It
// takes time in proportion to the text, whatever that is.
func find(text string) findings {
	if value := bare(text); json.Valid([]byte(value)) {
		return findings{values: []string{value}, whole: true}
	}
	text = withoutThoughts(text)
	if value := bare(text); json.Valid([]byte(value)) {
		return findings{values: []string{value}, whole: true}
	}
	var found findings
	broken := 0 // length of the longest value that is not JSON after all
	for at := 0; at < len(text); {
		if !opens(text[at:]) {
			at++
			continue
		}
		size := extent(text[at:])
		if size == 0 {
			found.cut = true
			break
		}
		if value := text[at : at+size]; json.Valid([]byte(value)) {
			if found.values = append(found.values, value); len(found.values) == 8*maxCandidates {
				found.values = best(found.values)
			}
		} else {
			broken = max(broken, size)
		}
		at += size
	}
	// A short value beside a long broken one is an example or an aside.
	found.values = slices.DeleteFunc(found.values, func(value string) bool { return len(value) < broken })
	found.values = best(found.values)
	return found
}

// best returns the values that are most likely meant, the likeliest first.
func best(values []string) []string {
	slices.SortStableFunc(values, func(a, b string) int {
		return cmp.Or(cmp.Compare(b[0], a[0]), cmp.Compare(len(b), len(a))) // '{' is above '['
	})
	return values[:min(len(values), maxCandidates)]
}

// bare strips white space and one code fence around the whole text.
func bare(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	if inner, ok = strings.CutSuffix(inner, "```"); !ok {
		return text
	}
	if _, after, ok := strings.Cut(inner, "\n"); ok {
		inner = after // the first line names the language
	}
	return strings.TrimSpace(inner)
}

// withoutThoughts strips the reasoning that some models write before the answer.
// The tag that begins it may be missing, as it is often part of the prompt.
func withoutThoughts(text string) string {
	const begin, end = "<think>", "</think>"
	thoughts, answer, ok := strings.Cut(text, end)
	begins := strings.HasPrefix(strings.TrimSpace(text), begin)
	switch {
	case ok && (begins || !strings.Contains(thoughts, begin)):
		return strings.TrimSpace(answer)
	case !ok && begins:
		return "" // it never came to an answer
	}
	return text
}

// opens reports whether the text begins like a JSON object, or like an array of
// more than numbers: a [1] in prose is a footnote.
func opens(text string) bool {
	if text[0] != '{' && text[0] != '[' {
		return false
	}
	next := strings.TrimLeft(text[1:], " \t\r\n")
	if next == "" {
		return true
	}
	if text[0] == '{' {
		return next[0] == '"' || next[0] == '}'
	}
	return next[0] == '{' || next[0] == '[' || next[0] == '"'
}

// extent returns the length of the value at the beginning of the text, by its
// brackets, or 0 if it does not end.
func extent(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// decode reads one JSON value that is known to be valid, with its numbers as
// they are written.
func decode(text string) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}
