package address_test

import (
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// first returns the first element of a name in a fragment of HTML.
func first(t *testing.T, html string, name atom.Atom) *dom.Node {
	t.Helper()
	root := dom.Parse(html).Root
	for n := root; n != nil; n = dom.Following(n, root, true) {
		if n.Is(name) {
			return n
		}
	}
	t.Fatalf("no %s in %s", name, html)
	return nil
}

func TestImageSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"plain", `<img src=" a.png ">`, "a.png"},
		{"none", `<img alt="x">`, ""},
		{"late", `<img src="blank.gif" data-src="b.png">`, "b.png"},
		{"late in several ways", `<img data-original="o.png" data-src="s.png">`, "s.png"},
		{"late by a set", `<img src="data:,x" data-srcset="s.png 1x, l.png 2x">`, "l.png"},
		{"data that is no address", `<img src="a.png" data-src="{x}">`, "a.png"},
		{"data that is a placeholder", `<img src="a.png" data-src="data:image/gif;base64,x">`, "a.png"},
		{"a set behind a placeholder", `<img src="/img/placeholder.png?x" srcset="s.png 100w, l.png 200w">`, "l.png"},
		{"a picture behind a placeholder", `<picture><source srcset="p.webp"><img src="data:,x"></picture>`, "p.webp"},
		{"nothing but a placeholder", `<img src="data:image/png;base64,x">`, "data:image/png;base64,x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := address.ImageSource(first(t, c.html, atom.Img)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestBestCandidate(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{
		"": "", " , ": "", "a.png": "a.png", "a.png, b.png 2x": "b.png", "a.png 300w, b.png 1200w, c.png 600w": "b.png",
		"a,1.png 1x,b,2.png 2x": "b,2.png", "a.png 1.5x, b.png 1.25x": "a.png", "a.png huge, b.png 2x": "b.png", "a.png,\nb.png 640w 480h": "b.png",
	} {
		if got := address.BestCandidate(set); got != want {
			t.Errorf("%q: got %q, want %q", set, got, want)
		}
	}
}

func TestIsPixel(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]bool{
		`<img width="1" height="1">`: true, `<img width="0" height="1px">`: true, `<img width="1" height="10">`: false, `<img>`: false,
	} {
		if got := address.IsPixel(first(t, html, atom.Img)); got != want {
			t.Errorf("%s: got %v", html, got)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]struct{ data, script, elsewhere bool }{
		"/x":                   {},
		"x:y/z":                {elsewhere: true},
		"https://x":            {},
		"HTTP:x":               {},
		"mailto:a@b":           {elsewhere: true},
		"DATA:,x":              {data: true, elsewhere: true},
		"data":                 {},
		"javascript:x":         {script: true, elsewhere: true},
		" Java\nScript\t:x":    {script: true},
		"\x01vbscript:x":       {script: true},
		"javascripts:x":        {elsewhere: true},
		"java/script:x":        {},
		"1:2":                  {},
		"a/b:c":                {},
		"tel+x-y.z:1":          {elsewhere: true},
		":x":                   {},
		"view-source:http://x": {elsewhere: true},
	} {
		if address.IsData(ref) != want.data || address.IsScript(ref) != want.script || address.IsElsewhere(ref) != want.elsewhere {
			t.Errorf("%q: data %v, script %v, elsewhere %v", ref, address.IsData(ref), address.IsScript(ref), address.IsElsewhere(ref))
		}
	}
}

func TestAppendTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, html, want string }{
		{"https://example.com/a/", `<a href="b">x</a>`, "https://example.com/a/b"},
		{"https://example.com/a/", `<a href="#">x</a>`, ""},
		{"https://example.com/a/", `<a>x</a>`, ""},
		{"https://example.com/a/", `<a href=" javascript:x ">x</a>`, ""},
		{"https://example.com/a/", `<a href="data:,x">x</a>`, ""},
		{"https://example.com/a/", `<a href="mailto:a@b.example">x</a>`, "mailto:a@b.example"},
		{"", `<a href="b/c">x</a>`, "b/c"},
		{"", `<a href="b c">x</a>`, ""},
	} {
		if got := string(address.NewBase(c.page, "").AppendTarget(nil, first(t, c.html, atom.A))); got != c.want {
			t.Errorf("%s on %q: got %q, want %q", c.html, c.page, got, c.want)
		}
	}
}

// FuzzCandidates checks that every address of a set is a part of it.
func FuzzCandidates(f *testing.F) {
	f.Add("a.png 1x, b,c.png 2x,,d 300w")
	f.Fuzz(func(t *testing.T, set string) {
		size := 0
		for c := range address.Candidates(set) {
			size += len(c.Address) + len(c.Descriptor)
		}
		if size > len(set) {
			t.Errorf("%q has candidates of %d bytes", set, size)
		}
	})
}
