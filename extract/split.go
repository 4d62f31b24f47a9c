package extract

import (
	"strings"
	"unicode/utf8"
)

// part is a piece of a page that a model reads at once.
type part struct {
	section string // headings above its beginning, outermost first
	text    string
}

// unit is what is not cut as long as it fits: a heading, a paragraph, an item of
// a list, a row of a table, a block of code. The units of a page together are the
// page.
type unit struct {
	text  string
	level int    // of a heading, else 0
	head  string // comes first in a part that begins with this unit: the header of a table, the fence of code
	tail  string // comes last in a part that ends before this unit
}

// split cuts markdown into parts of at most so many bytes, give or take what
// repeats at their beginning and end. It cuts before a heading if that does not
// leave a part less than half full, else between blocks, lines, characters.
func split(markdown string, most int) []part {
	if len(markdown) <= most {
		return []part{{text: markdown}}
	}
	units := unitsOf(markdown, most)
	var parts []part
	var above outline
	for len(units) > 0 {
		n := fill(units, most)
		p := part{section: above.before(units[0].level), text: join(units[:n])}
		if n < len(units) {
			p.text += units[n].tail
		}
		if strings.TrimSpace(p.text) != "" {
			parts = append(parts, p)
		}
		for _, u := range units[:n] {
			above.pass(u)
		}
		units = units[n:]
	}
	if parts == nil {
		return []part{{}}
	}
	return parts
}

// fill returns how many units make the next part.
func fill(units []unit, most int) int {
	size, n := 0, 0
	for n < len(units) && (n == 0 || size+len(units[n].text) <= most) {
		size += len(units[n].text)
		n++
	}
	if n == len(units) {
		return n
	}
	best, level := n, 7
	for i := n; i > 0 && size >= most/2; i-- {
		if i < n {
			size -= len(units[i].text)
		}
		if l := units[i].level; l > 0 && l < level && size >= most/2 {
			best, level = i, l
		}
	}
	return best
}

func join(units []unit) string {
	var b strings.Builder
	b.WriteString(units[0].head)
	for _, u := range units {
		b.WriteString(u.text)
	}
	return b.String()
}

// outline are the headings that a place of a page is under.
type outline [7]string

// maxHeading bounds what a heading adds to the parts below it.
const maxHeading = 120

func (o *outline) pass(u unit) {
	if u.level == 0 {
		return
	}
	o[u.level] = cut(strings.TrimSpace(strings.Trim(strings.TrimSpace(u.text), "#")), maxHeading)
	clear(o[u.level+1:])
}

// before returns the path of headings above a unit: for a heading, those that it
// stands under.
func (o *outline) before(level int) string {
	if level == 0 {
		level = len(o)
	}
	var path []string
	for _, heading := range o[:level] {
		if heading != "" {
			path = append(path, heading)
		}
	}
	return strings.Join(path, " > ")
}

// unitsOf cuts markdown into units of at most so many bytes.
func unitsOf(markdown string, most int) []unit {
	var units []unit
	r := reader{rest: markdown}
	for r.rest != "" {
		u := r.next()
		units = append(units, pieces(u, most)...)
	}
	return units
}

// pieces cuts a unit that is too large: by lines, and by characters where even
// a line is.
func pieces(u unit, most int) []unit {
	if len(u.text) <= most {
		return []unit{u}
	}
	head, tail := u.head, u.tail
	if fence := fenceOf(u.text); fence != "" {
		opening, _, _ := strings.Cut(u.text, "\n")
		if len(opening) <= maxHeading {
			head, tail = opening+"\n", fence+"\n"
		}
	}
	var list []unit
	for line := range strings.Lines(u.text) {
		for len(line) > 0 {
			n := cutAt(line, most)
			list = append(list, unit{text: line[:n], head: head, tail: tail})
			line = line[n:]
		}
	}
	list[0].head, list[0].tail, list[0].level = u.head, u.tail, u.level
	return list
}

// cutAt returns the last place within most bytes that is not inside a character.
func cutAt(s string, most int) int {
	if len(s) <= most {
		return len(s)
	}
	for n := most; n > max(0, most-utf8.UTFMax); n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return most
}

// reader takes markdown apart, unit by unit.
type reader struct {
	rest   string
	header string // of the table that is being read
	before string // the line before, if it may be the header of a table
}

// next takes the next unit off the rest.
func (r *reader) next() unit {
	line := firstLine(r.rest)
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "|") {
		return r.row(line)
	}
	r.header, r.before = "", ""
	level := headingLevel(line)
	size := len(line)
	switch {
	case level > 0 || trimmed == "":
	case fenceOf(line) != "":
		size = codeLength(r.rest, fenceOf(line))
	default:
		size = paragraphLength(r.rest)
	}
	size += blankLength(r.rest[size:])
	u := unit{text: r.rest[:size], level: level}
	r.rest = r.rest[size:]
	return u
}

// row takes a row of a table. The rows below the delimiter know the header.
func (r *reader) row(line string) unit {
	size := len(line) + blankLength(r.rest[len(line):])
	u := unit{text: r.rest[:size], head: r.header}
	switch {
	case r.header == "" && r.before != "" && isDelimiter(line) && len(r.before)+len(line) < 2000:
		r.header = r.before + line
		u.head = r.before
	case r.header == "":
		r.before = line
	}
	r.rest = r.rest[size:]
	if size > len(line) {
		r.header, r.before = "", ""
	}
	return u
}

func firstLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i+1]
	}
	return s
}

func headingLevel(line string) int {
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level > 6 || level == len(line) || line[level] != ' ' {
		return 0
	}
	return level
}

// fenceOf returns the fence that a text begins with, if it does with one.
func fenceOf(text string) string {
	text = strings.TrimLeft(text[:min(len(text), 200)], " ")
	for _, mark := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, mark)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}

// codeLength is the length of a block of code up to the fence that ends it, or
// to the end.
func codeLength(text, fence string) int {
	size := len(firstLine(text))
	for size < len(text) {
		line := firstLine(text[size:])
		size += len(line)
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
			break
		}
	}
	return size
}

// paragraphLength is the length of the lines up to an empty one, or one that
// begins something else.
func paragraphLength(text string) int {
	size := len(firstLine(text))
	for size < len(text) {
		line := firstLine(text[size:])
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '|' || headingLevel(line) > 0 || fenceOf(line) != "" || isItem(line) {
			break
		}
		size += len(line)
	}
	return size
}

// blankLength is the length of the empty lines that a text begins with.
func blankLength(text string) int {
	size := 0
	for size < len(text) {
		line := firstLine(text[size:])
		if strings.TrimSpace(line) != "" {
			break
		}
		size += len(line)
	}
	return size
}

// isItem reports whether a line begins an item of an outermost list.
func isItem(line string) bool {
	if len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 {
		return line[1] == ' '
	}
	n := 0
	for n < len(line) && n < 9 && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	return n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' '
}

// isDelimiter reports whether a row of a table is the one below the header.
func isDelimiter(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "-") && strings.Trim(line, "|-: ") == ""
}
