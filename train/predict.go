package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/blocks"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

// folds are models that were trained on parts of the pages, and which of them has
// not seen which page.
type folds struct {
	models []*blocks.Model
	of     map[string]map[string]int // set and page
}

func readFolds(folder string) (*folds, error) {
	list, err := os.ReadFile(filepath.Join(folder, "folds.json"))
	if err != nil {
		return nil, err
	}
	f := &folds{}
	if err := json.Unmarshal(list, &f.of); err != nil {
		return nil, fmt.Errorf("read folds: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "[0-9].bin"))
	if err != nil {
		return nil, err
	}
	for k := range files {
		file, err := os.ReadFile(filepath.Join(folder, strconv.Itoa(k)+".bin"))
		if err != nil {
			return nil, err
		}
		m, err := blocks.ReadModel(file)
		if err != nil {
			return nil, err
		}
		f.models = append(f.models, m)
	}
	return f, nil
}

// model returns the one that has not seen the page.
func (f *folds) model(set, id string) *blocks.Model { return f.models[f.of[set][id]] }

// predict writes OUT/SET/ID.md for each page.
func predict(pages, from, out string) error {
	f, err := readFolds(from)
	if err != nil {
		return err
	}
	for set := range f.of {
		folder := filepath.Join(out, set)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		err := eachPage(filepath.Join(pages, set), func(t *truth, body []byte) (struct{}, error) {
			text := mainMarkdown(f.model(set, t.ID), body, t.URL)
			return struct{}{}, os.WriteFile(filepath.Join(folder, t.ID+".md"), []byte(text), 0o644)
		}, func(struct{}) {})
		if err != nil {
			return err
		}
	}
	return nil
}

func mainMarkdown(m *blocks.Model, body []byte, url string) string {
	t := parse(body)
	part := dom.Part{Roots: []*dom.Node{t.Body()}}
	part.Drop, _ = m.Main(t, part, url)
	return markdown.Write(part, markdown.Options{Base: address.NewBase("https://example.com/", "")})
}
