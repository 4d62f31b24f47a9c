package trawl

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// DefaultTeam is the team that a first start creates.
const DefaultTeam = "default"

// Team is a tenant: every job, page and credit belongs to one.
type Team struct {
	ID                string
	Name              string
	Concurrency       int    // most scrapes at a time; 0 means the server's default
	Credits           *int64 // what is left; nil means unlimited
	Granted           int64  // what was granted in all
	ZeroDataRetention bool   // may ask for zero data retention
	RobotsExempt      bool   // may ask to crawl what robots.txt forbids
	CreatedAt         time.Time
}

// Key is an API key of a team. Only a hash of the secret is ever stored.
type Key struct {
	ID        string
	Number    int64 // by which its team knows it
	TeamID    string
	Name      string
	Operator  bool   // it may see the whole server
	Hint      string // the last four characters, to tell keys apart
	CreatedAt time.Time
	ExpiresAt time.Time // zero means never
	RevokedAt time.Time // zero means not revoked

	AllowedEndpoints []string    // groups of endpoints; none means all
	AllowedFormats   []string    // none means all
	SpendLimit       *SpendLimit // nil means none
	Spent            int64       // in the current interval of its limit
}

// Limited reports whether the key may do less than its team: such a key must not make
// others that may do more.
func (k *Key) Limited() bool {
	return len(k.AllowedEndpoints) > 0 || len(k.AllowedFormats) > 0 || k.SpendLimit != nil || !k.ExpiresAt.IsZero()
}

// Valid reports whether the key opens the door at the given time.
func (k *Key) Valid(now time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt))
}

// NewSecret returns a fresh API key: 128 random bits behind the prefix that
// clients expect.
func NewSecret() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return "fc-" + hex.EncodeToString(b)
}

// HashSecret returns what is stored of a key. Secrets have 128 bits of their
// own, so a plain hash is enough.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Caller is who sent a request: a team by one of its keys.
type Caller struct {
	Team Team
	Key  Key
}
