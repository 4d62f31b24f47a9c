package blocks

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/dom"
)

// Sample is what training sees of a block.
type Sample struct {
	Text     string
	Features []int16 // of the first forest
	Second   []int16 // of the second forest; nil if the block is not put to it
	Beside   bool    // whether it says of itself that it is not content
	Kept     bool    // whether it is kept in the end
}

// Samples returns the blocks of a page that have text, for training. With a model
// it also says what the model makes of them. The features that tell the kind of
// page come with them.
func Samples(t *dom.Tree, address string, m *Model) (samples []Sample, kind []int16) {
	p := new(walker).survey(t, nil, address)
	var rows []int16
	text := p.eachBatch(true, func(row []int16) { kind = slices.Clone(row) }, func(batch []int16) { rows = append(rows, batch...) })
	samples = make([]Sample, len(text))
	at := make(map[int32]int, len(text))
	for i, b := range text {
		at[b] = i
		samples[i] = Sample{Text: p.textOf(b), Features: rows[i*featureCount : (i+1)*featureCount], Beside: p.passesOver(&p.blocks[b])}
	}
	if m == nil {
		return samples, kind
	}
	c := &chances{}
	m.begin(p, c, true)
	var second []int16
	c.eachSecond(true, func(batch []int16) { second = append(second, batch...) })
	for i, b := range c.asked {
		samples[at[b]].Second = second[i*secondCount : (i+1)*secondCount]
	}
	p.decide(m.judge(p))
	for i, b := range text {
		samples[i].Kept = p.blocks[b].kept
	}
	return samples, kind
}

// textOf returns the text of a block.
func (p *page) textOf(b int32) string {
	var s strings.Builder
	for _, leaf := range p.leaves[p.blocks[b].first:p.blocks[b].end] {
		if leaf.Type == dom.TextNode {
			s.WriteString(leaf.Data)
		} else {
			s.WriteByte(' ')
		}
	}
	return s.String()
}

// FeatureNames returns the names of the features of each forest in their order.
func FeatureNames() map[string][]string {
	return map[string][]string{"kind": kindFeatures(), "first": features(), "second": secondFeatures()}
}
