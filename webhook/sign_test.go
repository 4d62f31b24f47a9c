package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/webhook"
)

// TestSignatures holds the headers against values computed elsewhere. The first
// standard signature is the example that Standard Webhooks publishes.
func TestSignatures(t *testing.T) {
	t.Parallel()
	server, seen := receiver(t, answer(http.StatusOK))
	sender := newSender(t, 0)
	for _, test := range []struct{ secret, plain, standard string }{
		{
			"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
			"sha256=80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c",
			"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		},
		{
			"plain secret",
			"sha256=797226f6d80af931aadfb4986baed664f5483651a359ad6687cb2bd0df5f464b",
			"v1,gke7k785FD6W2FuaDcrvG3sQcmFE9YVaaAmarK4oi68=",
		},
		{
			"whsec_", // must not mean the empty key
			"sha256=c966f19b99c01f42259e2aa92602c2de852c53a26e5832f323c2c4b6edf5a642",
			"v1,AUsemtRPIzthQtHnPgmHPUvj8jasw1M2BdSl+bqqaVQ=",
		},
		{
			"whsec_not base64!",
			"sha256=7f4268a15756c94b64c51b744b0382187718ac602fc01a2aa4a1f7e9b61cd2e9",
			"v1,yUD2RuJUXJQ8HKsyjzbAMVmj4/ZkDavgvNxmEyGpKuU=",
		},
		{"", "", ""},
	} {
		m := message(server.URL)
		m.Secret = test.secret
		if o := sender.Send(t.Context(), m); !o.Delivered() {
			t.Fatalf("secret %q: %+v", test.secret, o)
		}
		header := (<-seen).request.Header
		for name, want := range map[string]string{
			"X-Firecrawl-Signature": test.plain,
			"webhook-signature":     test.standard,
			"webhook-id":            m.ID,
			"webhook-timestamp":     "1614265330",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("secret %q: %s = %q, want %q", test.secret, name, got, want)
			}
		}
		if _, ok := header["X-Firecrawl-Signature"]; ok != (test.secret != "") {
			t.Errorf("secret %q: signature header sent: %v", test.secret, ok)
		}
	}
}

// TestNewSecret checks a fresh secret the way a receiver would use it.
func TestNewSecret(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) != 32 || !strings.HasPrefix(secret, "whsec_") || secret == webhook.NewSecret() {
		t.Fatalf("secret = %q: %v", secret, err)
	}
	server, seen := receiver(t, answer(http.StatusOK))
	m := message(server.URL)
	m.Secret = secret
	newSender(t, 0).Send(t.Context(), m)
	delivery := <-seen
	header := delivery.request.Header
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "." + delivery.body))
	if want := "v1," + base64.StdEncoding.EncodeToString(sum.Sum(nil)); header.Get("webhook-signature") != want {
		t.Errorf("webhook-signature = %q, want %q", header.Get("webhook-signature"), want)
	}
	sum = hmac.New(sha256.New, []byte(secret))
	sum.Write([]byte(delivery.body))
	if want := "sha256=" + hex.EncodeToString(sum.Sum(nil)); header.Get("X-Firecrawl-Signature") != want {
		t.Errorf("X-Firecrawl-Signature = %q, want %q", header.Get("X-Firecrawl-Signature"), want)
	}
}
