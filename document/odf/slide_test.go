package odf_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/odf"
	"github.com/trawlhq/trawl/document/tree"
)

// slideStyles are bullets, numbers, and slides that are hidden.
const slideStyles = `<text:list-style style:name="dots"><text:list-level-style-bullet text:level="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>` +
	`<text:list-style style:name="counts"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." text:start-value="4"/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>` +
	`<text:list-style style:name="letters"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>` +
	`<style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>` +
	`<style:style style:name="bold" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>`

// show makes a presentation of pages.
func show(t testing.TB, pages string) []byte {
	return pack(t, parts{"content.xml": content(slideStyles, "<office:presentation>"+pages+"</office:presentation>"), "styles.xml": strings.Replace(named, "{{more}}", "", 1)})
}

func frame(attr, inner string) string { return "<draw:frame " + attr + ">" + inner + "</draw:frame>" }

func textBox(attr, inner string) string {
	return frame(attr, "<draw:text-box>"+inner+"</draw:text-box>")
}

func at(x, y, w, h string) string {
	return ` svg:x="` + x + `" svg:y="` + y + `" svg:width="` + w + `" svg:height="` + h + `"`
}

func p(s string) string { return "<text:p>" + s + "</text:p>" }

func TestPresentation(t *testing.T) {
	t.Parallel()
	list := func(style, inner string) string {
		return `<text:list text:style-name="` + style + `">` + inner + "</text:list>"
	}
	const title, outline = `presentation:class="title"`, `presentation:class="outline"`
	for name, test := range map[string]struct{ page, want string }{
		"a title":       {textBox("", p("a")) + textBox(title, p(`One<text:line-break/><text:span text:style-name="bold">two</text:span>`)), "<h2>One two</h2><p>a</p>"},
		"a title page":  {textBox(title, list("dots", item(p("Deck")))) + textBox(`presentation:class="subtitle"`, p("Sub")), "<h1>Deck</h1><p>Sub</p>"},
		"no title":      {textBox(title+` presentation:placeholder="true"`, "") + textBox("", p("a")), "<p>a</p>"},
		"footers":       {textBox(`presentation:class="footer"`, p("x")) + textBox(`presentation:class="page-number"`, p("7")) + textBox(`presentation:class="date-time"`, p("1/1")), ""},
		"levels":        {textBox(outline, list("dots", item(p("a")))+list("dots", item("<text:list>"+item("<text:list>"+item(p("c"))+"</text:list>")+"</text:list>"))+list("dots", item(p("d")))), "<list><item><p>a</p><list><item><p>c</p></list><item><p>d</p></list>"},
		"numbers":       {textBox(outline, list("counts", item(p("a"))+item(p("b")))+list("letters", item("<text:list>"+item(p("x"))+"</text:list>")+item(p("c")))), "<list><item 4.><p>a</p><item 5.><p>b</p><list><item a)><p>x</p></list><item 6.><p>c</p></list>"},
		"headers":       {textBox(outline, list("dots", "<text:list-header>"+p("a")+"</text:list-header>"+item(p("b")+p("c")))), "<p>a</p><list><item><p>b</p></list><p>c</p>"},
		"places":        {textBox(at("10cm", "5cm", "8cm", "3cm"), p("b")) + textBox(at("1cm", "50mm", "8cm", "3cm"), p("a")) + textBox(at("0cm", "0in", "20cm", "2cm"), p("top")), "<p>top</p><p>a</p><p>b</p>"},
		"a group":       {"<draw:custom-shape" + at("0cm", "9cm", "2cm", "1cm") + ">" + p("c") + "</draw:custom-shape><draw:g><draw:rect" + at("5cm", "0cm", "2cm", "1cm") + ">" + p("b") + "</draw:rect><draw:ellipse" + at("0cm", "0cm", "2cm", "1cm") + ">" + p("a") + "</draw:ellipse></draw:g>", "<p>a</p><p>b</p><p>c</p>"},
		"a turned one":  {`<draw:rect svg:width="1cm" svg:height="1cm" draw:transform="rotate (1.5) translate (2cm 9cm)">` + p("b") + "</draw:rect><draw:rect" + at("5cm", "0cm", "2cm", "1cm") + ">" + p("a") + "</draw:rect>", "<p>a</p><p>b</p>"},
		"a table":       {frame("", `<table:table table:use-first-row-styles="true"><table:table-row><table:table-cell table:number-columns-spanned="2">`+p("a")+`</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell>`+p("b")+"</table:table-cell><table:table-cell>"+p("c")+"</table:table-cell></table:table-row></table:table>"), "<table><tr><th 2x1>a<tr><td>b<td>c</table>"},
		"a picture":     {`<draw:a xlink:href="https://example.com/">` + frame("", `<draw:image xlink:href="https://example.com/a.png"/><svg:title>A dot</svg:title>`) + "</draw:a>", "<p><a https://example.com/>![A dot](https://example.com/a.png)</a></p>"},
		"a formula":     {frame("", `<draw:object><loext:p/><math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:mi>x</math:mi></math:math></draw:object>`), "$$x$$"},
		"notes":         {textBox("", p("a")) + "<presentation:notes><draw:page-thumbnail/>" + textBox(`presentation:class="notes"`, p("Say this.")) + textBox(`presentation:class="page-number"`, p("2")) + "</presentation:notes>", "<p>a</p><quote><p><b>Notes</b></p><p>Say this.</p></quote>"},
		"fields":        {textBox("", p(`a<text:span>b<text:page-number>7</text:page-number></text:span><text:date>1/1</text:date> <text:date text:fixed="true">May 5</text:date>`)), "<p>ab May 5</p>"},
		"on a picture":  {frame("", `<draw:image xlink:href="https://example.com/a.png">`+p("x")+"</draw:image>"), "<p>![](https://example.com/a.png)</p><p>x</p>"},
		"a comment":     {textBox("", p("a")) + `<office:annotation>` + p("no") + "</office:annotation>", "<p>a</p>"},
		"nothing at it": {"", ""},
	} {
		if got := treetest.Show(read(t, show(t, "<draw:page>"+test.page+"</draw:page>"))); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
	two := show(t, `<draw:page>`+textBox("", p("a"))+`</draw:page><draw:page draw:style-name="hidden">`+textBox("", p("b"))+"</draw:page>")
	if got, want := treetest.Show(read(t, two)), "<p>a</p><hr><p><i>Hidden slide</i></p><p>b</p>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzPresentation reads what may be on a slide.
func FuzzPresentation(f *testing.F) {
	f.Add(textBox(`presentation:class="title"`, p("T")) + textBox(at("1cm", "2cm", "3cm", "4cm"), `<text:list text:style-name="counts">`+item(p("a"))+"</text:list>"))
	f.Add("<draw:g>" + textBox("", p("a")) + `</draw:g><presentation:notes>` + textBox(`presentation:class="notes"`, p("b")) + "</presentation:notes>")
	f.Add(frame("", "<table:table><table:table-row><table:table-cell>"+p("b")+"</table:table-cell></table:table-row></table:table>") + frame("", `<draw:object xlink:href="./Object 1"/><draw:image/>`))
	f.Fuzz(func(t *testing.T, page string) {
		if doc, err := odf.Read([]byte("<office:document" + spaces + "><office:automatic-styles>" + slideStyles + "</office:automatic-styles><office:body><office:presentation><draw:page>" + page + "</draw:page></office:presentation></office:body></office:document>")); err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}
