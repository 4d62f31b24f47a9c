package fieldcode

import (
	"strings"
	"unicode/utf8"
)

// Shown returns what a field shows of which no result is kept: the text of a button,
// or that of an equation. Other fields show nothing.
func Shown(instruction string) string {
	switch Name(instruction) {
	case "MACROBUTTON", "GOTOBUTTON":
		if words := Words(instruction); len(words) > 2 {
			return strings.Join(words[2:], " ")
		}
	case "EQ":
		rest := strings.TrimLeft(instruction, blanks)[len("EQ"):]
		e := equation{rest: strings.ToValidUTF8(rest[:min(len(rest), maxEquation)], "")}
		return strings.Join(strings.Fields(e.text(0)), " ")
	}
	return ""
}

// equation reads the instruction of an equation, which is text with commands in it,
// such as \f(1,2) for a half. Commands may have options: \o\ad(…).
type equation struct{ rest string }

// maxNested bounds how deep commands are in each other, maxEquation how long an
// equation is.
const (
	maxNested   = 16
	maxEquation = 4 << 10
)

// text reads up to the end of an argument.
func (e *equation) text(depth int) string {
	var out strings.Builder
	for e.rest != "" {
		switch c := e.rest[0]; {
		case c == '\\':
			e.rest = e.rest[1:]
			out.WriteString(e.command(depth))
		case depth > 0 && (c == ',' || c == ';' || c == ')'):
			return out.String()
		case c == '(' && depth > 0 && depth < maxNested: // parentheses of the text
			e.rest = e.rest[1:]
			out.WriteString("(" + strings.Join(e.arguments(depth), ",") + ")")
		case c == '"':
			e.rest = e.rest[1:]
		default:
			out.WriteString(e.char())
		}
	}
	return out.String()
}

// char takes a character.
func (e *equation) char() string {
	_, n := utf8.DecodeRuneInString(e.rest)
	c := e.rest[:n]
	e.rest = e.rest[n:]
	return c
}

// command reads what stands behind a backslash.
func (e *equation) command(depth int) string {
	name := e.name()
	switch {
	case name == "*": // how the whole field is set
		e.rest = strings.TrimLeft(e.rest, blanks)
		if strings.HasPrefix(e.rest, `"`) {
			_, e.rest, _ = strings.Cut(e.rest[1:], `"`)
		} else if n := strings.IndexAny(e.rest, blanks+`\`); n >= 0 {
			e.rest = e.rest[n:]
		} else {
			e.rest = ""
		}
		return ""
	case len(name) != 1 || name[0]|0x20 < 'a' || name[0]|0x20 > 'z':
		return name // a sign that would else mean something
	}
	raised := e.options()
	if !strings.HasPrefix(e.rest, "(") || depth == maxNested {
		return ""
	}
	e.rest = e.rest[1:]
	list := e.arguments(depth)
	switch strings.ToLower(name) {
	case "f":
		return strings.Join(list, "/")
	case "r":
		return strings.Join(list[:len(list)-1], "") + "√" + list[len(list)-1]
	case "o": // one over the other; what is raised tells how to say the rest
		return strings.Join(list, "")
	case "s":
		if raised && depth > 0 {
			return ""
		}
	}
	return strings.Join(list, " ")
}

// name takes the letter of a command, or a sign.
func (e *equation) name() string {
	if e.rest == "" {
		return ""
	}
	return e.char()
}

// options skips the options of a command and what belongs to them, and tells whether
// one of them raises what follows.
func (e *equation) options() (raised bool) {
	for {
		e.rest = strings.TrimLeft(e.rest, blanks)
		rest, ok := strings.CutPrefix(e.rest, `\`)
		if !ok || len(rest) < 2 {
			return raised
		}
		option := strings.ToLower(rest[:2])
		raised = raised || option == "up"
		rest = strings.TrimLeft(rest[2:], blanks+"0123456789")
		if option[1] == 'c' && strings.HasPrefix(rest, `\`) && option != "ac" { // a bracket: \lc\{
			e.rest = rest[1:]
			e.name()
			continue
		}
		e.rest = rest
	}
}

// arguments reads what stands in parentheses, of which the first was read.
func (e *equation) arguments(depth int) []string {
	var list []string
	for {
		list = append(list, e.text(depth+1))
		if e.rest == "" {
			return list
		}
		end := e.rest[0] == ')'
		e.rest = e.rest[1:]
		if end {
			return list
		}
	}
}
