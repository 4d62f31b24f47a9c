package sheet_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

// show writes a document as lines: headings, paragraphs, and the rows of tables
// with an empty line after each table.
func show(doc *tree.Document) string {
	var out strings.Builder
	for _, b := range doc.Body {
		switch b := b.(type) {
		case *tree.Heading:
			out.WriteString("## " + spans(b.Text) + "\n")
		case *tree.Paragraph:
			out.WriteString(spans(b.Text) + "\n")
		case *tree.Table:
			for _, row := range b.Rows {
				var cells []string
				for i := range row.Cells {
					cells = append(cells, showCell(&row.Cells[i]))
				}
				out.WriteString(strings.Join(cells, " | ") + "\n")
			}
			out.WriteString("\n")
		}
	}
	return strings.TrimSpace(out.String())
}

func showCell(c *tree.Cell) string {
	text := c.Text
	for _, b := range c.Body {
		text += spans(b.(*tree.Paragraph).Text)
	}
	if c.Columns > 1 || c.Rows > 1 {
		text += fmt.Sprintf("{%dx%d}", max(c.Rows, 1), max(c.Columns, 1))
	}
	return text
}

func spans(text []tree.Span) string {
	var out strings.Builder
	for _, s := range text {
		if s.Link != "" {
			out.WriteString("[" + s.Text + "](" + s.Link + ")")
		} else {
			out.WriteString(s.Text)
		}
	}
	return out.String()
}

func lines(s ...string) string { return strings.Join(s, "\n") }

const (
	head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	main = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// relations is a part with relations, of which each is an identifier, a type and
// a target, and perhaps a mode.
func relations(list ...string) string {
	var out strings.Builder
	out.WriteString(head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for _, r := range list {
		f := append(strings.Fields(r), "Internal")
		fmt.Fprintf(&out, `<Relationship Id="%s" Type="%s%s" Target="%s" TargetMode="%s"/>`, f[0], kind, f[1], f[2], f[3])
	}
	return out.String() + "</Relationships>"
}

// archive is a workbook whose sheets are the parts xl/sheet1.xml and so on. Other
// parts replace those that every workbook has.
func archive(t testing.TB, sheets []string, parts map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"[Content_Types].xml": head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels":         relations("rId1 officeDocument xl/workbook.xml"),
	}
	list := []string{"s sharedStrings sharedStrings.xml", "f styles /xl/styles.xml"}
	book := head + "<workbook" + main + "><sheets>"
	for i, data := range sheets {
		n := i + 1
		list = append(list, fmt.Sprintf("rId%d worksheet sheet%d.xml", n, n))
		book += fmt.Sprintf(`<sheet name="Sheet %d" sheetId="%d" r:id="rId%d"/>`, n, n, n)
		all[fmt.Sprintf("xl/sheet%d.xml", n)] = head + "<worksheet" + main + ">" + data + "</worksheet>"
	}
	all["xl/workbook.xml"] = book + "</sheets></workbook>"
	all["xl/_rels/workbook.xml.rels"] = relations(list...)
	for name, data := range parts {
		all[name] = data
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for name, data := range all {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// data is the cells of a sheet, given as rows with their texts separated by bars.
// What can be a number is one, and nothing is no cell.
func data(rows ...string) string {
	var out strings.Builder
	out.WriteString("<sheetData>")
	for i, row := range rows {
		fmt.Fprintf(&out, `<row r="%d">`, i+1)
		for j, text := range strings.Split(row, "|") {
			name := fmt.Sprintf("%c%d", 'A'+j, i+1)
			switch {
			case text == "":
			case strings.Trim(text, "0123456789.") == "":
				fmt.Fprintf(&out, `<c r="%s"><v>%s</v></c>`, name, text)
			default:
				fmt.Fprintf(&out, `<c r="%s" t="str"><v>%s</v></c>`, name, text)
			}
		}
		out.WriteString("</row>")
	}
	return out.String() + "</sheetData>"
}
