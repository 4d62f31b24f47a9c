package format

import (
	"context"
	"mime"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/extract"
)

// branding is how the page looks, by what was measured in it while it was open.
var branding = Format{
	Name:      trawl.FormatBranding,
	NoBrowser: trawl.CodeBranding,
	Needs: func(*trawl.Format) Needs {
		return Needs{Browser: true, Fresh: true, Text: true, Measure: brand.Script(), NoPage: errNoPage()}
	},
	Ask: func(ctx context.Context, t *Task, _ *trawl.Format) (string, error) {
		switch label, _, _ := mime.ParseMediaType(t.Page.ContentType); label {
		case "text/html", "application/xhtml+xml":
		default: // a browser shows data and text in a way of its own
			return "", errNoPage()
		}
		kit, err := brand.Read(t.Page.Measured, t.Page.URL)
		if err != nil { // the page did not let itself be measured
			return "The branding of the page could not be measured.", ctx.Err()
		}
		found, err := t.Extract.Do(ctx, t.Source, extract.Task{Kind: extract.Brand, Kit: kit})
		if err != nil {
			return "", err
		}
		t.Doc.Branding, _ = found.Value.(*trawl.Branding)
		if kit.Late {
			found.Warning = strings.TrimSpace(found.Warning + " The time to measure the page ran out; its branding is that of the part that was measured.")
		}
		return found.Warning, nil
	},
}

func errNoPage() error {
	return trawl.Errorf(trawl.CodeBranding, "The address serves no page that a browser shows, so there is no branding.")
}
