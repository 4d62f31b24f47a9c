package trawl

import (
	"bytes"
	"encoding/json"
)

// Attribute is what the elements that match a selector have in an attribute, in
// the order of the page.
type Attribute struct {
	Selector  string   `json:"selector" doc:"The selector as it was given."`
	Attribute string   `json:"attribute" doc:"The attribute as it was given."`
	Values    []string `json:"values" doc:"Its values; elements without it are left out."`
}

// DocumentPage is a page of a file whose pages are fixed.
type DocumentPage struct {
	Number   int    `json:"pageNumber" doc:"Number of the page, from 1."`
	Markdown string `json:"markdown" doc:"The page as markdown."`
}

// PageBlocks is what stands where on a page.
type PageBlocks struct {
	Number int         `json:"pageNumber" doc:"Number of the page, from 1."`
	Width  float64     `json:"width" doc:"Width of the page in points."`
	Height float64     `json:"height" doc:"Height of the page in points."`
	Status string      `json:"status" doc:"What became of the page: text (its own text was read), ocr (it was recognised), empty, unread (a picture or garbled) or failed."`
	Items  []PageBlock `json:"items" doc:"The blocks in reading order."`
}

// PageBlock is a block of a page. What goes on over several columns or pages
// stands where it begins.
type PageBlock struct {
	ID           string          `json:"id" doc:"Name of the block, such as p1.b0."`
	Type         string          `json:"type" doc:"Kind of the block: text, list, table, code, formula or image."`
	Label        string          `json:"label" doc:"What it is in the document: title, heading, text, list, table, code, formula, picture, caption or footnote."`
	Box          [4]float64      `json:"bbox" doc:"Left, top, right and bottom as parts of the page from 0 to 1."`
	Content      string          `json:"content" doc:"The block as markdown."`
	MarkdownSpan [2]int          `json:"markdownSpan" doc:"Where it is in the document's markdown: start and end in characters; the two are the same where it cannot be told."`
	ReadingOrder int             `json:"readingOrder" doc:"Its place among the blocks of the page, from 0."`
	Source       string          `json:"source" doc:"text, or ocr if it was recognised."`
	Confidence   BlockConfidence `json:"confidence" doc:"How sure the reader is."`
}

// BlockConfidence says how sure the reader of a file is of a block. What is not
// a guess is null.
type BlockConfidence struct {
	Layout *float64 `json:"layout" doc:"Of its place and kind; always null in this version."`
	OCR    *float64 `json:"ocr" doc:"Of its characters, from 0 to 1; null for text that was not recognised."`
}

// appendParts appends the parts of a document that are objects, each followed by
// a comma.
func (d *Document) appendParts(b []byte) []byte {
	if d.Attributes != nil {
		b = appendObject(appendKey(b, "attributes"), *d.Attributes)
	}
	if d.Pages != nil {
		b = appendObject(appendKey(b, "pages"), d.Pages)
	}
	if d.Blocks != nil {
		b = appendObject(appendKey(b, "blocks"), d.Blocks)
	}
	if d.ChangeTracking != nil {
		b = appendObject(appendKey(b, "changeTracking"), d.ChangeTracking)
	}
	if d.Branding != nil {
		b = appendObject(appendKey(b, "branding"), d.Branding)
	}
	return b
}

// appendObject appends any value as JSON, and a comma.
func appendObject(b []byte, value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil { // a number that is none
		return append(b, "null,"...)
	}
	return append(append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...), ',')
}
