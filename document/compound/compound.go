// Package compound reads compound files, the container of Word's, Excel's and PowerPoint's old
// files: a file system in a file, also known as OLE.
//
// Such a file has a header and sectors of equal size. A table tells for each sector
// which one follows it; a chain of sectors is a stream. The sectors of the table are
// listed in the header and, in large files, in sectors of their own. One chain is the
// directory, whose entries make trees of folders and streams. Streams of less than
// 4 KiB are in chains of small sectors, which are parts of one stream that belongs to
// the root of the directory.
//
// Files may be broken or hostile: chains may go in circles and sizes may lie. Every
// look into them is checked, work and memory grow with the length of the file only,
// and what is there of a file that ends too early is read.
package compound

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	// Magic is what a compound file begins with.
	Magic = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

	headerSize = 512
	entrySize  = 128
	maxEntries = 32 << 10
	folder     = 1    // type of entries that are no streams
	smallSize  = 4096 // streams shorter than this are in small sectors
	smallShift = 6
)

// File is a compound file that is open, or a folder within it. It is not safe for
// concurrent use.
type File struct {
	*container
	entries map[string]data // streams of the folder, by names in lower case
	folders map[string]int  // first entries of the folders in it, the same way
	read    map[string][]byte
}

// container is what all folders of a file share.
type container struct {
	header    data
	sectors   chains
	small     *chains // nil until it is needed
	directory data
	left      int // bytes that streams may still have
	visits    int // entries that may still be looked at: folders may share them
}

// Open opens a compound file. Errors wrap [tree.ErrDamaged] or, if it has more
// entries than any document, [tree.ErrTooComplex].
func Open(body []byte) (*File, error) {
	header := data(body[:min(len(body), headerSize)])
	shift := header.u16(30)
	if !bytes.HasPrefix(body, []byte(Magic)) || shift != 9 && shift != 12 {
		return nil, fmt.Errorf("open compound file: no header: %w", tree.ErrDamaged)
	}
	f := &File{container: &container{header: header, sectors: chains{body: data(body).from(1 << shift), shift: shift}, left: len(body)}}
	f.readTable()
	directory := f.sectors.join(nil, header.u32(48), min(maxEntries*entrySize+1, len(body)))
	if len(directory) > maxEntries*entrySize {
		return nil, fmt.Errorf("open compound file: directory: %w", tree.ErrTooComplex)
	}
	f.directory, f.visits = directory, 4*len(directory)/entrySize
	if f.readFolder(f.directory.u32(76)); len(f.entries) == 0 { // from the child of the root
		return nil, fmt.Errorf("open compound file: no streams: %w", tree.ErrDamaged)
	}
	return f, nil
}

// readTable joins the sectors of the table: the first are listed in the header, others
// in sectors of their own, whose last number is that of the next. A sector that is
// missing ends the chains that go through it.
func (f *File) readTable() {
	s := &f.sectors
	size, need := 1<<s.shift, 4*s.count()
	list, next := f.header.from(76), f.header.u32(68)
	for {
		for i := 0; i+4 <= len(list) && len(s.next) < need; i += 4 {
			part := s.sector(list.u32(i))
			s.next = append(s.next, part...)
			s.next = append(s.next, bytes.Repeat([]byte{0xFF}, size-len(part))...)
		}
		if list = s.sector(next); len(list) < size || len(s.next) >= need {
			return
		}
		list, next = list[:size-4], list.u32(size-4)
	}
}

// readFolder notes the entries of a folder, whose first is given. Those of folders in
// it belong to files within the file.
func (f *File) readFolder(first int) {
	f.entries, f.folders, f.read = map[string]data{}, map[string]int{}, map[string][]byte{}
	seen := map[int]bool{}
	queue := []int{first}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[id] || id >= len(f.directory)/entrySize || f.visits == 0 { // the second also if there is none
			continue
		}
		seen[id] = true
		f.visits--
		e := f.directory[id*entrySize:][:entrySize]
		queue = append(queue, e.u32(68), e.u32(72)) // its siblings
		name, _, _ := strings.Cut(codepage.Decode(codepage.UTF16, e.cut(0, min(e.u16(64), 64))), "\x00")
		key := strings.ToLower(name)
		if _, known := f.folders[key]; e[66] == folder && !known {
			f.folders[key] = e.u32(76)
		}
		if e[66] != folder && f.entries[key] == nil {
			f.entries[key] = e
		}
	}
}

// Folder opens a folder, nil if there is none of the name.
func (f *File) Folder(name string) *File {
	first, ok := f.folders[strings.ToLower(name)]
	if !ok {
		return nil
	}
	inner := &File{container: f.container}
	inner.readFolder(first)
	return inner
}

// Folders returns the names of the folders that begin so, in lower case and in order.
func (f *File) Folders(prefix string) []string {
	var names []string
	for name := range f.folders {
		if strings.HasPrefix(name, strings.ToLower(prefix)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Has reports whether the folder has a stream of a name.
func (f *File) Has(name string) bool { return f.entries[strings.ToLower(name)] != nil }

// Stream returns a stream of the folder, nil if it has none of the name. Case
// does not matter. All streams together are no longer than the file: what goes beyond
// that, or beyond the end of its chain, is missing.
func (f *File) Stream(name string) []byte {
	key := strings.ToLower(name)
	e := f.entries[key]
	if e == nil || f.read[key] != nil {
		return f.read[key]
	}
	from, size := &f.sectors, e.u32(120)
	if size < smallSize {
		from = f.smallSectors()
	}
	size = min(size, f.left)
	out := from.join(make([]byte, 0, size), e.u32(116), size)
	f.left -= len(out)
	f.read[key] = out
	return out
}

func (f *File) smallSectors() *chains {
	if f.small == nil {
		s := &chains{shift: smallShift}
		s.body = f.sectors.join(nil, f.directory.u32(116), len(f.sectors.body))
		s.next = f.sectors.join(nil, f.header.u32(60), 4*s.count())
		f.small = s
	}
	return f.small
}
