package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// readFile reads the settings of a TOML or YAML file as texts; no file, no
// settings. Every key must be that of a known setting.
func readFile(path string, known []*kong.Flag) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	values, err := parseFile(filepath.Ext(path), data)
	if err != nil {
		return nil, fmt.Errorf("read settings in %s: %w", path, err)
	}
	var names []string
	for _, flag := range known {
		names = append(names, fileKey(flag.Name))
	}
	texts := make(map[string]string, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, key) {
			return nil, fmt.Errorf("unknown key %s in %s%s", key, path, suggest(key, names))
		}
		if texts[key], err = settingText(values[key]); err != nil {
			return nil, fmt.Errorf("%s in %s: %w", key, path, err)
		}
	}
	return texts, nil
}

// parseFile decodes a file by the extension of its name.
func parseFile(extension string, data []byte) (values map[string]any, err error) {
	switch strings.ToLower(extension) {
	case ".toml":
		err = toml.Unmarshal(data, &values)
	case ".yaml", ".yml":
		err = yaml.Unmarshal(data, &values)
	default:
		err = errors.New("the name must end in .toml, .yaml or .yml")
	}
	return values, err
}

// settingText turns a value of a file into the text a flag would have.
func settingText(value any) (string, error) {
	switch v := value.(type) {
	case string, bool, int, int64, uint64, float64:
		return fmt.Sprint(v), nil
	case []any:
		var elements list
		for _, element := range v {
			text, err := settingText(element)
			if err != nil {
				return "", err
			}
			elements = append(elements, text)
		}
		return elements.String(), nil
	default:
		return "", errors.New("must be a text, a number or a list of these")
	}
}
