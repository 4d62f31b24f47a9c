package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// folder keeps documents as files, the pages of a crawl in a folder for each host,
// and lists them in index.jsonl. Whatever sites call their pages, and whatever links there
// are in the folder already, nothing outside of it is written.
type folder struct {
	root    *os.Root
	formats []string
	file    *os.File
	index   *bufio.Writer
}

const indexName = "index.jsonl"

// extension returns how the files of a format end.
func extension(format string) string {
	switch format {
	case trawl.FormatMarkdown:
		return ".md"
	case trawl.FormatHTML:
		return ".html"
	case trawl.FormatRawHTML:
		return ".raw.html"
	case trawl.FormatRawBase64:
		return ".base64"
	case trawl.FormatSummary:
		return ".summary.txt"
	case trawl.FormatJSON:
		return ".json"
	default:
		return "." + format + ".json"
	}
}

// openFolder opens a folder for pages, and makes it if it is not there.
func openFolder(dir string, formats []string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	f := &folder{root: root, formats: formats}
	if f.file, err = f.create(indexName); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("make index: %w", err)
	}
	f.index = bufio.NewWriter(f.file)
	return f, nil
}

// create makes a file in the place of what has its name. A link is replaced, not
// followed.
func (f *folder) create(name string) (*os.File, error) {
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// entry is a line of the index.
type entry struct {
	URL    string            `json:"url"`
	Status int               `json:"status"`
	Title  string            `json:"title,omitempty"`
	Files  map[string]string `json:"files"` // by format
}

// add writes the files of a page, under a name that is made of its address.
func (f *folder) add(doc job.Document) error {
	return f.put(doc, func(e *entry) string { return pageName(e.URL) })
}

// put writes the files of a document, under a name that is made of its line in the
// index.
func (f *folder) put(doc job.Document, naming func(*entry) string) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(doc, &parts); err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	e, err := newEntry(parts["metadata"])
	if err != nil {
		return err
	}
	name := naming(&e)
	if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", e.URL, err)
	}
	for _, format := range f.formats {
		if parts[format] == nil {
			continue
		}
		e.Files[format] = name + extension(format)
		if err := f.write(e.Files[format], parts[format]); err != nil {
			return fmt.Errorf("write %s: %w", e.URL, err)
		}
	}
	encoder := json.NewEncoder(f.index)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(e)
}

// newEntry reads what the index says of a page. Among the names in the metadata
// are some that the page chose, so it is not read into a struct, which does not
// tell url from URL.
func newEntry(metadata []byte) (entry, error) {
	var values map[string]any
	if err := json.Unmarshal(metadata, &values); err != nil {
		return entry{}, fmt.Errorf("read document: %w", err)
	}
	e := entry{Files: map[string]string{}}
	e.Title, _ = values["title"].(string)
	if status, ok := values["statusCode"].(float64); ok {
		e.Status = int(status)
	}
	if e.URL, _ = values["url"].(string); e.URL == "" {
		e.URL, _ = values["sourceURL"].(string)
	}
	return e, nil
}

// write makes a file of a value: of a text its characters, of all else its JSON.
func (f *folder) write(name string, value json.RawMessage) error {
	var content []byte
	var text string
	if err := json.Unmarshal(value, &text); err == nil {
		content = []byte(text)
	} else {
		var b bytes.Buffer
		if err := json.Indent(&b, value, "", "  "); err != nil {
			return err
		}
		b.WriteByte('\n')
		content = b.Bytes()
	}
	file, err := f.create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func (f *folder) flush() error { return f.index.Flush() }

func (f *folder) close() {
	_ = f.file.Close()
	_ = f.root.Close()
}
