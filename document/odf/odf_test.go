package odf_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/odf"
	"github.com/trawlhq/trawl/document/tree"
)

// spaces declares the namespaces of OpenDocument.
const spaces = ` xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"` +
	` xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"` +
	` xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"` +
	` xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"` +
	` xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"` +
	` xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0" xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"`

// parts are the files of a document.
type parts map[string]string

// pack makes a document of its files.
func pack(t testing.TB, files parts) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// content makes content.xml of automatic styles and a body.
func content(styles, body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><office:document-content` + spaces + `><office:automatic-styles>` + styles +
		`</office:automatic-styles><office:body>` + body + `</office:body></office:document-content>`
}

// named are the styles that every program has.
const named = `<?xml version="1.0"?><office:document-styles` + spaces + `><office:styles>` +
	`<style:default-style style:family="paragraph"><style:text-properties fo:language="de"/></style:default-style>` +
	`<style:style style:name="Standard" style:family="paragraph"/>` +
	`<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Standard"/>` +
	`<style:style style:name="Subtitle" style:family="paragraph" style:parent-style-name="Standard"/>` +
	`<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" style:default-outline-level="1"><style:text-properties fo:font-weight="bold"/></style:style>` +
	`<style:style style:name="Heading" style:family="paragraph"/><style:style style:name="Index_20_Heading" style:family="paragraph" style:parent-style-name="Heading"/>` +
	`<style:style style:name="Quotations" style:family="paragraph"/><style:style style:name="Preformatted_20_Text" style:family="paragraph"/>` +
	`<style:style style:name="Horizontal_20_Line" style:family="paragraph"/>` +
	`<style:style style:name="Strong" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>` +
	`</office:styles>{{more}}</office:document-styles>`

// text makes a document of a text.
func text(t testing.TB, styles, body string) []byte {
	return pack(t, parts{"content.xml": content(styles, "<office:text>"+body+"</office:text>"), "styles.xml": strings.Replace(named, "{{more}}", "", 1)})
}

func read(t *testing.T, file []byte) *tree.Document {
	t.Helper()
	doc, err := odf.Read(file)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return doc
}

// looks are automatic styles, by what they do.
const looks = `<style:style style:name="b" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>` +
	`<style:style style:name="i" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>` +
	`<style:style style:name="s" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>` +
	`<style:style style:name="u" style:family="text"><style:text-properties style:text-underline-style="solid"/></style:style>` +
	`<style:style style:name="sup" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>` +
	`<style:style style:name="sub" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>` +
	`<style:style style:name="code" style:family="text"><style:text-properties style:font-name="Courier New"/></style:style>` +
	`<style:style style:name="light" style:family="text" style:parent-style-name="Strong"><style:text-properties fo:font-weight="normal"/></style:style>` +
	`<style:style style:name="child" style:family="text" style:parent-style-name="b"/>` +
	`<style:style style:name="loop" style:family="text" style:parent-style-name="loop"/>` +
	`<style:style style:name="hidden" style:family="text"><style:text-properties text:display="none"/></style:style>` +
	`<style:style style:name="pb" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:font-weight="700"/></style:style>` +
	`<style:style style:name="ph" style:family="paragraph"><style:text-properties text:display="none"/></style:style>` +
	`<style:style style:name="Titre_20_3" style:display-name="Titre 3" style:family="paragraph"/>` +
	`<style:style style:name="pt" style:family="paragraph" style:parent-style-name="Title"/>`

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{"white space", "<text:p>\n  a  b\n<text:span> c</text:span> </text:p>", "<p>a b c</p>"},
		{"spaces, tabs, breaks", `<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/> d</text:p>`, "<p>a   b\tc<br>d</p>"},
		{"styles", `<text:p><text:span text:style-name="b">b</text:span><text:span text:style-name="i">i</text:span><text:span text:style-name="s">s</text:span>` +
			`<text:span text:style-name="u">u</text:span><text:span text:style-name="sup">p</text:span><text:span text:style-name="sub">q</text:span><text:span text:style-name="code">c</text:span></text:p>`,
			"<p><b>b</b><i>i</i><s>s</s><u>u</u><sup>p</sup><sub>q</sub><code>c</code></p>"},
		{"styles of parents", `<text:p><text:span text:style-name="Strong">a</text:span><text:span text:style-name="child">b</text:span>` +
			`<text:span text:style-name="light">c</text:span><text:span text:style-name="loop">d</text:span></text:p>`, "<p><b>ab</b>cd</p>"},
		{"bold paragraph", `<text:p text:style-name="pb">a<text:span text:style-name="light">b</text:span></text:p>`, "<p><b>a</b>b</p>"},
		{"hidden", `<text:p>a<text:span text:style-name="hidden">x</text:span>b<text:hidden-text text:is-hidden="true" text:string-value="y"/></text:p>` +
			`<text:p text:style-name="ph">z</text:p><text:p>w<text:hidden-paragraph text:is-hidden="true"/></text:p>` +
			`<text:section text:display="none"><text:p>v</text:p></text:section>`, "<p>ab</p>"},
		{"headings", `<text:h text:outline-level="2">A</text:h><text:p text:style-name="Heading_20_1">B</text:p><text:p>c</text:p><text:p text:style-name="Titre_20_3">D</text:p>` +
			`<text:p text:style-name="Heading">E</text:p><text:p text:style-name="Index_20_Heading">f</text:p>`, "<h2>A</h2><h1>B</h1><p>c</p><h3>D</h3><h1>E</h1><p>f</p>"},
		{"below the title", `<text:p text:style-name="pt">T</text:p><text:p text:style-name="Subtitle">S</text:p><text:h text:outline-level="1">A</text:h>`,
			"<h1>T</h1><h2>S</h2><h2>A</h2>"},
		{"bold in headings", `<text:h text:style-name="Heading_20_1" text:outline-level="1"><text:span text:style-name="b">A</text:span></text:h>`, "<h1>A</h1>"},
		{"links", `<text:p>see <text:a xlink:href="https://example.com/"><text:span text:style-name="u">here</text:span></text:a> and <text:a xlink:href="#Part one|outline">there</text:a></text:p>`,
			"<p>see <a https://example.com/>here</a> and <a #Part%20one>there</a></p>"},
		{"notes", `<text:p>a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>N</text:p></text:note-body></text:note>b</text:p>`,
			"<p>a[1]b</p>[1]: <p>N</p>"},
		{"comments and changes", `<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>` +
			`<text:p>a<text:change text:change-id="1"/><office:annotation><text:p>c</text:p></office:annotation>b<text:change-start/>new<text:change-end/></text:p>`, "<p>abnew</p>"},
		{"fields", `<text:p>Page <text:page-number>3</text:page-number>, <text:date>today</text:date> <text:bookmark-ref>2.1</text:bookmark-ref><text:toc-mark text:string-value="x"/></text:p>`,
			"<p>Page 3, today 2.1</p>"},
		{"ruby", `<text:p><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby></text:p>`, "<p>漢</p>"},
		{"sections and indexes", `<text:section><text:p>a</text:p></text:section><text:table-of-content><text:table-of-content-source><text:index-title-template>no</text:index-title-template></text:table-of-content-source>` +
			`<text:index-body><text:index-title><text:p>Contents</text:p></text:index-title><text:p>One<text:tab/>1</text:p></text:index-body></text:table-of-content>`,
			"<p>a</p><p>Contents</p><p>One\t1</p>"},
		{"code", `<text:p text:style-name="Preformatted_20_Text">a<text:s text:c="2"/>b</text:p><text:p text:style-name="Preformatted_20_Text">c</text:p><text:p>d</text:p>`,
			"<pre>a  b\nc\n</pre><p>d</p>"},
		{"quotes and rules", `<text:p text:style-name="Quotations">a</text:p><text:p text:style-name="Quotations">b</text:p><text:p text:style-name="Horizontal_20_Line"/>`,
			"<quote><p>a</p><p>b</p></quote><hr>"},
		{"text boxes", `<text:p>a<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame>b</text:p><text:p><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></text:p>`,
			"<p>ab</p><p>box</p><p>shape</p>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := treetest.Show(read(t, text(t, looks, test.body))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// numbered are styles of lists: numbers, letters below, and bullets.
const numbered = `<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1" text:start-value="3"/>` +
	`<text:list-level-style-number text:level="2" style:num-prefix="(" style:num-suffix=")" style:num-format="a"/>` +
	`<text:list-level-style-number text:level="3" style:num-format="I" text:display-levels="3"/></text:list-style>` +
	`<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/><text:list-level-style-bullet text:level="2" text:bullet-char="-"/></text:list-style>`

func item(body string) string { return "<text:list-item>" + body + "</text:list-item>" }

func TestLists(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{"numbers", `<text:list text:style-name="L1">` + item("<text:p>a</text:p>") + item("<text:p>b</text:p><text:p>more</text:p>") + `</text:list>`,
			"<list><item 3.><p>a</p><item 4.><p>b</p><p>more</p></list>"},
		{"nested", `<text:list text:style-name="L1">` + item("<text:p>a</text:p><text:list>"+item("<text:p>b</text:p><text:list>"+item("<text:p>c</text:p>")+"</text:list>")+"</text:list>") + item("<text:p>d</text:p>") + `</text:list>`,
			"<list><item 3.><p>a</p><list><item (a)><p>b</p><list><item 3.a.I><p>c</p></list></list><item 4.><p>d</p></list>"},
		{"begins anew", `<text:list text:style-name="L1">` + item("<text:p>a</text:p>") + `</text:list><text:p>x</text:p><text:list text:style-name="L1">` + item("<text:p>b</text:p>") + `</text:list>`,
			"<list><item 3.><p>a</p></list><p>x</p><list><item 3.><p>b</p></list>"},
		{"goes on", `<text:list text:style-name="L1">` + item("<text:p>a</text:p>") + `</text:list><text:p>x</text:p><text:list text:style-name="L1" text:continue-numbering="true">` + item("<text:p>b</text:p>") + `</text:list>`,
			"<list><item 3.><p>a</p></list><p>x</p><list><item 4.><p>b</p></list>"},
		{"goes on by name", `<text:list xml:id="l" text:style-name="L1">` + item("<text:p>a</text:p>") + `</text:list><text:list text:style-name="L2">` + item("<text:p>x</text:p>") +
			`</text:list><text:p>y</text:p><text:list text:continue-list="l" text:style-name="L1">` + item("<text:p>b</text:p>") + `</text:list>`,
			"<list><item 3.><p>a</p></list><list><item><p>x</p></list><p>y</p><list><item 4.><p>b</p></list>"},
		{"start of an item", `<text:list text:style-name="L1"><text:list-item text:start-value="9"><text:p>a</text:p></text:list-item>` + item("<text:p>b</text:p>") + `</text:list>`,
			"<list><item 9.><p>a</p><item 10.><p>b</p></list>"},
		{"header of a list", `<text:list text:style-name="L2"><text:list-header><text:p>h</text:p></text:list-header>` + item("<text:p>a</text:p>") + `</text:list>`,
			"<p>h</p><list><item><p>a</p></list>"},
		{"one below another", `<text:list text:style-name="L1">` + item("<text:p>a</text:p>") + `</text:list><text:list text:style-name="L2">` + item("<text:list>"+item("<text:p>b</text:p>")+"</text:list>") + `</text:list>`,
			"<list><item 3.><p>a</p><list><item><p>b</p></list></list>"},
		{"begins deep", `<text:list text:style-name="L2">` + item("<text:list>"+item("<text:p>b</text:p>")+"</text:list>") + item("<text:p>c</text:p>") + `</text:list>`,
			"<list><item><p>b</p><item><p>c</p></list>"},
		{"headings in lists", `<text:list text:style-name="L1">` + item(`<text:h text:outline-level="1">A</text:h>`) + `</text:list><text:p>x</text:p>`, "<h1>3. A</h1><p>x</p>"},
		{"paragraphs with numbers", `<text:numbered-paragraph text:list-id="n" text:style-name="L1"><text:p>a</text:p></text:numbered-paragraph><text:numbered-paragraph text:list-id="n" text:style-name="L1"><text:p>b</text:p></text:numbered-paragraph>`,
			"<list><item 3.><p>a</p></list><list><item 4.><p>b</p></list>"},
		{"boxes", `<text:p>☐ a</text:p><text:p>☒ b</text:p><text:p>☐ yes ☐ no</text:p><text:p>☐</text:p><text:list text:style-name="L2">` + item("<text:p>☑ c</text:p>") + `</text:list>`,
			"<list><item [ ]><p>a</p><item [x]><p>b</p></list><p>☐ yes ☐ no</p><p>☐</p><list><item [x]><p>c</p></list>"},
		{"empty", `<text:list text:style-name="L1">` + item("") + item("<text:p/>") + `</text:list>`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := treetest.Show(read(t, text(t, numbered, test.body))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestNumberedHeadings(t *testing.T) {
	t.Parallel()
	styles := strings.Replace(named, "</office:styles>", `<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>`+
		`<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>`, 1)
	body := `<office:text><text:h text:outline-level="1">A</text:h><text:h text:outline-level="2">B</text:h><text:h text:outline-level="2">C</text:h>` +
		`<text:h text:outline-level="1" text:is-list-header="true">X</text:h><text:h text:outline-level="1">D</text:h><text:h text:outline-level="2">E</text:h></office:text>`
	doc := read(t, pack(t, parts{"content.xml": content("", body), "styles.xml": strings.Replace(styles, "{{more}}", "", 1)}))
	if got, want := treetest.Show(doc), "<h1>1 A</h1><h2>1.1 B</h2><h2>1.2 C</h2><h1>X</h1><h1>2 D</h1><h2>2.1 E</h2>"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	cell := func(s string) string { return "<table:table-cell><text:p>" + s + "</text:p></table:table-cell>" }
	for _, test := range []struct{ name, rows, want string }{
		{"header rows", "<table:table-header-rows><table:table-row>" + cell("a") + "</table:table-row></table:table-header-rows><table:table-rows><table:table-row>" + cell("b") + "</table:table-row></table:table-rows>",
			"<table><tr><th>a<tr><td>b</table>"},
		{"spans", `<table:table-row><table:table-cell table:number-columns-spanned="2" table:number-rows-spanned="2"><text:p>a</text:p></table:table-cell><table:covered-table-cell/>` + cell("b") +
			`</table:table-row><table:table-row><table:covered-table-cell table:number-columns-repeated="2"/>` + cell("c") + "</table:table-row>",
			"<table><tr><td 2x2>a<td>b<tr><td>c</table>"},
		{"repeated", `<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell></table:table-row>`,
			"<table><tr><td>a<td>a<tr><td>a<td>a</table>"},
		{"nested and rich", "<table:table-row><table:table-cell><text:p>x</text:p><table:table><table:table-row>" + cell("y") + "</table:table-row></table:table></table:table-cell></table:table-row>",
			"<table><tr><td><p>x</p><table><tr><td>y</table></table>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := treetest.Show(read(t, text(t, "", "<table:table>"+test.rows+"</table:table>"))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

const png = "\x89PNG\r\n\x1a\n"

func TestPictures(t *testing.T) {
	t.Parallel()
	frame := func(inner string) string {
		return `<text:p>a<draw:frame text:anchor-type="as-char">` + inner + `</draw:frame></text:p>`
	}
	for _, test := range []struct{ name, body, want string }{
		{"embedded", frame(`<draw:image xlink:href="Pictures/a.png"/><svg:title>A dog</svg:title>`), "<p>a![A dog](data:image/png;base64,iVBORw0KGgo=)</p>"},
		{"first that can be shown", frame(`<draw:image xlink:href="Pictures/a.wmf"/><draw:image xlink:href="./Pictures/a.png"/>`), "<p>a![](data:image/png;base64,iVBORw0KGgo=)</p>"},
		{"elsewhere", frame(`<draw:image xlink:href="https://example.com/a.png"/>`), "<p>a![](https://example.com/a.png)</p>"},
		{"missing", frame(`<draw:image xlink:href="Pictures/no.png"/><svg:desc>Gone</svg:desc>`), "<p>a![Gone]()</p>"},
		{"beside the text", `<text:p><draw:frame text:anchor-type="paragraph"><draw:image xlink:href="Pictures/a.png"/></draw:frame>a</text:p>`, "<p>![](data:image/png;base64,iVBORw0KGgo=)</p><p>a</p>"},
		{"with a link", `<text:p><draw:a xlink:href="https://example.com/"><draw:frame text:anchor-type="as-char"><draw:image xlink:href="Pictures/a.png"/></draw:frame></draw:a></text:p>`,
			"<p><a https://example.com/>![](data:image/png;base64,iVBORw0KGgo=)</a></p>"},
		{"too large", frame(`<draw:image xlink:href="Pictures/large.png"/><svg:title>Large</svg:title>`), "<p>a![Large]()</p>"},
		{"formula", `<text:p>So <draw:frame text:anchor-type="as-char"><draw:object xlink:href="./Object 1"/><draw:image xlink:href="Pictures/a.png"/></draw:frame> it is</text:p>`,
			`<p>So $E=mc^{2}$ it is</p>`},
		{"chart", `<text:p><draw:frame><draw:object xlink:href="./Object 2"/></draw:frame></text:p>`, "<p>Bar chart</p><table><tr><th>x<th>y<tr><td>1<td>2</table>"},
		{"itself", `<text:p>a<draw:frame><draw:object xlink:href="."/></draw:frame></text:p>`, "<p>a</p>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := pack(t, parts{
				"content.xml": content("", "<office:text>"+test.body+"</office:text>"), "Pictures/a.png": png, "Pictures/a.wmf": "wmf",
				"Pictures/large.png":   png + string(noise(1<<20)),
				"Object 1/content.xml": `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding="StarMath 5.0">E = m c^2</annotation></semantics></math>`,
				"Object 2/content.xml": content("", `<office:chart><chart:chart chart:class="chart:bar"><table:table><table:table-header-rows><table:table-row><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>`+
					`<table:table-cell office:value-type="string"><text:p>y</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell office:value-type="float" office:value="1"/>`+
					`<table:table-cell office:value-type="float" office:value="2"/></table:table-row></table:table></chart:chart></office:chart>`),
			})
			if got := treetest.Show(read(t, file)); got != test.want {
				t.Errorf("got  %.300s\nwant %s", got, test.want)
			}
		})
	}
}

// noise returns bytes that do not pack well.
func noise(n int) []byte {
	out, x := make([]byte, n), uint32(1)
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = byte(x >> 24)
	}
	return out
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	styles := strings.Replace(named, "{{more}}", `<office:automatic-styles><style:style style:name="P1" style:family="paragraph"><style:text-properties fo:font-style="italic"/></style:style></office:automatic-styles>`+
		`<office:master-styles><style:master-page style:name="Standard"><style:header><text:p text:style-name="P1">Top</text:p></style:header><style:header-first><text:p>First</text:p></style:header-first>`+
		`<style:footer><text:p><text:page-number>1</text:page-number></text:p></style:footer></style:master-page>`+
		`<style:master-page style:name="Other"><style:header><text:p>Unused</text:p></style:header></style:master-page></office:master-styles>`, 1)
	doc := read(t, pack(t, parts{"content.xml": content("", "<office:text><text:p>a</text:p></office:text>"), "styles.xml": styles}))
	if got, want := treetest.Show(doc), "<header><p>First</p></header><header><p><i>Top</i></p></header><p>a</p>"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	file := pack(t, parts{
		"content.xml": content("", "<office:text/>"), "styles.xml": strings.Replace(named, "{{more}}", "", 1),
		"meta.xml": `<office:document-meta` + spaces + `><office:meta><dc:title>T</dc:title><dc:creator>Second</dc:creator><meta:initial-creator>First</meta:initial-creator><dc:subject>S</dc:subject>` +
			`<meta:keyword>a</meta:keyword><meta:keyword>b</meta:keyword><meta:generator>Writer</meta:generator><meta:creation-date>2020-01-02T03:04:05.678</meta:creation-date><dc:date>2021-01-02T03:04:05Z</dc:date></office:meta></office:document-meta>`,
	})
	want := tree.Info{
		Title: "T", Author: "First", Subject: "S", Keywords: "a, b", Language: "de", Generator: "Writer",
		Created: time.Date(2020, 1, 2, 3, 4, 5, 678000000, time.UTC), Modified: time.Date(2021, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	if got := read(t, file).Info; got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSpreadsheet(t *testing.T) {
	t.Parallel()
	text := func(s string) string {
		return `<table:table-cell office:value-type="string"><text:p>` + s + `</text:p></table:table-cell>`
	}
	for _, test := range []struct{ name, sheets, want string }{
		{"values as shown", `<table:table table:name="One"><table:table-column/><table:table-row>` + text("Name") + text("Sum") + `</table:table-row><table:table-row>` + text("a") +
			`<table:table-cell office:value-type="float" office:value="1234.5"><text:p>1,234.50</text:p></table:table-cell></table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td>Name<td>Sum<tr><td>a<td>1,234.50</table>"},
		{"values as they are", `<table:table table:name="One"><table:table-row><table:table-cell office:value-type="float" office:value="1.5"/><table:table-cell office:value-type="date" office:date-value="2020-01-02"/>` +
			`<table:table-cell office:value-type="boolean" office:boolean-value="true"/><table:table-cell office:value-type="string" office:string-value="x"/></table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td>1.5<td>2020-01-02<td>TRUE<td>x</table>"},
		{"empty rows and columns", `<table:table table:name="One"><table:table-row table:number-rows-repeated="4"><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row>` + text("a") +
			`<table:table-cell table:number-columns-repeated="5"/>` + text("b") + `<table:table-cell table:number-columns-repeated="16377"/></table:table-row>` +
			`<table:table-row table:number-rows-repeated="1048571"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td>a<td>b</table>"},
		{"merged", `<table:table table:name="One"><table:table-row><table:table-cell table:number-columns-spanned="3" table:number-rows-spanned="2" office:value-type="string"><text:p>a</text:p></table:table-cell>` +
			`<table:covered-table-cell table:number-columns-repeated="2"/>` + text("b") + `</table:table-row><table:table-row><table:covered-table-cell table:number-columns-repeated="3"/>` + text("c") +
			`</table:table-row><table:table-row>` + text("d") + text("e") + `</table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td 2x2>a<td>b<tr><td>c<tr><td>d<td>e<td></table>"},
		{"repeated", `<table:table table:name="One"><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td>x<td>x<td>x<tr><td>x<td>x<td>x</table>"},
		{"lines, links, comments", `<table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>c</text:p></office:annotation><text:p>a</text:p>` +
			`<text:p><text:a xlink:href="https://example.com/">b</text:a></text:p></table:table-cell></table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td><p>a<br><a https://example.com/>b</a></p></table>"},
		{"two tables", `<table:table table:name="One"><table:table-row>` + text("a") + `</table:table-row><table:table-row/><table:table-row>` + text("b") + text("c") + `</table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td>a</table><table><tr><td>b<td>c</table>"},
		{"an empty row within", `<table:table table:name="One"><table:table-row>` + text("a") + `</table:table-row><table:table-row table:number-rows-repeated="2"/><table:table-row>` +
			`<table:table-cell office:value-type="float" office:value="7"/></table:table-row></table:table>`,
			"<h2>One</h2><table><tr><td>a<tr><td>7</table>"},
		{"hidden sheet", `<table:table table:name="One" table:style-name="h"><table:table-row>` + text("a") + `</table:table-row></table:table><table:table table:name="Two" table:style-name="v"/>`, "<h2>One (hidden)</h2><table><tr><td>a</table><h2>Two</h2>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			styles := `<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style><style:style style:name="v" style:family="table"><style:table-properties table:display="true"/></style:style>`
			file := pack(t, parts{"content.xml": content(styles, "<office:spreadsheet>"+test.sheets+"</office:spreadsheet>")})
			if got := treetest.Show(read(t, file)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// A small file may stand for many cells: those that cannot be held are left out.
func TestManyCells(t *testing.T) {
	t.Parallel()
	file := pack(t, parts{"content.xml": content("", `<office:spreadsheet><table:table table:name="One"><table:table-row table:number-rows-repeated="1048576">`+
		`<table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`)})
	doc := read(t, file)
	if len(doc.Warnings) != 1 || len(doc.Body) != 2 {
		t.Errorf("got %d blocks and %q", len(doc.Body), doc.Warnings)
	}
}

func TestFlat(t *testing.T) {
	t.Parallel()
	doc := read(t, []byte(`<?xml version="1.0" encoding="UTF-8"?><office:document`+spaces+`><office:meta><dc:title>T</dc:title></office:meta><office:automatic-styles>`+looks+`</office:automatic-styles>`+
		`<office:body><office:text><text:p>a<text:span text:style-name="b">b</text:span><draw:frame text:anchor-type="as-char"><draw:image><office:binary-data>iVBO Rw0K
Ggo=</office:binary-data></draw:image></draw:frame></text:p></office:text></office:body></office:document>`))
	if got, want := treetest.Show(doc), "<p>a<b>b</b>![](data:image/png;base64,iVBORw0KGgo=)</p>"; got != want || doc.Title != "T" {
		t.Errorf("got  %s, %q\nwant %s", got, doc.Title, want)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	entry := `<manifest:manifest` + spaces + `><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`
	for _, test := range []struct {
		name string
		file []byte
		want error
	}{
		{"empty", nil, tree.ErrDamaged},
		{"no xml", []byte("Hello"), tree.ErrDamaged},
		{"another xml", []byte("<html/>"), tree.ErrDamaged},
		{"cut archive", text(t, "", "<text:p>a</text:p>")[:100], tree.ErrDamaged},
		{"no content", pack(t, parts{"mimetype": "application/vnd.oasis.opendocument.text"}), tree.ErrDamaged},
		{"a drawing", pack(t, parts{"content.xml": content("", "<office:drawing/>")}), tree.ErrDamaged},
		{"encrypted", pack(t, parts{"content.xml": "\x00\x01\x02", "META-INF/manifest.xml": entry}), tree.ErrEncrypted},
		{"encrypted as a whole", pack(t, parts{"encrypted-package": "\x00", "META-INF/manifest.xml": entry}), tree.ErrEncrypted},
	} {
		if _, err := odf.Read(test.file); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}

// A text that ends in the middle gives what there is of it, and says so.
func TestCut(t *testing.T) {
	t.Parallel()
	whole := content("", "<office:text><text:p>a</text:p><text:p>b</text:p></office:text>")
	doc := read(t, pack(t, parts{"content.xml": whole[:strings.Index(whole, "<text:p>b")]}))
	if got := treetest.Show(doc); got != "<p>a</p>" || len(doc.Warnings) != 1 {
		t.Errorf("got %s and %q", got, doc.Warnings)
	}
}

func FuzzFlat(f *testing.F) {
	f.Add("text", `<text:list text:style-name="L1">`+item("<text:p>a</text:p><text:list>"+item("<text:h>b</text:h>")+"</text:list>")+`</text:list><text:p text:style-name="pb"/>`)
	f.Add("text", `<table:table><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-spanned="3"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`)
	f.Add("text", `<text:p><draw:frame><draw:object><math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi></mfrac><munderover/><mfenced open="["/></math></draw:object></draw:frame></text:p>`)
	f.Add("spreadsheet", `<table:table><table:table-row><table:table-cell table:number-columns-repeated="9" table:number-rows-spanned="3"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`)
	f.Fuzz(func(t *testing.T, kind, body string) {
		if len(body) > 1<<16 {
			return
		}
		file := `<office:document` + spaces + `><office:automatic-styles>` + looks + numbered + `</office:automatic-styles><office:body><office:` + kind + ">" + body +
			"</office:" + kind + "></office:body></office:document>"
		doc, err := odf.Read([]byte(file))
		if err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(text(f, looks, "<text:p>a</text:p>"))
	f.Fuzz(func(t *testing.T, file []byte) {
		doc, err := odf.Read(file)
		if err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

func TestCorpus(t *testing.T) {
	for name, file := range treetest.Corpus(t, "*/*.od[ts]") {
		if doc, err := odf.Read(file); err != nil || len(doc.Body) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
