package sheet

import (
	"strconv"
	"strings"
)

// format is a number format of Excel, ready to be used: up to four sections for
// positive numbers, negative ones, zero and text, or with conditions of their own.
type format struct {
	sections []section
	text     *section // for text; nil if text is shown as it is
}

// section is a part of a format.
type section struct {
	tokens     []token
	isDate     bool
	isText     bool // shows text by @
	isGeneral  bool
	conditions bool
	operator   string // of the condition
	limit      float64
	language   language // of the names in dates
}

// token is a piece of a section.
type token struct {
	part part
	text string // of a literal; of a part of a date, as it is written
}

type part uint8

const (
	literal  part = iota
	digit         // 0, # or ?
	point         // between whole digits and others
	comma         // of thousands
	percent       //
	exponent      // E+ or E-
	slash         // of a fraction
	general       // the word General
	asText        // @
	year          // and so on: parts of dates and times
	month
	day
	hour
	minute
	second
	fraction // of a second
	noon     // AM/PM or A/P
	elapsed  // [h], [m] or [s]
)

// maxFormat bounds the length of a format; Excel allows 255 characters.
const maxFormat = 512

// parseFormat reads the code of a format.
func parseFormat(code string) *format {
	if len(code) > maxFormat {
		code = "General"
	}
	f := &format{}
	for _, part := range splitSections(code) {
		s := parseSection(part)
		if s.isText && (len(f.sections) > 0 || !s.isDate) {
			f.text = &s
			continue
		}
		if len(f.sections) == 3 {
			f.text = &s
			break
		}
		f.sections = append(f.sections, s)
	}
	return f
}

// splitSections splits a code at its semicolons.
func splitSections(code string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*':
			i++
		case '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
			}
		case '[':
			for i++; i < len(code) && code[i] != ']'; i++ {
			}
		case ';':
			parts = append(parts, code[start:i])
			start = i + 1
		}
	}
	return append(parts, code[min(start, len(code)):])
}

// reader reads the code of a section.
type reader struct {
	code string
	section
}

func parseSection(code string) section {
	r := &reader{code: code}
	for r.code != "" {
		r.step()
	}
	r.settle()
	return r.section
}

func (r *reader) add(p part, text string) { r.tokens = append(r.tokens, token{p, text}) }

// take takes n bytes off the code.
func (r *reader) take(n int) string {
	n = min(n, len(r.code))
	text := r.code[:n]
	r.code = r.code[n:]
	return text
}

// step reads one token.
func (r *reader) step() {
	switch c := r.code[0]; c {
	case '"':
		end := strings.IndexByte(r.code[1:], '"')
		if end < 0 {
			end = len(r.code) - 1
		}
		r.add(literal, r.code[1:end+1])
		r.take(end + 2)
	case '\\':
		r.take(1)
		r.add(literal, r.char())
	case '_': // as wide as the character after it
		r.take(1)
		r.char()
		r.add(literal, " ")
	case '*': // fills the cell
		r.take(1)
		r.char()
	case '[':
		end := strings.IndexByte(r.code, ']')
		if end < 0 {
			r.code = ""
			return
		}
		inner := r.take(end + 1)
		r.bracket(inner[1:end])
	case '0', '#', '?':
		r.add(digit, r.take(1))
	case '.':
		r.add(point, r.take(1))
	case ',':
		r.add(comma, r.take(1))
	case '%':
		r.add(percent, r.take(1))
	case '/':
		r.add(slash, r.take(1))
	case '@':
		r.isText = true
		r.add(asText, r.take(1))
	default:
		r.word(c)
	}
}

// char takes a character.
func (r *reader) char() string {
	for i := range r.code {
		if i > 0 {
			return r.take(i)
		}
	}
	return r.take(len(r.code))
}

// word reads what begins with a letter, or any other character.
func (r *reader) word(c byte) {
	switch {
	case hasFold(r.code, "general"):
		r.isGeneral = true
		r.add(general, r.take(7))
	case hasFold(r.code, "am/pm"):
		r.isDate = true
		r.add(noon, r.take(5))
	case hasFold(r.code, "a/p"):
		r.isDate = true
		r.add(noon, r.take(3))
	case hasFold(r.code, "e+") || hasFold(r.code, "e-"):
		r.add(exponent, r.take(2))
	default:
		if p, ok := dateParts[c|0x20]; ok && c >= 'A' {
			n := 1
			for n < len(r.code) && r.code[n]|0x20 == c|0x20 {
				n++
			}
			r.isDate = true
			r.add(p, strings.ToLower(r.take(n)))
			return
		}
		r.add(literal, r.char())
	}
}

var dateParts = map[byte]part{'y': year, 'e': year, 'm': month, 'd': day, 'h': hour, 's': second}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// bracket reads what stands in brackets: a currency or locale, a condition, time
// that has elapsed; or a colour, which is not shown.
func (r *reader) bracket(inner string) {
	switch {
	case strings.HasPrefix(inner, "$"):
		symbol, locale, _ := strings.Cut(inner[1:], "-")
		switch strings.ToUpper(locale) {
		case "F800": // the long date of the system
			r.code = "dddd, mmmm d, yyyy"
		case "F400": // the time of the system
			r.code = "h:mm:ss AM/PM"
		default:
			r.add(literal, symbol)
			r.language = languageOf(locale)
		}
	case inner != "" && strings.ContainsRune("<>=", rune(inner[0])):
		n := 1
		if len(inner) > 1 && strings.ContainsRune("<>=", rune(inner[1])) {
			n = 2
		}
		if limit, err := strconv.ParseFloat(strings.TrimSpace(inner[n:]), 64); err == nil {
			r.conditions, r.operator, r.limit = true, inner[:n], limit
		}
	case inner != "" && strings.Trim(strings.ToLower(inner), "h") == "",
		inner != "" && strings.Trim(strings.ToLower(inner), "m") == "",
		inner != "" && strings.Trim(strings.ToLower(inner), "s") == "":
		r.isDate = true
		r.add(elapsed, strings.ToLower(inner))
	}
}

// settle decides what depends on the tokens around: whether m is a month or a
// minute, and a point the one of seconds.
func (r *reader) settle() {
	if !r.isDate {
		return
	}
	before := literal
	for i := range r.tokens {
		t := &r.tokens[i]
		switch {
		case t.part == month && len(t.text) <= 2 && (before == hour || r.after(i) == second):
			t.part = minute
		case t.part == point && before == second && i+1 < len(r.tokens) && r.tokens[i+1].part == digit:
			t.part, t.text = fraction, ""
			for j := i + 1; j < len(r.tokens) && r.tokens[j].part == digit; j++ {
				t.text += "0"
				r.tokens[j] = token{literal, ""}
			}
		}
		if t.part >= year && t.part != noon {
			before = t.part
			if t.part == elapsed {
				before = dateParts[t.text[0]]
			}
		}
	}
}

// after returns the next part of a date.
func (r *reader) after(i int) part {
	for _, t := range r.tokens[i+1:] {
		if t.part >= year && t.part != noon {
			if t.part == elapsed {
				return dateParts[t.text[0]]
			}
			return t.part
		}
	}
	return literal
}

// holds reports whether a section's condition holds for a number.
func (s *section) holds(v float64) bool {
	switch s.operator {
	case "<":
		return v < s.limit
	case "<=":
		return v <= s.limit
	case ">":
		return v > s.limit
	case ">=":
		return v >= s.limit
	case "=":
		return v == s.limit
	case "<>":
		return v != s.limit
	}
	return true
}

// choose returns the section for a number, and whether the number's sign is
// shown by the section itself.
func (f *format) choose(v float64) (*section, bool) {
	n := len(f.sections)
	if n == 0 {
		return nil, false
	}
	for i := range f.sections {
		if s := &f.sections[i]; s.conditions {
			return f.chooseByCondition(v)
		}
	}
	switch {
	case v < 0 && n > 1:
		return &f.sections[1], true
	case v == 0 && n > 2:
		return &f.sections[2], true
	}
	return &f.sections[0], false
}

func (f *format) chooseByCondition(v float64) (*section, bool) {
	for i := range f.sections {
		s := &f.sections[i]
		if !s.conditions && i+1 < len(f.sections) && i == 0 && v < 0 {
			continue // the first section without one is for positive numbers
		}
		if s.holds(v) {
			negative := s.conditions && (s.operator == "<" && s.limit <= 0 || s.operator == "<=" && s.limit < 0 || s.operator == "=")
			return s, negative
		}
	}
	return nil, false
}

// show shows a number by a format that may be nil, which is General.
func (f *format) show(v float64, since1904 bool) string {
	if f == nil {
		return showGeneral(v)
	}
	return f.number(v, since1904)
}

// number shows a number. since1904 tells from when the file counts its days.
func (f *format) number(v float64, since1904 bool) string {
	s, signed := f.choose(v)
	switch {
	case s == nil:
		return showGeneral(v)
	case s.isDate:
		if text, ok := s.date(v, since1904); ok {
			return text
		}
		return showGeneral(v)
	}
	if signed && v < 0 {
		v = -v
	}
	return strings.TrimSpace(s.number(v))
}

// string shows text.
func (f *format) string(text string) string {
	if f.text == nil {
		return text
	}
	var out strings.Builder
	for _, t := range f.text.tokens {
		switch t.part {
		case asText:
			out.WriteString(text)
		case literal:
			out.WriteString(t.text)
		}
	}
	return strings.TrimSpace(out.String())
}
