package score

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Reference is what is to be found on a page.
type Reference struct {
	ID   string `json:"id"`
	URL  string `json:"url"`
	Type string `json:"type"` // the package that the page belongs to
	Text string `json:"text"`
}

// Path returns where the page is in its package, without a slash before it. The
// addresses are those of no real server: their path is not escaped.
func (r Reference) Path() string {
	_, path, _ := strings.Cut(r.URL, "/"+r.Type+"/")
	return path
}

// ReadReferences reads the file truth.jsonl of a set.
func ReadReferences(folder string) ([]Reference, error) {
	file, err := os.Open(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []Reference
	for decoder := json.NewDecoder(bufio.NewReader(file)); ; {
		var r Reference
		if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		list = append(list, r)
	}
}
