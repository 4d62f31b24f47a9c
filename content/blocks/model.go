package blocks

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

//go:embed model.bin
var modelFile []byte

// Model is the forests that find the main content: those of kinds tell kinds of
// pages apart, first looks at each block, second at what the first said of the
// blocks around it.
type Model struct {
	kinds         [kinds]forest
	first, second forest
}

// Kinds of pages that forests are there for, in the order of the file.
const (
	kindManual = iota
	kindArticle
	kindForum
	kindProduct
	kindCollection
	kindListing
	kindService
	kinds // how many there are
)

// forest is a sum of decision trees. Everything in it is whole numbers, so it
// says the same on every machine.
type forest struct {
	bias  int32
	width int // features of a row
	trees []tree
	nodes []node
}

// node asks for one feature. Rows whose value is at most the threshold go left,
// all others right. Leaves lead to themselves, and their threshold is their
// score, so that a walk may take more steps than its way has.
type node struct {
	feature     uint16
	threshold   int16
	left, right uint16 // counted from the tree's first node
}

// next returns where a row goes. It has no branch, for the processor would guess
// wrong half of the time: above is -1 if the value is above the threshold, else 0.
func (n node) next(row []int16) int {
	above := (int(n.threshold) - int(row[n.feature])) >> 63
	return int(n.left) + (int(n.right)-int(n.left))&above
}

// tree is where the nodes of a tree begin, and how many steps its longest way has.
type tree struct{ first, depth int32 }

// leaf stands for the feature of a leaf in the file.
const leaf = math.MaxUint16

// one is the score that stands for one unit of log odds.
const one = 4096

// modelMagic begins the file of a model; its last character is the version of
// the format.
const modelMagic = "trawlbk2"

var (
	errModel    = errors.New("not a model of this version")
	errFeatures = errors.New("the model was trained on other features: train it anew")
)

// ReadModel reads the file of a model: the magic and its forests. It refuses a
// model of other features than there are.
func ReadModel(file []byte) (*Model, error) {
	rest, ok := bytes.CutPrefix(file, []byte(modelMagic))
	if !ok {
		return nil, errModel
	}
	m := new(Model)
	var err error
	for i := range m.kinds {
		if rest, err = m.kinds[i].read(rest, kindFeatures()); err != nil {
			return nil, err
		}
	}
	if rest, err = m.first.read(rest, features()); err != nil {
		return nil, err
	}
	if _, err = m.second.read(rest, secondFeatures()); err != nil {
		return nil, err
	}
	return m, nil
}

// read reads a forest and returns what is behind it: the fingerprint of its
// features, the bias and the number of trees, and for each tree the number of its
// nodes and the nodes.
func (m *forest) read(file []byte, features []string) ([]byte, error) {
	if len(file) < 16 {
		return nil, errModel
	}
	if binary.LittleEndian.Uint64(file) != fingerprint(features) {
		return nil, errFeatures
	}
	m.width = len(features)
	m.bias = int32(binary.LittleEndian.Uint32(file[8:]))
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
		if err := m.readTree(file[:6*size]); err != nil {
			return nil, err
		}
		file = file[6*size:]
	}
	return file, nil
}

// readTree reads the nodes of a tree. In the file the left branch of a node
// follows it.
func (m *forest) readTree(file []byte) error {
	size := len(file) / 6
	t := tree{first: int32(len(m.nodes))}
	depths := make([]int32, size)
	for i := range size {
		at := file[6*i:]
		n := node{
			feature: binary.LittleEndian.Uint16(at), threshold: int16(binary.LittleEndian.Uint16(at[2:])),
			left: uint16(i + 1), right: binary.LittleEndian.Uint16(at[4:]),
		}
		t.depth = max(t.depth, depths[i])
		switch {
		case n.feature == leaf:
			n.feature, n.left, n.right = 0, uint16(i), uint16(i)
		case int(n.feature) >= m.width || int(n.right) >= size || n.right <= n.left || int(n.left) >= size:
			return fmt.Errorf("node %d of tree %d leads nowhere: %w", i, len(m.trees), errModel)
		default:
			depths[n.left], depths[n.right] = depths[i]+1, depths[i]+1
		}
		m.nodes = append(m.nodes, n)
	}
	m.trees = append(m.trees, t)
	return nil
}

// score appends the log odds of each row, in parts of one. Rows about which
// there is no doubt after some of the trees are not asked about the rest.
func (m *forest) score(scores []int32, rows []int16) []int32 {
	first := len(scores)
	var doubtful [batch]uint8
	open := doubtful[:len(rows)/m.width]
	for i := range open {
		open[i] = uint8(i)
		scores = append(scores, m.bias)
	}
	own := scores[first:]
	for from := 0; from < len(m.trees) && len(open) > 0; from += stage {
		for _, t := range m.trees[from:min(from+stage, len(m.trees))] {
			nodes := m.nodes[t.first:]
			at := 0
			for ; at+4 <= len(open); at += 4 {
				m.walkFour(nodes, t.depth, rows, own, [4]uint8(open[at:]))
			}
			for _, i := range open[at:] {
				own[i] += walk(nodes, t.depth, m.rowOf(rows, i))
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
	stage   = 20      // trees between two looks at what is certain
	certain = 2 * one // log odds: 1 in 8
)

func (m *forest) rowOf(rows []int16, i uint8) []int16 {
	return rows[int(i)*m.width : (int(i)+1)*m.width]
}

// walk returns what a tree says of a row.
func walk(nodes []node, depth int32, row []int16) int32 {
	at := 0
	for range depth {
		at = nodes[at].next(row)
	}
	return int32(nodes[at].threshold)
}

// walkFour adds what a tree says of four rows. The ways do not depend on each
// other, so the processor goes them side by side.
func (m *forest) walkFour(nodes []node, depth int32, rows []int16, scores []int32, of [4]uint8) {
	r0, r1, r2, r3 := m.rowOf(rows, of[0]), m.rowOf(rows, of[1]), m.rowOf(rows, of[2]), m.rowOf(rows, of[3])
	a0, a1, a2, a3 := 0, 0, 0, 0
	for step := range depth {
		b0, b1, b2, b3 := nodes[a0].next(r0), nodes[a1].next(r1), nodes[a2].next(r2), nodes[a3].next(r3)
		if step > 3 && a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 {
			break // all are at their leaves
		}
		a0, a1, a2, a3 = b0, b1, b2, b3
	}
	scores[of[0]] += int32(nodes[a0].threshold)
	scores[of[1]] += int32(nodes[a1].threshold)
	scores[of[2]] += int32(nodes[a2].threshold)
	scores[of[3]] += int32(nodes[a3].threshold)
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
