package sheet

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// isSpreadsheetML reports whether a file is the XML of Excel 2003.
func isSpreadsheetML(body []byte) bool {
	head := body[:min(len(body), 4096)]
	return bytes.Contains(head, []byte("urn:schemas-microsoft-com:office:spreadsheet")) ||
		bytes.HasPrefix(head, []byte("\xff\xfe<\x00")) || bytes.HasPrefix(head, []byte("\xfe\xff\x00<"))
}

// readSpreadsheetML reads a workbook in the XML of Excel 2003.
func readSpreadsheetML(body []byte) (*tree.Document, error) {
	s, err := zipped.NewScanner(body)
	if err != nil {
		return nil, err
	}
	m := &markup{Scanner: s, byName: map[string]*format{}}
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		if k == zipped.AtOpen {
			m.element(s.Name())
		}
	}
	if !m.found {
		return nil, fmt.Errorf("%w: %w", errNoWorkbook, tree.ErrDamaged)
	}
	m.allowed(m.count)
	return m.document(), nil
}

// markup is a workbook in XML.
type markup struct {
	book
	*zipped.Scanner
	found  bool
	count  int // of sheets
	styles styles
	byName map[string]*format
	style  string // that is read
	grid   *grid
	cell   place
	across int32   // how many cells to the right it covers
	format *format // of it
}

// element reads an element that was opened.
func (m *markup) element(name string) {
	switch name {
	case "Workbook":
		m.found = true
	case "Title", "Author", "Subject", "Keywords", "Created", "LastSaved":
		m.property(name, strings.TrimSpace(m.Inner("")))
	case "Style":
		m.style = m.Get("ID")
		m.byName[m.style] = m.byName[m.Get("Parent")]
	case "NumberFormat":
		m.byName[m.style] = m.styles.parse(namedFormat(m.Get("Format")))
	case "Worksheet":
		m.count++
		if m.grid = nil; len(m.sheets) < maxSheets {
			m.grid, m.cell = m.sheet(m.Get("Name")), place{-1, -1}
		}
	case "Visible":
		if text := m.Inner(""); m.grid != nil && (text == "SheetHidden" || text == "SheetVeryHidden") {
			m.grid.hidden = true
		}
	case "Comment":
		m.Inner("")
	case "Row", "Cell", "Data":
		if m.grid != nil {
			m.content(name)
		}
	}
}

// content reads what a sheet is made of.
func (m *markup) content(name string) {
	switch name {
	case "Row":
		m.cell, m.across = place{m.cell.row + 1, -1}, 0
		if n := parseInt(m.Raw("Index")); n > 0 {
			m.cell.row = int32(n - 1)
		}
	case "Cell":
		m.cell.column += m.across + 1
		if n := parseInt(m.Raw("Index")); n > 0 {
			m.cell.column = int32(n - 1)
		}
		m.across = int32(min(max(parseInt(m.Raw("MergeAcross")), 0), maxColumn))
		down := int32(min(max(parseInt(m.Raw("MergeDown")), 0), maxRow))
		m.grid.merge(area{m.cell, place{m.cell.row + down, m.cell.column + m.across}})
		m.grid.link(area{m.cell, m.cell}, m.Get("HRef"))
		m.format = m.byName[m.Get("StyleID")]
	case "Data":
		typ := m.Get("Type")
		text, numeric := m.show(typ, m.Inner(""))
		m.add(m.grid, m.cell, text, numeric)
	}
}

// show returns a value as it is shown.
func (m *markup) show(typ, value string) (string, bool) {
	switch typ {
	case "Number":
		if v, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
			return m.format.show(v, false), true
		}
	case "DateTime":
		if days, ok := daysOf(value); ok {
			return m.format.show(days, false), true
		}
	case "Boolean":
		if strings.TrimSpace(value) == "0" {
			return "FALSE", false
		}
		return "TRUE", false
	}
	if m.format != nil {
		return m.format.string(value), false
	}
	return value, false
}

// property notes what the file says of itself.
func (m *markup) property(name, value string) {
	switch name {
	case "Title":
		m.info.Title = value
	case "Author":
		m.info.Author = value
	case "Subject":
		m.info.Subject = value
	case "Keywords":
		m.info.Keywords = value
	case "Created":
		m.info.Created, _ = time.Parse(time.RFC3339, value)
	case "LastSaved":
		m.info.Modified, _ = time.Parse(time.RFC3339, value)
	}
}

// namedFormat returns the code of a format; some have names.
func namedFormat(name string) string {
	codes := map[string]string{
		"General Number": "General", "General Date": "m/d/yyyy h:mm", "Long Date": "dddd, mmmm d, yyyy", "Medium Date": "d-mmm-yy",
		"Short Date": "m/d/yyyy", "Long Time": "h:mm:ss AM/PM", "Medium Time": "h:mm AM/PM", "Short Time": "h:mm",
		"Currency": `"$"#,##0.00`, "Euro Currency": "€#,##0.00", "Fixed": "0.00", "Standard": "#,##0.00", "Percent": "0.00%", "Scientific": "0.00E+00",
		"Yes/No": `"Yes";"Yes";"No"`, "True/False": `"True";"True";"False"`, "On/Off": `"On";"On";"Off"`,
	}
	if code, ok := codes[name]; ok {
		return code
	}
	return name
}
