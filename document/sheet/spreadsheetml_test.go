package sheet_test

import (
	"errors"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/tree"
)

const spreadsheetML = `<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
 <DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Title>Ducks</Title><Author>Ada</Author><Created>2004-01-15T10:00:00Z</Created></DocumentProperties>
 <Styles>
  <Style ss:ID="Default"><NumberFormat/></Style>
  <Style ss:ID="s1"><NumberFormat ss:Format="Short Date"/></Style>
  <Style ss:ID="s2" ss:Parent="s1"><Font/></Style>
  <Style ss:ID="s3"><NumberFormat ss:Format="0.0%"/></Style>
 </Styles>
 <Worksheet ss:Name="One"><Table>
  <Row><Cell ss:MergeAcross="1"><Data ss:Type="String">wide</Data></Cell><Cell ss:HRef="https://example.com/"><Data ss:Type="String">site</Data></Cell></Row>
  <Row ss:Index="2"><Cell ss:StyleID="s2"><Data ss:Type="DateTime">2024-01-15T00:00:00.000</Data></Cell><Cell ss:StyleID="s3"><Data ss:Type="Number">0.256</Data></Cell><Cell><Data ss:Type="Boolean">1</Data><Comment><Data>note</Data></Comment></Cell></Row>
  <Row><Cell ss:Index="2"><Data ss:Type="Number">2.50</Data></Cell><Cell><ss:Data ss:Type="String"><B>bo</B>ld</ss:Data></Cell></Row>
 </Table></Worksheet>
 <Worksheet ss:Name="Two"><Table><Row><Cell><Data ss:Type="String">secret</Data></Cell></Row></Table><WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet>
</Workbook>`

func TestSpreadsheetML(t *testing.T) {
	t.Parallel()
	doc := readXLS(t, []byte(spreadsheetML))
	want := lines("## One", "wide{1x2} | [site](https://example.com/)", "1/15/2024 | 25.6% | TRUE", " | 2.5 | bold", "", "## Two (hidden)", "secret")
	if got := show(doc); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if want := (tree.Info{Title: "Ducks", Author: "Ada", Created: time.Date(2004, 1, 15, 10, 0, 0, 0, time.UTC)}); doc.Info != want {
		t.Errorf("got %+v, want %+v", doc.Info, want)
	}
	if _, err := sheet.ReadXLS([]byte(`<html xmlns:x="urn:schemas-microsoft-com:office:spreadsheet"></html>`)); !errors.Is(err, tree.ErrDamaged) {
		t.Error(err)
	}
}
