package consent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	product   = "@duckduckgo/autoconsent"
	major     = "16." // the version whose insides autoconsent.js relies on
	maxFile   = 4 << 20
	manifest  = "package.json"
	bundle    = "dist/autoconsent.cjs.js"
	rulesFile = "rules/compact-rules.json"
	entryName = "filterCompactRules"
)

// Find returns the first of the folders that holds an installation of the
// library, and "" if none does. It does not look closer; Load does.
func Find(folders ...string) string {
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(folder, manifest)); err == nil && info.Mode().IsRegular() {
			return folder
		}
	}
	return ""
}

// Load reads an installation of the autoconsent library: the path of its folder,
// or of the bundle within it. It is an error if a part is missing, too large,
// cut short, or of a version that the script was not made for.
func Load(path string) (*Kit, error) {
	kit, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("load autoconsent from %s: %w", path, err)
	}
	return kit, nil
}

func load(path string) (*Kit, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		path = filepath.Dir(filepath.Dir(path))
	}
	version, err := readVersion(filepath.Join(path, manifest))
	if err != nil {
		return nil, err
	}
	code, err := readBundle(filepath.Join(path, bundle))
	if err != nil {
		return nil, err
	}
	rules, err := readRules(filepath.Join(path, rulesFile))
	if err != nil {
		return nil, err
	}
	lib, err := newLibrary(code, rules)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rulesFile, err)
	}
	script, err := lib.script()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rulesFile, err)
	}
	return &Kit{name: "autoconsent " + version, script: assemble(script), library: lib}, nil
}

func readVersion(path string) (string, error) {
	data, err := readFile(path)
	if err != nil {
		return "", err
	}
	var about struct{ Name, Version string }
	if err := json.Unmarshal(data, &about); err != nil {
		return "", fmt.Errorf("read %s: %w", manifest, err)
	}
	if about.Name != product {
		return "", fmt.Errorf("%s is that of %q, not of %s", manifest, about.Name, product)
	}
	if !strings.HasPrefix(about.Version, major) {
		return "", fmt.Errorf("version %q is not %sx", about.Version, major)
	}
	return about.Version, nil
}

// readBundle checks what can be checked without running it: the names that the
// bundle exports stand at its end.
func readBundle(path string) (string, error) {
	data, err := readFile(path)
	if err != nil {
		return "", err
	}
	end := data[max(0, len(data)-500):]
	if !utf8.Valid(data) || !bytes.Contains(end, []byte(entryName)) {
		return "", fmt.Errorf("%s is not a whole bundle", bundle)
	}
	return string(data), nil
}

func readRules(path string) (*ruleset, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	rules, err := parseRuleset(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rulesFile, err)
	}
	return rules, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, errors.New(filepath.Base(path) + " is too large")
	}
	return data, nil
}
