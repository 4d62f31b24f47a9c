package rtf

// kind is what a token is.
type kind uint8

const (
	end     kind = iota
	opened       // {
	closed       // }
	word         // \name or \name12
	symbol       // \ and a character that is no letter
	escaped      // \'e4
	text         // anything else
	binary       // the data of \bin
)

// token is a piece of the stream.
type token struct {
	kind  kind
	char  byte   // of symbols and escapes
	name  []byte // of words
	value int    // of words
	given bool   // whether a word has a value
	text  []byte
}

// tokens splits a stream.
type tokens struct {
	in []byte
	at int
}

func (s *tokens) next() token {
	for s.at < len(s.in) {
		switch s.in[s.at] {
		case '{':
			s.at++
			return token{kind: opened}
		case '}':
			s.at++
			return token{kind: closed}
		case '\\':
			s.at++
			return s.control()
		case '\r', '\n', 0:
			s.at++
		default:
			return s.text()
		}
	}
	return token{kind: end}
}

func (s *tokens) text() token {
	from := s.at
	for s.at < len(s.in) {
		switch s.in[s.at] {
		case '{', '}', '\\', '\r', '\n', 0:
			return token{kind: text, text: s.in[from:s.at]}
		}
		s.at++
	}
	return token{kind: text, text: s.in[from:s.at]}
}

func (s *tokens) control() token {
	if s.at >= len(s.in) {
		return token{kind: end}
	}
	c := s.in[s.at]
	switch {
	case isLetter(c):
		return s.word()
	case c == '\'':
		return s.escape()
	}
	s.at++
	if c == '\r' && s.at < len(s.in) && s.in[s.at] == '\n' {
		s.at++
	}
	return token{kind: symbol, char: c}
}

func (s *tokens) escape() token {
	s.at++
	value, n := byte(0), 0
	for n < 2 && s.at < len(s.in) {
		digit, ok := hexDigit(s.in[s.at])
		if !ok {
			break
		}
		value = value<<4 | digit
		s.at++
		n++
	}
	if n == 0 {
		return token{kind: text}
	}
	return token{kind: escaped, char: value}
}

func (s *tokens) word() token {
	from := s.at
	for s.at < len(s.in) && isLetter(s.in[s.at]) {
		s.at++
	}
	t := token{kind: word, name: s.in[from:s.at]}
	t.value, t.given = s.number()
	if s.at < len(s.in) && s.in[s.at] == ' ' {
		s.at++
	}
	if string(t.name) == "bin" {
		n := min(max(t.value, 0), len(s.in)-s.at)
		t.kind, t.text = binary, s.in[s.at:s.at+n]
		s.at += n
	}
	return t
}

// number reads the value of a word. Those that are out of range are bounded.
func (s *tokens) number() (int, bool) {
	at := s.at
	negative := at < len(s.in) && s.in[at] == '-'
	if negative {
		at++
	}
	from, value := at, 0
	for at < len(s.in) && s.in[at] >= '0' && s.in[at] <= '9' {
		value = min(value*10+int(s.in[at]-'0'), 1<<31)
		at++
	}
	if at == from {
		return 0, false
	}
	s.at = at
	if negative {
		value = -value
	}
	return value, true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
