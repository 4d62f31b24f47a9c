package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// secretPrefix marks a secret of Standard Webhooks: base64 of the key follows.
const secretPrefix = "whsec_"

// Headers that the service sets.
const (
	headerID        = "Webhook-Id"
	headerTime      = "Webhook-Timestamp"
	headerStandard  = "Webhook-Signature"
	headerSignature = "X-Firecrawl-Signature"
)

// NewSecret returns a fresh secret: "whsec_" and base64 of 32 random bytes.
func NewSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// sign sets the headers that identify a delivery and, if there is a secret,
// prove it. The time is that of the attempt, as Standard Webhooks wants it.
func sign(header http.Header, m *Message, now time.Time) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	header.Set(headerID, m.ID)
	header.Set(headerTime, timestamp)
	if m.Secret == "" {
		return
	}
	// The older signature takes the secret as it is shown, prefix and all.
	header.Set(headerSignature, "sha256="+hex.EncodeToString(mac([]byte(m.Secret), m.Body)))
	sum := mac(standardKey(m.Secret), []byte(m.ID+"."+timestamp+"."), m.Body)
	header.Set(headerStandard, "v1,"+base64.StdEncoding.EncodeToString(sum))
}

// standardKey returns the key that Standard Webhooks takes a secret for. A
// secret that only looks like one of theirs is used as it is, and so is one
// without a key behind the prefix: anybody could sign with that.
func standardKey(secret string) []byte {
	if encoded, ok := strings.CutPrefix(secret, secretPrefix); ok {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil && len(key) > 0 {
			return key
		}
	}
	return []byte(secret)
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}
