package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A result is long, and the SDK encodes a message several times over. So over HTTP it
// gets words that stand for the text and the data of a result, and whoever writes the
// message puts these in their places. Without that a scrape by a tool would cost
// nearly twice as much as the same scrape by POST.

const (
	mostBodies = 32 << 20         // bytes that are held at a time; what is beyond goes the long way
	bodyTime   = 10 * time.Minute // after which what nobody wrote is forgotten: its caller is gone
)

// bodies are results that are about to be written.
type bodies struct {
	mark    []byte // begins each word; nobody can guess it
	buffers sync.Pool

	mu   sync.Mutex
	held map[string]body // by number
	size int
	last int
}

// body is a result as it is written.
type body struct {
	text, data []byte // JSON, on one line
	expiry     *time.Timer
}

func newBodies() *bodies {
	return &bodies{mark: []byte(`"` + rand.Text() + `-`), held: map[string]body{}, buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

// put takes a result in and returns one with words in its place, or nil if there is no
// room.
func (b *bodies) put(text, data []byte) *sdk.CallToolResult {
	quoted, err := jsontext.AppendQuote(make([]byte, 0, len(text)+len(text)/8), text)
	if err != nil {
		return nil
	}
	if bytes.IndexByte(data, '\n') >= 0 { // an event has one line
		var line bytes.Buffer
		if json.Compact(&line, data) != nil {
			return nil
		}
		data = line.Bytes()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	size := len(quoted) + len(data)
	if b.size+size > mostBodies {
		return nil
	}
	b.size += size
	b.last++
	number := strconv.Itoa(b.last)
	b.held[number] = body{quoted, data, time.AfterFunc(bodyTime, func() { b.forget(number) })}
	word := string(b.mark[1:]) + number
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: word + "-text"}}, StructuredContent: word + "-data"}
}

func (b *bodies) forget(number string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if held, ok := b.held[number]; ok {
		held.expiry.Stop()
		b.size -= len(held.text) + len(held.data)
		delete(b.held, number)
	}
}

// has reports whether a message has words in it.
func (b *bodies) has(message []byte) bool { return bytes.Contains(message, b.mark) }

// pieces calls write with the pieces of a message, results in the places of their
// words, and returns the numbers of these.
func (b *bodies) pieces(message []byte, write func([]byte)) (numbers []string) {
	for {
		before, after, found := bytes.Cut(message, b.mark)
		write(before)
		if !found {
			return numbers
		}
		word, rest, _ := bytes.Cut(after, []byte(`"`))
		number, kind, _ := strings.Cut(string(word), "-")
		b.mu.Lock()
		held := b.held[number]
		b.mu.Unlock()
		if kind == "text" {
			write(held.text)
		} else {
			write(held.data)
			numbers = append(numbers, number)
		}
		message = rest
	}
}

// full returns a message with its results.
func (b *bodies) full(message []byte) []byte {
	if !b.has(message) {
		return message
	}
	size := 0
	b.pieces(message, func(piece []byte) { size += len(piece) })
	full := make([]byte, 0, size)
	b.pieces(message, func(piece []byte) { full = append(full, piece...) })
	return full
}

// write writes a message with its results, which are then no longer held. It is one
// write, as each is a packet.
func (b *bodies) write(w io.Writer, message []byte) error {
	buffer := b.buffers.Get().(*bytes.Buffer)
	defer b.buffers.Put(buffer)
	buffer.Reset()
	for _, number := range b.pieces(message, func(piece []byte) { buffer.Write(piece) }) {
		b.forget(number)
	}
	_, err := w.Write(buffer.Bytes())
	return err
}
