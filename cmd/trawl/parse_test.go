package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// TestParseInterrupted: whoever interrupts is told how far it came, even if a
// file does not end.
func TestParseInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	endless, more := io.Pipe()
	defer more.Close()
	var stdout, stderr bytes.Buffer
	p := &program{
		env: map[string]string{"HOME": t.TempDir()}, stdin: endless, stdout: &stdout, stderr: &stderr, now: time.Now, machine: bareMachine(),
	}
	go func() {
		_, _ = more.Write([]byte("<p>a beginning</p>"))
		cancel()
	}()
	if code := p.run(ctx, []string{"parse", "-", "other.html"}); code != exitFailure || !strings.Contains(stderr.String(), "interrupted after 0 of 2 files") {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}
