package docx_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/docx"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	transitional = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	relations    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	names        = ` xmlns:w="` + transitional + `" xmlns:r="` + relations + `"` +
		` xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
		` xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"` +
		` xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"` +
		` xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"` +
		` xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"` +
		` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"` +
		` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
		` xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"` +
		` xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"` +
		` xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"`
)

// styleSheet is what the documents of the tests have for styles.
const styleSheet = `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Subtitle"><w:name w:val="Subtitle"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="My own"/><w:basedOn w:val="H2"/></w:style>
<w:style w:type="paragraph" w:styleId="Local"><w:name w:val="Überschrift 3"/></w:style>
<w:style w:type="paragraph" w:styleId="Body"><w:name w:val="Was a heading"/><w:basedOn w:val="H2"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop2"/></w:style>
<w:style w:type="paragraph" w:styleId="Loop2"><w:name w:val="Loop2"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/><w:rPr><w:i/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Bullets"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Numbered"><w:name w:val="heading 3"/><w:pPr><w:outlineLvl w:val="2"/><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="character" w:styleId="CodeChar"><w:name w:val="Source Code Char"/></w:style>`

// part is a part of a document beside its body.
type part struct{ name, body string }

// pack makes an archive of parts.
func pack(t testing.TB, parts ...part) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		method := zip.Deflate
		if strings.HasSuffix(p.name, ".png") {
			method = zip.Store
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: p.name, Method: method})
		if err == nil {
			_, err = f.Write([]byte(p.body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// document makes a document of a body and other parts.
func document(t testing.TB, body string, parts ...part) []byte {
	t.Helper()
	parts = append([]part{
		{"word/document.xml", "<w:document" + names + "><w:body>" + body + "</w:body></w:document>"},
		{"word/styles.xml", "<w:styles" + names + ">" + styleSheet + "</w:styles>"},
	}, parts...)
	return pack(t, parts...)
}

// rels makes the part with the relations of the body: id, kind, target each.
func rels(list ...string) part {
	s := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i := 0; i+2 < len(list); i += 3 {
		mode := ""
		if strings.Contains(list[i+2], ":") {
			mode = ` TargetMode="External"`
		}
		s += `<Relationship Id="` + list[i] + `" Type="` + relations + "/" + list[i+1] + `" Target="` + list[i+2] + `"` + mode + "/>"
	}
	return part{"word/_rels/document.xml.rels", s + "</Relationships>"}
}

func read(t testing.TB, file []byte) *tree.Document {
	t.Helper()
	doc, err := docx.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// show returns a document as HTML without its frame.
func show(doc *tree.Document) string {
	_, body, _ := strings.Cut(string(tree.Write(doc, 1<<20).HTML), "<body>\n")
	body, _, _ = strings.Cut(body, "</body>")
	return strings.TrimSpace(strings.ReplaceAll(body, "\n", ""))
}

// p makes a paragraph.
func p(style, runs string) string {
	if style != "" {
		runs = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>` + runs
	}
	return "<w:p>" + runs + "</w:p>"
}

// r makes a run with properties.
func r(properties, text string) string {
	return "<w:r><w:rPr>" + properties + `</w:rPr><w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

// test is a body and what becomes of it.
type test struct{ body, want string }

func check(t *testing.T, tests map[string]test, parts ...part) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(read(t, document(t, test.body, parts...))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	check(t, map[string]test{
		"by style":               {p("berschrift1", r("", "One")) + p("H2", r("", "Two")), "<h1>One</h1><h2>Two</h2>"},
		"by base":                {p("Own", r("", "One")), "<h2>One</h2>"},
		"by local name":          {p("Local", r("", "Drei")), "<h3>Drei</h3>"},
		"by an undefined style":  {p("Heading4", r("", "Four")), "<h4>Four</h4>"},
		"by its own level":       {`<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr>` + r("", "Two") + "</w:p>", "<h2>Two</h2>"},
		"below a title":          {p("Title", r("", "T")) + p("Subtitle", r("", "S")) + p("berschrift1", r("", "One")), "<h1>T</h1><p>S</p><h2>One</h2>"},
		"a title in a control":   {p("Title", "<w:sdt><w:sdtContent>"+r("", "T")+"</w:sdtContent></w:sdt>") + p("Title", "") + p("berschrift1", r("", "One")), "<h1>T</h1><h2>One</h2>"},
		"none any more":          {p("Body", r("", "text")), "<p>text</p>"},
		"none by its own level":  {`<w:p><w:pPr><w:pStyle w:val="H2"/><w:outlineLvl w:val="9"/></w:pPr>` + r("", "text") + "</w:p>", "<p>text</p>"},
		"of styles in a circle":  {p("Loop", r("", "text")), "<p>text</p>"},
		"the style is no stress": {p("H2", r("", "One ")+r("<w:i/>", "two")), "<h2>One <em>two</em></h2>"},
		"empty ones are none":    {p("H2", "") + p("H2", r("", " ")) + p("", r("", "text")), "<p>text</p>"},
	})
}

func TestRuns(t *testing.T) {
	t.Parallel()
	check(t, map[string]test{
		"emphasis": {p("", r("<w:b/>", "a")+r("<w:i/>", "b")+r("<w:strike/>", "c")+r(`<w:u w:val="single"/>`, "d")),
			"<p><strong>a</strong><em>b</em><s>c</s><u>d</u></p>"},
		"switched off":         {p("", r(`<w:b w:val="0"/><w:i w:val="false"/><w:u w:val="none"/>`, "a")), "<p>a</p>"},
		"by a style":           {p("", r(`<w:rStyle w:val="Strong"/>`, "a")+r(`<w:rStyle w:val="Strong"/><w:b w:val="0"/>`, "b")), "<p><strong>a</strong>b</p>"},
		"raised":               {p("", r("", "x")+r(`<w:vertAlign w:val="superscript"/>`, "2")+r(`<w:vertAlign w:val="subscript"/>`, "i")), "<p>x<sup>2</sup><sub>i</sub></p>"},
		"hidden":               {p("", r("", "a")+r("<w:vanish/>", "b")+r("", "c")) + p("Secret", r("", "d")), "<p>ac</p>"},
		"breaks":               {p("", "<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:softHyphen/><w:noBreakHyphen/><w:t>d</w:t><w:br/></w:r>"), "<p>a<br>b\tc-d</p>"},
		"code within text":     {p("", r("", "call ")+r(`<w:rFonts w:ascii="Consolas"/>`, "f()")+r(`<w:rStyle w:val="CodeChar"/>`, "g")), "<p>call <code>f()g</code></p>"},
		"symbols":              {p("", `<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>`+r(`<w:rFonts w:ascii="Symbol"/>`, "b\uf0b7")+r("", "\uf0b7")), "<p>α✓→β••</p>"},
		"accepted changes":     {p("", `<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveTo><w:r><w:t>er</w:t></w:r></w:moveTo><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>`), "<p>newer</p>"},
		"a deleted end":        {"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + r("", "one ") + "</w:p>" + p("", r("<w:b/>", "two")), "<p>one <strong>two</strong></p>"},
		"a large first letter": {`<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>` + r("", "O") + "</w:p>" + p("", r("", "nce upon a time")), "<p>Once upon a time</p>"},
		"a deleted end before a table": {"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + r("", "one ") + m("oMathPara", m("oMath", mr("x"))) + "</w:p><w:tbl><w:tr>" + tc("", "a") + tc("", "b") + "</w:tr></w:tbl>",
			`<p>one<math alttext="x"><mtext>x</mtext></math></p><table><tr><th>a</th><th>b</th></tr></table>`},
		"comments":           {p("", r("", "a")+`<w:commentRangeStart w:id="0"/>`+r("", "b")+`<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`), "<p>ab</p>"},
		"enclosing":          {p("", `<w:smartTag><w:r><w:t>a</w:t></w:r></w:smartTag><w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>b</w:t></w:r></w:sdtContent></w:sdt><w:bdo><w:r><w:t>c</w:t></w:r></w:bdo>`), "<p>abc</p>"},
		"ruby":               {p("", `<w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>`), "<p>漢</p>"},
		"alternatives":       {p("", `<w:r><mc:AlternateContent><mc:Choice Requires="zz9"><w:t>a</w:t></mc:Choice><mc:Fallback><w:t>b</w:t></mc:Fallback></mc:AlternateContent></w:r>`), "<p>b</p>"},
		"lines":              {p("", r("", "a")) + p("HorizontalLine", "") + p("", r("", "b")), "<p>a</p><hr><p>b</p>"},
		"quotes":             {p("Quote", r("", "a")) + p("Quote", r("", "b")) + p("", r("", "c")), "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>"},
		"markup in text":     {p("", r("", "&lt;b&gt; &amp; &quot;")), "<p>&lt;b&gt; &amp; &quot;</p>"},
		"controls of blocks": {`<w:sdt><w:sdtContent>` + p("", r("", "a")) + `</w:sdtContent></w:sdt>`, "<p>a</p>"},
	})
}

func TestLinks(t *testing.T) {
	t.Parallel()
	field := func(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }
	instruction := func(s string) string { return `<w:r><w:instrText xml:space="preserve">` + s + `</w:instrText></w:r>` }
	check(t, map[string]test{
		"relation":            {p("", `<w:hyperlink r:id="a">`+r(`<w:u w:val="single"/>`, "go")+"</w:hyperlink>"), `<p><a href="https://example.com/">go</a></p>`},
		"with an anchor":      {p("", `<w:hyperlink r:id="a" w:anchor="x">`+r("", "go")+"</w:hyperlink>"), `<p><a href="https://example.com/#x">go</a></p>`},
		"within":              {p("", `<w:hyperlink w:anchor="there">`+r("", "go")+"</w:hyperlink>"), `<p><a href="#there">go</a></p>`},
		"to a heading":        {p("", `<w:hyperlink w:anchor="_Toc1">`+r("", "go")+r("<w:webHidden/>", "12")+"</w:hyperlink>"), `<p>go</p>`},
		"to a mark of Word's": {p("", `<w:hyperlink r:id="b">`+r("", "go")+"</w:hyperlink>"), `<p>go</p>`},
		"without a place":     {p("", `<w:hyperlink r:id="none">`+r("", "go")+"</w:hyperlink>"), `<p>go</p>`},
		"field": {p("", field("begin")+instruction(` HYPERLINK "https://exam`)+instruction(`ple.org/" \o "tip"`)+field("separate")+r("", "go")+r("<w:b/>", "ne")+field("end")+r("", ".")),
			`<p><a href="https://example.org/">go<strong>ne</strong></a>.</p>`},
		"simple field":  {p("", `<w:fldSimple w:instr="HYPERLINK \l there">`+r("", "go")+"</w:fldSimple>"), `<p><a href="#there">go</a></p>`},
		"nested fields": {p("", field("begin")+instruction(" IF ")+field("begin")+instruction("PAGE")+field("separate")+r("", "1")+field("end")+instruction(" = 1 ")+field("separate")+r("", "yes")+field("end")), "<p>yes</p>"},
		"over paragraphs": {p("", field("begin")+instruction(`TOC \o`)+field("separate")+r("", "One")) + p("", r("", "Two")+field("end")),
			"<p>One</p><p>Two</p>"},
		"without a result":   {p("", r("", "a ")+field("begin")+instruction(`EQ \f(1,2)`)+field("end")), "<p>a 1/2</p>"},
		"an index entry":     {p("", r("", "a")+field("begin")+instruction(`XE "a"`)+field("end")+r("", "b")), "<p>ab</p>"},
		"ends without start": {p("", field("end")+field("separate")+r("", "a")), "<p>a</p>"},
	}, rels("a", "hyperlink", "https://example.com/", "b", "hyperlink", "#_Toc1"))
}

func TestCode(t *testing.T) {
	t.Parallel()
	mono := func(s string) string { return p("", r(`<w:rFonts w:ascii="Courier New"/>`, s)) }
	check(t, map[string]test{
		"by style":                     {p("Code", r("", "if a {")) + p("Code", "") + p("Code", r("", "\t}")), "<pre><code>if a {\t}</code></pre>"},
		"by font":                      {mono("for (;;)") + mono("  x = 1") + p("", r("", "text")), "<pre><code>for (;;)  x = 1</code></pre><p>text</p>"},
		"prose in a typewriter's font": {mono("Dear Sir, this is a letter."), "<p>Dear Sir, this is a letter.</p>"},
	})
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	xml := func(body string) []byte { return pack(t, part{"word/document.xml", body}) }
	tests := map[string]struct {
		file []byte
		want error
	}{
		"nothing":         {nil, tree.ErrDamaged},
		"no document":     {pack(t, part{"a.txt", "a"}), nil},
		"no body":         {xml("<w:document" + names + "/>"), tree.ErrDamaged},
		"a declaration":   {xml(`<!DOCTYPE x [<!ENTITY a "b">]><w:document/>`), tree.ErrDamaged},
		"larger than can": {xml("<w:document>" + strings.Repeat(" ", 4<<20)), tree.ErrTooComplex},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := docx.Read(test.file)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestPartial(t *testing.T) {
	t.Parallel()
	cut := pack(t, part{"word/document.xml", "<w:document" + names + "><w:body>" + p("", r("", "kept")) + "<w:p><w:r><w:t>half"})
	deep := document(t, strings.Repeat("<w:sdt><w:sdtContent>", 200)+p("", r("", "lost"))+strings.Repeat("</w:sdtContent></w:sdt>", 200)+p("", r("", "kept")))
	for name, file := range map[string][]byte{"cut off": cut, "too deep": deep} {
		doc := read(t, file)
		if got := show(doc); !strings.Contains(got, "<p>kept</p>") || len(doc.Warnings) != 1 {
			t.Errorf("%s: %s, %q", name, got, doc.Warnings)
		}
	}
	other := read(t, document(t, `<w:altChunk r:id="a"/>`+p("", r("", "kept"))+`<w:altChunk r:id="b"/>`))
	if len(other.Warnings) != 1 || show(other) != "<p>kept</p>" {
		t.Errorf("included files: %s, %q", show(other), other.Warnings)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	strict := strings.NewReplacer(
		"http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main",
		"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships")
	body := "<w:document" + names + "><w:body>" + p("", `<w:hyperlink r:id="a">`+r("<w:b/>", "text")+"</w:hyperlink>") + "</w:body></w:document>"
	rel := rels("a", "hyperlink", "https://example.com/").body
	top := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="` + relations + `/officeDocument" Target="/story/main.xml"/></Relationships>`
	file := pack(t, part{"_rels/.rels", strict.Replace(top)}, part{"story/main.xml", "\ufeff" + strict.Replace(body)}, part{"story/_rels/main.xml.rels", strict.Replace(rel)})
	if got, want := show(read(t, file)), `<p><a href="https://example.com/"><strong>text</strong></a></p>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	doc := read(t, document(t, p("", r("", "text")),
		part{"docProps/core.xml", `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title> A  title </dc:title><dc:creator>Ann</dc:creator><dc:description>About</dc:description><cp:keywords>a, b</cp:keywords><dcterms:created>2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>`},
		part{"docProps/app.xml", `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Writer</Application></Properties>`}))
	got := doc.Info
	if got.Title != "A title" || got.Author != "Ann" || got.Subject != "About" || got.Keywords != "a, b" || got.Generator != "Writer" || got.Language != "de-DE" || got.Created.Year() != 2024 {
		t.Errorf("got %+v", got)
	}
}
