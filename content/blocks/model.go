package blocks

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
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
}

// Trees and rows are looked at as arrays of these sizes: powers of two, so that an
// index cannot be out of bounds, and need not be checked.
const (
	maxNodes    = 64
	maxFeatures = 512
)

// tree is the nodes of a tree, and how many steps its longest way has.
type tree struct {
	nodes [maxNodes]node
	depth int32
}

// node asks for one feature. Rows whose value is at most the threshold go left,
// all others right. Leaves lead to themselves, and their threshold is their
// score, so that a walk may take more steps than its way has. It is one number, of
// bits for the feature (16), the threshold (16), where left is (8), and how far
// right is from there (8).
type node uint64

func newNode(feature uint16, threshold int16, left, right uint16) node {
	return node(feature) | node(uint16(threshold))<<16 | node(left)<<32 | node(right-left)<<40
}

func (n node) threshold() int32 { return int32(int16(n >> 16)) }

// next returns where a row goes. It has no branch, for the processor would guess
// wrong half of the time: above is -1 if the value is above the threshold, else 0.
func (n node) next(row *line) node {
	above := node((int64(int16(n>>16)) - int64(row[n%maxFeatures])) >> 63)
	return n>>32%maxNodes + n>>40&above
}

// line is a row and what is behind it.
type line [maxFeatures]int16

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
	if size > maxNodes || m.width > maxFeatures {
		return fmt.Errorf("tree %d is too large: %w", len(m.trees), errModel)
	}
	var t tree
	depths := make([]int32, size)
	for i := range size {
		at := file[6*i:]
		feature, threshold := binary.LittleEndian.Uint16(at), int16(binary.LittleEndian.Uint16(at[2:]))
		left, right := uint16(i+1), binary.LittleEndian.Uint16(at[4:])
		t.depth = max(t.depth, depths[i])
		switch {
		case feature == leaf:
			feature, left, right = 0, uint16(i), uint16(i)
		case int(feature) >= m.width || int(right) >= size || right <= left || int(left) >= size:
			return fmt.Errorf("node %d of tree %d leads nowhere: %w", i, len(m.trees), errModel)
		default:
			depths[left], depths[right] = depths[i]+1, depths[i]+1
		}
		t.nodes[i] = newNode(feature, threshold, left, right)
	}
	m.trees = append(m.trees, t)
	return nil
}

// score appends the log odds of each row, in parts of one. Rows about which
// there is no doubt after some of the trees are not asked about the rest: those that
// are certain not to be content, and those that are enough.
func (m *forest) score(scores []int32, rows []int16, enough int32) []int32 {
	first := len(scores)
	if cap(rows)-len(rows) < maxFeatures {
		rows = slices.Grow(slices.Clip(rows), maxFeatures)
	}
	var doubtful [batch]uint8
	open := doubtful[:len(rows)/m.width]
	for i := range open {
		open[i] = uint8(i)
		scores = append(scores, m.bias)
	}
	own := scores[first:]
	for from := 0; from < len(m.trees) && len(open) > 0; from += stage {
		trees := m.trees[from:min(from+stage, len(m.trees))]
		for k := range trees {
			t := &trees[k]
			at := 0
			for ; at+4 <= len(open); at += 4 {
				said := m.walkFour(t, rows, [4]uint8(open[at:]))
				own[open[at]] += said[0]
				own[open[at+1]] += said[1]
				own[open[at+2]] += said[2]
				own[open[at+3]] += said[3]
			}
			switch rest := open[at:]; len(rest) {
			case 1:
				own[rest[0]] += t.walk(m.rowOf(rows, rest[0]))
			case 2, 3:
				last := len(rest) - 1
				said := m.walkFour(t, rows, [4]uint8{rest[0], rest[1], rest[last], rest[last]})
				for k, i := range rest {
					own[i] += said[k]
				}
			}
		}
		left := open[:0]
		for _, i := range open {
			if -certain < own[i] && own[i] < enough {
				left = append(left, i)
			}
		}
		open = left
	}
	return scores
}

const (
	stage         = 20          // trees between two looks at what is certain
	certain       = 2 * one     // log odds: 1 in 8
	enoughManuals = 3 * one / 2 // there the bar is lower
)

func (m *forest) rowOf(rows []int16, i uint8) *line {
	at := int(i) * m.width
	return (*line)(rows[at : at+maxFeatures])
}

// walk returns what a tree says of a row.
func (t *tree) walk(row *line) int32 {
	at := node(0)
	for range t.depth {
		at = t.nodes[at%maxNodes].next(row)
	}
	return t.nodes[at%maxNodes].threshold()
}

// walkFour returns what a tree says of four rows. The ways do not depend on each
// other, so the processor goes them side by side.
func (m *forest) walkFour(t *tree, rows []int16, of [4]uint8) [4]int32 {
	r0, r1, r2, r3 := m.rowOf(rows, of[0]), m.rowOf(rows, of[1]), m.rowOf(rows, of[2]), m.rowOf(rows, of[3])
	nodes := &t.nodes
	var a0, a1, a2, a3 node
	for step := range t.depth {
		b0, b1, b2, b3 := nodes[a0%maxNodes].next(r0), nodes[a1%maxNodes].next(r1), nodes[a2%maxNodes].next(r2), nodes[a3%maxNodes].next(r3)
		if step > 3 && (a0^b0)|(a1^b1)|(a2^b2)|(a3^b3) == 0 {
			break // all are at their leaves
		}
		a0, a1, a2, a3 = b0, b1, b2, b3
	}
	return [4]int32{
		nodes[a0%maxNodes].threshold(), nodes[a1%maxNodes].threshold(), nodes[a2%maxNodes].threshold(), nodes[a3%maxNodes].threshold(),
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
