package egress

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	handshakeTimeout = 10 * time.Second

	// maxHeaderBytes bounds the header of a response.
	maxHeaderBytes = 256 << 10
)

// Transport returns a fresh HTTP transport whose every connection passes the
// guard. It speaks HTTP/1.1 and HTTP/2, keeps connections alive, and ignores
// proxies named by the environment. The caller may adjust it before first use,
// except for the functions that dial.
func (g *Guard) Transport() *http.Transport {
	return transport(g.DialContext)
}

// Through returns a fresh HTTP transport that reaches targets through an
// operator's proxy (http, https or socks5). The proxy itself is trusted; the
// host of every request passes Check first. The certificate of an https proxy
// is always verified, whatever the caller decides about certificates of targets.
func (g *Guard) Through(proxy *url.URL) *http.Transport {
	dialer := infrastructureDialer()
	t := transport(dialer.DialContext)
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		if err := g.CheckPort(r.Context(), r.URL.Hostname(), r.URL.Port()); err != nil {
			return nil, err
		}
		if err := g.Check(r.Context(), r.URL.Hostname()); err != nil {
			return nil, err
		}
		return proxy, nil
	}
	if proxy.Scheme == "https" {
		// With a proxy in place this dials the proxy and nothing else.
		t.DialTLSContext = (&tls.Dialer{
			NetDialer: dialer,
			Config:    &tls.Config{ServerName: proxy.Hostname(), MinVersion: tls.VersionTLS12},
		}).DialContext
	}
	return t
}

// Infrastructure returns a fresh HTTP transport for endpoints that the operator
// configured, such as an object store or a language model. It reaches any
// address and honours the environment's proxies; never hand it an address that
// a caller chose.
func Infrastructure() *http.Transport {
	t := transport(infrastructureDialer().DialContext)
	t.Proxy = http.ProxyFromEnvironment
	return t
}

func infrastructureDialer() *net.Dialer {
	return &net.Dialer{Timeout: dialTimeout}
}

func transport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:            dial,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        time.Minute,
		TLSHandshakeTimeout:    handshakeTimeout,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxHeaderBytes,
		TLSClientConfig: &tls.Config{
			MinVersion:         tls.VersionTLS12,
			ClientSessionCache: tls.NewLRUClientSessionCache(0),
		},
		// A peer that vanished must not swallow request after request.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}
}
