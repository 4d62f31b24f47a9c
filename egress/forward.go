package egress

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
)

// serve answers one request of a browser.
func (d *Door) serve(w http.ResponseWriter, r *http.Request) {
	w = bare{w}
	host, address, ok := target(r)
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if d.turnsAway(host) {
		d.note(address, ErrBlocked)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if local := d.config.Local[host]; local != nil && r.Method != http.MethodConnect {
		local.ServeHTTP(w, r)
		return
	}
	if r.Method == http.MethodConnect {
		d.tunnel(w, r, address)
		return
	}
	d.forward().ServeHTTP(w, r)
}

// target reads where a request wants to go: the host, in lower case, and the
// address with its port. Hosts beyond ASCII are not what a browser sends, and
// would be read in another way by whoever comes next.
func target(r *http.Request) (host, address string, ok bool) {
	port := r.URL.Port()
	switch {
	case r.Method == http.MethodConnect && r.RequestURI == r.URL.Host:
	case r.Method != http.MethodConnect && r.URL.Scheme == "http":
		if port == "" {
			port = "80"
		}
	default:
		return "", "", false
	}
	host = strings.ToLower(r.URL.Hostname())
	if host == "" || strings.ContainsFunc(host, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", "", false
	}
	address = net.JoinHostPort(host, port)
	_, _, err := splitHostPort(address)
	return host, address, err == nil
}

// turnsAway decides about a host before anything is looked up or dialled.
func (d *Door) turnsAway(host string) bool {
	return d.config.Closed || d.config.Block != nil && d.config.Block(strings.TrimSuffix(host, "."))
}

// tunnel connects the browser with a target and keeps out of what they say.
func (d *Door) tunnel(w http.ResponseWriter, r *http.Request, address string) {
	far, err := d.dial(r.Context(), "tcp", address)
	if err != nil {
		d.fail(w, r, err)
		return
	}
	defer far.Close()
	d.note(address, nil)
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer d.leave()
	near := newLine(d.ctx, conn, func(int) error { return nil }, func() {})
	defer near.Close()
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	early, _ := buffered.Reader.Peek(buffered.Reader.Buffered())
	if _, err := far.Write(early); err != nil {
		return
	}
	join(near, far)
}

// newForward returns what answers requests in absolute form.
func (d *Door) newForward() *httputil.ReverseProxy {
	transport := d.guard.Transport()
	if d.config.Upstream != nil {
		transport = d.guard.Through(d.config.Upstream)
	}
	transport.DisableCompression = true // the browser has its own wishes
	transport.DialContext = d.held(transport.DialContext)
	if transport.DialTLSContext != nil {
		transport.DialTLSContext = d.held(transport.DialTLSContext)
	}
	return &httputil.ReverseProxy{
		Rewrite:        restore,
		Transport:      transport,
		FlushInterval:  -1,                         // a page may wait for the first bytes of a stream
		ErrorLog:       log.New(io.Discard, "", 0), // it would name addresses
		ModifyResponse: d.inspect,
		ErrorHandler:   d.fail,
	}
}

// restore undoes what a reverse proxy does to a request for the good of the
// servers behind it, and drops a wish for another protocol, which it keeps.
func restore(r *httputil.ProxyRequest) {
	r.Out.URL.RawQuery = r.In.URL.RawQuery
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = values
		}
	}
	r.Out.Header.Del("Connection")
	r.Out.Header.Del("Upgrade")
}

// inspect refuses answers that are not for the browser: a bare connection, and
// the wish for a password that it would take for the door's own.
func (d *Door) inspect(response *http.Response) error {
	switch status := response.StatusCode; {
	case status == http.StatusProxyAuthRequired && d.config.Upstream != nil:
		return proxyFailure(statusError(status))
	case status == http.StatusProxyAuthRequired, status == http.StatusSwitchingProtocols:
		return statusError(status)
	}
	_, address, _ := target(response.Request)
	d.note(address, nil)
	return nil
}

// statusError is an answer that is of no use here.
type statusError int

func (s statusError) Error() string {
	return fmt.Sprintf("answer was %d %s", int(s), http.StatusText(int(s)))
}

// fail answers a request whose target could not be reached. That the browser
// itself lost interest, or the door was closed, is no failure of the target.
func (d *Door) fail(w http.ResponseWriter, r *http.Request, err error) {
	if d.ctx.Err() == nil && r.Context().Err() == nil {
		_, address, _ := target(r)
		d.note(address, err)
	}
	w.WriteHeader(http.StatusBadGateway)
}

// bare is a ResponseWriter that adds no headers of its own.
type bare struct{ http.ResponseWriter }

func (b bare) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func (b bare) WriteHeader(status int) {
	header := b.Header()
	for _, name := range []string{"Content-Type", "Date"} {
		if _, ok := header[name]; !ok {
			header[name] = nil
		}
	}
	b.ResponseWriter.WriteHeader(status)
}
