package doc

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

const (
	pageSize = 512
	maxRuns  = 4 << 20
)

// run is a stretch of the stream with the same properties, which stand at another
// place of the stream; 0 if there are none.
type run struct{ from, to, at uint32 }

// runs are in the order of the stream.
type runs []run

// find returns the run that a place of the stream is in. Where there is none, it is
// one without properties.
func (rs runs) find(fc int) run {
	i := sort.Search(len(rs), func(i int) bool { return int(rs[i].from) > fc })
	if i > 0 && fc < int(rs[i-1].to) {
		return rs[i-1]
	}
	gap := run{to: math.MaxUint32}
	if i < len(rs) {
		gap.to = rs[i].from
	}
	return gap
}

// readRuns reads the pages of 512 bytes in which a table of pages says that the
// properties are. Step is how many bytes a page has for each run, the first of
// which tells where in the page its properties are.
func (f *fib) readRuns(part, step int) runs {
	var out runs
	seen := map[int]bool{}
	for _, n := range f.pages(part) {
		at := n * pageSize
		if seen[n] || at+pageSize > len(f.main) || len(out) > maxRuns {
			continue
		}
		seen[n] = true
		page := f.main.cut(at, pageSize)
		count := min(page.u8(pageSize-1), (pageSize-5)/(4+step))
		for i := range count {
			r := run{from: uint32(page.u32(4 * i)), to: uint32(page.u32(4*i + 4))}
			if offset := page.u8(4*(count+1) + step*i); offset != 0 {
				r.at = uint32(at + 2*offset)
			}
			if r.from < r.to {
				out = append(out, r)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	return out
}

// pages returns the numbers of the pages of a table of pages.
func (f *fib) pages(part int) []int {
	var out []int
	if !f.old {
		list := f.part(part).plc(4)
		for i := range list.count {
			out = append(out, list.record(i).u32(0)&0x3FFFFF)
		}
		return out
	}
	list := f.part(part).plc(2)
	for i := range list.count {
		out = append(out, list.record(i).u16(0))
	}
	// Old programs left out entries where the pages follow one another.
	first, count := f.main.u16(0x18A), f.main.u16(0x18E)
	if part == partParas {
		first, count = f.main.u16(0x18C), f.main.u16(0x190)
	}
	if list.count < count && first != 0 {
		for i := range count {
			out = append(out, first+i)
		}
	}
	return out
}

// chars returns the properties of characters that a run has.
func (f *fib) chars(r run) data {
	if r.at == 0 {
		return nil
	}
	return f.main.cut(int(r.at)+1, f.main.u8(int(r.at)))
}

// paras returns the style and the properties of paragraphs that a run has.
func (f *fib) paras(r run) (style int, list data) {
	if r.at == 0 {
		return 0, nil
	}
	at := int(r.at)
	n := 2 * f.main.u8(at)
	switch {
	case f.old:
	case n == 0:
		at++
		n = 2 * f.main.u8(at)
	default:
		n--
	}
	all := f.main.cut(at+1, n)
	return all.u16(0), all.from(2)
}
