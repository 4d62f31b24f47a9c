// Package codec is the compression of everything that is stored: zstd frames
// with a checksum, written and read whole. A codec is shared by all goroutines;
// it works on at most two values at a time and never unpacks more than
// [MaxSize], so its memory has a bound whatever it is handed.
package codec

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
	"github.com/trawlhq/trawl"
)

// MaxSize is the size of the largest value that can be stored, before compression.
const MaxSize = 256 << 20

const (
	concurrency = 2
	window      = 1 << 20
)

// Codec packs and unpacks values.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// New returns a codec. It holds no memory to speak of until it is used.
func New() (*Codec, error) {
	encoder, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(concurrency),
		zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true),
		zstd.WithZeroFrames(true), // an empty value is a frame too, never an empty column
	)
	if err != nil {
		return nil, fmt.Errorf("new encoder: %w", err)
	}
	decoder, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(concurrency),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(MaxSize),
		zstd.WithDecoderMaxWindow(window),
	)
	if err != nil {
		return nil, fmt.Errorf("new decoder: %w", err)
	}
	return &Codec{encoder: encoder, decoder: decoder}, nil
}

// Pack compresses data; it refuses what is larger than [MaxSize].
func (c *Codec) Pack(data []byte) ([]byte, error) {
	if len(data) > MaxSize {
		return nil, trawl.Errorf(trawl.CodeTooLarge, "%d bytes are more than can be stored", len(data))
	}
	return c.encoder.EncodeAll(data, make([]byte, 0, len(data)/2+64)), nil
}

// Unpack returns what was packed, or an error if the bytes are damaged.
func (c *Codec) Unpack(packed []byte) ([]byte, error) { return c.Append(nil, packed) }

// Append appends what was packed to a slice.
func (c *Codec) Append(to, packed []byte) ([]byte, error) {
	data, err := c.decoder.DecodeAll(packed, to)
	if err != nil {
		return nil, fmt.Errorf("unpack %d bytes: %w", len(packed), err)
	}
	return data, nil
}

// Close frees the codec's memory. It must not be in use any more.
func (c *Codec) Close() {
	_ = c.encoder.Close() // never fails without a stream
	c.decoder.Close()
}
