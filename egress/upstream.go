package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/proxy"
)

// upstreamTimeout bounds how long it takes to reach a proxy and, through it, a
// target.
const upstreamTimeout = 30 * time.Second

// proxyPorts are the kinds of proxies there are and where they listen by default.
var proxyPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}

// tunnelThrough returns a dialer that reaches targets through an operator's proxy
// of a known kind. The proxy itself is trusted; the host of a target passes Check
// first.
func (g *Guard) tunnelThrough(upstream *url.URL) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := splitHostPort(address)
		if err != nil {
			return nil, err
		}
		if err := g.judgePort(ctx, host, port); err != nil {
			return nil, err
		}
		if err := g.Check(ctx, host); err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, upstreamTimeout)
		defer cancel()
		conn, err := dialThrough(ctx, upstream, network, address)
		if err != nil {
			return nil, proxyFailure(err)
		}
		return conn, nil
	}
}

// proxyFailure marks an error as the proxy's, in the words of net/http.
func proxyFailure(err error) error {
	return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err}
}

// dialThrough connects to the proxy and asks it for the address.
func dialThrough(ctx context.Context, upstream *url.URL, network, address string) (net.Conn, error) {
	port := upstream.Port()
	if port == "" {
		port = proxyPorts[upstream.Scheme]
	}
	conn, err := infrastructureDialer().DialContext(ctx, network, net.JoinHostPort(upstream.Hostname(), port))
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	tunnel, err := negotiate(ctx, conn, upstream, address)
	if !stop() {
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return tunnel, nil
}

// negotiate asks the proxy at the other end of a connection for the address.
func negotiate(ctx context.Context, conn net.Conn, upstream *url.URL, address string) (net.Conn, error) {
	switch upstream.Scheme {
	case "http":
		return conn, requestTunnel(conn, upstream.User, address)
	case "https":
		secure := tls.Client(conn, &tls.Config{ServerName: upstream.Hostname(), MinVersion: tls.VersionTLS12})
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		return secure, requestTunnel(secure, upstream.User, address)
	default:
		return conn, requestSOCKS(ctx, conn, upstream, address)
	}
}

// requestTunnel asks an HTTP proxy for the address.
func requestTunnel(conn net.Conn, user *url.Userinfo, address string) error {
	request := &http.Request{
		Method: http.MethodConnect,
		URL:    &url.URL{Opaque: address},
		Host:   address,
		Header: http.Header{"User-Agent": {""}}, // none
	}
	if user != nil {
		password, _ := user.Password()
		credentials := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		request.Header.Set("Proxy-Authorization", "Basic "+credentials)
	}
	if err := request.Write(conn); err != nil {
		return err
	}
	reader := bufio.NewReader(io.LimitReader(conn, maxHeaderBytes))
	response, err := http.ReadResponse(reader, request) // its body is the tunnel
	switch {
	case err != nil:
		return err
	case response.StatusCode != http.StatusOK:
		return statusError(response.StatusCode)
	case reader.Buffered() > 0:
		return errors.New("proxy spoke before it was spoken to")
	}
	return nil
}

// requestSOCKS asks a SOCKS proxy for the address, by name.
func requestSOCKS(ctx context.Context, conn net.Conn, upstream *url.URL, address string) error {
	dialer, err := proxy.FromURL(upstream, opened{conn})
	if err != nil {
		return err
	}
	// What comes back wraps conn and hides that it can be closed by halves.
	_, err = dialer.(proxy.ContextDialer).DialContext(ctx, "tcp", address)
	return err
}

// opened is a dialer that hands out a connection that is already there.
type opened struct{ net.Conn }

func (o opened) Dial(_, _ string) (net.Conn, error) { return o.Conn, nil }

func (o opened) DialContext(context.Context, string, string) (net.Conn, error) { return o.Conn, nil }
