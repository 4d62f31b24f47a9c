package sheet

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// ReadXLSX reads a workbook of Excel 2007 and later: xlsx, xlsm, xltx. A sheet that
// is damaged is read as far as it goes, with a warning.
func ReadXLSX(body []byte) (*tree.Document, error) {
	archive, err := zipped.Open(body)
	if err != nil {
		return nil, fmt.Errorf("read workbook: %w", err)
	}
	p := &pack{archive: archive}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("read workbook: %w", err)
	}
	doc := p.document()
	doc.Incomplete(archive.Damage())
	return doc, nil
}

// pack is a workbook in a zip archive.
type pack struct {
	book
	archive   *zipped.Archive
	styles    styles
	strings   []string
	since1904 bool
	charts    int // that were read
}

// relation is what a part of the archive refers to.
type relation struct {
	kind     string // last word of its type
	target   string // name of the part, or an address
	external bool
}

// entry is a sheet in the list of the workbook.
type entry struct {
	name, id string
	hidden   bool
}

func (p *pack) read() error {
	main := "xl/workbook.xml"
	for _, r := range p.relations("") {
		if r.kind == "officeDocument" {
			main = r.target
		}
	}
	entries, err := p.workbook(main)
	if err != nil {
		return err
	}
	relations := p.relations(main)
	for _, r := range relations {
		switch r.kind {
		case "sharedStrings":
			p.readStrings(r.target)
		case "styles":
			p.readStyles(r.target)
		}
	}
	for _, e := range entries[:p.allowed(len(entries))] {
		p.sheetOf(e, relations[e.id])
	}
	p.properties()
	return nil
}

// sheetOf reads a sheet of whatever kind it is.
func (p *pack) sheetOf(e entry, r relation) {
	if r.kind != "worksheet" && r.kind != "chartsheet" {
		return // a macro or a dialog of long ago, or nothing
	}
	g := p.sheet(e.name)
	g.hidden = e.hidden
	if err := p.readSheet(g, r.target); err != nil {
		p.warnings = append(p.warnings, fmt.Sprintf("The sheet %q could not be read completely.", g.name))
	}
}

// relations returns what a part refers to, by identifier. The archive itself has
// the name "".
func (p *pack) relations(name string) map[string]relation {
	dir, file := path.Split(name)
	s, _ := p.archive.Scan(dir + "_rels/" + file + ".rels")
	out := map[string]relation{}
	if s == nil {
		return out
	}
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		if k != zipped.AtOpen || s.Name() != "Relationship" {
			continue
		}
		r := relation{kind: path.Base(s.Get("Type")), target: s.Get("Target"), external: s.Get("TargetMode") == "External"}
		if !r.external {
			if strings.HasPrefix(r.target, "/") {
				r.target = r.target[1:]
			} else {
				r.target = path.Join(dir, r.target)
			}
		}
		out[s.Get("Id")] = r
	}
	return out
}

// workbook reads the list of sheets.
func (p *pack) workbook(name string) ([]entry, error) {
	s, err := p.archive.Scan(name)
	if s == nil {
		return nil, fmt.Errorf("%w: %w", err, tree.ErrDamaged)
	}
	var entries []entry
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		if k != zipped.AtOpen {
			continue
		}
		switch s.Name() {
		case "workbookPr":
			p.since1904 = isTrue(s.Raw("date1904"))
		case "sheet":
			state := s.Get("state")
			entries = append(entries, entry{s.Get("name"), s.Get("id"), state != "" && state != "visible"})
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: %w", errNoWorkbook, tree.ErrDamaged)
	}
	return entries, nil
}

// maxStrings bounds how many strings are kept; more than there may be cells.
const maxStrings = 2 * maxCells

// readStrings reads the strings that cells refer to by number.
func (p *pack) readStrings(name string) {
	s, _ := p.archive.Scan(name)
	if s == nil {
		return
	}
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		if k != zipped.AtOpen || s.Name() != "si" {
			continue
		}
		if len(p.strings) == maxStrings {
			p.manyStrings = true
			return
		}
		p.strings = append(p.strings, strings.Clone(richText(s)))
	}
}

// richText returns the text of the element that was opened, without how it is
// pronounced.
func richText(s *zipped.Scanner) string {
	var first string
	var more []byte
	for depth := 1; depth > 0; {
		switch s.Next() {
		case zipped.AtEnd:
			depth = 0
		case zipped.AtOpen:
			switch s.Name() {
			case "t":
				if first == "" {
					first = s.Inner("")
				} else {
					more = append(more, s.Inner("")...)
				}
			case "rPh":
				s.Inner("")
			default:
				depth++
			}
		case zipped.AtClose:
			depth--
		}
	}
	if len(more) > 0 {
		first += string(more)
	}
	return plain(first)
}

// plain undoes what Excel writes for characters that XML does not allow: _x000D_.
func plain(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var out strings.Builder
	for {
		i := strings.Index(text, "_x")
		if i < 0 || i+7 > len(text) {
			break
		}
		var r rune
		if n, _ := fmt.Sscanf(text[i+2:i+6], "%04x", &r); n == 1 && text[i+6] == '_' {
			out.WriteString(text[:i])
			if r >= ' ' || r == '\n' || r == '\t' {
				out.WriteRune(r)
			}
			text = text[i+7:]
			continue
		}
		out.WriteString(text[:i+2])
		text = text[i+2:]
	}
	out.WriteString(text)
	return out.String()
}

// properties reads what the file says of itself.
func (p *pack) properties() {
	if s, _ := p.archive.Scan("docProps/core.xml"); s != nil {
		for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
			if k != zipped.AtOpen {
				continue
			}
			switch s.Name() {
			case "title":
				p.info.Title = strings.TrimSpace(s.Inner(""))
			case "creator":
				p.info.Author = strings.TrimSpace(s.Inner(""))
			case "subject":
				p.info.Subject = strings.TrimSpace(s.Inner(""))
			case "keywords":
				p.info.Keywords = strings.TrimSpace(s.Inner(""))
			case "language":
				p.info.Language = strings.TrimSpace(s.Inner(""))
			case "created":
				p.info.Created, _ = time.Parse(time.RFC3339, strings.TrimSpace(s.Inner("")))
			case "modified":
				p.info.Modified, _ = time.Parse(time.RFC3339, strings.TrimSpace(s.Inner("")))
			}
		}
	}
	if s, _ := p.archive.Scan("docProps/app.xml"); s != nil {
		for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
			if k == zipped.AtOpen && s.Name() == "Application" {
				p.info.Generator = strings.TrimSpace(s.Inner(""))
			}
		}
	}
}
