package content

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"

	"github.com/trawlhq/trawl/content/dom"
)

const matchPage = `<html><body id=top class="page wide"><div class=a><p class=x>1<b>2</b></p><p>3</p><ul class="list x">
<li class=first>4<li>5<a href=/y>6</a><li class="x last">7</ul></div><div class="a b"><div class=c><p class=x>8</p>
<section><h2>9</h2><p>10</p><p class=z>11</p><div><p>12</p></div></section></div></div><p>13</p><i class="x　y z">14</i></body></html>`

var matchSelectors = []string{
	"div p", "div > p", "div div p", "h2 + p", "h2 ~ p", "h2~p+p", ".a .x", "body .a > .c p", "li:first-child", "li:nth-child(2n + 1)",
	"li:not(.x)", "p:not(div p)", "div:has(h2)", "a[href]", "a[href='/y']", "a[href^=\"/\"]", "div.a.b", "html p", ":root p", "nope div p",
	"section>p.z,li.last", "p , b", "*", "div *", "li ~ li", "li + li ~ li", "ul > li a", "div:not(.a) > p", "p:contains('1')", "#top > p",
	"p:empty", "b:only-child", "div p:last-of-type", ".page.wide div", "div\n>\tp", "a[href='a > b, c']", "li:nth-last-child(1)",
	"A\u3000", "\u00a0p", "p\v", ".x", ".x\u3000", ".x\u3000y\u00a0z", "#top\u2003", "div p\u3000", "\u3000", " \t\r\n\fp\f",
}

// differ returns an element about which a matcher and the selector itself disagree.
func differ(t *dom.Tree, selector string) *dom.Node {
	group, err := cascadia.ParseGroup(selector)
	if err != nil {
		return nil
	}
	m := newMatcher([]string{selector})
	if CheckSelectors([]string{selector}) != nil || !m.prepare(t) {
		return nil
	}
	twins := mirror(t)
	for n := t.Root; n != nil; n = dom.Following(n, t.Root, true) {
		if n.Type == dom.ElementNode && m.match(n) != group.Match(twins[n.ID]) {
			return n
		}
	}
	return nil
}

func TestMatcherAgrees(t *testing.T) {
	t.Parallel()
	doc := dom.Parse(matchPage)
	for _, selector := range matchSelectors {
		if n := differ(doc, selector); n != nil {
			t.Errorf("%q: <%s> %v", selector, n.Data, n.Attr)
		}
	}
}

func FuzzMatcher(f *testing.F) {
	doc := dom.Parse(matchPage)
	for _, selector := range matchSelectors {
		f.Add(selector)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		if n := differ(doc, selector); n != nil {
			t.Errorf("%q: <%s> %v", selector, n.Data, n.Attr)
		}
	})
}

// TestMatcherIsBounded asks for what going back and forth would never finish.
func TestMatcherIsBounded(t *testing.T) {
	t.Parallel()
	deep := Parse(Source{ContentType: "text/html", Body: []byte(strings.Repeat("<div>", 400) + strings.Repeat("<i>x</i>", 10_000))})
	if _, err := deep.Select(Options{Include: []string{"nope div div div div div div i"}}); err != nil {
		t.Errorf("a long chain: %v", err)
	}
	list := Parse(Source{ContentType: "text/html", Body: []byte("<ul>" + strings.Repeat("<li>x", 20_000) + "<li class=keep>kept</ul>")})
	s, err := list.Select(Options{Exclude: []string{"li:not(.keep)"}})
	if err != nil || s.Markdown() != "- kept" {
		t.Errorf("a long list: %v", err)
	}
	if _, err := list.Select(Options{Include: []string{"li:nth-last-of-type(2n+1)"}}); !errors.Is(err, ErrTooCostly) {
		t.Errorf("counting siblings: %v", err)
	}
}

// TestCostIsWhatItTakes has selectors that look at few elements, but at very
// much of each. Answering them would take minutes.
func TestCostIsWhatItTakes(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word ", 200_000)
	for name, c := range map[string]struct{ body, selector string }{
		"many conditions":  {strings.Repeat("<p class=a>x</p>", 100_000), "p.b" + strings.Repeat(".a", 900)}, // the first fails, so that the test is quick
		"a long class":     {`<p class="` + strings.Repeat("a ", 1_000_000) + `">`, "p" + strings.Repeat(":not(.b)", 200)},
		"text at a depth":  {strings.Repeat("<div>", 400) + text, "div" + strings.Repeat(":not(:contains(b))", 60)},
		"matched patterns": {strings.Repeat("<div>", 400) + text, "div:matches((a|b|c)+x$)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := Parse(Source{Body: []byte(c.body), ContentType: "text/html"})
			list := slices.Repeat([]string{c.selector}, 100)
			if err := CheckSelectors(list[:1]); err != nil {
				t.Fatal(err)
			}
			if _, err := page.Select(Options{Exclude: list}); !errors.Is(err, ErrTooCostly) {
				t.Errorf("got the error %v", err)
			}
		})
	}
}
