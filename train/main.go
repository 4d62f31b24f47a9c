// Command train makes what the model of package blocks is learned from, and
// says what a model makes of pages.
//
//	train features PAGES OUT
//	train predict PAGES FOLDS OUT
//
// PAGES holds a folder for each set of pages: SET/pages/ID.html, and
// SET/truth.jsonl with the reference of each page: its id, its url, and its main
// content as text, html or markdown, or snippets with and without.
//
// The first writes the blocks of the pages with their features, and how much of
// each is in the page's reference, for train.py. The second writes the markdown
// of each page, by the model of FOLDS that has not seen the page.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/content/blocks"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/fetch"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "features":
		err = writeAll(os.Args[2], os.Args[3])
	case len(os.Args) == 5 && os.Args[1] == "predict":
		err = predict(os.Args[2], os.Args[3], os.Args[4])
	default:
		err = errors.New("usage: train features PAGES OUT, or train predict PAGES FOLDS OUT")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func writeAll(in, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	names, err := json.Marshal(blocks.FeatureNames())
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "features.json"), names, 0o644); err != nil {
		return err
	}
	sets, err := filepath.Glob(filepath.Join(in, "*", "truth.jsonl"))
	if err != nil {
		return err
	}
	for _, set := range sets {
		folder := filepath.Dir(set)
		if err := writeSet(folder, filepath.Join(out, filepath.Base(folder))); err != nil {
			return err
		}
	}
	return nil
}

// truth is the reference of a page.
type truth struct {
	ID       string   `json:"id"`
	URL      string   `json:"url"`
	Type     string   `json:"type"`
	Text     *string  `json:"text"`
	HTML     *string  `json:"html"`
	Markdown *string  `json:"markdown"`
	With     []string `json:"with"`
	Without  []string `json:"without"`
}

// sample is what train.py reads of a page; its features are in another file.
type sample struct {
	ID       string   `json:"id"`
	URL      string   `json:"url"`
	Type     string   `json:"type"`
	Texts    []string `json:"texts"`
	Labels   []label  `json:"labels"`
	Unmarked bool     `json:"unmarked"` // the reference says nothing

	features [][]int16
}

func writeSet(folder, out string) error {
	truths, err := readTruths(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		return err
	}
	samples := make([]sample, len(truths))
	problems := make([]error, len(truths))
	var group sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i := range truths {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			samples[i], problems[i] = readSample(folder, &truths[i])
		})
	}
	group.Wait()
	if err := errors.Join(problems...); err != nil {
		return err
	}
	return errors.Join(writeTexts(out+".jsonl", samples), writeFeatures(out+".i16", samples))
}

func readTruths(name string) ([]truth, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var truths []truth
	for d := json.NewDecoder(f); d.More(); {
		var t truth
		if err := d.Decode(&t); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		truths = append(truths, t)
	}
	return truths, nil
}

func readSample(folder string, t *truth) (sample, error) {
	body, err := os.ReadFile(filepath.Join(folder, "pages", t.ID+".html"))
	if err != nil {
		return sample{}, err
	}
	s := sample{ID: t.ID, URL: t.URL, Type: t.Type, Texts: []string{}}
	for _, b := range blocks.Samples(parse(body)) {
		s.Texts = append(s.Texts, b.Text)
		s.features = append(s.features, b.Features)
	}
	if reference, ok := t.reference(); ok {
		s.Labels = labelBlocks(s.Texts, reference)
	} else {
		s.Unmarked = len(t.With)+len(t.Without) == 0
		s.Labels = labelSnippets(s.Texts, t.With, t.Without)
	}
	return s, nil
}

// targets are what links and images of markdown point to.
var targets = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)`)

// reference returns the text of the main content, if all of it is known.
func (t *truth) reference() (string, bool) {
	switch {
	case t.Text != nil:
		return *t.Text, true
	case t.Markdown != nil:
		return targets.ReplaceAllString(*t.Markdown, " "), true
	case t.HTML != nil:
		text := ""
		for _, b := range blocks.Samples(dom.Parse(*t.HTML)) {
			text += b.Text + "\n"
		}
		return text, true
	}
	return "", false
}

func writeTexts(name string, samples []sample) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	encoder := json.NewEncoder(w)
	for i := range samples {
		if err := encoder.Encode(&samples[i]); err != nil {
			return err
		}
	}
	return w.Flush()
}

func writeFeatures(name string, samples []sample) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for i := range samples {
		for _, row := range samples[i].features {
			if err := binary.Write(w, binary.LittleEndian, row); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// parse reads a page as the service does.
func parse(body []byte) *dom.Tree {
	if page := content.Parse(content.Source{Body: fetch.Text(body, "text/html"), ContentType: "text/html"}); page.Tree() != nil {
		return page.Tree()
	}
	return dom.Parse("")
}
