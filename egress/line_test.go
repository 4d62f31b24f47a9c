package egress_test

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl/egress"
)

// TestTunnelIdles sends bytes one way for a long time, which keeps both ways open,
// and then none.
func TestTunnelIdles(t *testing.T) {
	t.Parallel()
	for _, sender := range []string{"browser", "target"} {
		t.Run(sender, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				browser, near := net.Pipe()
				target, far := net.Pipe()
				from, to := browser, target
				if sender == "target" {
					from, to = target, browser
				}
				ended := make(chan time.Time, 1)
				go func() {
					egress.Join(t.Context(), near, far)
					ended <- time.Now()
				}()
				_, _ = to.Write([]byte{1}) // the request, so to speak
				_, _ = from.Read(make([]byte, 1))
				received := make(chan int64, 1)
				go func() {
					n, _ := io.Copy(io.Discard, to)
					received <- n
				}()
				const minutes = 10
				for range minutes {
					if _, err := from.Write([]byte{1}); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Minute)
				}
				last := time.Now().Add(-time.Minute)
				if idle := (<-ended).Sub(last); idle != 2*time.Minute {
					t.Errorf("the tunnel ended after %s without a byte", idle)
				}
				if n := <-received; n != minutes {
					t.Errorf("%d bytes arrived", n)
				}
				if _, err := from.Read(make([]byte, 1)); err == nil {
					t.Error("the sender's connection is still open")
				}
			})
		})
	}
}

// TestTunnelIsNotHeldUp has a browser that does not read what it asked for.
func TestTunnelIsNotHeldUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		browser, near := net.Pipe()
		target, far := net.Pipe()
		defer browser.Close()
		begin := time.Now()
		go func() { _, _ = target.Write(make([]byte, 1<<20)) }()
		egress.Join(t.Context(), near, far)
		if took := time.Since(begin); took != 2*time.Minute {
			t.Errorf("the tunnel ended after %s", took)
		}
	})
}

func TestTunnelEndsWithContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		browser, near := net.Pipe()
		target, far := net.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		time.AfterFunc(time.Second, cancel)
		egress.Join(ctx, near, far)
		if took := time.Since(begin); took != time.Second {
			t.Errorf("the tunnel ended after %s", took)
		}
		for _, conn := range []net.Conn{browser, target} {
			if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("read = %v, want the end", err)
			}
		}
	})
}
