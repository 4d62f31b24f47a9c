package blocks

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

//go:embed model.bin
var modelFile []byte

// Model is a sum of decision trees. Everything in it is whole numbers, so it
// says the same on every machine.
type Model struct {
	names uint64 // fingerprint of the features it was trained on
	bias  int32
	roots []int32
	nodes []node
}

// node asks for one feature. Rows whose value is at most the threshold go on
// with the next node, all others with the one at right.
type node struct {
	feature   uint16 // leaf for one that ends the way
	threshold int16  // a leaf's score
	right     uint16 // counted from the tree's first node
	_         uint16
}

const leaf = math.MaxUint16

// one is the score that stands for one unit of log odds.
const one = 4096

// modelMagic begins the file of a model; its last character is the version of
// the format.
const modelMagic = "trawlbk1"

var errModel = errors.New("not a model of this version")

// ReadModel reads the file of a model: the magic, the fingerprint of its
// features, the bias and the number of trees, and for each tree the number of
// its nodes and the nodes.
func ReadModel(file []byte) (*Model, error) {
	if len(file) < len(modelMagic)+16 || string(file[:len(modelMagic)]) != modelMagic {
		return nil, errModel
	}
	file = file[len(modelMagic):]
	m := &Model{names: binary.LittleEndian.Uint64(file), bias: int32(binary.LittleEndian.Uint32(file[8:]))}
	trees := binary.LittleEndian.Uint32(file[12:])
	file = file[16:]
	for range trees {
		if len(file) < 2 {
			return nil, errModel
		}
		size := int(binary.LittleEndian.Uint16(file))
		file = file[2:]
		if len(file) < 6*size {
			return nil, errModel
		}
		m.roots = append(m.roots, int32(len(m.nodes)))
		for i := range size {
			at := file[6*i:]
			n := node{
				feature: binary.LittleEndian.Uint16(at), threshold: int16(binary.LittleEndian.Uint16(at[2:])),
				right: binary.LittleEndian.Uint16(at[4:]),
			}
			if n.feature != leaf && (int(n.feature) >= featureCount || int(n.right) >= size || int(n.right) <= i || i+1 >= size) {
				return nil, fmt.Errorf("node %d of tree %d leads nowhere: %w", i, len(m.roots)-1, errModel)
			}
			m.nodes = append(m.nodes, n)
		}
		file = file[6*size:]
	}
	return m, nil
}

// score appends the log odds of each row, in parts of one. Rows about which
// there is no doubt after some of the trees are not asked about the rest.
func (m *Model) score(scores []int32, rows []int16) []int32 {
	first := len(scores)
	var doubtful [batch]uint8
	open := doubtful[:len(rows)/featureCount]
	for i := range open {
		open[i] = uint8(i)
		scores = append(scores, m.bias)
	}
	own := scores[first:]
	for from := 0; from < len(m.roots) && len(open) > 0; from += stage {
		for _, root := range m.roots[from:min(from+stage, len(m.roots))] {
			tree := m.nodes[root:]
			for _, i := range open {
				own[i] += walk(tree, rows[int(i)*featureCount:(int(i)+1)*featureCount])
			}
		}
		left := open[:0]
		for _, i := range open {
			if -certain < own[i] && own[i] < certain {
				left = append(left, i)
			}
		}
		open = left
	}
	return scores
}

const (
	stage   = 30      // trees between two looks at what is certain
	certain = 3 * one // log odds: 1 in 20
)

// walk returns what a tree says of a row.
func walk(tree []node, row []int16) int32 {
	at := 0
	for {
		n := tree[at]
		if n.feature == leaf {
			return int32(n.threshold)
		}
		// Written so that the processor need not guess which way it goes.
		next, right := at+1, int(n.right)
		if row[n.feature] > n.threshold {
			next = right
		}
		at = next
	}
}

// fingerprint is a hash of the names of the features.
func fingerprint(names []string) uint64 {
	h := uint64(14695981039346656037)
	for _, name := range names {
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * 1099511628211
		}
		h = (h ^ '\n') * 1099511628211
	}
	return h
}

// chance turns a score into a probability in parts of 1024.
func chance(score int32) int64 {
	return int64(math.Round(1024 / (1 + math.Exp(-float64(score)/one))))
}
