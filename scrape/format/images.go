package format

import "github.com/trawlhq/trawl"

// images are the addresses of the page's pictures.
var images = Format{
	Name: trawl.FormatImages,
	Read: func(t *Task, _ *trawl.Format) (string, error) {
		list := append([]string{}, t.Reading.Tree().Images()...)
		t.Doc.Images = &list
		return "", nil
	},
}
