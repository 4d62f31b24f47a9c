package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/internal/testtime"
)

// tidy removes what tests left behind: the database server that one started and
// the program that one built.
type tidy struct{ m *testing.M }

func (t tidy) Run() int {
	defer os.Remove(builtProgram)
	return testpg.Main(t.m)
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == document.WorkerArgument {
		os.Exit(work(os.Args[2:]))
	}
	testscript.Main(tidy{m}, map[string]func(){"trawl": func() {
		p := &program{
			env: parseEnv(os.Environ()), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
			now: time.Now, machine: bareMachine(),
		}
		os.Exit(p.run(context.Background(), os.Args[1:]))
	}})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else the race detector lets every command linger for a second
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"field": scriptField},
	})
}

// scriptField is the script command "field NAME": it sets the variable of that
// name to the field of that name in the JSON object last printed.
func scriptField(ts *testscript.TestScript, _ bool, args []string) {
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &object))
	text, ok := object[args[0]].(string)
	if !ok {
		ts.Fatalf("no text field %s in %v", args[0], object)
	}
	ts.Setenv(args[0], text)
}

// fakeResolver knows one answer to every question.
type fakeResolver struct{ err error }

func (r fakeResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, r.err
}

// noBrowsers finds no browser, but looks at those that are named.
func noBrowsers(full, shell string) (chromium.Programs, error) {
	if full == "" && shell == "" {
		return chromium.Programs{}, chromium.ErrNoBrowser
	}
	return chromium.Find(full, shell)
}

// bareMachine is a machine without network and programs; only endpoints on the
// loopback interface can be reached.
func bareMachine() machine {
	return machine{
		resolver:  fakeResolver{errors.New("no network")},
		transport: egress.Infrastructure(),
		free:      func(string) (size, error) { return 5 << 30, nil },
		browsers:  noBrowsers,
		version:   func(context.Context, string) (string, error) { return "", exec.ErrNotFound },
		render:    func(context.Context, browser.Config) error { return errors.New("no browser") },
		namespace: func(context.Context) error { return nil },
		user:      func() string { return "someone" },
		look:      func(string) (string, error) { return "", exec.ErrNotFound },
		languages: func(context.Context, string) ([]string, error) { return nil, exec.ErrNotFound },
		patience:  testtime.Patience,
	}
}

// result is what a command line left behind.
type result struct {
	code           int
	stdout, stderr string
}

// execute runs a command line in this process, with HOME in a folder of its own.
func execute(t *testing.T, env map[string]string, args ...string) result {
	t.Helper()
	all := map[string]string{"HOME": t.TempDir()}
	for name, value := range env {
		all[name] = value
	}
	var stdout, stderr bytes.Buffer
	p := &program{
		env: all, stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr,
		now: time.Now, machine: bareMachine(),
	}
	code := p.run(t.Context(), args)
	return result{code, stdout.String(), stderr.String()}
}

func TestRun(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"version"}, []string{"HOME=/nowhere"}, strings.NewReader(""), &stdout, &stderr)
	want := "trawl " + trawl.Version + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	if code != 0 || stdout.String() != want || stderr.Len() != 0 {
		t.Errorf("version: code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		env  map[string]string
		args []string
		want int
	}{
		{"success", nil, []string{"config"}, 0},
		{"help", nil, []string{"keys", "revoke", "--help"}, 0},
		{"no command", nil, nil, 2},
		{"unknown command", nil, []string{"sing"}, 2},
		{"unknown flag", nil, []string{"config", "--sing"}, 2},
		{"missing argument", nil, []string{"keys", "revoke"}, 2},
		{"unknown variable", map[string]string{"TRAWL_SING": "1"}, []string{"config"}, 2},
		{"bad value", map[string]string{"TRAWL_CONCURRENCY": "0"}, []string{"config"}, 2},
		{"bad amount", nil, []string{"credits", "grant", "default", "many"}, 2},
		{"failure", nil, []string{"credits", "show", "nobody"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := execute(t, tt.env, tt.args...)
			if got.code != tt.want {
				t.Errorf("exit code %d, want %d; stderr: %s", got.code, tt.want, got.stderr)
			}
			if got.code != 0 && !strings.HasPrefix(got.stderr, "trawl: ") {
				t.Errorf("stderr %q does not start with the name of the program", got.stderr)
			}
		})
	}
}
