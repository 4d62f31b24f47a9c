package main

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testtime"
)

// TestNoHTTP2 offers HTTP/2 in both ways that there are without TLS: the
// answer is in HTTP/1.1, and no frame is read.
func TestNoHTTP2(t *testing.T) {
	t.Parallel()
	n := startNode(t, t.TempDir())
	for name, c := range map[string]struct {
		says   string
		status int
		close  bool
	}{
		"prior knowledge": {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", http.StatusNotFound, true},
		"upgrade":         {"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n\r\n", http.StatusOK, false},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(n.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if deadline, ok := testtime.Context(t).Deadline(); ok {
			_ = conn.SetDeadline(deadline)
		}
		if _, err := conn.Write([]byte(c.says)); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.ProtoMajor != 1 || response.StatusCode != c.status || response.Close != c.close {
			t.Errorf("%s: %+v, %v", name, response, err)
			continue
		}
		_ = response.Body.Close()
	}
}
