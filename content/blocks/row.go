package blocks

// keepRows makes the cells of a row share their fate, lest the others move into
// wrong columns.
func (p *page) keepRows() {
	for i := 0; i < len(p.blocks); {
		row := p.rowOf(p.blocks[i].container)
		if row < 0 {
			i++
			continue
		}
		end := i
		var kept, lost int32
		for end < len(p.blocks) && p.blocks[end].container >= row && p.blocks[end].container < p.containers[row].end {
			if b := &p.blocks[end]; b.kept {
				kept += max(b.words, 1)
			} else if b.chars > 0 {
				lost += max(b.words, 1)
			}
			end++
		}
		for ; i < end; i++ {
			p.blocks[i].kept = kept > 0 && kept >= lost
		}
		p.containers[row].kept = kept > 0 && kept >= lost
	}
}

// keepHeads keeps the first row of a table of which other rows are kept: without
// its head a table has another one for its head.
func (p *page) keepHeads() {
	table, head := int32(-1), int32(-1)
	for i := range p.containers {
		c := &p.containers[i]
		switch {
		case c.tag == tagTable:
			table, head = int32(i), -1
		case c.tag != tagRow || table < 0 || int32(i) >= p.containers[table].end:
		case head < 0:
			head = int32(i)
		case c.kept && p.containers[head].cells > 1:
			p.containers[head].kept = true
		}
	}
}

// rowOf returns the row of a table of data around a container, or -1. Rows of
// layout have fewer cells than blocks.
func (p *page) rowOf(at int32) int32 {
	for up := 0; at >= 0 && up < 8; up++ {
		c := &p.containers[at]
		switch c.tag {
		case tagRow:
			if c.cells > 1 && c.sums.blocks <= c.cells+1 && c.parent >= 0 {
				return at
			}
			return -1
		case tagTable, tagBody:
			return -1
		}
		at = c.parent
	}
	return -1
}
