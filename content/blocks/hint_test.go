package blocks

import (
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

// TestManualHints says which pages are told to be documentation by what made them.
func TestManualHints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		head   string
		manual bool
	}{
		{`<meta name=generator content="mkdocs-1.6.1, mkdocs-material-9.6">`, true},
		{`<meta name=generator content="WordPress 6.5">`, false},
		{`<link rel=stylesheet href="../_static/pygments.css?v=1">`, true},
		{`<script src="_static/documentation_options.js"></script>`, true},
		{`<body><p>A text</p><script src="../search/main.js"></script>`, true},
		{`<link rel=stylesheet href="/static.files/rustdoc-77263533.css">`, true},
		{`<link rel=stylesheet href="/static/site.css"><script src="/static/main.js"></script>`, false},
		{`<link rel=next href="_static/pygments.css">`, false},
	} {
		p := new(walker).survey(dom.Parse(c.head), nil, "")
		if got := p.hints&hintManual != 0; got != c.manual {
			t.Errorf("%s: documentation %t, want %t", c.head, got, c.manual)
		}
	}
}
