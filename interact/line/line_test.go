package line_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/interact/line"
)

// written returns steps in a notation in which every word has brackets.
func written(steps []line.Step) string {
	var out strings.Builder
	for i, step := range steps {
		if i > 0 {
			out.WriteString([]string{" ; ", " && ", " || "}[step.When])
		}
		for j, command := range step.Commands {
			if j > 0 {
				out.WriteString(" | ")
			}
			for _, word := range command.Words {
				fmt.Fprintf(&out, "[%s]", word)
			}
			if command.Input != nil {
				fmt.Fprintf(&out, "<%q", *command.Input)
			}
		}
	}
	return out.String()
}

func TestParse(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"":                         "",
		" \n\n# only this\n":       "",
		"a b\tc":                   "[a][b][c]",
		"a 'b  c' \"d e\" f\\ g":   "[a][b  c][d e][f g]",
		`a "x\"y\\z\n"'q'r`:        `[a][x"y\z\nqr]`,
		`a "" ''`:                  "[a][][]",
		"a && b || c; d\ne":        "[a] && [b] || [c] ; [d] ; [e]",
		"a &&\n  b":                "[a] && [b]",
		"a&&b;c":                   "[a] && [b] ; [c]",
		"a # comment && b\nc#d":    "[a] ; [c#d]",
		"a \\\n b":                 "[a][b]",
		"echo 'x' | eval --stdin":  "[echo][x] | [eval][--stdin]",
		"eval <<'E'\n1 && 2\n#\nE": `[eval]<"1 && 2\n#\n"`,
		"cat <<-E | eval --stdin && b\n\tx\n\tE\nc": `[cat]<"x\n" | [eval][--stdin] && [b] ; [c]`,
		"a <<X\nX":                     `[a]<""`,
		"a 2>&1 | b 2>/dev/null":       "[a] | [b]",
		"click @e1; fill \"#n\" $HOME": "[click][@e1] ; [fill][#n][$HOME]",
		"a\r\nb\r\n":                   "[a] ; [b]",
		"eval 'a\nb'":                  "[eval][a\nb]",
		"é \xff":                       "[é][\xff]",
	} {
		steps, err := line.Parse(script)
		if err != nil || written(steps) != want {
			t.Errorf("%q = %s, %v; want %s", script, written(steps), err, want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"'a", `"a`, "a \\", "&& a", "a &&", "a ||", "a | | b", "| a", "a |", "a & b", "a > f", "a < f", "(a)", "a $(b)", "a `b`", `a "$(b)"`,
		"a <<", "a <<E\nx", "a <<<x", ";", "a ;; b", "<<E\nx\nE", "a && ; b",
	} {
		steps, err := line.Parse(script)
		if _, ok := errors.AsType[*line.SyntaxError](err); !ok || !strings.HasPrefix(err.Error(), "sh: ") {
			t.Errorf("%q = %s, %v", script, written(steps), err)
		}
	}
	if _, err := line.Parse(strings.Repeat("a;", 1001)); !errors.Is(err, line.ErrLong) {
		t.Errorf("too many commands: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a 'b' && c \"d\" || e | f <<X\ny\nX\n")
	f.Fuzz(func(t *testing.T, script string) {
		steps, err := line.Parse(script)
		for _, step := range steps {
			if len(step.Commands) == 0 {
				t.Error("a step without a command")
			}
			for _, command := range step.Commands {
				if len(command.Words) == 0 {
					t.Error("a command without a word")
				}
			}
		}
		if err != nil && steps != nil {
			t.Error("steps of what is no script")
		}
	})
}
