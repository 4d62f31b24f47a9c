//go:build clients

package clients_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if os.Getenv(privateVariable) == "" {
		_ = os.Remove(builtProgram)
	}
	os.Exit(code)
}

// testRunner has Node.js run the files that follow as tests, some at a time.
var testRunner = []string{"--test", "--test-concurrency=4", "--test-reporter=spec"}

func TestJavaScript(t *testing.T) {
	t.Parallel()
	drive(t, "js", node(t), testRunner...)
}

func TestPython(t *testing.T) {
	t.Parallel()
	drive(t, "python", filepath.Join(installed(t), "venv", "bin", "python"))
}

func TestJavaScriptV1(t *testing.T) {
	t.Parallel()
	drive(t, "jsv1", node(t), testRunner...)
}

func TestPythonV1(t *testing.T) {
	t.Parallel()
	drive(t, "pythonv1", filepath.Join(installed(t), "venv", "bin", "python"))
}

func TestIntegrations(t *testing.T) {
	t.Parallel()
	t.Run("js", func(t *testing.T) {
		t.Parallel()
		drive(t, filepath.Join("integrations", "js"), node(t), testRunner...)
	})
	t.Run("python", func(t *testing.T) {
		t.Parallel()
		drive(t, filepath.Join("integrations", "python"), filepath.Join(installed(t), "venv", "bin", "python"))
	})
}

func TestMCP(t *testing.T) {
	t.Parallel()
	drive(t, "mcp", node(t), testRunner...)
}

func TestCLI(t *testing.T) {
	t.Parallel()
	drive(t, "cli", node(t), testRunner...)
}

// installed is the folder into which "make clients" installs the clients.
func installed(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("../.deps/official")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "package-lock.json")); err != nil {
		t.Fatalf("the clients are not installed, which make clients does: %v", err)
	}
	return folder
}

// node is a Node.js that is new enough for the clients.
func node(t *testing.T) string {
	t.Helper()
	program, err := filepath.EvalSymlinks(filepath.Join(installed(t), "node"))
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// drive runs the drivers of a folder: those whose name begins with test_ or has
// .test. in it. Others are what they share. None of them may try to leave the
// machine.
func drive(t *testing.T, folder, program string, args ...string) {
	t.Helper()
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	// Modules are looked for in the folders above the one that imports them.
	if err := os.Symlink(filepath.Join(installed(t), "node_modules"), filepath.Join(work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	drivers := driversIn(t, folder)
	env := append(environment(t, work), "LOOPBACK_REFUSED="+noRefusals(t, work))
	if len(args) > 0 { // Node.js runs all files and tells them apart itself
		run(t, work, env, program, append(args, drivers...)...)
		return
	}
	for _, driver := range drivers {
		t.Run(driver, func(t *testing.T) {
			t.Parallel()
			run(t, work, env, program, driver)
		})
	}
}

// noRefusals returns the file that must not be there when the test is over.
func noRefusals(t *testing.T, folder string) string {
	t.Helper()
	refused := filepath.Join(folder, "refused")
	t.Cleanup(func() {
		hosts, err := os.ReadFile(refused)
		switch {
		case err == nil:
			t.Errorf("the client tried to reach hosts beyond this machine:\n%s", hosts)
		case !errors.Is(err, fs.ErrNotExist):
			t.Error(err)
		}
	})
	return refused
}

func driversIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var drivers []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, "test_") || strings.Contains(name, ".test.") {
			drivers = append(drivers, name)
		}
	}
	if len(drivers) == 0 {
		t.Fatalf("no drivers in %s", folder)
	}
	return drivers
}

// environment starts what the drivers need and returns how they find it.
func environment(t *testing.T, home string) []string {
	t.Helper()
	site := startSite(t)
	service := startService(t, "TRAWL_LLM_BASE_URL="+startModel(t), "TRAWL_LLM_MODEL=stand-in", "TRAWL_SEARCH_URL="+startSearch(t, site))
	strict := startService(t, "TRAWL_BROWSER_SESSIONS=0", "TRAWL_RATE_SCRAPE=1", "TRAWL_RATE_CRAWL=1", "TRAWL_RATE_EXTRACT=1")
	modules := installed(t)
	guard, err := filepath.Abs("loopback.cjs")
	if err != nil {
		t.Fatal(err)
	}
	shared, err := filepath.Abs("python")
	if err != nil {
		t.Fatal(err)
	}
	path := []string{filepath.Dir(node(t)), filepath.Join(modules, "node_modules", ".bin"), os.Getenv("PATH")}
	return []string{
		"PATH=" + strings.Join(path, string(os.PathListSeparator)), "HOME=" + home, "LANG=C.UTF-8", "NO_COLOR=1", "PYTHONUNBUFFERED=1",
		"PYTHONPATH=" + shared, "PYTHON_V1=" + filepath.Join(modules, "v1"),
		"NODE_PATH=" + filepath.Join(modules, "node_modules"), "NODE_OPTIONS=--require=" + strconv.Quote(guard),
		"TRAWL_URL=" + service.url, "FIRECRAWL_API_URL=" + service.url,
		"TRAWL_KEY=" + firstKey, "FIRECRAWL_API_KEY=" + firstKey,
		"TRAWL_PROGRAM=" + builtProgram, "TRAWL_POOR_KEY=" + service.poorKey(), "TRAWL_STRICT_URL=" + strict.url, "SITE_URL=" + site,
	}
}

// run runs a program to its end, and ends it if the test does not wait for it.
func run(t *testing.T, dir string, env []string, program string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	cmd := together(exec.CommandContext(ctx, program, args...))
	cmd.Dir, cmd.Env = dir, slices.Clone(env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
	} else if testing.Verbose() {
		t.Logf("%s", out)
	}
}

// together has all that a command starts end with it.
func together(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
