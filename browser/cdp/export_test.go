package cdp

import (
	"io"
	"time"
)

// NewLimited is [New] with other bounds.
func NewLimited(in io.ReadCloser, out Writer, message, foreign int, write time.Duration) *Conn {
	return newConn(in, out, bounds{message, foreign, write})
}
