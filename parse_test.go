package trawl_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl"
)

func TestFileName(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"a.pdf": "a.pdf", "": "file", "   ": "file", ".": "file", "...": "file", "a/b/c.doc": "c.doc", `a\b\c.doc`: "c.doc", `/a\`: "file",
		"a\nb.pdf": "ab.pdf", "\u202ea.pdf": "a.pdf", "a\xffb": "a\ufffdb", ".htaccess": ".htaccess", "zu groß.pdf": "zu groß.pdf",
		strings.Repeat("x", 300): strings.Repeat("x", 255), strings.Repeat("x", 300) + ".docx": strings.Repeat("x", 250) + ".docx",
	} {
		if got := trawl.FileName(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

func FuzzFileName(f *testing.F) {
	f.Add("a.pdf")
	f.Add(`..\..\x` + "\x00")
	f.Add(strings.Repeat("ü", 200) + ".x")
	f.Fuzz(func(t *testing.T, name string) {
		got := trawl.FileName(name)
		if got == "" || len(got) > 255 || strings.ContainsAny(got, "/\\\x00\n\r") || !utf8.ValidString(got) || got == "." || got == ".." {
			t.Errorf("%q becomes %q", name, got)
		}
	})
}

func TestParseRequest(t *testing.T) {
	t.Parallel()
	var req trawl.ParseRequest
	if err := json.Unmarshal([]byte(`{"formats":null,"parsers":null,"timeout":5000}`), &req); err != nil {
		t.Fatal(err)
	}
	if len(req.Formats) != 1 || req.Formats[0].Type != trawl.FormatMarkdown || !req.ParsesPDF() || req.Timeout != 5000 || !req.OnlyMainContent || req.Origin != "api" {
		t.Errorf("%+v", req)
	}
	if err := req.Unsupported(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
	for _, name := range trawl.ParseRefuses() {
		value := map[string]string{
			"actions": `[{"type":"scrape"}]`, "waitFor": "1", "mobile": "true", "minAge": "0", "lockdown": "true", "profile": `{"name":"a"}`,
		}[name]
		var req trawl.ParseRequest
		if err := json.Unmarshal([]byte(`{"`+name+`":`+value+`}`), &req); err != nil {
			t.Fatal(err)
		}
		refused, ok := errors.AsType[*trawl.Error](req.Unsupported())
		if !ok || refused.Code != trawl.CodeParseOptions || refused.Issues[0].Path[0] != name || !strings.Contains(refused.Message, "do not support "+name) {
			t.Errorf("%s: %v", name, refused)
		}
	}
}

// TestDocumentParts looks at the JSON of what only files have.
func TestDocumentParts(t *testing.T) {
	t.Parallel()
	sure := 0.5
	doc := &trawl.Document{
		Attributes: &[]trawl.Attribute{{Selector: "a > b", Attribute: "href", Values: []string{"<x>"}}},
		Pages:      []trawl.DocumentPage{{Number: 1, Markdown: "a"}},
		Blocks: []trawl.PageBlocks{{Number: 1, Width: 2, Height: 3, Status: "ocr", Items: []trawl.PageBlock{{
			ID: "p1.b0", Type: "text", Label: "title", Content: "a", MarkdownSpan: [2]int{0, 1}, Source: "ocr", Confidence: trawl.BlockConfidence{OCR: &sure},
		}}}},
	}
	got, err := doc.MarshalJSON()
	want := `{"attributes":[{"selector":"a > b","attribute":"href","values":["<x>"]}],"pages":[{"pageNumber":1,"markdown":"a"}],` +
		`"blocks":[{"pageNumber":1,"width":2,"height":3,"status":"ocr","items":[{"id":"p1.b0","type":"text","label":"title","bbox":[0,0,0,0],` +
		`"content":"a","markdownSpan":[0,1],"readingOrder":0,"source":"ocr","confidence":{"layout":null,"ocr":0.5}}]}],"metadata":{`
	if err != nil || !strings.HasPrefix(string(got), want) || !json.Valid(got) {
		t.Errorf("%s\n%v", got, err)
	}
}
