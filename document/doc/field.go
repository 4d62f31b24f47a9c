package doc

import "strings"

const (
	maxFields = 64
	maxCode   = 4096
)

// field is a field that has begun: first comes its code, then its result.
type field struct {
	text     strings.Builder
	inResult bool
	checked  bool // a box to tick is
	link     string
}

// fieldStack holds the fields that a place of the text is in.
type fieldStack struct {
	open []*field
	deep int // fields beyond maxFields
}

func (s *fieldStack) begin() {
	if len(s.open) >= maxFields {
		s.deep++
		return
	}
	s.open = append(s.open, &field{link: s.link()})
}

func (s *fieldStack) top() *field {
	if len(s.open) == 0 || s.deep > 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// result ends the code of the innermost field.
func (s *fieldStack) result() {
	if f := s.top(); f != nil && !f.inResult {
		f.inResult = true
		if target := hyperlink(f.text.String()); target != "" {
			f.link = target
		}
	}
}

// setData takes the data of a field of a form, of which only whether a box is
// ticked matters.
func (s *fieldStack) setData(d data) {
	if f := s.top(); f != nil {
		f.checked = d.u16(d.u16(4)+4)>>2&0x1F == 1
	}
}

// end ends the innermost field. It returns the text that a field without a result
// shows, which is mostly none.
func (s *fieldStack) end() string {
	f := s.top()
	if f == nil {
		s.deep = max(0, s.deep-1)
		return ""
	}
	s.open = s.open[:len(s.open)-1]
	words := strings.Fields(f.text.String())
	switch {
	case s.inCode():
	case len(words) > 0 && strings.EqualFold(words[0], "FORMCHECKBOX"):
		if f.checked {
			return "☒"
		}
		return "☐"
	case f.inResult:
	case len(words) > 2 && strings.EqualFold(words[0], "MACROBUTTON"):
		return strings.Join(words[2:], " ")
	}
	return ""
}

// inCode tells whether text is code of a field and not shown.
func (s *fieldStack) inCode() bool {
	for _, f := range s.open {
		if !f.inResult {
			return true
		}
	}
	return s.deep > 0
}

// code adds to the code of the innermost field.
func (s *fieldStack) code(text string) {
	if f := s.top(); f != nil && f.text.Len()+len(text) <= maxCode {
		f.text.WriteString(text)
	}
}

// link returns the address of the link that a place of the text is in.
func (s *fieldStack) link() string {
	if len(s.open) == 0 {
		return ""
	}
	return s.open[len(s.open)-1].link
}

// hyperlink returns the address of a field that is a link out of the document.
func hyperlink(code string) string {
	rest, ok := cutWord(code, "HYPERLINK")
	if !ok {
		return ""
	}
	address, place := "", ""
	for rest != "" {
		var word string
		word, rest = argument(rest)
		switch strings.ToLower(word) {
		case `\l`:
			place, rest = argument(rest)
		case `\o`, `\t`, `\s`:
			_, rest = argument(rest)
		case `\m`, `\n`, `\h`, "":
		default:
			if address == "" {
				address = word
			}
		}
	}
	if address == "" {
		return ""
	}
	if place != "" && !strings.Contains(address, "#") {
		address += "#" + place
	}
	for _, scheme := range []string{"javascript:", "vbscript:", "data:"} {
		if len(address) >= len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
			return ""
		}
	}
	return address
}

func cutWord(code, word string) (string, bool) {
	code = strings.TrimLeft(code, " ")
	if len(code) < len(word) || !strings.EqualFold(code[:len(word)], word) {
		return "", false
	}
	return code[len(word):], true
}

// argument returns the first argument of the code of a field and what follows it.
func argument(code string) (arg, rest string) {
	code = strings.TrimLeft(code, " \u00A0\t")
	if quoted, ok := strings.CutPrefix(code, `"`); ok {
		arg, rest, _ = strings.Cut(quoted, `"`)
		return strings.ReplaceAll(arg, `\\`, `\`), rest
	}
	arg, rest, _ = strings.Cut(code, " ")
	return arg, rest
}
