package monitor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/change"
	"github.com/trawlhq/trawl/store"
)

// Version is a page as a check found it.
type Version struct {
	Markdown *string         `json:"markdown,omitempty"` // nil if it had none
	JSON     json.RawMessage `json:"json,omitempty"`
}

// Verdict is what became of a page since the version before.
type Verdict struct {
	Status string // new, same or changed
	Mode   Mode
	Text   string // of the diff, if the text changed
	Parsed *trawl.Diff
	Fields map[string]FieldChange // of the data; nil unless it is compared and changed
}

// FieldChange is a value of the data before and now; one that is not there is null.
type FieldChange struct {
	Previous any `json:"previous"`
	Current  any `json:"current"`
}

// Compare says what became of a page. Without a version before, it is new.
func Compare(before, now *Version, mode Mode) *Verdict {
	v := &Verdict{Status: trawl.ChangeNew, Mode: mode}
	if before == nil {
		return v
	}
	v.Status = trawl.ChangeSame
	if mode.JSON {
		v.Fields = fieldsChanged(before.JSON, now.JSON)
		if len(v.Fields) > 0 {
			v.Status = trawl.ChangeChanged
		}
	}
	if !mode.Text {
		return v
	}
	switch {
	case before.Markdown == nil && now.Markdown == nil:
	case before.Markdown == nil || now.Markdown == nil:
		v.Status = trawl.ChangeChanged
	case change.Digest(*before.Markdown) != change.Digest(*now.Markdown):
		v.Status = trawl.ChangeChanged
		v.Text, v.Parsed, _ = change.Between(*before.Markdown, *now.Markdown, "previous", "current")
	}
	return v
}

// diff is the change as callers see it; nil if there is none to show.
func (v *Verdict) diff() json.RawMessage {
	if v.Status != trawl.ChangeChanged {
		return nil
	}
	shown := map[string]any{}
	switch {
	case v.Mode.JSON:
		fields := v.Fields
		if fields == nil {
			fields = map[string]FieldChange{}
		}
		shown["json"] = fields
		if v.Text != "" {
			shown["text"] = v.Text
		}
	case v.Text != "":
		shown["text"], shown["json"] = v.Text, v.Parsed
	default:
		return nil
	}
	encoded, _ := json.Marshal(shown) // which came from JSON
	return encoded
}

// snapshot is the data of the page, where that is compared.
func (v *Verdict) snapshot(now *Version, mode Mode) json.RawMessage {
	if !mode.JSON || isEmpty(now.JSON) {
		return nil
	}
	encoded, _ := json.Marshal(map[string]json.RawMessage{"json": now.JSON})
	return encoded
}

// isEmpty reports whether there is no value.
func isEmpty(value json.RawMessage) bool {
	return len(value) == 0 || bytes.Equal(bytes.TrimSpace(value), []byte("null"))
}

// fieldsChanged returns the values that differ between two objects, by their paths.
func fieldsChanged(before, now json.RawMessage) map[string]FieldChange {
	a, b := map[string]any{}, map[string]any{}
	flatten("", decode(before), a)
	flatten("", decode(now), b)
	changed := map[string]FieldChange{}
	for path, value := range a {
		if other, ok := b[path]; !ok || !equal(value, other) {
			changed[path] = FieldChange{Previous: value, Current: b[path]}
		}
	}
	for path, value := range b {
		if _, ok := a[path]; !ok {
			changed[path] = FieldChange{Current: value}
		}
	}
	return changed
}

func decode(raw json.RawMessage) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	_ = decoder.Decode(&value) // what is no JSON is nothing
	return value
}

func equal(a, b any) bool {
	if x, ok := a.(json.Number); ok {
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		f, errF := x.Float64()
		g, errG := y.Float64()
		return x == y || errF == nil && errG == nil && f == g
	}
	switch a.(type) {
	case []any, map[string]any: // both are empty
		return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b)
	}
	return a == b
}

// flatten collects the values of an object by paths such as plans[0].price. An empty
// list or object is a value.
func flatten(path string, value any, into map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 && path != "" {
			into[path] = v
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := name
			if path != "" {
				inner = path + "." + name
			}
			flatten(inner, v[name], into)
		}
	case []any:
		if len(v) == 0 && path != "" {
			into[path] = v
		}
		for i := range v {
			flatten(path+"["+strconv.Itoa(i)+"]", v[i], into)
		}
	default:
		if path != "" || v != nil {
			into[path] = v
		}
	}
}

// recall reads what is known of a page: its version, unless it was removed, and where it
// changed in checks before.
func recall(known *store.WatchedPage) (*Version, *habits, error) {
	h := &habits{}
	if known == nil {
		return nil, h, nil
	}
	if len(known.Known) > 0 {
		if err := json.Unmarshal(known.Known, h); err != nil {
			return nil, h, fmt.Errorf("read what is known of a page: %w", err)
		}
	}
	if known.Removed || known.Body == nil {
		return nil, h, nil
	}
	before := &Version{}
	if err := json.Unmarshal(known.Body, before); err != nil {
		return nil, h, fmt.Errorf("read the version of a page: %w", err)
	}
	return before, h, nil
}

// remember is what is known of a page from now on. A page that is the same keeps its
// version.
func remember(scrapeID string, v *Verdict, now *Version, h *habits) (*store.WatchedPage, error) {
	k := &store.WatchedPage{ScrapeID: scrapeID}
	if v.Status != trawl.ChangeNew {
		h.add(v)
	}
	var err error
	if k.Known, err = json.Marshal(h); err != nil {
		return nil, fmt.Errorf("keep what is known of a page: %w", err)
	}
	if v.Status == trawl.ChangeSame {
		return k, nil
	}
	if k.Body, err = json.Marshal(now); err != nil {
		return nil, fmt.Errorf("keep the version of a page: %w", err)
	}
	return k, nil
}
