//go:build clients

package clients_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outcomes say how the tests of a suite ended, by their names: passed, failed or
// skipped.
type outcomes map[string]string

// TestJavaScriptSuite runs the end-to-end tests that the client's package has in it,
// with the runner that its own package.json names.
func TestJavaScriptSuite(t *testing.T) {
	privately(t, namesOfSuites, func(t *testing.T) {
		work := t.TempDir()
		modules := filepath.Join(installed(t), "node_modules")
		if err := os.CopyFS(work, os.DirFS(filepath.Join(modules, "firecrawl"))); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(modules, filepath.Join(work, "node_modules")); err != nil {
			t.Fatal(err)
		}
		report := filepath.Join(work, "report.json")
		out := runSuite(t, work, node(t), "--experimental-vm-modules", filepath.Join(modules, "jest", "bin", "jest.js"),
			"--maxWorkers=4", "--json", "--outputFile="+report, "--testPathPatterns=/e2e/v2/[a-z]+[.]test[.]ts$")
		judge(t, "firecrawl", readJest(t, report), out)
	})
}

func readJest(t *testing.T, file string) outcomes {
	t.Helper()
	var report struct {
		TestResults []struct {
			Name             string
			Message          string
			AssertionResults []struct{ FullName, Status string }
		}
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil {
		t.Fatalf("report of the suite: %v", err)
	}
	ended := outcomes{}
	for _, file := range report.TestResults {
		if len(file.AssertionResults) == 0 {
			t.Errorf("%s: %s", filepath.Base(file.Name), file.Message)
		}
		for _, test := range file.AssertionResults {
			ended[test.FullName] = test.Status
		}
	}
	return ended
}

// TestPythonSuite runs the end-to-end tests that the client's wheel has in it.
func TestPythonSuite(t *testing.T) {
	privately(t, namesOfSuites, func(t *testing.T) {
		python := filepath.Join(installed(t), "venv", "bin", "python")
		found, err := filepath.Glob(filepath.Join(installed(t), "venv", "lib", "python*", "site-packages", "firecrawl", "__tests__", "e2e", "v2"))
		if err != nil || len(found) != 1 {
			t.Fatalf("the wheel has no tests: %v %v", found, err)
		}
		work := t.TempDir()
		if err := os.CopyFS(work, os.DirFS(found[0])); err != nil {
			t.Fatal(err)
		}
		report := filepath.Join(work, "report.xml")
		out := runSuite(t, work, python, "-m", "pytest", "--import-mode=importlib", "-q", "--tb=short", "-p", "no:cacheprovider",
			"--numprocesses=4", "--dist=loadfile", "--junitxml="+report, ".")
		judge(t, "firecrawl-py", readJUnit(t, report), out)
	})
}

func readJUnit(t *testing.T, file string) outcomes {
	t.Helper()
	var report struct {
		Cases []struct {
			Class   string    `xml:"classname,attr"`
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testsuite>testcase"`
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = xml.Unmarshal(data, &report)
	}
	if err != nil {
		t.Fatalf("report of the suite: %v", err)
	}
	ended := outcomes{}
	for _, test := range report.Cases {
		name := test.Class + "." + test.Name
		switch {
		case test.Failure != nil, test.Error != nil:
			ended[name] = "failed"
		case test.Skipped != nil:
			ended[name] = "skipped"
		default:
			ended[name] = "passed"
		}
	}
	return ended
}

// TestRustSuite runs the end-to-end tests that the client's crate has in it. Set-up
// builds them where there is a Rust to do it.
func TestRustSuite(t *testing.T) {
	folder, err := filepath.Abs("../.deps/crate")
	if err != nil {
		t.Fatal(err)
	}
	if why, err := os.ReadFile(filepath.Join(folder, "missing")); err == nil {
		skip(t, "set-up did not build the tests of the crate: %s", bytes.TrimSpace(why))
	}
	privately(t, namesOfSuites, func(t *testing.T) {
		out := runSuite(t, t.TempDir(), filepath.Join(folder, "v2_e2e"), "--include-ignored", "--test-threads=4")
		judge(t, "firecrawl (Rust)", readLibtest(out), out)
	})
}

var libtestLine = regexp.MustCompile(`(?m)^test (\S+) .*?\.\.\. (ok|FAILED|ignored)`)

func readLibtest(out string) outcomes {
	ended := outcomes{}
	for _, found := range libtestLine.FindAllStringSubmatch(out, -1) {
		ended[found[1]] = map[string]string{"ok": "passed", "FAILED": "failed", "ignored": "skipped"}[found[2]]
	}
	return ended
}

// runSuite starts what a suite needs, runs it, and returns what it printed. Whether
// its tests passed is told by its report.
func runSuite(t *testing.T, work, program string, args ...string) string {
	t.Helper()
	authority := startNames(t, namesOfSuites, pageTime)
	service := startService(t, "SSL_CERT_FILE="+authority,
		"TRAWL_LLM_BASE_URL="+startModel(t), "TRAWL_LLM_MODEL=stand-in", "TRAWL_SEARCH_URL="+startNamedSearch(t))
	cmd := together(exec.CommandContext(t.Context(), program, args...))
	cmd.Dir = work
	cmd.Env = []string{
		"PATH=" + strings.Join([]string{filepath.Dir(node(t)), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"HOME=" + work, "LANG=C.UTF-8", "NO_COLOR=1", "CI=1",
		"API_URL=" + service.url, "FIRECRAWL_API_URL=" + service.url,
		"API_KEY=" + firstKey, "TEST_API_KEY=" + firstKey,
	}
	out, _ := cmd.CombinedOutput()
	return string(out)
}
