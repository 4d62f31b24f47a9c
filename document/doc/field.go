package doc

import (
	"strings"

	"github.com/trawlhq/trawl/document/fieldcode"
	"github.com/trawlhq/trawl/document/tree"
)

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
	deep int  // fields beyond maxFields
	lost bool // there were such
}

func (s *fieldStack) begin() {
	if len(s.open) >= maxFields {
		s.deep++
		s.lost = true
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
		if target := fieldcode.Link(f.text.String()); target != "" {
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
	switch {
	case s.inCode():
	case fieldcode.Name(f.text.String()) == "FORMCHECKBOX":
		return tree.Box(f.checked)
	case !f.inResult:
		return fieldcode.Shown(f.text.String())
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
