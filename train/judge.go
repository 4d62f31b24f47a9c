package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/trawlhq/trawl/content/blocks"
)

// verdict is how a choice of blocks compares with the reference of its page.
type verdict struct {
	kind              string
	recall, precision float64
	holed             bool
}

// measure is the harmonic mean of recall and precision.
func (v *verdict) measure() float64 {
	if v.recall+v.precision == 0 {
		return 0
	}
	return 2 * v.recall * v.precision / (v.recall + v.precision)
}

// hole is how many words of the reference in a row make a hole.
const hole = 20

// compare counts words block by block, which is near to what scorers of the sets
// count in the markdown, and much faster.
func compare(kind string, samples []blocks.Sample, labels []label) verdict {
	var kept, right, all, run int
	v := verdict{kind: kind}
	for i, s := range samples {
		l := labels[i]
		if l.Matched < 0 {
			continue
		}
		all += l.Matched
		if s.Kept {
			kept += l.Words
			right += l.Matched
			if l.Matched > 0 {
				run = 0
			}
			continue
		}
		if 2*l.Matched >= l.Words {
			run += l.Matched
		}
		v.holed = v.holed || run >= hole
	}
	v.recall, v.precision = 1, 1
	if all > 0 {
		v.recall = float64(right) / float64(all)
	}
	if kept > 0 {
		v.precision = float64(right) / float64(kept)
	}
	return v
}

// judge prints how well the models of folds choose, by set and kind of page.
func judge(pages, from string) error {
	f, err := readFolds(from)
	if err != nil {
		return err
	}
	var sum float64
	sets := slices.Sorted(maps.Keys(f.of))
	for _, set := range sets {
		all, err := judgeSet(pages, set, f)
		if err != nil {
			return err
		}
		kinds := map[string][]verdict{}
		for _, v := range all {
			kinds[v.kind] = append(kinds[v.kind], v)
		}
		sum += report(set, all)
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			if kind != "" {
				report("  "+kind, kinds[kind])
			}
		}
	}
	fmt.Printf("%-28s %.4f\n", "mean of the sets", sum/float64(len(sets)))
	return nil
}

// judgeSet judges the pages of a set that have a reference.
func judgeSet(pages, set string, f *folds) (all []verdict, err error) {
	err = eachPage(filepath.Join(pages, set), func(t *truth, body []byte) (*verdict, error) {
		samples, _ := blocks.Samples(parse(body), t.URL, f.model(set, t.ID))
		texts := make([]string, len(samples))
		for i := range samples {
			texts[i] = samples[i].Text
		}
		labels, unmarked := t.label(texts)
		if unmarked || t.Text != nil && *t.Text == "" {
			return nil, nil
		}
		v := compare(t.Type, samples, labels)
		return &v, nil
	}, func(v *verdict) {
		if v != nil {
			all = append(all, *v)
		}
	})
	return all, err
}

// report prints the means of some pages and returns their measure.
func report(name string, all []verdict) float64 {
	var f, recall, precision, whole, holed, lost float64
	for i := range all {
		v := &all[i]
		f += v.measure()
		recall += v.recall
		precision += v.precision
		whole += count(v.recall >= .98)
		holed += count(v.holed)
		lost += count(v.recall < .8)
	}
	n := float64(max(len(all), 1))
	fmt.Printf("%-28s %5d  F %.4f  recall %.4f  precision %.4f  whole %.3f  holed %.3f  lost %.3f\n", name, len(all), f/n, recall/n, precision/n, whole/n, holed/n, lost/n)
	return f / n
}

func count(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
