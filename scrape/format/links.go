package format

import "github.com/trawlhq/trawl"

// links are the addresses that the page links to.
var links = Format{
	Name: trawl.FormatLinks,
	Read: func(t *Task, _ *trawl.Format) (string, error) {
		list := append([]string{}, t.Reading.Tree().Links()...)
		t.Doc.Links = &list
		return "", nil
	},
}
