package slides_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/slides"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	names     = ` xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="` + relations + `"` +
		` xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
		` xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"` +
		` xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"` +
		` xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"` +
		` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"` +
		` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
		` xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"`
)

// part is a part of a presentation.
type part struct{ name, body string }

// pack makes an archive of parts.
func pack(t testing.TB, parts ...part) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		f, err := w.CreateHeader(&zip.FileHeader{Name: p.name, Method: zip.Store}) // as some are large and alike
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

// rels makes the relations of a part: id, kind, target each.
func rels(of string, list ...string) part {
	s := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i := 0; i+2 < len(list); i += 3 {
		mode := ""
		if strings.Contains(list[i+2], ":") {
			mode = ` TargetMode="External"`
		}
		s += `<Relationship Id="` + list[i] + `" Type="` + relations + "/" + list[i+1] + `" Target="` + list[i+2] + `"` + mode + "/>"
	}
	dir, file := "", of
	if i := strings.LastIndex(of, "/"); i >= 0 {
		dir, file = of[:i+1], of[i+1:]
	}
	return part{dir + "_rels/" + file + ".rels", s + "</Relationships>"}
}

// The layout has places for a title, two bodies and a picture; the master has bullets for
// bodies.
var template = []part{
	{"ppt/slideLayouts/layout1.xml", "<p:sldLayout" + names + "><p:cSld><p:spTree>" +
		sp(`<p:ph type="title"/>`, box(0, 0, 100, 10), p("", "Click to edit")) +
		sp(`<p:ph idx="1"/>`, box(0, 20, 45, 60), p("", "Click to edit")) +
		sp(`<p:ph type="body" idx="2"/>`, box(50, 20, 45, 60), "<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>") +
		sp("", box(0, 90, 100, 10), p("", "The logo of the layout")) +
		"</p:spTree></p:cSld></p:sldLayout>"},
	rels("ppt/slideLayouts/layout1.xml", "m", "slideMaster", "../slideMasters/master1.xml"),
	{"ppt/slideMasters/master1.xml", "<p:sldMaster" + names + "><p:cSld><p:spTree>" +
		sp(`<p:ph type="body"/>`, box(0, 20, 100, 60), "") +
		"</p:spTree></p:cSld><p:txStyles><p:titleStyle/><p:bodyStyle>" +
		`<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr>` +
		`<a:lvl3pPr><a:buAutoNum type="romanLcParenBoth"/></a:lvl3pPr></p:bodyStyle></p:txStyles></p:sldMaster>`},
}

// show is a presentation of slides, each of which is what is in its tree of shapes, and
// parts that the slides refer to.
func show(t testing.TB, trees []string, parts ...part) []byte {
	t.Helper()
	list, links := "", []string{}
	for i, tree := range trees {
		id := fmt.Sprintf("s%d", i+1)
		list += `<p:sldId id="1" r:id="` + id + `"/>`
		links = append(links, id, "slide", "slides/slide"+id+".xml")
		attr := ""
		if rest, ok := strings.CutPrefix(tree, "hidden:"); ok {
			attr, tree = ` show="0"`, rest
		}
		parts = append(parts,
			part{"ppt/slides/slide" + id + ".xml", "<p:sld" + names + attr + "><p:cSld><p:spTree>" + tree + "</p:spTree></p:cSld></p:sld>"},
			rels("ppt/slides/slide"+id+".xml", "layout", "slideLayout", "../slideLayouts/layout1.xml", "notes", "notesSlide", "../notes/notes"+id+".xml",
				"web", "hyperlink", "https://example.com/", "png", "image", "../media/a.png", "emf", "image", "../media/a.emf",
				"chart", "chart", "../charts/a.xml", "new", "chartEx", "../charts/b.xml", "data", "diagramData", "../diagrams/a.xml"))
	}
	parts = append(parts,
		part{"ppt/presentation.xml", "<p:presentation" + names + "><p:sldIdLst>" + list + "</p:sldIdLst></p:presentation>"},
		rels("ppt/presentation.xml", links...))
	return pack(t, append(parts, template...)...)
}

// sp makes a shape of what says that it is a placeholder, its properties and its text.
func sp(ph, xfrm, text string) string {
	return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>` + ph + "</p:nvPr></p:nvSpPr><p:spPr>" + xfrm + "</p:spPr><p:txBody>" + text + "</p:txBody></p:sp>"
}

func box(x, y, w, h int) string {
	return fmt.Sprintf(`<a:xfrm><a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/></a:xfrm>`, x, y, w, h)
}

// p makes a paragraph of properties and a text.
func p(pPr, text string) string { return "<a:p>" + pPr + r("", text) + "</a:p>" }

func r(rPr, text string) string { return "<a:r>" + rPr + "<a:t>" + text + "</a:t></a:r>" }

func level(n int) string { return fmt.Sprintf(`<a:pPr lvl="%d"/>`, n) }

func title(text string) string { return sp(`<p:ph type="title"/>`, "", p("", text)) }

func body(text string) string { return sp(`<p:ph idx="1"/>`, "", text) }

func frame(graphic string) string {
	return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="x" descr="What it shows"/><p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData>` + graphic +
		"</a:graphicData></a:graphic></p:graphicFrame>"
}

func read(t testing.TB, file []byte) *tree.Document {
	t.Helper()
	doc, err := slides.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// html returns a document as HTML without its frame.
func html(doc *tree.Document) string {
	_, body, _ := strings.Cut(string(tree.Write(doc, 1<<20).HTML), "<body>\n")
	body, _, _ = strings.Cut(body, "</body>")
	return strings.TrimSpace(strings.ReplaceAll(body, "\n", ""))
}

func TestShapes(t *testing.T) {
	t.Parallel()
	const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
	const base = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA="
	parts := []part{
		{"ppt/media/a.png", pixel}, {"ppt/media/a.emf", "\x01\x00\x00\x00l\x00\x00\x00"},
		{"ppt/charts/a.xml", "<c:chartSpace" + names + "><c:chart><c:title><c:tx><c:rich>" + p("", "Sales") + `</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>North</c:v></c:tx>` +
			`<c:cat><c:strLit><c:pt idx="0"><c:v>May</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>4</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`},
		{"ppt/charts/b.xml", "<cx:chartSpace" + names + `><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Rent</cx:pt></cx:lvl></cx:strDim>` +
			`<cx:numDim type="val"><cx:lvl><cx:pt idx="0">7.10</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Cost</cx:v></cx:txData></cx:tx>` +
			`<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`},
		{"ppt/diagrams/a.xml", "<dgm:dataModel" + names + `><dgm:ptLst><dgm:pt modelId="0" type="doc"/>` + pt("2", "Do") + pt("3", "Test") + pt("1", "Plan") + `<dgm:pt modelId="9" type="sibTrans"><dgm:t>` + p("", "→") + `</dgm:t></dgm:pt></dgm:ptLst>` +
			`<dgm:cxnLst><dgm:cxn srcId="0" destId="2" srcOrd="1"/><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="2" destId="3" srcOrd="0"/><dgm:cxn type="presOf" srcId="3" destId="1"/></dgm:cxnLst></dgm:dataModel>`},
	}
	for name, test := range map[string]struct{ tree, want string }{
		"a title":                {title("One<!-- -->"), "<h2>One</h2>"},
		"a title in bold lines":  {sp(`<p:ph type="title"/>`, "", "<a:p>"+r(`<a:rPr b="1"/>`, "One")+"<a:br/>"+r(`<a:rPr b="1"/>`, "two")+"</a:p>"+p("", "three")), "<h2>One two three</h2>"},
		"a title comes first":    {body(p("", "a")) + title("T"), "<h2>T</h2><ul><li>a</li></ul>"},
		"no title":               {body(p("", "a")), "<ul><li>a</li></ul>"},
		"a title page":           {sp(`<p:ph type="ctrTitle"/>`, "", p("", "Deck")) + sp(`<p:ph type="subTitle" idx="2"/>`, "", p("", "Sub")), "<h1>Deck</h1><p>Sub</p>"},
		"levels":                 {body(p("", "a") + p(level(1), "b") + p(level(2), "c") + p(level(2), "d") + p("", "e")), "<ul><li>a<ul><li>b<ul><li>(i) c</li><li>(ii) d</li></ul></li></ul></li><li>e</li></ul>"},
		"no bullets by layout":   {sp(`<p:ph type="body" idx="2"/>`, "", p("", "a")+p(level(1), "b")), "<p>a</p><ul><li>b</li></ul>"},
		"no bullets by itself":   {body(p("<a:pPr><a:buNone/></a:pPr>", "a") + p("", "b")), "<p>a</p><ul><li>b</li></ul>"},
		"bullets of the shape":   {sp("", "", `<a:lstStyle><a:lvl1pPr><a:buChar char="-"/></a:lvl1pPr></a:lstStyle>`+p("", "a")), "<ul><li>a</li></ul>"},
		"a line within an item":  {body(p("", "a") + p(`<a:pPr lvl="1"><a:buNone/></a:pPr>`, "b") + p("", "c")), "<ul><li>a<p>b</p></li><li>c</li></ul>"},
		"numbers":                {body(number("arabicPeriod", 3, "a") + p(level(1), "x") + number("arabicPeriod", 3, "b") + p("", "y") + number("arabicPeriod", 3, "c")), `<ol start="3"><li>a<ul><li>x</li></ul></li><li>b</li></ol><ul><li>y</li></ul><ol start="3"><li>c</li></ol>`},
		"letters":                {body(number("alphaUcParenR", 1, "a") + number("alphaUcParenR", 1, "b")), "<ul><li>A) a</li><li>B) b</li></ul>"},
		"emphasis":               {sp("", "", "<a:p>"+r(`<a:rPr b="1"/>`, "a")+r(`<a:rPr i="1" u="sng"/>`, "b")+r(`<a:rPr baseline="30000"/>`, "2")+r(`<a:rPr strike="sngStrike"/>`, "c")+"</a:p>"), "<p><strong>a</strong><em><u>b</u></em><sup>2</sup><s>c</s></p>"},
		"links":                  {sp("", "", "<a:p>"+r(`<a:rPr u="sng"><a:hlinkClick r:id="web"/></a:rPr>`, "a")+r(`<a:rPr><a:hlinkClick r:id="layout" action="ppaction://hlinksldjump"/></a:rPr>`, "b")+"</a:p>"), `<p><a href="https://example.com/">a</a>b</p>`},
		"symbols":                {sp("", "", "<a:p>"+r("", "a ")+r(`<a:rPr><a:sym typeface="Wingdings"/></a:rPr>`, "\u00e0")+"</a:p>"), "<p>a →</p>"},
		"fields":                 {sp("", "", `<a:p><a:r><a:t>a</a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:fld type="datetime1"><a:t>1/1</a:t></a:fld><a:fld type="other"><a:t>b</a:t></a:fld></a:p>`), "<p>ab</p>"},
		"footers":                {sp(`<p:ph type="dt"/>`, "", p("", "1/1")) + sp(`<p:ph type="ftr" idx="11"/>`, "", p("", "Confidential")) + sp(`<p:ph type="sldNum"/>`, "", p("", "7")), ""},
		"hidden shapes":          {strings.Replace(sp("", "", p("", "a")), "<p:cNvPr", `<p:cNvPr hidden="1"`, 1), ""},
		"rows and columns":       {sp("", box(50, 20, 40, 5), p("", "c")) + sp("", box(50, 30, 40, 50), p("", "d")) + sp("", box(0, 20, 40, 5), p("", "a")) + sp("", box(0, 26, 40, 50), p("", "b")) + sp("", box(0, 0, 100, 10), p("", "top")), "<p>top</p><p>a</p><p>b</p><p>c</p><p>d</p>"},
		"a place by layout":      {sp(`<p:ph type="body" idx="2"/>`, "", p("", "right")) + body(p("", "left")) + sp("", box(0, 85, 9, 9), p("", "below")), "<ul><li>left</li></ul><p>right</p><p>below</p>"},
		"on a backdrop":          {sp("", box(60, 60, 10, 10), p("", "b")) + sp("", box(10, 10, 10, 10), p("", "a")) + sp("", box(0, 0, 100, 100), p("", "all")), "<p>all</p><p>a</p><p>b</p>"},
		"groups":                 {sp("", box(0, 50, 10, 10), p("", "last")) + `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1" name="g"/></p:nvGrpSpPr><p:grpSpPr>` + box(0, 0, 50, 20) + "</p:grpSpPr>" + sp("", box(900, 900, 10, 10), p("", "b")) + sp("", box(0, 900, 10, 10), p("", "a")) + "</p:grpSp>", "<p>a</p><p>b</p><p>last</p>"},
		"alternatives":           {`<mc:AlternateContent><mc:Choice Requires="a14">` + sp("", "", p("", "new")) + "</mc:Choice><mc:Fallback>" + sp("", "", p("", "old")) + "</mc:Fallback></mc:AlternateContent>", "<p>new</p>"},
		"unknown alternatives":   {`<mc:AlternateContent><mc:Choice Requires="am3d">` + sp("", "", p("", "new")) + "</mc:Choice><mc:Fallback>" + sp("", "", p("", "old")) + "</mc:Fallback></mc:AlternateContent>", "<p>old</p>"},
		"formulas":               {sp("", "", "<a:p><a14:m><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></a14:m></a:p>"), `<p><math display="block" alttext="\frac{a}{b}"><mtext>\frac{a}{b}</mtext></math></p>`},
		"a table":                {frame(`<a:tbl><a:tblPr firstRow="1"/><a:tr>` + tc(`gridSpan="2"`, "ab") + tc(`hMerge="1"`, "") + tc("", "c") + "</a:tr><a:tr>" + tc(`rowSpan="2"`, "d") + tc("", "e") + tc("", "f") + "</a:tr><a:tr>" + tc(`vMerge="1"`, "") + tc("", "g") + tc("", "h") + "</a:tr></a:tbl>"), `<table><tr><th colspan="2">ab</th><th>c</th></tr><tr><td rowspan="2">d</td><td>e</td><td>f</td></tr><tr><td>g</td><td>h</td></tr></table>`},
		"a chart":                {frame(`<c:chart r:id="chart"/>`), "<table><caption>Sales</caption><tr><th></th><th>North</th></tr><tr><td>May</td><td>4</td></tr></table>"},
		"a chart of a new kind":  {`<mc:AlternateContent><mc:Choice Requires="cx1">` + frame(`<cx:chart r:id="new"/>`) + "</mc:Choice><mc:Fallback>" + sp("", "", p("", "not available")) + "</mc:Fallback></mc:AlternateContent>", "<table><tr><th></th><th>Cost</th></tr><tr><td>Rent</td><td>7.1</td></tr></table>"},
		"a chart that is lost":   {frame(`<c:chart r:id="none"/>`), "<p>What it shows</p>"},
		"a diagram":              {frame(`<dgm:relIds r:dm="data"/>`), "<ul><li>Plan</li><li>Do<ul><li>Test</li></ul></li></ul>"},
		"a picture":              {pic(`descr="A&#10;dot"`, "png"), `<p><img src="data:image/png;base64,` + base + `" alt="A dot"></p>`},
		"a picture of old kinds": {pic(`descr="Plan"`, "emf") + pic("", "emf"), "<p>Plan</p>"},
		"an object":              {frame(`<mc:AlternateContent><mc:Choice Requires="v"><p:oleObj/></mc:Choice><mc:Fallback><p:oleObj>` + pic(`descr="A sheet"`, "png") + "</p:oleObj></mc:Fallback></mc:AlternateContent>"), `<p><img src="data:image/png;base64,` + base + `" alt="A sheet"></p>`},
	} {
		if got := html(read(t, show(t, []string{test.tree}, parts...))); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}

// number makes a paragraph with a number.
func number(kind string, start int, text string) string {
	return p(fmt.Sprintf(`<a:pPr><a:buAutoNum type="%s" startAt="%d"/></a:pPr>`, kind, start), text)
}

func tc(attr, text string) string {
	return "<a:tc " + attr + "><a:txBody>" + p("", text) + "</a:txBody></a:tc>"
}

func pt(id, text string) string {
	return `<dgm:pt modelId="` + id + `"><dgm:t>` + p("", text) + "</dgm:t></dgm:pt>"
}

func pic(attr, id string) string {
	return `<p:pic><p:nvPicPr><p:cNvPr id="3" name="x" ` + attr + `/></p:nvPicPr><p:blipFill><a:blip r:embed="` + id + `"/></p:blipFill><p:spPr/></p:pic>`
}

func TestSlides(t *testing.T) {
	t.Parallel()
	notes := part{"ppt/notes/notess2.xml", "<p:notes" + names + "><p:cSld><p:spTree>" + sp(`<p:ph type="sldImg"/>`, "", p("", "slide")) +
		sp(`<p:ph type="body" idx="1"/>`, "", p("", "Say this.")) + sp(`<p:ph type="sldNum"/>`, "", p("", "2")) + "</p:spTree></p:cSld></p:notes>"}
	core := part{"docProps/core.xml", `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The deck</dc:title><dc:creator>Ada</dc:creator></cp:coreProperties>`}
	doc := read(t, show(t, []string{
		title("One") + sp("", "", "<a:p>"+r(`<a:rPr lang="de-DE"/>`, "a")+"</a:p>"), sp("", "", p("", "b")), "hidden:" + title("Three"), "",
	}, notes, core))
	want := "<h2>One</h2><p>a</p><hr><p>b</p><blockquote><p><strong>Notes</strong></p><p>Say this.</p></blockquote><h2>Three</h2><p><em>Hidden slide</em></p>"
	if got := html(doc); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if doc.Title != "The deck" || doc.Author != "Ada" || doc.Language != "de-DE" || len(doc.Warnings) > 0 {
		t.Errorf("info %+v, warnings %q", doc.Info, doc.Warnings)
	}
}

// TestStrict reads the namespaces of the strict kind.
func TestStrict(t *testing.T) {
	t.Parallel()
	space := strings.NewReplacer("http://schemas.openxmlformats.org/presentationml/2006/main", "http://purl.oclc.org/ooxml/presentationml/main",
		"http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main", relations, "http://purl.oclc.org/ooxml/officeDocument/relationships")
	var parts []part
	for _, of := range append(template,
		part{"ppt/presentation.xml", "<p:presentation" + names + `><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>`}, rels("ppt/presentation.xml", "a", "slide", "slides/a.xml"),
		part{"ppt/slides/a.xml", "<p:sld" + names + "><p:cSld><p:spTree>" + title("T") + body(p("", "a")) + "</p:spTree></p:cSld></p:sld>"},
		rels("ppt/slides/a.xml", "l", "slideLayout", "../slideLayouts/layout1.xml")) {
		parts = append(parts, part{of.name, space.Replace(of.body)})
	}
	if got := html(read(t, pack(t, parts...))); got != "<h2>T</h2><ul><li>a</li></ul>" {
		t.Errorf("got %s", got)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	listing := func(n int, target string) []byte {
		return pack(t, part{"ppt/presentation.xml", "<p:presentation" + names + "><p:sldIdLst>" + strings.Repeat(`<p:sldId r:id="a"/>`, n) + "</p:sldIdLst></p:presentation>"},
			rels("ppt/presentation.xml", "a", "slide", target),
			part{"ppt/slides/a.xml", "<p:sld" + names + "><p:cSld><p:spTree>" + title("T") + "</p:spTree></p:cSld></p:sld>"},
			rels("ppt/slides/a.xml", "l", "slideLayout", "a.xml", "m", "slideMaster", "a.xml", "n", "notesSlide", "a.xml"))
	}
	for name, test := range map[string]struct {
		file     []byte
		want     string
		warnings int
	}{
		"a slide again and again": {listing(10_000, "slides/a.xml"), "<h2>T</h2>", 1},
		"a slide of its own":      {listing(1, "slides/a.xml"), "<h2>T</h2>", 0}, // it is its layout and its notes
		"deep groups": {show(t, []string{title("T") + strings.Repeat(`<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1" name="g"/></p:nvGrpSpPr>`, 100_000) + sp("", "", p("", "deep")) +
			strings.Repeat("</p:grpSp>", 100_000)}), "<h2>T</h2>", 1},
		"notes of several slides": {show(t, []string{title("T"), title("U")}, part{"ppt/n.xml", "<p:notes" + names + "><p:cSld><p:spTree>" + sp("", "", p("", "n")) + "</p:spTree></p:cSld></p:notes>"},
			rels("ppt/slides/slides1.xml", "n", "notesSlide", "../n.xml"), rels("ppt/slides/slides2.xml", "n", "notesSlide", "../n.xml")),
			"<h2>T</h2><blockquote><p><strong>Notes</strong></p><p>n</p></blockquote><h2>U</h2>", 0},
		"a slide that is missing": {show(t, []string{title("T"), title("U")}, part{"ppt/slides/slides2.xml", ""}), "<h2>T</h2>", 1},
	} {
		doc := read(t, test.file)
		if got := html(doc); got != test.want || len(doc.Warnings) != test.warnings {
			t.Errorf("%s: got %s, warnings %q", name, got, doc.Warnings)
		}
	}
	if _, err := slides.Read(listing(1, "presentation.xml")); err != nil {
		t.Errorf("a presentation that is its slide: %v", err)
	}
	for name, file := range map[string][]byte{
		"no archive":      []byte("PK\x03\x04"),
		"no presentation": pack(t, part{"ppt/presentation.xml", "<x/>"}),
		"nothing":         pack(t, part{"a", "b"}),
		"no slide":        listing(1, "slides/none.xml"),
	} {
		if _, err := slides.Read(file); err == nil {
			t.Errorf("%s: no error", name)
		} else if name != "nothing" && name != "no slide" && !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzSlide reads what may be on a slide.
func FuzzSlide(f *testing.F) {
	f.Add(title("T")+body(p("", "a")+p(level(2), "b")), "")
	f.Add(frame(`<a:tbl><a:tr>`+tc(`gridSpan="2" rowSpan="9"`, "ab")+"</a:tr></a:tbl>")+frame(`<c:chart r:id="chart"/>`), "<c:chart><c:plotArea><c:barChart><c:ser/></c:barChart></c:plotArea></c:chart>")
	f.Add(frame(`<cx:chart r:id="chart"/>`)+frame(`<dgm:relIds r:dm="chart"/>`), `<cx:chart/><dgm:ptLst><dgm:pt modelId="1"/></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="1" destId="1"/></dgm:cxnLst>`)
	f.Add(sp("", box(1, 2, 3, 4), p("", "a"))+sp("", box(-1, 2, 30, 4), p("", "b"))+`<p:grpSp><p:nvGrpSpPr><p:cNvPr/></p:nvGrpSpPr>`+sp("", "", p("", "c"))+"</p:grpSp>"+pic("", "png"), "")
	f.Fuzz(func(t *testing.T, slide, chart string) {
		doc, err := slides.Read(show(t, []string{slide}, part{"ppt/charts/a.xml", "<x" + names + ">" + chart + "</x>"}))
		if err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

// FuzzRead reads files that were changed.
func FuzzRead(f *testing.F) {
	f.Add(show(f, []string{title("T") + body(p("", "a")), sp(`<p:ph type="ctrTitle"/>`, "", p("", "Deck"))}))
	f.Fuzz(func(t *testing.T, file []byte) {
		if doc, err := slides.Read(file); err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var trees []string
	for range 100 {
		trees = append(trees, title("A slide")+body(strings.Repeat(p("", "An item")+p(level(1), "and one below it"), 10))+frame("<a:tbl>"+strings.Repeat("<a:tr>"+tc("", "a")+tc("", "b")+"</a:tr>", 5)+"</a:tbl>"))
	}
	file := show(b, trees)
	for b.Loop() {
		if _, err := slides.Read(file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "slides/s")
}
