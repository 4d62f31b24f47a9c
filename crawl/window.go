package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Limits of what is read of a sitemap.
const (
	maxSitemapBytes = 50 << 20 // after decompression
	maxPacked       = 3        // times that it is compressed
	windowBytes     = 64 << 10
)

var errTooLarge = errors.New("larger than 50 MB")

// window is a view of bytes that are in memory already or arrive piece by piece.
// What its methods return is valid until the next call.
type window struct {
	buf []byte
	at  int       // buf[at:] is unread
	src io.Reader // of what comes after buf; nil at the end
	err error     // why the source ended early
}

// openWindow opens the bytes of a file, and unpacks them if they are compressed,
// as often as it takes.
func openWindow(body []byte) (*window, error) {
	w := &window{buf: body}
	if len(body) > maxSitemapBytes {
		w.buf, w.err = body[:maxSitemapBytes], errTooLarge
	}
	for range maxPacked {
		if !w.has("\x1f\x8b") {
			return w, nil
		}
		unpacked, err := gzip.NewReader(w)
		if err != nil {
			return nil, fmt.Errorf("unpack: %w", err)
		}
		w = &window{buf: make([]byte, 0, windowBytes), src: &bounded{unpacked, maxSitemapBytes}}
	}
	return w, nil
}

// Read hands out the bytes of the window, for those that unpack them.
func (w *window) Read(p []byte) (int, error) {
	if w.at == len(w.buf) && !w.fill() {
		if w.err != nil {
			return 0, w.err
		}
		return 0, io.EOF
	}
	n := copy(p, w.buf[w.at:])
	w.at += n
	return n, nil
}

// fill reads more behind the unread bytes. It reports whether there is more now:
// not at the end, and not if the window is full of unread bytes.
func (w *window) fill() bool {
	if w.src == nil || w.full() {
		return false
	}
	rest := copy(w.buf[:cap(w.buf)], w.buf[w.at:])
	n, err := io.ReadAtLeast(w.src, w.buf[rest:cap(w.buf)], 1)
	w.buf, w.at = w.buf[:rest+n], 0
	if err != nil {
		w.src = nil
		if !errors.Is(err, io.EOF) {
			w.err = err
		}
	}
	return n > 0
}

func (w *window) full() bool { return len(w.buf)-w.at == cap(w.buf) }

// has reports whether the unread bytes begin with a text.
func (w *window) has(prefix string) bool {
	for len(w.buf)-w.at < len(prefix) && w.fill() {
	}
	rest := w.buf[w.at:]
	return len(rest) >= len(prefix) && string(rest[:len(prefix)]) == prefix
}

// find returns how far it is to the next mark within the window, or -1.
func (w *window) find(mark string) int {
	if len(mark) == 1 {
		return bytes.IndexByte(w.buf[w.at:], mark[0])
	}
	return bytes.Index(w.buf[w.at:], []byte(mark))
}

// trim moves behind white space and a byte order mark.
func (w *window) trim() {
	for {
		w.has("\ufeff") // has it here in one piece, if it is there
		rest := bytes.TrimLeft(w.buf[w.at:], " \t\r\n\ufeff")
		w.at = len(w.buf) - len(rest)
		if len(rest) > 0 || !w.fill() {
			return
		}
	}
}

// skip moves behind the next mark and reports whether there is one.
func (w *window) skip(mark string) bool {
	for {
		if i := w.find(mark); i >= 0 {
			w.at += i + len(mark)
			return true
		}
		w.at = max(w.at, len(w.buf)-len(mark)+1)
		if !w.fill() {
			w.at = len(w.buf)
			return false
		}
	}
}

// until returns what stands before the next mark, or before the end, and moves
// behind it. Where that is more than a window holds there is nothing of use in
// it, and nothing is returned.
func (w *window) until(mark string) (text []byte, found bool) {
	for {
		if i := w.find(mark); i >= 0 {
			text = w.buf[w.at : w.at+i]
			w.at += i + len(mark)
			return text, true
		}
		if w.fill() {
			continue
		}
		if w.src != nil {
			return nil, w.skip(mark)
		}
		text = w.buf[w.at:]
		w.at = len(w.buf)
		return text, false
	}
}

// bounded fails when more than its bytes are read.
type bounded struct {
	src  io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.src.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
