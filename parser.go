package trawl

import (
	"encoding/json"
	"slices"
)

// Parser types.
const (
	ParserPDF   = "pdf"
	ParserImage = "image"
	ParserEmail = "email"
)

// Parser says how files of one kind are read. On the wire it is either the bare
// type or an object.
type Parser struct {
	Type         string `json:"type" required:"true" doc:"Kind of file."`
	Mode         string `json:"mode,omitempty" doc:"fast reads the text layer, ocr recognises the pages, auto decides." enum:"fast,auto,ocr"`
	MaxPages     int    `json:"maxPages,omitempty" doc:"Read at most this many pages." minimum:"1" maximum:"10000"`
	Pages        bool   `json:"pages,omitempty" doc:"Return every page on its own as well."`
	PageMarkdown bool   `json:"pageMarkdown,omitempty" doc:"Another name for pages."`
	Blocks       bool   `json:"blocks,omitempty" doc:"Return the layout blocks as well."`
	PageMarkers  bool   `json:"pageMarkers,omitempty" doc:"Mark the page breaks in the markdown."`
	Attachments  bool   `json:"attachments,omitempty" doc:"Read the attachments of a message as well."`
}

// ParserVariants lists the parser types with their options.
func ParserVariants() []Variant {
	return []Variant{
		{Type: ParserPDF, Fields: []string{"mode", "maxPages", "pages", "pageMarkdown", "blocks", "pageMarkers"}},
		{Type: ParserImage},
		{Type: ParserEmail, Fields: []string{"attachments"}},
	}
}

// UnmarshalJSON accepts the bare type as well as the object.
func (p *Parser) UnmarshalJSON(data []byte) error {
	*p = Parser{Mode: "auto"}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &p.Type)
	}
	type plain Parser
	return json.Unmarshal(data, (*plain)(p))
}

func validateParsers(parsers []Parser) []Issue {
	var issues []Issue
	for i, parser := range parsers {
		if !slices.ContainsFunc(ParserVariants(), func(v Variant) bool { return v.Type == parser.Type }) {
			issues = append(issues, invalid("unknown parser "+quote(parser.Type), "parsers", i))
		}
	}
	return issues
}
