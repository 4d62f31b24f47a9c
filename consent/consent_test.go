package consent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/consent"
)

// A library with one rule of each kind, in the form of the real one.
const (
	manifest = `{"name": "@duckduckgo/autoconsent", "version": "16.23.0"}`
	bundle   = "class Everything {}\nmodule.exports = { default: Everything };\n0 && (module.exports = {\n  filterCompactRules\n});\n"
	rules    = `{"v": 1, "s": ["#generic", "#generic-box", "#frame", "#site"], "r": [
		[1, "one", 2, "", 10, [1], [{"e": 0}, {"any": [{"v": 1}, {"exists": ["#host", "#inner"]}]}], [], [], [], {}],
		[1, "two", 2, "", 1, [], [{"e": 2}], [], [], [], {}],
		[1, "three", 2, "^https://(www\\.)?harbour\\.example/", 10, [3], [{"e": 3}], [], [], [], {}]
	], "index": {"genericRuleRange": [0, 1], "frameRuleRange": [1, 2], "specificRuleRange": [2, 3], "genericStringEnd": 2, "frameStringEnd": 3}}`
)

// install writes an installation of the library whose files are as given;
// without content a file is left out.
func install(t testing.TB, change map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	files := map[string]string{
		"package.json":             manifest,
		"dist/autoconsent.cjs.js":  bundle,
		"rules/compact-rules.json": rules,
	}
	for name, content := range change {
		files[name] = content
	}
	for name, content := range files {
		if content == "" {
			continue
		}
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func mustLoad(t testing.TB) *consent.Kit {
	t.Helper()
	kit, err := consent.Load(install(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

func TestLoad(t *testing.T) {
	t.Parallel()
	folder := install(t, nil)
	for _, path := range []string{folder, filepath.Join(folder, "dist/autoconsent.cjs.js")} {
		kit, err := consent.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if kit.Name() != "autoconsent 16.23.0" {
			t.Errorf("Name() = %q", kit.Name())
		}
		for _, want := range []string{consent.Binding, `"#generic"`, `"#generic-box"`, `"#host"`, `"#frame"`} {
			if !strings.Contains(kit.Script(), want) {
				t.Errorf("Script() lacks %s", want)
			}
		}
		for _, not := range []string{"class Everything", "#site", "#inner", "MARKS", "PREHIDE", "BINDING"} {
			if strings.Contains(kit.Script(), not) {
				t.Errorf("Script() has %s", not)
			}
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const pkg, code, list = "package.json", "dist/autoconsent.cjs.js", "rules/compact-rules.json"
	tests := []struct{ name, file, content, want string }{
		{"no manifest", pkg, "", "no such file"},
		{"no bundle", code, "", "no such file"},
		{"no rules", list, "", "no such file"},
		{"a broken manifest", pkg, "{", "read package.json"},
		{"another package", pkg, `{"name": "left-pad", "version": "16.0.0"}`, "left-pad"},
		{"another version", pkg, strings.Replace(manifest, "16.23.0", "17.0.0", 1), "17.0.0"},
		{"a bundle cut short", code, bundle[:len(bundle)/2], "not a whole bundle"},
		{"a bundle that is not text", code, "\xff\xfe" + bundle, "not a whole bundle"},
		{"a bundle without end", code, bundle + strings.Repeat(" ", 5<<20), "too large"},
		{"rules cut short", list, rules[:len(rules)/2], "read rules/compact-rules.json"},
		{"rules of another kind", list, "[]", "read rules/compact-rules.json"},
		{"no index", list, `{"v": 1, "s": ["a"], "r": [[]]}`, "no valid index of rules"},
		{"an index beyond the rules", list, strings.Replace(rules, "[2, 3]", "[2, 9]", 1), "no valid index of rules"},
		{"a backward index", list, strings.Replace(rules, "[2, 3]", "[3, 2]", 1), "no valid index of rules"},
		{"an index beyond the strings", list, strings.Replace(rules, `"frameStringEnd": 3`, `"frameStringEnd": 9`, 1), "no valid index of strings"},
		{"no version of rules", list, strings.Replace(rules, `"v": 1, `, "", 1), "no version"},
		{"a rule of another form", list, strings.Replace(rules, `[1, "two", 2, "", 1, [], [{"e": 2}], [], [], [], {}]`, `{}`, 1), "compact form"},
		{"an address that is no pattern", list, strings.Replace(rules, "^https://(", "^https://((", 1), "rule three"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := install(t, map[string]string{tt.file: tt.content})
			kit, err := consent.Load(folder)
			if err == nil || kit != nil {
				t.Fatalf("Load = %v, %v; want an error", kit, err)
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), folder) {
				t.Errorf("error %q should name %q and the folder", err, tt.want)
			}
		})
	}
	if _, err := consent.Load(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a folder that does not exist was loaded")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	here, empty := install(t, nil), t.TempDir()
	if got := consent.Find("", filepath.Join(empty, "nowhere"), empty, here); got != here {
		t.Errorf("Find = %q, want %q", got, here)
	}
	if got := consent.Find("", empty); got != "" {
		t.Errorf("Find = %q where there is nothing", got)
	}
}

// Every document of every page gets the script: it has to stay small.
func TestScriptSize(t *testing.T) {
	t.Parallel()
	const limit = 32 << 10
	if n := len(consent.Builtin().Script()); n > limit {
		t.Errorf("the built-in script has %d bytes", n)
	}
	folder := consent.Find("../.deps/autoconsent")
	if folder == "" {
		t.Skip("autoconsent is not installed: scripts/autoconsent")
	}
	kit, err := consent.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(kit.Script()); n > limit {
		t.Errorf("the script of %s has %d bytes", kit.Name(), n)
	}
	if steps := kit.Answer(`{"type": "load", "url": "http://harbour.example/"}`); len(steps) != 1 || len(steps[0].Script) > 256<<10 {
		t.Errorf("the library of %s comes in %d steps, or is too large", kit.Name(), len(steps))
	}
}
