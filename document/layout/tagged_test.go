package layout

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

// tagPage is a page that is written line by line, each with a mark of its own.
type tagPage struct {
	Page
	y float32
}

func newTagPage() *tagPage {
	return &tagPage{y: 100, Page: Page{Number: 1, Width: 600, Height: 800, Fonts: []Font{{}, {Bold: true}, {Italic: true}, {Mono: true}}}}
}

// line writes a line and returns its mark. Characters are half as wide as high.
func (p *tagPage) line(text string) int32 { return p.write(text, 50, 10, 0, true) }

func (p *tagPage) write(text string, x, size float32, font uint16, down bool) int32 {
	mark := int32(0)
	for i := range p.Glyphs {
		mark = max(mark, p.Glyphs[i].Mark+1)
	}
	for _, r := range text {
		p.Glyphs = append(p.Glyphs, Glyph{
			Box:  Box{Left: x, Top: p.y - 0.8*size, Right: x + size/2, Bottom: p.y + 0.2*size},
			Rune: r, X: x, Y: p.y, Size: size, Font: font, Mark: mark,
		})
		x += size / 2
	}
	if down {
		p.y += 1.5 * size
	}
	return mark
}

func tag(name string, children ...*Element) *Element { return &Element{Type: name, Children: children} }

func text(name string, marks ...int32) *Element { return &Element{Type: name, Marks: marks} }

// html returns what a page becomes, or that its structure is not believed.
func (p *tagPage) html(root ...*Element) string {
	p.Root = tag("Document", root...)
	b := NewBuilder()
	if b.Add(&p.Page); !b.pages[0].isTagged {
		return "not believed"
	}
	doc := &tree.Document{}
	doc.Pages, doc.Notes = b.Finish()
	out := tree.Write(doc, 1<<20)
	return strings.ReplaceAll(string(out.HTML[out.Pages[0].From:out.Pages[0].To]), "\n", "")
}

func TestTagged(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		page func(p *tagPage) []*Element
		want string
	}{
		"headings and paragraphs": {func(p *tagPage) []*Element {
			return []*Element{text("H1", p.line("Title")), text("P", p.line("one and"), p.line("two")), text("H3", p.line("Sub"))}
		}, "<h1>Title</h1><p>one and two</p><h3>Sub</h3>"},
		"nothing but paragraphs of several lines": {func(p *tagPage) []*Element {
			return []*Element{text("P", p.line("one and"), p.line("two")), text("P", p.line("three and"), p.line("four"))}
		}, "<p>one and two</p><p>three and four</p>"},
		"a paragraph for each line": {func(p *tagPage) []*Element {
			return []*Element{text("P", p.line("one and")), text("P", p.line("two")), text("P", p.line("three and"))}
		}, "not believed"},
		"paragraphs that leave something out": {func(p *tagPage) []*Element {
			parts := []*Element{text("P", p.line("a line that is rather long and"), p.line("one more of the same length")), text("P", p.line("the third of those lines, and"), p.line("then at last the fourth one"))}
			p.line("out")
			return parts
		}, "not believed"},
		"paragraphs with figures": {func(p *tagPage) []*Element {
			return []*Element{text("P", p.line("one and"), p.line("two")), {Type: "Figure", Alt: "A cat"}}
		}, "not believed"},
		"order of the tree": {func(p *tagPage) []*Element {
			right := p.write("right", 300, 10, 0, false)
			return []*Element{text("H2", p.line("left")), text("P", right)}
		}, "<h2>left</h2><p>right</p>"},
		"sections": {func(p *tagPage) []*Element {
			return []*Element{tag("Sect", text("H", p.line("Outer")), tag("Sect", text("H", p.line("Inner")), text("P", p.line("and its text"))))}
		}, "<h1>Outer</h1><h2>Inner</h2><p>and its text</p>"},
		"styles and links": {func(p *tagPage) []*Element {
			a := p.write("see ", 50, 10, 0, false)
			b := p.write("this", 70, 10, 1, false)
			c := p.write("now", 95, 10, 0, true)
			p.Links = []Link{{Box: Box{68, 85, 92, 105}, URI: "https://example.com/"}}
			return []*Element{text("H1", p.line("T")), tag("P", text("Span", a), tag("Link", text("Span", b)), text("Span", c))}
		}, `<h1>T</h1><p>see <a href="https://example.com/"><strong>this</strong></a> now</p>`},
		"raised and lowered": {func(p *tagPage) []*Element {
			phrase := func() (parts []*Element) {
				a := p.write("x", 50, 10, 0, false)
				p.y -= 4
				b := p.write("2", 55, 8, 0, false)
				p.y += 4
				c := p.write("y", 59, 10, 0, false)
				p.y += 2
				d := p.write("1", 64, 8, 0, false)
				p.y -= 2
				e := p.write("z", 68, 10, 0, true)
				return []*Element{
					text("NonStruct", a), tag("NonStruct", text("NonStruct", b)), text("NonStruct", c),
					tag("NonStruct", tag("NonStruct", text("NonStruct", d))), text("NonStruct", e),
				}
			}
			return []*Element{text("H1", p.line("T")), tag("P", phrase()...), tag("NonStruct", phrase()...)}
		}, "<h1>T</h1><p>x<sup>2</sup>y<sub>1</sub>z</p><p>x<sup>2</sup>y<sub>1</sub>z</p>"},
		"blocks without a name": {func(p *tagPage) []*Element {
			return []*Element{text("H1", p.line("T")), tag("NonStruct", text("NonStruct", p.line("one")), tag("NonStruct", text("NonStruct", p.line("two"))))}
		}, "<h1>T</h1><p>one</p><p>two</p>"},
		"hyphens": {func(p *tagPage) []*Element {
			return []*Element{text("H1", p.line("T")), text("P", p.line("hyphen-"), p.line("ated Spring-"), p.line("Summer"))}
		}, "<h1>T</h1><p>hyphenated Spring- Summer</p>"},
		"lists": {func(p *tagPage) []*Element {
			return []*Element{tag("L",
				tag("LI", text("Lbl", p.line("•")), text("LBody", p.line("one"))),
				tag("LI", text("Lbl", p.line("•")), tag("LBody", text("P", p.line("two")), tag("L",
					tag("LI", text("Lbl", p.line("3.")), text("LBody", p.line("inner"))))))),
			}
		}, `<ul><li>one</li><li>two<ol start="3"><li>inner</li></ol></li></ul>`},
		"list in a list": {func(p *tagPage) []*Element {
			return []*Element{tag("L", text("LI", p.line("• one")), tag("L", text("LI", p.line("inner"))))}
		}, "<ul><li>one<ul><li>inner</li></ul></li></ul>"},
		"tables": {func(p *tagPage) []*Element {
			wide := text("TH", p.line("wide"))
			wide.Columns = 2
			return []*Element{tag("Table", tag("THead", tag("TR", text("TH", p.line("a")), wide)),
				tag("TBody", tag("TR", text("TD", p.line("b")), text("TD"), tag("TD", text("P", p.write("c", 50, 10, 2, true))))))}
		}, `<table><tr><th>a</th><th colspan="2">wide</th></tr><tr><td>b</td><td></td><td><em>c</em></td></tr></table>`},
		"frames": {func(p *tagPage) []*Element {
			return []*Element{tag("Table", tag("TR", text("TD", p.line("alone"))), tag("TR", text("TD", p.line("again"))))}
		}, "<p>alone</p><p>again</p>"},
		"figures": {func(p *tagPage) []*Element {
			return []*Element{text("H1", p.line("T")), {Type: "Figure", Alt: "A cat"}, text("Caption", p.line("Below"))}
		}, "<h1>T</h1><p>A cat</p><p>Below</p>"},
		"code": {func(p *tagPage) []*Element {
			return []*Element{text("H1", p.line("T")), text("Code", p.write("if x {", 50, 10, 3, true), p.write("return", 60, 10, 3, true)),
				tag("P", text("Span", p.write("call", 50, 10, 0, false)), text("Code", p.write("f()", 75, 10, 3, true)))}
		}, "<h1>T</h1><pre><code>if x {  return</code></pre><p>call <code>f()</code></p>"},
		"text that stands for another": {func(p *tagPage) []*Element {
			e := text("Span", p.line("@@"))
			e.Actual = "fi"
			return []*Element{text("H1", p.line("T")), tag("P", e)}
		}, "<h1>T</h1><p>fi</p>"},
		"title that is not marked": {func(p *tagPage) []*Element {
			title := p.write("Large", 50, 30, 1, true)
			return []*Element{text("P", title), tag("L", text("LI", p.line("an item"), p.line("of a list")))}
		}, "<h1>Large</h1><ul><li>an item of a list</li></ul>"},
		"bold line where there are no headings": {func(p *tagPage) []*Element {
			return []*Element{text("P", p.write("Bold", 50, 10, 1, true)), tag("L", text("LI", p.line("an item"), p.line("of a list")))}
		}, "<h3>Bold</h3><ul><li>an item of a list</li></ul>"},
		"margins that are not in the tree": {func(p *tagPage) []*Element {
			p.y = 30
			p.line("Page 1")
			p.y = 100
			return []*Element{text("H1", p.line("A long enough heading")), text("P", p.line("and some more text"))}
		}, "<h1>A long enough heading</h1><p>and some more text</p>"},
		"text that is not in the tree": {func(p *tagPage) []*Element {
			p.line("This is not to be lost")
			return []*Element{text("H1", p.line("A long enough heading of the page, longer than the rest of it is")), text("P", p.line("and some more text"))}
		}, "not believed"},
		"only paragraphs": {func(p *tagPage) []*Element {
			return []*Element{text("P", p.line("one")), text("P", p.line("two"))}
		}, "not believed"},
		"all headings": {func(p *tagPage) []*Element {
			return []*Element{text("H1", p.line("one")), text("H1", p.line("two"))}
		}, "not believed"},
		"upwards": {func(p *tagPage) []*Element {
			list := []*Element{text("H1", p.line("one")), text("P", p.line("two")), text("P", p.line("three")), text("P", p.line("four"))}
			list[0], list[1], list[2], list[3] = list[3], list[2], list[1], list[0]
			return list
		}, "not believed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTagPage()
			if got := p.html(test.page(p)...); got != test.want {
				t.Errorf("got\n%s, not\n%s", got, test.want)
			}
		})
	}
}

// What a tree leaves out between its blocks is kept, if it says something.
func TestTaggedRest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ left, want string }{
		{"left out by mistake", "<p>left out by mistake</p>"},
		{"12 13 14", ""},
		{"a label", ""},
		{"D R A F T", ""},
	} {
		p := newTagPage()
		first := text("P", p.line(strings.Repeat("some text ", 30)))
		p.line(test.left)
		if got, want := p.html(text("H1", p.line("Title")), first, text("P", p.line("the end"))), test.want; !strings.Contains(got, "some text") || strings.Contains(got, test.left) != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: %s", test.left, got)
		}
	}
	// A header is above all, and the shadow of a word is no other word.
	p := newTagPage()
	p.line("at the top of every page")
	title := text("H1", p.line("Title"))
	twice := p.line("drawn two times here")
	p.y -= 15
	p.line("drawn two times here")
	got := p.html(title, text("P", twice), text("P", p.line(strings.Repeat("some text ", 60))))
	if strings.Contains(got, "top") || strings.Count(got, "drawn two times here") != 1 {
		t.Error(got)
	}
}

func TestTaggedPlaces(t *testing.T) {
	t.Parallel()
	p := newTagPage()
	p.Root = tag("Document", text("H1", p.line("Title")), text("P", p.line("some text")))
	var kept page
	if ok := tagged(&p.Page, &kept, false); !ok || len(kept.tagged) != 2 {
		t.Fatal(kept.tagged, ok)
	}
	blocks := kept.tagged
	if got, want := blocks[0].Box, [4]float64{50. / 600, 92. / 800, 75. / 600, 102. / 800}; blocks[0].Label != "heading" || !closeTo(got, want) {
		t.Errorf("%s at %v, not %v", blocks[0].Label, got, want)
	}
	if blocks[1].Label != "text" {
		t.Errorf("label %s", blocks[1].Label)
	}
}

func closeTo(a, b [4]float64) bool {
	for i := range a {
		if d := a[i] - b[i]; d > 1e-6 || d < -1e-6 {
			return false
		}
	}
	return true
}

// A browser does not say that a table is one if it takes it for a means of layout.
func TestTaggedGrid(t *testing.T) {
	t.Parallel()
	cell := func(p *tagPage, text string, x float32, down bool) *Element {
		return tag("NonStruct", &Element{Type: "NonStruct", Marks: []int32{p.write(text, x, 10, 0, down)}})
	}
	for name, test := range map[string]struct {
		second float32 // where the second column is in the second row
		table  bool
	}{"columns": {200, true}, "cards": {260, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTagPage()
			title := text("H1", p.line("Title"))
			rows := tag("NonStruct",
				tag("NonStruct", cell(p, "Skill", 50, false), cell(p, "Average", 200, true)),
				tag("NonStruct", cell(p, "Questions", 50, false), cell(p, "9.6", test.second, true)))
			if got := p.html(title, rows); strings.Contains(got, "<table>") != test.table {
				t.Error(got)
			}
		})
	}
}

// Bold lines on a page without headings are no headings if other pages have some.
func TestTaggedHeadingsElsewhere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"H1", "L"} {
		b := NewBuilder()
		first := newTagPage()
		marked := text(name, first.line("Title"))
		if name == "L" {
			marked = tag("L", tag("LI", text("LBody", first.line("one"))))
		}
		first.Root = tag("Document", marked, text("P", first.line("some text")))
		second := newTagPage()
		second.Fonts = []Font{{}, {Bold: true}}
		second.Root = tag("Document", text("P", second.write("Note", 50, 10, 1, true)), text("P", second.line("some text that follows it")))
		b.Add(&first.Page)
		b.Add(&second.Page)
		pages, _ := b.Finish()
		_, heading := pages[1].Blocks[0].Block.(*tree.Heading)
		if want := name == "L"; heading != want {
			t.Errorf("with %s on the first page, a bold line is a heading: %v", name, heading)
		}
	}
}

// Trees of any shape are read or not believed, and nothing else.
func FuzzTagged(f *testing.F) {
	names := []string{"P", "H1", "H", "L", "LI", "Lbl", "LBody", "Table", "TR", "TD", "TH", "THead", "Figure", "Span", "Link", "Code", "Sect", "NonStruct", "Formula", "BlockQuote", "Artifact", "TOC", "Caption"}
	f.Add([]byte("\x01a\x02\x03bcd\xff\x07\x08\x09x\xfe"), "Title and text")
	f.Fuzz(func(_ *testing.T, shape []byte, letters string) {
		p := newTagPage()
		root := tag("Document")
		open := []*Element{root}
		for _, b := range shape[:min(len(shape), 200)] {
			top := open[len(open)-1]
			switch {
			case b == 0xff && len(open) > 1:
				open = open[:len(open)-1]
			case b >= 0x80:
				top.Marks = append(top.Marks, p.write(letters[:min(int(b&0x7f), len(letters))], float32(b), float32(b%16), uint16(b%5), b&1 == 0))
			default:
				e := &Element{Type: names[int(b)%len(names)], Columns: int(b) - 5, Rows: int(b) / 3}
				if b&0x40 != 0 {
					e.Actual, e.Alt = letters, letters
				}
				top.Children = append(top.Children, e)
				open = append(open, e)
			}
		}
		p.html(root)
	})
}
