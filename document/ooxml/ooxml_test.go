package ooxml_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

const names = ` xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
	` xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`

func parse(t *testing.T, xml string) *zipped.Node {
	t.Helper()
	root, err := zipped.Parse([]byte("<x" + names + ">" + xml + "</x>"))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// html returns a block as HTML without its frame.
func html(block tree.Block) string {
	if block == nil {
		return ""
	}
	out := string(tree.Write(&tree.Document{Body: []tree.Block{block}}, 1<<20).HTML)
	_, out, _ = strings.Cut(strings.ReplaceAll(out, "\n", ""), "<body>")
	return strings.TrimSuffix(out, "</body></html>")
}

// TestChartLevels is about labels that stand in groups.
func TestChartLevels(t *testing.T) {
	t.Parallel()
	point := func(i, v string) string { return `<c:pt idx="` + i + `"><c:v>` + v + "</c:v></c:pt>" }
	series := "<c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>" + point("0", "May") + point("1", "June") + point("2", "May") + "</c:lvl><c:lvl>" + point("0", "2024") + point("2", "2025") +
		"</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val><c:numRef><c:numCache>" + point("0", "1") + point("1", "2") + point("2", "3") + "</c:numCache></c:numRef></c:val></c:ser>"
	var doc tree.Document
	got := html(ooxml.Chart(parse(t, "<c:chart><c:plotArea><c:barChart>"+series+series+"</c:barChart></c:plotArea></c:chart>"), &doc))
	const want = "<table><tr><th></th><th></th><th></th></tr><tr><td>2024 May</td><td>1</td><td>1</td></tr><tr><td>2024 June</td><td>2</td><td>2</td></tr><tr><td>2025 May</td><td>3</td><td>3</td></tr></table>"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDiagram(t *testing.T) {
	t.Parallel()
	point := func(id string) string {
		return `<dgm:pt modelId="` + id + `"><dgm:t><a:p><a:r><a:t>` + id + "</a:t></a:r></a:p></dgm:t></dgm:pt>"
	}
	under := func(from, to string) string {
		return `<dgm:cxn srcId="` + from + `" destId="` + to + `"/>`
	}
	for name, test := range map[string]struct{ points, links, want string }{
		"nothing":          {"", "", ""},
		"a list":           {point("a") + point("b"), "", "<ul><li>a</li><li>b</li></ul>"},
		"a tree":           {point("b") + point("a"), under("a", "b"), "<ul><li>a<ul><li>b</li></ul></li></ul>"},
		"a circle":         {point("a") + point("b"), under("a", "b") + under("b", "a"), "<ul><li>a<ul><li>b</li></ul></li></ul>"},
		"under itself":     {point("a"), under("a", "a"), "<ul><li>a</li></ul>"},
		"under two others": {point("a") + point("b") + point("c"), under("a", "c") + under("b", "c"), "<ul><li>a<ul><li>c</li></ul></li><li>b</li></ul>"},
	} {
		if got := html(ooxml.Diagram(parse(t, "<dgm:ptLst>"+test.points+"</dgm:ptLst><dgm:cxnLst>"+test.links+"</dgm:cxnLst>"))); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

func TestAlternative(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ xml, want string }{
		"known":           {`<mc:Choice Requires="a14 p">new</mc:Choice><mc:Fallback>old</mc:Fallback>`, "new"},
		"one is unknown":  {`<mc:Choice Requires="a14 zz">new</mc:Choice><mc:Fallback>old</mc:Fallback>`, "old"},
		"no other choice": {`<mc:Choice Requires="zz">new</mc:Choice>`, "new"},
	} {
		if got := ooxml.Alternative(parse(t, test.xml), "a", "p").Content(); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
