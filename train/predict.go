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

// predict writes OUT/SET/ID.md for each page that folds.json lists.
func predict(pages, folds, out string) error {
	list, err := os.ReadFile(filepath.Join(folds, "folds.json"))
	if err != nil {
		return err
	}
	var sets map[string]map[string]int // the fold of each page of each set
	if err := json.Unmarshal(list, &sets); err != nil {
		return fmt.Errorf("read folds: %w", err)
	}
	models := map[int]*blocks.Model{}
	for set, ids := range sets {
		folder := filepath.Join(out, set)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		for id, fold := range ids {
			if models[fold] == nil {
				if models[fold], err = readModel(filepath.Join(folds, strconv.Itoa(fold)+".bin")); err != nil {
					return err
				}
			}
			body, err := os.ReadFile(filepath.Join(pages, set, "pages", id+".html"))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, id+".md"), []byte(mainMarkdown(models[fold], body)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func readModel(name string) (*blocks.Model, error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return blocks.ReadModel(file)
}

func mainMarkdown(m *blocks.Model, body []byte) string {
	t := parse(body)
	part := dom.Part{Roots: []*dom.Node{t.Body()}}
	part.Drop = m.Main(t, part)
	return markdown.Write(part, markdown.Options{Base: address.NewBase("https://example.com/", "")})
}
