package chromium

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	mostPreferences = 16 << 20 // bytes
	noDownloads     = 3        // of whatever kind
)

// prefer writes down what no flag can say: that nothing is downloaded, whatever becomes
// of what clients say about it, and that PDF files are not shown. The full
// browser shows them with an extension of its own, as a part of the page. Whoever
// drives the page could run scripts there, with the extension's rights: it opens
// files of the computer and the browser's own pages in any tab.
func (h *Home) prefer() error {
	root, err := os.OpenRoot(h.UserData())
	if err != nil {
		return fmt.Errorf("write preferences: %w", err)
	}
	defer root.Close()
	all, err := readPreferences(root)
	if err != nil {
		return err
	}
	plugins, ok := all["plugins"].(map[string]any)
	if !ok {
		plugins = map[string]any{}
		all["plugins"] = plugins
	}
	plugins["always_open_pdf_externally"] = true
	all["download_restrictions"] = noDownloads
	data, err := json.Marshal(all)
	if err == nil {
		err = h.write(root, data)
	}
	if err != nil {
		return fmt.Errorf("write preferences: %w", err)
	}
	return nil
}

const preferences = "Default/Preferences"

// readPreferences returns those of a profile. Ones that a browser could not read
// count as none.
func readPreferences(root *os.Root) (map[string]any, error) {
	file, err := root.Open(preferences)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read preferences: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, mostPreferences))
	if err != nil {
		return nil, fmt.Errorf("read preferences: %w", err)
	}
	var all map[string]any
	if json.Unmarshal(data, &all) != nil || all == nil {
		return map[string]any{}, nil
	}
	return all, nil
}

// write replaces the preferences by others.
func (h *Home) write(root *os.Root, data []byte) error {
	folder := filepath.Dir(preferences)
	if err := root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := root.RemoveAll(preferences); err != nil {
		return err
	}
	if err := root.WriteFile(preferences, data, 0o600); err != nil {
		return err
	}
	return errors.Join(h.Own(filepath.Join(h.UserData(), folder)), h.Own(filepath.Join(h.UserData(), preferences)))
}
