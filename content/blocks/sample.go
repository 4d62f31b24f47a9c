package blocks

import (
	"strings"

	"github.com/trawlhq/trawl/content/dom"
)

// Sample is what training sees of a block.
type Sample struct {
	Text     string
	Features []int16
}

// Samples returns the blocks of a page that have text, for training.
func Samples(t *dom.Tree) []Sample {
	p := new(walker).survey(t, nil)
	var rows []int16
	text := p.eachBatch(true, func(batch []int16) { rows = append(rows, batch...) })
	samples := make([]Sample, len(text))
	for i, b := range text {
		var s strings.Builder
		for _, leaf := range p.leaves[p.blocks[b].first:p.blocks[b].end] {
			if leaf.Type == dom.TextNode {
				s.WriteString(leaf.Data)
			} else {
				s.WriteByte(' ')
			}
		}
		samples[i] = Sample{Text: s.String(), Features: rows[i*featureCount : (i+1)*featureCount]}
	}
	return samples
}

// FeatureNames returns the names of the features in their order.
func FeatureNames() []string { return features() }
