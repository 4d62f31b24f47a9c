package format

import "github.com/trawlhq/trawl"

// html is the part of the page that the options choose.
var html = Format{
	Name: trawl.FormatHTML,
	Read: func(t *Task, _ *trawl.Format) (string, error) {
		selection, err := t.Reading.Selection()
		if err != nil {
			return "", err
		}
		text := selection.HTML()
		t.Doc.HTML = &text
		return "", nil
	},
}
