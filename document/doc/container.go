package doc

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/richardlehane/mscfb"

	"github.com/trawlhq/trawl/document/tree"
)

// streams are the parts of a compound file that matter here, by name.
type streams map[string]data

// open reads the streams of a compound file. The library that reads it is kept on
// a short rein: it sees a limited directory, its reads are small because it joins
// sectors in quadratic time, all streams together are no longer than the file,
// and should it panic, the file counts as damaged.
func open(body []byte) (found streams, err error) {
	defer func() {
		if p := recover(); p != nil {
			found, err = nil, fmt.Errorf("open compound file: %v: %w", p, tree.ErrDamaged)
		}
	}()
	source := &source{body: body, directory: maxDirectory}
	file, err := mscfb.New(source)
	if source.directory < 0 {
		return nil, fmt.Errorf("open compound file: directory: %w", tree.ErrTooComplex)
	}
	if err != nil {
		return nil, fmt.Errorf("open compound file: %w: %w", err, tree.ErrDamaged)
	}
	source.directory = math.MaxInt
	found, left := streams{}, len(body)
	for _, f := range file.File {
		name := f.Name
		if f.Initial < ' ' {
			name = string(rune(f.Initial)) + name
		}
		switch name {
		case "WordDocument", "0Table", "1Table", "Data", summaryName, "EncryptedPackage":
			if found[name] == nil && len(f.Path) == 0 {
				found[name] = readStream(f, min(int(f.Size), left))
				left -= len(found[name])
			}
		}
	}
	return found, nil
}

const chunk = 256 << 10

// readStream reads n bytes of a stream, or as many as its chain of sectors has.
func readStream(f *mscfb.File, n int) data {
	out := make(data, 0, n)
	for len(out) < n {
		part := out[len(out):min(n, len(out)+chunk)]
		got, err := f.Read(part)
		out = out[:len(out)+got]
		if err != nil && !errors.Is(err, io.EOF) || got == 0 {
			break
		}
	}
	return out
}

// maxDirectory is how many bytes of whole sectors may be read to find the streams.
const maxDirectory = 512 << 10

// source is a file whose last sector may have been cut short: what is missing
// of it is zero.
type source struct {
	body      []byte
	directory int // what is left of maxDirectory
}

func (s *source) ReadAt(p []byte, at int64) (int, error) {
	if len(p) == 512 || len(p) == 4096 {
		if s.directory -= len(p); s.directory < 0 {
			return 0, io.ErrUnexpectedEOF
		}
	}
	if at < 0 || at >= int64(len(s.body)) {
		return 0, io.EOF
	}
	n := copy(p, s.body[at:])
	if len(p)-n >= 4096 {
		return n, io.EOF
	}
	clear(p[n:])
	return len(p), nil
}
