package trawl

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Format types.
const (
	FormatMarkdown          = "markdown"
	FormatHTML              = "html"
	FormatRawHTML           = "rawHtml"
	FormatRawBase64         = "rawBase64"
	FormatLinks             = "links"
	FormatImages            = "images"
	FormatSummary           = "summary"
	FormatScreenshot        = "screenshot"
	FormatJSON              = "json"
	FormatChangeTracking    = "changeTracking"
	FormatAttributes        = "attributes"
	FormatBranding          = "branding"
	FormatProduct           = "product"
	FormatMenu              = "menu"
	FormatQuestion          = "question"
	FormatHighlights        = "highlights"
	FormatQuery             = "query"
	FormatAudio             = "audio"
	FormatVideo             = "video"
	FormatDeterministicJSON = "deterministicJson"
)

// Ways to answer the format query.
const (
	QueryFree   = "freeform"    // as question does; also if none is chosen
	QueryQuotes = "directQuote" // as highlights does
)

// legacyFullPage is how older clients ask for a screenshot of the whole page.
const legacyFullPage = "screenshot@fullPage"

// Format is one output format with its options. On the wire it is either the
// bare type or an object; which options go with which type is in [FormatVariants].
type Format struct {
	Type                 string     `json:"type" required:"true" doc:"Kind of output."`
	FullPage             bool       `json:"fullPage,omitempty" doc:"The whole page instead of the viewport."`
	Quality              int        `json:"quality,omitempty" doc:"JPEG quality." minimum:"1" maximum:"100"`
	Viewport             *Viewport  `json:"viewport,omitempty" doc:"Size of the window."`
	Prompt               string     `json:"prompt,omitempty" doc:"What to extract, in words." maxLength:"10000"`
	Schema               any        `json:"schema,omitempty" doc:"JSON Schema of the result."`
	CheckPromptInjection bool       `json:"checkPromptInjection,omitempty" doc:"Accepted for compatibility."`
	Modes                []string   `json:"modes,omitempty" doc:"How changes are reported." enum:"git-diff,json" maxItems:"2"`
	Tag                  string     `json:"tag,omitempty" doc:"Keeps a history of its own." maxLength:"1000"`
	Selectors            []Selector `json:"selectors,omitempty" doc:"What to read." minItems:"1" maxItems:"1000"`
	Question             string     `json:"question,omitempty" doc:"What to answer from the page." minLength:"1" maxLength:"10000"`
	Query                string     `json:"query,omitempty" doc:"What to look for in the page." minLength:"1" maxLength:"10000"`
	Mode                 string     `json:"mode,omitempty" doc:"Answer freely or quote the page." enum:"freeform,directQuote"`
}

// Viewport is the size of a browser window in CSS pixels.
type Viewport struct {
	Width  int `json:"width" required:"true" doc:"Width in pixels." minimum:"1" maximum:"7680"`
	Height int `json:"height" required:"true" doc:"Height in pixels." minimum:"1" maximum:"4320"`
}

// Selector names an attribute of all elements that match a CSS selector.
type Selector struct {
	Selector  string `json:"selector" required:"true" doc:"CSS selector." minLength:"1" maxLength:"2000"`
	Attribute string `json:"attribute" required:"true" doc:"Name of the attribute." minLength:"1" maxLength:"500"`
}

// Variant says which fields an object of a given type may and must have besides
// its type. The schema of a union is derived from the list of its variants.
type Variant struct {
	Type     string
	Fields   []string
	Required []string
}

// FormatVariants lists the format types with their options. The list is shared
// and must not be changed.
func FormatVariants() []Variant { return formatVariants }

var formatVariants = []Variant{
	{Type: FormatMarkdown},
	{Type: FormatHTML},
	{Type: FormatRawHTML},
	{Type: FormatRawBase64},
	{Type: FormatLinks},
	{Type: FormatImages},
	{Type: FormatSummary},
	{Type: FormatScreenshot, Fields: []string{"fullPage", "quality", "viewport"}},
	{Type: FormatJSON, Fields: []string{"prompt", "schema", "checkPromptInjection"}},
	{Type: FormatDeterministicJSON, Fields: []string{"prompt", "schema"}},
	{Type: FormatChangeTracking, Fields: []string{"modes", "schema", "prompt", "tag"}},
	{Type: FormatAttributes, Fields: []string{"selectors"}, Required: []string{"selectors"}},
	{Type: FormatBranding},
	{Type: FormatProduct},
	{Type: FormatMenu},
	{Type: FormatQuestion, Fields: []string{"question"}, Required: []string{"question"}},
	{Type: FormatHighlights, Fields: []string{"query"}, Required: []string{"query"}},
	{Type: FormatQuery, Fields: []string{"prompt", "mode"}, Required: []string{"prompt"}},
	{Type: FormatAudio},
	{Type: FormatVideo},
}

// UnmarshalJSON accepts the bare type as well as the object.
func (f *Format) UnmarshalJSON(data []byte) error {
	*f = Format{}
	if len(data) > 0 && data[0] == '"' {
		if err := json.Unmarshal(data, &f.Type); err != nil {
			return err
		}
		if f.Type == legacyFullPage {
			*f = Format{Type: FormatScreenshot, FullPage: true}
		}
		return nil
	}
	type plain Format
	return json.Unmarshal(data, (*plain)(f))
}

// singleFormats are those whose second entry could not be told from the first in
// the document.
var singleFormats = []string{
	FormatScreenshot, FormatJSON, FormatDeterministicJSON, FormatBranding, FormatChangeTracking, FormatQuestion, FormatHighlights, FormatQuery,
}

func validateFormats(formats []Format) []Issue {
	var issues []Issue
	for i, format := range formats {
		issues = append(issues, format.validate(i)...)
	}
	count := func(kind string) (n int) {
		for _, format := range formats {
			if format.Type == kind {
				n++
			}
		}
		return n
	}
	for _, kind := range singleFormats {
		if count(kind) > 1 {
			issues = append(issues, invalid("You may only specify one "+kind+" format", "formats"))
		}
	}
	answers := func(mode string) bool {
		return slices.ContainsFunc(formats, func(f Format) bool { return f.Type == FormatQuery && cmp.Or(f.Mode, QueryFree) == mode })
	}
	for _, rule := range []struct {
		broken  bool
		message string
	}{
		{count(FormatQuestion) > 0 && answers(QueryFree), "The question and query formats exclude each other: both give the answer"},
		{count(FormatHighlights) > 0 && answers(QueryQuotes), "The highlights and query formats exclude each other: both give the highlights"},
		{count(FormatChangeTracking) > 0 && count(FormatMarkdown) == 0, "The changeTracking format requires the markdown format to be specified as well"},
		{count(FormatRawBase64) > 0 && len(formats) > 1, "The rawBase64 format must be the only format"},
		{count(FormatJSON) > 0 && count(FormatDeterministicJSON) > 0, "The json and deterministicJson formats exclude each other"},
	} {
		if rule.broken {
			issues = append(issues, invalid(rule.message, "formats"))
		}
	}
	return issues
}

func (f *Format) validate(i int) []Issue {
	at := slices.IndexFunc(formatVariants, func(v Variant) bool { return v.Type == f.Type })
	if at < 0 {
		return []Issue{invalid("unknown format "+quote(f.Type), "formats", i)}
	}
	if len(formatVariants[at].Required) > 0 && f.bare() {
		return []Issue{invalid("the format "+quote(f.Type)+" needs options: use an object", "formats", i)}
	}
	for _, text := range []struct{ field, value string }{{"question", f.Question}, {"query", f.Query}, {"prompt", f.Prompt}} {
		if slices.Contains(formatVariants[at].Required, text.field) && strings.TrimSpace(text.value) == "" {
			return []Issue{invalid("must not be empty", "formats", i, text.field)}
		}
	}
	if schema, ok := f.Schema.(map[string]any); ok && openObject(schema) {
		return []Issue{invalid("Invalid JSON schema. An object without properties would accept anything.", "formats", i, "schema")}
	} else if !ok && f.Schema != nil {
		return []Issue{invalid("Invalid JSON schema. It must be an object.", "formats", i, "schema")}
	}
	return nil
}

// bare reports whether the format has no options, as after a bare string.
func (f *Format) bare() bool {
	return len(f.Selectors) == 0 && f.Question == "" && f.Query == "" && f.Prompt == ""
}

// openObject reports whether a schema describes an object about which nothing is said.
func openObject(schema map[string]any) bool {
	properties, _ := schema["properties"].(map[string]any)
	return schema["type"] == "object" && len(properties) == 0 && schema["additionalProperties"] == true
}

func quote(s string) string {
	if len(s) > 100 {
		s = s[:100] + "…"
	}
	b, _ := json.Marshal(s)
	return string(b)
}
