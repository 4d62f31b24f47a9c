package mail

import (
	"encoding/binary"
	"fmt"

	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxRTF     = 64 << 20
	windowSize = 4096
)

// window is what the window of the compression begins with: words of which RTF has
// many.
const window = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` + "\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// unpack unpacks RTF as Outlook keeps it. Bytes with the eight flags in front of them
// stand for themselves or, in pairs, for 2 to 17 bytes of the last 4,096.
func unpack(packed []byte) ([]byte, error) {
	const head = 16
	if len(packed) < head {
		return nil, fmt.Errorf("unpack: no header: %w", tree.ErrDamaged)
	}
	size := int(binary.LittleEndian.Uint32(packed[4:]))
	if size > maxRTF {
		return nil, fmt.Errorf("unpack: %d bytes: %w", size, tree.ErrTooComplex)
	}
	switch string(packed[8:12]) {
	case "MELA": // not packed
		return packed[head:min(head+size, len(packed))], nil
	case "LZFu":
	default:
		return nil, fmt.Errorf("unpack: of no kind: %w", tree.ErrDamaged)
	}
	var ring [windowSize]byte
	at := copy(ring[:], window)
	out := make([]byte, 0, min(size, 9*len(packed)))
	put := func(c byte) {
		ring[at%windowSize] = c
		at++
		out = append(out, c)
	}
	for in := packed[head:]; len(in) > 0 && len(out) < size; {
		flags := in[0]
		in = in[1:]
		for bit := 0; bit < 8 && len(in) > 0 && len(out) < size; bit++ {
			if flags>>bit&1 == 0 {
				put(in[0])
				in = in[1:]
				continue
			}
			if len(in) < 2 {
				return out, nil
			}
			pair := int(in[0])<<8 | int(in[1])
			in = in[2:]
			from, count := pair>>4, pair&0xF+2
			if from == at%windowSize { // the end
				return out, nil
			}
			for i := range count {
				put(ring[(from+i)%windowSize])
			}
		}
	}
	return out, nil
}
