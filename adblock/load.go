package adblock

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Lists are data from elsewhere; these bounds keep a wrong file from filling
// the memory. EasyList and EasyPrivacy together are 3.4 MB.
const (
	maxFile  = 32 << 20
	maxTotal = 128 << 20
)

// errOversized marks a file that is left out for its size.
var errOversized = errors.New("file is too large")

// Load makes an engine of the lists in a folder: the files that end in .txt and
// a file named hosts. Files above 32 MiB, and those that would make more than
// 128 MiB together, are left out and counted. It fails only if no list can be
// read.
func Load(dir string) (*Engine, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("load filter lists: %w", err)
	}
	p, room, failure := newParser(), int64(maxTotal), fs.ErrNotExist
	for _, entry := range entries {
		if name := entry.Name(); !strings.HasSuffix(name, ".txt") && name != "hosts" {
			continue
		}
		text, err := readList(filepath.Join(dir, entry.Name()), min(room, maxFile))
		if err != nil {
			failure = err
			if errors.Is(err, errOversized) {
				p.stats.Oversized++
			}
			continue
		}
		room -= int64(len(text))
		p.list(text)
	}
	if p.stats.Files == 0 {
		return nil, fmt.Errorf("load filter lists: no list in %s: %w", dir, failure)
	}
	return p.engine(), nil
}

// readList reads a file of at most limit bytes.
func readList(path string, limit int64) (string, error) {
	info, err := os.Stat(path) // before opening: a named pipe would block
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	text.Grow(int(min(info.Size(), limit)) + 1)
	n, err := io.Copy(&text, io.LimitReader(f, limit+1))
	if err != nil {
		return "", err
	}
	if n > limit {
		return "", fmt.Errorf("%s: %w", path, errOversized)
	}
	return text.String(), nil
}
