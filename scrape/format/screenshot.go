package format

import "github.com/trawlhq/trawl"

// screenshot is a picture of the rendered page.
var screenshot = Format{
	Name:       trawl.FormatScreenshot,
	HasOptions: true,
	NoBrowser:  trawl.CodeFormatUnsupported,
	Needs:      func(o *trawl.Format) Needs { return Needs{Browser: true, Screenshot: o} },
	Read: func(t *Task, _ *trawl.Format) (string, error) {
		if t.Page.Screenshot != nil {
			address := t.Address(t.Page.Screenshot)
			t.Doc.Screenshot = &address
		}
		return "", nil
	},
}
