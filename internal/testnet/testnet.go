// Package testnet is the network of tests: trusted certificates, fixed names,
// servers that answer byte by byte. Everything is on loopback.
package testnet

import (
	"context"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package with the certificate of test servers among
// those that the system trusts, and fails if a goroutine is left.
func Main(m *testing.M) {
	file, err := os.CreateTemp("", "roots-*.pem")
	if err != nil {
		panic(err)
	}
	server := httptest.NewTLSServer(http.NotFoundHandler())
	_ = pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	server.Close()
	_ = file.Close()
	_ = os.Setenv("SSL_CERT_FILE", file.Name())
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.Remove(file.Name())
		os.Exit(code)
	}))
}

// Names is a resolver with fixed answers.
type Names map[string]string

func (n Names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if text, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(text)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// Serve answers connections byte by byte and closes them, at the latest when
// the test ends. It returns its address.
func Serve(t testing.TB, answer func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ended, func() { _ = conn.Close() })
			all.Go(func() {
				defer conn.Close()
				answer(conn)
			})
		}
	})
	t.Cleanup(func() { _ = listener.Close(); end(); all.Wait() })
	return listener.Addr().String()
}
