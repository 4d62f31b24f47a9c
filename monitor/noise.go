package monitor

import (
	"encoding/hex"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// habits are the places in which a page changed in the last checks.
type habits struct {
	Places [][]string `json:"places,omitempty"` // of each check, oldest first
}

// How much of the past is looked at, and how much of it makes a habit.
const (
	mostHabits  = 8
	leastHabits = 3
)

// add notes where a page changed, or that it did not.
func (h *habits) add(v *Verdict) {
	places := []string{}
	for _, p := range v.places() {
		if !slices.Contains(places, p.key) {
			places = append(places, p.key)
		}
	}
	h.Places = append(h.Places, places)
	if extra := len(h.Places) - mostHabits; extra > 0 {
		h.Places = h.Places[extra:]
	}
}

// has reports whether a place changed in most of the last checks.
func (h *habits) has(key string) bool {
	count := 0
	for _, places := range h.Places {
		if slices.Contains(places, key) {
			count++
		}
	}
	return len(h.Places) >= leastHabits && 2*count > len(h.Places)
}

// spot is a place that changed, with the lines that went and came, or a field.
type spot struct {
	key           string
	before, after string
}

// places returns where a page changed: a run of lines is known by the line that it
// follows, a value by its path.
func (v *Verdict) places() []spot {
	var list []spot
	for _, path := range slices.Sorted(maps.Keys(v.Fields)) {
		c := v.Fields[path]
		list = append(list, spot{key: keyOf("field " + path), before: shown(c.Previous), after: shown(c.Current)})
	}
	if v.Parsed == nil {
		return list
	}
	for _, file := range v.Parsed.Files {
		for _, chunk := range file.Chunks {
			list = append(list, spotsOf(&chunk)...)
		}
	}
	return list
}

// spotsOf returns the runs of lines that changed in a chunk of a diff.
func spotsOf(chunk *trawl.DiffChunk) []spot {
	var list []spot
	var open *spot
	last := "" // the line before that stayed
	for _, line := range chunk.Changes {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(line.Content, "+"), "-"), " "))
		if text == "" {
			continue
		}
		if line.Type == trawl.LineNormal {
			last, open = text, nil
			continue
		}
		if open == nil {
			list = append(list, spot{key: keyOf("line " + last)})
			open = &list[len(list)-1]
		}
		if line.Type == trawl.LineDeleted {
			open.before = joinLines(open.before, text)
		} else {
			open.after = joinLines(open.after, text)
		}
	}
	return list
}

func joinLines(text, line string) string {
	if text == "" {
		return line
	}
	return text + "\n" + line
}

func keyOf(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// What changes on its own: times, dates, and counts of visitors, votes and the like.
var volatile = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?\b`),
	regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?\b`),
	regexp.MustCompile(`\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b`),
	regexp.MustCompile(`(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?\b`),
	regexp.MustCompile(`(?i)\b\d+\s*(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\s+ago\b`),
	regexp.MustCompile(`(?i)\b[\d.,]+\s*[km]?\s*(?:views?|visitors?|visits|likes?|votes?|points?|comments?|replies|shares?|followers?|downloads?|reads?|online)\b`),
}

// settled is a text without what changes on its own.
func settled(text string) string {
	for _, pattern := range volatile {
		text = pattern.ReplaceAllString(text, "~")
	}
	return strings.Join(strings.Fields(text), " ")
}

// ByRules judges a change without a language model: what changed in most of the last
// checks in the same place, or only in times, dates and counts, is noise.
func ByRules(v *Verdict, h *habits) *trawl.Judgment {
	j := &trawl.Judgment{Confidence: "low", Changes: []trawl.JudgmentChange{}}
	noise := 0
	for _, p := range v.places() {
		if h.has(p.key) || p.before != "" && p.after != "" && settled(p.before) == settled(p.after) {
			noise++
			continue
		}
		j.Changes = append(j.Changes, changeOf(p.before, p.after, "It is not noise by rules."))
	}
	j.Meaningful = len(j.Changes) > 0 || noise == 0
	j.Reason = "No language model is configured: by rules, every change counts that is no date, no counter and no place that changes all the time."
	if !j.Meaningful {
		j.Confidence = "medium"
		j.Reason = "No language model is configured: by rules, only dates, counters or places that change all the time have changed."
	}
	return j
}

// mostShown bounds what a judgment quotes of a change.
const mostShown = 500

func changeOf(before, after, reason string) trawl.JudgmentChange {
	c := trawl.JudgmentChange{Type: "changed", Reason: reason}
	if before == "" {
		c.Type = "added"
	} else {
		before = cut(before, mostShown)
		c.Before = &before
	}
	if after == "" {
		c.Type = "removed"
	} else {
		after = cut(after, mostShown)
		c.After = &after
	}
	return c
}

// cut shortens a text.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
