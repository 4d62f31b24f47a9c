package sheet_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/tree"
)

// readXLSX reads a workbook that must be readable.
func readXLSX(t *testing.T, body []byte) *tree.Document {
	t.Helper()
	doc, err := sheet.ReadXLSX(body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestCells(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{`<sheetData><row r="3">
		<c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="inlineStr"><is><r><t>in</t></r><r><t xml:space="preserve"> line</t></r></is></c></row>
		<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#DIV/0!</v></c></row>
		<row r="5"><c r="B5" s="1"><v>45306</v></c><c r="C5" s="2"><v>0.5</v></c><c r="D5"><v>0.30000000000000004</v></c></row>
		<row r="6"><c r="B6" t="str"><f>A1&amp;B1</f><v>made</v></c><c r="C6"><f>1+1</f><v>2</v></c><c r="D6" t="d"><v>2024-01-15</v></c></row>
		<row r="7"><c r="B7" s="3" t="s"><v>0</v></c><c r="C7" t="s"><v>99</v></c><c r="D7" t="s"><v>2</v></c></row>
		</sheetData>`}, map[string]string{
		"xl/sharedStrings.xml": head + `<sst` + main + `><si><t>plain &amp; simple</t></si><si><r><rPr><b/></rPr><t>ri</t></r><r><t>ch</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si><si><t>a_x000D_b<![CDATA[<c>]]>&#xE9;</t></si></sst>`,
		"xl/styles.xml": head + `<styleSheet` + main + `><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="0;0;0;&quot;*&quot;@"/></numFmts>
			<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
	})
	got := show(readXLSX(t, body))
	want := lines("## Sheet 1",
		" | plain & simple | rich | in line",
		"TRUE | FALSE | #DIV/0!",
		" | 2024-01-15 | 50% | 0.3",
		" | made | 2 | 2024-01-15",
		" | *plain & simple |  | ab<c>é",
	)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSheets(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{data("a|b", "1|2"), data("hidden"), data("very hidden"), "<sheetData/>", data("macro")}, map[string]string{
		"xl/workbook.xml": head + `<workbook` + main + `><workbookPr date1904="1"/><sheets>
			<sheet name="First &amp; only" r:id="rId1"/><sheet name="H" state="hidden" r:id="rId2"/><sheet name="V" state="veryHidden" r:id="rId3"/>
			<sheet name="Empty" state="visible" r:id="rId4"/><sheet name="Macro" r:id="m"/><sheet name="Nothing" r:id="none"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations("rId1 worksheet sheet1.xml", "rId2 worksheet sheet2.xml", "rId3 worksheet sheet3.xml", "rId4 worksheet sheet4.xml", "m xlMacrosheet sheet5.xml"),
	})
	if got, want := show(readXLSX(t, body)), lines("## First & only", "a | b", "1 | 2", "", "## H (hidden)", "hidden", "", "## V (hidden)", "very hidden", "", "## Empty"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMergedAndLinked(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{`<sheetData>
		<row r="1"><c r="A1" t="str"><v>wide</v></c><c r="C1" t="str"><v>high</v></c></row>
		<row r="2"><c r="A2" t="str"><v>a</v></c><c r="B2" t="str"><v>b</v></c><c r="C2" t="str"><v>under</v></c></row>
		<row r="3"><c r="A3" t="str"><v>site</v></c><c r="B3" t="str"><f>HYPERLINK("https://example.org/x","made")</f><v>made</v></c><c r="C3" t="str"><v>bad</v></c></row>
		</sheetData><mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:C2"/><mergeCell ref="B1:B9"/><mergeCell ref="D9:XFD1048576"/></mergeCells>
		<hyperlinks><hyperlink ref="A3" r:id="l1"/><hyperlink ref="C3" r:id="l2"/><hyperlink ref="A2" location="Sheet2!A1"/></hyperlinks>`}, map[string]string{
		"xl/_rels/sheet1.xml.rels": relations("l1 hyperlink https://example.com/?a=1&amp;b=2 External", "l2 hyperlink javascript:alert(1) External"),
	})
	want := lines("## Sheet 1", "wide{1x2} | high{2x1}", "a | b", "[site](https://example.com/?a=1&b=2) | [made](https://example.org/x) | bad")
	if got := show(readXLSX(t, body)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{data("a|b")}, map[string]string{
		"docProps/core.xml": head + `<cp:coreProperties xmlns:cp="x" xmlns:dc="y" xmlns:dcterms="z"><dc:title>Ducks</dc:title><dc:creator>Ada</dc:creator><dc:subject>birds</dc:subject>
			<cp:keywords>a, b</cp:keywords><dcterms:created>2024-01-15T10:00:00Z</dcterms:created><dcterms:modified>nonsense</dcterms:modified></cp:coreProperties>`,
		"docProps/app.xml": head + `<Properties><Application>Made by hand</Application></Properties>`,
	})
	want := tree.Info{Title: "Ducks", Author: "Ada", Subject: "birds", Keywords: "a, b", Generator: "Made by hand", Created: time.Date(2024, 1, 15, 10, 0, 0, 0, time.UTC)}
	if got := readXLSX(t, body).Info; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestCutWorkbook reads a workbook that was not transferred to its end: what is there of
// it, with a warning.
func TestCutWorkbook(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{data("a|b", "1|2")}, nil)
	directory := bytes.Index(body, []byte("PK\x01\x02"))
	doc := readXLSX(t, body[:directory])
	if got, want := show(doc), lines("## Sheet 1", "a | b", "1 | 2"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(doc.Warnings) == 0 || !strings.Contains(strings.Join(doc.Warnings, " "), "damaged") {
		t.Errorf("warnings %q", doc.Warnings)
	}
}

// Strict files write dates out.
func TestDatesWrittenOut(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{`<sheetData><row r="1"><c r="A1" s="1" t="d"><v>2024-01-15T06:30:00</v></c><c r="B1" s="1" t="d"><v>1900-01-01</v></c>
		<c r="C1" s="2" t="d"><v>18:15:30.000Z</v></c><c r="D1" t="d"><v>2024-01-15</v></c><c r="E1" s="1" t="d"><v>soon</v></c><c r="F1" s="1" t="d"><v>2450-12-31</v></c></row></sheetData>`}, map[string]string{
		"xl/styles.xml": head + "<styleSheet" + main + `><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="18"/></cellXfs></styleSheet>`,
	})
	want := lines("## Sheet 1", "1/15/2024 6:30 | 1/1/1900 0:00 | 6:15 PM | 2024-01-15 | soon | 12/31/2450 0:00")
	if got := show(readXLSX(t, body)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFormulasWithoutValues(t *testing.T) {
	t.Parallel()
	doc := readXLSX(t, archive(t, []string{`<sheetData><row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><f>A1</f><v></v></c><c r="C1" t="str"><f>""</f><v></v></c><c r="D1"><v>4</v></c></row></sheetData>`}, nil))
	if got := show(doc); got != lines("## Sheet 1", "4") {
		t.Error(got)
	}
	if len(doc.Warnings) != 1 || !strings.Contains(doc.Warnings[0], " 2 ") {
		t.Errorf("warnings %q", doc.Warnings)
	}
}

func TestCharts(t *testing.T) {
	t.Parallel()
	points := func(values ...string) string {
		out := "<c:numRef><c:f>Sheet1!A1</c:f><c:numCache><c:formatCode>0%</c:formatCode>"
		for i, v := range values {
			out += fmt.Sprintf(`<c:pt idx="%d"><c:v>%s</c:v></c:pt>`, i, v)
		}
		return out + "</c:numCache></c:numRef>"
	}
	chart := func(values ...string) string {
		return head + `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Share of</a:t></a:r> <a:r><a:t>ducks</a:t></a:r></a:p></c:rich></c:tx></c:title>
			<c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:f>x</c:f><c:strCache><c:pt idx="0"><c:v>Lake</c:v></c:pt></c:strCache></c:strRef></c:tx>
			<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt><c:pt idx="1"><c:v>South</c:v></c:pt></c:strCache></c:strRef></c:cat>
			<c:val>` + points(values...) + `</c:val></c:ser></c:barChart><c:valAx><c:title><c:tx>axis</c:tx></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>`
	}
	anchor := func(row int, id string) string {
		return fmt.Sprintf(`<x:twoCellAnchor><x:from><x:col>1</x:col><x:row>%d</x:row></x:from><x:to><x:row>99</x:row></x:to><x:graphicFrame><c:chart r:id="%s"/></x:graphicFrame></x:twoCellAnchor>`, row, id)
	}
	body := archive(t, []string{data("a|b", "", "c|d") + `<drawing r:id="d"/>`}, map[string]string{
		"xl/_rels/sheet1.xml.rels":            relations("d drawing drawings/drawing1.xml"),
		"xl/drawings/drawing1.xml":            head + `<x:wsDr xmlns:x="x" xmlns:c="c" xmlns:r="r">` + anchor(9, "late") + anchor(1, "early") + `</x:wsDr>`,
		"xl/drawings/_rels/drawing1.xml.rels": relations("early chart ../charts/chart1.xml", "late chart ../charts/chart2.xml"),
		"xl/charts/chart1.xml":                chart("0.25", "0.75"),
		"xl/charts/chart2.xml":                chart(strings.Split(strings.Repeat("1 ", 500)+"1", " ")...),
	})
	want := lines("## Sheet 1", "a | b", "", "Share of ducks", " | Lake", "North | 25%", "South | 75%", "", "c | d", "", "Share of ducks")
	if got := show(readXLSX(t, body)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTablesOnASheet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, data, merged, want string }{
		{"margins and empty rows and columns at the end", data("", "||", "||a|b", "||1|2", ""), "", lines("a | b", "1 | 2")},
		{"a title, then a table", data("Ducks", "", "year|count", "2019|120"), "", lines("Ducks", "", "year | count", "2019 | 120")},
		{"a title right above", data("Ducks", "year|count", "2019|120", "2020|130"), "", lines("Ducks", "", "year | count", "2019 | 120", "2020 | 130")},
		{"groups of one table", data("year|count", "2019|120", "", "2020|130"), "", lines("year | count", "2019 | 120", "2020 | 130")},
		{"two tables, one below the other", data("a|b", "1|2", "", "c|d|e", "1|2|3"), "", lines("a | b", "1 | 2", "", "c | d | e", "1 | 2 | 3")},
		{"two tables side by side", data("a|b", "1|2", "1|2", "1|2|||c|d", "||||3|4", "||||3|4"), "", lines("a | b", "1 | 2", "1 | 2", "1 | 2", "", "c | d", "3 | 4", "3 | 4")},
		{"labels and values with a column between", data("name||Ada", "born||1815", "died||1852"), "", lines("name | Ada", "born | 1815", "died | 1852")},
		{"corner to corner", data("a|b", "1|2", "||c|d", "||3|4"), "", lines("a | b", "1 | 2", "", "c | d", "3 | 4")},
		{"merged over the gap", data("wide|||", "a|||b", "1|||2"), `<mergeCells><mergeCell ref="A1:D1"/></mergeCells>`, lines("wide", "", "a | b", "1 | 2")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := show(readXLSX(t, archive(t, []string{test.data + test.merged}, nil))); got != "## Sheet 1\n"+test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestFarCells(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	for i := 1; i <= 3000; i++ {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d"><v>1</v></c><c r="XFD%d"><v>2</v></c></row>`, i, i, i)
	}
	doc := readXLSX(t, archive(t, []string{"<sheetData>" + rows.String() + `<row r="1048576"><c r="B1048576"><v>3</v></c></row></sheetData>`}, nil))
	if got := show(doc); !strings.HasPrefix(got, "## Sheet 1\n1 | 2\n") || !strings.HasSuffix(got, "\n3") || len(doc.Warnings) > 0 {
		t.Errorf("got %.50q, warnings %q", got, doc.Warnings)
	}
}

// With all the empty cells between them, these would be eight million.
func TestScatteredCells(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	for i := 1; i <= 4000; i++ {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d"><v>1</v></c>`, i, i)
		for j := range 3 {
			fmt.Fprintf(&rows, `<c r="%s%d"><v>2</v></c>`, []string{"K", "P", "X"}[j]+string(rune('A'+i%26))+string(rune('A'+i/26%26)), i)
		}
		rows.WriteString("</row>")
	}
	doc := readXLSX(t, archive(t, []string{"<sheetData>" + rows.String() + "</sheetData>"}, nil))
	cells := 0
	for _, b := range doc.Body {
		if table, ok := b.(*tree.Table); ok {
			for _, row := range table.Rows {
				cells += len(row.Cells)
			}
		}
	}
	if cells > 2_000_000 || len(doc.Warnings) != 1 {
		t.Errorf("%d cells, warnings %q", cells, doc.Warnings)
	}
}

func TestTooManySheets(t *testing.T) {
	t.Parallel()
	doc := readXLSX(t, archive(t, make([]string, 230), nil))
	if len(doc.Body) != 200 || len(doc.Warnings) != 1 {
		t.Errorf("%d sheets, warnings %q", len(doc.Body), doc.Warnings)
	}
}

func TestBadWorkbooks(t *testing.T) {
	t.Parallel()
	for name, body := range map[string][]byte{
		"empty":       nil,
		"no archive":  []byte("PK\x03\x04 and no more"),
		"no workbook": archive(t, nil, map[string]string{"_rels/.rels": relations("r officeDocument none.xml")}),
		"binary":      archive(t, nil, map[string]string{"xl/workbook.xml": "\x83\x01\x00\x80"}),
		"entities":    archive(t, nil, map[string]string{"xl/workbook.xml": `<!DOCTYPE x [<!ENTITY a "b">]><workbook/>`}),
	} {
		if doc, err := sheet.ReadXLSX(body); !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%s: got %v, %v", name, doc, err)
		}
	}
}

// What is broken off is read up to there.
func TestBrokenSheet(t *testing.T) {
	t.Parallel()
	body := archive(t, []string{`<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>3<!-- `, data("next")}, nil)
	if got, want := show(readXLSX(t, body)), lines("## Sheet 1", "1 | 2", "3", "", "## Sheet 2", "next"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCorpus reads all files of a folder of documents, if there is one.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("TRAWL_DOCUMENTS")
	if dir == "" {
		t.Skip("TRAWL_DOCUMENTS names no folder of documents")
	}
	for pattern, read := range map[string]func([]byte) (*tree.Document, error){"*/*.xlsx": sheet.ReadXLSX, "*/*.xls": sheet.ReadXLS} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, file := range files {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := read(body)
			if damaged := strings.Contains(file, "random"); damaged != (err != nil) || !damaged && len(doc.Body) < 2 {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
