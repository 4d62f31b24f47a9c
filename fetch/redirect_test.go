package fetch_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
)

// countdown redirects from /n to /n-1 until /0.
func countdown(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if n == 0 {
		_, _ = io.WriteString(w, "landed")
		return
	}
	statuses := []int{301, 302, 303, 307, 308}
	http.Redirect(w, r, fmt.Sprintf("/%d", n-1), statuses[n%len(statuses)])
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	server := serve(t, countdown)
	client := newClient(t, nil)
	response := mustFetch(t, client, fetch.Request{URL: server.URL + "/10"})
	if string(response.Body) != "landed" || response.URL != server.URL+"/0" {
		t.Errorf("ten redirects end at %s with %q", response.URL, response.Body)
	}
	wantError(t, client, fetch.Request{URL: server.URL + "/11"}, trawl.CodeSite, "The site redirects too many times.")
}

func TestRedirectLoop(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.Redirect(w, r, "/", http.StatusFound)
	})
	wantError(t, newClient(t, nil), fetch.Request{URL: server.URL}, trawl.CodeSite, "The site redirects too many times.")
	if n := requests.Load(); n != 11 {
		t.Errorf("%d requests, want the first and ten redirects", n)
	}
}

func TestLocation(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if location := r.URL.Query().Get("to"); location != "" {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.RequestURI)
	})
	client := newClient(t, nil)
	for name, test := range map[string]struct{ from, to, url string }{
		"relative":         {"/a/b", "c", "/a/c"},
		"parent":           {"/a/b/c", "../d", "/a/d"},
		"backslashes":      {"/a", `\b\c`, "/b/c"},
		"query only":       {"/a/b", "?x=1", "/a/b?x=1"},
		"spaces around":    {"/", "  /b  ", "/b"},
		"space within":     {"/", "/b c", "/b%20c"},
		"UTF-8":            {"/", "/ü", "/%C3%BC"},
		"Latin-1":          {"/", "/caf%E9\xe9", "/caf%E9%E9"},
		"protocol missing": {"/", "//" + strings.TrimPrefix(server.URL, "http://") + "/x", "/x"},
		"fragment kept":    {"/a#part", "/b", "/b#part"},
		"fragment new":     {"/a#part", "/b#other", "/b#other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, fragment, found := strings.Cut(test.from, "#")
			address := server.URL + path + "?to=" + escape(test.to)
			if found {
				address += "#" + fragment
			}
			if response := mustFetch(t, client, fetch.Request{URL: address}); response.URL != server.URL+test.url {
				t.Errorf("%q leads to %q, want %q", test.to, response.URL, test.url)
			}
		})
	}
	for name, to := range map[string]string{
		"mail": "mailto:me@a.test", "file": "file:///etc/passwd", "script": "javascript:alert(1)",
		"gopher": "gopher://127.0.0.1/", "data": "data:text/html,hello",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantError(t, client, fetch.Request{URL: server.URL + "/?to=" + escape(to)},
				trawl.CodeSite, "The site redirects to an address that is not a web page.")
		})
	}
	wantError(t, client, fetch.Request{URL: server.URL + "/?to=" + escape("http://[bad")},
		trawl.CodeSite, "The site redirects to an address that is not valid.")
}

func escape(s string) (out string) {
	for _, c := range []byte(s) {
		out += fmt.Sprintf("%%%02X", c)
	}
	return out
}

// TestRedirectInside follows a site that sends its visitor to an address that
// is closed. Nothing may arrive there.
func TestRedirectInside(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("no second loopback address:", err)
	}
	var visits atomic.Int32
	inside := &httptest.Server{Listener: listener, Config: &http.Server{
		Handler:   say("secret"),
		ConnState: func(_ net.Conn, state http.ConnState) { visits.Add(1) },
	}}
	inside.Start()
	t.Cleanup(inside.Close)
	_, port, _ := net.SplitHostPort(listener.Addr().String())

	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://"+strings.TrimPrefix(r.URL.Path, "/"))
		w.WriteHeader(http.StatusFound)
	})
	client := newClient(t, func(c *fetch.Config) {
		c.Guard = guard("127.0.0.1/32")
	})
	for _, host := range []string{"127.0.0.2", "127.2", "2130706434", "0x7f000002", "[::ffff:127.0.0.2]", "inside.test"} {
		wantError(t, client, fetch.Request{URL: at(t, site, "a.test", "/"+host+":"+port)},
			trawl.CodeUnsupportedSite, "This address cannot be scraped.")
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("%d connections inside", n)
	}
}

func TestCookiesOverRedirects(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "new", Path: "/"})
			http.SetCookie(w, &http.Cookie{Name: "elsewhere", Value: "x", Path: "/elsewhere"})
			http.Redirect(w, r, "/home", http.StatusSeeOther)
		case "/away":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "new", Path: "/"})
			w.Header().Set("Location", at(t, &httptest.Server{URL: "http://" + r.Host}, "b.test", "/home"))
			w.WriteHeader(http.StatusFound)
		case "/toplevel":
			w.Header().Set("Set-Cookie", "super=1; Domain=test")
			w.Header().Set("Location", at(t, &httptest.Server{URL: "http://" + r.Host}, "b.test", "/home"))
			w.WriteHeader(http.StatusFound)
		case "/loop":
			if _, err := r.Cookie("seen"); err != nil {
				http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
				http.Redirect(w, r, "/loop", http.StatusFound)
				return
			}
			fallthrough
		default:
			_, _ = io.WriteString(w, r.Header.Get("Cookie"))
		}
	})
	client := newClient(t, nil)
	for name, test := range map[string]struct{ path, cookie, want string }{
		"set on the way":        {"/login", "", "session=new"},
		"joins the caller's":    {"/login", "lang=de; theme=dark", "lang=de; theme=dark; session=new"},
		"replaces the caller's": {"/login", "session=old; lang=de", "lang=de; session=new"},
		"gate opens":            {"/loop", "", "seen=1"},
		"not for another host":  {"/away", "session=old", ""},
		"not for a whole TLD":   {"/toplevel", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := fetch.Request{URL: at(t, server, "a.test", test.path)}
			if test.cookie != "" {
				request.Headers = map[string]string{"Cookie": test.cookie}
			}
			if got := string(mustFetch(t, client, request).Body); got != test.want {
				t.Errorf("the page saw cookies %q, want %q", got, test.want)
			}
		})
	}
	// One visitor's cookies are not the next one's.
	if got := string(mustFetch(t, client, fetch.Request{URL: at(t, server, "a.test", "/home")}).Body); got != "" {
		t.Errorf("a fresh request carries cookies %q", got)
	}
}

func TestHeadersStayWithTheirOrigin(t *testing.T) {
	t.Parallel()
	echo := func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, password, _ := r.BasicAuth()
		_, _ = io.WriteString(w, r.Header.Get("X-Token")+r.Header.Get("Authorization")+r.Header.Get("Cookie")+password)
	}
	server, other, secure := serve(t, echo), serve(t, echo), serveTLS(t, echo)
	client := newClient(t, nil)
	for name, test := range map[string]struct {
		to   string
		kept bool
	}{
		"same origin":      {"/next", true},
		"another host":     {at(t, server, "b.test", "/"), false},
		"a subdomain":      {at(t, server, "shop.a.test", "/"), false},
		"another port":     {at(t, other, "a.test", "/"), false},
		"another protocol": {at(t, secure, "a.test", "/"), false},
		"there and back":   {at(t, server, "b.test", "/?to="+escape(at(t, server, "a.test", "/"))), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response := mustFetch(t, client, fetch.Request{
				URL:     at(t, server, "a.test", "/?to="+escape(test.to)),
				Headers: map[string]string{"X-Token": "t", "Authorization": "secret", "Cookie": "c=1"},
				SkipTLS: true,
			})
			if kept := len(response.Body) > 0; kept != test.kept {
				t.Errorf("%s got %q", response.URL, response.Body)
			}
		})
	}
	address := strings.Replace(at(t, server, "a.test", "/?to="+escape(at(t, server, "b.test", "/"))), "://", "://me:secret@", 1)
	if response := mustFetch(t, client, fetch.Request{URL: address}); len(response.Body) > 0 {
		t.Errorf("the password of the address went to %s: %q", response.URL, response.Body)
	}
}

func TestSameParty(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		origin, target string
		want           bool
	}{
		{"http://a.test/x", "http://a.test/y", true},
		{"http://a.test/", "http://A.test:80/", true},
		{"http://a.test/", "https://a.test/", true},
		{"http://a.test:80/", "https://a.test:443/", true},
		{"http://a.test:8080/", "https://a.test:8080/", true},
		{"https://a.test/", "http://a.test/", false},
		{"https://a.test/", "https://a.test:8443/", false},
		{"http://a.test/", "https://a.test:8443/", false},
		{"http://a.test/", "http://www.a.test/", false},
		{"http://a.test/", "http://a.test.evil.test/", false},
	} {
		got, err := fetch.SameParty(test.origin, test.target)
		if err != nil || got != test.want {
			t.Errorf("%s to %s = %v, %v; want %v", test.origin, test.target, got, err, test.want)
		}
	}
}
