package docx_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

// pixel is a picture of one point.
const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"

// drawing makes a drawing in a run: kind is inline or anchor.
func drawing(kind, alt, inner string) string {
	return "<w:r><w:drawing><wp:" + kind + `><wp:docPr id="1" name="x" descr="` + alt + `"/><a:graphic><a:graphicData>` + inner + "</a:graphicData></a:graphic></wp:" + kind + "></w:drawing></w:r>"
}

func blip(attr string) string {
	return "<pic:pic><pic:blipFill><a:blip " + attr + "/></pic:blipFill></pic:pic>"
}

func textBox(text string) string {
	return `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx><w:txbxContent>` + text +
		`</w:txbxContent></wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>` + text +
		`</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`
}

func TestDrawings(t *testing.T) {
	t.Parallel()
	const image = `<img src="data:image/png;base64,`
	check(t, map[string]test{
		"in a line":           {p("", r("", "a")+drawing("inline", "A &#10;dot", blip(`r:embed="png"`))+r("", "b")), `<p>a` + image + base + `" alt="A dot">b</p>`},
		"beside it":           {p("", r("", "a")+drawing("anchor", "", blip(`r:embed="png"`))), `<p>` + image + base + `"></p><p>a</p>`},
		"said again below":    {p("", drawing("inline", "A dot", blip(`r:embed="png"`))) + p("Caption", r("", "A ")+r("<w:b/>", "dot")), `<p>` + image + base + `"></p><p>A <strong>dot</strong></p>`},
		"a name of a file":    {p("", drawing("inline", `C:\pictures\a.png`, blip(`r:embed="png"`))), `<p>` + image + base + `"></p>`},
		"in a heading":        {p("H2", drawing("inline", "x", blip(`r:embed="png"`))), `<p>` + image + base + `" alt="x"></p>`},
		"somewhere":           {p("", drawing("inline", "x", blip(`r:link="web"`))), `<p><img src="https://example.com/a.png" alt="x"></p>`},
		"on a disk":           {p("", drawing("inline", "x", blip(`r:link="disk"`))), `<p>x</p>`},
		"of another kind":     {p("", drawing("inline", "Plan", blip(`r:embed="emf"`))+drawing("inline", "", blip(`r:embed="emf"`))), `<p>Plan</p>`},
		"missing":             {p("", r("", "a")+drawing("inline", "", blip(`r:embed="none"`))), `<p>a</p>`},
		"of the older kind":   {p("", `<w:r><w:pict><v:shape alt="Old"><v:imagedata r:id="png"/></v:shape></w:pict></w:r>`), `<p>` + image + base + `" alt="Old"></p>`},
		"several in a group":  {p("", drawing("inline", "", "<a:wgp>"+blip(`r:embed="png"`)+blip(`r:embed="png"`)+"</a:wgp>")), `<p>` + image + base + `">` + image + base + `"></p>`},
		"a line":              {p("", `<w:r><w:pict><v:rect o:hr="t"/></w:pict></w:r>`), `<hr>`},
		"a text box":          {p("", r("", "a")+textBox(p("H2", r("", "b"))+p("", r("", "c")))), "<p>a</p><h2>b</h2><p>c</p>"},
		"a box in a box":      {p("", textBox(p("", r("", "a")+textBox(p("", r("", "b")))))), "<p>a</p><p>b</p>"},
		"a chart":             {p("", drawing("inline", "", `<c:chart r:id="chart"/>`)), `<table><caption>Sales</caption><tr><th></th><th>North</th><th>South</th></tr><tr><td>May</td><td>4.4</td><td>1</td></tr><tr><td>June</td><td>2</td><td></td></tr></table>`},
		"a diagram":           {p("", drawing("inline", "", `<dgm:relIds r:dm="diagram"/>`)), `<ul><li>Plan</li><li>Do</li></ul>`},
		"an unknown chart":    {p("", r("", "a")+drawing("inline", "", `<c:chart r:id="none"/>`)), `<p>a</p>`},
		"too many boxes":      {p("", nest(20)), strings.Repeat("<p>a</p>", 8)},
		"in an invisible run": {p("", `<w:r><w:rPr><w:vanish/></w:rPr><w:drawing>`+blip(`r:embed="png"`)+`</w:drawing></w:r>`), ""},
	},
		rels("png", "image", "media/a.png", "emf", "image", "media/a.emf", "web", "image", "https://example.com/a.png", "disk", "image", "file:///C:/a.png",
			"chart", "chart", "charts/a.xml", "diagram", "diagramData", "diagrams/a.xml"),
		part{"word/media/a.png", pixel}, part{"word/media/a.emf", "\x01\x00\x00\x00l\x00\x00\x00"},
		part{"word/charts/a.xml", "<c:chartSpace" + names + "><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:lineChart>" +
			series("North", "May", "4.4000000000000004", "June", "2") + series("South", "May", "1") + "</c:lineChart></c:plotArea></c:chart></c:chartSpace>"},
		part{"word/diagrams/a.xml", "<dgm:dataModel" + names + "><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt/><dgm:pt><dgm:t><a:p><a:r><a:t>Do</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"},
	)
}

// TestTooManyBoxes is told of what was left out.
func TestTooManyBoxes(t *testing.T) {
	t.Parallel()
	if got := read(t, document(t, p("", nest(8)))).Warnings; len(got) != 0 {
		t.Errorf("8 boxes: %q", got)
	}
	if got := read(t, document(t, p("", nest(9)))).Warnings; len(got) != 1 {
		t.Errorf("9 boxes: %q", got)
	}
}

// base is the picture as it is embedded.
const base = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA="

// nest makes text boxes in each other.
func nest(n int) string {
	if n == 0 {
		return ""
	}
	return `<w:r><w:pict><w:txbxContent>` + p("", r("", "a")+nest(n-1)) + `</w:txbxContent></w:pict></w:r>`
}

// series makes a series of a chart: labels and values by turns.
func series(name string, points ...string) string {
	labels, values := "", ""
	for i := 0; i+1 < len(points); i += 2 {
		labels += `<c:pt idx="` + number(i/2) + `"><c:v>` + points[i] + "</c:v></c:pt>"
		values += `<c:pt idx="` + number(i/2) + `"><c:v>` + points[i+1] + "</c:v></c:pt>"
	}
	return "<c:ser><c:tx><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>" + name + "</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>" + labels +
		"</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>" + values + "</c:numCache></c:numRef></c:val></c:ser>"
}

func TestPictureBudget(t *testing.T) {
	t.Parallel()
	random := noise(1 << 20)
	parts := []part{{"word/media/large.png", pixel + random}}
	list := []string{"large", "image", "media/large.png"}
	body := p("", drawing("inline", "large", blip(`r:embed="large"`)))
	for i := range 9 {
		name := number(i)
		parts = append(parts, part{"word/media/" + name + ".png", pixel + random[:len(random)-100]})
		list = append(list, name, "image", "media/"+name+".png")
		body += p("", drawing("inline", "picture "+name, blip(`r:embed="`+name+`"`)))
	}
	doc := read(t, document(t, body, append(parts, rels(list...))...))
	embedded, texts := 0, 0
	for _, b := range doc.Body {
		picture := b.(*tree.Paragraph).Text[0].Image
		if picture.Source != "" {
			embedded++
		} else if picture.Alt != "" {
			texts++
		}
	}
	if embedded != 8 || texts != 2 {
		t.Errorf("%d pictures are embedded, %d are texts", embedded, texts)
	}
}

// noise makes bytes that cannot be packed well.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(7)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return string(b)
}
