package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/audit"
)

// Audit takes down who did what; both methods return at once.
type Audit interface {
	Write(e audit.Entry)
	Count() // what must not be written
}

// mostTarget bounds what is written of a target, in bytes.
const mostTarget = 2000

// deed is what the audit log wants to know of a request and only its handler does.
type deed struct {
	job     string
	credits int64
}

// did is what an answer says for the audit log.
type did interface{ did() deed }

func (a *ScrapeAnswer) did() deed {
	return deed{a.Data.Metadata.ScrapeID, a.Data.Metadata.CreditsUsed}
}
func (a *Started) did() deed        { return deed{job: a.ID} }
func (a *StartedExtract) did() deed { return deed{job: a.ID} }
func (a *SearchBody) did() deed     { return deed{a.ID, a.CreditsUsed} }
func (a *SiteMap) did() deed        { return deed{a.ID, 1} }
func (a *SessionStarted) did() deed { return deed{job: a.ID} }

// audit writes down a request that changed or fetched something, or was not let to.
func (s *Server) audit(v *visit, pattern string, status int) {
	r := v.request
	if s.Audit == nil || v.caller.Team.ID == "" || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return
	}
	target, discreet := subject(v.body)
	if v.discreet || discreet {
		s.Audit.Count()
		return
	}
	if target == "" && strings.Contains(pattern, "{") {
		target = r.URL.Path
	}
	s.Audit.Write(audit.Entry{
		Time: s.Now().UTC(), Request: v.id, Team: v.caller.Team.Name, TeamID: v.caller.Team.ID, Key: v.caller.Key.Number, KeyName: v.caller.Key.Name,
		Action: pattern, Target: target, Status: status, Code: v.code, Credits: v.deed.credits, Job: v.deed.job,
	})
}

// subject returns what a body is about, and whether it asks for zero data retention.
// Nothing else of the body is looked at.
func subject(body []byte) (target string, discreet bool) {
	var b struct {
		URL               string          `json:"url"`
		URLs              []string        `json:"urls"`
		Query             string          `json:"query"`
		Name              string          `json:"name"`
		ZeroDataRetention json.RawMessage `json:"zeroDataRetention"`
		ScrapeOptions     struct {
			ZeroDataRetention json.RawMessage `json:"zeroDataRetention"`
		} `json:"scrapeOptions"`
	}
	_ = json.Unmarshal(body, &b) // what does not fit is left out
	asks := func(value json.RawMessage) bool {
		return len(value) > 0 && string(value) != "false" && string(value) != "null"
	}
	switch {
	case b.URL != "":
		target = trawl.WithoutPassword(b.URL)
	case len(b.URLs) > 0:
		target = trawl.WithoutPassword(b.URLs[0])
	case b.Query != "":
		target = b.Query
	default:
		target = b.Name
	}
	return strings.ToValidUTF8(target[:min(len(target), mostTarget)], ""), asks(b.ZeroDataRetention) || asks(b.ScrapeOptions.ZeroDataRetention)
}
