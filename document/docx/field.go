package docx

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/fieldcode"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// field is a field that is open. Between its begin and its separator stands the
// instruction, after that the result.
type field struct {
	instruction string
	result      bool
	hidden      bool // its result is not wanted
	link        string
}

const (
	maxFields      = 100
	maxInstruction = 10_000
)

// visible tells whether what is read here is shown: it is in no instruction.
func (r *reader) visible() bool {
	for i := range r.fields {
		if !r.fields[i].result || r.fields[i].hidden {
			return false
		}
	}
	return true
}

// fieldLink returns where the innermost field leads that is a link.
func (r *reader) fieldLink() string {
	for i := len(r.fields) - 1; i >= 0; i-- {
		if r.fields[i].link != "" {
			return r.fields[i].link
		}
	}
	return ""
}

// fieldsOf follows the fields of a run whose text is hidden.
func (l *line) fieldsOf(n *zipped.Node) {
	for c := range n.All() {
		if c.Name == "w:fldChar" || c.Name == "w:instrText" {
			l.fieldPart(c)
		}
	}
}

// fieldPart reads a part of a field that is spread over runs.
func (l *line) fieldPart(n *zipped.Node) {
	last := len(l.fields) - 1
	if n.Name == "w:instrText" {
		if last >= 0 && len(l.fields[last].instruction) < maxInstruction {
			l.fields[last].instruction += n.Content()
		}
		return
	}
	switch n.Get("w:fldCharType") {
	case "begin":
		l.form(n.Child("w:ffData"))
		if last < maxFields {
			l.fields = append(l.fields, field{})
		} else {
			l.doc.Incomplete(tree.ErrTooComplex)
		}
	case "separate":
		if last >= 0 {
			l.fields[last].separate(l.margin)
		}
	case "end":
		if last >= 0 {
			ended := l.fields[last]
			l.fields = l.fields[:last]
			if !ended.result {
				l.write(fieldcode.Shown(ended.instruction), 0, "")
			}
		}
	}
}

// separate begins the result of a field.
func (f *field) separate(margin bool) {
	f.result = true
	f.link = fieldcode.Link(f.instruction)
	f.hidden = hidesResult(f.instruction, margin)
}

// hidesResult tells whether the result of a field is not wanted: the choices of a
// form, which are read elsewhere, and page numbers.
func hidesResult(instruction string, margin bool) bool {
	switch fieldcode.Name(instruction) {
	case "FORMCHECKBOX", "FORMDROPDOWN":
		return true
	case "PAGE", "NUMPAGES", "SECTIONPAGES":
		return margin
	}
	return false
}

// simpleField reads a field that is one element.
func (l *line) simpleField(n *zipped.Node, link string) {
	instruction := n.Get("w:instr")
	if to := fieldcode.Link(instruction); to != "" {
		link = to
	}
	if !hidesResult(instruction, l.margin) {
		l.inline(n, link)
	}
}

// form writes what was ticked or chosen in a form.
func (l *line) form(data *zipped.Node) {
	if c := data.Child("w:checkBox"); c != nil {
		state := c.Child("w:checked")
		if state == nil {
			state = c.Child("w:default")
		}
		l.write(tree.Box(state != nil && toggleOf(state) == on), 0, "")
	}
	if list := data.Child("w:ddList"); list != nil {
		chosen, _ := strconv.Atoi(list.Child("w:result").Get("w:val"))
		for c := range list.All() {
			if c.Name != "w:listEntry" {
				continue
			}
			if chosen == 0 {
				l.write(c.Get("w:val"), 0, "")
				return
			}
			chosen--
		}
	}
}

// note writes a reference to a note and reads the note when it is met first.
func (l *line) note(n *zipped.Node) {
	kind := strings.TrimSuffix(n.Name, "Reference")
	if !l.visible() || !l.readNote(kind, n.Get("w:id")) {
		return
	}
	l.add(tree.Span{Note: noteName(kind, n.Get("w:id"))})
}
