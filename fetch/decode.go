package fetch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxLayers is how many content encodings may lie over each other.
	maxLayers = 3

	// maxZstdWindow is the most memory that zstd may ask for on the web (RFC 9659).
	maxZstdWindow = 8 << 20

	// maxTail is how much may follow encoded data in a body without costing the
	// connection.
	maxTail = 4 << 10

	// scratchBytes is enough for most pages.
	scratchBytes = 64 << 10

	// maxPresize bounds what a mere announcement of a length can make us allocate.
	maxPresize = 1 << 20
)

var (
	errTooLarge = errors.New("body exceeds the limit")
	errTooDeep  = fmt.Errorf("more than %d content encodings", maxLayers)
)

// unpackers read bodies and undo their content encodings. Decoders are costly
// to make and are kept for reuse, per encoding; so are buffers for bodies of
// unknown length.
type unpackers struct {
	decoders map[string]*sync.Pool
	scratch  *sync.Pool
}

func newUnpackers() unpackers {
	pool := func(newOpener func() opener) *sync.Pool {
		return &sync.Pool{New: func() any { return &unpacker{in: bufio.NewReader(nil), open: newOpener()} }}
	}
	zipped := pool(gzipOpener)
	return unpackers{
		decoders: map[string]*sync.Pool{
			"gzip": zipped, "x-gzip": zipped,
			"deflate": pool(deflateOpener),
			"br":      pool(brotliOpener),
			"zstd":    pool(zstdOpener),
		},
		scratch: &sync.Pool{New: func() any { return new([scratchBytes]byte) }},
	}
}

// unpacker is one decoder with the buffer that it reads from.
type unpacker struct {
	in   *bufio.Reader
	open opener
}

// opener starts decoding what in holds; it is never called for an empty body.
type opener func(in *bufio.Reader) (io.Reader, error)

// read returns the decoded body of a response, at most limit bytes of it before
// and after each decoding, else errTooLarge. The header tells of the decoded body.
func (u unpackers) read(response *http.Response, limit int64, large func() error) ([]byte, error) {
	length := response.ContentLength
	if length > limit {
		return nil, errTooLarge
	}
	var body io.Reader = &capped{response.Body, limit}
	encodings := contentEncodings(response.Header)
	if len(encodings) > maxLayers {
		return nil, errTooDeep
	}
	for _, encoding := range slices.Backward(encodings) {
		pool, known := u.decoders[encoding]
		if !known {
			continue // browsers ignore it as well
		}
		layer := pool.Get().(*unpacker)
		defer pool.Put(layer)
		defer layer.in.Reset(nil)
		decoded, err := layer.start(body)
		if err != nil {
			return nil, err
		}
		body = &capped{decoded, limit}
		length = -1
	}
	data, err := u.readAll(&gated{body, LargeBytes, large}, length)
	if err == nil && len(encodings) > 0 {
		response.Header.Del("Content-Encoding")
		response.Header.Del("Content-Length")
		// The decoder stops at the end of its data; only a body read to its own
		// end leaves the connection fit for reuse.
		_, _ = io.CopyN(io.Discard, response.Body, maxTail)
	}
	return data, err
}

func (u *unpacker) start(src io.Reader) (io.Reader, error) {
	u.in.Reset(src)
	if _, err := u.in.Peek(1); err != nil {
		return u.in, nil // gives the error, or the end of an empty body, to its reader
	}
	return u.open(u.in)
}

// contentEncodings lists the encodings in the order in which they were applied.
func contentEncodings(header http.Header) []string {
	var list []string
	for _, value := range header["Content-Encoding"] {
		for encoding := range strings.SplitSeq(value, ",") {
			encoding = strings.ToLower(strings.TrimSpace(encoding))
			if encoding != "" && encoding != "identity" {
				list = append(list, encoding)
			}
		}
	}
	return list
}

// gzipOpener lets through what is announced as gzip and is not.
func gzipOpener() opener {
	z := &zipped{}
	return func(in *bufio.Reader) (io.Reader, error) {
		if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
			return in, nil
		}
		return z, z.Reset(in)
	}
}

// zipped ends at bytes that follow the last member and are none.
type zipped struct{ gzip.Reader }

func (z *zipped) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	if err == gzip.ErrHeader {
		err = io.EOF
	}
	return n, err
}

// deflateOpener takes both meanings of deflate: with the zlib frame, as it is
// specified, and without, as some servers send it.
func deflateOpener() opener {
	return func(in *bufio.Reader) (io.Reader, error) {
		head, _ := in.Peek(2)
		if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			return zlib.NewReader(in)
		}
		return flate.NewReader(in), nil
	}
}

func brotliOpener() opener {
	decoder := brotli.NewReader(nil)
	return func(in *bufio.Reader) (io.Reader, error) { return decoder, decoder.Reset(in) }
}

func zstdOpener() opener {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	return func(in *bufio.Reader) (io.Reader, error) {
		if err != nil {
			return nil, err
		}
		return decoder, decoder.Reset(in)
	}
}

// capped reads at most left bytes and fails with errTooLarge if there are more.
type capped struct {
	src  io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.src.Read(p)
	c.left -= int64(n)
	if c.left < 0 {
		return n - 1, errTooLarge
	}
	return n, err
}

// gated asks once when it has passed on more than so many bytes.
type gated struct {
	src  io.Reader
	left int64
	ask  func() error
}

// Read implements io.Reader.
func (g *gated) Read(p []byte) (int, error) {
	if g.left < 0 && g.ask != nil {
		if err := g.ask(); err != nil {
			return 0, err
		}
		g.ask = nil
	}
	n, err := g.src.Read(p)
	g.left -= int64(n)
	return n, err
}

// readAll reads to the end. A negative length is unknown.
func (u unpackers) readAll(src io.Reader, length int64) ([]byte, error) {
	if length >= 0 {
		data := make([]byte, 0, min(length, maxPresize)+1) // one more, to see the end
		return grow(data, src)
	}
	scratch := u.scratch.Get().(*[scratchBytes]byte)
	defer u.scratch.Put(scratch)
	data, err := fill(scratch[:0], src)
	switch err {
	case nil:
		return grow(data, src)
	case io.EOF:
		return slices.Clone(data), nil
	default:
		return nil, err
	}
}

// grow reads to the end, into a bigger buffer whenever the present one is full.
func grow(data []byte, src io.Reader) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
		var err error
		if data, err = fill(data, src); err == io.EOF {
			return data, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// fill reads until the buffer is full or src fails or ends. Unlike io.ReadFull
// it tells an end from a body that is cut short.
func fill(data []byte, src io.Reader) ([]byte, error) {
	for len(data) < cap(data) {
		n, err := src.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			return data, err
		}
	}
	return data, nil
}

// size writes a limit as people read it.
func size(bytes int64) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	default:
		return fmt.Sprintf("%d bytes", bytes)
	}
}
