package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/search/searchtest"
)

const (
	docsRoot = "../.."
	docsKey  = "fc-d0c5d0c5d0c5d0c5d0c5d0c5d0c5d0c5"
)

// TestDocsExamples runs the examples in docs/api, page by page and one after the
// other, against the real service, and compares their answers with the ones that are
// shown.
func TestDocsExamples(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil && testing.Short() {
		t.Skip(err)
	} else if err != nil {
		t.Fatalf("%v: run make test, which brings it", err)
	}
	base := serveDocs(t)
	found := 0
	for _, name := range apiPages(t) {
		examples := readExamples(readDocs(t, name))
		found += len(examples)
		t.Run(path.Base(name), func(t *testing.T) {
			for _, e := range examples {
				t.Run(fmt.Sprintf("line %d", e.line), func(t *testing.T) { e.run(t, base) })
			}
		})
	}
	if found < 60 {
		t.Errorf("docs/api has only %d examples", found)
	}
}

// apiPages lists the pages about the API, by their paths in the repository.
func apiPages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(docsRoot, "docs", "api", "*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	var names []string
	for _, file := range files {
		names = append(names, "docs/api/"+filepath.Base(file))
	}
	return names
}

// readAPI returns all that is said about the API.
func readAPI(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range apiPages(t) {
		all.WriteString(readDocs(t, name))
	}
	return all.String()
}

// serveDocs runs "trawl serve" with a browser, in which the sample site can be
// rendered without a network, and with stand-ins for a language model and a search
// engine that know the sample site.
func serveDocs(t *testing.T) string {
	t.Helper()
	m := bareMachine()
	m.browsers = chromium.Find
	model, engine := llmtest.New(t), searchtest.New(t)
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		if strings.Contains(c.User, "every page") { // so that there is time to cancel
			return llmtest.Reply{Hang: true}
		}
		if strings.Contains(string(c.Schema), "includePaths") {
			return llmtest.JSON(map[string]any{"includePaths": []string{"^/docs(/.*)?$"}, "limit": 10})
		}
		if strings.Contains(string(c.Schema), `"passages"`) {
			return llmtest.JSON(map[string]any{"passages": []string{"it can be scraped without a network"}})
		}
		if strings.Contains(string(c.Schema), `"answer"`) {
			return llmtest.JSON(map[string]any{"answer": "No, it can be scraped without one."})
		}
		if c.Mode == "text" {
			return llmtest.Text("A page that comes with Trawl and can be scraped without a network.")
		}
		return llmtest.JSON(map[string]any{"title": "A page to start with"})
	})
	engine.Handle(searchtest.Pages(10, searchtest.Result{
		URL: "http://sample.localhost/", Title: "A page to start with", Content: "The sample page that comes with Trawl.",
	}))
	return serveOn(t, m, "TRAWL_LLM_BASE_URL="+model.URL, "TRAWL_LLM_MODEL=small", "TRAWL_SEARCH_URL="+engine.URL)
}

// serveOn runs "trawl serve" on a machine, with more settings, until the test is
// over and returns its address.
func serveOn(t *testing.T, m machine, settings ...string) string {
	t.Helper()
	logged, stderr := io.Pipe()
	p := &program{
		env: map[string]string{
			"TRAWL_DATA_DIR": t.TempDir(), "TRAWL_LISTEN": "127.0.0.1:0", "TRAWL_API_KEY": docsKey, "TRAWL_LOG_FORMAT": "json", "TRAWL_BROWSER_WARM": "0",
		},
		stdin: strings.NewReader(""), stdout: io.Discard, stderr: stderr, now: time.Now, machine: m,
	}
	maps.Copy(p.env, parseEnv(settings))
	done := make(chan int, 1)
	go func() {
		done <- p.run(t.Context(), []string{"serve"})
		_ = stderr.Close()
	}()
	t.Cleanup(func() {
		if code := <-done; code != 0 {
			t.Errorf("serve ends with %d", code)
		}
	})
	lines := bufio.NewScanner(logged)
	for lines.Scan() {
		var line struct{ Msg, Listen string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
			go func() { _, _ = io.Copy(io.Discard, logged) }()
			return "http://" + line.Listen
		}
		t.Log(lines.Text())
	}
	t.Fatal("the server does not start")
	return ""
}

// example is a block of shell commands in a document. A comment before it says
// what to expect if that is not JSON with status 200; the JSON block that follows
// it shows the answer.
type example struct {
	line   int
	script string
	expect string // "200", "404", … or "text"
	shown  string
}

var expectation = regexp.MustCompile(`^<!-- expect (\S+) -->$`)

// readExamples finds the blocks that call curl.
func readExamples(page string) []example {
	var list []example
	var block strings.Builder
	fence, start, expect := "", 0, "200"
	for i, line := range strings.Split(page, "\n") {
		switch marker, opens := strings.CutPrefix(line, "```"); {
		case fence != "" && line == "```":
			switch body := block.String(); {
			case fence == "sh" && strings.Contains(body, "curl"):
				list = append(list, example{line: start, script: body, expect: expect})
			case fence == "json" && len(list) > 0 && list[len(list)-1].shown == "":
				list[len(list)-1].shown = body
			}
			fence, expect = "", "200"
		case fence != "":
			block.WriteString(line + "\n")
		case opens:
			fence, start = cmp.Or(marker, "plain"), i+1
			block.Reset()
		case strings.TrimSpace(line) != "":
			expect = "200"
			if found := expectation.FindStringSubmatch(line); found != nil {
				expect = found[1]
			}
		}
	}
	return list
}

// curlSettings make curl fail where a request does, and report the status.
const curlSettings = `silent
show-error
fail-with-body
max-time = 30
write-out = "%{stderr}%{http_code}\n"
`

func (e example) run(t *testing.T, base string) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".curlrc"), []byte(curlSettings), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", e.script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CURL_HOME=" + dir, "BASE_URL=" + base, "TRAWL_API_KEY=" + docsKey,
	}
	err := cmd.Run()
	report := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\n%s%s%s", fmt.Sprintf(format, args...), e.script, stdout.String(), stderr.String())
	}
	status := lastStatus(stderr.String())
	switch {
	case e.expect == "text":
		if err != nil || stdout.Len() == 0 {
			report("failed: %v", err)
		}
		return
	case strconv.Itoa(status) != e.expect:
		report("status %d, want %s", status, e.expect)
		return
	case (err == nil) != (status == http.StatusOK):
		report("status %d, but %v", status, err)
		return
	}
	answer, err := answerOf(stdout.String())
	if err != nil {
		report("%v", err)
		return
	}
	if answer["success"] != (status == http.StatusOK) {
		report("status %d with success %v", status, answer["success"])
	}
	if e.shown == "" {
		return
	}
	var shown any
	if err := json.Unmarshal([]byte(e.shown), &shown); err != nil {
		t.Fatalf("the answer that is shown: %v", err)
	}
	for _, difference := range compareShapes("", shown, answer) {
		report("%s", difference)
	}
}

// lastStatus returns the status of the last request that curl reported.
func lastStatus(stderr string) int {
	status := 0
	for line := range strings.Lines(stderr) {
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			status = n
		}
	}
	return status
}

// answerOf decodes the JSON object in the output, which headers may precede.
func answerOf(stdout string) (map[string]any, error) {
	if start := strings.Index(stdout, "\n{"); start >= 0 && !strings.HasPrefix(stdout, "{") {
		stdout = stdout[start:]
	}
	var answer map[string]any
	err := json.Unmarshal([]byte(stdout), &answer)
	if _, ok := answer["success"]; err == nil && !ok {
		err = errors.New("the answer lacks success")
	}
	return answer, err
}

// compareShapes reports where two JSON values differ in more than their values:
// in keys or in types. Null goes with every type.
func compareShapes(path string, shown, got any) []string {
	if shown == nil || got == nil {
		return nil
	}
	if reflect.TypeOf(shown) != reflect.TypeOf(got) {
		return []string{fmt.Sprintf("%s is shown as %T but is %T", path, shown, got)}
	}
	switch shown := shown.(type) {
	case map[string]any:
		return compareObjects(path, shown, got.(map[string]any))
	case []any:
		if list := got.([]any); len(shown) > 0 && len(list) > 0 {
			return compareShapes(path+"[0]", shown[0], list[0])
		}
	}
	return nil
}

func compareObjects(path string, shown, got map[string]any) []string {
	var differences []string
	for key, value := range shown {
		if other, ok := got[key]; ok {
			differences = append(differences, compareShapes(path+"."+key, value, other)...)
		} else {
			differences = append(differences, path+"."+key+" is shown but not there")
		}
	}
	for key := range got {
		if _, ok := shown[key]; !ok {
			differences = append(differences, path+"."+key+" is there but not shown")
		}
	}
	slices.Sort(differences)
	return differences
}

// TestDocsRoutes looks for every route of the service in docs/api.
func TestDocsRoutes(t *testing.T) {
	t.Parallel()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, serveDocs(t)+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := egress.Infrastructure()
	t.Cleanup(transport.CloseIdleConnections)
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var document struct{ Paths map[string]map[string]any }
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil || len(document.Paths) < 10 {
		t.Fatalf("%d paths, %v", len(document.Paths), err)
	}
	pages := readAPI(t)
	for route, methods := range document.Paths {
		for method := range methods {
			if heading := "\n## " + strings.ToUpper(method) + " " + route + "\n"; !strings.Contains(pages, heading) {
				t.Errorf("docs/api has no section %q", strings.TrimSpace(heading))
			}
		}
	}
}

// TestDocsOptions looks for every option of a scrape in the tables.
func TestDocsOptions(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"docs/api/scrape.md", "docs/compatibility.md"} {
		page := readDocs(t, name)
		for _, field := range reflect.VisibleFields(reflect.TypeFor[trawl.ScrapeRequest]()) {
			option, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if option != "" && !strings.Contains(page, "\n| `"+option+"`") {
				t.Errorf("%s has no row for %s", name, option)
			}
		}
	}
}

// TestDocsErrorCodes holds the table of codes in docs/api/errors.md against the code.
func TestDocsErrorCodes(t *testing.T) {
	t.Parallel()
	find := func(name, pattern string) (codes []string) {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(readDocs(t, name), -1) {
			codes = append(codes, found[1])
		}
		slices.Sort(codes)
		return codes
	}
	declared := find("error.go", `Code = "([A-Z_]+)"`)
	documented := find("docs/api/errors.md", "(?m)^\\| `([A-Z]+_[A-Z_]+)` \\|")
	if !slices.Equal(declared, documented) {
		t.Errorf("declared:   %v\ndocumented: %v", declared, documented)
	}
}

// TestDocsDependencies looks for every direct requirement in docs/dependencies.md.
func TestDocsDependencies(t *testing.T) {
	t.Parallel()
	page := readDocs(t, "docs/dependencies.md")
	for line := range strings.Lines(readDocs(t, "go.mod")) {
		fields := strings.Fields(line)
		if len(fields) != 2 || !strings.HasPrefix(line, "\t") {
			continue // indirect, or no requirement
		}
		if !strings.Contains(page, "`"+fields[0]+"`") {
			t.Errorf("docs/dependencies.md does not name %s", fields[0])
		}
	}
}

var (
	docsLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docsHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// TestDocsLinks follows every relative link of the documentation, to its heading
// if it names one.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, folder := range []string{"", "docs", "docs/api"} {
		found, err := filepath.Glob(filepath.Join(docsRoot, filepath.FromSlash(folder), "*.md"))
		if err != nil || len(found) < 2 {
			t.Fatalf("%d pages in %q: %v", len(found), folder, err)
		}
		pages = append(pages, found...)
	}
	known := map[string]map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range docsLink.FindAllStringSubmatch(string(text), -1) {
			if link := found[1]; !strings.Contains(link, ":") {
				if err := followLink(known, page, link); err != nil {
					t.Errorf("%s: %s: %v", page, link, err)
				}
			}
		}
	}
}

var (
	docsPath    = regexp.MustCompile("`([a-z_]+\\.go|[a-z_.]+(?:/[a-z_.]+)+)`")
	docsPackage = regexp.MustCompile(`(?m)^([a-z]+(?:/[a-z0-9]+)*) {2,}\S`)
)

// TestDocsPaths looks for the files and packages that are named for people who work
// on the code.
func TestDocsPaths(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		for _, found := range docsPath.FindAllStringSubmatch(readDocs(t, page), -1) {
			if _, err := os.Stat(filepath.Join(docsRoot, filepath.FromSlash(found[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// TestDocsPackages holds the map in ARCHITECTURE.md against the packages that there
// are. Those that only tests import are not on it.
func TestDocsPackages(t *testing.T) {
	t.Parallel()
	var mapped, there []string
	for _, found := range docsPackage.FindAllStringSubmatch(readDocs(t, "ARCHITECTURE.md"), -1) {
		mapped = append(mapped, found[1])
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{if .GoFiles}}{{.ImportPath}}{{end}}", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		name = strings.TrimPrefix(name, "github.com/trawlhq/trawl/")
		if top, _, _ := strings.Cut(name, "/"); !slices.Contains([]string{"bench", "clients", "internal", "train"}, top) && !strings.HasSuffix(name, "test") {
			there = append(there, strings.TrimPrefix(name, "github.com/trawlhq/"))
		}
	}
	slices.Sort(mapped)
	slices.Sort(there)
	if mapped = slices.Compact(mapped); !slices.Equal(mapped, there) {
		t.Errorf("on the map: %q\nthere:      %q", mapped, there)
	}
}

// followLink looks for what a link of a page leads to. The anchors of pages are
// known once they were looked for.
func followLink(known map[string]map[string]bool, page, link string) error {
	file, anchor, named := strings.Cut(link, "#")
	target := page
	if file != "" {
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
	}
	if _, err := os.Stat(target); err != nil || !named {
		return err
	}
	if known[target] == nil {
		text, err := os.ReadFile(target)
		if err != nil {
			return err
		}
		known[target] = map[string]bool{}
		for _, heading := range docsHeading.FindAllStringSubmatch(string(text), -1) {
			known[target][anchorOf(heading[1])] = true
		}
	}
	if !known[target][anchor] {
		return errors.New("no such heading")
	}
	return nil
}

// anchorOf returns the name under which a rendered page has a heading.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

func readDocs(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(docsRoot, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
