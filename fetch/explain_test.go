package fetch_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testnet"
)

// reply reads a request and answers with text.
func reply(text string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = http.ReadRequest(bufio.NewReader(conn))
		_, _ = io.WriteString(conn, text)
	}
}

func TestSiteErrors(t *testing.T) {
	t.Parallel()
	const (
		unreadable = "The site sent an answer that cannot be read."
		closed     = "The site closed the connection before its answer was complete."
	)
	client := newClient(t, nil)
	for name, test := range map[string]struct {
		answer  func(net.Conn)
		message string
	}{
		"no answer":       {reply(""), closed},
		"not HTTP":        {reply("SSH-2.0-OpenSSH_9.9\r\n"), unreadable},
		"HTTP/0.9":        {reply("<html>hello</html>"), unreadable},
		"half a header":   {reply("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"), closed},
		"half a body":     {reply("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), closed},
		"half a chunk":    {reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf"), closed},
		"wrong chunk":     {reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"), unreadable},
		"negative length": {reply("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), unreadable},
		"endless header": {func(conn net.Conn) {
			reply("HTTP/1.1 200 OK\r\n")(conn)
			for {
				if _, err := io.WriteString(conn, "X-More: "+strings.Repeat("x", 1000)+"\r\n"); err != nil {
					return
				}
			}
		}, unreadable},
		"endless preliminaries": {func(conn net.Conn) {
			reply("")(conn)
			for {
				if _, err := io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nLink: <"+strings.Repeat("x", 1000)+">\r\n\r\n"); err != nil {
					return
				}
			}
		}, unreadable},
		"reset": {func(conn net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_ = conn.(*net.TCPConn).SetLinger(0)
		}, closed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantError(t, client, fetch.Request{URL: "http://" + testnet.Serve(t, test.answer)}, trawl.CodeSite, test.message)
		})
	}
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewServer(say(""))
		server.Close()
		wantError(t, client, fetch.Request{URL: server.URL}, trawl.CodeSite, "The site refused the connection.")
	})
	t.Run("body without a length", func(t *testing.T) {
		t.Parallel()
		address := testnet.Serve(t, reply("HTTP/1.0 200 OK\r\n\r\nold but good"))
		if response := mustFetch(t, client, fetch.Request{URL: "http://" + address}); string(response.Body) != "old but good" {
			t.Errorf("body = %q", response.Body)
		}
	})
}

func TestDNSErrors(t *testing.T) {
	t.Parallel()
	client := newClient(t, nil)
	wantError(t, client, fetch.Request{URL: "http://nowhere.test/"}, trawl.CodeDNS, "The name nowhere.test could not be resolved.")
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.test/", http.StatusFound)
	})
	wantError(t, client, fetch.Request{URL: server.URL}, trawl.CodeDNS, "The name elsewhere.test could not be resolved.")
}

// TestRefusalsLookAlike makes sure that the answer about a closed address does
// not tell what is there.
func TestRefusalsLookAlike(t *testing.T) {
	t.Parallel()
	server := serve(t, say("inside"))
	client := newClient(t, func(c *fetch.Config) { c.Guard = guard() })
	for _, url := range []string{
		server.URL, at(t, server, "a.test", "/"), at(t, server, "localhost", "/"), "http://127.0.0.1:2/",
		"https://127.0.0.1/", "http://0.0.0.0/", "http://[::1]/", "http://0177.1/", "http://inside.test/",
	} {
		wantError(t, client, fetch.Request{URL: url}, trawl.CodeUnsupportedSite, "This address cannot be scraped.")
	}
}

// TestClosedPort says what is wrong with an address whatever is there: that
// follows from the address alone.
func TestClosedPort(t *testing.T) {
	t.Parallel()
	client := newClient(t, nil)
	redirect := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:6379/", http.StatusFound)
	})
	for _, url := range []string{"http://127.0.0.1:6379/", "https://missing.test:22/", "http://127.0.0.2:25/", redirect.URL} {
		wantError(t, client, fetch.Request{URL: url}, trawl.CodeUnsupportedSite, "This address cannot be scraped: no requests are made to its port.")
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	client := newClient(t, nil)
	server := serveTLS(t, say("hello"))
	plain := serve(t, say("hello"))
	old := httptest.NewUnstartedServer(say("hello"))
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11} //nolint:gosec // to be rejected
	old.Config.ErrorLog = silent
	old.StartTLS()
	t.Cleanup(old.Close)

	const certificate, handshake = "The certificate of the site is not valid.", "A secure connection to the site could not be made."
	wantError(t, client, fetch.Request{URL: at(t, server, "a.test", "/")}, trawl.CodeTLS, certificate)
	wantError(t, client, fetch.Request{URL: strings.Replace(plain.URL, "http:", "https:", 1), SkipTLS: true}, trawl.CodeTLS, handshake)
	wantError(t, client, fetch.Request{URL: old.URL, SkipTLS: true}, trawl.CodeTLS, handshake)

	if body := mustFetch(t, client, fetch.Request{URL: at(t, server, "a.test", "/"), SkipTLS: true}).Body; string(body) != "hello" {
		t.Errorf("body without verification = %q", body)
	}
	// The connection that was not verified must not serve one that asks for it.
	wantError(t, client, fetch.Request{URL: at(t, server, "a.test", "/")}, trawl.CodeTLS, certificate)
	if runtime.GOOS == "linux" { // elsewhere the tests cannot name a root
		if body := mustFetch(t, client, fetch.Request{URL: server.URL}).Body; string(body) != "hello" {
			t.Errorf("body with verification = %q", body)
		}
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	client := newClient(t, nil)
	wait := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) } // until the client leaves
	after := func(text string) func(net.Conn) {
		return func(conn net.Conn) {
			reply(text)(conn)
			wait(conn)
		}
	}
	silence := testnet.Serve(t, wait)
	for name, url := range map[string]string{
		"silence":        "http://" + silence,
		"TLS handshake":  "https://" + silence,
		"header":         "http://" + testnet.Serve(t, after("HTTP/1.1 200 OK\r\nContent-Type: text/")),
		"body":           "http://" + testnet.Serve(t, after("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")),
		"chunked body":   "http://" + testnet.Serve(t, after("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")),
		"after redirect": "http://" + testnet.Serve(t, after("HTTP/1.1 302 Found\r\nLocation: http://"+silence+"/\r\nContent-Length: 0\r\n\r\n")),
		"encoded body":   "http://" + testnet.Serve(t, after("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f\x8b")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
			defer cancel()
			started := time.Now()
			_, err := client.Fetch(ctx, fetch.Request{URL: url})
			checkError(t, err, trawl.CodeTimeout, "The page did not load in time.")
			if took := time.Since(started); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		address := testnet.Serve(t, func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 1))
			cancel()
			wait(conn)
		})
		_, err := client.Fetch(ctx, fetch.Request{URL: "http://" + address})
		checkError(t, err, trawl.CodeUnknown, "The request was cancelled.")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cause = %v", err)
		}
	})
}
