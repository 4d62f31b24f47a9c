// Package line reads lines of commands as a shell does, and starts none: words and
// their quotes, && and ||, semicolons, comments, pipes and here-documents. What a
// shell would look up elsewhere, such as files, programs and the output of other
// commands, is a syntax error. No I/O.
package line

import (
	"errors"
	"fmt"
	"strings"
)

// most is how many commands a script may have.
const most = 1000

// When says on what outcome of the command before it a command runs.
type When int

const (
	Always When = iota // after a semicolon or a line break
	And                // if the command before it succeeded
	Or                 // if it failed
)

// Command is a program and its arguments.
type Command struct {
	Words []string
	Input *string // what it reads, from a here-document; nil if it reads nothing
}

// Step is a pipeline of commands, of which each reads what the one before it wrote.
type Step struct {
	When     When
	Commands []Command
}

// SyntaxError is why a text is no script.
type SyntaxError struct{ Text string }

func (e *SyntaxError) Error() string { return "sh: " + e.Text }

func syntax(format string, args ...any) error { return &SyntaxError{fmt.Sprintf(format, args...)} }

// ErrLong is the error of a script with too many commands.
var ErrLong = errors.New("sh: too many commands")

// Parse reads a script. The error is a *SyntaxError, or [ErrLong].
func Parse(script string) ([]Step, error) {
	p := &parser{lexer: lexer{text: script}}
	return p.script()
}

type parser struct {
	lexer
	steps   []Step
	pending []heredoc // whose text begins on the next line
}

// heredoc is a text that is still to be read, for a command of a step.
type heredoc struct {
	end           string
	stripTabs     bool
	step, command int
}

func (p *parser) script() ([]Step, error) {
	when := Always
	commands := 0
	for {
		step, end, err := p.pipeline()
		if err != nil {
			return nil, err
		}
		if len(step.Commands) > 0 {
			step.When = when
			p.steps = append(p.steps, step)
			if commands += len(step.Commands); commands > most {
				return nil, ErrLong
			}
		} else if end == "&&" || end == "||" || end == ";" || when != Always && end == "" {
			return nil, syntax("syntax error near %q", cmpOr(end, "end of script"))
		}
		switch end {
		case "":
			if len(p.pending) > 0 {
				return nil, syntax("here-document without an end: %s", p.pending[0].end)
			}
			return p.steps, nil
		case "&&":
			when = And
		case "||":
			when = Or
		case "\n":
			if err := p.heredocs(); err != nil {
				return nil, err
			}
			if len(step.Commands) > 0 { // && at the end of a line goes on with the next
				when = Always
			}
		default:
			when = Always
		}
	}
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// pipeline reads commands that are connected by pipes, and the operator after them.
func (p *parser) pipeline() (step Step, end string, err error) {
	var words []string
	for {
		t, err := p.next()
		if err != nil {
			return step, "", err
		}
		switch {
		case !t.operator:
			words = append(words, t.text)
			continue
		case t.text == "<<" || t.text == "<<-":
			mark, err := p.next()
			if err != nil {
				return step, "", err
			}
			if mark.operator || mark.text == "" {
				return step, "", syntax("syntax error near %q", t.text)
			}
			p.pending = append(p.pending, heredoc{mark.text, t.text == "<<-", len(p.steps), len(step.Commands)})
			continue
		case t.text == "2>&1" || t.text == "2>/dev/null":
			continue // what goes wrong is told anyway
		}
		if len(words) > 0 {
			step.Commands = append(step.Commands, Command{Words: words})
		} else if t.text == "|" || len(step.Commands) > 0 {
			return step, "", syntax("syntax error near %q", cmpOr(strings.ReplaceAll(t.text, "\n", "newline"), "end of script"))
		}
		if t.text != "|" {
			return step, t.text, nil
		}
		words = nil
	}
}

// heredocs reads the texts that begin on this line.
func (p *parser) heredocs() error {
	for _, h := range p.pending {
		var text strings.Builder
		for {
			if p.at >= len(p.text) {
				return syntax("here-document without an end: %s", h.end)
			}
			row, rest, _ := strings.Cut(p.text[p.at:], "\n")
			p.at = len(p.text) - len(rest)
			if h.stripTabs {
				row = strings.TrimLeft(row, "\t")
			}
			if strings.TrimSuffix(row, "\r") == h.end {
				break
			}
			text.WriteString(row + "\n")
		}
		if h.step >= len(p.steps) || h.command >= len(p.steps[h.step].Commands) {
			return syntax("here-document without a command")
		}
		p.steps[h.step].Commands[h.command].Input = new(text.String())
	}
	p.pending = nil
	return nil
}
