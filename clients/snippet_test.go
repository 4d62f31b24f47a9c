//go:build clients

package clients_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testtime"
)

// fewestSnippets is how many programs docs/integrations.md has at least.
const fewestSnippets = 8

var snippet = regexp.MustCompile("(?ms)^```(js|python|sh)\n(.*?)^```$")

// TestSnippets runs the programs in docs/integrations.md as they are, but for the
// address, the key and the page.
func TestSnippets(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/integrations.md")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS(filepath.Join("integrations", "python"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(installed(t), "node_modules"), filepath.Join(work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t, work), "LOOPBACK_REFUSED="+noRefusals(t, work))
	programs := map[string][]string{
		"js": {node(t)}, "python": {filepath.Join(installed(t), "venv", "bin", "python"), "run.py"}, "sh": {"/bin/sh", "-e"},
	}
	ending := map[string]string{"js": ".mjs", "python": ".py", "sh": ".sh"}
	replace := strings.NewReplacer("http://127.0.0.1:3002", valueOf(env, "TRAWL_URL"), "fc-your-key", firstKey, "https://example.com", valueOf(env, "SITE_URL")+"/a")
	found := snippet.FindAllStringSubmatch(string(text), -1)
	if len(found) < fewestSnippets {
		t.Errorf("only %d programs", len(found))
	}
	for i, match := range found {
		name := fmt.Sprintf("snippet%d%s", i+1, ending[match[1]])
		if err := os.WriteFile(filepath.Join(work, name), []byte(replace.Replace(match[2])), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := append(programs[match[1]], name)
			cmd := together(exec.CommandContext(testtime.Context(t), command[0], command[1:]...))
			cmd.Dir, cmd.Env = work, env
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Apples are round fruit.") {
				t.Errorf("%v\n%s\n%s", err, match[2], out)
			}
		})
	}
}

// valueOf returns the value of a variable.
func valueOf(env []string, name string) string {
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}
