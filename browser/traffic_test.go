package browser

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

// names resolves the names of a test.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if n[host] == "" {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return []netip.Addr{netip.MustParseAddr(n[host])}, nil
}

// log is what a server was asked.
type log struct {
	mu       sync.Mutex
	requests []*http.Request
}

func (l *log) add(r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r.Clone(context.Background()))
}

// find returns the requests for a host and path.
func (l *log) find(host, path string) (found []*http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.requests {
		if r.Host == host && r.URL.Path == path {
			found = append(found, r)
		}
	}
	return found
}

// named lets pages reach loopback servers under any of the names.
func named(all names) func(*Config) {
	return func(c *Config) {
		c.Guard = egress.New(egress.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: all, Log: c.Log})
	}
}

// portOf returns the port of a server.
func portOf(address string) string {
	u, _ := url.Parse(address)
	return u.Port()
}

// What the caller gives for a site goes to that site and to nobody else.
func TestHeadersGoHome(t *testing.T) {
	t.Parallel()
	seen := &log{}
	var port string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		name, _, _ := net.SplitHostPort(r.Host)
		switch {
		case name == "home.test" && r.URL.Path == "/leave":
			http.Redirect(w, r, "http://other.test:"+port+"/landing", http.StatusFound)
		case name == "other.test" && r.URL.Path == "/landing":
			_, _ = fmt.Fprintf(w, `<p>Landed</p><img src="http://home.test:%s/back.png">`, port)
		case r.URL.Path == "/":
			_, _ = fmt.Fprintf(w, `<p>Text</p><img src="/own.png"><img src="http://other.test:%[1]s/third.png"><img src="/away.png">
				<iframe src="http://other.test:%[1]s/frame"></iframe><iframe src="/inner"></iframe>
				<script>fetch('http://other.test:%[1]s/fetch'); fetch('/fetch');
				new Worker(URL.createObjectURL(new Blob(["fetch('http://other.test:%[1]s/worker')"])))</script>`, port)
		case r.URL.Path == "/away.png":
			http.Redirect(w, r, "http://other.test:"+port+"/away.png", http.StatusFound)
		}
	}))
	defer server.Close()
	port = portOf(server.URL)
	home, other := "home.test:"+port, "other.test:"+port
	pool := newPool(t, named(names{"home.test": "127.0.0.1", "other.test": "127.0.0.1"}))
	secrets := map[string]string{"X-Api-Key": "secret", "authorization": "Bearer secret", "Cookie": "a=1; __Host-b=2; bad\x01=3; c=4", "User-Agent": "Mine/1.0"}
	for _, address := range []string{"http://" + home + "/", "http://" + home + "/leave"} {
		result, err := pool.Render(testtime.Context(t), Request{URL: address, Headers: secrets})
		if err != nil {
			t.Fatal(err)
		}
		if want := "http://" + other + "/landing"; strings.HasSuffix(address, "/leave") && (result.URL != want || result.Status != 200) {
			t.Errorf("result = %s %d", result.URL, result.Status)
		}
	}
	for _, path := range []string{"/", "/own.png", "/fetch", "/inner", "/away.png", "/leave"} {
		found := seen.find(home, path)
		if len(found) == 0 {
			t.Errorf("%s was not asked for", path)
			continue
		}
		r := found[0]
		if r.Header.Get("X-Api-Key") != "secret" || r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("User-Agent") != "Mine/1.0" || r.Header.Get("Cookie") != "a=1; c=4" {
			t.Errorf("%s came with %v", path, r.Header)
		}
	}
	for _, path := range []string{"/third.png", "/frame", "/fetch", "/worker", "/away.png", "/landing"} {
		found := seen.find(other, path)
		if len(found) == 0 {
			t.Errorf("%s was not asked for at the other site", path)
		}
		for _, r := range found {
			if h := r.Header; h.Get("X-Api-Key")+h.Get("Authorization")+h.Get("Cookie") != "" {
				t.Errorf("%s at the other site came with %v", path, h)
			}
		}
	}
}

// A name and password in the address are for its site, and are not shown.
func TestPasswordInAddress(t *testing.T) {
	t.Parallel()
	seen := &log{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		name, password, _ := r.BasicAuth()
		if name != "us er" || password != "p:w" {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<p>Welcome</p><script>document.write(document.URL + ' ' + location.href)</script>")
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	result, err := newPool(t).Render(testtime.Context(t), Request{URL: "http://us%20er:p%3Aw@" + host + "/x"})
	if err != nil {
		t.Fatal(err)
	}
	if result.URL != server.URL+"/x" || result.Status != 200 || !strings.Contains(result.HTML, "Welcome") || strings.Contains(result.HTML, "p%3Aw") {
		t.Errorf("result = %+v", result)
	}
	if first := seen.find(host, "/x"); len(first) != 1 {
		t.Errorf("%d requests", len(first))
	}
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<p>Key %s</p>", r.Header.Get("X-Key"))
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	pool := newPool(t)
	for _, enhanced := range []bool{false, true} {
		req := Request{URL: server.URL, Enhanced: enhanced, Headers: map[string]string{"X-Key": "7"}}
		if _, err := pool.Render(testtime.Context(t), req); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("enhanced %v: error = %v", enhanced, err)
		}
		req.SkipTLS = true
		result, err := pool.Render(testtime.Context(t), req)
		if err != nil || !strings.Contains(result.HTML, "<p>Key 7</p>") {
			t.Errorf("enhanced %v: %v", enhanced, err)
		}
		req.SkipTLS = false // it was for that page only
		if _, err := pool.Render(testtime.Context(t), req); err == nil {
			t.Errorf("enhanced %v: no error after a page that took any certificate", enhanced)
		}
	}
}

// A cookie that was given for a site over https does not go out in clear.
func TestCookieStaysSecure(t *testing.T) {
	t.Parallel()
	cookies := make(chan string, 10)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			cookies <- r.Header.Get("Cookie")
		}
	}))
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cookies <- r.Header.Get("Cookie")
		http.Redirect(w, r, "http://home.test:"+portOf(plain.URL), http.StatusFound)
	}))
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	secure.StartTLS()
	defer secure.Close()
	pool := newPool(t, named(names{"home.test": "127.0.0.1"})) // the machine itself would count as secure
	req := Request{URL: "https://home.test:" + portOf(secure.URL), SkipTLS: true, Headers: map[string]string{"Cookie": "sid=7"}}
	if _, err := pool.Render(testtime.Context(t), req); err != nil {
		t.Fatal(err)
	}
	if first, second := <-cookies, <-cookies; first != "sid=7" || second != "" {
		t.Errorf("cookies %q and %q", first, second)
	}
}

// An action that leads to where nobody answers, or nobody may go, is no page.
func TestActionLeadsNowhere(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	pool := newPool(t, named(nil))
	base := site(t, map[string]string{"/": "<p>Start</p>"})
	for address, code := range map[string]trawl.Code{
		gone.URL: trawl.CodeSite, "https" + strings.TrimPrefix(gone.URL, "http"): trawl.CodeSite,
		"http://127.0.0.2:18090/": trawl.CodeUnsupportedSite, "https://127.0.0.2:18090/": trawl.CodeUnsupportedSite,
	} {
		_, err := pool.Render(testtime.Context(t), Request{URL: base, Actions: []trawl.Action{
			{Type: trawl.ActionJavaScript, Script: "location = '" + address + "'"}, {Type: trawl.ActionWait, Milliseconds: 500},
		}})
		if trawl.ErrorCode(err) != code {
			t.Errorf("%s: %v, want %s", address, err, code)
		}
	}
}

func TestOwn(t *testing.T) {
	t.Parallel()
	rules := &traffic{}
	rules.scheme, rules.host = originOf("http://Example.COM:80/path")
	var own []string
	for _, address := range []string{
		"http://example.com/x", "https://example.com/", "http://example.com:8080/", "http://www.example.com/", "ws://example.com/",
		"http://example.com.evil.test/", "http://example.com@evil.test/", "://",
	} {
		if rules.own(address) {
			own = append(own, address)
		}
	}
	if want := []string{"http://example.com/x", "https://example.com/"}; !slices.Equal(own, want) {
		t.Errorf("own = %v", own)
	}
	rules.scheme, rules.host = originOf("https://example.com/")
	if rules.own("http://example.com/") {
		t.Error("headers for https go to http")
	}
}
