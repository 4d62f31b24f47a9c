//go:build clients

package clients_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// compatibility is the page that says which tests of the suites do not pass, and
// why.
const compatibility = "../docs/compatibility.md"

// judge holds what became of a suite against what the documentation says: all tests
// pass but those that it names. These must not, so that it stays true.
func judge(t *testing.T, suite string, ended outcomes, out string) {
	t.Helper()
	documented, exceptions := readSuite(t, suite)
	var passed, skipped int
	for name, outcome := range ended {
		switch want := exceptions[name]; {
		case outcome == "passed" && want == "fails":
			t.Errorf("%s: passes, although %s says that it fails", name, compatibility)
		case outcome == "passed":
			passed++
		case outcome == "skipped" && want == "may skip itself":
			skipped++
		case outcome == "failed" && want == "fails":
		default:
			t.Errorf("%s: %s", name, outcome)
		}
	}
	for name := range exceptions {
		if ended[name] == "" {
			t.Errorf("%s: is no test of the suite, although %s names it", name, compatibility)
		}
	}
	if found := [2]int{len(ended), len(ended) - len(exceptions)}; found != documented {
		t.Errorf("tests of the suite and those that always pass: %d, but %s says %d", found, compatibility, documented)
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
	tell("%s: %d of %d tests passed, %d skipped themselves", suite, passed, len(ended), skipped)
}

// readSuite returns how many tests a suite has and how many of them pass, and how the
// others end.
func readSuite(t *testing.T, suite string) (counts [2]int, exceptions map[string]string) {
	t.Helper()
	text, err := os.ReadFile(compatibility)
	if err != nil {
		t.Fatal(err)
	}
	exceptions = map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := regexp.MustCompile(`\s*\|\s*`).Split(strings.Trim(line, "| \n"), -1)
		switch ends := []string{"fails", "may skip itself"}; {
		case len(cells) != 4 || cells[0] != suite:
		case slices.Contains(ends, cells[2]):
			exceptions[strings.Trim(cells[1], "`")] = cells[2]
		default:
			counts[0], _ = strconv.Atoi(cells[2])
			counts[1], _ = strconv.Atoi(cells[3])
		}
	}
	return counts, exceptions
}
