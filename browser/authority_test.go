package browser

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	stdlog "log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
)

// certify returns a certificate by an authority; by itself, as an authority, if that
// is nil.
func certify(t *testing.T, name string, authority *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62))
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), BasicConstraintsValid: true,
	}
	if authority == nil {
		authority, signer, template.IsCA, template.KeyUsage = template, key, true, x509.KeyUsageCertSign
	} else {
		template.IPAddresses, template.KeyUsage = []net.IP{net.IPv4(127, 0, 0, 1)}, x509.KeyUsageDigitalSignature
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, authority, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return made, key
}

// trusting makes a pool trust authorities.
func trusting(t *testing.T, certificates ...*x509.Certificate) func(*Config) {
	t.Helper()
	authorities, err := chromium.NewAuthorities(certificates)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Authorities = authorities }
}

// A site with a certificate by a private authority is rendered if that is trusted,
// and only then.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	other, _ := certify(t, "Another authority", nil, nil)
	authority, signer := certify(t, "An authority", nil, nil)
	leaf, key := certify(t, "A site", authority, signer)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>Text</p>")
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{leaf.Raw}, PrivateKey: key}}}
	server.Config.ErrorLog = stdlog.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	for name, enhanced := range map[string]bool{"shell": false, "full": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t, trusting(t, other, authority))
			result, err := pool.Render(within(t, time.Minute), Request{URL: server.URL, Enhanced: enhanced})
			if err != nil || !strings.Contains(result.HTML, "<p>Text</p>") {
				t.Errorf("trusted: %v", err)
			}
			home := newHome(t)
			for range 2 {
				result, err = pool.Render(within(t, time.Minute), Request{URL: server.URL, Private: privately(home, true)})
				if err != nil || !strings.Contains(result.HTML, "<p>Text</p>") {
					t.Errorf("trusted, in a browser of its own: %v", err)
				}
			}
			wary := newPool(t, trusting(t, other))
			if _, err := wary.Render(within(t, time.Minute), Request{URL: server.URL, Enhanced: enhanced}); trawl.ErrorCode(err) != trawl.CodeTLS {
				t.Errorf("not trusted: %v", err)
			}
		})
	}
}
