package blocks

// counter counts keys in one open table.
type counter struct {
	keys   []uint64
	counts []int32
	used   int
}

// reset makes room for about n keys.
func (c *counter) reset(n int) {
	capacity := 64
	for capacity < 2*n {
		capacity *= 2
	}
	c.keys, c.counts, c.used = make([]uint64, capacity), make([]int32, capacity), 0
}

func (c *counter) slot(key uint64) int {
	h := key * 0x9e3779b97f4a7c15
	i := int(h>>32) & (len(c.keys) - 1)
	for c.counts[i] != 0 && c.keys[i] != key {
		i = (i + 1) & (len(c.keys) - 1)
	}
	return i
}

// add counts a key and returns how often it was counted before.
func (c *counter) add(key uint64) int32 {
	if c.used*4 >= len(c.keys)*3 {
		c.grow()
	}
	i := c.slot(key)
	if c.counts[i] == 0 {
		c.keys[i] = key
		c.used++
	}
	c.counts[i]++
	return c.counts[i] - 1
}

// get returns how often a key was counted.
func (c *counter) get(key uint64) int32 { return c.counts[c.slot(key)] }

func (c *counter) grow() {
	old := *c
	c.reset(len(old.keys))
	for i, count := range old.counts {
		if count != 0 {
			j := c.slot(old.keys[i])
			c.keys[j], c.counts[j] = old.keys[i], count
			c.used++
		}
	}
}
