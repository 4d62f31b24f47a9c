package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trawlhq/trawl/bench/score"
	"github.com/trawlhq/trawl/fetch"
)

// page is a saved page in UTF-8.
type page struct {
	set, id   string
	address   string
	body      []byte
	reference []string // its words, of documentation only
	pkg       string   // that it belongs to, of documentation only
}

func (p page) name() string { return filepath.Join(p.set, p.id) }

func readPages(folder string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "pages", "*.html"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no pages in %s: %w", folder, cmp.Or(err, os.ErrNotExist))
	}
	pages := make([]page, len(files))
	for i, file := range files {
		body, err := readText(file)
		if err != nil {
			return nil, err
		}
		pages[i] = page{
			set: filepath.Base(filepath.Dir(filepath.Dir(file))), id: strings.TrimSuffix(filepath.Base(file), ".html"),
			address: "https://example.com/page", body: body,
		}
	}
	return pages, nil
}

// readDocs reads the pages that have a reference.
func readDocs(folder string) ([]page, error) {
	references, err := score.ReadReferences(folder)
	if err != nil {
		return nil, err
	}
	pages := make([]page, len(references))
	for i, r := range references {
		body, err := readText(filepath.Join(folder, "pages", r.ID+".html"))
		if err != nil {
			return nil, err
		}
		pages[i] = page{id: r.ID, address: r.URL, body: body, reference: score.Words(r.Text), pkg: r.Type}
	}
	return pages, nil
}

func readText(file string) ([]byte, error) {
	body, err := os.ReadFile(file)
	return fetch.Text(body, "text/html"), err
}
