package blocks

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

var update = flag.Bool("update", false, "note what the features are that the model was trained on")

// drift says which features belong to which model.
type drift struct {
	Model    uint64 `json:"model"`    // hash of the model's file
	Pages    uint64 `json:"pages"`    // hash of the test pages
	Features uint64 `json:"features"` // hash of their features
}

// TestModelFitsFeatures fails when the features are not those that the model
// was trained on. Then the model has to be trained anew, see docs/content.md.
func TestModelFitsFeatures(t *testing.T) {
	t.Parallel()
	if _, err := ReadModel(modelFile); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/drift.json"
	got := drift{Model: hashOf(modelFile)}
	got.Pages, got.Features = hashFeatures(t)
	var want drift
	if noted, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(noted, &want); err != nil {
			t.Fatal(err)
		}
	}
	if *update && (want.Model != got.Model || want.Pages != got.Pages) {
		noted, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(noted, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		want = got
	}
	switch {
	case want.Model != got.Model:
		t.Error("the model is new: run this test with -update to note its features")
	case want.Pages != got.Pages:
		t.Error("the test pages are new: run this test with -update on a state whose features are known to fit")
	case want.Features != got.Features:
		t.Error("the features have other values than when the model was trained: train it anew")
	}
}

func hashOf(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

func hashFeatures(t *testing.T) (pages, features uint64) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	var texts, all []byte
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, body...)
		samples, kind := Samples(dom.Parse(string(body)), "", nil)
		for _, s := range append(samples, Sample{Features: kind}) {
			for _, v := range s.Features {
				all = binary.LittleEndian.AppendUint16(all, uint16(v))
			}
		}
	}
	return hashOf(texts), hashOf(all)
}

// TestReadModel feeds what is no model.
func TestReadModel(t *testing.T) {
	t.Parallel()
	for i := range min(len(modelFile), 400) {
		if _, err := ReadModel(modelFile[:i]); err == nil {
			t.Errorf("a file cut off at byte %d is a model", i)
		}
	}
	if _, err := ReadModel(append([]byte("trawlbk9"), modelFile[len(modelMagic):]...)); err == nil {
		t.Error("a model of another format is read")
	}
	other := slices.Clone(modelFile)
	other[len(modelMagic)]++
	if _, err := ReadModel(other); !errors.Is(err, errFeatures) {
		t.Errorf("a model of other features: %v", err)
	}
}

// TestWords checks that no two words of a table share a hash, for a word is
// looked up by its hash alone.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, lists := range [][]string{groupWords[:], vocabularyWords[:]} {
		words := map[uint32]string{}
		for _, list := range lists {
			for word := range strings.FieldsSeq(list) {
				h := hashWord(word)
				if other, known := words[h]; known && other != word {
					t.Errorf("%q and %q share a hash", word, other)
				}
				if h == 0 {
					t.Errorf("%q has the hash of no word", word)
				}
				words[h] = word
			}
		}
	}
}
