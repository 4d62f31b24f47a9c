package document_test

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/docx"
	"github.com/trawlhq/trawl/document/odf"
	"github.com/trawlhq/trawl/document/rtf"
	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/slides"
	"github.com/trawlhq/trawl/document/tree"
)

// bound is a file just beyond a limit, and what the warning about it says.
type bound struct {
	name    string
	read    func([]byte) (*tree.Document, error)
	make    func(t *testing.T) []byte
	warning string
}

// bounds returns all of them. Who adds a limit that leaves something out adds a row.
// Those of PDF and of old Word files have their rows beside their readers.
func bounds() []bound {
	return []bound{
		{"csv columns", sheet.ReadCSV, text("a" + strings.Repeat(",a", 1<<14)), "beyond row 1048576 or column 16384"},
		{"csv rows", sheet.ReadCSV, text("a,b\n" + strings.Repeat("\"\"\n", 1<<20)), "rows at its end"},
		{"csv cells", sheet.ReadCSV, text(strings.Repeat("1,1\n", 500_001)), "more than 1000000 cells"},
		{"csv cell", sheet.ReadCSV, text("a,b\n1," + strings.Repeat("x", 128<<10+1)), "cells of more than 128 KiB"},
		{"xlsx columns", sheet.ReadXLSX, workbook(`<sheetData><row r="1">`+strings.Repeat("<c><v>1</v></c>", 1<<14+1)+"</row></sheetData>", ""), "beyond row"},
		{"xlsx rows", sheet.ReadXLSX, workbook(`<sheetData><row r="1048577"><c><v>1</v></c></row></sheetData>`, ""), "beyond row"},
		{"xlsx cell", sheet.ReadXLSX, workbook(`<sheetData><row r="1"><c t="str"><v>`+strings.Repeat("x", 128<<10+1)+"</v></c></row></sheetData>", ""), "of more than 128 KiB"},
		{"xlsx strings", sheet.ReadXLSX, workbook(`<sheetData><row r="1"><c t="s"><v>2000000</v></c></row></sheetData>`, strings.Repeat("<si></si>", 2_000_001)), "more than 2000000 texts"},
		{"xlsx merged cells", sheet.ReadXLSX, workbook(`<sheetData><row r="1"><c><v>1</v></c></row></sheetData>`+strings.Repeat(`<mergeCell ref="A1:B2"/>`, 100_001), ""), "more links or merged cells"},
		{"xlsx links", sheet.ReadXLSX, workbook(`<sheetData><row r="1"><c><v>1</v></c></row></sheetData><hyperlink ref="A1:A2000" r:id="link"/>`, ""), "more links or merged cells"},
		{"xlsx points", sheet.ReadXLSX, workbook(drawn(1), "", series(101)), "100 points"},
		{"xlsx series", sheet.ReadXLSX, workbook(drawn(1), "", strings.Repeat(series(1), 51)), "50 series"},
		{"xlsx charts", sheet.ReadXLSX, workbook(drawn(101), "", series(1)), "more than 100 charts"},
		{"ods columns", odf.Read, flat("spreadsheet", `<table:table><table:table-row><table:table-cell table:number-columns-repeated="16385"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`), "more columns"},
		{"ods column", odf.Read, flat("spreadsheet", `<table:table><table:table-row><table:table-cell table:number-columns-repeated="16384"/><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`), "more columns"},
		{"ods sheets", odf.Read, flat("spreadsheet", strings.Repeat(`<table:table><table:table-row><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`, 201)), "more sheets"},
		{"odt rows", odf.Read, flat("text", `<table:table><table:table-row table:number-rows-repeated="65"><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>`), "repeats rows or cells"},
		{"odt cells", odf.Read, flat("text", `<table:table><table:table-row><table:table-cell table:number-columns-repeated="65"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`), "repeats rows or cells"},
		{"odt objects", odf.Read, flat("text", strings.Repeat(`<text:p><draw:frame><draw:object><math:math><math:mi>x</math:mi></math:math></draw:object></draw:frame></text:p>`, 501)), "more embedded objects"},
		{"docx points", docx.Read, wordChart(series(1001)), "more series or points"},
		{"docx series", docx.Read, wordChart(strings.Repeat(series(1), 101)), "more series or points"},
		{"docx boxes", docx.Read, word(strings.Repeat("<w:p><w:r><w:pict><w:txbxContent>", 9) + "<w:p><w:r><w:t>a</w:t></w:r></w:p>" + strings.Repeat("</w:txbxContent></w:pict></w:r></w:p>", 9)), "larger inside"},
		{"docx fields", docx.Read, word("<w:p>" + strings.Repeat(`<w:r><w:fldChar w:fldCharType="begin"/></w:r>`, 102) + "</w:p>"), "larger inside"},
		{"docx formula", docx.Read, word("<w:p><m:oMath>" + strings.Repeat("<m:r><m:t>xxxxxxxxxx</m:t></m:r>", 5002) + "</m:oMath></w:p>"), "formula is too long"},
		{"docx picture", docx.Read, word(`<w:p><w:r><w:drawing><a:blip r:embed="picture"/></w:drawing></w:r></w:p>`, part{"word/picture.png", picture(1<<20 + 1)}), "more than 1 MiB"},
		{"docx pictures", docx.Read, word(strings.Repeat(`<w:p><w:r><w:drawing><a:blip r:embed="picture"/></w:drawing></w:r></w:p>`, 9), part{"word/picture.png", picture(1 << 20)}), "beyond 8 MiB"},
		{"docx nodes", docx.Read, word("<w:p><w:r><w:t>a</w:t></w:r></w:p>" + strings.Repeat("<a/>", 5_000_001)), "larger inside"},
		{"docx depth", docx.Read, word("<w:p><w:r><w:t>a</w:t></w:r></w:p>" + strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300)), "larger inside"},
		{"pptx points", slides.Read, show(framed(`<c:chart r:id="chart"/>`), part{"ppt/chart.xml", chart(series(1001))}), "more series or points"},
		{"pptx series", slides.Read, show(framed(`<c:chart r:id="chart"/>`), part{"ppt/chart.xml", chart(strings.Repeat(series(1), 101))}), "more series or points"},
		{"pptx formula", slides.Read, show(shaped("<m:oMath>" + strings.Repeat("<m:r><m:t>xxxxxxxxxx</m:t></m:r>", 5002) + "</m:oMath>")), "formula is too long"},
		{"pptx picture", slides.Read, show(pictured, part{"ppt/picture.png", picture(1<<20 + 1)}), "more than 1 MiB"},
		{"pptx pictures", slides.Read, show(strings.Repeat(pictured, 9), part{"ppt/picture.png", picture(1 << 20)}), "beyond 8 MiB"},
		{"pptx depth", slides.Read, show(shaped("<a:r><a:t>a</a:t></a:r>") + strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300)), "Slide 1 could not be read completely"},
		{"odp objects", odf.Read, flat("presentation", "<draw:page>"+strings.Repeat(`<draw:frame><draw:object><math:math><math:mi>x</math:mi></math:math></draw:object></draw:frame>`, 501)+"</draw:page>"), "more embedded objects"},
		{"rtf depth", rtf.Read, text(`{\rtf1 a` + strings.Repeat("{", 1001) + "b" + strings.Repeat("}", 1001) + "}"), "nests groups deeper"},
		{"rtf formula", rtf.Read, text(`{\rtf1 a {\mmath{\*\moMath{\mr ` + strings.Repeat("x", 64<<10+1) + `}}}}`), "formula is too long"},
		{"rtf picture", rtf.Read, text(`{\rtf1 a {\pict\pngblip ` + hex.EncodeToString([]byte(picture(1<<20+1))) + `}}`), "more than 1 MiB"},
	}
}

// TestBounds reads files beyond limits. Whoever gets less than there is is told.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, b := range bounds() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			doc, err := b.read(b.make(t))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(doc.Warnings, " "); !strings.Contains(got, b.warning) {
				t.Errorf("warnings %q, want %q", got, b.warning)
			}
		})
	}
}

func text(s string) func(*testing.T) []byte { return func(*testing.T) []byte { return []byte(s) } }

// picture begins as a PNG does.
func picture(size int) string {
	const magic = "\x89PNG\r\n\x1a\n"
	return magic + strings.Repeat("x", size-len(magic))
}

// part is a part of an archive.
type part struct{ name, body string }

// pack is an archive whose parts are not compressed, as only large ones are wanted.
func pack(t *testing.T, parts ...part) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, p := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(p.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

const (
	relation   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	spaceSheet = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + relation + `" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"`
	spaceWord  = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"` +
		` xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="` + relation + `"`
)

// relations is a part with relations, of which each is an identifier, a type and a
// target.
func relations(list ...string) string {
	var out strings.Builder
	out.WriteString(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for _, r := range list {
		f := append(strings.Fields(r), "Internal")
		fmt.Fprintf(&out, `<Relationship Id="%s" Type="%s/%s" Target="%s" TargetMode="%s"/>`, f[0], relation, f[1], f[2], f[3])
	}
	return out.String() + "</Relationships>"
}

// series is a series of a chart with so many points.
func series(points int) string {
	var out strings.Builder
	out.WriteString("<c:ser><c:val><c:numRef><c:numCache>")
	for i := range points {
		fmt.Fprintf(&out, `<c:pt idx="%d"><c:v>1</c:v></c:pt>`, i)
	}
	return out.String() + "</c:numCache></c:numRef></c:val></c:ser>"
}

func chart(series string) string {
	return "<c:chartSpace" + spaceWord + "><c:chart><c:plotArea><c:lineChart>" + series + "</c:lineChart></c:plotArea></c:chart></c:chartSpace>"
}

// drawn is a sheet with so many charts, all of them the same.
func drawn(charts int) string {
	return `<sheetData><row r="1"><c><v>1</v></c></row></sheetData>` + strings.Repeat(`<drawing r:id="drawing"/>`, charts)
}

// workbook is a workbook with one sheet, the strings that it refers to, and perhaps a
// chart of some series.
func workbook(sheet, strings string, series ...string) func(*testing.T) []byte {
	return func(t *testing.T) []byte {
		parts := []part{
			{"_rels/.rels", relations("a officeDocument xl/workbook.xml")},
			{"xl/workbook.xml", "<workbook" + spaceSheet + `><sheets><sheet name="A" sheetId="1" r:id="a"/></sheets></workbook>`},
			{"xl/_rels/workbook.xml.rels", relations("a worksheet sheet1.xml", "s sharedStrings strings.xml")},
			{"xl/sheet1.xml", "<worksheet" + spaceSheet + ">" + sheet + "</worksheet>"},
			{"xl/_rels/sheet1.xml.rels", relations("link hyperlink https://example.com/ External", "drawing drawing drawing.xml")},
			{"xl/strings.xml", "<sst" + spaceSheet + ">" + strings + "</sst>"},
			{"xl/drawing.xml", "<d" + spaceSheet + `><twoCellAnchor><c:chart r:id="chart"/></twoCellAnchor></d>`},
			{"xl/_rels/drawing.xml.rels", relations("chart chart chart.xml")},
		}
		for _, s := range series {
			parts = append(parts, part{"xl/chart.xml", chart(s)})
		}
		return pack(t, parts...)
	}
}

// word is a text of Word.
func word(body string, more ...part) func(*testing.T) []byte {
	return func(t *testing.T) []byte {
		return pack(t, append([]part{
			{"_rels/.rels", relations("a officeDocument word/document.xml")},
			{"word/document.xml", "<w:document" + spaceWord + "><w:body>" + body + "</w:body></w:document>"},
			{"word/_rels/document.xml.rels", relations("picture image picture.png", "chart chart chart.xml")},
		}, more...)...)
	}
}

func wordChart(series string) func(*testing.T) []byte {
	return word(`<w:p><w:r><w:drawing><c:chart r:id="chart"/></w:drawing></w:r></w:p>`, part{"word/chart.xml", chart(series)})
}

// show is a presentation with one slide.
func show(shapes string, more ...part) func(*testing.T) []byte {
	return func(t *testing.T) []byte {
		return pack(t, append([]part{
			{"ppt/presentation.xml", slideList}, {"ppt/_rels/presentation.xml.rels", slideLinks},
			{"ppt/slide.xml", `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"` + spaceWord + "><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:sld>"},
			{"ppt/_rels/slide.xml.rels", relations("picture image picture.png", "chart chart chart.xml")},
		}, more...)...)
	}
}

// shaped is a shape with text, framed one with a chart or the like, and pictured one with
// a picture.
func shaped(text string) string {
	return "<p:sp><p:nvSpPr><p:cNvPr/></p:nvSpPr><p:txBody><a:p>" + text + "</a:p></p:txBody></p:sp>"
}

func framed(graphic string) string {
	return "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData>" + graphic + "</a:graphicData></a:graphic></p:graphicFrame>"
}

const pictured = `<p:pic><p:nvPicPr><p:cNvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="picture"/></p:blipFill></p:pic>`

// flat is an OpenDocument file of one part.
func flat(kind, body string) func(*testing.T) []byte {
	const space = "urn:oasis:names:tc:opendocument:xmlns:"
	return text(`<office:document xmlns:office="` + space + `office:1.0" xmlns:text="` + space + `text:1.0" xmlns:table="` + space + `table:1.0" xmlns:draw="` + space +
		`drawing:1.0" xmlns:math="http://www.w3.org/1998/Math/MathML"><office:body><office:` + kind + ">" + body + "</office:" + kind + "></office:body></office:document>")
}
