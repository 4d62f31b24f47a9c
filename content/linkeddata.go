package content

import (
	"encoding/json"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of linked data (JSON-LD), which is only read for what the meta tags
// leave open.
const (
	maxLinkedData      = 10
	maxLinkedDataBytes = 256 << 10
)

// linkedThing is the part of a schema.org description that metadata needs.
// Values are raw because pages put lists and objects where a text belongs.
type linkedThing struct {
	Headline      json.RawMessage `json:"headline"`
	Description   json.RawMessage `json:"description"`
	DatePublished json.RawMessage `json:"datePublished"`
	DateModified  json.RawMessage `json:"dateModified"`
	Graph         []linkedThing   `json:"@graph"`
}

// addLinkedData fills in title, description and dates that the page gives
// nowhere else.
func (m *metadata) addLinkedData(scripts []*dom.Node) {
	for _, script := range scripts {
		if m.complete() {
			return
		}
		for _, thing := range linkedThings(script.InnerText(maxLinkedDataBytes + 1)) {
			m.addThing(thing)
			for _, part := range thing.Graph {
				m.addThing(part)
			}
		}
	}
}

func (m *metadata) complete() bool {
	for _, key := range []string{"title", "description", "publishedTime", "modifiedTime"} {
		if _, known := m.tags[key]; !known {
			return false
		}
	}
	return true
}

func (m *metadata) addThing(thing linkedThing) {
	m.setDefault("title", rawText(thing.Headline))
	m.setDefault("description", rawText(thing.Description))
	m.setDefault("publishedTime", rawText(thing.DatePublished))
	m.setDefault("modifiedTime", rawText(thing.DateModified))
}

// linkedThings reads one script: a thing or a list of them.
func linkedThings(text string) []linkedThing {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxLinkedDataBytes {
		return nil
	}
	if text[0] == '[' {
		var things []linkedThing
		if json.Unmarshal([]byte(text), &things) != nil {
			return nil
		}
		return things
	}
	var thing linkedThing
	if json.Unmarshal([]byte(text), &thing) != nil {
		return nil
	}
	return []linkedThing{thing}
}

// rawText returns a JSON string as text, and "" for anything else.
func rawText(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return chars.Collapse(text)
}
