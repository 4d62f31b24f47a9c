package zipped

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// Kind is what a [Scanner] has come to.
type Kind uint8

// What there is in XML, as far as a [Scanner] tells.
const (
	AtEnd Kind = iota
	AtOpen
	AtClose
	AtText
)

// Scanner reads XML tag by tag and builds nothing, for parts of millions of elements
// of which little matters. It forgives what [Parse] forgives, which reads by it.
//
// Names are as they stand in the file. What it returns shares the memory of the part.
type Scanner struct {
	src     string
	at      int
	name    string // of the element, with its prefix
	tag     string // its attributes, as they stand
	text    string // as it stands
	literal bool   // the text needs no unescaping
	empty   bool   // the element that was opened is to be closed at once
	err     error
}

// NewScanner reads XML, in whatever encoding it declares. Document type declarations
// are refused.
func NewScanner(body []byte) (*Scanner, error) { return newScanner(string(body)) }

func newScanner(body string) (*Scanner, error) {
	s := &Scanner{src: decode(body)}
	if head := s.src[:min(len(s.src), 4096)]; strings.Contains(head, "<!DOCTYPE") {
		return nil, errDeclaration
	}
	return s, nil
}

var errDeclaration = fmt.Errorf("document type declaration: %w", tree.ErrDamaged)

// Next goes on to the next tag or text. An element without content is opened and
// closed like others.
func (s *Scanner) Next() Kind {
	if s.empty {
		s.empty = false
		return AtClose
	}
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		if rest[0] != '<' {
			end := strings.IndexByte(rest, '<')
			if end < 0 {
				end = len(rest)
			}
			s.text, s.literal = rest[:end], false
			s.at += end
			return AtText
		}
		switch {
		case len(rest) == 1 || rest[1] != '!' && rest[1] != '?':
			return s.element(rest)
		case strings.HasPrefix(rest, "<![CDATA["):
			s.text, s.literal = s.skip(len("<![CDATA["), "]]>"), true
			return AtText
		case strings.HasPrefix(rest, "<!--"):
			s.skip(len("<!--"), "-->")
		case rest[1] == '?':
			s.skip(len("<?"), "?>")
		default:
			s.err = errDeclaration
			s.at = len(s.src)
		}
	}
	return AtEnd
}

// skip goes behind what begins here and returns what is in it.
func (s *Scanner) skip(begin int, end string) string {
	inside := s.src[s.at+begin:]
	n := strings.Index(inside, end)
	if n < 0 {
		s.at = len(s.src)
		return inside
	}
	s.at += begin + n + len(end)
	return inside[:n]
}

// element reads a tag. One that is never ended ends before the next.
func (s *Scanner) element(rest string) Kind {
	end := tagEnd(rest)
	if end < 0 {
		s.at = len(s.src)
		return AtEnd
	}
	s.at += end
	if rest[end] == '>' {
		s.at++
	}
	tag := rest[1:end]
	if strings.HasPrefix(tag, "/") {
		s.name = strings.TrimRight(tag[1:], " \t\n")
		return AtClose
	}
	if strings.HasSuffix(tag, "/") {
		s.empty = true
		tag = tag[:len(tag)-1]
	}
	n := 0
	for n < len(tag) && !isSpace(tag[n]) {
		n++
	}
	s.name, s.tag = tag[:n], tag[n:]
	return AtOpen
}

// tagEnd returns where a tag ends; there may be brackets in its attributes.
func tagEnd(tag string) int {
	var quote byte
	for i := 1; i < len(tag); i++ {
		switch c := tag[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>' || c == '<':
			return i
		case c == '"' || c == '\'':
			quote = c
		}
	}
	return -1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// Name returns the name of the element without its prefix.
func (s *Scanner) Name() string { return local(s.name) }

func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// attribute takes the first attribute off a tag. Its value is as it stands.
func attribute(tag string) (name, value, rest string, ok bool) {
	for tag != "" && (isSpace(tag[0]) || tag[0] == '/' || tag[0] == '"' || tag[0] == '\'' || tag[0] == '=') {
		tag = tag[1:]
	}
	if tag == "" {
		return "", "", "", false
	}
	n := 0
	for n < len(tag) && tag[n] != '=' && !isSpace(tag[n]) && tag[n] != '"' && tag[n] != '\'' {
		n++
	}
	name = tag[:n]
	rest = strings.TrimLeft(tag[n:], " \t\n")
	if !strings.HasPrefix(rest, "=") {
		return name, "", rest, true
	}
	rest = strings.TrimLeft(rest[1:], " \t\n")
	if rest == "" {
		return name, "", "", true
	}
	if quote := rest[0]; quote == '"' || quote == '\'' {
		if n = strings.IndexByte(rest[1:], quote); n >= 0 {
			return name, rest[1 : n+1], rest[n+2:], true
		}
		return name, "", "", true
	}
	n = 0
	for n < len(rest) && !isSpace(rest[n]) {
		n++
	}
	return name, rest[:n], rest[n:], true
}

// Raw returns an attribute of the element as it stands, by its name without a prefix.
func (s *Scanner) Raw(name string) string {
	for rest := s.tag; rest != ""; {
		key, value, more, ok := attribute(rest)
		if !ok {
			break
		}
		if local(key) == name {
			return value
		}
		rest = more
	}
	return ""
}

// Get returns an attribute of the element.
func (s *Scanner) Get(name string) string { return unescape(s.Raw(name)) }

// Content returns the text that was met.
func (s *Scanner) Content() string {
	if s.literal {
		return s.text
	}
	return unescape(s.text)
}

// Inner reads on to the end of the element that was opened and returns the text in
// it, without that in elements of the name except.
func (s *Scanner) Inner(except string) string {
	first := ""
	var more []byte
	for depth, skipped := 1, 0; depth > 0; {
		switch s.Next() {
		case AtEnd:
			depth = 0
		case AtOpen:
			depth++
			if skipped == 0 && except != "" && s.Name() == except {
				skipped = depth
			}
		case AtClose:
			if depth == skipped {
				skipped = 0
			}
			depth--
		case AtText:
			switch {
			case skipped > 0:
			case first == "":
				first = s.Content()
			default:
				more = append(more, s.Content()...)
			}
		}
	}
	return first + string(more)
}
