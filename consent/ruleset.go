package consent

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// ruleset is the library's compact form of its rules. They refer to strings by
// number and stand in the order generic, frames, sites, where one group may
// overlap with the next; strings stand in the order of the rules that need them.
type ruleset struct {
	Version json.RawMessage   `json:"v"`
	Strings []string          `json:"s"`
	Rules   []json.RawMessage `json:"r"`
	Index   struct {
		Generic          []int `json:"genericRuleRange"`
		Frames           []int `json:"frameRuleRange"`
		Sites            []int `json:"specificRuleRange"`
		GenericStringEnd int   `json:"genericStringEnd"`
		FrameStringEnd   int   `json:"frameStringEnd"`
	} `json:"index"`
}

// parseRuleset reads rules whose index points at what is there.
func parseRuleset(data []byte) (*ruleset, error) {
	var r ruleset
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	for _, span := range [][]int{r.Index.Generic, r.Index.Frames, r.Index.Sites} {
		if len(span) != 2 || span[0] < 0 || span[0] >= span[1] || span[1] > len(r.Rules) {
			return nil, errors.New("no valid index of rules")
		}
	}
	for _, end := range []int{r.Index.GenericStringEnd, r.Index.FrameStringEnd} {
		if end <= 0 || end > len(r.Strings) {
			return nil, errors.New("no valid index of strings")
		}
	}
	if len(r.Version) == 0 {
		return nil, errors.New("no version")
	}
	return &r, nil
}

// span returns some of the rules, in a slice that can be appended to.
func (r *ruleset) span(of []int) []json.RawMessage { return slices.Clip(r.Rules[of[0]:of[1]]) }

// write returns rules in the compact form, with as many strings as they need.
func (r *ruleset) write(stringEnd int, rules []json.RawMessage) string {
	return `{"v":` + marshal(r.Version) + `,"s":` + marshal(r.Strings[:stringEnd]) + `,"r":` + marshal(rules) + "}"
}

// marks returns the selectors by which rules know that their consent manager is
// there, and those of what is to be hidden until the rule has done its work.
func (r *ruleset) marks(of []int) (marks, prehide []string, err error) {
	for _, raw := range r.span(of) {
		rule, err := decodeRule(raw)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range rule.detect {
			marks = r.appendMarks(marks, s)
		}
		for _, i := range rule.prehide {
			prehide = r.appendString(prehide, i)
		}
	}
	return marks, prehide, nil
}

func (r *ruleset) appendMarks(marks []string, s step) []string {
	for _, i := range []*int{s.Exists, s.Visible} {
		if i != nil {
			marks = r.appendString(marks, *i)
		}
	}
	for _, path := range []selector{s.ExistsPath, s.VisiblePath} {
		if path != "" {
			marks = append(marks, string(path))
		}
	}
	for _, other := range s.Any {
		marks = r.appendMarks(marks, other)
	}
	return marks
}

func (r *ruleset) appendString(list []string, i int) []string {
	// XPath is no selector; none of the rules is known by it alone.
	if i < 0 || i >= len(r.Strings) || strings.HasPrefix(r.Strings[i], "xpath/") {
		return list
	}
	return append(list, r.Strings[i])
}

// rule is the part of a compact rule that matters here.
type rule struct {
	name, address string
	prehide       []int
	detect        []step
}

// step is a condition of a rule: selectors, as numbers of strings or, for paths
// into frames and shadow trees, spelled out.
type step struct {
	Exists      *int     `json:"e"`
	Visible     *int     `json:"v"`
	ExistsPath  selector `json:"exists"`
	VisiblePath selector `json:"visible"`
	Any         []step   `json:"any"`
}

// selector is a string, or a path of several of which the first is kept.
type selector string

// UnmarshalJSON takes both forms, and anything else as no selector.
func (s *selector) UnmarshalJSON(data []byte) error {
	var path []string
	if json.Unmarshal(data, &path) == nil && len(path) > 0 {
		*s = selector(path[0])
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) == nil {
		*s = selector(one)
	}
	return nil
}

func decodeRule(raw json.RawMessage) (rule, error) {
	var fields []json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || len(fields) < 9 {
		return rule{}, errors.New("a rule is not in the compact form")
	}
	var r rule
	err := errors.Join(
		json.Unmarshal(fields[1], &r.name),
		json.Unmarshal(fields[3], &r.address),
		json.Unmarshal(fields[5], &r.prehide),
		json.Unmarshal(fields[6], &r.detect),
	)
	return r, err
}

// marshal writes JSON, which is JavaScript as well.
func marshal(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // nothing that is written here can fail
		return "null"
	}
	return string(data)
}
