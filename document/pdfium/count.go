package pdfium

const (
	maxCounted = 5000 // pages whose presence is made sure of, which are as many as anyone reads
	maxMissing = 16   // pages that may be missing between two that are there
)

// count finds how many pages there are. A page tree says so itself, in a number that
// anybody can write, so it is believed only if the last of the pages is there. If it is
// not, they are looked for one by one.
func (d *Document) count() {
	d.said = max(d.module.number(pageCount, d.handle), 0)
	d.pages = d.said
	last := min(d.said, maxCounted) - 1
	if last < 0 || d.present(last) {
		return
	}
	there := 0
	for i := 0; i < last && i-there < maxMissing; i++ {
		if d.present(i) {
			there = i + 1
		}
	}
	if d.module.err == nil {
		d.pages = there
	}
}

// present reports whether the page tree has page i.
func (d *Document) present(i int) bool {
	return d.module.call(pageSize, d.handle, uint64(i), uint64(d.module.scratch)) != 0
}
