package webhook_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl/webhook"
)

func TestDelivery(t *testing.T) {
	t.Parallel()
	server, seen := receiver(t, answer(http.StatusAccepted))
	m := message(at(t, server, "hook.test") + "in%20box?a=1&b=%2F#part")
	m.Headers = map[string]string{"x-order": "7", "Authorization": "Bearer token", "user-agent": "theirs"}
	o := newSender(t, 0).Send(t.Context(), m)
	if o != (webhook.Outcome{Status: http.StatusAccepted}) || !o.Delivered() {
		t.Fatalf("outcome = %+v", o)
	}
	delivery := <-seen
	r := delivery.request
	if r.Method != http.MethodPost || r.RequestURI != "/in%20box?a=1&b=%2F" || !strings.HasPrefix(r.Host, "hook.test:") {
		t.Errorf("request = %s %s at %s", r.Method, r.RequestURI, r.Host)
	}
	if delivery.body != string(m.Body) || r.ContentLength != int64(len(m.Body)) {
		t.Errorf("body = %q of length %d", delivery.body, r.ContentLength)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Order": "7", "Authorization": "Bearer token", "User-Agent": "theirs",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if _, sent := r.Header["X-Idempotency-Key"]; sent {
		t.Error("a note to the transport was sent")
	}
}

// TestAddressAsTyped sends to addresses that only browsers understand at once.
func TestAddressAsTyped(t *testing.T) {
	t.Parallel()
	server, seen := receiver(t, answer(http.StatusOK))
	sender := newSender(t, 0)
	host := strings.TrimPrefix(server.URL, "http://")
	if o := sender.Send(t.Context(), message(" "+host+"/bare ")); !o.Delivered() {
		t.Errorf("without scheme: %+v", o)
	}
	if r := (<-seen).request; !strings.HasPrefix(r.UserAgent(), "Trawl/") {
		t.Errorf("user agent = %q", r.UserAgent())
	}
	if o := sender.Send(t.Context(), message("http://me:p%40ss@"+host)); !o.Delivered() {
		t.Errorf("with password: %+v", o)
	}
	if name, password, _ := (<-seen).request.BasicAuth(); name != "me" || password != "p@ss" {
		t.Errorf("signed in as %q with %q", name, password)
	}
	for _, address := range []string{"", "ftp://hook.test/", "http://hook.test/%zz", "http://nodots/"} {
		want := webhook.Outcome{Error: "The webhook's address is not valid.", Final: true}
		if o := sender.Send(t.Context(), message(address)); o != want {
			t.Errorf("%q: %+v", address, o)
		}
	}
}

func TestHeadersAreProtected(t *testing.T) {
	t.Parallel()
	server, seen := receiver(t, answer(http.StatusOK))
	sender := newSender(t, 0)
	own := message(server.URL)
	own.Secret = "secret"
	sender.Send(t.Context(), own)
	plain := (<-seen).request

	forged := own
	forged.Headers = map[string]string{"bad name": "x", "X-Split": "a\r\nX-Smuggled: 1", "X-Fine": "yes"}
	for _, name := range []string{
		"x-firecrawl-signature", "WEBHOOK-ID", "Webhook-timestamp", "webhook-signature",
		"content-type", "content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive",
		"host", "te", "trailer", "upgrade", "proxy-authorization", "proxy-connection", "proxy-authenticate",
	} {
		forged.Headers[name] = "99"
	}
	if o := sender.Send(t.Context(), forged); !o.Delivered() {
		t.Fatalf("outcome = %+v", o)
	}
	delivery := <-seen
	if delivery.body != string(own.Body) || delivery.request.Host != plain.Host {
		t.Errorf("body = %q at %s", delivery.body, delivery.request.Host)
	}
	if delivery.request.Header.Get("X-Fine") != "yes" {
		t.Error("a harmless header is missing")
	}
	delivery.request.Header.Del("X-Fine")
	for name, values := range delivery.request.Header {
		if want := plain.Header.Get(name); len(values) != 1 || values[0] != want {
			t.Errorf("%s = %q, want %q", name, values, want)
		}
	}

	unsigned := forged // not even where there is nothing to override
	unsigned.Secret = ""
	sender.Send(t.Context(), unsigned)
	header := (<-seen).request.Header
	if header.Get("X-Firecrawl-Signature")+header.Get("webhook-signature") != "" {
		t.Errorf("an unsigned delivery carries the caller's signature: %v", header)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	inHalfAnHour := now.Add(30 * time.Minute).UTC().Format(http.TimeFormat)
	for name, test := range map[string]struct {
		status     int
		retryAfter string
		want       webhook.Outcome
	}{
		"200":             {200, "", webhook.Outcome{Status: 200}},
		"204, asks later": {204, "60", webhook.Outcome{Status: 204}},
		"299":             {299, "", webhook.Outcome{Status: 299}},
		"304":             {304, "", webhook.Outcome{Status: 304, Error: "The receiver answered 304 Not Modified; redirects are not followed."}},
		"400":             {400, "", webhook.Outcome{Status: 400, Error: "The receiver answered 400 Bad Request."}},
		"410":             {410, "", webhook.Outcome{Status: 410, Error: "The receiver answered 410 Gone.", Final: true}},
		"599":             {599, "", webhook.Outcome{Status: 599, Error: "The receiver answered 599."}},
		"seconds":         {429, "120", webhook.Outcome{Status: 429, Error: "The receiver answered 429 Too Many Requests.", RetryAfter: 2 * time.Minute}},
		"date":            {503, inHalfAnHour, webhook.Outcome{Status: 503, Error: "The receiver answered 503 Service Unavailable.", RetryAfter: 30 * time.Minute}},
		"past date":       {503, "Thu, 25 Feb 2021 14:00:00 GMT", webhook.Outcome{Status: 503, Error: "The receiver answered 503 Service Unavailable."}},
		"far date":        {503, "Fri, 31 Dec 9999 23:59:59 GMT", webhook.Outcome{Status: 503, Error: "The receiver answered 503 Service Unavailable.", RetryAfter: time.Hour}},
		"many seconds":    {500, "99999999999999999999", webhook.Outcome{Status: 500, Error: "The receiver answered 500 Internal Server Error.", RetryAfter: time.Hour}},
		"negative":        {500, "-5", webhook.Outcome{Status: 500, Error: "The receiver answered 500 Internal Server Error."}},
		"words":           {500, "soon", webhook.Outcome{Status: 500, Error: "The receiver answered 500 Internal Server Error."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _ := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
				if test.retryAfter != "" {
					w.Header().Set("Retry-After", test.retryAfter)
				}
				w.WriteHeader(test.status)
			})
			if o := newSender(t, 0).Send(t.Context(), message(server.URL)); o != test.want {
				t.Errorf("outcome = %+v\nwant      %+v", o, test.want)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var visits atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	t.Cleanup(canary.Close)
	sender := newSender(t, 0)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server, seen := receiver(t, http.RedirectHandler(canary.URL, status).ServeHTTP)
		o := sender.Send(t.Context(), message(server.URL))
		if o.Status != status || o.Delivered() || o.Final || !strings.HasSuffix(o.Error, "; redirects are not followed.") {
			t.Errorf("outcome = %+v", o)
		}
		if len(seen) != 1 {
			t.Errorf("status %d: the receiver was called %d times", status, len(seen))
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the target of the redirects was called %d times", n)
	}
}

func TestRefusedAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ listen, host string }{
		{"[::1]:0", "::1"},
		{"127.0.0.2:0", "127.0.0.2"},
		{"127.0.0.2:0", "::ffff:127.0.0.2"},
		{"127.0.0.2:0", "inside.test"},
	} {
		t.Run(test.host, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", test.listen)
			if err != nil {
				t.Skip(err)
			}
			var conns atomic.Int32
			canary := httptest.NewUnstartedServer(answer(http.StatusOK))
			_ = canary.Listener.Close()
			canary.Listener = listener
			canary.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					conns.Add(1)
				}
			}
			canary.Start()
			t.Cleanup(canary.Close)
			o := newSender(t, 0).Send(t.Context(), message(at(t, canary, test.host)))
			if o != (webhook.Outcome{Error: notAllowed, Final: true}) {
				t.Errorf("outcome = %+v", o)
			}
			// Connections are accepted in order: a last one of our own makes sure
			// that all before it were counted.
			response, err := canary.Client().Get(canary.URL)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if n := conns.Load(); n != 1 {
				t.Errorf("the canary saw %d connections besides the last", n-1)
			}
		})
	}
}

// TestHangingReceivers ends every way of not answering by the timeout, and
// makes sure that the connection ends with it.
func TestHangingReceivers(t *testing.T) {
	t.Parallel()
	late := webhook.Outcome{Error: "The receiver did not answer in time."}
	for name, test := range map[string]struct {
		answer func(net.Conn)
		want   webhook.Outcome
	}{
		"says nothing":   {func(net.Conn) {}, late},
		"endless header": {func(conn net.Conn) { drip(conn, "HTTP/1.1 200 OK\r\n", "X: y\r\n") }, late},
		"endless notes":  {func(conn net.Conn) { drip(conn, "", "HTTP/1.1 103 Early Hints\r\n\r\n") }, late},
		"half a body":    {say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), webhook.Outcome{Status: 200}},
		"slow body":      {func(conn net.Conn) { drip(conn, "HTTP/1.1 200 OK\r\n\r\n", ".") }, webhook.Outcome{Status: 200}},
		"half a refusal": {
			say("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nabc"),
			webhook.Outcome{Status: 500, Error: "The receiver answered 500 Internal Server Error."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan struct{})
			address := raw(t, func(_ int, conn net.Conn) {
				readRequest(conn)
				test.answer(conn)
				_, _ = io.Copy(io.Discard, conn) // until the sender hangs up
				close(ended)
			})
			if o := newSender(t, 3*time.Second).Send(t.Context(), message(address)); o != test.want {
				t.Errorf("outcome = %+v, want %+v", o, test.want)
			}
			<-ended
		})
	}
}

// drip sends a piece again and again, slowly, until nobody listens.
func drip(conn net.Conn, first, piece string) {
	_, err := io.WriteString(conn, first)
	for err == nil {
		time.Sleep(5 * time.Millisecond)
		_, err = io.WriteString(conn, piece)
	}
}

func say(text string) func(net.Conn) {
	return func(conn net.Conn) { _, _ = io.WriteString(conn, text) }
}

func readRequest(conn net.Conn) {
	if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
}

func TestBrokenReceivers(t *testing.T) {
	t.Parallel()
	const unreadable = "The receiver sent an answer that cannot be read."
	for name, test := range map[string]struct{ answer, want string }{
		"nothing":       {"", "The receiver closed the connection before its answer was complete."},
		"half a header": {"HTTP/1.1 200 OK\r\nX: ", "The receiver closed the connection before its answer was complete."},
		"not HTTP":      {"220 smtp.internal.example ESMTP\r\n", unreadable},
		"huge header":   {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 100<<10) + "\r\n\r\n", unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := raw(t, func(_ int, conn net.Conn) {
				readRequest(conn)
				_, _ = io.WriteString(conn, test.answer)
			})
			if o := newSender(t, 0).Send(t.Context(), message(address)); o != (webhook.Outcome{Error: test.want}) {
				t.Errorf("outcome = %+v, want %q", o, test.want)
			}
		})
	}
}

func TestUnreachableReceivers(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(answer(http.StatusOK))
	closed.Close()
	secure := serveTLS(t, answer(http.StatusOK))
	plain, _ := receiver(t, answer(http.StatusOK))
	for name, test := range map[string]struct{ address, want string }{
		"closed port":       {closed.URL, "The receiver refused the connection."},
		"unknown name":      {"http://nowhere.test/", "The name of the receiver could not be resolved."},
		"wrong certificate": {at(t, secure, "hook.test"), "The certificate of the receiver is not valid."},
		"no TLS":            {strings.Replace(plain.URL, "http:", "https:", 1), "A secure connection to the receiver could not be made."},
	} {
		t.Run(name, func(t *testing.T) {
			if o := newSender(t, 0).Send(t.Context(), message(test.address)); o != (webhook.Outcome{Error: test.want}) {
				t.Errorf("outcome = %+v, want %q", o, test.want)
			}
		})
	}
	if o := newSender(t, 0).Send(t.Context(), message(secure.URL)); !o.Delivered() {
		t.Errorf("with a good certificate: %+v", o)
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server, _ := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	want := webhook.Outcome{Error: "The delivery was interrupted."}
	if o := newSender(t, 0).Send(ctx, message(server.URL)); o != want {
		t.Errorf("outcome = %+v, want %+v", o, want)
	}
}

// TestSwitchingProtocols makes sure that the bare connection behind a 101 does
// not outlive the attempt.
func TestSwitchingProtocols(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	address := raw(t, func(_ int, conn net.Conn) {
		readRequest(conn)
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\nhello")
		_, _ = io.Copy(io.Discard, conn)
		close(ended)
	})
	want := webhook.Outcome{Status: 101, Error: "The receiver wants to speak another protocol."}
	if o := newSender(t, 0).Send(t.Context(), message(address)); o != want {
		t.Errorf("outcome = %+v, want %+v", o, want)
	}
	<-ended
}

// TestEndlessAnswer has a receiver that talks until it is cut off.
func TestEndlessAnswer(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	server, _ := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 64<<10)
		for err := error(nil); err == nil; {
			_, err = w.Write(chunk)
		}
		close(ended)
	})
	if o := newSender(t, time.Minute).Send(t.Context(), message(server.URL)); o != (webhook.Outcome{Status: 200}) {
		t.Errorf("outcome = %+v", o)
	}
	<-ended
}

func TestConnectionsAreReused(t *testing.T) {
	t.Parallel()
	server, seen := receiver(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 4<<10)) })
	sender := newSender(t, 0)
	peers := map[string]bool{}
	for range 5 {
		sender.Send(t.Context(), message(server.URL))
		peers[(<-seen).request.RemoteAddr] = true
	}
	if len(peers) != 1 {
		t.Errorf("5 deliveries took %d connections", len(peers))
	}
}

// TestStaleConnection has a receiver hang up on the second request of a kept
// connection, as one does that restarts. That must not cost an attempt.
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	address := raw(t, func(n int, conn net.Conn) {
		readRequest(conn)
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		if n == 1 {
			readRequest(conn)
			return
		}
		_, _ = io.Copy(io.Discard, conn)
	})
	sender := newSender(t, 0)
	for i := range 2 {
		if o := sender.Send(t.Context(), message(address)); !o.Delivered() {
			t.Errorf("delivery %d: %+v", i, o)
		}
	}
}
