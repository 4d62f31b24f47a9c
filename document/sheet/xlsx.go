package sheet

import (
	"errors"
	"fmt"
	"io/fs"
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
	return p.document(), nil
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

// scan opens a part. Of one that is damaged, what is readable.
func (p *pack) scan(name string) (*scanner, error) {
	data, err := p.archive.Read(name)
	if err != nil && (len(data) == 0 || errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	s, scanErr := newScanner(data)
	return s, errors.Join(err, scanErr)
}

// relations returns what a part refers to, by identifier. The archive itself has
// the name "".
func (p *pack) relations(name string) map[string]relation {
	dir, file := path.Split(name)
	s, _ := p.scan(dir + "_rels/" + file + ".rels")
	out := map[string]relation{}
	if s == nil {
		return out
	}
	for k := s.next(); k != atEnd; k = s.next() {
		if k != atOpen || string(s.name) != "Relationship" {
			continue
		}
		r := relation{kind: path.Base(s.get("Type")), target: s.get("Target"), external: s.get("TargetMode") == "External"}
		if !r.external {
			if strings.HasPrefix(r.target, "/") {
				r.target = r.target[1:]
			} else {
				r.target = path.Join(dir, r.target)
			}
		}
		out[s.get("Id")] = r
	}
	return out
}

// workbook reads the list of sheets.
func (p *pack) workbook(name string) ([]entry, error) {
	s, err := p.scan(name)
	if s == nil {
		return nil, fmt.Errorf("%w: %w", err, tree.ErrDamaged)
	}
	var entries []entry
	for k := s.next(); k != atEnd; k = s.next() {
		if k != atOpen {
			continue
		}
		switch string(s.name) {
		case "workbookPr":
			p.since1904 = s.flag("date1904")
		case "sheet":
			state := s.get("state")
			entries = append(entries, entry{s.get("name"), s.get("id"), state != "" && state != "visible"})
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
	s, _ := p.scan(name)
	if s == nil {
		return
	}
	for k := s.next(); k != atEnd; k = s.next() {
		if k != atOpen || string(s.name) != "si" {
			continue
		}
		if len(p.strings) == maxStrings {
			p.manyStrings = true
			return
		}
		p.strings = append(p.strings, richText(s))
	}
}

// richText returns the text of the element that was opened, without how it is
// pronounced.
func richText(s *scanner) string {
	var first string
	var more []byte
	for depth := 1; depth > 0; {
		switch s.next() {
		case atEnd:
			depth = 0
		case atOpen:
			switch string(s.name) {
			case "t":
				if first == "" {
					first = s.inner("")
				} else {
					more = append(more, s.inner("")...)
				}
			case "rPh":
				s.inner("")
			default:
				depth++
			}
		case atClose:
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
	if s, _ := p.scan("docProps/core.xml"); s != nil {
		for k := s.next(); k != atEnd; k = s.next() {
			if k != atOpen {
				continue
			}
			switch string(s.name) {
			case "title":
				p.info.Title = strings.TrimSpace(s.inner(""))
			case "creator":
				p.info.Author = strings.TrimSpace(s.inner(""))
			case "subject":
				p.info.Subject = strings.TrimSpace(s.inner(""))
			case "keywords":
				p.info.Keywords = strings.TrimSpace(s.inner(""))
			case "language":
				p.info.Language = strings.TrimSpace(s.inner(""))
			case "created":
				p.info.Created, _ = time.Parse(time.RFC3339, strings.TrimSpace(s.inner("")))
			case "modified":
				p.info.Modified, _ = time.Parse(time.RFC3339, strings.TrimSpace(s.inner("")))
			}
		}
	}
	if s, _ := p.scan("docProps/app.xml"); s != nil {
		for k := s.next(); k != atEnd; k = s.next() {
			if k == atOpen && string(s.name) == "Application" {
				p.info.Generator = strings.TrimSpace(s.inner(""))
			}
		}
	}
}
