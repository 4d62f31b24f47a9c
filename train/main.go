// Command train makes what the model of package blocks is learned from, and
// says what a model makes of pages.
//
//	train features PAGES OUT [FOLDS]
//	train judge PAGES FOLDS
//	train predict PAGES FOLDS OUT
//
// PAGES holds a folder for each set of pages: SET/pages/ID.html, and
// SET/truth.jsonl with the reference of each page: its id, its url, and its main
// content as text, html or markdown, or snippets with and without.
//
// The first writes the blocks of the pages with their features, and how much of
// each is in the page's reference, for train.py. With FOLDS it writes the features
// of the second forest, from what the first forest of FOLDS said that has not seen
// the page. The second prints how much of the reference and how much else the
// model of FOLDS that has not seen a page keeps, by set. The third writes the
// markdown of each page, by that model.
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
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "features":
		return writeAll(args[1], args[2], nil)
	case len(args) == 4 && args[0] == "features":
		folds, err := readFolds(args[3])
		if err != nil {
			return err
		}
		return writeAll(args[1], args[2], folds)
	case len(args) == 3 && args[0] == "judge":
		return judge(args[1], args[2])
	case len(args) == 4 && args[0] == "predict":
		return predict(args[1], args[2], args[3])
	}
	return errors.New("usage: train features PAGES OUT [FOLDS], train judge PAGES FOLDS, or train predict PAGES FOLDS OUT")
}

// writeAll writes the features of all sets: those of the first forest, or with
// folds those of the second.
func writeAll(in, out string, folds *folds) error {
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
		if err := writeSet(folder, out, folds); err != nil {
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

// sample is what train.py reads of a page; its features are in other files.
type sample struct {
	ID       string  `json:"id"`
	Variant  string  `json:"variant"`
	URL      string  `json:"url"`
	Type     string  `json:"type"`
	Labels   []label `json:"labels"`
	Unmarked bool    `json:"unmarked"` // the reference says nothing
	Beside   []int   `json:"beside"`   // blocks that the second forest does not see

	first, second [][]int16
	kind          [][]int16
}

func writeSet(folder, out string, folds *folds) error {
	set := filepath.Base(folder)
	var samples []sample
	err := eachPage(folder, func(t *truth, body []byte) ([]sample, error) {
		var m *blocks.Model
		if folds != nil {
			m = folds.model(set, t.ID)
		}
		var own []sample
		for _, v := range variants(set, t.ID, t.URL, body) {
			own = append(own, newSample(t, v, m))
		}
		return own, nil
	}, func(own []sample) { samples = append(samples, own...) })
	if err != nil {
		return err
	}
	if folds == nil {
		return errors.Join(writeTexts(filepath.Join(out, set+".jsonl"), samples),
			writeFeatures(filepath.Join(out, set+".kind"), samples, func(s *sample) [][]int16 { return s.kind }),
			writeFeatures(filepath.Join(out, set+".first"), samples, func(s *sample) [][]int16 { return s.first }))
	}
	return writeFeatures(filepath.Join(out, set+".second"), samples, func(s *sample) [][]int16 { return s.second })
}

// eachPage makes something of each page of a set, two at a time, and hands it on
// in the order of the set.
func eachPage[T any](folder string, read func(t *truth, body []byte) (T, error), use func(T)) error {
	truths, err := readTruths(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		return err
	}
	made := make([]T, len(truths))
	problems := make([]error, len(truths))
	var group sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i := range truths {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			body, err := os.ReadFile(filepath.Join(folder, "pages", truths[i].ID+".html"))
			if err != nil {
				problems[i] = err
				return
			}
			made[i], problems[i] = read(&truths[i], body)
		})
	}
	group.Wait()
	if err := errors.Join(problems...); err != nil {
		return err
	}
	for _, m := range made {
		use(m)
	}
	return nil
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

func newSample(t *truth, v variant, m *blocks.Model) sample {
	s := sample{ID: t.ID, Variant: v.name, URL: t.URL, Type: t.Type, Beside: []int{}}
	var texts []string
	found, kind := blocks.Samples(parse(v.body), v.url, m)
	if len(found) > 0 {
		s.kind = [][]int16{kind}
	}
	for i, b := range found {
		texts = append(texts, b.Text)
		s.first = append(s.first, b.Features)
		if b.Second != nil {
			s.second = append(s.second, b.Second)
		}
		if b.Beside {
			s.Beside = append(s.Beside, i)
		}
	}
	if m == nil {
		s.Labels, s.Unmarked = t.label(texts)
	}
	return s
}

// label says how much of each text is in the reference, and whether the
// reference says nothing.
func (t *truth) label(texts []string) (labels []label, unmarked bool) {
	if reference, ok := t.reference(); ok {
		return labelBlocks(texts, reference), false
	}
	return labelSnippets(texts, t.With, t.Without), len(t.With)+len(t.Without) == 0
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
		samples, _ := blocks.Samples(dom.Parse(*t.HTML), "", nil)
		for _, b := range samples {
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

func writeFeatures(name string, samples []sample, rows func(*sample) [][]int16) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	var bytes []byte
	for i := range samples {
		for _, row := range rows(&samples[i]) {
			bytes = bytes[:0]
			for _, v := range row {
				bytes = binary.LittleEndian.AppendUint16(bytes, uint16(v))
			}
			if _, err := w.Write(bytes); err != nil {
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
