package fetch_test

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testnet"
)

var silent = log.New(io.Discard, "", 0)

func TestFetch(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/missing":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "not here")
		case "/broken":
			w.WriteHeader(http.StatusInternalServerError)
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/moved-nowhere":
			w.WriteHeader(http.StatusFound)
			_, _ = io.WriteString(w, "stay")
		case "/not-modified":
			w.Header().Set("Location", "/missing")
			w.WriteHeader(http.StatusNotModified)
		default:
			_, _ = io.WriteString(w, r.RequestURI)
		}
	})
	client := newClient(t, nil)
	for path, want := range map[string]struct {
		status int
		body   string
	}{
		"/":              {200, "/"},
		"/missing":       {404, "not here"},
		"/broken":        {500, ""},
		"/empty":         {204, ""},
		"/moved-nowhere": {302, "stay"},
		"/not-modified":  {304, ""},
		"/a//b?q=1&q=2":  {200, "/a//b?q=1&q=2"},
		"/ü?ü=ä":         {200, "/%C3%BC?%C3%BC=%C3%A4"},
		"/a/../b":        {200, "/b"},
	} {
		response := mustFetch(t, client, fetch.Request{URL: server.URL + path})
		if response.Status != want.status || string(response.Body) != want.body {
			t.Errorf("%s = %d %q, want %d %q", path, response.Status, response.Body, want.status, want.body)
		}
	}
	if response := mustFetch(t, client, fetch.Request{URL: server.URL + "/missing"}); response.ContentType != "text/html; charset=utf-8" || response.URL != server.URL+"/missing" {
		t.Errorf("content type %q of %q", response.ContentType, response.URL)
	}
}

// TestStrayPercent checks that an address which browsers open and net/url
// rejects arrives as it is.
func TestStrayPercent(t *testing.T) {
	t.Parallel()
	lines := make(chan string, 1)
	address := testnet.Serve(t, func(conn net.Conn) {
		line, _ := bufio.NewReader(conn).ReadString('\n')
		lines <- line
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	})
	response := mustFetch(t, newClient(t, nil), fetch.Request{URL: "http://" + address + "/100%?q=50%#%"})
	if line := <-lines; line != "GET http://"+address+"/100%?q=50% HTTP/1.1\r\n" {
		t.Errorf("the site saw %q", line)
	}
	if want := "http://" + address + "/100%?q=50%#%"; response.URL != want {
		t.Errorf("address = %q, want %q", response.URL, want)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		_, _ = io.WriteString(w, name+"|"+password)
	})
	client := newClient(t, nil)
	host := strings.TrimPrefix(server.URL, "http://")

	response := mustFetch(t, client, fetch.Request{URL: "http://me%40home:s%3Acret@" + host + "/#top"})
	if string(response.Body) != "me@home|s:cret" || response.URL != server.URL+"/#top" {
		t.Errorf("with a password: %q from %q", response.Body, response.URL)
	}
	wantError(t, client, fetch.Request{URL: "ftp://" + host}, trawl.CodeBadRequest, "URL uses unsupported protocol")
	wantError(t, client, fetch.Request{URL: "http://[::1"}, trawl.CodeBadRequest, "Invalid URL")
	wantError(t, client, fetch.Request{URL: ""}, trawl.CodeBadRequest, "Invalid URL")
}

func TestProtocolsAndReuse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		start func(testing.TB, http.HandlerFunc) *httptest.Server
		want  string
	}{
		"http":  {serve, "HTTP/1.1"},
		"https": {serveTLS, "HTTP/2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mutex sync.Mutex
			connections := map[string]bool{}
			server := test.start(t, func(w http.ResponseWriter, r *http.Request) {
				mutex.Lock()
				connections[r.RemoteAddr] = true
				mutex.Unlock()
				switch r.URL.Path {
				case "/redirect":
					http.Redirect(w, r, "/gzip", http.StatusFound)
				case "/gzip":
					w.Header().Set("Content-Encoding", "gzip")
					w.(http.Flusher).Flush()
					_, _ = w.Write(pack(t, "gzip", []byte(r.Proto)))
				default:
					_, _ = io.WriteString(w, r.Proto)
				}
			})
			client := newClient(t, nil)
			for _, path := range []string{"/", "/redirect", "/gzip", "/"} {
				response := mustFetch(t, client, fetch.Request{URL: server.URL + path, SkipTLS: true})
				if string(response.Body) != test.want {
					t.Errorf("%s came over %s, want %s", path, response.Body, test.want)
				}
			}
			if len(connections) != 1 {
				t.Errorf("%d connections for five requests", len(connections))
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(r.Header)
	})
	sent := func(t *testing.T, client *fetch.Client, request fetch.Request) (header http.Header) {
		t.Helper()
		request.URL = server.URL
		if err := json.Unmarshal(mustFetch(t, client, request).Body, &header); err != nil {
			t.Fatal(err)
		}
		return header
	}
	check := func(t *testing.T, header http.Header, want map[string]string) {
		t.Helper()
		for name, value := range want {
			if got := header.Get(name); got != value {
				t.Errorf("%s: %q, want %q", name, got, value)
			}
		}
	}
	plain, named := newClient(t, nil), newClient(t, func(c *fetch.Config) { c.UserAgent = "Acme/1.0 (+https://acme.test)" })

	t.Run("defaults", func(t *testing.T) {
		t.Parallel()
		header := sent(t, plain, fetch.Request{})
		check(t, header, map[string]string{
			"User-Agent":                fetch.DefaultUserAgent(),
			"Accept-Language":           "en-US,en;q=0.9",
			"Accept-Encoding":           "gzip, deflate, br, zstd",
			"Upgrade-Insecure-Requests": "1",
		})
		if !strings.HasPrefix(header.Get("Accept"), "text/html,") || !strings.Contains(header.Get("User-Agent"), "Trawl/"+trawl.Version+" (+https://") {
			t.Errorf("header = %v", header)
		}
	})
	t.Run("mobile", func(t *testing.T) {
		t.Parallel()
		if agent := sent(t, plain, fetch.Request{Mobile: true}).Get("User-Agent"); !strings.Contains(agent, "Android") || !strings.Contains(agent, "Mobile Safari/537.36 Trawl/") {
			t.Errorf("user agent = %q", agent)
		}
	})
	t.Run("operator's name", func(t *testing.T) {
		t.Parallel()
		check(t, sent(t, named, fetch.Request{}), map[string]string{"User-Agent": "Acme/1.0 (+https://acme.test)"})
		if agent := sent(t, named, fetch.Request{Mobile: true}).Get("User-Agent"); !strings.Contains(agent, "Android") || !strings.HasSuffix(agent, " Acme/1.0 (+https://acme.test)") {
			t.Errorf("user agent = %q", agent)
		}
	})
	t.Run("caller's", func(t *testing.T) {
		t.Parallel()
		header := sent(t, plain, fetch.Request{Headers: map[string]string{
			"user-agent": "mine", "X-Token": "secret", "Cookie": "a=1", "Accept-Language": "tlh",
			"Host": "evil.test", "Transfer-Encoding": "chunked", "Proxy-Authorization": "x", "Te": "trailers",
			"X-Split": "a\r\nX-Smuggled: 1", "bad name": "x", "": "x",
		}})
		check(t, header, map[string]string{
			"User-Agent": "mine", "X-Token": "secret", "Cookie": "a=1", "Accept-Language": "tlh",
			"Host": "", "Transfer-Encoding": "", "Proxy-Authorization": "", "Te": "", "X-Split": "", "X-Smuggled": "", "bad name": "",
		})
	})
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Header.Get("Accept-Language"))
	})
	client := newClient(t, nil)
	for want, tags := range map[string][]string{
		"de-DE,de;q=0.9":                      {"de-DE"},
		"de":                                  {"de"},
		"en-US,en;q=0.9,de;q=0.8":             {"en-US", "en", "de"},
		"en-US,en-GB;q=0.9,en;q=0.8":          {"en-US", "en-GB"},
		"pt-BR,pt;q=0.9,es-MX;q=0.8,es;q=0.7": {"pt-BR", "es-MX"},
		"fr":                                  {"fr", "x\r\ny", "", "de;q=1", "fr"},
		"a,b;q=0.9,c;q=0.8,d;q=0.7,e;q=0.6,f;q=0.5,g;q=0.4,h;q=0.3,i;q=0.2,j;q=0.1": strings.Split("abcdefghijklm", ""),
		"en-US,en;q=0.9": {"\x00"},
	} {
		if got := string(mustFetch(t, client, fetch.Request{URL: server.URL, Languages: tags}).Body); got != want {
			t.Errorf("%q gives %q, want %q", tags, got, want)
		}
	}
}

func TestNewRejects(t *testing.T) {
	t.Parallel()
	guard := egress.New(egress.Config{})
	for name, test := range map[string]struct {
		config fetch.Config
		names  string // what the error must tell
	}{
		"no guard":         {fetch.Config{}, "no guard"},
		"user agent":       {fetch.Config{Guard: guard, UserAgent: "a\nb"}, "user agent"},
		"proxy scheme":     {fetch.Config{Guard: guard, Basic: []string{"ftp://me:hunter2@proxy.test"}}, "ftp://***@proxy.test"},
		"proxy port":       {fetch.Config{Guard: guard, Basic: []string{"http://ok.test", "DE=http://me:hunter2@proxy.test:port"}}, "proxy 2 (DE=http://***@proxy.test:port)"},
		"proxy sans host":  {fetch.Config{Guard: guard, Enhanced: []string{"http://:8080"}}, "http://:***"},
		"host forgotten":   {fetch.Config{Guard: guard, Enhanced: []string{"http://me:hunter2"}}, "http://me:***"},
		"odd password":     {fetch.Config{Guard: guard, Enhanced: []string{"http://me:hunter2@%zz@proxy.test:x"}}, "http://***@proxy.test:x"},
		"no address":       {fetch.Config{Guard: guard, Enhanced: []string{"hunter2"}}, "proxy 1 (***)"},
		"country too long": {fetch.Config{Guard: guard, Enhanced: []string{"DEU=http://me:hunter2@proxy.test"}}, "DEU=http://***@proxy.test"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fetch.New(test.config)
			if err == nil || !strings.Contains(err.Error(), test.names) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("error = %v, want it to say %q", err, test.names)
			}
		})
	}
}
