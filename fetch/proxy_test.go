package fetch_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testnet"
)

// upstream is where test proxies lead whatever they are asked for.
type upstream struct {
	name  string
	plain *httptest.Server
	tls   *httptest.Server

	mutex sync.Mutex
	asked []string
}

func newUpstream(t *testing.T, name string) *upstream {
	t.Helper()
	page := say("via " + name)
	return &upstream{name: name, plain: serve(t, page), tls: serveTLS(t, page)}
}

func (u *upstream) note(what string) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.asked = append(u.asked, what)
}

func (u *upstream) seen() string {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	return strings.Join(u.asked, ", ")
}

// ServeHTTP is an HTTP proxy for user me with password hunter2.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.note(r.Method + " " + r.URL.Scheme + r.Host)
	if r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("me:hunter2")) {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if r.Method != http.MethodConnect {
		say("via "+u.name)(w, r)
		return
	}
	w.WriteHeader(http.StatusOK)
	conn, buffered, err := w.(http.Hijacker).Hijack()
	if err == nil {
		tunnel(conn, buffered.Reader, u.tls.Listener.Addr().String())
	}
}

// tunnel joins a connection with a server until either side is done.
func tunnel(conn net.Conn, from io.Reader, address string) {
	defer conn.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(server, from); _ = server.(*net.TCPConn).CloseWrite() })
	both.Go(func() { _, _ = io.Copy(conn, server); _ = conn.Close() })
	both.Wait()
}

// socks is a SOCKS5 proxy with the same user.
func (u *upstream) socks(t *testing.T) string {
	t.Helper()
	return testnet.Serve(t, func(conn net.Conn) {
		r := bufio.NewReader(conn)
		next := func(n int) []byte {
			b := make([]byte, n)
			_, _ = io.ReadFull(r, b)
			return b
		}
		next(int(next(2)[1])) // version, methods
		_, _ = conn.Write([]byte{5, 2})
		user := next(int(next(2)[1]))
		password := next(int(next(1)[0]))
		if string(user)+":"+string(password) != "me:hunter2" {
			_, _ = conn.Write([]byte{1, 1})
			return
		}
		_, _ = conn.Write([]byte{1, 0})
		if kind := next(4)[3]; kind != 3 { // must be asked by name
			_, _ = conn.Write([]byte{5, 8, 0, 1, 0, 0, 0, 0, 0, 0})
			return
		}
		host := string(next(int(next(1)[0])))
		port := next(2)
		u.note("SOCKS " + host)
		_, _ = conn.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		server := u.plain
		if int(port[0])<<8|int(port[1]) == 443 {
			server = u.tls
		}
		tunnel(conn, r, server.Listener.Addr().String())
	})
}

func withPassword(address string) string {
	return strings.Replace(address, "://", "://me:hunter2@", 1)
}

// proxied returns a client whose guard opens nothing: only a proxy, which the
// operator chose, may be on a loopback address.
func proxied(t *testing.T, basic, enhanced []string) *fetch.Client {
	t.Helper()
	return newClient(t, func(c *fetch.Config) {
		c.Guard = guard()
		c.Basic, c.Enhanced = basic, enhanced
	})
}

func TestProxies(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"http", "https", "socks5"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			up := newUpstream(t, kind)
			var address string
			switch kind {
			case "http":
				address = serve(t, up.ServeHTTP).URL
			case "https":
				if runtime.GOOS != "linux" {
					t.Skip("the tests cannot name a root here")
				}
				proxy := httptest.NewTLSServer(up)
				t.Cleanup(proxy.Close)
				address = proxy.URL
			case "socks5":
				address = "socks5://" + up.socks(t)
			}
			client := proxied(t, []string{withPassword(address)}, nil)
			for _, url := range []string{"http://public.test/", "https://public.test/"} {
				if body := mustFetch(t, client, fetch.Request{URL: url, SkipTLS: true}).Body; string(body) != "via "+kind {
					t.Errorf("%s gives %q", url, body)
				}
			}
			if seen := up.seen(); !strings.Contains(seen, "public.test") {
				t.Errorf("the proxy was asked for %q", seen)
			}
			asked := up.seen()
			for _, url := range []string{"http://127.0.0.1/", "https://inside.test/", "http://localhost/", "http://[::ffff:10.0.0.1]/"} {
				wantError(t, client, fetch.Request{URL: url}, trawl.CodeUnsupportedSite, "This address cannot be scraped.")
			}
			if up.seen() != asked {
				t.Errorf("the proxy was asked for closed addresses: %s", up.seen())
			}
		})
	}
}

func TestProxyChoice(t *testing.T) {
	t.Parallel()
	address := func(name string) string {
		return withPassword(serve(t, newUpstream(t, name).ServeHTTP).URL)
	}
	basic := []string{address("any 1"), address("any 2"), "DE=" + address("German"), "at=" + address("Austrian")}
	client := proxied(t, basic, []string{"DE=" + address("German enhanced")})
	through := func(country string, enhanced bool) string {
		return string(mustFetch(t, client, fetch.Request{URL: "http://public.test/", Country: country, Enhanced: enhanced}).Body)
	}
	for range 3 {
		if first, second := through("US", false), through("", false); first == second || !strings.HasPrefix(first+second, "via any") {
			t.Errorf("requests go %s and %s, want turns", first, second)
		}
	}
	for country, want := range map[string]string{"DE": "via German", "de": "via German", "AT": "via Austrian"} {
		if got := through(country, false); got != want {
			t.Errorf("from %s the request goes %s", country, got)
		}
	}
	if got := through("DE", true); got != "via German enhanced" {
		t.Errorf("enhanced request goes %s", got)
	}
	if !client.HasEnhanced("de") || client.HasEnhanced("US") || client.HasEnhanced("") {
		t.Error("enhanced proxies are there for Germany only")
	}
	wantError(t, client, fetch.Request{URL: "http://public.test/", Country: "US", Enhanced: true},
		trawl.CodeProxy, "There is no enhanced proxy for this request.")
}

func TestProxyForBrowser(t *testing.T) {
	t.Parallel()
	client := proxied(t,
		[]string{"AT=http://me:hunter2@austrian.test:1", "DE=http://german.test:1", "DE=socks5://german.test:2"},
		[]string{"DE=https://enhanced.test:1"})
	for _, test := range []struct {
		country  string
		enhanced bool
		want     string
	}{
		{"AT", false, "http://me:hunter2@austrian.test:1"},
		{"at", true, "http://me:hunter2@austrian.test:1"}, // there is no better one
		{"DE", true, "https://enhanced.test:1"},
		{"US", true, "direct"},
		{"", false, "direct"},
	} {
		got, want := "direct", test.want
		address, err := client.Proxy(test.country, test.enhanced)
		if address != nil {
			got = address.String()
		}
		if err != nil || got != want {
			t.Errorf("proxy for %q, enhanced %v = %s, %v; want %s", test.country, test.enhanced, got, err, want)
		}
	}
	first, _ := client.Proxy("DE", false)
	second, _ := client.Proxy("DE", false)
	third, _ := client.Proxy("DE", false)
	if *first == *second || *first != *third {
		t.Errorf("proxies are %s, %s, %s; want turns", first, second, third)
	}
}

func TestDirectWithoutProxyForCountry(t *testing.T) {
	t.Parallel()
	server := serve(t, say("direct"))
	client := newClient(t, func(c *fetch.Config) { c.Basic = []string{"DE=http://127.0.0.1:1"} })
	if body := mustFetch(t, client, fetch.Request{URL: server.URL, Country: "US"}).Body; string(body) != "direct" {
		t.Errorf("body = %q", body)
	}
}

func TestProxyFailures(t *testing.T) {
	t.Parallel()
	const failed = "The proxy for this request failed."
	up := newUpstream(t, "proxy")
	good := serve(t, up.ServeHTTP).URL
	gone := httptest.NewServer(say(""))
	gone.Close()
	broken := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }).URL
	for name, test := range map[string]struct {
		proxy string
		urls  []string
	}{
		"gone":            {gone.URL, []string{"http://public.test/", "https://public.test/"}},
		"wrong password":  {strings.Replace(good, "://", "://me:wrong@", 1), []string{"http://public.test/", "https://public.test/"}},
		"no tunnel":       {broken, []string{"https://public.test/"}},
		"not TLS":         {strings.Replace(good, "http:", "https:", 1), []string{"http://public.test/"}},
		"socks, password": {"socks5://me:wrong@" + up.socks(t), []string{"http://public.test/"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := proxied(t, []string{test.proxy}, nil)
			for _, url := range test.urls {
				wantError(t, client, fetch.Request{URL: url, SkipTLS: true}, trawl.CodeProxy, failed)
			}
		})
	}
}

// TestProxyCertificate makes sure that a lenient request is lenient with the
// target, not with the proxy that gets the operator's password.
func TestProxyCertificate(t *testing.T) {
	t.Parallel()
	up := newUpstream(t, "impostor")
	proxy := serveTLS(t, up.ServeHTTP)
	client := proxied(t, []string{withPassword(at(t, proxy, "localhost", ""))}, nil)
	for _, url := range []string{"http://public.test/", "https://public.test/"} {
		wantError(t, client, fetch.Request{URL: url, SkipTLS: true}, trawl.CodeProxy, "The proxy for this request failed.")
	}
	if seen := up.seen(); seen != "" {
		t.Errorf("the impostor was asked for %s", seen)
	}
}

func TestErrorsKeepSecrets(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(say(""))
	gone.Close()
	client := proxied(t, []string{withPassword(gone.URL)}, nil)
	_, err := client.Fetch(context.Background(), fetch.Request{URL: "https://public.test/"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error = %v", err)
	}
	if message := err.(*trawl.Error).Message; strings.Contains(message, "127.0.0.1") {
		t.Errorf("message = %q", message)
	}
}
