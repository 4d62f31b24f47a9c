// Package zipped reads the archives that office documents are: zip files whose
// parts are XML.
//
// The archives come from strangers. How many parts there are, how large they
// become and how deep their XML goes is counted while reading, whatever the
// archive says of itself. A part that goes beyond a limit is refused with
// [tree.ErrTooComplex]; of one that is merely damaged, what can be read is given
// together with [tree.ErrDamaged].
package zipped

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxEntries = 10_000
	maxPart    = 128 << 20 // of one part, unpacked
	maxAll     = 256 << 20 // of all that is read, unpacked
	maxRatio   = 100       // of a part of more than smallPart against its packed size
	smallPart  = 1 << 20
)

// Archive is an open zip file. It is not safe for concurrent use.
type Archive struct {
	names []string             // in the order of the directory, as they are written
	files map[string]*zip.File // by folded name
	left  int64                // how many bytes may still be unpacked
	cut   bool                 // its end is missing
}

// Open opens an archive that is held in memory. Of one whose end is missing, it finds
// the parts that are there, and [Archive.Damage] says so.
func Open(body []byte) (*Archive, error) {
	// The directory is read as a whole, so its length is looked at before. Parts that
	// are archives themselves may have a directory too.
	if bytes.Count(body, []byte("PK\x01\x02")) > 4*maxEntries {
		return nil, fmt.Errorf("open archive: too many entries: %w", tree.ErrTooComplex)
	}
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	cut := false
	if errors.Is(err, zip.ErrFormat) {
		if whole := salvage(body); whole != nil {
			cut = true
			r, err = zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
		}
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("open archive: %w: %w", err, tree.ErrDamaged)
	}
	if len(r.File) > maxEntries {
		return nil, fmt.Errorf("open archive: %d entries: %w", len(r.File), tree.ErrTooComplex)
	}
	if overlap(r.File) {
		return nil, fmt.Errorf("open archive: entries overlap: %w", tree.ErrTooComplex)
	}
	a := &Archive{files: make(map[string]*zip.File, len(r.File)), left: maxAll, cut: cut}
	for _, f := range r.File {
		key := fold(f.Name)
		if _, twice := a.files[key]; twice || key == "" || strings.HasSuffix(key, "/") {
			continue
		}
		a.files[key] = f
		a.names = append(a.names, strings.TrimLeft(strings.ReplaceAll(f.Name, `\`, "/"), "/"))
	}
	return a, nil
}

// overlap tells whether two entries share bytes, which only bombs do.
func overlap(files []*zip.File) bool {
	extents := make([][2]int64, 0, len(files))
	for _, f := range files {
		if from, err := f.DataOffset(); err == nil && f.CompressedSize64 < 1<<40 {
			extents = append(extents, [2]int64{from, from + int64(f.CompressedSize64)})
		}
	}
	slices.SortFunc(extents, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	for i := 1; i < len(extents); i++ {
		if extents[i][0] < extents[i-1][1] {
			return true
		}
	}
	return false
}

// fold makes names that programs write in different ways the same.
func fold(name string) string {
	return strings.ToLower(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// Has tells whether there is a part of that name. Neither case nor a leading slash
// matters.
func (a *Archive) Has(name string) bool {
	return a.files[fold(name)] != nil
}

// Damage returns [tree.ErrDamaged] if the end of the archive is missing, so that there
// may be fewer parts than there were.
func (a *Archive) Damage() error {
	if a.cut {
		return tree.ErrDamaged
	}
	return nil
}

// Names returns the names of all parts, without leading slashes.
func (a *Archive) Names() []string { return a.names }

// Read unpacks a part. If there is none of that name, the error is
// [fs.ErrNotExist]. If the part is damaged, what could be read is returned with
// the error.
func (a *Archive) Read(name string) ([]byte, error) {
	var out bytes.Buffer
	err := a.unpack(name, &out)
	return out.Bytes(), err
}

// text is Read for a part that is text.
func (a *Archive) text(name string) (string, error) {
	var out strings.Builder
	err := a.unpack(name, &out)
	return out.String(), err
}

// buffer is where a part is unpacked to.
type buffer interface {
	io.Writer
	Grow(int)
	Reset()
}

func (a *Archive) unpack(name string, out buffer) error {
	f := a.files[fold(name)]
	if f == nil {
		return fmt.Errorf("read %q: %w", name, fs.ErrNotExist)
	}
	if f.Flags&1 != 0 {
		return fmt.Errorf("read %q: %w", name, tree.ErrEncrypted)
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("read %q: %w: %w", name, err, tree.ErrDamaged)
	}
	defer r.Close()
	most := min(maxPart, a.left, max(smallPart, maxRatio*int64(min(f.CompressedSize64, maxPart))))
	if f.UncompressedSize64 > uint64(most) {
		return fmt.Errorf("read %q: %d bytes: %w", name, f.UncompressedSize64, tree.ErrTooComplex)
	}
	out.Grow(int(f.UncompressedSize64) + bytes.MinRead)
	n, err := io.Copy(out, io.LimitReader(r, most+1))
	a.left -= min(n, a.left)
	if n > most {
		out.Reset()
		return fmt.Errorf("read %q: more than %d bytes: %w", name, most, tree.ErrTooComplex)
	}
	if err != nil {
		return fmt.Errorf("read %q: %w: %w", name, err, tree.ErrDamaged)
	}
	return nil
}

// XML reads a part as XML. If it is damaged or too large, the tree that was read
// until there is returned with the error; it may be nil.
func (a *Archive) XML(name string) (*Node, error) {
	body, err := a.text(name)
	if body == "" && err != nil {
		return nil, err
	}
	root, wrong := parse(body)
	if wrong != nil {
		return root, fmt.Errorf("read %q: %w", name, wrong)
	}
	return root, err
}

// Scan is XML for parts that are too large for a tree. If the part is damaged, the
// scanner reads what there is of it; if there is nothing, it is nil.
func (a *Archive) Scan(name string) (*Scanner, error) {
	body, err := a.text(name)
	if body == "" && err != nil {
		return nil, err
	}
	s, wrong := newScanner(body)
	if wrong != nil {
		return nil, fmt.Errorf("read %q: %w", name, wrong)
	}
	return s, err
}
