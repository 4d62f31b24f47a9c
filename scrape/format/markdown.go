package format

import (
	"encoding/base64"

	"github.com/trawlhq/trawl"
)

// markdown is the page as markdown. Of a file that is not read it is the file.
var markdown = Format{
	Name:  trawl.FormatMarkdown,
	Bytes: func(t *Task) { t.Doc.Markdown = base64Of(t) },
	Read: func(t *Task, _ *trawl.Format) (string, error) {
		text, err := t.Reading.Markdown()
		t.Doc.Markdown = &text
		return "", err
	},
}

func base64Of(t *Task) *string {
	text := base64.StdEncoding.EncodeToString(t.Page.Body)
	return &text
}
