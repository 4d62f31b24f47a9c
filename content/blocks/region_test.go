package blocks

import (
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

// guessed surveys a manual whose blocks begin with their chances, in percent.
func guessed(html string) (p *page, text []int32, chances []int64) {
	p = new(walker).survey(dom.Parse(html), nil, "")
	p.kinds[kindManual] = manual + 1
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.chars == 0 || p.passesOver(b) {
			continue
		}
		percent, err := strconv.Atoi(strings.Fields(p.textOf(int32(i)))[0])
		if err != nil {
			panic(err)
		}
		text, chances = append(text, int32(i)), append(chances, int64(percent)*1024/100)
	}
	return p, text, chances
}

// keptWords returns the words behind the chances of the blocks that are kept.
func keptWords(p *page) string {
	var all []string
	for i := range p.blocks {
		if p.blocks[i].kept {
			all = append(all, strings.Fields(p.textOf(int32(i)))[1])
		}
	}
	return strings.Join(all, " ")
}

// TestRegion says what is kept of manuals by where their content is.
func TestRegion(t *testing.T) {
	t.Parallel()
	long := func(first string) string { return "<p>" + first + sentence + "</p>" }
	sidebar := "<div>" + strings.Repeat("<li><a href=x>20 side bar</a></li>", 40) + "</div>"
	for _, c := range []struct{ name, page, want string }{
		{"a sidebar that is longer than the text", sidebar + "<main><h1>90 Title</h1>" + long("90 One") + "</main>", "Title One"},
		{"in the middle", "<main><h1>90 Title</h1>" + long("90 One") + "<p>5 Two</p>" + long("90 Three") + "</main>", "Title One Two Three"},
		{"behind the text", "<main>" + long("90 One") + long("90 Two") + "<p>10 Three</p></main><div><p>10 Copyright</p></div>", "One Two Three"},
		{"a section at the end", "<main>" + long("90 One") + long("90 Two") + "<section><h2>10 See</h2><p><a href=x>10 This</a></p></section></main>", "One Two See This"},
		{"a row of links at the end", "<main>" + long("90 One") + long("90 Two") + "<p><a href=x>10 Row</a></p></main>", "One Two"},
		{"a table of contents under the title", "<title>Big Manual</title><body><div><h1>30 Big Manual</h1><ul><li><a href=x>20 Chapter</a></ul><section>" + long("90 One") + long("90 Two") + "</section></div>", "Big Chapter One Two"},
		{"footnotes behind it", "<main>" + long("90 One") + long("90 Two") + "</main><div class=footnotes-segment><h4>1 Footnotes</h4><p>1 Note</p></div><p>1 Footer</p>", "One Two Footnotes Note"},
		{"footnotes of something else", "<main>" + long("90 One") + long("90 Two") + "</main><footer><div class=footnotes><p>1 Note</p></div></footer>", "One Two"},
		{"a note above a list of chapters", "<main><div>" + long("90 Note") + "</div><ul>" + strings.Repeat("<li><a href=x>36 Chapter</a></li>", 3) + "</ul></main><p>20 Footer</p>", "Note Chapter Chapter Chapter"},
		{"a page of links only", "<div><p>90 One</p></div><ul>" + strings.Repeat("<li><a href=x>20 Link to another chapter</a></li>", 3) + "</ul>", "One Link Link Link"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, text, chances := guessed(c.page)
			for i, at := range text {
				p.blocks[at].kept = chances[i] >= 140
			}
			p.keepRegion(text, chances, 140)
			p.keepFootnotes()
			if got := keptWords(p); got != c.want {
				t.Errorf("kept %q, want %q", got, c.want)
			}
		})
	}
}

// TestFolded says that what is hidden within the content of a manual stays.
func TestFolded(t *testing.T) {
	t.Parallel()
	p, text, chances := guessed("<main><p>90 One" + sentence + "</p><div style=display:none><p>90 Two</p></div><p>90 Three" + sentence + "</p></main>")
	p.keepRegion(text, chances, 140)
	p.dropHidden(text)
	if got, want := keptWords(p), "One Two Three"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

// TestContents says which tables of contents that are called navigation are kept.
func TestContents(t *testing.T) {
	t.Parallel()
	const inner = `<nav><ul><li><a href="#a">A One</a><li><a href="#b">A Two</a></ul></nav>`
	text := "<p>A Text" + sentence + "</p>"
	for _, c := range []struct{ name, page, want string }{
		{"in the text", "<main><h1>A Title</h1>" + inner + text + "</main>", "Title One Two Text"},
		{"beside it", "<div>" + inner + "</div><main><h1>A Title</h1>" + text + "</main>", "Title Text"},
		{"behind it", "<main><h1>A Title</h1>" + text + "</main><div>" + inner + "</div><p>a footer</p>", "Title Text"},
		{"of the site", "<main><h1>A Title</h1>" + strings.ReplaceAll(inner, "#", "page") + text + "</main>", "Title Text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, _ := marked("<body>" + c.page)
			for i := range p.blocks {
				b := &p.blocks[i]
				b.kept = b.kept && !p.containers[b.container].beside
			}
			p.keepContents()
			if got := keptWords(p); got != c.want {
				t.Errorf("kept %q, want %q", got, c.want)
			}
		})
	}
}

// TestTurns says what is dropped as a row of links to turn pages by.
func TestTurns(t *testing.T) {
	t.Parallel()
	const head = `<head><link rel=prev href=a.html><link rel=next href=c.html></head><body>`
	text := "<h1>A Title</h1><p>A Text" + sentence + "</p>"
	for _, c := range []struct{ name, page, want string }{
		{"a book", head + `<div><table><tr><th colspan=3>A Book</th></tr><tr><td><a href=a.html>A Prev</a></td><td>A Chapter</td><td><a href=c.html>A Next</a></td></tr></table></div>` + text, "Title Text"},
		{"by their relation", `<p>A Row <a rel=next href=c.html>next</a>, <a rel=up href=d.html>up</a> <a href=e.html>help</a></p>` + text, "Title Text"},
		{"by their keys", `<p><a accesskey=p href=c.html>A Row</a> <a accesskey=n href=d.html>next</a></p>` + text, "Title Text"},
		{"by their pictures", head + `<div><a href=a.html><img src=p.png alt=Prev></a> <b>A Book</b> <a href=c.html><img src=n.png alt=Next></a></div>` + text, "Title Text"},
		{"one link in a sentence", head + text + `<p>A Sentence that leads <a href=c.html>on</a></p>`, "Title Text Sentence"},
		{"a sentence about chapters", head + text + `<p>A Release goes as in <a href=a.html>Chapter 7</a> and then as it is told in <a href=c.html>Chapter 9</a>.</p>`, "Title Text Release"},
		{"methods of that name", text + `<ul><li><a href=c.html#next>A next</a><li><a href=c.html#prev>A prev</a></ul>`, "Title Text next prev"},
		{"a list of chapters", head + text + `<ul><li><a href=c.html>A One</a><li><a href=d.html>A Two</a><li><a href=e.html>A Three</a></ul>`, "Title Text One Two Three"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, text := marked(c.page)
			p.dropTurns(text)
			if got := keptWords(p); got != c.want {
				t.Errorf("kept %q, want %q", got, c.want)
			}
		})
	}
}
