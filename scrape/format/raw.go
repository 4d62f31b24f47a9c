package format

import "github.com/trawlhq/trawl"

// rawHTML is all of the page's text.
var rawHTML = Format{
	Name: trawl.FormatRawHTML,
	Read: func(t *Task, _ *trawl.Format) (string, error) {
		text := string(t.Reading.Text())
		t.Doc.RawHTML = &text
		return "", nil
	},
}

// rawBase64 is the page's bytes as they came. It is alone in its document.
var rawBase64 = Format{
	Name:  trawl.FormatRawBase64,
	Needs: func(*trawl.Format) Needs { return Needs{RawBytes: true} },
	Bytes: func(t *Task) { t.Doc.RawBase64 = base64Of(t) },
}
