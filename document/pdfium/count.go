package pdfium

import (
	"bytes"
	"context"
)

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

// recount opens the file without what its page tree says, if there seem to be more
// pages than that: then the library counts itself. Files that were edited have pages
// left over as well, which are in no tree.
func (d *Document) recount(ctx context.Context) {
	if d.module == nil || d.module.err != nil || d.said >= maxCounted || !morePages(d.body, d.said) {
		return
	}
	other := &Document{engine: d.engine, body: bytes.ReplaceAll(d.body, []byte("/Count"), []byte("/Mount")), mark: d.mark, info: d.info, links: d.links}
	if other.open(ctx) != nil {
		return
	}
	if other.count(); other.module.err != nil || other.pages <= d.pages || !other.present(other.pages-1) {
		other.Close()
		return
	}
	d.Close()
	*d = *other
}

// morePages reports whether a file has more objects than n that are pages. Those that
// are compressed are not seen.
func morePages(body []byte, n int) bool {
	for {
		before, after, found := bytes.Cut(body, []byte("/Page"))
		if !found {
			return false
		}
		before = bytes.TrimRight(before[max(0, len(before)-16):], " \r\n\t")
		if bytes.HasSuffix(before, []byte("/Type")) && (len(after) == 0 || !isLetter(after[0])) {
			if n--; n < 0 {
				return true
			}
		}
		body = after
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
