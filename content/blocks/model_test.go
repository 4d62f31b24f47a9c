package blocks

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomTree returns the file of a tree of so many inner nodes, and what it says of
// a row, found step by step.
func randomTree(r *rand.Rand, inner, width int) (file []byte, says func(row []int16) int32) {
	if inner == 0 {
		score := int16(r.IntN(400) - 200)
		file = binary.LittleEndian.AppendUint16(nil, leaf)
		file = binary.LittleEndian.AppendUint16(file, uint16(score))
		return binary.LittleEndian.AppendUint16(file, 0), func([]int16) int32 { return int32(score) }
	}
	feature, threshold := r.IntN(width), int16(r.IntN(2000)-1000)
	before := r.IntN(inner)
	left, saysLeft := randomTree(r, before, width)
	right, saysRight := randomTree(r, inner-1-before, width)
	file = binary.LittleEndian.AppendUint16(nil, uint16(feature))
	file = binary.LittleEndian.AppendUint16(file, uint16(threshold))
	file = binary.LittleEndian.AppendUint16(file, uint16(1+len(left)/6))
	moved := moveTree(left, 1)
	moved = append(moved, moveTree(right, 1+len(left)/6)...)
	return append(file, moved...), func(row []int16) int32 {
		if row[feature] <= threshold {
			return saysLeft(row)
		}
		return saysRight(row)
	}
}

// moveTree adds to where the right branches of a tree are.
func moveTree(file []byte, by int) []byte {
	file = slices.Clone(file)
	for at := 0; at < len(file); at += 6 {
		if binary.LittleEndian.Uint16(file[at:]) != leaf {
			binary.LittleEndian.PutUint16(file[at+4:], binary.LittleEndian.Uint16(file[at+4:])+uint16(by))
		}
	}
	return file
}

// TestForest compares what forests say of rows with what their trees say one by one.
func TestForest(t *testing.T) {
	t.Parallel()
	const width = 7
	r := rand.New(rand.NewPCG(1, 2))
	m := forest{bias: 5, width: width}
	var trees []func([]int16) int32
	for range stage {
		file, says := randomTree(r, 1+r.IntN(31), width)
		if err := m.readTree(file); err != nil {
			t.Fatal(err)
		}
		trees = append(trees, says)
	}
	for _, count := range []int{1, 3, 4, 31, batch} {
		rows := make([]int16, count*width)
		for i := range rows {
			rows[i] = int16(r.IntN(2000) - 1000)
		}
		scores := m.score([]int32{7}, rows, certain)
		for i := range count {
			want := m.bias
			for _, says := range trees {
				want += says(rows[i*width : (i+1)*width])
			}
			if scores[0] != 7 || len(scores) != count+1 || scores[i+1] != want {
				t.Fatalf("row %d of %d: %v, want %d", i, count, scores, want)
			}
		}
	}
}

// TestEnough says that rows that are likely enough are not asked about all trees.
func TestEnough(t *testing.T) {
	t.Parallel()
	m := forest{width: 1}
	yes := binary.LittleEndian.AppendUint16(nil, leaf)
	yes = binary.LittleEndian.AppendUint16(yes, one/stage)
	yes = binary.LittleEndian.AppendUint16(yes, 0)
	for range 4 * stage {
		if err := m.readTree(yes); err != nil {
			t.Fatal(err)
		}
	}
	for enough, want := range map[int32]int{one / 2: 1, certain: 3, 100 * one: 4} {
		if got := m.score(nil, []int16{0}, enough)[0]; got != int32(want*stage*(one/stage)) {
			t.Errorf("enough is %d: %d, want %d stages", enough, got, want)
		}
	}
}

// TestLargeTree says that a tree that does not fit is refused.
func TestLargeTree(t *testing.T) {
	t.Parallel()
	file, _ := randomTree(rand.New(rand.NewPCG(3, 4)), maxNodes/2, 3)
	m := forest{width: 3}
	if err := m.readTree(file); !errors.Is(err, errModel) {
		t.Errorf("a tree of %d nodes: %v", len(file)/6, err)
	}
	m.width = maxFeatures + 1
	if err := m.readTree(file[:0]); !errors.Is(err, errModel) {
		t.Errorf("%d features: %v", m.width, err)
	}
}
