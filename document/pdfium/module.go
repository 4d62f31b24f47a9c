package pdfium

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"

	library "github.com/klippa-app/go-pdfium"
	"github.com/tetratelabs/wazero/api"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	scratchSize = 64 << 10 // for answers of the library
	maxString   = 1 << 20  // bytes of a text that the library gives
)

// module is an instance of the library. Its first failure is kept in err, and all
// calls thereafter do nothing and return 0, so that it is enough to look at the
// end of a step whether it went well.
type module struct {
	owner     library.Pdfium
	wasm      api.Module
	memory    api.Memory
	functions [len(names)]api.Function
	stack     [12]uint64
	scratch   uint32 // address of memory for answers
	slots     uint32 // address of memory for the places of characters
	err       error

	texBitmaps bool // fonts without names in the document are bitmaps that TeX wrote
}

// call calls a function of the library.
func (m *module) call(f function, args ...uint64) uint64 {
	if m.err != nil {
		return 0
	}
	callee := m.functions[f]
	if callee == nil {
		callee = m.wasm.ExportedFunction(names[f])
		if callee == nil {
			m.err = errors.New("call pdfium: it has no " + names[f])
			return 0
		}
		m.functions[f] = callee
	}
	copy(m.stack[:], args)
	if err := callee.CallWithStack(context.Background(), m.stack[:]); err != nil {
		m.err = m.trapped(err)
		return 0
	}
	return m.stack[0]
}

// number calls a function that returns an int.
func (m *module) number(f function, args ...uint64) int {
	return int(int32(m.call(f, args...)))
}

// trapped says why an instance ended. One that had used up its memory met a file
// that is too large inside.
func (m *module) trapped(err error) error {
	reason := tree.ErrDamaged
	if m.memory.Size() > memoryPages<<16/4*3 {
		reason = tree.ErrTooComplex
	}
	return fmt.Errorf("%w: %w", reason, err)
}

// allocate returns the address of memory that is freed with the instance.
func (m *module) allocate(size int) uint32 {
	address := uint32(m.call(malloc, uint64(size)))
	if address == 0 && m.err == nil {
		m.err = fmt.Errorf("%w: no memory left", tree.ErrTooComplex)
	}
	return address
}

func (m *module) free(address uint32) { m.call(free, uint64(address)) }

// read returns memory of the module. It may not be used after the next call.
func (m *module) read(address uint32, size int) []byte {
	b, ok := m.memory.Read(address, uint32(size))
	if !ok {
		if m.err == nil {
			m.err = fmt.Errorf("%w: answer outside of the memory", tree.ErrDamaged)
		}
		return make([]byte, size)
	}
	return b
}

// floats fills a slice with numbers that stand in the module's memory.
func (m *module) floats(address uint32, into []float32) {
	b := m.read(address, 4*len(into))
	for i := range into {
		into[i] = float(b[4*i:])
	}
}

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// name writes a short text into the module's memory and returns its address. The
// second half of the scratch memory is for these.
func (m *module) name(s string) uint64 {
	address := m.scratch + scratchSize - 64
	if m.err == nil && !m.memory.Write(address, append([]byte(s), 0)) {
		m.err = errors.New("call pdfium: cannot write to its memory")
	}
	return uint64(address)
}

// bytes calls a function whose last two parameters are where to put a text and how
// much may be put there, and which returns how long it is with its final zero.
func (m *module) bytes(f function, args ...uint64) []byte {
	const room = scratchSize / 2
	args = append(args, uint64(m.scratch), room)
	size := int(uint32(m.call(f, args...)))
	if size <= room {
		return m.read(m.scratch, size)
	}
	if size > maxString {
		return nil
	}
	address := m.allocate(size)
	args[len(args)-2], args[len(args)-1] = uint64(address), uint64(size)
	m.call(f, args...)
	b := append([]byte(nil), m.read(address, size)...)
	m.free(address)
	return b
}

// text is bytes for functions that answer in UTF-16.
func (m *module) text(f function, args ...uint64) string {
	b := m.bytes(f, args...)
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	for len(units) > 0 && units[len(units)-1] == 0 {
		units = units[:len(units)-1]
	}
	return string(utf16.Decode(units))
}

// ascii is bytes for functions that answer in bytes.
func (m *module) ascii(f function, args ...uint64) string {
	b := m.bytes(f, args...)
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return string(b)
}
