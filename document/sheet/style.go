package sheet

import "github.com/trawlhq/trawl/document/zipped"

// styles are the number formats of a workbook's cells, by the number of their style.
type styles struct {
	cells []*format          // nil is General
	codes map[int]string     // of formats that the workbook brings along
	cache map[string]*format // by code
}

// format returns the format of a style; nil is General.
func (s *styles) format(style int) *format {
	if style < 0 || style >= len(s.cells) {
		return nil
	}
	return s.cells[style]
}

// define notes the code of a format.
func (s *styles) define(id int, code string) {
	if s.codes == nil {
		s.codes = map[int]string{}
	}
	s.codes[id] = code
}

// How many styles and formats are kept; Excel allows 65,490 and 250.
const (
	maxStyles  = 1 << 17
	maxFormats = 2000
)

// add adds the next style of cells.
func (s *styles) add(id int) {
	if len(s.cells) >= maxStyles {
		return
	}
	code, ok := s.codes[id]
	if !ok {
		code = builtIn[id]
	}
	s.cells = append(s.cells, s.parse(code))
}

// parse returns the format of a code; nil for General.
func (s *styles) parse(code string) *format {
	if code == "" || hasFold(code, "general") && len(code) == len("general") || code == "@" {
		return nil
	}
	if f, ok := s.cache[code]; ok {
		return f
	}
	if len(s.cache) >= maxFormats {
		return nil
	}
	if s.cache == nil {
		s.cache = map[string]*format{}
	}
	f := parseFormat(code)
	s.cache[code] = f
	return f
}

// builtIn are the formats that every workbook has, as the American Excel shows them.
var builtIn = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
	5: `"$"#,##0_);\("$"#,##0\)`, 6: `"$"#,##0_);[Red]\("$"#,##0\)`,
	7: `"$"#,##0.00_);\("$"#,##0.00\)`, 8: `"$"#,##0.00_);[Red]\("$"#,##0.00\)`,
	9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
	14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
	20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
	27: "m/d/yyyy", 28: "m/d/yyyy", 29: "m/d/yyyy", 30: "m/d/yyyy", 31: "m/d/yyyy", 32: "h:mm:ss", 33: "h:mm:ss",
	34: "m/d/yyyy", 35: "m/d/yyyy", 36: "m/d/yyyy",
	37: `#,##0_);\(#,##0\)`, 38: `#,##0_);[Red]\(#,##0\)`, 39: `#,##0.00_);\(#,##0.00\)`, 40: `#,##0.00_);[Red]\(#,##0.00\)`,
	41: `_(* #,##0_);_(* \(#,##0\);_(* "-"_);_(@_)`, 42: `_("$"* #,##0_);_("$"* \(#,##0\);_("$"* "-"_);_(@_)`,
	43: `_(* #,##0.00_);_(* \(#,##0.00\);_(* "-"??_);_(@_)`, 44: `_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)`,
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
	50: "m/d/yyyy", 51: "m/d/yyyy", 52: "m/d/yyyy", 53: "m/d/yyyy", 54: "m/d/yyyy", 55: "m/d/yyyy", 56: "m/d/yyyy", 57: "m/d/yyyy", 58: "m/d/yyyy",
}

// readStyles reads the styles of cells from their part.
func (p *pack) readStyles(name string) {
	s, _ := p.archive.Scan(name)
	if s == nil {
		return
	}
	inCells := false
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		switch {
		case k == zipped.AtText:
		case k == zipped.AtOpen && s.Name() == "numFmt" && !inCells:
			// Formats of tables and conditions come later and count for them alone.
			if _, known := p.styles.codes[parseInt(s.Raw("numFmtId"))]; !known {
				p.styles.define(parseInt(s.Raw("numFmtId")), s.Get("formatCode"))
			}
		case s.Name() == "cellXfs":
			inCells = k == zipped.AtOpen
		case k == zipped.AtOpen && inCells && s.Name() == "xf":
			p.styles.add(parseInt(s.Raw("numFmtId")))
		}
	}
}
