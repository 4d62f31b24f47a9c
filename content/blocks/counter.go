package blocks

// counter counts keys, or numbers them, in one open table.
type counter struct {
	keys   []uint64
	counts []int32
	used   int
}

// maxCounter is how many places a table has at most to be used again.
const maxCounter = 1 << 15

// reset makes room for about n keys.
func (c *counter) reset(n int) {
	capacity := 64
	for capacity < 2*n {
		capacity *= 2
	}
	c.used = 0
	if len(c.keys) >= capacity && len(c.keys) <= maxCounter {
		clear(c.counts)
		return
	}
	c.keys, c.counts = make([]uint64, capacity), make([]int32, capacity)
}

func (c *counter) slot(key uint64) int {
	h := key * 0x9e3779b97f4a7c15
	i := int(h>>32) & (len(c.keys) - 1)
	for c.counts[i] != 0 && c.keys[i] != key {
		i = (i + 1) & (len(c.keys) - 1)
	}
	return i
}

// claim returns the slot of a key, and whether it is new. The caller has to make
// its count more than 0.
func (c *counter) claim(key uint64) (i int, fresh bool) {
	if c.used*4 >= len(c.keys)*3 {
		c.grow()
	}
	i = c.slot(key)
	if fresh = c.counts[i] == 0; fresh {
		c.keys[i] = key
		c.used++
	}
	return i, fresh
}

// add counts a key and returns how often it was counted before.
func (c *counter) add(key uint64) int32 {
	i, _ := c.claim(key)
	c.counts[i]++
	return c.counts[i] - 1
}

// index numbers keys from 0 on, in the order in which they come.
func (c *counter) index(key uint64) int32 {
	i, fresh := c.claim(key)
	if fresh {
		c.counts[i] = int32(c.used)
	}
	return c.counts[i] - 1
}

// get returns how often a key was counted.
func (c *counter) get(key uint64) int32 { return c.counts[c.slot(key)] }

func (c *counter) grow() {
	old := *c
	c.keys, c.counts, c.used = make([]uint64, 2*len(old.keys)), make([]int32, 2*len(old.keys)), 0
	for i, count := range old.counts {
		if count != 0 {
			j := c.slot(old.keys[i])
			c.keys[j], c.counts[j] = old.keys[i], count
			c.used++
		}
	}
}
