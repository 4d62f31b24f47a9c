package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // these register the kinds of pictures that are read
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"github.com/trawlhq/trawl/document/tree"
)

// maxPixels is the size of the largest picture that is decoded: a page of A3 at 600
// dots per inch is a little larger.
const maxPixels = 64_000_000

// file is a file of one picture or, if it is a TIFF file, of several.
type file struct {
	body    []byte
	entries []uint32 // where the pictures of a TIFF file are described; nil for other files
	turn    orientation
}

// open looks at a file without decoding it.
func open(body []byte) (*file, error) {
	f := &file{body: body, turn: orientationOf(body)}
	if !isTIFF(body) {
		return f, nil
	}
	if f.entries = directories(body); len(f.entries) == 0 {
		return nil, fmt.Errorf("open picture: %w: it has no pages", tree.ErrDamaged)
	}
	f.body = bytes.Clone(body) // to be changed
	return f, nil
}

func (f *file) pages() int { return max(len(f.entries), 1) }

// decode returns page i, counted from 0, in grey.
func (f *file) decode(i int) (*image.Gray, error) {
	if f.entries != nil { // what is described there is now the first page
		byteOrder(f.body).PutUint32(f.body[4:], f.entries[i])
	}
	size, kind, err := image.DecodeConfig(bytes.NewReader(f.body))
	if err != nil {
		return nil, damaged(err)
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width > maxPixels/size.Height {
		return nil, fmt.Errorf("open picture: %w: %d × %d dots", tree.ErrTooComplex, size.Width, size.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(f.body))
	if picture == nil || err != nil {
		return nil, damaged(errors.Join(fmt.Errorf("decode %s", kind), err))
	}
	return f.turn.apply(reduced(grey(picture))), nil
}

func damaged(err error) error { return fmt.Errorf("open picture: %w: %w", tree.ErrDamaged, err) }

func isTIFF(body []byte) bool {
	return bytes.HasPrefix(body, []byte("II*\x00")) || bytes.HasPrefix(body, []byte("MM\x00*"))
}

func byteOrder(body []byte) binary.ByteOrder {
	if body[0] == 'I' {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// maxDirectories is how many pages of a TIFF file are counted.
const maxDirectories = 10_000

// directories returns where the pages of a TIFF file are described. Each says where
// the next is; one that was there before ends the list.
func directories(body []byte) []uint32 {
	if len(body) < 8 {
		return nil
	}
	order, seen := byteOrder(body), map[uint32]bool{}
	var list []uint32
	for at := order.Uint32(body[4:]); at != 0 && !seen[at] && len(list) < maxDirectories; {
		if int64(at)+2 > int64(len(body)) {
			break
		}
		seen[at] = true
		list = append(list, at)
		next := int64(at) + 2 + 12*int64(order.Uint16(body[at:]))
		if next+4 > int64(len(body)) {
			break
		}
		at = order.Uint32(body[next:])
	}
	return list
}
