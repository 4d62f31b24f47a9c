package content_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	const page = `<body><nav class="top"><a href="/">Home</a> <span class="menu">Menu</span></nav>
<main id="m"><div class="a"><p class="x">one</p><p class="y">two <i>in</i></p></div><div class="a"><p>three</p></div></main>
<footer>end</footer></body>`
	for _, c := range []struct {
		name    string
		options content.Options
		want    string
	}{
		{"everything", content.Options{}, "[Home](https://example.com/) Menu|one|two *in*|three|end"},
		{"main", content.Options{OnlyMain: true}, "one|two *in*|three"},
		{"exclude a class", content.Options{Exclude: []string{".x", "footer", "nav"}}, "two *in*|three"},
		{"exclude by structure", content.Options{OnlyMain: true, Exclude: []string{"div.a > p:first-child"}}, "two *in*"},
		{"include an id", content.Options{Include: []string{"#m"}}, "one|two *in*|three"},
		{"include nested ones once", content.Options{Include: []string{"p", ".a", "i"}}, "one|two *in*|three"},
		{"include in document order", content.Options{Include: []string{"footer", ".y"}}, "two *in*|end"},
		{"include without what is excluded", content.Options{Include: []string{".a"}, Exclude: []string{".y"}}, "one|three"},
		{"include what main leaves out", content.Options{OnlyMain: true, Include: []string{"nav"}}, "[Home](https://example.com/) Menu"},
		{"include nothing", content.Options{Include: []string{".none"}}, ""},
		{"a group of selectors", content.Options{Include: []string{"footer, .x"}}, "one|end"},
		{"an invalid selector matches nothing", content.Options{Include: []string{"[["}}, ""},
		{"tags in any case", content.Options{Include: []string{"FOOTER"}}, "end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := parse(page)
			if got := strings.ReplaceAll(asMarkdown(p, c.options), "\n\n", "|"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestCheckSelectors(t *testing.T) {
	t.Parallel()
	if err := content.CheckSelectors([]string{"a", ".b > #c", "[d=e], :not(f)"}); err != nil {
		t.Errorf("valid selectors: %v", err)
	}
	err := content.CheckSelectors([]string{"a", "b[", ":::"})
	bad, ok := errors.AsType[*content.SelectorError](err)
	if !ok || bad.Index != 1 || bad.Selector != "b[" {
		t.Errorf("got %#v, want the selector at 1", err)
	}
}

func TestOnlyMain(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Enough words to be read. ", 10)
	for _, c := range []struct{ name, html, keep, drop string }{
		{"roles", `<div role="navigation">gone</div><p>` + text, "Enough", "gone"},
		{"navigation in the text", `<article><p>` + text + `<nav>gone</nav><p>` + text + `</article>`, "Enough", "gone"},
		{"the page's footer", `<main><p>` + text + `</main><footer>gone</footer>`, "Enough", "gone"},
		{"cookies", `<div id="onetrust-banner-sdk">gone</div><p>` + text, "Enough", "gone"},
		{"hidden by its style", `<p style="display: none">gone</p><p>` + text, "Enough", "gone"},
		{"hidden by an attribute", `<p hidden>gone</p><p>` + text, "Enough", "gone"},
		{"the wrapper of it all", `<div class="sidebar-layout"><p>` + text + `</div>`, "Enough", ""},
		{"a hidden body", `<body style="display:none"><p>` + text, "Enough", ""},
		{"a page that shows itself by script", `<div style="display:none"><p>` + text + `</div>`, "Enough", ""},
		{"an image in the text", `<p>` + text + `</p><img src="kept.png"><p>` + text, "kept.png", ""},
		{"a rule in the text", `<p>` + text + `</p><hr><p>` + text, "Enough", ""},
		{"everything in a dialog", `<dialog open>kept</dialog>`, "kept", ""},
		{"everything in noscript and nav", `<body><noscript>Enable JavaScript</noscript><nav>kept</nav>`, "kept", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := parse(c.html)
			for format, got := range map[string]string{
				"markdown": asMarkdown(page, content.Options{OnlyMain: true}),
				"html":     asHTML(page, content.Options{OnlyMain: true}),
			} {
				if !strings.Contains(got, c.keep) || c.drop != "" && strings.Contains(got, c.drop) {
					t.Errorf("%s: got %q, want %q and not %q", format, got, c.keep, c.drop)
				}
			}
		})
	}
}

// TestUncertain holds that a page stays whole, and says so, where a rule would take
// much of it away.
func TestUncertain(t *testing.T) {
	t.Parallel()
	const paragraph = `<p>Functions in a trusted language cannot open files or start programs, and so anybody who may use the database may be allowed
to write some, without being able to do more than the language was meant for.</p>`
	for _, c := range []struct {
		name, page string
		want       bool
	}{
		{"a manual", `<h1>Trusted</h1><div id="PLPERL-TRUSTED">` + paragraph + paragraph + `</div>`, false},
		{"most of the page is named like a consent box", `<h1>Trusted</h1><div id="onetrust-banner">` + paragraph + paragraph + `</div>` + paragraph, true},
		{"next to nothing", `<p>Closed</p>`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := parse(c.page).Select(content.Options{OnlyMain: true})
			if err != nil {
				t.Fatal(err)
			}
			if s.Uncertain() != c.want || strings.Count(s.Markdown(), "cannot open files") != strings.Count(c.page, "cannot open files") {
				t.Errorf("uncertain: %v, %q", s.Uncertain(), s.Markdown())
			}
		})
	}
}
