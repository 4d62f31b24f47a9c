package trawl

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// The states of a browser session.
const (
	SessionActive    = "active"
	SessionDestroyed = "destroyed"
)

// Why a session was destroyed.
const (
	EndDeleted = "deleted"        // its team asked for it
	EndClosed  = "closed"         // a client closed the browser
	EndExpired = "expired"        // it reached the end of its time
	EndIdle    = "idle"           // nobody used it for too long
	EndCredits = "credits"        // the team could not pay for another minute
	EndCrashed = "crashed"        // the browser died
	EndStopped = "server stopped" // the server that held it ended
)

// SessionMinute is what every started minute of a session costs.
const SessionMinute = 2

// Session is a remote browser that a team drives.
type Session struct {
	ID           string
	TeamID       string
	KeyID        string
	State        string
	Reason       string // of a destroyed one: why
	Stream       bool   // whether it can be watched
	ActivityTTL  time.Duration
	Profile      string // name of the profile that it began with, if any
	SaveChanges  bool   // and whether it is saved at the end
	Node         string // which process holds it
	NodeURL      string // and where other nodes reach that
	CreatedAt    time.Time
	LastActivity time.Time
	ExpiresAt    time.Time
	DestroyedAt  time.Time // zero while it is active
	Credits      int64     // billed so far
	ScrapeID     string    // of the scrape that it goes on from, if any
	Prompted     bool      // words told it what to do
}

// Minute is what every started minute of the session costs.
func (s *Session) Minute() int64 {
	if s.Prompted {
		return SessionPromptMinute
	}
	return SessionMinute
}

// Active reports whether the session can be used.
func (s *Session) Active() bool { return s.State == SessionActive }

// Duration is how long the session lasted, or has lasted so far.
func (s *Session) Duration(now time.Time) time.Duration {
	if !s.DestroyedAt.IsZero() {
		now = s.DestroyedAt
	}
	return max(now.Sub(s.CreatedAt), 0)
}

// Access is what the address of a session lets its holder do.
type Access string

// The kinds of addresses of a session.
const (
	AccessDrive    Access = "drive"    // speak the browser's own protocol
	AccessWatch    Access = "watch"    // see the pages
	AccessInteract Access = "interact" // see the pages, click and type
)

// AccessKey returns what an address of the session has to name: its id and a
// signature that only holders of the secret can make. It is the same whenever
// and wherever it is made.
func AccessKey(secret []byte, id string, access Access) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(string(access) + "\n" + id))
	return id + "-" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24])
}

// idLength is that of an id in its usual form.
const idLength = 36

// CheckAccess returns the id of the session that a key opens. The error has
// CodeNotFound unless [AccessKey] made it with the same secret for that access.
func CheckAccess(secret []byte, key string, access Access) (id string, err error) {
	if len(key) > idLength && uuid.Validate(key[:idLength]) == nil &&
		hmac.Equal([]byte(key), []byte(AccessKey(secret, key[:idLength], access))) {
		return key[:idLength], nil
	}
	return "", ErrNoSession()
}

// ErrNoSession is the error of a session that does not exist.
func ErrNoSession() *Error { return Errorf(CodeNotFound, "Browser session not found.") }

// ErrSessionOver is the error of a session that was destroyed.
func ErrSessionOver() *Error { return Errorf(CodeGone, "Browser session has been destroyed.") }

// ErrProfileTaken is the error of a profile that somebody else saves to.
func ErrProfileTaken() *Error {
	return Errorf(CodeConflict, "Another session saves to this profile. Wait until it has ended, or set profile.saveChanges to false.")
}

// SavedProfile is what a team has in a profile. The bytes are an archive.
type SavedProfile struct {
	Name      string
	Size      int64 // of the archive, in bytes
	CreatedAt time.Time
	SavedAt   time.Time
	Saving    bool // a session, or a scrape, holds it in order to save to it
}

// Saves reports whether the state of the browser is saved to the profile.
func (p *Profile) Saves() bool { return p != nil && (p.SaveChanges == nil || *p.SaveChanges) }

// Validate reports what is wrong with the profile, at a path, beyond its schema. Its name is
// only ever a value, so that any character that can be read may be in it.
func (p *Profile) Validate(path ...any) []Issue {
	switch {
	case utf8.RuneCountInString(p.Name) == 0 || utf8.RuneCountInString(p.Name) > MaxProfileName:
		return []Issue{invalid("must have 1 to 128 characters", append(path, "name")...)}
	case !utf8.ValidString(p.Name) || strings.ContainsFunc(p.Name, unicode.IsControl):
		return []Issue{invalid("must not have control characters", append(path, "name")...)}
	case strings.TrimSpace(p.Name) == "":
		return []Issue{invalid("must not be blank", append(path, "name")...)}
	}
	return nil
}

// Bounds of sessions, in seconds where they are times.
const (
	MinTTL, MaxTTL, DefaultTTL                         = 30, 3600, 600
	MinActivityTTL, MaxActivityTTL, DefaultActivityTTL = 10, 3600, 300

	MaxProfileName = 128
)

// SessionRequest is the body of POST /v2/browser.
type SessionRequest struct {
	TTL           int       `json:"ttl,omitempty" doc:"Seconds that the session may last." minimum:"30" maximum:"3600"`
	ActivityTTL   int       `json:"activityTtl,omitempty" doc:"Seconds without use after which the session is destroyed." minimum:"10" maximum:"3600"`
	StreamWebView bool      `json:"streamWebView,omitempty" doc:"Let the session be watched."`
	RecordSession *bool     `json:"recordSession,omitempty" doc:"Accepted for compatibility; nothing is recorded."`
	Profile       *Profile  `json:"profile,omitempty" doc:"Browser profile to begin with, and to save to."`
	BlockAds      *bool     `json:"blockAds,omitempty" doc:"Accepted for compatibility; sessions see pages as they are."`
	Location      *Location `json:"location,omitempty" doc:"Accepted for compatibility; sessions begin where the server is."`
	Origin        string    `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration   string    `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// DefaultSessionRequest returns a request that chooses nothing.
func DefaultSessionRequest() SessionRequest {
	return SessionRequest{TTL: DefaultTTL, ActivityTTL: DefaultActivityTTL, StreamWebView: true, Origin: "api"}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *SessionRequest) UnmarshalJSON(data []byte) error {
	type plain SessionRequest
	p := plain(DefaultSessionRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = SessionRequest(p)
	return nil
}

// Validate reports what is wrong with the request beyond its schema.
func (r *SessionRequest) Validate() []Issue {
	if r.Profile == nil {
		return nil
	}
	return r.Profile.Validate("profile")
}

// Ignored names the options that ask for something this service does not do.
func (r *SessionRequest) Ignored() (names []string) {
	if r.RecordSession != nil && *r.RecordSession {
		names = append(names, "recordSession")
	}
	if r.BlockAds != nil && *r.BlockAds {
		names = append(names, "blockAds")
	}
	if r.Location != nil {
		names = append(names, "location")
	}
	return names
}
