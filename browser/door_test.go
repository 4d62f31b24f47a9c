package browser

import (
	"bytes"
	"context"
	_ "embed"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

// doors is a page that tries every way it knows to reach CANARY.
//
//go:embed testdata/doors.html
var doors string

// canary listens where pages must not get to.
type canary struct {
	conns     atomic.Int32
	datagrams atomic.Int32
	mu        sync.Mutex
	heard     map[string]bool // paths of requests; else protocols
}

// newCanary listens on a port of 127.0.0.2 and ::1, by TCP and UDP.
func newCanary(t *testing.T, port string) *canary {
	t.Helper()
	c := &canary{heard: map[string]bool{}}
	for _, host := range []string{"127.0.0.2", "::1"} {
		address := net.JoinHostPort(host, port)
		listener, err := net.Listen("tcp", address)
		if err != nil && host == "::1" {
			continue // a machine without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: c, ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				c.conns.Add(1)
			}
		}}
		packets, err := net.ListenPacket("udp", address)
		if err != nil {
			t.Fatal(err)
		}
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(canaryListener{listener, c}) })
		serving.Go(func() { c.count(packets) })
		t.Cleanup(func() {
			_ = server.Close()
			_ = packets.Close()
			serving.Wait()
		})
	}
	return c
}

// canaryListener notes the connections that begin with TLS.
type canaryListener struct {
	net.Listener
	*canary
}

func (l canaryListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &canaryConn{Conn: conn, canary: l.canary}, err
}

type canaryConn struct {
	net.Conn
	*canary
}

func (c *canaryConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if bytes.HasPrefix(b[:n], []byte{22, 3}) { // a handshake
		c.note("TLS")
	}
	return n, err
}

// count counts datagrams, and tells WebRTC from WebTransport.
func (c *canary) count(packets net.PacketConn) {
	for b := make([]byte, 2000); ; {
		n, _, err := packets.ReadFrom(b)
		if err != nil {
			return
		}
		c.datagrams.Add(1)
		switch {
		case n >= 20 && bytes.Equal(b[4:8], []byte{0x21, 0x12, 0xa4, 0x42}): // its magic cookie
			c.note("STUN")
		case n >= 1200 && b[0]&0xc0 == 0xc0: // a long header
			c.note("QUIC")
		}
	}
}

func (c *canary) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.note(r.URL.Path)
	w.Header().Set("Access-Control-Allow-Origin", "*")
}

func (c *canary) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard[what] = true
}

// missed returns what did not reach the canary.
func (c *canary) missed(all []string) (missed []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, what := range all {
		if !c.heard[what] {
			missed = append(missed, what)
		}
	}
	return missed
}

// rebinding answers with the site at first and with the canary later.
type rebinding struct{ asked sync.Map }

func (r *rebinding) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch host {
	case "site.test":
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	case "canary.test":
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
	case "rebind.test":
		if _, again := r.asked.LoadOrStore(host, true); again {
			return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// doorSite serves the page, and what makes it go on to the canary.
func doorSite(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := net.SplitHostPort(r.Host)
		forms := strings.NewReplacer("CANARY6", "[::1]:"+port, "CANARYNAME", "canary.test:"+port, "CANARYDEC", "2130706434:"+port,
			"CANARYHEX", "0x7f.0.0.2:"+port, "CANARY", "127.0.0.2:"+port, "SITE", r.Host)
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy-Report-Only", forms.Replace("img-src 'none'; report-uri http://CANARY/report"))
			w.Header().Set("Link", forms.Replace("<http://CANARY/link-preload>; rel=preload; as=image, <http://CANARY>; rel=preconnect"))
			_, _ = w.Write([]byte(forms.Replace(doors)))
		case "/worker", "/shared", "/service":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(forms.Replace(`for (const h of ['CANARY', 'CANARYNAME']) { fetch('http://' + h + location.pathname, {mode: 'no-cors'}); try { new WebSocket('ws://' + h + location.pathname + '-socket') } catch {} }`)))
		case "/redirect":
			http.Redirect(w, r, forms.Replace("http://CANARY/redirected"), http.StatusFound)
		case "/again": // by the same name, over a new connection
			w.Header().Set("Connection", "close")
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// knock renders the page, in which all is allowed as its origin is local, and everything that leads away from it.
func knock(t *testing.T, base string, allow []netip.Prefix, enhanced bool) {
	t.Helper()
	pool := newPool(t, func(c *Config) {
		c.Guard = egress.New(egress.Config{Allow: allow, Resolver: &rebinding{}, Log: c.Log})
	})
	port := portOf(base)
	result, err := pool.Render(testtime.Context(t), Request{URL: base, Enhanced: enhanced, WaitFor: slower(t, pool, 3*time.Second)})
	if err != nil || !strings.Contains(result.HTML, "<p>All doors tried</p>") {
		t.Fatalf("page: %v", err)
	}
	for _, address := range []string{
		"http://rebind.test:" + port + "/", "http://site.test:" + port + "/redirect", "http://127.0.0.2:" + port + "/direct",
		"http://canary.test:" + port + "/named", "http://2130706434:" + port + "/decimal", "http://[::1]:" + port + "/six", "https://127.0.0.2:" + port + "/tls",
	} {
		if _, err := pool.Render(testtime.Context(t), Request{URL: address, Enhanced: enhanced}); trawl.ErrorCode(err) == trawl.CodeTimeout {
			t.Errorf("%s: %v", address, err)
		}
		if enhanced { // it takes its time
			break
		}
	}
}

// tried are the doors that a page tries, by what reaches the canary if they are open.
var tried = []string{
	"/img", "/srcset", "/svg", "/css-image", "/icon", "/font", "/style", "/script", "/module", "/import", "/manifest", "/video", "/audio", "/poster",
	"/frame", "/refresh", "/object", "/embed", "/form", "/redirected", "/hex", "/dec", "TLS",
	"/fetch", "/keepalive", "/xhr", "/beacon", "/events", "/socket", "/report",
	"/worker", "/worker-socket", "/shared", "/shared-socket", "/service", "/service-socket",
	"/preload", "/link-preload", "/prefetch", "/speculated", "/prerender",
	"/ping", "/open", "/blank", "STUN", "QUIC",
}

// opened are those of them that are soon through when the guard is open. Datagrams are
// not among them: no proxy takes them.
var opened = []string{
	"/img", "/script", "/style", "/css-image", "/font", "/video", "/frame", "/object", "/embed", "/fetch", "/xhr", "/beacon", "/events", "/socket",
	"/worker", "/worker-socket", "/preload", "/link-preload", "/report", "/form", "/redirected", "/dec", "/hex", "/direct", "/named", "/decimal",
}

func TestEveryDoor(t *testing.T) {
	t.Parallel()
	only := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	for name, enhanced := range map[string]bool{"shell": false, "browser": true} {
		t.Run(name, func(t *testing.T) {
			base := doorSite(t)
			c := newCanary(t, portOf(base))
			knock(t, base, only, enhanced)
			if conns, datagrams := c.conns.Load(), c.datagrams.Load(); conns != 0 || datagrams != 0 {
				t.Errorf("%d connections (%v) and %d datagrams reached the canary", conns, c.heard, datagrams)
			}
		})
	}
	t.Run("all open", func(t *testing.T) { // or else the test tries nothing
		base := doorSite(t)
		c := newCanary(t, portOf(base))
		knock(t, base, append(only, netip.MustParsePrefix("127.0.0.2/32")), false)
		if missed := c.missed(opened); len(missed) > 0 {
			t.Errorf("%v were not tried", missed)
		}
		if c.datagrams.Load() != 0 {
			t.Errorf("%d datagrams went past the door", c.datagrams.Load())
		}
	})
	t.Run("nobody guards", func(t *testing.T) { // the page really tries every one of them
		base := doorSite(t)
		c := newCanary(t, portOf(base))
		unguarded(t, base)
		testtime.Until(t, "every door is tried", func() bool { return len(c.missed(tried)) == 0 })
	})
}

// unguarded opens a page in a browser as it comes: without a proxy, with datagrams.
func unguarded(t *testing.T, address string) {
	t.Helper()
	programs, err := chromium.Find("", "")
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	if programs.Chromium == "" {
		t.Skip("it takes the full browser")
	}
	command := exec.Command(programs.Chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-popup-blocking", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0", "--user-data-dir="+t.TempDir(),
		"--host-resolver-rules=MAP canary.test 127.0.0.2 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE 127.0.0.2 , EXCLUDE ::1", address)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	})
}
