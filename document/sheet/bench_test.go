package sheet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/sheet"
)

// BenchmarkReadXLSX reads a sheet of numbers, shared texts, dates and formulas.
func BenchmarkReadXLSX(b *testing.B) {
	const rows = 20_000
	var data, texts strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&texts, "<si><t>text %d &amp; more</t></si>", i)
	}
	data.WriteString("<sheetData>")
	for i := range rows {
		fmt.Fprintf(&data, `<row r="%d" spans="1:5"><c r="A%[1]d"><v>%[1]d</v></c><c r="B%[1]d" s="1"><v>%[2]g</v></c><c r="C%[1]d" t="s"><v>%[3]d</v></c><c r="D%[1]d" s="2"><v>%[4]d</v></c><c r="E%[1]d" t="str"><f>A%[1]d&amp;""</f><v>%[1]d</v></c></row>`,
			i+1, float64(i)*1.37, i%1000, 40000+i)
	}
	data.WriteString("</sheetData>")
	body := archive(b, []string{data.String()}, map[string]string{
		"xl/sharedStrings.xml": head + "<sst" + main + ">" + texts.String() + "</sst>",
		"xl/styles.xml":        head + "<styleSheet" + main + `><cellXfs><xf numFmtId="0"/><xf numFmtId="4"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
	})
	b.SetBytes(int64(data.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sheet.ReadXLSX(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(5*rows*b.N)/b.Elapsed().Seconds(), "cells/s")
}
