package named_test

import (
	"testing"

	"github.com/trawlhq/trawl/document/named"
)

func TestStyle(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]named.Role{
		"heading 1": {Level: 1}, "Überschrift 3": {Level: 3}, "Heading_2": {Level: 2}, "見出し 4": {Level: 4}, "Titre 9": {Level: 9}, "Titre": {Title: true},
		"Title": {Title: true}, "Subtitle": {Subtitle: true}, "TOC Heading": {Level: 1, Contents: true}, "Intense Quote": {Quote: true},
		"HTML Preformatted": {Code: true}, "Horizontal Line": {Rule: true}, "Table Heading": {TableHead: true},
		"Heading 0": {Title: true}, "Heading": {}, "heading 10": {}, "Normal": {}, "Headings 1a": {}, "": {},
	} {
		if got := named.Style(name); got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`C:\Users\ada\Pictures\duck one.png`: "", `\\server\share\duck.png`: "", "file:///home/ada/duck.png": "",
		"A duck:\n on a pond": "A duck: on a pond", "": "",
	} {
		if got := named.Description(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestIsMono(t *testing.T) {
	t.Parallel()
	for font, want := range map[string]bool{"Courier New": true, "DejaVu Sans Mono": true, "Consolas": true, "Inconsolata": true, "Monotype Corsiva": false, "Arial": false, "": false} {
		if named.IsMono(font) != want {
			t.Errorf("%s: not %v", font, want)
		}
	}
}
