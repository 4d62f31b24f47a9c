package document

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Pool and its worker speak in frames: a byte that says what it is, the length in
// four bytes, and so many bytes.
//
//	worker  ready                    it has given up its rights; a notice as JSON
//	pool    request, body            what to read, as JSON, and the file
//	worker  taken                    it has the whole file and begins
//	worker  question                 the number of pages; for a PDF, once
//	pool    answer                   how many of them to read
//	worker  reply, page              what came of it, as JSON, and the HTML
const (
	frameReady    = 's'
	frameRequest  = 'r'
	frameBody     = 'b'
	frameTaken    = 't'
	frameQuestion = 'q'
	frameAnswer   = 'a'
	frameReply    = 'h'
	framePage     = 'p'
)

// How long frames can be.
const (
	maxSmall = 64 << 10
	maxBody  = 128 << 20
	maxReply = 32 << 20
	maxPage  = 64 << 20
)

// errProtocol is that the other side does not keep to the above.
var errProtocol = errors.New("the frame is not what it should be")

// stream is one side's view of the two pipes.
type stream struct {
	in  *bufio.Reader
	out *bufio.Writer
}

func newStream(in io.Reader, out io.Writer) *stream {
	return &stream{in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10)}
}

// write adds a frame to what [stream.flush] sends.
func (s *stream) write(kind byte, payload []byte) error {
	var head [5]byte
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:], uint32(len(payload)))
	_, err := s.out.Write(head[:])
	if err == nil {
		_, err = s.out.Write(payload)
	}
	return err
}

func (s *stream) writeJSON(kind byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.write(kind, data)
}

func (s *stream) flush() error { return s.out.Flush() }

// read reads a frame, which must be of that kind and not be longer than most.
// Memory is taken as the bytes come, whatever length was announced.
func (s *stream) read(kind byte, most int) ([]byte, error) {
	got, length, err := s.next()
	if err != nil {
		return nil, err
	}
	if got != kind || length > most {
		return nil, fmt.Errorf("frame %q of %d bytes: %w", got, length, errProtocol)
	}
	return s.payload(length)
}

// next reads the head of a frame. At the end between frames the error is io.EOF.
func (s *stream) next() (kind byte, length int, err error) {
	var head [5]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return 0, 0, err
	}
	return head[0], int(binary.BigEndian.Uint32(head[1:])), nil
}

func (s *stream) payload(length int) ([]byte, error) {
	const step = 4 << 20
	payload := make([]byte, min(length, step))
	for done := 0; ; {
		n, err := io.ReadFull(s.in, payload[done:])
		if err != nil {
			return nil, fmt.Errorf("frame of %d bytes: %w", length, io.ErrUnexpectedEOF)
		}
		if done += n; done == length {
			return payload, nil
		}
		grown := make([]byte, min(length, 4*done))
		copy(grown, payload)
		payload = grown
	}
}

func (s *stream) readJSON(kind byte, most int, v any) error {
	data, err := s.read(kind, most)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("frame %q: %w", kind, err)
	}
	return nil
}

// setup is what a worker is told at its start, as its one argument.
type setup struct {
	PDF       bool     `json:"pdf,omitempty"` // it is to read PDF files too
	Cache     string   `json:"cache,omitempty"`
	Tesseract string   `json:"tesseract,omitempty"`
	Languages []string `json:"languages,omitempty"`
}

// notice is what a worker says when it is ready.
type notice struct {
	Unguarded string `json:"unguarded,omitempty"` // why it could not give up its rights
}

type request struct {
	Kind         Kind   `json:"kind"`
	Mode         string `json:"mode,omitempty"`
	MaxPages     int    `json:"maxPages,omitempty"`
	PageByPage   bool   `json:"pageByPage,omitempty"`
	Attachments  bool   `json:"attachments,omitempty"`
	Milliseconds int64  `json:"milliseconds,omitempty"` // that are left, so that what cannot be done is not begun
}

type question struct {
	Pages int `json:"pages"`
}

type answer struct {
	Pages   int  `json:"pages"`
	Refused bool `json:"refused,omitempty"`
}

// reply is what came of a file. With a failure there is no page after it.
type reply struct {
	Failure    failure  `json:"failure,omitempty"`
	Detail     string   `json:"detail,omitempty"` // for the log
	TotalPages int      `json:"totalPages,omitempty"`
	Pages      []Page   `json:"pages,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
}
