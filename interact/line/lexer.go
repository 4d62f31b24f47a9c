package line

import "strings"

// token is a word without its quotes, or an operator. The end of the script is an
// operator without text.
type token struct {
	text     string
	operator bool
}

type lexer struct {
	text string
	at   int
}

// operators, of which the longest that fits is meant.
var operators = []string{"2>/dev/null", "2>&1", "&&", "||", "<<-", "<<", "|", ";", "\n"}

func (l *lexer) next() (token, error) {
	l.skip()
	rest := l.text[l.at:]
	if rest == "" {
		return token{operator: true}, nil
	}
	if strings.HasPrefix(rest, "<<<") {
		return token{}, syntax("here-strings are not offered; write echo '…' | agent-browser eval --stdin")
	}
	for _, operator := range operators {
		if strings.HasPrefix(rest, operator) {
			l.at += len(operator)
			return token{operator, true}, nil
		}
	}
	switch rest[0] {
	case '&':
		return token{}, syntax("commands do not run in the background here")
	case '(', ')':
		return token{}, syntax("syntax error near %q", rest[:1])
	case '<', '>':
		return token{}, syntax("there are no files to redirect to or from here")
	}
	return l.word()
}

// skip passes blanks, escaped line breaks and comments.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			l.at++
		case strings.HasPrefix(rest, "\\\n"):
			l.at += 2
		case strings.HasPrefix(rest, "\\\r\n"):
			l.at += 3
		case rest[0] == '#':
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.at += end
		default:
			return
		}
	}
}

// word reads up to the next blank or operator outside of quotes.
func (l *lexer) word() (token, error) {
	var word strings.Builder
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch c {
		case ' ', '\t', '\r', '\n', ';', '|', '&', '<', '>', '(', ')':
			return token{text: word.String()}, nil
		case '\'':
			end := strings.IndexByte(l.text[l.at+1:], '\'')
			if end < 0 {
				return token{}, syntax("unterminated quoted string")
			}
			word.WriteString(l.text[l.at+1 : l.at+1+end])
			l.at += end + 2
		case '"':
			if err := l.double(&word); err != nil {
				return token{}, err
			}
		case '\\':
			if err := l.escape(&word); err != nil {
				return token{}, err
			}
		default:
			if err := l.expands(); err != nil {
				return token{}, err
			}
			word.WriteByte(c)
			l.at++
		}
	}
	return token{text: word.String()}, nil
}

// escape reads a backslash and what it takes the meaning of.
func (l *lexer) escape(word *strings.Builder) error {
	l.at++
	if l.at == len(l.text) {
		return syntax("nothing after a backslash")
	}
	if l.text[l.at] != '\n' {
		word.WriteByte(l.text[l.at])
	}
	l.at++
	return nil
}

// double reads what is in double quotes, where a backslash has a meaning before few
// characters.
func (l *lexer) double(word *strings.Builder) error {
	l.at++
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '"':
			l.at++
			return nil
		case c == '\\' && l.at+1 < len(l.text) && strings.IndexByte("$`\"\\\n", l.text[l.at+1]) >= 0:
			if err := l.escape(word); err != nil {
				return err
			}
		default:
			if err := l.expands(); err != nil {
				return err
			}
			word.WriteByte(c)
			l.at++
		}
	}
	return syntax("unterminated quoted string")
}

// expands refuses what stands for the output of another command. A name after a
// dollar stays as it is.
func (l *lexer) expands() error {
	if rest := l.text[l.at:]; strings.HasPrefix(rest, "$(") || rest[0] == '`' {
		return syntax("commands within words are not run here; put the text into single quotes if it is meant as it is")
	}
	return nil
}
